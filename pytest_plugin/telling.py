"""What a failed test says: which verdicts surprise, the traces, and a test to paste."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from tierproof import diagrams
from tierproof.model.language import Trace
from tierproof.model.language.errors import Misused, TierproofError
from tierproof.model.language.explaining import why_of
from tierproof.model.language.replaying import Replay
from tierproof.properties import Violation
from tierproof.pytest_plugin.judging import Surprise
from tierproof.pytest_plugin.pasting import regression_test
from tierproof.spark_explorer.results import PropertyResult, Result, Verdict, trace_as_dict


def refused(error: TierproofError) -> BaseException:
    """The failure of a test whose question, or whose design, is at fault.

    A question that is at fault is shown with the line of the test that asks it.
    """
    told = [f"{type(error).__name__}: {error}", *getattr(error, "__notes__", [])]
    return pytest.fail.Exception("\n".join(told), pytrace=isinstance(error, Misused))


def told_surprises(result: Result, found: Sequence[Surprise], module: str) -> str:
    """The failure of a search: each verdict that surprises, the counts, then each trace."""
    lines = [f"{_where(result)}: not as expected"]
    lines += [f"  {one.name}: {one.found}, expected {one.wanted}{_why(one)}" for one in found]
    lines.append(
        f"{result.distinct_states:,} distinct states, {result.generated_states:,} generated, "
        f"depth {result.depth}, on {result.engine}"
    )
    lines += result.symmetry.statements if result.symmetry else ()
    if result.cut:
        lines.append(f"The search was cut: {result.cut}. Nothing HOLDS on that ground.")
    for one in found:
        entry = one.entry
        if isinstance(entry, PropertyResult) and entry.trace is not None:
            lines += _shown(entry.trace, _record(entry), module)
    return "\n".join(lines)


def _where(result: Result) -> str:
    bounds = " ".join(f"{name}={value}" for name, value in result.bounds.items())
    changes = [*result.variants, *(f"without {name}" for name in result.dropped_guards)]
    changed = f", {', '.join(changes)}" if changes else ""
    return f"{result.design}{changed}, in scope {result.scope}" + (f" ({bounds})" if bounds else "")


def _why(one: Surprise) -> str:
    entry = one.entry
    if not isinstance(entry, PropertyResult):
        return ""
    if entry.verdict is Verdict.HOLDS:
        if entry.is_vacuous:
            return ": its premise holds in no state of this scope"
        return ": no behaviour in this scope violates it"
    return f": {entry.reason}" if entry.reason else ""


def _record(entry: PropertyResult) -> dict[str, Any]:
    return {
        "name": entry.name,
        "kind": entry.kind,
        "statement": entry.statement,
        "is_shortest": entry.is_shortest,
        "why": None if entry.why is None else entry.why.as_dict(),
    }


def _shown(trace: Trace, shown: Mapping[str, Any], module: str) -> Iterator[str]:
    yield ""
    yield diagrams.trace_as_text(trace_as_dict(trace), shown)
    yield ""
    yield "As a test, to paste; it fails until the design is mended:"
    yield ""
    yield regression_test(trace, shown["name"], module)


def told_violation(found: Violation, module: str) -> str:
    """The failure of a walk by Hypothesis; its trace is short, and perhaps not the shortest."""
    shown = {
        "name": found.name,
        "kind": found.kind,
        "statement": found.statement,
        "is_shortest": False,
        "why": _explained(found.trace, found.name),
    }
    head = f"{found.trace.design.name}, driven in {found.trace.scope}: {found.name} is VIOLATED"
    return "\n".join([head, *_shown(found.trace, shown, module)])


def _explained(trace: Trace, name: str) -> dict[str, Any] | None:
    """The record of which parts of a property are false at the end of a trace."""
    why = why_of(trace, name)
    return None if why is None else why.as_dict()


def told_replay(found: Replay, claim: str) -> str:
    """The failure of a replay: the same trace again."""
    trace = found.trace
    known = {entry.name: entry for entry in trace.design.properties}
    kind, statement = ("lifecycle law", "The lifecycle permits every change.")
    if claim in known:
        kind, statement = str(known[claim].kind), known[claim].statement
    shown = {"name": claim, "kind": kind, "statement": statement, "is_shortest": False}
    shown["why"] = _explained(trace, claim)
    head = f"{trace.design.name}, in {trace.scope}: the steps violate {claim} again"
    return f"{head}\n\n{diagrams.trace_as_text(trace_as_dict(trace), shown)}"
