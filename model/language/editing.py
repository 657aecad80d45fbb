"""Editing: apply edits to the slots of a design."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tierproof.model.language.actions import Action, Guard, arguments_of
from tierproof.model.language.contradictions import check_pairs, dropped_by
from tierproof.model.language.definitions import as_written, called_by, definitions, reached_by
from tierproof.model.language.edits import (
    CLAIMS,
    GROUPS,
    Edit,
    History,
    Variant,
    kind_of,
    several,
)
from tierproof.model.language.errors import ContradictingEdits, DesignError, closest
from tierproof.model.language.layout import ghost_names
from tierproof.model.language.properties import Property, functions_of
from tierproof.model.language.reading import Reader
from tierproof.model.language.reading.ghosts import assigned_besides

if TYPE_CHECKING:
    from tierproof.model.language.design import Design

Function = Callable[..., None]
Helper = Callable[..., Any]

SLOTS = (*GROUPS, *CLAIMS, "bounds")


def edited(design: Design, edits: Sequence[Edit], **anew: Any) -> Design:
    """`design` with all of `edits` applied, and with the fields that `anew` gives.

    Raises UnknownName; ContradictingEdits for two edits that cannot both do what they say;
    DesignError for one that would do nothing.
    """
    slots = Editing(design, edits, anew)
    slots.apply()
    return slots.design()


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
    """The content of each slot while edits are applied, and the variant that replaced it.

    All additions come before all changes, and all drops come last, so edits of different slots
    compose in any order. `anew` are fields that a derived design states anew; slots among them are
    what the edits change.
    """

    def __init__(self, design: Design, edits: Sequence[Edit], anew: Mapping[str, Any]) -> None:
        self.given, self.edits, self.anew = design, edits, anew
        stated = {name: anew.get(name, getattr(design, name)) for name in (*GROUPS, *CLAIMS)}
        self.slots = {one.name: one for group in GROUPS for one in stated[group]}
        self.groups = {group: [one.name for one in stated[group]] for group in GROUPS}
        self.claims = {group: list(stated[group]) for group in CLAIMS}
        self.put: dict[tuple[str, str], Any] = {}
        acts = (one for one in self.slots.values() if isinstance(one, Action))
        self.guards = {guard.name: guard for act in acts for guard in act.guards}
        self.replaced = dict(design.replaced)
        self.dropped: set[tuple[str, str]] = set()
        self.bounds = anew.get("bounds", design.bounds)
        self.defined, self.redefined = dict(design.defined), dict(design.redefined)
        self.defined_by: dict[Helper, tuple[str, str]] = {}
        """Helper -> the title of the edit that defines it, and what that calls it."""

    def apply(self) -> None:
        """Apply the edits. Raises UnknownName or DesignError."""
        check_pairs(self.edits)
        for phase in (self.add, self.change, self.test, self.define):
            for edit in self.edits:
                phase(edit)
        self.check_claims()
        self.apply_definitions()
        for edit in self.edits:
            self.drop(edit)

    def _others(self, edit: Edit) -> list[Edit]:
        """The other edits: what one of them asks for, too, may be done already."""
        return [one for one in self.edits if one is not edit]

    # -- add

    def add(self, edit: Edit) -> None:
        """Make the additions of an edit."""
        for group, entry in edit.additions:
            if self.put.get((group, entry.name)) is entry:
                continue  # another edit adds the same
            if isinstance(entry, Property):
                self._add_claim(edit, group, entry)
            else:
                self._add_slot(edit, group, entry)
            self.put[group, entry.name] = entry

    def _add_claim(self, edit: Edit, group: str, entry: Property) -> None:
        for claims in self.claims.values():
            held = next((one for one in claims if one.name == entry.name), None)
            if held is not None:
                replaced = self._replaced_by(edit, entry)
                if replaced is None:
                    raise DesignError(f"{edit.title} adds {entry.name!r}, which is there already")
                claims.remove(held)
        self.claims[group].append(entry)

    def _add_slot(self, edit: Edit, group: str, entry: Any) -> None:
        held = self.slots.get(entry.name)
        if held is not None:
            entry = self._in_place_of(edit, group, entry, held)
            for names in self.groups.values():
                if entry.name in names:
                    names.remove(entry.name)
        self.slots[entry.name] = entry
        self.groups[group].append(entry.name)
        for guard in getattr(entry, "guards", ()):
            self.guards.setdefault(guard.name, guard)

    def _in_place_of(self, edit: Edit, group: str, entry: Any, held: Any) -> Any:
        """What the slot of `held` has after `entry` is added: a moved action keeps its edits."""
        here = next(name for name, names in self.groups.items() if entry.name in names)
        replaced = self._replaced_by(edit, entry)
        if replaced is None:
            raise DesignError(
                f"{edit.title} adds {entry.name!r}, which is there already, in `{here}`: an edit "
                "that moves or replaces it drops it, too"
            )
        is_held = replaced is entry and getattr(held, "declared", None) is entry.declared
        if not is_held or any(name == entry.name for _, name in self.put):
            self._note(edit, entry.name)
            return entry
        if here == group:
            raise DesignError(
                f"{edit.title} drops {entry.name!r} and adds it to `{group}`, where it is: that "
                "would change nothing"
            )
        return held

    @staticmethod
    def _replaced_by(edit: Edit, entry: Any) -> Any:
        """What `edit` drops under the name of `entry`, or None."""
        of_kind = (one for one in edit.drop if kind_of(one) == kind_of(entry))
        return next((one for one in of_kind if one.name == entry.name), None)

    # -- change

    def change(self, edit: Edit) -> None:
        """Make the changes of an edit, but for tests and definitions."""
        for slot, function in edit.effect.items():
            self._claim(edit, slot.name)
            if as_written(self._at(slot).effect) is function:
                self._refuse(edit, f"has {slot.name!r} do what it does")
            self._set(slot, effect=function, arguments=arguments_of(function))
        for slot, functions in edit.first.items():
            self._set(slot, first=(*several(functions), *self._at(slot).first))
        for slot, functions in edit.also.items():
            self._set(slot, also=(*self._at(slot).also, *several(functions)))
        for slot, guards in edit.fence.items():
            self._fence(edit, slot, several(guards))
        for slot, guards in edit.unfence.items():
            self._unfence(edit, slot, several(guards))
        for slot in edit.stutters:
            is_shared = any(slot in one.stutters for one in self._others(edit))
            if self._at(slot).stutters and not is_shared:
                self._refuse(edit, f"lets {slot.name!r} stutter, which it may")
            self._set(slot, stutters=True)

    @staticmethod
    def _refuse(edit: Edit, what: str) -> None:
        raise DesignError(f"{edit.title} {what} already: it would change nothing")

    def _fence(self, edit: Edit, slot: Action, guards: tuple[Guard, ...]) -> None:
        kept = self._at(slot).guards
        names = [one.name for one in kept]
        for entry in guards:
            others = [several(one.fence.get(slot, ())) for one in self._others(edit)]
            if entry.name in names and not any(entry in given for given in others):
                self._refuse(edit, f"adds the guard {entry.name!r} to {slot.name!r}, which has it")
        new = [one for one in guards if one.name not in names]
        self._set(slot, guards=(*kept, *new))
        self.guards |= {one.name: one for one in new}

    def _unfence(self, edit: Edit, slot: Action, guards: tuple[Guard, ...]) -> None:
        kept = self._at(slot).guards
        names = [one.name for one in guards]
        for entry in guards:
            others = [several(one.unfence.get(slot, ())) for one in self._others(edit)]
            if not any(entry in given for given in others):
                closest(f"guard of {slot.name!r}", entry.name, [one.name for one in kept])
        self._set(slot, guards=tuple(one for one in kept if one.name not in names))

    def _claim(self, edit: Edit, name: str) -> None:
        """Record that `edit` replaces a slot; raise if another edit contradicts it."""
        closest("action, guard or initial state", name, {*self.slots, *self.guards})
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
        """The content of the slot of that name."""
        return self.slots[closest("action or initial state", slot.name, self.slots)]

    def _set(self, slot: Any, **changed: Any) -> None:
        self.slots[slot.name] = replace(self._at(slot), **changed)

    def test(self, edit: Edit) -> None:
        """Replace what guards test, in every action that has them."""
        for old, new in edit.test.items():
            if not isinstance(new, Guard):
                what = f"{new.name!r} replaces a guard, and is an {type(new).__name__}"
                raise DesignError(f"{edit.title}: {what}")
            self._claim(edit, old.name)
            others = [one.test.get(old) for one in self._others(edit)]
            if as_written(self.guards[old.name].function) is new.function and new not in others:
                self._refuse(edit, f"has the guard {old.name!r} test what it tests")
            self._retest(old, replace(new, name=old.name))

    def _retest(self, old: Guard, new: Guard) -> None:
        self.guards[new.name] = new
        for name, entry in self.slots.items():
            if isinstance(entry, Action):
                guards = tuple(new if one.name == old.name else one for one in entry.guards)
                self.slots[name] = replace(entry, guards=guards)

    # -- define

    def define(self, edit: Edit) -> None:
        """Record the helpers that an edit redefines: a mechanism's, or the design's own by name.

        Raises DesignError for a variant that replaces what the design defines without naming that.
        """
        if not edit.define:
            return
        brought = (new for one in self.edits for new in one.define.values())
        known = (*self.defined.values(), *brought)
        helpers = called_by((*_functions_of(self.given), *self._functions(), *known))
        stands_for = {own: helper for helper, own in self.given.defined.items()}
        for old, new in edit.define.items():
            helper = stands_for.get(old, old)
            self._note(edit, helper.__name__)
            if helper not in helpers:
                names = [one.__name__ for one in helpers if one.__name__ != old.__name__]
                closest("function that the design calls", old.__name__, names)
            self._check_rule(edit, old)
            others = [one.define.get(old) for one in self._others(edit)]
            if self.defined.get(helper, helper) is new and new not in others:
                self._refuse(edit, f"defines {old.__name__!r} as {new.__name__!r}, which it is")
            self.defined[helper] = new
            self.defined_by[helper] = (edit.title, old.__name__)
            self.redefined.pop(helper, None)
            if old in edit.redefines:
                self.redefined[helper] = edit.redefines[old]

    def _check_rule(self, edit: Edit, old: Helper) -> None:
        """Raise for a variant that would replace a rule of the design's own without a word."""
        own = self.given.defined.get(old, old)
        is_silent = own not in (old, edit.define[old]) and old.__name__ not in self.given.replaced
        if is_silent and isinstance(edit, Variant):
            raise DesignError(
                f"{edit.title} replaces {old.__name__!r}, for which the design has a rule of "
                f"its own, {own.__name__!r}: name that one, or choose the variant elsewhere"
            )

    def check_claims(self) -> None:
        """Raise for a redefined helper that a property calls, if no edit says why that may move."""
        unsaid = self.defined.keys() - self.redefined.keys()
        claims = self._claims() if unsaid else []
        reached = {one.name: reached_by(functions_of(one), self.defined) for one in claims}
        for helper in (one for one in self.defined if one in unsaid):
            calling = [name for name, helpers in reached.items() if helper in helpers]
            if calling:
                title, name = self.defined_by.get(helper, ("the design", helper.__name__))
                raise DesignError(
                    f"{title} defines {name!r} anew, which {', '.join(calling)} "
                    f"{'calls' if len(calling) == 1 else 'call'}, too: what is asked would move "
                    f'with what is done. Say why it may, in `redefines={{{name}: "..."}}`, '
                    "or give the property a helper of its own"
                )

    def apply_definitions(self) -> None:
        """Make every function of the design call the redefined helpers."""
        if not self.defined:
            return
        given = definitions(frozenset(self.defined.items()))
        self.slots = {name: given.slot(slot) for name, slot in self.slots.items()}
        self.claims = {
            group: [given.claim(one) for one in claims] for group, claims in self.claims.items()
        }
        self.bounds = self.bounds and given.predicate(self.bounds)

    def _functions(self) -> Iterator[Helper]:
        return _called(self.slots.values(), self._claims(), self.bounds)

    def _claims(self) -> list[Property]:
        return [one for claims in self.claims.values() for one in claims]

    # -- drop

    def drop(self, edit: Edit) -> None:
        """Drop what an edit drops, except what it, or an edit that builds on it, adds."""
        gone = dropped_by(edit, self.edits)
        for entry in edit.drop:
            if (kind_of(entry), entry.name) in gone:
                self._drop(entry)

    def _drop(self, entry: Any) -> None:
        kind, name = kind_of(entry), entry.name
        if (kind, name) in self.dropped:
            return  # another edit drops the same
        self.dropped.add((kind, name))
        if isinstance(entry, Guard):
            self._drop_guard(entry)
        elif isinstance(entry, Property):
            closest("property or witness", name, [one.name for one in self._claims()])
            for group, claims in self.claims.items():
                self.claims[group] = [one for one in claims if one.name != name]
        else:
            del self.slots[closest(kind, name, self.slots)]
            for names in self.groups.values():
                if name in names:
                    names.remove(name)

    def _drop_guard(self, entry: Guard) -> None:
        closest("guard", entry.name, self.guards)
        for name, act in self.slots.items():
            if isinstance(act, Action):
                kept = tuple(one for one in act.guards if one.name != entry.name)
                self.slots[name] = replace(act, guards=kept)

    # -- the result

    def design(self) -> Design:
        """The edited design, with the fields that `anew` gives."""
        made: dict[str, Any] = {
            group: tuple(self.slots[name] for name in names) for group, names in self.groups.items()
        }
        actions = {*self.groups["system"], *self.groups["environment"]}
        made["properties"] = tuple(one.fair_to(actions) for one in self.claims["properties"])
        made["witnesses"] = tuple(self.claims["witnesses"])
        made |= {"bounds": self.bounds, "defined": self.defined, "redefined": self.redefined}
        made["replaced"] = self.replaced
        stated = {name: value for name, value in self.anew.items() if name not in SLOTS}
        return replace(self.given, **{**made, **stated})


def _functions_of(design: Design) -> Iterator[Helper]:
    """Every function of a design."""
    return _called((*design.actions, *design.initial), design.checked, design.bounds)


def _called(slots: Iterable[Any], claims: Iterable[Property], bounds: Any) -> Iterator[Helper]:
    for slot in slots:
        yield from (function for function, _ in slot.parts)
        yield from (one.function for one in getattr(slot, "guards", ()))
    for claim in claims:
        yield from functions_of(claim)
    if bounds is not None:
        yield bounds.function
