"""Branches: paths from one state, kept side by side and compared."""

from __future__ import annotations

from typing import Any

from tierproof.serve.positions import Path
from tierproof.serve.walks import Walk
from tierproof.spark_explorer.results import in_words


def compared(here: Walk, others: list[Walk]) -> list[dict[str, Any]]:
    """Each other branch: what it shares with this path, and what differs at its end."""
    return [_compared(here, other) for other in others]


def _compared(here: Walk, other: Walk) -> dict[str, Any]:
    shared = _shared(here.path, other.path)
    mine, theirs = here.state.fields(), other.state.fields()
    return {
        "path": list(other.path),
        "shared_steps": shared,
        "steps": [str(step) for step in other.trace.steps[shared:]],
        "steps_here": [str(step) for step in here.trace.steps[shared:]],
        "halt": None if other.halt is None else other.halt.why,
        "is_same_state": here.state == other.state,
        "differences": [
            {
                "path": path,
                "here": in_words(here.trace, path, value),
                "there": in_words(other.trace, path, theirs[path]),
            }
            for path, value in mine.items()
            if value != theirs[path]
        ],
        "violated_only_here": sorted(_violated(here) - _violated(other)),
        "violated_only_there": sorted(_violated(other) - _violated(here)),
    }


def _shared(one: Path, other: Path) -> int:
    """How many steps two paths begin with together."""
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _violated(walk: Walk) -> set[str]:
    interpreter = walk.setting.interpreter
    found = {entry.name for entry in interpreter.violated_in(walk.state)}
    if walk.path:
        *_, before, after = walk.trace.states
        found |= {e.name for e in interpreter.violated_by(before, walk.trace.steps[-1], after)}
    return found
