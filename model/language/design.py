"""Design: a system that can be explored, with everything that may be asked of it.

A Design is data. An edit changes its slots; an ablation drops one guard. Both return a Design, so
the rest of tierproof need not know of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from typing import Any

from tierproof.model.language.actions import (
    SCOPE,
    Action,
    Guard,
    GuardKind,
    Predicate,
    arguments_of,
    pure,
)
from tierproof.model.language.derivation import variants_of_base
from tierproof.model.language.editing import edited, with_history
from tierproof.model.language.edits import Edit, History, Variant, in_order
from tierproof.model.language.errors import DesignError, LostVariant, NoFence, closest
from tierproof.model.language.initial import Initial
from tierproof.model.language.layout import Layout, ghost_names, layout_of
from tierproof.model.language.lifecycle import Lifecycle
from tierproof.model.language.offset_picture import OffsetPicture
from tierproof.model.language.properties import Property, PropertyKind
from tierproof.model.language.purity import attributes_of
from tierproof.model.language.reading import Reader
from tierproof.model.language.scope import Expression, Scope
from tierproof.model.language.state import State
from tierproof.model.language.symmetry import alike_in, check_alike
from tierproof.model.language.vocabulary import Vocabulary, check_fairness, check_names


def within_bounds(function: Callable[..., bool]) -> Predicate:
    """Declare the states that are expanded; states outside are checked but not expanded."""
    arguments = arguments_of(function)
    if set(arguments) - {SCOPE}:
        raise DesignError(f"within_bounds {function.__name__!r} takes (state) or (state, scope)")
    return Predicate(function.__name__, pure(function, "within_bounds"), arguments)


@dataclass(frozen=True, kw_only=True)
class Design:
    """A state machine with its properties and scopes; `document` names what it formalises.

    `picture` draws (design, state, scope) along the axis of offsets. `words` says what the numbers
    of a field mean: path without indexes, `record[*].key` -> (design, scope, number) -> words. A
    derived design inherits both.
    `system` and `environment` are the visible tuples of what can happen; `base` is the design
    that it was derived from. `replaced` (slot -> variant) and `defined` (helper ->
    replacement) record what the chosen variants did; `redefined` are the helpers among them that
    a property calls, with the reason. `lost_variants` are those of `base` that do not apply here,
    with the reason. `unvaried` is the design before variants were chosen; `vocabulary` has the
    names that it and those that it was made from may use. `assumptions` (id -> a sentence) are
    what it takes for granted, as results tell it; a derived design inherits them. Raises
    DesignError at construction when entries contradict each other.
    """

    name: str
    title: str
    state: type[State]
    initial: tuple[Initial, ...]
    system: tuple[Action, ...]
    scopes: Mapping[str, Scope]
    environment: tuple[Action, ...] = ()
    properties: tuple[Property, ...] = ()
    witnesses: tuple[Property, ...] = ()
    variants: tuple[Variant, ...] = ()
    bounds: Predicate | None = None
    document: str = ""
    picture: Callable[[Design, Any, Any], OffsetPicture] | None = None
    words: Mapping[str, Callable[[Design, Any, int], str]] = field(default_factory=dict)
    assumptions: Mapping[str, str] = field(default_factory=dict)
    base: Design | None = None
    chosen_variants: tuple[str, ...] = ()
    dropped_guards: frozenset[str] = frozenset()
    replaced: Mapping[str, str] = field(default_factory=dict)
    defined: Mapping[Callable[..., Any], Callable[..., Any]] = field(default_factory=dict)
    redefined: Mapping[Callable[..., Any], str] = field(default_factory=dict)
    lost_variants: Mapping[str, str] = field(default_factory=dict)
    unvaried: Design | None = field(default=None, compare=False, repr=False)
    vocabulary: Vocabulary = field(default=Vocabulary(), compare=False, repr=False)

    def __post_init__(self) -> None:
        _check_entries(self)
        if not self.initial:
            raise DesignError(f"design {self.name!r} has no initial state: `initial` is empty")
        if not self.scopes:
            raise DesignError(f"design {self.name!r} has no scope to be explored in")
        _unique("action", [entry.name for entry in self.actions])
        _unique("property", [entry.name for entry in self.checked])
        _unique("variant", [entry.name for entry in self.variants])
        _check_kinds(self)
        object.__setattr__(self, "vocabulary", self.vocabulary.with_names_of(self))
        check_names(self)
        # Check again: a helper may be defined below the predicate that calls it.
        for predicate in (*self.guards.values(), *self.checked):
            pure(predicate.function, _role(predicate))
        _check_no_ghost(self)
        Reader(self).check()
        check_alike(self)

    @property
    def actions(self) -> tuple[Action, ...]:
        """Every action in declaration order, those of the system first."""
        return self.system + self.environment

    @property
    def guards(self) -> dict[str, Guard]:
        """Every guard by name, in the order of first use."""
        found: dict[str, Guard] = {}
        for act in self.actions:
            for entry in act.guards:
                if found.setdefault(entry.name, entry) != entry:
                    raise DesignError(f"two guards are named {entry.name!r} in {self.name!r}")
        return found

    @property
    def checked(self) -> tuple[Property, ...]:
        """Properties and witnesses, in declaration order."""
        return self.properties + self.witnesses

    @cached_property
    def alike(self) -> tuple[Expression, ...]:
        """The bounds that count interchangeable things, as an Index declares them."""
        return alike_in(self)

    @property
    def moved(self) -> dict[str, str]:
        """The names of redefined helpers that a property calls, and why what it asks may move."""
        return {helper.__name__: reason for helper, reason in self.redefined.items()}

    def scope(self, name: str) -> Scope:
        """The scope of that name; raises UnknownName."""
        return self.scopes[closest("scope", name, self.scopes)]

    def action(self, name: str) -> Action:
        """The action of that name; raises UnknownName."""
        by_name = {entry.name: entry for entry in self.actions}
        return by_name[closest("action", name, by_name)]

    def may_stutter(self, act: Action) -> bool:
        """Whether a step of `act` may change nothing: `act` stutters, or a guard is ablated."""
        return act.stutters or any(entry.name in self.dropped_guards for entry in act.guards)

    def layout(self, scope: Scope) -> Layout:
        """The state's layout in a scope of this design."""
        if type(scope) is not type(next(iter(self.scopes.values()))):
            raise DesignError(f"{scope!r} is not a scope of {self.name!r}")
        return layout_of(self.state, scope)

    def without(self, *guards: str) -> Design:
        """This design with guards ablated. Raises UnknownName, DesignError for a limit."""
        for name in guards:
            kind = self.guards[closest("guard", name, self.guards)].kind
            if kind in (GuardKind.LIMIT, GuardKind.EDGE):
                what = "limits the scope" if kind is GuardKind.LIMIT else "tests where a thread is"
                raise NoFence(f"{name!r} {what} and is no fence: it cannot be ablated")
        return replace(self, dropped_guards=self.dropped_guards | frozenset(guards))

    def with_only(self, *properties: str) -> Design:
        """This design with only the named properties and witnesses."""
        names = [entry.name for entry in self.checked]
        for name in properties:
            closest("property", name, names)
        return replace(
            self,
            properties=tuple(p for p in self.properties if p.name in properties),
            witnesses=tuple(p for p in self.witnesses if p.name in properties),
        )

    def with_variant(self, name: str) -> Design:
        """This design changed by one of its variants. Raises UnknownName, DesignError."""
        return self.with_variants(name)

    def with_variants(self, *names: str) -> Design:
        """This design changed by variants, in any order, together with those chosen before.

        Raises UnknownName; LostVariant for one of the base that does not apply here;
        ContradictingEdits if two of them cannot both do what they say.
        """
        if self.unvaried is not None:
            return self._with_more_variants(names)
        by_name = {entry.name: entry for entry in self.variants}
        for name in names:
            if name in self.lost_variants and name not in by_name:
                raise LostVariant(
                    f"variant {name!r} does not apply to {self.name!r}: {self.lost_variants[name]}"
                )
        wanted = [by_name[closest("variant", name, by_name)] for name in names]
        order = in_order(wanted, self.variants)
        chosen = (*self.chosen_variants, *(name for name in by_name if name in names))
        return edited(self, order, chosen_variants=chosen, unvaried=self)

    def _with_more_variants(self, names: tuple[str, ...]) -> Design:
        """All variants are applied to the design as it was: one after the other may not do."""
        assert self.unvaried is not None
        before = self.unvaried.chosen_variants
        chosen = [name for name in self.chosen_variants if name not in before]
        known = replace(self.unvaried.with_variants(*chosen), dropped_guards=self.dropped_guards)
        if known != self:
            raise DesignError(
                f"{self.name!r} was changed after its variants {', '.join(chosen)} were chosen: "
                f"choose {', '.join(names)} together with them"
            )
        more = self.unvaried.with_variants(*chosen, *names)
        return replace(more, dropped_guards=self.dropped_guards)

    def with_history(self, *histories: History) -> Design:
        """This design with ghost bookkeeping in the steps of its actions. Raises UnknownName."""
        found = self
        for one in histories:
            found = with_history(found, one)
        return found

    def derive(self, *, name: str, title: str, change: Edit, **anew: Any) -> Design:
        """A design that differs from this one by `change`, and by the fields that `anew` gives.

        Unless `anew` gives variants, it has those of this design that still apply, and
        `lost_variants` says why the others do not.
        Raises UnknownName or DesignError if `change` names something that does not exist.
        """
        added = {*self.vocabulary.actions, *(act.name for act in change.added)}
        check_fairness(change.add_properties, added)
        edits: dict[str, Any] = {"replaced": {}, "unvaried": None}
        given = {"name": name, "title": title, "base": self, **anew}
        made = edited(self, [change], **{"variants": (), **edits, **given})
        if "variants" in anew:
            return made
        return replace(made, **variants_of_base(made, change, given))

    @cached_property
    def lifecycles(self) -> dict[type[IntEnum], Lifecycle]:
        """Enum -> the lifecycle that its fields obey: declared edges and those of actions."""
        layout = layout_of(self.state, next(iter(self.scopes.values())))
        laws = dict.fromkeys(placed.lifecycle for placed in layout.leaves)
        return {law.values: law.with_edges(self._edges(law.values)) for law in laws if law}

    def laws(self, scope: Scope) -> tuple[Lifecycle, ...]:
        """The lifecycles that fields obey in a scope, each once, in the order of the fields."""
        found = (placed.lifecycle for placed in self.layout(scope).leaves)
        return tuple(dict.fromkeys(self.lifecycles[law.values] for law in found if law))

    def _edges(self, enum: type[IntEnum]) -> Iterator[tuple[str, IntEnum, IntEnum]]:
        """The edges that actions take between members of an enum."""
        moves = [(act.name, act.move) for act in self.actions if act.move is not None]
        for name, move in moves:
            for target in move.targets:
                if isinstance(target, enum):
                    yield from ((name, source, target) for source in move.sources or tuple(enum))


def _role(predicate: Predicate) -> str:
    """The name of a predicate in an error."""
    return str(predicate.kind) if isinstance(predicate, Property) else "guard"


def _check_entries(design: Design) -> None:
    """Raise DesignError for a part that lacks its decorator, and for a name that is no text."""
    for part in ("name", "title"):
        if not isinstance(text := getattr(design, part), str) or not text.strip():
            raise DesignError(f"a design has the {part} {text!r}: write a text")
    wanted: dict[str, tuple[type, str]] = {
        "initial": (Initial, "@initial"),
        "system": (Action, "@action()"),
        "environment": (Action, "@action()"),
        "properties": (Property, "@invariant()"),
        "witnesses": (Property, "@witness()"),
    }
    for part, (kind, decorator) in wanted.items():
        for entry in getattr(design, part):
            if not isinstance(entry, kind):
                name = getattr(entry, "__name__", None) or repr(entry)
                raise DesignError(
                    f"design {design.name!r}: {name} in `{part}` is no {kind.__name__}; "
                    f"decorate it with {decorator}"
                )
    if not isinstance(design.bounds, (Predicate, type(None))):
        name = getattr(design.bounds, "__name__", None) or repr(design.bounds)
        raise DesignError(
            f"design {design.name!r}: {name} in `bounds` is no Predicate; "
            "decorate it with @within_bounds"
        )


def _unique(what: str, names: list[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise DesignError(f"{what} {twice[0]!r} is declared twice")


def _check_kinds(design: Design) -> None:
    """Raise for a witness among the properties, or the reverse: it would never be checked."""
    for entry in design.properties:
        if entry.kind is PropertyKind.WITNESS:
            raise DesignError(f"{entry.name!r} is a witness: it belongs in `witnesses`")
    for entry in design.witnesses:
        if entry.kind is not PropertyKind.WITNESS:
            raise DesignError(f"{entry.name!r} is no witness: it belongs in `properties`")


def _check_no_ghost(design: Design) -> None:
    """Raise for a guard that reads a ghost: it would depend on what no broker can know."""
    ghosts = ghost_names(layout_of(design.state, next(iter(design.scopes.values()))))
    for entry in design.guards.values() if ghosts else ():
        read = ghosts & attributes_of(entry.function)
        if read and not entry.is_limit:
            raise DesignError(f"guard {entry.name!r} reads the ghost field {sorted(read)[0]!r}")
