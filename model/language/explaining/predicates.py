"""Predicates: what a guard, a property or a premise is given when it is asked."""

from __future__ import annotations

from typing import Any

from tierproof.model.language.actions import SCOPE, Predicate
from tierproof.model.language.scope import Scope
from tierproof.model.language.state import State


def given_to(entry: Predicate, scope: Scope, state: State) -> list[Any]:
    """The arguments of a predicate of one state, which may also take the scope."""
    return [state, *(scope for name in entry.arguments if name == SCOPE)]
