"""Editing: apply edits to the slots of a design."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tierproof.model.language.actions import Action, Guard, arguments_of
from tierproof.model.language.definitions import called_by, definitions
from tierproof.model.language.edits import Edit, History, Variant, several
from tierproof.model.language.errors import ContradictingEdits, DesignError, closest
from tierproof.model.language.layout import ghost_names
from tierproof.model.language.reading import Reader
from tierproof.model.language.reading.ghosts import assigned_besides

if TYPE_CHECKING:
    from tierproof.model.language.design import Design

Function = Callable[..., None]
Helper = Callable[..., Any]


def edited(design: Design, edits: Sequence[Edit], **anew: Any) -> Design:
    """`design` with all of `edits` applied, and with the fields that `anew` gives.

    Raises UnknownName or DesignError.

    All additions come before all changes, and all drops come last, so edits of different
    slots compose in any order.
    """
    slots = Editing(design)
    for phase in (slots.add, slots.change, slots.define):
        for edit in edits:
            phase(edit)
    slots.apply_definitions()
    for edit in edits:
        slots.drop(edit)
    return slots.design(**anew)


def with_history(design: Design, given: History) -> Design:
    """`design` with ghost bookkeeping.

    Raises UnknownName for an action that does not exist, DesignError for bookkeeping that
    assigns to anything but ghosts.
    """
    by_name = {act.name: act for act in design.actions}
    for name in (*given.first, *given.also):
        closest("action", name, by_name)
    edit = Edit(
        first={by_name[name]: function for name, function in given.first.items()},
        also={by_name[name]: function for name, function in given.also.items()},
    )
    made = edited(design, [edit])
    reader, ghosts = Reader(made), ghost_names(made.layout(next(iter(made.scopes.values()))))
    for name, function in (*given.first.items(), *given.also.items()):
        act = made.action(name)
        for spot in assigned_besides(reader.effect(act, function), ghosts):
            raise DesignError(
                f"{spot}: the history {function.__name__!r} of action {name!r} assigns to what is "
                f"no ghost: `{spot.text}`; the protocol is changed by edits"
            )
    return made


class Editing:
    """The content of each slot, and the edit that put it there."""

    def __init__(self, design: Design) -> None:
        self.given = design
        entries: tuple[Any, ...] = (*design.actions, *design.initial)
        self.slots = {one.name: one for one in entries}
        self.guards = dict(design.guards)
        self.groups = {
            group: [one.name for one in getattr(design, group)]
            for group in ("system", "environment", "initial")
        }
        self.claims = {group: list(getattr(design, group)) for group in ("properties", "witnesses")}
        self.replaced, self.dropped = dict(design.replaced), set(design.dropped)
        self.bounds = design.bounds
        self.defined = dict(design.defined)

    # -- four phases

    def add(self, edit: Edit) -> None:
        """Make the additions of an edit."""
        groups: dict[str, tuple[Any, ...]] = {
            "system": edit.add_system,
            "environment": edit.add_environment,
            "initial": edit.add_initial,
        }
        for group, entries in groups.items():
            for entry in entries:
                self._add(edit, group, entry)
        self.claims["properties"] += edit.add_properties
        self.claims["witnesses"] += edit.add_witnesses

    def _add(self, edit: Edit, group: str, entry: Any) -> None:
        known = self.slots.get(entry.name)
        if known is entry:
            return  # two edits that add the same
        if known is not None and entry.name not in {one.name for one in edit.drop}:
            raise DesignError(f"{edit.title} adds {entry.name!r}, which is there already")
        for names in self.groups.values():
            if entry.name in names:
                names.remove(entry.name)
        self.slots[entry.name] = entry
        self.groups[group].append(entry.name)
        for guard in getattr(entry, "guards", ()):
            self.guards.setdefault(guard.name, guard)

    def change(self, edit: Edit) -> None:
        """Make the changes of an edit."""
        for slot, function in edit.effect.items():
            self._claim(edit, slot.name)
            self._set(slot, effect=function, arguments=arguments_of(function))
        for slot, functions in edit.first.items():
            self._set(slot, first=(*several(functions), *self._at(slot).first))
        for slot, functions in edit.also.items():
            self._set(slot, also=(*self._at(slot).also, *several(functions)))
        for slot, guards in edit.fence.items():
            kept = self._at(slot).guards
            self._set(slot, guards=(*kept, *(one for one in several(guards) if one not in kept)))
            self.guards |= {one.name: one for one in several(guards)}
        for slot, guards in edit.unfence.items():
            self._unfence(edit, slot, several(guards))
        for old, new in edit.test.items():
            if not isinstance(new, Guard):
                what = f"{new.name!r} replaces a guard, and is an {type(new).__name__}"
                raise DesignError(f"{edit.title}: {what}")
            self._claim(edit, old.name)
            self._retest(old, replace(new, name=old.name))
        for slot in edit.stutters:
            self._set(slot, stutters=True)

    def _claim(self, edit: Edit, name: str) -> None:
        """Record that `edit` replaces a slot; raise if another edit contradicts it."""
        closest("action, guard or initial state", name, {*self.slots, *self.guards, *self.dropped})
        self._note(edit, name)

    def _note(self, edit: Edit, name: str) -> None:
        earlier = self.replaced.get(name)
        if earlier is not None and earlier not in edit.foundations:
            raise ContradictingEdits(
                f"{edit.title} and variant {earlier!r} both replace {name!r}: choose one of them, "
                "or let one say that it comes `after` the other"
            )
        if isinstance(edit, Variant):
            self.replaced[name] = edit.name

    def _at(self, slot: Any) -> Any:
        """The content of the slot of that name; a slot that will be dropped may be changed, too."""
        if slot.name in self.dropped:
            return slot
        return self.slots[closest("action or initial state", slot.name, self.slots)]

    def _set(self, slot: Any, **changed: Any) -> None:
        made = replace(self._at(slot), **changed)
        if slot.name not in self.dropped:
            self.slots[slot.name] = made

    def _unfence(self, edit: Edit, slot: Action, guards: tuple[Guard, ...]) -> None:
        kept = self._at(slot).guards
        names = [one.name for one in guards]
        for name in names:
            closest(f"guard of {slot.name!r}", name, [one.name for one in kept])
        self._set(slot, guards=tuple(one for one in kept if one.name not in names))

    def _retest(self, old: Guard, new: Guard) -> None:
        self.guards[new.name] = new
        for name, entry in self.slots.items():
            if isinstance(entry, Action):
                guards = tuple(new if one.name == old.name else one for one in entry.guards)
                self.slots[name] = replace(entry, guards=guards)

    def define(self, edit: Edit) -> None:
        """Record the helpers that an edit redefines: of Kafka's, or the design's own by its name.

        Raises DesignError for a variant that replaces what the design defines without naming that.
        """
        if not edit.define:
            return
        helpers = called_by((*self._functions(), *self.defined.values()))
        stands_for = {own: helper for helper, own in self.given.defined.items()}
        for old, new in edit.define.items():
            helper = stands_for.get(old, old)
            self._note(edit, helper.__name__)
            if helper not in helpers:
                names = [one.__name__ for one in helpers if one.__name__ != old.__name__]
                closest("function that the design calls", old.__name__, names)
            own = self.given.defined.get(old, old)
            is_silent = own not in (old, new) and old.__name__ not in self.given.replaced
            if is_silent and isinstance(edit, Variant):
                raise DesignError(
                    f"{edit.title} replaces {old.__name__!r}, for which the design has a rule of "
                    f"its own, {own.__name__!r}: name that one, or choose the variant elsewhere"
                )
            self.defined[helper] = new

    def apply_definitions(self) -> None:
        """Make every function of the design call the redefined helpers."""
        if not self.defined:
            return
        given = definitions(frozenset(self.defined.items()))
        for name, slot in self.slots.items():
            parts = [part for part in ("first", "also") if getattr(slot, part)]
            changed: dict[str, Any] = {
                part: tuple(given.function(one) for one in getattr(slot, part)) for part in parts
            }
            if isinstance(slot, Action):
                changed["guards"] = tuple(given.predicate(one) for one in slot.guards)
            self.slots[name] = replace(slot, effect=given.function(slot.effect), **changed)
        for group, claims in self.claims.items():
            self.claims[group] = [
                replace(given.predicate(one), premise=one.premise and given.predicate(one.premise))
                for one in claims
            ]
        self.bounds = self.bounds and given.predicate(self.bounds)

    def _functions(self) -> Iterator[Helper]:
        """Every function of the design."""
        for slot in self.slots.values():
            yield from (slot.effect, *slot.first, *slot.also)
            yield from (one.function for one in getattr(slot, "guards", ()))
        for one in (*self.claims["properties"], *self.claims["witnesses"]):
            yield one.function
            if one.premise is not None:
                yield one.premise.function
        if self.bounds is not None:
            yield self.bounds.function

    def drop(self, edit: Edit) -> None:
        """Drop what an edit drops, except slots that it also adds."""
        entries: tuple[Any, ...] = (*edit.added, *edit.add_initial)
        added = {one.name for one in entries}
        for entry in edit.drop:
            if entry.name not in added:
                self._drop(edit, entry)

    def _drop(self, edit: Edit, entry: Any) -> None:
        if isinstance(entry, Guard):
            self._drop_guard(entry)
            return
        for names in self.groups.values():
            if entry.name in names:
                names.remove(entry.name)
        for group, claims in self.claims.items():
            self.claims[group] = [one for one in claims if one.name != entry.name]
        known = {*self.slots, *self.guards, *(one.name for one in self.given.checked)}
        closest("action, guard, initial state or property", entry.name, {*known, *self.dropped})
        self.slots.pop(entry.name, None)
        self.dropped.add(entry.name)

    def _drop_guard(self, entry: Guard) -> None:
        closest("guard", entry.name, {*self.guards, *self.dropped})
        self.dropped.add(entry.name)
        for name, act in self.slots.items():
            if isinstance(act, Action):
                kept = tuple(one for one in act.guards if one.name != entry.name)
                self.slots[name] = replace(act, guards=kept)

    # -- the result

    def design(self, **anew: Any) -> Design:
        """The edited design, with the fields that `anew` gives."""
        groups: dict[str, Any] = {
            group: tuple(self.slots[name] for name in names) for group, names in self.groups.items()
        }
        actions = {*self.groups["system"], *self.groups["environment"]}
        groups["properties"] = tuple(one.fair_to(actions) for one in self.claims["properties"])
        groups["witnesses"] = tuple(self.claims["witnesses"])
        groups |= {"bounds": self.bounds, "defined": self.defined}
        edits = {"replaced": self.replaced, "dropped": frozenset(self.dropped)}
        return replace(self.given, **{**groups, **edits, **anew})
