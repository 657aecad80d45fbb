"""Where an edit moves what a property asks, it says why, and some property does call the helper."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tierproof.model.language import Design, Variant
from tierproof.model.language.definitions import reached_by
from tierproof.model.language.properties import functions_of
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.registry import DESIGNS


def parts_of(design: Design) -> list[Variant]:
    return [part for one in design.variants for part in one.whole]


def asked(design: Design) -> set[Callable[..., Any]]:
    """Every helper that a property calls, in the design or in one of its variants."""
    parts = parts_of(design)
    claims = [*design.checked, *(claim for part in parts for claim in part.add_properties)]
    varied = dict(design.defined)
    for part in parts:
        varied.update(part.define)
    functions = [function for claim in claims for function in functions_of(claim)]
    return reached_by(functions, design.defined) | reached_by(functions, varied)


def test_a_reason_stands_only_where_some_property_calls_the_helper():
    idle: dict[tuple[str, str], bool] = {}
    for name in DESIGNS:
        design, _ = Question(design=name).resolve()
        helpers = asked(design)
        if design.base is not None:  # it may claim less than its base, where the reason stands
            helpers |= set(design.base.redefined) & asked(design.base)
        assert set(design.redefined) <= helpers, name
        for part in parts_of(design):
            for helper in part.redefines:
                key = (part.name, helper.__name__)
                idle[key] = idle.get(key, True) and helper not in helpers
    assert [key for key, is_idle in idle.items() if is_idle] == []
    assert len(idle) > 15
