"""Two-phase commit side by side: tierproof in memory and on Spark, plain Python, TLC, SPIN.

Runs alternate, so that a busy moment of the machine falls on everybody. Prints a table of
medians and writes every figure to benchmarks/results/.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
TWINS = HERE / "two_phase_commit"
LIMITS = (1, 12)
"""How many resource managers the design allows."""

COLUMNS = (
    *("checker", "distinct", "generated", "depth"),
    *("search, s", "distinct/s", "whole run, s", "ratio"),
)

EXAMPLES = """\
examples:
  python benchmarks/run.py --managers 7 --runs 3
  python benchmarks/run.py --managers 9 --only memory --only spin
  TLC_JAR=path/to/tla2tools.jar python benchmarks/run.py
"""


class ContenderFailed(Exception):
    """A checker that ended with an error, or said something that is not understood."""


@dataclass(frozen=True)
class Figures:
    """What one run found and took: `seconds` by the checker's own clock, `wall_seconds` by ours."""

    distinct_states: int
    generated_states: int
    depth: int
    seconds: float
    wall_seconds: float


@dataclass(frozen=True)
class Contender:
    """A checker: what to make ready, how to run and read it, and why it cannot run here, if so.

    `read` gives distinct, generated, depth in steps and the seconds that it claims.
    """

    name: str
    title: str
    missing: str | None
    prepare: Callable[[int, Path], None]
    command: Callable[[int, Path], list[str]]
    read: Callable[[str], tuple[int, int, int, float | None]]

    def run(self, managers: int, folder: Path) -> Figures:
        """One run. Raises ContenderFailed."""
        began = time.perf_counter()
        said = _output(self.command(managers, folder), HERE.parent)
        wall = time.perf_counter() - began
        distinct, generated, depth, seconds = self.read(said)
        return Figures(distinct, generated, depth, wall if seconds is None else seconds, wall)


# -- the contenders


def tierproof(engine: str) -> Contender:
    """tierproof by its command line, as a user types it."""

    def command(managers: int, _: Path) -> list[str]:
        design = "tests.toys.two_phase_commit:DESIGN"
        words = [sys.executable, "-m", "spark_explorer.cli", "explore", design, "--scope", "nine"]
        return [*words, "--set", f"resource_managers={managers}", "--engine", engine, "--json"]

    java = engine == "memory" or shutil.which("java") or os.environ.get("JAVA_HOME")
    missing = None if java else "there is no java"
    return Contender(engine, f"tierproof, {engine}", missing, _nothing, command, _read_json)


def plain_python() -> Contender:
    """A set and a list."""

    def command(managers: int, _: Path) -> list[str]:
        return [sys.executable, str(TWINS / "plain_python.py"), str(managers)]

    return Contender("python", "plain Python", None, _nothing, command, _read_json)


def tlc() -> Contender:
    """TLC with a worker for every core."""
    jar = os.environ.get("TLC_JAR", "")

    def prepare(managers: int, folder: Path) -> None:
        shutil.copy(TWINS / "TwoPhase.tla", folder)
        written = (TWINS / "TwoPhase.cfg").read_text()
        bounded = re.sub(r"Managers = \d+", f"Managers = {managers}", written)
        (folder / "TwoPhase.cfg").write_text(bounded)

    def command(_: int, folder: Path) -> list[str]:
        options = ["-XX:+UseParallelGC", "-cp", jar, "tlc2.TLC", "-workers", "auto", "-cleanup"]
        states = ["-metadir", str(folder / "states"), "-config", str(folder / "TwoPhase.cfg")]
        return ["java", *options, *states, str(folder / "TwoPhase.tla")]

    missing = None
    if not Path(jar).is_file():
        missing = "TLC_JAR does not name tla2tools.jar"
    elif not shutil.which("java"):
        missing = "there is no java"
    return Contender("tlc", "TLC", missing, prepare, command, _read_tlc)


def spin() -> Contender:
    """SPIN, depth-first, exhaustive, its verifier compiled before the clock starts."""

    def prepare(managers: int, folder: Path) -> None:
        _output(["spin", f"-DMANAGERS={managers}", "-a", str(TWINS / "two_phase.pml")], folder)
        _output(["gcc", "-O2", "-w", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"], folder)

    def command(_: int, folder: Path) -> list[str]:
        return [str(folder / "pan"), "-m100000", "-w24", "-E"]

    absent = [tool for tool in ("spin", "gcc") if not shutil.which(tool)]
    missing = f"there is no {' and no '.join(absent)}" if absent else None
    return Contender("spin", "SPIN, depth-first", missing, prepare, command, _read_spin)


def _nothing(managers: int, folder: Path) -> None:
    """Nothing to make ready."""


def _output(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr or done.stdout).strip()[-2000:]
        raise ContenderFailed(f"{command[0]} ended with {done.returncode}: {said}")
    return done.stdout


# -- what they say


def _read_json(said: str) -> tuple[int, int, int, float | None]:
    found = json.loads(said[said.index("{") :])
    counts = (found["distinct_states"], found["generated_states"], found["depth"])
    return (*counts, found["seconds"])


def _read_tlc(said: str) -> tuple[int, int, int, float | None]:
    generated, distinct = _numbers(
        r"([\d,]+) states generated, ([\d,]+) distinct states found, 0 states left", said
    )
    (depth,) = _numbers(r"depth of the complete state graph search is ([\d,]+)", said)
    return distinct, generated, depth - 1, None  # TLC counts states on the way, not steps


def _read_spin(said: str) -> tuple[int, int, int, float | None]:
    if "max search depth too small" in said:
        raise ContenderFailed("SPIN's stack is too small: raise pan's -m")
    if "errors: 0" not in said:
        raise ContenderFailed(f"SPIN reports an error:\n{said}")
    (distinct,) = _numbers(r"(\d+) states, stored", said)
    generated = round(float(re.findall(r"([\d.e+]+) transitions", said)[-1]))
    (depth,) = _numbers(r"depth reached (\d+)", said)
    elapsed = re.search(r"elapsed time ([\d.e+-]+) seconds", said)
    return distinct, generated, depth, float(elapsed[1]) if elapsed else None


def _numbers(pattern: str, said: str) -> tuple[int, ...]:
    found = re.findall(pattern, said)
    if not found:
        raise ContenderFailed(f"no {pattern!r} in what it said:\n{said[-2000:]}")
    last = found[-1] if isinstance(found[-1], tuple) else (found[-1],)
    return tuple(int(number.replace(",", "")) for number in last)


# -- the comparison


def compare(contenders: list[Contender], managers: int, runs: int) -> dict[str, list[Figures]]:
    """Every contender `runs` times in turn, after a warm-up each for those that compile."""
    figures: dict[str, list[Figures]] = {one.name: [] for one in contenders}
    with tempfile.TemporaryDirectory() as root:
        folders = {one.name: Path(root, one.name) for one in contenders}
        for one in contenders:
            folders[one.name].mkdir()
            one.prepare(managers, folders[one.name])
            if one.name in ("memory", "spark"):
                one.run(managers, folders[one.name])
        for number in range(1, runs + 1):
            for one in contenders:
                found = one.run(managers, folders[one.name])
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


def _arguments(everybody: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    low, high = LIMITS
    parser.add_argument(
        "--managers",
        type=int,
        default=9,
        choices=range(low, high + 1),
        metavar="N",
        help=f"resource managers, {low} to {high} (default 9: 10.3 million states)",
    )
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="measured runs, default 3")
    parser.add_argument(
        "--only", action="append", choices=everybody, help="only this checker; repeatable"
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
    everybody = [tierproof("memory"), tierproof("spark"), plain_python(), tlc(), spin()]
    given = _arguments([one.name for one in everybody])
    chosen = [one for one in everybody if given.only is None or one.name in given.only]
    for one in chosen:
        if one.missing:
            print(f"{one.title} is left out: {one.missing}", file=sys.stderr)
    present = [one for one in chosen if not one.missing]
    if not present:
        return 1
    try:
        figures = compare(present, given.managers, given.runs)
    except ContenderFailed as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return 1
    rows = {name: medians(runs) for name, runs in figures.items()}
    print(f"Two-phase commit, {given.managers} resource managers, medians of {given.runs}:\n")
    print(table(rows, {one.name: one.title for one in present}))
    print(f"\nwritten to {_write(given, figures, rows)}")
    if not _agree(list(rows.values())):
        print("the counts differ", file=sys.stderr)
        return 1
    return 0


def _agree(rows: list[dict[str, Any]]) -> bool:
    """Equal distinct states; generated ones to 7 digits, as SPIN prints no more of large counts."""
    first, *others = rows
    return all(
        row["distinct_states"] == first["distinct_states"]
        and math.isclose(row["generated_states"], first["generated_states"], rel_tol=1e-7)
        for row in others
    )


def _write(
    given: argparse.Namespace, figures: dict[str, list[Figures]], rows: dict[str, dict[str, Any]]
) -> Path:
    given.out.mkdir(parents=True, exist_ok=True)
    path: Path = given.out / f"two_phase_commit_{given.managers}.json"
    found = {
        "date": date.today().isoformat(),
        "cores": os.cpu_count(),
        "machine": platform.machine(),
        "python": platform.python_version(),
        "managers": given.managers,
        "medians": rows,
        "runs": {name: [asdict(one) for one in runs] for name, runs in figures.items()},
    }
    path.write_text(json.dumps(found, indent=2) + "\n")
    return path


if __name__ == "__main__":
    sys.exit(main())
