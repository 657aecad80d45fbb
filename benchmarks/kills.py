"""Kill -9 of runs at random moments; each is resumed, and compared with one that lived.

    python benchmarks/kills.py memory --times 200 --seed 1
    python benchmarks/kills.py spark --times 20 --seed 1

`memory` kills one process at calls of functions that reach each phase of a search, and by the clock
(see tests/explorer/random_deaths.py). `spark` goes on with a run that memory has begun, so that
levels are jobs, and kills the driver, its Java virtual machine, a Python worker, all workers or all
of these at a random moment of the time that a whole run takes; then it resumes in memory or on
Spark. What lives after its driver, and which folders stay, is noted.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from tierproof.spark_explorer.kept.opening import KeptRun

ROOT = Path(__file__).parents[1]
DESIGN = ("tests.toys.two_phase_commit:DESIGN", "--scope", "eight", "--set", "resource_managers=7")
LIMIT = "60000"
"""The distinct states at which memory leaves the search to Spark."""
VICTIMS = ("driver", "jvm", "a worker", "all workers", "all", "driver, SIGTERM")
SECONDS_AT_MOST = 600
SECONDS_TO_END = 30
"""How long what a driver has started may live after it."""


def in_memory(times: int, seed: int) -> Iterator[dict[str, Any]]:
    """A record of each run that was killed and resumed, all in processes that die."""
    words = [sys.executable, "-m", "tests.explorer.random_deaths", str(times), str(seed)]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as dying:
        assert dying.stdout is not None
        yield from map(json.loads, dying.stdout)


# -- Spark


def command(*words: str) -> list[str]:
    """The command line of `tierproof`."""
    return [sys.executable, "-m", "tierproof", *words]


def below(process: int) -> list[tuple[int, str]]:
    """The processes that a process started, and those that they started, with their commands."""
    asked = ["ps", "-o", "pid=,args=", "--ppid", str(process)]
    lines = subprocess.run(asked, capture_output=True, text=True).stdout.splitlines()
    found = []
    for line in lines:
        number, told = line.split(None, 1)
        found += [(int(number), told), *below(int(number))]
    return found


def chosen(victim: str, driver: int, started: list[tuple[int, str]]) -> list[int]:
    """The processes to kill."""
    workers = [number for number, told in started if "pyspark.daemon" in told]
    if victim.startswith("driver"):
        return [driver]
    if victim == "all":
        return [driver, *(number for number, _ in started)]
    if victim.endswith(("worker", "workers")):
        return workers if victim == "all workers" else workers[-1:]
    return [number for number, told in started if "SparkSubmit" in told]


def killed(victim: str, driver: int, started: list[tuple[int, str]]) -> int:
    """Kill the victim; returns how many processes that were."""
    hit = 0
    for number in chosen(victim, driver, started):
        with suppress(ProcessLookupError):  # it may just have ended by itself
            os.kill(number, signal.SIGTERM if "SIGTERM" in victim else signal.SIGKILL)
            hit += 1
    return hit


def phase_of(run: Path, levels: int, started: list[tuple[int, str]]) -> str:
    """What a driver on Spark is doing, as its files and processes show it."""
    if (run / "result.json").stat().st_mtime > (run / "begun").stat().st_mtime:
        return "after the result"
    if not any("pyspark.daemon" in told for _, told in started):
        is_starting = any("SparkSubmit" in told for _, told in started)
        return "Spark starts" if is_starting else "before Spark"
    committed = sum(1 for _ in run.glob("level=*/commit.json"))
    pieces = {one.parent for one in run.glob("level=*/part=*")}
    if len(pieces) > committed:
        return "a job has written a piece"
    return "a job runs" if committed > levels else "the first job"


def alive(processes: list[int]) -> list[int]:
    """Those that have not ended."""
    return [one for one in processes if Path(f"/proc/{one}/stat").exists() and not is_dead(one)]


def is_dead(process: int) -> bool:
    """Whether a process has ended and is only not waited for."""
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    return True


def left_alive(started: list[tuple[int, str]]) -> list[str]:
    """What a driver has started and what lives long after it; it is ended here."""
    end = time.monotonic() + SECONDS_TO_END
    numbers = [number for number, _ in started]
    while alive(numbers) and time.monotonic() < end:
        time.sleep(0.2)
    for one in (left := alive(numbers)):
        with suppress(ProcessLookupError):
            os.kill(one, signal.SIGKILL)
    return [told[:80] for number, told in started if number in left]


def said_at_its_end(process: subprocess.Popen[str]) -> str:
    """What a command writes to standard error until it ends; it is killed if it hangs."""
    try:
        return process.communicate(timeout=SECONDS_AT_MOST)[1]
    except subprocess.TimeoutExpired:
        process.kill()
        return process.communicate()[1] + "\nhung"


def one_run(
    victim: str, moment: float, base: Path, run: Path, dice: random.Random
) -> dict[str, Any]:
    """A run on Spark whose victim is killed after `moment` seconds, and that is then resumed.

    A negative moment counts from when Spark has Python workers.
    """
    shutil.copytree(base, run)
    (run / "begun").touch()
    temporary = run.with_suffix(".temporary")
    temporary.mkdir()
    given = {**os.environ, "TMPDIR": str(temporary)}
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    levels = sum(1 for _ in run.glob("level=*/commit.json"))
    resumed = command("resume", str(run), "--engine", "spark")
    process = subprocess.Popen(resumed, env=given, **pipes)
    began, hit, phase, started = time.monotonic(), 0, "", list[tuple[int, str]]()
    while moment < 0 and process.poll() is None and "pyspark.daemon" not in str(below(process.pid)):
        time.sleep(0.1)
    time.sleep(abs(moment))
    while not hit and process.poll() is None:
        started = below(process.pid)
        phase = phase_of(run, levels, started)
        hit = killed(victim, process.pid, started)
    moment = time.monotonic() - began
    said = said_at_its_end(process)
    survivors = left_alive(started)
    (run / "begun").unlink()
    engine = dice.choice(["memory", "spark"])
    more = ("--engine", engine) if process.returncode else ()
    words = ["resume", str(run), *more]
    again = subprocess.run(command(*words), env=given, capture_output=True, text=True, timeout=900)
    left = [*left_in(run), *(one.name for one in temporary.glob("tierproof*"))]
    return {
        **{"victim": victim, "phase": phase, "seconds": round(moment, 2), "killed": hit},
        "status": process.returncode,
        "told": last_sentence(said),
        "traceback": "Traceback" in said,
        "resumed": engine if process.returncode else None,
        "status_resumed": again.returncode,
        "survivors": survivors,
        "left": left,
        "right": found_in(run) == found_in(base.with_name(f"{base.name}-lived")),
    }


def found_in(run: Path) -> dict[str, Any]:
    """The result of a run, but for what it says of processes: counts, verdicts and traces."""
    shown = subprocess.run(command("show", str(run), "--json"), capture_output=True, text=True)
    found = json.loads(shown.stdout)
    told = ("engine", "on_spark", "resumed")
    return {name: one for name, one in found.items() if "seconds" not in name and name not in told}


def left_in(run: Path) -> list[str]:
    """The files of a run that are nobody's."""
    opened = KeptRun.open(str(run))
    known = {
        run / f"level={level:04d}" / piece.name
        for level in range(opened.levels)
        for piece in opened.run.pieces(level)
    }
    return [one.name for one in {*run.rglob("*.tmp"), *run.glob("level=*/part=*")} - known]


def last_sentence(said: str) -> str:
    """What a command has said at last of itself."""
    lines = [line for line in said.splitlines() if line.startswith(("tierproof", "hung"))]
    return lines[-1] if lines else ""


def on_spark(
    dice: random.Random, times: int, folder: Path, victims: list[str], lasts: float | None
) -> Iterator[dict[str, Any]]:
    """A record of each run of which a process was killed; a whole one `lasts` so long, if known."""
    base = folder / "base"
    for run, more in ((base, ("--max-states", LIMIT)), (folder / "base-lived", ())):
        subprocess.run(command("explore", *DESIGN, "--run", str(run), *more), capture_output=True)
    if lasts is None:
        whole, began = folder / "whole", time.monotonic()
        shutil.copytree(base, whole)
        subprocess.run(command("resume", str(whole), "--engine", "spark"), capture_output=True)
        lasts = time.monotonic() - began
    made = 0
    while made < times:
        moment = dice.uniform(0, lasts) if dice.random() < 0.3 else -dice.uniform(0, lasts / 4)
        run = folder / f"run-{made}-{dice.randrange(10**6)}"
        one = one_run(victims[made % len(victims)], moment, base, run, dice)
        if one["killed"]:
            made += 1
            yield one


def deaths_of(one: dict[str, Any]) -> list[str]:
    """Where processes of a run were killed."""
    found: list[str] = one["deaths"] if "deaths" in one else [f"{one['victim']}: {one['phase']}"]
    return found


def main() -> None:
    """Kill, resume, compare; print a line for each run and write all of them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", choices=("memory", "spark"))
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--victim", action="append", choices=VICTIMS)
    parser.add_argument("--lasts", type=float, help="Seconds of a whole run. Default: measured.")
    parser.add_argument("--go-on", action="store_true", help="Keep the runs that the file has.")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    out = given.out or ROOT / "benchmarks" / "results" / f"kills_{given.engine}.json"
    runs: list[dict[str, Any]] = json.loads(out.read_text())["runs"] if given.go_on else []
    dice, died = random.Random(given.seed), Counter(name for one in runs for name in deaths_of(one))
    with tempfile.TemporaryDirectory(prefix="kills-") as name:
        folder = Path(name)
        victims = given.victim or list(VICTIMS)
        if given.engine == "memory":
            records = in_memory(given.times, given.seed)
        else:
            records = on_spark(dice, given.times, folder, victims, given.lasts)
        for one in records:
            print(json.dumps(one), flush=True)
            runs.append(one)
            died.update(deaths_of(one))
            told = {
                "seed": given.seed,
                "deaths": sum(died.values()),
                "wrong": sum(not each["right"] for each in runs),
                "left": sum(bool(each["left"]) for each in runs),
                "survived": sum(bool(each.get("survivors")) for each in runs),
                "by_phase": dict(sorted(died.items())),
            }
            out.write_text(json.dumps({**told, "runs": runs}, indent=1) + "\n")


if __name__ == "__main__":
    main()
