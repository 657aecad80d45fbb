"""Kill -9 of Spark's JVM, of its workers and of the driver, at random moments of a run.

    python benchmarks/kills.py --times 50 --seed 1 --out benchmarks/results/kills.json

Each run explores two-phase commit on Spark. Its victim is killed at a random moment of the time
that a whole run takes, or as soon after it as there is such a victim; without one until the end,
the run does not count, and another moment is drawn. What the run then prints is compared with the
levels of a whole search in memory: a printed count is right if it is that of all states up to the
printed depth.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import Any

from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.progress import Progress
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.search import explore

DESIGN, SCOPE = "tests.toys.two_phase_commit:DESIGN", "eight"
MANAGERS = 7
BOUND = f"resource_managers={MANAGERS}"
COMMAND = ["-m", "tierproof", "explore", DESIGN, "--scope", SCOPE, "--set", BOUND]
COMMAND += ["--engine", "spark", "--json"]
VICTIMS = ("jvm", "a worker", "all workers", "driver")
SECONDS_AT_MOST = 300


def levels() -> list[tuple[int, int]]:
    """Distinct and generated states up to each depth, by a whole search in memory."""
    generated: dict[int, int] = {}

    def watch(point: Progress) -> None:
        generated[point.level] = point.generated

    bounds = (("resource_managers", MANAGERS),)
    question = Question(design=DESIGN, scope=SCOPE, bounds=bounds)
    found = explore(*question.resolve(), MemoryExecution, watch=watch)
    up_to = [1, *generated.values()]  # those of the last level are no new states
    pairs = list(zip(accumulate(found.frontier_sizes), up_to, strict=False))
    return [*pairs, (found.distinct_states, found.generated_states)]


def below(process: int) -> list[tuple[int, str]]:
    """The processes that a process started, and those that they started, with their commands."""
    asked = ["ps", "-o", "pid=,args=", "--ppid", str(process)]
    lines = subprocess.run(asked, capture_output=True, text=True).stdout.splitlines()
    found = []
    for line in lines:
        number, command = line.split(None, 1)
        found += [(int(number), command), *below(int(number))]
    return found


def killed(victim: str, driver: int) -> int:
    """Kill the victim; returns how many processes that were."""
    started = below(driver)
    chosen = {
        "jvm": [number for number, command in started if "SparkSubmit" in command],
        "a worker": [number for number, command in started if "pyspark.daemon" in command][-1:],
        "all workers": [number for number, command in started if "pyspark.daemon" in command],
        "driver": [driver],
    }[victim]
    hit = 0
    for number in chosen:
        with suppress(ProcessLookupError):  # it may just have ended by itself
            os.kill(number, signal.SIGKILL)
            hit += 1
    return hit


def judged(printed: str, whole: list[tuple[int, int]]) -> dict[str, Any]:
    """The printed counts, and whether they are those of all states up to the printed depth."""
    try:
        found = json.loads(printed)
    except ValueError:
        return {"printed": False}
    counts = (found["distinct_states"], found["generated_states"])
    return {
        "printed": True,
        "verdict": found["verdict"],
        "cut": found["cut"],
        "counts": [*counts, found["depth"]],
        "right": counts == (whole[found["depth"]] if found["cut"] else whole[-1]),
    }


def run(victim: str, moment: float, whole: list[tuple[int, int]]) -> dict[str, Any]:
    """One run whose victim is killed after `moment` seconds."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen([sys.executable, *COMMAND], **pipes)
    began = time.monotonic()
    time.sleep(moment)
    hit = 0
    while not hit and process.poll() is None:
        hit = killed(victim, process.pid)
    moment = time.monotonic() - began
    try:
        printed, said = process.communicate(timeout=SECONDS_AT_MOST)
    except subprocess.TimeoutExpired:
        process.kill()
        printed, said = process.communicate()
        said += "\nhung"
    told = [line for line in said.splitlines() if line.startswith(("tierproof", "hung"))]
    return {
        "victim": victim,
        "seconds": round(moment, 2),
        "killed": hit,
        "status": process.returncode,
        **judged(printed, whole),
        "said": told[-1] if told else "",
        "traceback": "Traceback" in said,
    }


def main() -> None:
    """Kill, compare, print a line for each run and write all of them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/kills.json"))
    parser.add_argument("--go-on", action="store_true", help="Keep the runs that the file has.")
    given = parser.parse_args()
    runs = json.loads(given.out.read_text())["runs"] if given.go_on else []
    chance, whole = random.Random(given.seed), levels()
    began = time.monotonic()
    subprocess.run([sys.executable, *COMMAND], capture_output=True)
    lasts = time.monotonic() - began
    while len(runs) < given.times:
        one = run(VICTIMS[len(runs) % len(VICTIMS)], chance.uniform(0, lasts), whole)
        print(json.dumps(one), flush=True)
        if not one["killed"]:
            continue
        runs.append(one)
        summary = Counter(f"{each['victim']}: {each.get('verdict', 'nothing')}" for each in runs)
        wrong = sum(each["printed"] and not each["right"] for each in runs)
        told = {"seed": given.seed, "whole_run_seconds": round(lasts, 1), "wrong_counts": wrong}
        given.out.write_text(
            json.dumps({**told, "summary": dict(summary), "runs": runs}, indent=1) + "\n"
        )


if __name__ == "__main__":
    main()
