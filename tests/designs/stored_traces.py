"""The traces that the register keeps."""

from __future__ import annotations

from functools import cache

from tierproof.model.language import Design, Step, Trace
from tierproof.model.language.interpreter import Steps
from tierproof.register import Finding, PublishedBug, register_of, traces
from tierproof.register.traces import Kept, Shown
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.registry import DESIGNS as REGISTERED

DESIGNS = {name: Question(design=name).resolve()[0] for name in REGISTERED}
ENTRIES: dict[str, tuple[Design, Finding | PublishedBug]] = {
    f"{name}/{one.name}": (design, one)
    for name, design in DESIGNS.items()
    for entries in (register_of(design).findings, register_of(design).published_bugs)
    for one in entries
}
"""Design and entry, by `DESIGN/NAME`."""

STORED: dict[str, Kept] = {
    key: kept
    for key, (design, one) in ENTRIES.items()
    if (kept := traces.kept_of(design, one.name))
}


def steps_of(kept: Kept) -> tuple[Step, ...]:
    """The kept steps."""
    return tuple(Step(name, tuple(given.items())) for name, given in kept.steps)


@cache
def shown(design: str, *variants: str) -> Design:
    """A design with the variants that a trace of it is shown with."""
    return DESIGNS[design].with_variants(*variants)


def trace_of(kept: Kept) -> Trace:
    """The kept trace, of the design with the variants that it is shown with."""
    design = shown(kept.design, *kept.variants)
    scope = design.scope(kept.scope)
    named = Steps(design, scope)
    steps = (named.step(named.label(step)) for step in steps_of(kept))
    return Trace(design, scope, 0, tuple(steps), kept.cycle_start)


@cache
def shown_of(key: str) -> Shown:
    """An entry with its trace."""
    design, one = ENTRIES[key]
    return Shown(design=design, entry=one, kept=STORED[key], trace=trace_of(STORED[key]))
