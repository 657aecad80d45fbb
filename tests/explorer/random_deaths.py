"""Runs that die at random and are resumed until they have come to their end: what they then say.

python -m tests.explorer.random_deaths 200 1        at least 200 deaths, drawn with the seed 1
"""

from __future__ import annotations

import json
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.explorer.dying import PHASES, Death, Dying, Moment
from tierproof.spark_explorer.kept.opening import KeptRun

TOYS = (
    ("tests.toys.mutex:DESIGN", "--scope", "three"),
    ("tests.toys.jugs:DESIGN",),
    ("tests.toys.two_phase_commit:DESIGN", "--scope", "eight", "--set", "resource_managers=6"),
)
"""Lassos, a violation, and levels that several threads expand."""
ENDED = (0, 1)
"""Exit statuses of a command that has come to its end: HOLDS, VIOLATED."""
OF_A_PROCESS = (
    "seconds",
    "set_up_seconds",
    "liveness_seconds",
    "compile_seconds",
    "load_seconds",
    "optimise_seconds",
    "engine",
    "resumed",
    "on_spark",
)
"""What a result says of the processes that found it."""


class Life(NamedTuple):
    """A run that was killed so often, and resumed: its result, and what else is left."""

    words: tuple[str, ...]
    deaths: tuple[Death, ...]
    found: dict[str, Any]
    left: list[str]


def found_in(run: Path) -> dict[str, Any]:
    """The result of a run, but for what it says of processes: counts, verdicts and traces."""
    found = json.loads((run / "result.json").read_text())
    return {name: one for name, one in found.items() if name not in OF_A_PROCESS}


def left_in(run: Path) -> list[str]:
    """The files of a run that are nobody's."""
    opened = KeptRun.open(str(run))
    known = {
        run / f"level={level:04d}" / piece.name
        for level in range(opened.levels)
        for piece in opened.run.pieces(level)
    }
    pieces = set(run.glob("level=*/part=*")) - known
    return [str(one.relative_to(run)) for one in sorted({*run.rglob("*.tmp"), *pieces})]


def lives(dice: random.Random, dying: Dying, folder: Path, deaths: int) -> Iterator[Life]:
    """Runs with at least so many deaths in all; those that nobody killed are in `folder`, too."""
    killer, number = Killer(dice, dying), 0
    for words in TOYS:
        killer.let_live(words, folder / f"known-{TOYS.index(words)}")
    while killer.died.total() < deaths:
        number += 1
        yield killer.life(dice.choice(TOYS), folder / f"run-{number}")


def known(life: Life, folder: Path) -> dict[str, Any]:
    """What a run that lived says where this one died."""
    return found_in(folder / f"known-{TOYS.index(life.words)}")


class Killer:
    """Kills commands; `tried` counts how often in which phase, `died` how often that came."""

    def __init__(self, dice: random.Random, dying: Dying) -> None:
        self.dice, self.dying = dice, dying
        self.tried, self.died = Counter[str](), Counter[str]()
        self.lasts: dict[tuple[str, ...], float] = {}

    def let_live(self, words: tuple[str, ...], run: Path) -> None:
        """Explore into a run, and take the time."""
        began = time.monotonic()
        self.dying.command(["explore", *words, "--run", str(run)])
        self.lasts[words] = time.monotonic() - began

    def life(self, words: tuple[str, ...], run: Path) -> Life:
        """A run that dies up to six times, and is resumed until it has come to its end."""
        most, deaths = self.dice.randint(1, 6), list[Death]()
        while True:
            has_begun = (run / "run.json").exists()
            command = ["resume", str(run)] if has_begun else ["explore", *words, "--run", str(run)]
            is_last = len(deaths) == most
            one = self.dying.command(command) if is_last else self._death(command, words)
            # VIOLATED is also what SIGTERM leaves that came while traces were rebuilt.
            if one.status in ENDED and KeptRun.open(str(run)).is_whole:
                return Life(words, tuple(deaths), found_in(run), left_in(run))
            if is_last:
                raise AssertionError(f"{command} ended with {one} and nobody killed it")
            deaths.append(one)
            self.died.update([one.phase] if one.is_one else [])

    def _death(self, command: Sequence[str], words: tuple[str, ...]) -> Death:
        """A death at a call of a function, by the clock, or by SIGTERM; perhaps it comes late."""
        dice = self.dice
        if dice.random() < 0.7:
            phase = min(dice.sample(list(PHASES), 5), key=lambda one: self.tried[one])
            self.tried.update([phase])
            at = Moment(phase, dice.choice((1, 1, 1, 1, 2, 4)), dice.random() < 0.5)
            return self.dying.command(command, at)
        number = signal.SIGTERM if dice.random() < 0.2 else signal.SIGKILL
        seconds = self.lasts[words] * dice.uniform(0.3, 1.1)
        return self.dying.command(command, after_seconds=seconds, number=number)


def main(deaths: int, seed: int) -> None:
    """Write a line for each run; those that were interrupted instead are in `ended`."""
    with tempfile.TemporaryDirectory() as name:
        temporary, dice = Path(name) / "temporary", random.Random(seed)
        temporary.mkdir()
        with Dying(TMPDIR=str(temporary)) as dying:
            for life in lives(dice, dying, Path(name), deaths):
                told = {
                    "words": list(life.words),
                    "deaths": [one.phase for one in life.deaths if one.is_one],
                    "ended": [one.phase for one in life.deaths if not one.is_one],
                    "right": life.found == known(life, Path(name)),
                    "left": [*life.left, *map(str, temporary.iterdir())],
                }
                sys.stdout.write(json.dumps(told) + "\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
