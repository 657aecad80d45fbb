"""What it costs until the first state is expanded: each design cold, warm, and as a variant.

Whole processes, in CPU seconds, each over a cache of its own in which the engine's own
functions are compiled and no design is. `cold`: nothing of the design is kept; `variant`: the
design is, a variant of it is not; `warm`: it is. With --before, another checkout does the
same in turn, so that both are measured on the same machine at the same time.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

HERE = Path(__file__).resolve().parent
SCOPE = "smoke"
DESIGNS = {
    "kip405": "repair_take_log_start_over",
    "kip950": "repair_await_cancelled_threads",
    "kip950_zookeeper": "repair_await_cancelled_threads",
    "kip950_early_kraft": "repair_await_cancelled_threads",
    "kip950_early_zookeeper": "repair_await_cancelled_threads",
    "kip1266": "repair_all",
    "kip1266_migration": "repair_backfill",
}
"""Design -> the variant that is measured."""

PREPARE = """
import sys
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.worker import prepare
design, scope, variants = sys.argv[1], sys.argv[2] or None, tuple(sys.argv[3:])
prepare(Kernel(*Question(design=design, scope=scope, variants=variants).resolve()))
"""


def seconds_of(checkout: Path, cache: Path, *words: str) -> float:
    """CPU seconds of a process that makes a design ready to be explored."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "PYTHONPATH": str(checkout), "TIERPROOF_CACHE": str(cache)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", PREPARE, *words]
    subprocess.run(command, cwd=checkout, env=environment, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measured(checkout: Path, designs: list[str]) -> dict[str, dict[str, float]]:
    """Design -> cold, variant and warm."""
    found = {}
    with tempfile.TemporaryDirectory() as cache:
        seconds_of(checkout, Path(cache), "tests.toys.clock:DESIGN", "")
        for design in designs:
            variant = DESIGNS[design]
            times = {
                "cold": seconds_of(checkout, Path(cache), design, SCOPE),
                "variant": seconds_of(checkout, Path(cache), design, SCOPE, variant),
                "warm": min(seconds_of(checkout, Path(cache), design, SCOPE) for _ in range(3)),
            }
            found[design] = {name: round(value, 2) for name, value in times.items()}
            print(checkout.name, design, found[design], file=sys.stderr)
    return found


def main() -> None:
    """Measure, print a table, write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, help="a checkout to compare with")
    parser.add_argument("--out", type=Path, default=HERE / "results" / "compilation.json")
    parser.add_argument("--design", action="append", choices=DESIGNS, help="only this; repeatable")
    given = parser.parse_args()
    designs = given.design or list(DESIGNS)
    checkouts = {"after": HERE.parent}
    if given.before:
        checkouts = {"before": given.before.resolve(), **checkouts}
    found = {name: measured(checkout, designs) for name, checkout in checkouts.items()}
    columns = [f"{kind} {when}" for kind in ("cold", "variant", "warm") for when in found]
    print(f"| CPU seconds | {' | '.join(columns)} |\n|---|{'--:|' * len(columns)}")
    for design in designs:
        times = [found[c.split()[1]][design][c.split()[0]] for c in columns]
        print(f"| {design} {SCOPE} | {' | '.join(f'{t:.1f}' for t in times)} |")
    facts = {"date": date.today().isoformat(), "scope": SCOPE, "seconds": found}
    given.out.write_text(json.dumps(facts, indent=2) + "\n")


if __name__ == "__main__":
    main()
