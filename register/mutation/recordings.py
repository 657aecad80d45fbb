"""Mutants of Kafka's mechanisms, judged by what the real classes did: a sample of the recordings.

CPython replays rows of each file with the mutant's code in force. A file is replayed only for a
function that its rows run, and only for a mutant that no property has noticed.
"""

from __future__ import annotations

import gc
import signal
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from tierproof.conformance import RECORDINGS, REPLAYERS
from tierproof.conformance.files import content_of
from tierproof.model.language.mutation import Mutant
from tierproof.spark_explorer.mutation.judging import Faulty

ROWS = 40
"""Rows of a long file that are replayed, spread over it; other files are replayed as a whole."""
SECONDS = 60
"""How long a mutant may take; nothing is said of one that takes longer."""
KAFKA = "tierproof.model."
"""The modules whose functions recordings may run."""


def noticed(mutant: Mutant) -> str:
    """The first recording that the mutant does not reproduce, or nothing."""
    if mutant.guard or not mutant.place.module.startswith(KAFKA):
        return ""
    for file in _running(mutant.place.function.__code__):
        with _in_force(mutant), _limited():
            found = _disagreeing(file)
        if found:
            return f"{file}: {found}"
    return ""


def _disagreeing(file: str) -> str:
    """The name of the first row that the model does not reproduce, or nothing."""
    try:
        return next((row.name for row in REPLAYERS[file](_sample(file)) if not row.agrees), "")
    except TimeoutError:
        return ""
    except Exception as error:  # a mutant may raise anything; the model itself raises nothing
        return type(error).__name__


@cache
def _sample(file: str) -> Any:
    """The content of a file, or some of its rows."""
    content = content_of(RECORDINGS / file)
    if isinstance(content, list):
        return list(content)[:: max(1, len(content) // ROWS)]
    return content


def _running(code: types.CodeType) -> list[str]:
    """The files whose rows run a function."""
    return [file for file, codes in _codes().items() if code in codes]


@cache
def _codes() -> dict[str, set[types.CodeType]]:
    """File -> what its rows run. Raises Faulty if the model does not reproduce them."""
    found = {}
    for file in REPLAYERS:
        met: set[types.CodeType] = set()

        def note(frame: types.FrameType, event: str, argument: Any) -> None:
            if event == "call":
                met.add(frame.f_code)  # noqa: B023  # called in this turn of the loop only

        sys.setprofile(note)
        try:
            wrong = _disagreeing(file)
        finally:
            sys.setprofile(None)
        if wrong:
            raise Faulty(f"the model does not reproduce {file}: {wrong}; run `tierproof conform`")
        found[file] = met
    return found


@contextmanager
def _in_force(mutant: Mutant) -> Iterator[None]:
    """Meanwhile, every function with the code of the place runs that of the mutant."""
    original, changed = mutant.place.function.__code__, mutant.code
    functions = [
        one
        for one in gc.get_referrers(original)
        if isinstance(one, types.FunctionType) and one.__code__ is original
    ]
    for one in functions:
        one.__code__ = changed
    try:
        yield
    finally:
        for one in functions:
            one.__code__ = original


@contextmanager
def _limited() -> Iterator[None]:
    """Raise TimeoutError in a replay that takes too long."""

    def late(number: int, frame: types.FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
