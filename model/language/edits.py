"""Edit: the one way to change a design. A variant, a repair, a KIP, a ghost: all are edits.

An edit names slots (actions, guards, initial states, properties) by reference and never
renames them. Edits of different slots compose in any order; what two edits of one slot mean is
in `contradictions.py`. An edit that asks for nothing, or for what is so already, is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, TypeVar

from tierproof.model.language.actions import Action, Guard
from tierproof.model.language.definitions import check_definition
from tierproof.model.language.errors import DesignError
from tierproof.model.language.initial import Initial
from tierproof.model.language.properties import Property

Function = Callable[..., None]
Helper = Callable[..., Any]
One = TypeVar("One")

GROUPS = ("system", "environment", "initial")
CLAIMS = ("properties", "witnesses")
"""The fields of a Design that hold slots, and those that hold what is asked of it."""


@dataclass(frozen=True, kw_only=True)
class Edit:
    """Changes, slot by slot.

    `effect` replaces what an action (or an initial state) does; `first` and `also` add what
    happens in the same step, before and after. `fence` adds guards to an action, `unfence`
    removes them from one action, `test` replaces a guard in every action that has it, and
    `define` replaces a helper function wherever the design calls it (see `definitions.py`).
    `redefines` says of each helper of `define` that a property calls why what the property asks
    may move with it. `stutters` are actions that may now leave the state unchanged. `drop`
    removes actions, guards, initial states, properties and witnesses; what is added under a name
    that the same edit drops takes its slot, and an action that is dropped and added to the other
    group moves there with all that other edits did to it.
    """

    drop: tuple[Action | Guard | Initial | Property, ...] = ()
    effect: Mapping[Action | Initial, Function] = field(default_factory=dict)
    first: Mapping[Action | Initial, Function | tuple[Function, ...]] = field(default_factory=dict)
    also: Mapping[Action | Initial, Function | tuple[Function, ...]] = field(default_factory=dict)
    fence: Mapping[Action, Guard | tuple[Guard, ...]] = field(default_factory=dict)
    unfence: Mapping[Action, Guard | tuple[Guard, ...]] = field(default_factory=dict)
    test: Mapping[Guard, Guard] = field(default_factory=dict)
    define: Mapping[Helper, Helper] = field(default_factory=dict)
    redefines: Mapping[Helper, str] = field(default_factory=dict)
    stutters: tuple[Action, ...] = ()
    add_system: tuple[Action, ...] = ()
    add_environment: tuple[Action, ...] = ()
    add_initial: tuple[Initial, ...] = ()
    add_properties: tuple[Property, ...] = ()
    add_witnesses: tuple[Property, ...] = ()

    def __post_init__(self) -> None:
        _check_references(self)
        for old, new in self.define.items():
            check_definition(self.title, old, new)
        _check_reasons(self)
        _check_requests(self)

    @property
    def title(self) -> str:
        """The name of this edit in an error."""
        return "an edit"

    @property
    def added(self) -> tuple[Action, ...]:
        """The actions that this edit adds."""
        return self.add_system + self.add_environment

    @property
    def additions(self) -> Iterator[tuple[str, Action | Initial | Property]]:
        """Each entry that this edit adds, preceded by the name of its group in a design."""
        for group in (*GROUPS, *CLAIMS):
            yield from ((group, entry) for entry in getattr(self, f"add_{group}"))

    @property
    def changes(self) -> Iterator[tuple[str, Action | Initial]]:
        """How each slot is changed: the name of the change, and the slot."""
        for how in ("effect", "first", "also", "fence", "unfence"):
            yield from ((how, slot) for slot in getattr(self, how))
        yield from (("stutters", slot) for slot in self.stutters)

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
        """The names of the variants that it comes `after` or consists of, directly or not."""
        below = (*self.after, *self.parts)
        found = (name for one in below for name in (one.name, *one.foundations))
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
    ranks = {one.name: rank for rank, one in enumerate(declared)}
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


# -- what an edit refuses by itself


def _check_references(edit: Edit) -> None:
    """Raise DesignError for what is named by a string, or is of the wrong kind."""
    changed: list[Any] = [slot for _, slot in edit.changes]
    named: list[Any] = [*edit.drop, *changed, *edit.test, *(one for _, one in edit.additions)]
    for entry in named:
        if isinstance(entry, FunctionType):
            raise DesignError(
                f"{edit.title} names the function {entry.__name__!r}, which is no slot: a helper "
                f"is replaced by `define={{{entry.__name__}: ...}}`, and an action, a guard or a "
                "property has its decorator"
            )
        if not hasattr(entry, "name"):
            raise DesignError(
                f"{edit.title} names {entry!r}: name the action, guard, initial state or "
                "property itself, not its name"
            )
    for slot in changed:
        if not hasattr(slot, "effect"):
            raise DesignError(
                f"{edit.title} changes {slot.name!r}, a {type(slot).__name__}: only an action or "
                "an initial state has an effect; what a guard tests is replaced by `test`"
            )
    for slot in (*edit.fence, *edit.unfence, *edit.stutters):
        if not isinstance(slot, Action):
            raise DesignError(f"{edit.title}: {slot.name!r} is no action, and so has no guards")
    for tested in edit.test:
        if not isinstance(tested, Guard):
            raise DesignError(f"{edit.title}: {tested.name!r} is no guard, and so has no test")


def _check_reasons(edit: Edit) -> None:
    """Raise DesignError for a helper of `redefines` that is not defined, or has no reason."""
    for helper, reason in edit.redefines.items():
        if helper not in edit.define:
            raise DesignError(
                f"{edit.title} says in `redefines` why {helper.__name__!r} may change, and "
                "`define` does not change it"
            )
        if not reason.strip():
            raise DesignError(
                f"{edit.title}: `redefines` gives no reason why what a property asks may move "
                f"with {helper.__name__!r}"
            )


def _check_requests(edit: Edit) -> None:
    """Raise DesignError for two requests of one slot that undo each other, or for an empty one."""
    dropped = {(kind_of(one), one.name) for one in edit.drop}
    added = [(kind_of(one), one.name) for _, one in edit.additions]
    for (kind, name), times in Counter(added).items():
        if times > 1:
            raise DesignError(f"{edit.title} adds the {kind} {name!r} twice")
    for how, slot in edit.changes:
        key = (kind_of(slot), slot.name)
        if key in dropped and key not in added:
            raise DesignError(
                f"{edit.title} drops {slot.name!r}, and changes it by `{how}`: leave one out"
            )
        if how != "stutters" and several(getattr(edit, how)[slot]) == ():
            raise DesignError(f"{edit.title}: `{how}` of {slot.name!r} is empty")
    for slot in {**edit.fence, **edit.unfence}:
        added_here = {one.name for one in several(edit.fence.get(slot, ()))}
        removed = {one.name for one in several(edit.unfence.get(slot, ()))}
        gone = {name for kind, name in dropped if kind == "guard"}
        for name in sorted((added_here & removed) | (added_here | removed) & gone):
            raise DesignError(
                f"{edit.title} removes the guard {name!r} of {slot.name!r} twice, or "
                "adds and removes it"
            )
    for tested in edit.test:
        if ("guard", tested.name) in dropped:
            raise DesignError(f"{edit.title} drops {tested.name!r}, and replaces it by `test`")


def kind_of(entry: object) -> str:
    """What an entry is to an edit; a name means one thing within its kind."""
    if isinstance(entry, Property):
        return "property"
    return "guard" if isinstance(entry, Guard) else "action or initial state"
