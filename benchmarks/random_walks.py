"""How many steps a second random walks take, by design and scope.

Each system is simulated in a process of its own on one thread, several times in turn, with the
better of its two codes. Steps are divided by the CPU seconds of the walks alone: no set-up, no
shortening of traces. On a busy machine that is steadier than the clock.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SYSTEMS = {
    "two-phase commit, 9 managers": ("tests.toys.two_phase_commit:DESIGN", "nine"),
    "kip405 smoke": ("kip405", "smoke"),
    "kip950 deep": ("kip950", "deep"),
}
"""Title -> design and scope."""
WALK = """
import json, sys, time
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.simulation import Bounds, Simulation
design, scope, walks, depth = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
kernel = Kernel(*Question(design=design, scope=scope).resolve())
kernel.optimise()
kernel.close()
simulation = Simulation(kernel, Bounds(seed=1, walks=walks, depth=depth), threads=1)
simulation.walker().take(0, 1)
began = time.process_time()
simulation.run()
seconds = time.process_time() - began
walks, steps, *_ = simulation.covered
print(json.dumps({
    "walks": walks, "steps": steps, "distinct_states": simulation.distinct, "cpu_seconds": seconds
}))
"""


def simulated(words: tuple[str, str], walks: int, depth: int) -> dict[str, Any]:
    """The counts and CPU seconds of one simulation in a new process."""
    command = [sys.executable, "-c", WALK, *words, str(walks), str(depth)]
    done = subprocess.run(command, cwd=HERE.parent, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def row_of(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """The counts, which every run has in common, and the median of the CPU seconds."""
    seconds = statistics.median(run["cpu_seconds"] for run in runs)
    rate = round(runs[0]["steps"] / seconds)
    return {**runs[0], "cpu_seconds": round(seconds, 3), "steps_per_cpu_second": rate}


def table(rows: dict[str, dict[str, Any]]) -> str:
    """The rows as a Markdown table."""
    lines = [
        "| system | walks | steps | distinct, about | CPU s | steps/CPU s |",
        "|---|" + "--:|" * 5,
    ]
    for title, row in rows.items():
        counts = " | ".join(f"{row[name]:,}" for name in ("walks", "steps", "distinct_states"))
        rate = f"{row['steps_per_cpu_second']:,}"
        lines.append(f"| {title} | {counts} | {row['cpu_seconds']:.2f} | {rate} |")
    return "\n".join(lines)


def main() -> int:
    """Simulate, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--walks", type=int, default=20_000, help="of each run, default 20,000")
    parser.add_argument("--depth", type=int, default=200, help="most steps of a walk, default 200")
    parser.add_argument("--runs", type=int, default=3, help="measured runs of each, default 3")
    given = parser.parse_args()
    runs: dict[str, list[dict[str, Any]]] = {title: [] for title in SYSTEMS}
    for _ in range(given.runs):
        for title, words in SYSTEMS.items():
            runs[title].append(simulated(words, given.walks, given.depth))
    rows = {title: row_of(found) for title, found in runs.items()}
    print(table(rows))
    found = {
        "date": date.today().isoformat(),
        "cores": os.cpu_count(),
        "machine": platform.machine(),
        "python": platform.python_version(),
        "depth": given.depth,
        "medians": rows,
        "runs": runs,
    }
    path = HERE / "results" / "random_walks.json"
    path.write_text(json.dumps(found, indent=2) + "\n")
    print(f"\nwritten to {path.relative_to(HERE.parent)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
