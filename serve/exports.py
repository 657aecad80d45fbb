"""A path for elsewhere: as a trace in ITF, as Markdown, as a test to paste."""

from __future__ import annotations

from typing import Any

from tierproof.diagrams import trace_as_markdown
from tierproof.model.language.itf import itf_as_text, trace_as_itf
from tierproof.model.language.trace import Trace
from tierproof.serve.positions import BadLink
from tierproof.serve.verdicts_here import Word, properties_here
from tierproof.serve.walks import Walk, repeated


def as_itf(here: Walk, cycle: int | None) -> str:
    """The path as JSON in the Informal Trace Format, with the property that it violates, if any."""
    broken = _broken(here, cycle)
    return itf_as_text(trace_as_itf(_trace(here, cycle), broken["name"] if broken else ""))


def as_markdown(here: Walk, cycle: int | None) -> str:
    """The steps with what each changed, and the sequence diagram that GitHub draws."""
    broken = _broken(here, cycle)
    shown = None
    if broken is not None:
        kept = {name: broken[name] for name in ("name", "kind", "statement")}
        shown = {**kept, "is_shortest": False}
    return trace_as_markdown({**here.told, "cycle_start": cycle}, shown)


def as_test(here: Walk, cycle: int | None) -> str:
    """A test that fails for as long as the steps violate what they do now.

    Raises BadLink where they violate nothing: such a test could not fail.
    """
    broken = _broken(here, cycle)
    if broken is None:
        raise BadLink("the path violates nothing here, so a test of it could not fail: walk on")
    from tierproof.pytest_plugin.pasting import regression_test  # late: it imports pytest

    return regression_test(_trace(here, cycle), broken["name"], "") + "\n"


def _trace(here: Walk, cycle: int | None) -> Trace:
    return here.trace if cycle is None else repeated(here, cycle)


def _broken(here: Walk, cycle: int | None) -> dict[str, Any] | None:
    """The first property that is violated here, or for ever."""
    found = (one for one in properties_here(here, cycle) if one["word"] == Word.VIOLATED)
    return next(found, None)
