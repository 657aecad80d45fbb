"""Typed trees of what a step property asks of its step; `tree.py` has the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierproof.model.language.reading.types import BOOL, INT, Type

if TYPE_CHECKING:
    from tierproof.model.language.reading.tree import Expression


@dataclass(frozen=True, slots=True)
class StepIs:
    """Whether a step is one of an action of these names."""

    step: Expression
    names: tuple[str, ...]
    is_negated: bool
    type: Type = BOOL


@dataclass(frozen=True, slots=True)
class StepArgument:
    """The argument of a step, NONE where its action has none of that name."""

    step: Expression
    name: str
    type: Type = INT
