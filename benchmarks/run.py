"""A system side by side: tierproof in memory and on Spark, plain Python, TLC, SPIN.

Runs alternate, so that a busy moment of the machine falls on everybody. Prints a table of
medians and writes every figure to benchmarks/results/.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import statistics
import sys
import tempfile
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

from contenders import HERE, Contender, ContenderFailed, Figures
from systems import KIP405_CORE, MANAGERS, System, kip405_core, two_phase_commit

COLUMNS = (
    *("checker", "distinct", "generated", "depth"),
    *("search, s", "distinct/s", "whole run, s", "ratio"),
)
EVERYBODY = ("memory", "spark", "python", "tlc", "spin")

EXAMPLES = """\
examples:
  python benchmarks/run.py --managers 7 --runs 3
  python benchmarks/run.py --managers 9 --only memory --only spin
  TLC_JAR=path/to/tla2tools.jar python benchmarks/run.py
  TLC_JAR=path/to/tla2tools.jar python benchmarks/run.py --kip405 smoke
"""


def compare(contenders: list[Contender], runs: int) -> dict[str, list[Figures]]:
    """Every contender `runs` times in turn, after a warm-up each for those that compile."""
    figures: dict[str, list[Figures]] = {one.name: [] for one in contenders}
    with tempfile.TemporaryDirectory() as root:
        folders = {one.name: Path(root, one.name) for one in contenders}
        for one in contenders:
            folders[one.name].mkdir()
            one.prepare(folders[one.name])
            if one.warm_up:
                one.run(folders[one.name])
        for number in range(1, runs + 1):
            for one in contenders:
                found = one.run(folders[one.name])
                figures[one.name].append(found)
                print(f"run {number}: {one.title}: {found.wall_seconds:.1f} s", file=sys.stderr)
    return figures


def medians(figures: list[Figures]) -> dict[str, Any]:
    """Counts of the first run, medians of the times, distinct states a second."""
    seconds = statistics.median(one.seconds for one in figures)
    wall = statistics.median(one.wall_seconds for one in figures)
    first = figures[0]
    return {
        **asdict(first),
        "seconds": round(seconds, 3),
        "wall_seconds": round(wall, 3),
        "states_per_second": round(first.distinct_states / max(seconds, 1e-3)),
    }


def table(rows: dict[str, dict[str, Any]], titles: dict[str, str]) -> str:
    """The medians as a Markdown table; the last column divides whole runs by the first row's."""
    lines = [
        f"| {' | '.join(COLUMNS)} |",
        f"|---|{'--:|' * (len(COLUMNS) - 1)}",
    ]
    base = next(iter(rows.values()))["wall_seconds"]
    for name, row in rows.items():
        counts = " | ".join(f"{row[key]:,}" for key in ("distinct_states", "generated_states"))
        times = f"{row['seconds']:.2f} | {row['states_per_second']:,} | {row['wall_seconds']:.2f}"
        ratio = row["wall_seconds"] / base
        lines.append(f"| {titles[name]} | {counts} | {row['depth']} | {times} | {ratio:.2f} |")
    return "\n".join(lines)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    low, high = MANAGERS
    parser.add_argument(
        "--managers",
        type=int,
        default=9,
        choices=range(low, high + 1),
        metavar="N",
        help=f"resource managers, {low} to {high} (default 9: 10.3 million states)",
    )
    parser.add_argument(
        "--kip405", choices=KIP405_CORE, help="not two-phase commit but KIP-405's core, so bounded"
    )
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="measured runs, default 3")
    parser.add_argument(
        "--only", action="append", choices=EVERYBODY, help="only this checker; repeatable"
    )
    parser.add_argument(
        "--out", type=Path, default=HERE / "results", help="folder of the JSON (default: results/)"
    )
    given = parser.parse_args()
    if given.runs < 1:
        parser.error(f"--runs takes 1 or more, not {given.runs}")
    return given


def main() -> int:
    """Compare, print and write. 0 if all agree on the counts, 1 if not or if one failed."""
    given = _arguments()
    system = kip405_core(given.kip405) if given.kip405 else two_phase_commit(given.managers)
    chosen = [one for one in system.contenders if given.only is None or one.name in given.only]
    for one in chosen:
        if one.missing:
            print(f"{one.title} is left out: {one.missing}", file=sys.stderr)
    present = [one for one in chosen if not one.missing]
    if not present:
        print("benchmarks: nobody is left to compare", file=sys.stderr)
        return 1
    try:
        figures = compare(present, given.runs)
    except ContenderFailed as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return 1
    rows = {name: medians(runs) for name, runs in figures.items()}
    print(f"{system.title}, medians of {given.runs}:\n")
    print(table(rows, {one.name: one.title for one in present}))
    print(f"\nwritten to {_write(given.out, system, figures, rows)}")
    if not _agree(list(rows.values())):
        print("the counts differ", file=sys.stderr)
        return 1
    return 0


def _agree(rows: list[dict[str, Any]]) -> bool:
    """Equal distinct states; generated ones to 7 digits, as SPIN prints no more of large counts.

    Depth is in the table only: SPIN's is that of a stack.
    """
    first, *others = rows
    return all(
        row["distinct_states"] == first["distinct_states"]
        and math.isclose(row["generated_states"], first["generated_states"], rel_tol=1e-7)
        for row in others
    )


def _write(
    out: Path, system: System, figures: dict[str, list[Figures]], rows: dict[str, dict[str, Any]]
) -> Path:
    out.mkdir(parents=True, exist_ok=True)
    path: Path = out / f"{system.name}.json"
    found = {
        "date": date.today().isoformat(),
        "cores": os.cpu_count(),
        "machine": platform.machine(),
        "python": platform.python_version(),
        **system.bounds,
        "medians": rows,
        "runs": {name: [asdict(one) for one in runs] for name, runs in figures.items()},
    }
    path.write_text(json.dumps(found, indent=2) + "\n")
    return path


if __name__ == "__main__":
    sys.exit(main())
