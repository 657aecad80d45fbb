"""The checkers of a comparison: how each is run on a system, and how what it says is read."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent


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

    `read` gives distinct, generated, depth in steps and the seconds that it claims; of the
    exit statuses, those in `ends_well` are no error. A contender with `warm_up` compiles: it
    runs once unmeasured.
    """

    name: str
    title: str
    missing: str | None
    prepare: Callable[[Path], None]
    command: Callable[[Path], list[str]]
    read: Callable[[str], tuple[int, int, int, float | None]]
    ends_well: tuple[int, ...] = (0,)
    warm_up: bool = False

    def run(self, folder: Path) -> Figures:
        """One run. Raises ContenderFailed."""
        began = time.perf_counter()
        said = _output(self.command(folder), HERE.parent, self.ends_well)
        wall = time.perf_counter() - began
        distinct, generated, depth, seconds = self.read(said)
        return Figures(distinct, generated, depth, wall if seconds is None else seconds, wall)


def tierproof(engine: str, design: str, *bounds: str) -> Contender:
    """tierproof by its command line, as a user types it. Violated properties are no error."""

    def command(_: Path) -> list[str]:
        words = [sys.executable, "-m", "tierproof", "explore", design, *bounds]
        return [*words, "--engine", engine, "--json"]

    java = engine == "memory" or shutil.which("java") or os.environ.get("JAVA_HOME")
    missing = None if java else "there is no java"
    title = f"tierproof, {engine}"
    return Contender(engine, title, missing, _nothing, command, _read_json, (0, 1), True)


def plain_python(script: Path, *words: str) -> Contender:
    """A set and a list."""

    def command(_: Path) -> list[str]:
        return [sys.executable, str(script), *words]

    return Contender("python", "plain Python", None, _nothing, command, _read_json)


def tlc(twin: Path, module: str, configuration: str) -> Contender:
    """TLC with a worker for every core, on a module of the folder `twin`."""
    jar = os.environ.get("TLC_JAR", "")

    def prepare(folder: Path) -> None:
        for path in twin.glob("*.tla"):
            shutil.copy(path, folder)
        (folder / f"{module}.cfg").write_text(configuration)

    def command(folder: Path) -> list[str]:
        options = ["-XX:+UseParallelGC", "-cp", jar, "tlc2.TLC", "-workers", "auto", "-cleanup"]
        states = ["-metadir", str(folder / "states"), "-config", str(folder / f"{module}.cfg")]
        return ["java", *options, *states, str(folder / f"{module}.tla")]

    missing = None
    if not Path(jar).is_file():
        missing = "TLC_JAR does not name tla2tools.jar"
    elif not shutil.which("java"):
        missing = "there is no java"
    return Contender("tlc", "TLC", missing, prepare, command, _read_tlc)


def spin(model: Path, *definitions: str) -> Contender:
    """SPIN, depth-first, exhaustive, its verifier compiled before the clock starts."""

    def prepare(folder: Path) -> None:
        _output(["spin", *definitions, "-a", str(model)], folder)
        _output(["gcc", "-O2", "-w", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"], folder)

    def command(folder: Path) -> list[str]:
        return [str(folder / "pan"), "-m100000", "-w24", "-E"]

    absent = [tool for tool in ("spin", "gcc") if not shutil.which(tool)]
    missing = f"there is no {' and no '.join(absent)}" if absent else None
    return Contender("spin", "SPIN, depth-first", missing, prepare, command, _read_spin)


def _nothing(folder: Path) -> None:
    """Nothing to make ready."""


def _output(command: list[str], folder: Path, ends_well: tuple[int, ...] = (0,)) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in ends_well:
        said = (done.stderr or done.stdout).strip()[-2000:]
        raise ContenderFailed(f"{command[0]} ended with {done.returncode}: {said}")
    return done.stdout or done.stderr


def _read_json(said: str) -> tuple[int, int, int, float | None]:
    try:
        found = json.loads(said[said.index("{") :])
    except ValueError as error:
        raise ContenderFailed(f"no JSON in what it said:\n{said[-2000:]}") from error
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
