"""The traces that the register stores."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from tierproof.model.language import Design, Step, Trace
from tierproof.model.language.interpreter import Steps
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.registry import DESIGNS as REGISTERED

PAGES = Path(__file__).parents[2] / "docs" / "findings"
DESIGNS = {name: Question(design=name).resolve()[0] for name in REGISTERED}
STORED: dict[str, dict[str, Any]] = {
    f"{path.parent.name}/{path.stem}": json.loads(path.read_text("utf-8"))
    for path in sorted(PAGES.glob("*/*.json"))
}


def steps_of(stored: dict[str, Any]) -> tuple[Step, ...]:
    """The stored steps."""
    return tuple(Step(name, tuple(given.items())) for name, given in stored["steps"])


@cache
def shown(design: str, *variants: str) -> Design:
    """A design with the variants that a trace of it is shown with."""
    return DESIGNS[design].with_variants(*variants)


def trace_of(stored: dict[str, Any]) -> Trace:
    """The stored trace, of the design with the variants that it is shown with."""
    design = shown(stored["design"], *stored["variants"])
    scope = design.scope(stored["scope"])
    named = Steps(design, scope)
    steps = (named.step(named.label(step)) for step in steps_of(stored))
    return Trace(design, scope, 0, tuple(steps), stored["cycle_start"])
