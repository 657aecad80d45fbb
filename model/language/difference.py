"""Difference: what one design drops, adds and edits in another, slot by slot.

It is computed from the two designs, so it says what is explored, not what was intended. Between a
design and one of its variants, the difference is the variant.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tierproof.model.language.actions import Action, Guard, GuardKind, Predicate, first_line
from tierproof.model.language.definitions import as_written
from tierproof.model.language.design import Design
from tierproof.model.language.domains import Kind
from tierproof.model.language.properties import Property


@dataclass(frozen=True)
class Change:
    """The change of one name: `dropped`, `added` or `edited`, and how."""

    name: str
    how: str
    statement: str
    edits: tuple[str, ...] = ()


@dataclass(frozen=True)
class Difference:
    """The changes from design `old` to design `new`; `unchanged` counts the other actions.

    Two designs of which nothing is said here explore the same graph and ask the same of it, but
    for their scopes.
    """

    old: str
    new: str
    actions: tuple[Change, ...]
    initial: tuple[Change, ...]
    fences: tuple[Change, ...]
    fields: tuple[Change, ...]
    properties: tuple[Change, ...]
    helpers: tuple[Change, ...]
    unchanged: int

    def as_dict(self) -> dict[str, Any]:
        """The difference as plain values."""
        groups: dict[str, tuple[Change, ...]] = {
            "actions": self.actions,
            "initial": self.initial,
            "fences": self.fences,
            "fields": self.fields,
            "properties": self.properties,
            "helpers": self.helpers,
        }
        changes = {
            group: [
                {"name": one.name, "how": one.how, "says": one.statement, "edits": list(one.edits)}
                for one in changes
            ]
            for group, changes in groups.items()
        }
        return {"old": self.old, "new": self.new, **changes, "unchanged_actions": self.unchanged}


def difference(old: Design, new: Design) -> Difference:
    """What `new` drops, adds and edits in `old`."""
    actions = tuple(_changes(_acting(old), _acting(new), _edits, _statement_of_acting))
    unchanged = sum(1 for act in new.actions if act.name not in {one.name for one in actions})
    return Difference(
        _title(old, new),
        _title(new, old),
        actions,
        tuple(_changes(_by_name(old.initial), _by_name(new.initial), _does, _says)),
        tuple(_changes(_fences(old), _fences(new), _fence_edits, _statement)),
        tuple(_changes(_fields(old), _fields(new), _field_edits, lambda shown: shown)),
        tuple(_changes(_asked_of(old), _asked_of(new), _asks, _statement)),
        tuple(_helpers(old, new)),
        unchanged,
    )


def _title(design: Design, other: Design) -> str:
    chosen = [name for name in design.chosen_variants if name not in other.chosen_variants]
    return " with ".join([design.name, *([", ".join(chosen)] if chosen else [])])


def _by_name(entries: Iterable[Any]) -> dict[str, Any]:
    return {entry.name: entry for entry in entries}


def _changes(
    old: Mapping[str, Any],
    new: Mapping[str, Any],
    edits: Callable[[Any, Any], Iterable[str]],
    statement: Callable[[Any], str],
) -> Iterator[Change]:
    """Dropped names in the old order, then edited and added ones in the new order."""
    for name, entry in old.items():
        if name not in new:
            yield Change(name, "dropped", statement(entry))
    for name, entry in new.items():
        if name in old and (found := tuple(edits(old[name], entry))):
            yield Change(name, "edited", statement(entry), found)
    for name, entry in new.items():
        if name not in old:
            yield Change(name, "added", statement(entry))


def _statement(entry: Any) -> str:
    return str(entry.statement)


def _says(entry: Any) -> str:
    return first_line(entry.effect)


# -- actions


@dataclass(frozen=True)
class _Acting:
    """An action and its group: what is of the environment need never happen."""

    act: Action
    group: str

    @property
    def name(self) -> str:
        return self.act.name


def _acting(design: Design) -> dict[str, _Acting]:
    groups = {"system": design.system, "environment": design.environment}
    return {act.name: _Acting(act, group) for group, acts in groups.items() for act in acts}


def _statement_of_acting(entry: _Acting) -> str:
    return entry.act.statement


def _edits(before: _Acting, after: _Acting) -> Iterator[str]:
    """One sentence for each edit in the slot of an action."""
    old, new = before.act, after.act
    if before.group != after.group:
        yield f"is of the {after.group} instead of the {before.group}"
    yield from _does(old, new)
    asked, asks = _by_name(old.guards), _by_name(new.guards)
    yield from (f"no longer asks {_asked(one)}" for n, one in asked.items() if n not in asks)
    yield from (f"asks also {_asked(one)}" for n, one in asks.items() if n not in asked)
    for name in (name for name in asks if name in asked):
        if as_written(asked[name].function) is not as_written(asks[name].function):
            yield f"`{name}` asks instead: {asks[name].statement}"
    if (old.move and old.move.targets) != (new.move and new.move.targets):
        yield f"leads to {_targets(new)} instead of {_targets(old)}"
    elif [as_written(one) for one in old.last] != [as_written(one) for one in new.last]:
        yield f"chooses otherwise: {_targets(new)}"
    if list(old.parameters) != list(new.parameters):
        yield f"is of ({', '.join(new.parameters)}) instead of ({', '.join(old.parameters)})"
    if old.budget != new.budget:
        yield f"spends {new.budget or 'nothing'} instead of {old.budget or 'nothing'}"
    if old.stutters != new.stutters:
        yield "may change nothing" if new.stutters else "has to change something"


def _does(old: Any, new: Any) -> Iterator[str]:
    """What an action or an initial state does otherwise."""
    if as_written(old.effect) is not as_written(new.effect):
        yield f"does instead: {first_line(new.effect) or new.effect.__name__}"
    yield from _functions("does first", old.first, new.first)
    yield from _functions("does also", old.also, new.also)


def _functions(how: str, old: Sequence[Any], new: Sequence[Any]) -> Iterator[str]:
    before, after = (Counter(as_written(one) for one in functions) for functions in (old, new))
    for function in after - before:
        again = " once more" if function in before else ""
        yield f"{how}{again}: {first_line(function) or function.__name__}"
    for function in before - after:
        yield f"{how} no longer: {first_line(function) or function.__name__}"


def _asked(entry: Guard) -> str:
    kind = "" if entry.kind is GuardKind.CONDITION else f"{entry.kind} "
    return f"{kind}`{entry.name}`: {entry.statement}"


def _targets(act: Action) -> str:
    return " or ".join(one.name for one in act.move.targets) if act.move else "nowhere"


# -- properties


def _asked_of(design: Design) -> dict[str, Predicate]:
    """What is asked of a design, and which of its states are expanded."""
    bounds = {"bounds": design.bounds} if design.bounds else {}
    return {**_by_name(design.checked), **bounds}


def _asks(old: Predicate, new: Predicate) -> Iterator[str]:
    if as_written(old.function) is not as_written(new.function):
        yield f"asks instead: {new.statement}"
    if not (isinstance(old, Property) and isinstance(new, Property)):
        return
    if _premise(old) is not _premise(new):
        yield f"is asked where: {new.premise.statement if new.premise else 'anywhere'}"
    if old.kind != new.kind:
        yield f"is a {new.kind} instead of a {old.kind}"
    if old.fairness != new.fairness and new.fairness:
        yield f"assumes instead {new.fairness.statement}"
    if old.stays != new.stays:
        yield f"asks that it holds {'for good' if new.stays else 'again and again'}"


def _premise(claim: Property) -> Callable[..., bool] | None:
    return as_written(claim.premise.function) if claim.premise else None


# -- fences, fields


def _fences(design: Design) -> dict[str, Guard]:
    return {name: entry for name, entry in design.guards.items() if entry.kind is GuardKind.FENCE}


def _fence_edits(old: Guard, new: Guard) -> Iterator[str]:
    if as_written(old.function) is not as_written(new.function):
        yield f"asks instead: {new.statement}"


def _helpers(old: Design, new: Design) -> Iterator[Change]:
    """The helpers that are defined otherwise, wherever they are called."""
    for helper in {**old.defined, **new.defined}:
        before, after = (design.defined.get(helper, helper) for design in (old, new))
        if before is not after:
            edit = f"is instead: {first_line(after) or after.__name__}"
            reason = new.redefined.get(helper)
            moves = (f"properties ask it, too: {reason}",) if reason else ()
            yield Change(helper.__name__, "edited", first_line(before), (edit, *moves))


def _fields(design: Design) -> dict[str, str]:
    """Field -> its domain; elements of an array are one field."""
    found: dict[str, str] = {}
    for placed in design.layout(next(iter(design.scopes.values()))).leaves:
        enum = placed.leaf.domain.enum
        shown = "yes or no" if enum is bool else enum.__name__ if enum else "a number"
        kind = "" if placed.leaf.kind is Kind.PROTOCOL else f", {placed.leaf.kind.value}"
        found.setdefault(re.sub(r"\[\d+\]", "[·]", placed.path), shown + kind)
    return found


def _field_edits(old: str, new: str) -> Iterator[str]:
    if old != new:
        yield f"holds {new} instead of {old}"
