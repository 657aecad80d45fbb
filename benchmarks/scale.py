"""What a kept search costs as it grows: time, memory and storage, up to a billion states.

    python benchmarks/scale.py 9 33 106 --out benchmarks/results/scale.json
    python benchmarks/scale.py 336 --kill-at 400000000 --out benchmarks/results/scale.json

Each number is the ticks of two-phase commit beside two clocks, explored in memory with `--run` by a
process of its own. `--kill-at STATES` kills -9 the process once that many states are committed, and
resumes the run: the states since the last whole level are then explored twice.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path
from typing import IO, Any

DESIGN = "tests.toys.clocked_commit:DESIGN"
ROOT = Path(__file__).resolve().parent.parent


def measured(ticks: int, folder: Path, kill_at: int) -> dict[str, Any]:
    """One kept search from its start to its end."""
    run = folder / str(ticks)
    asked = ["explore", DESIGN, "--set", f"ticks={ticks}", "--run", str(run)]
    parts = []
    if kill_at:
        parts.append(_timed([*asked, "--json"], run, kill_at))
        asked = ["resume", str(run)]
    parts.append(_timed([*asked, "--json"], run))
    found = parts[-1]["result"]
    stored = sum(one.stat().st_size for one in run.rglob("*.parquet"))
    largest = max(_level_bytes(run))
    return {
        "ticks": ticks,
        "states": found["distinct_states"],
        "generated": found["generated_states"],
        "depth": found["depth"],
        "verdicts": sorted({one["verdict"] for one in found["properties"]}),
        "seconds": [round(one["seconds"], 1) for one in parts],
        "processor_seconds": [round(one["processor"], 1) for one in parts],
        "most_bytes_of_memory": max(one["memory"] for one in parts),
        "bytes_stored": stored,
        "bytes_of_the_largest_level": largest,
        "killed_at": parts[0]["killed_at"],
        "resumed": found.get("resumed"),
    }


def _timed(arguments: list[str], run: Path, kill_at: int = 0) -> dict[str, Any]:
    """A process of tierproof: its time, its memory, and what it printed."""
    with tempfile.TemporaryFile("w+") as printed:
        return _printed_to(printed, arguments, run, kill_at)


def _printed_to(printed: IO[str], arguments: list[str], run: Path, kill_at: int) -> dict[str, Any]:
    began = time.monotonic()
    command = [sys.executable, "-m", "tierproof", *arguments]
    process = subprocess.Popen(command, stdout=printed, cwd=ROOT)
    killed_at = None
    while kill_at and process.poll() is None and killed_at is None:
        time.sleep(1)
        if (states := _committed(run)) >= kill_at:
            os.kill(process.pid, signal.SIGKILL)
            killed_at = states
    _, _, used = os.wait4(process.pid, 0)
    printed.seek(0)
    text = printed.read()
    return {
        "seconds": time.monotonic() - began,
        "processor": used.ru_utime + used.ru_stime,
        "memory": used.ru_maxrss * 1024,
        "killed_at": killed_at,
        "result": json.loads(text) if text and killed_at is None else None,
    }


def _committed(run: Path) -> int:
    """The distinct states of the whole levels."""
    levels = sorted(run.glob("level=*/commit.json"))
    if not levels:
        return 0
    last = json.loads(levels[-1].read_text())
    return sum(last["frontier_sizes"]) + sum(piece["rows"] for piece in last["pieces"])


def _level_bytes(run: Path) -> list[int]:
    """Bytes stored for each level."""
    levels = run.glob("level=*")
    return [sum(one.stat().st_size for one in level.glob("*.parquet")) for level in levels]


def main() -> None:
    """Explore each system, and print and write what it cost."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ticks", nargs="+", type=int, metavar="TICKS")
    parser.add_argument("--kill-at", type=int, default=0, metavar="STATES")
    parser.add_argument("--folder", type=Path, help="where runs are kept; default: removed")
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    folder = asked.folder or Path(tempfile.mkdtemp(prefix="tierproof-scale-"))
    rows = []
    for ticks in asked.ticks:
        rows.append(measured(ticks, folder, asked.kill_at))
        print(json.dumps(rows[-1]), flush=True)
        if not asked.folder:
            shutil.rmtree(folder / str(ticks))
    if asked.out:
        known = json.loads(asked.out.read_text())["rows"] if asked.out.exists() else []
        told = {"date": str(date.today()), "cores": os.cpu_count(), "rows": known + rows}
        asked.out.write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
