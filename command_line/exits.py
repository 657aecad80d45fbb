"""How a command ends: its exit status, what it says of an error, and JSON for machines."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import sys
import warnings
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, TypeVar

import typer

if TYPE_CHECKING:
    from tierproof.model.language.errors import TierproofError

HOLDS, VIOLATED, BAD_USAGE, INCOMPLETE, FAULT = 0, 1, 2, 3, 4
"""Exit statuses of every command, each with one meaning.

VIOLATED is a verdict and nothing else: a property of a design, or the agreement that a command
tests, is seen to be false. FAULT is a fault of the design, of tierproof or of the machine."""
EXIT_STATUS = {"HOLDS": HOLDS, "VIOLATED": VIOLATED, "INCOMPLETE": INCOMPLETE}
"""Exit statuses of `explore`, by verdict."""
STATUSES = (
    "Exit status: 0 all is as asked (every property HOLDS), 1 something is VIOLATED, 2 bad usage, "
    "3 INCOMPLETE, 4 a fault of the design, of tierproof or of the machine."
)
"""The statuses in a sentence, for --help."""

Result = TypeVar("Result")


def print_json(value: Any) -> None:
    """Print a value as JSON on standard output."""
    typer.echo(json.dumps(value, indent=2))


def silent(told: object) -> None:
    """Say nothing: for machines, which read the JSON in the end."""


def complain(words: str) -> None:
    """Say on standard error what went wrong; where nobody reads it any more, say nothing."""
    with contextlib.suppress(OSError):
        typer.echo(f"tierproof: {words}", err=True)


def say_warnings() -> None:
    """From now on, say a warning of ours in a sentence, without the line that causes it."""
    warnings.showwarning = _warn


def _warn(message: Any, category: type[Warning], *place: Any, **named: Any) -> None:
    if category.__module__.startswith("tierproof."):
        complain(str(message))
    else:
        _USUAL(message, category, *place, **named)


_USUAL = warnings.showwarning


def end_for(error: Exception) -> int:
    """Say what went wrong, in a sentence if it is known; returns the exit status."""
    from tierproof.model.language.errors import Misused, TierproofError

    if isinstance(error, BrokenPipeError):
        _forget_output()
    elif isinstance(error, TierproofError):
        complain(str(error) + _way_to(error))
        return BAD_USAGE if isinstance(error, Misused) else FAULT
    elif isinstance(error, OSError) and error.errno in _OF_FILES:
        complain(sentence_on(error))
    else:
        import traceback

        complain(
            f"this is a fault of tierproof itself; please report it with what follows\n"
            f"{''.join(traceback.format_exception(error)).rstrip()}"
        )
    return FAULT


def _way_to(error: TierproofError) -> str:
    """The steps to a fault of a design, if they are known."""
    from tierproof.model.language.errors import DesignError

    if not isinstance(error, DesignError) or error.trace is None:
        return ""
    steps = [*error.trace.steps, *([error.step] if error.step else [])]
    told = "".join(f"\n  {number}. {step}" for number, step in enumerate(steps, start=1))
    return f"\nin {error.trace.design.name}, reached by" + (told or " no step")


def sentence_on(error: OSError) -> str:
    """What a folder or a file has refused."""
    if error.errno == errno.ENOSPC:
        return "the disk is full" + (
            f": free some space at {error.filename}" * bool(error.filename)
        )
    return f"cannot use {error.filename}: {error.strerror}"


_OF_FILES = {
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.EEXIST,
    errno.ENOTDIR,
    errno.EISDIR,
    errno.ENOENT,
    errno.ENAMETOOLONG,
    errno.ELOOP,
    errno.EIO,
    errno.EMFILE,
    errno.ENFILE,
}
"""What files and folders refuse, for reasons that their owner can change."""


def _forget_output() -> None:
    """Write what is still printed to nowhere: its reader has gone."""
    with open(os.devnull, "w") as nowhere:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                os.dup2(nowhere.fileno(), stream.fileno())


def gathered(
    results: Generator[Result], show: Callable[[Result], None], kept: str
) -> tuple[list[Result], int]:
    """Show results as they come, until Ctrl-C or an error; returns them, and the exit status."""
    from tierproof.model.language.errors import TierproofError

    made: list[Result] = []
    try:
        with contextlib.closing(results):
            for one in results:
                made.append(one)
                show(one)
    except KeyboardInterrupt:
        complain(f"interrupted; {kept}: INCOMPLETE")
        return made, INCOMPLETE
    except TierproofError as error:
        return made, end_for(error)
    return made, HOLDS
