"""Typed trees of what a step property reads from its step; `tree.py` has the other trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierproof.model.language.reading.types import BOOL, INT, Type

if TYPE_CHECKING:
    from tierproof.model.language.reading.tree import Expression


@dataclass(frozen=True, slots=True)
class StepIs:
    """Whether the action of a step has one of these names."""

    step: Expression
    names: tuple[str, ...]
    is_negated: bool
    type: Type = BOOL


@dataclass(frozen=True, slots=True)
class StepArgument:
    """The argument of a step, NONE if its action has no parameter of that name."""

    step: Expression
    name: str
    type: Type = INT
