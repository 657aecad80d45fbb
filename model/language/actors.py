"""Actor: who acts and, if the actor is a thread, its program counter.

    COPIER = Actor("copy of segment {segment}", at="segment[segment].attempt", life=COPY)

    @COPIER.action(AttemptStep.STORED, AttemptStep.FINISHED, to="remote_metadata")
    def copy_publishes_finished(state, segment): ...

The edge from STORED to FINISHED is three things at once: the guard (the thread is at STORED), the
assignment (it is at FINISHED afterwards) and an edge of the chart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache
from typing import Any

from tierproof.model.language.actions import Action, Guard, GuardKind, Move, action
from tierproof.model.language.errors import DesignError
from tierproof.model.language.lifecycle import Lifecycle
from tierproof.model.language.written import function_of

Values = IntEnum | tuple[IntEnum, ...] | None
"""The source or target of an edge: one value, several, or None for "unchanged"."""


@dataclass(frozen=True, eq=False)
class Actor:
    """Who acts. `name` is a template over action parameters and names a lifeline in diagrams.

    Of a thread, `at` is the program counter, a field indexed by parameters
    (`"segment[segment].attempt"`), and `life` is its Lifecycle. Other actors have neither.
    """

    name: str
    at: str = ""
    life: Lifecycle | None = None

    def __post_init__(self) -> None:
        if bool(self.at) != bool(self.life):
            raise DesignError(f"actor {self.name!r} needs both `at` and `life`, or neither")

    def action(
        self,
        source: Values = None,
        target: Values = None,
        *,
        guards: Sequence[Guard] = (),
        to: str = "",
        budget: str | None = None,
        stutters: bool = False,
        last: Callable[..., None] | None = None,
    ) -> Callable[[Callable[..., None]], Action]:
        """Declare an action of this actor that moves it from `source` to `target`.

        `last` chooses among several targets by what the whole step has done: it runs after the
        effect, and after all that edits add. Raises DesignError if the actor is not a thread, its
        life lacks one of the values, or `last` has nothing to choose.
        """
        move = Move(self.name, self.at, self._values(source), self._values(target))
        if last is not None and len(move.targets) < 2:
            raise DesignError(
                f"actor {self.name!r}: `last` {last.__name__!r} chooses among several targets, and "
                f"the action has {len(move.targets)}: name all of them, or leave `last` out"
            )
        edge = [self.stands_at(move.sources)] if move.sources else []

        def declare(effect: Callable[..., None]) -> Action:
            made = action(
                guards=[*edge, *guards], actor=self.name, to=to, budget=budget, stutters=stutters
            )(effect)
            if not move.sources and not move.targets:
                return made
            arrival = self._assignment(move.targets) if last is None else (last,)
            return replace(made, move=move, last=arrival)

        return declare

    def _values(self, given: Values) -> tuple[IntEnum, ...]:
        values = () if given is None else given if isinstance(given, tuple) else (given,)
        for value in values:
            if self.life is None or not isinstance(value, self.life.values):
                raise DesignError(f"{value!r} is not in the lifecycle of actor {self.name!r}")
        return values

    def _assignment(self, targets: tuple[IntEnum, ...]) -> tuple[Callable[..., None], ...]:
        if len(targets) != 1:
            return ()
        return (_arrival(self.at, type(targets[0]), int(targets[0])),)

    def stands_at(self, sources: tuple[IntEnum, ...]) -> Guard:
        """The guard that the thread is at one of `sources`."""
        return _standing(self.at, type(sources[0]), tuple(map(int, sources)))


# Members of different enums are equal if their numbers are, so that the enum is part of the key.


@cache
def _standing(at: str, enum: type[IntEnum], numbers: tuple[int, ...]) -> Guard:
    sources, indexes = [enum(number) for number in numbers], _indexes(at)
    tests = " or ".join(f"state.{at} == {enum.__name__}.{one.name}" for one in sources)
    shown = " or ".join(one.name for one in sources)
    name = f"{_name(at)}_is_{'_or_'.join(one.name for one in sources)}"
    head = f"def {name}({', '.join(('state', *indexes))}):"
    text = f'{head}\n    """`{at}` is {shown}."""\n    return {tests}\n'
    return Guard(name, function_of(text, {enum.__name__: enum}), indexes, GuardKind.EDGE)


@cache
def _arrival(at: str, enum: type[IntEnum], number: int) -> Callable[..., Any]:
    target = enum(number)
    name = f"{_name(at)}_becomes_{target.name}"
    head = f"def {name}({', '.join(('state', *_indexes(at)))}):"
    text = f"{head}\n    state.{at} = {enum.__name__}.{target.name}\n"
    return function_of(text, {enum.__name__: enum})


def _indexes(at: str) -> tuple[str, ...]:
    """The parameters that a path is indexed by, each once."""
    return tuple(dict.fromkeys(re.findall(r"\[([a-z_]\w*)\]", at)))


def _name(at: str) -> str:
    """A path as one word: its fields, and each index whose name differs from its array's."""
    pairs = re.findall(r"(\w+)(?:\[(\w+)\])?", at)
    return "_".join(f if i in ("", f) else f"{f}_of_{i}" for f, i in pairs)
