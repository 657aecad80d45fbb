"""Edit: the one way to change a design. A variant, a repair, a KIP, a ghost: all are edits.

An edit names slots (actions, guards, initial states, properties) by reference and never
renames them. Edits of different slots compose in any order. Two that replace the same effect,
or the same guard, contradict each other, unless one declares that it comes `after` the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from tierproof.model.language.actions import Action, Guard
from tierproof.model.language.definitions import check_definition
from tierproof.model.language.errors import DesignError
from tierproof.model.language.properties import Property

if TYPE_CHECKING:
    from tierproof.model.language.design import Initial

Function = Callable[..., None]
Helper = Callable[..., Any]
One = TypeVar("One")


@dataclass(frozen=True, kw_only=True)
class Edit:
    """Changes, slot by slot.

    `effect` replaces what an action (or an initial state) does; `first` and `also` add what
    happens in the same step, before and after. `fence` adds guards to an action, `unfence`
    removes them from one action, `test` replaces a guard in every action that has it, and
    `define` replaces a helper function wherever the design calls it (see `definitions.py`).
    `stutters` are actions that may now leave the state unchanged. `drop` removes actions,
    guards, initial states, properties and witnesses; an action that is added under the name
    of one that the same edit drops takes its slot.
    """

    drop: tuple[Action | Guard | Initial | Property, ...] = ()
    effect: Mapping[Action | Initial, Function] = field(default_factory=dict)
    first: Mapping[Action | Initial, Function | tuple[Function, ...]] = field(default_factory=dict)
    also: Mapping[Action | Initial, Function | tuple[Function, ...]] = field(default_factory=dict)
    fence: Mapping[Action, Guard | tuple[Guard, ...]] = field(default_factory=dict)
    unfence: Mapping[Action, Guard | tuple[Guard, ...]] = field(default_factory=dict)
    test: Mapping[Guard, Guard] = field(default_factory=dict)
    define: Mapping[Helper, Helper] = field(default_factory=dict)
    stutters: tuple[Action, ...] = ()
    add_system: tuple[Action, ...] = ()
    add_environment: tuple[Action, ...] = ()
    add_initial: tuple[Initial, ...] = ()
    add_properties: tuple[Property, ...] = ()
    add_witnesses: tuple[Property, ...] = ()

    def __post_init__(self) -> None:
        slots = (*self.drop, *self.effect, *self.first, *self.also, *self.fence, *self.unfence)
        for slot in (*slots, *self.test, *self.stutters):
            if not hasattr(slot, "name"):
                raise DesignError(
                    f"{self.title} names {slot!r}: name the action, guard, initial state or "
                    "property itself, not its name"
                )
        for old, new in self.define.items():
            check_definition(self.title, old, new)

    @property
    def title(self) -> str:
        """The name of this edit in an error."""
        return "an edit"

    @property
    def added(self) -> tuple[Action, ...]:
        """The actions that this edit adds."""
        return self.add_system + self.add_environment

    @property
    def foundations(self) -> frozenset[str]:
        """The names of the variants that it builds on, directly or not."""
        return frozenset()


@dataclass(frozen=True, kw_only=True)
class Variant(Edit):
    """A named edit. `because` says why; it comes `after` the variants that it builds on.

    A variant with `parts` combines all of them under one name.
    """

    name: str
    because: str
    after: tuple[Variant, ...] = ()
    parts: tuple[Variant, ...] = ()

    @property
    def title(self) -> str:
        """The name of this edit in an error."""
        return f"variant {self.name!r}"

    @property
    def whole(self) -> tuple[Variant, ...]:
        """This variant, preceded by its parts and their parts."""
        return (*(one for part in self.parts for one in part.whole), self)

    @property
    def foundations(self) -> frozenset[str]:
        """The names of the variants that it comes `after`, directly or not."""
        found = (name for one in self.after for name in (one.name, *one.foundations))
        return frozenset(found)

    def __hash__(self) -> int:
        return hash(self.name)


@dataclass(frozen=True, kw_only=True)
class History:
    """Ghost bookkeeping: functions that run in the steps of actions, given by action name.

    It is declared beside the properties that read the ghosts and refers to no design. `first`
    functions run before the effect, on the state before the step; `also` functions run after.
    """

    first: Mapping[str, Function] = field(default_factory=dict)
    also: Mapping[str, Function] = field(default_factory=dict)


def history(**functions: Function) -> History:
    """Declare ghost bookkeeping that runs after the effects of the actions named."""
    return History(also=functions)


def history_before(**functions: Function) -> History:
    """Declare ghost bookkeeping that runs before the effects of the actions named."""
    return History(first=functions)


def several(given: One | tuple[One, ...]) -> tuple[One, ...]:
    """One thing, or a tuple of them, as a tuple."""
    return given if isinstance(given, tuple) else (given,)


def in_order(edits: Iterable[Variant], declared: Iterable[Variant]) -> list[Variant]:
    """Each variant and its parts once, in declared order, but after those it comes `after`."""
    wanted = list(dict.fromkeys(one for edit in edits for one in edit.whole))
    ranks = {one.name: rank for rank, edit in enumerate(declared) for one in (edit,)}
    wanted.sort(key=lambda one: ranks.get(one.name, len(ranks)))
    found: list[Variant] = []

    def place(one: Variant) -> None:
        if one not in found:
            for earlier in one.after:
                if earlier in wanted:
                    place(earlier)
            found.append(one)

    for one in wanted:
        place(one)
    return found
