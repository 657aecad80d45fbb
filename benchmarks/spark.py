"""Spark on this machine beside the memory execution, on the same cores, in turns.

    python benchmarks/spark.py tests.toys.two_phase_commit:DESIGN:nine --before ../another-checkout

Each run is a process of its own. "spark" goes on in memory until Spark is ready, as a user has it;
"jobs" waits for Spark at the first frontier of more than 10,000 states, so that its levels are
jobs. `--before` adds Spark of another checkout. Bytes are those that Spark counts as written to a
shuffle. A small level is a job with a frontier of less than 10,000 states.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SMALL = 10_000
CORES = 2


def measured(engine: str, system: str) -> dict[str, Any]:
    """One search in this process."""
    began = time.monotonic()
    from tierproof.spark_explorer.memory import MemoryExecution
    from tierproof.spark_explorer.question import Question
    from tierproof.spark_explorer.search import Search, explore

    design, _, words = system.rpartition(":")
    scope, *bounds = words.split(",")
    pairs = [bound.split("=") for bound in bounds]
    bound = tuple((name, int(value)) for name, value in pairs)
    question = Question(design=design, scope=scope, bounds=bound)
    jobs: list[tuple[float, int, float]] = []

    class Timed(Search):
        def _expand_level(self, level: int) -> None:
            is_job = getattr(self.execution, "head", self) is None
            frontier, start = self.execution.frontier, time.monotonic()
            super()._expand_level(level)
            if is_job:
                jobs.append((start - began, frontier, time.monotonic() - start))

    def execution(kernel: Any) -> Any:
        if engine == "memory":
            return MemoryExecution(kernel, CORES)
        from tierproof.spark_explorer.spark.execution import SparkExecution

        asked = {"on_driver": SMALL} if engine == "jobs" else {}
        return SparkExecution(kernel, question, master=f"local[{CORES},4]", **asked)

    sys.modules[Search.__module__].Search = Timed  # type: ignore[attr-defined]
    found = explore(*question.resolve(), execution)
    small = [seconds for _, frontier, seconds in jobs if frontier < SMALL]
    return {
        "distinct": found.distinct_states,
        "generated": found.generated_states,
        "search_seconds": round(found.seconds, 2),
        "first_job_seconds": round(jobs[0][0], 2) if jobs else None,
        "job_levels": len(jobs),
        "states_in_jobs": sum(frontier for _, frontier, _ in jobs),
        "seconds_in_jobs": round(sum(seconds for *_, seconds in jobs), 2),
        "small_level_seconds": round(statistics.mean(small), 3) if small else None,
        "bytes_shuffled": shuffled(),
    }


def shuffled() -> int:
    """Bytes that Spark has written to shuffles in this process."""
    if "pyspark" not in sys.modules:
        return 0
    from pyspark import SparkContext

    context = SparkContext._active_spark_context
    if context is None:
        return 0
    executors = context._jsc.sc().statusStore().executorList(True)
    return sum(executors.apply(i).totalShuffleWrite() for i in range(executors.size()))


def run(engine: str, system: str, checkout: Path) -> dict[str, Any]:
    """One search in a process of its own; its wall time, too."""
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, str(HERE / "spark.py"), "--measure", engine, system],
        capture_output=True,
        text=True,
        cwd=checkout,
        env=os.environ | {"PYTHONPATH": f"{checkout / 'src'}:{checkout}"},
    )
    if done.returncode:
        sys.exit(f"{engine} {system} failed:\n{done.stderr[-2000:]}")
    wall = round(time.monotonic() - began, 2)
    return {"engine": engine, **json.loads(done.stdout.splitlines()[-1]), "wall_seconds": wall}


def main() -> None:
    """Run all in turns, print a line for each, write all of them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("systems", nargs="+", help="package.module:DESIGN:scope[,bound=value]")
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--before", type=Path, help="another checkout, explored with its Spark")
    parser.add_argument("--out", type=Path, default=HERE / "results" / "spark.json")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        print(json.dumps(measured(given.measure, given.systems[0])))
        return
    turns = [(engine, engine, HERE.parent) for engine in ("memory", "spark", "jobs")]
    if given.before:
        turns.append(("before", "spark", given.before.resolve()))
    runs = json.loads(given.out.read_text()) if given.out.exists() else {}
    for system in given.systems:
        for _, engine, checkout in turns:
            run(engine, system, checkout)  # compiles
        for _ in range(given.runs):
            base = 0.0
            for name, engine, checkout in turns:
                one = run(engine, system, checkout) | {"engine": name}
                base = base or one["wall_seconds"]
                one["ratio"] = round(one["wall_seconds"] / base, 2)
                print(system, json.dumps(one), flush=True)
                runs.setdefault(system, []).append(one)
        given.out.write_text(json.dumps(runs, indent=1) + "\n")


if __name__ == "__main__":
    main()
