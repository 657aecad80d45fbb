"""The source of a design: where its parts are imported from, and what an edit can replace.

Who writes an edit names slots and helpers themselves. So of each the import path is told, of the
state every field with its domain, and of each helper that `define` can replace who calls it.
"""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, Field, fields
from enum import IntEnum
from typing import Annotated, Any, ClassVar, get_args, get_origin

from tierproof.model.language.actions import Action, Predicate
from tierproof.model.language.definitions import as_written, called_by
from tierproof.model.language.design import Design
from tierproof.model.language.domains import Array, Bag, Domain, Enumeration, Kind, Sequence
from tierproof.model.language.initial import Initial
from tierproof.model.language.layout import domain_of, hints_of
from tierproof.model.language.properties import functions_of
from tierproof.model.language.purity import referenced

Function = Callable[..., Any]

_LANGUAGE = f"{__name__.rpartition('.')[0]}."


def source_of(design: Design) -> dict[str, Any]:
    """The parts of a design as plain values; an import path is `module:NAME`, or None."""
    scope = type(next(iter(design.scopes.values())))
    return {
        "name": design.name,
        "state": {"import": path_of(design.state), "fields": list(_fields(design.state, ""))},
        "scope": path_of(scope),
        "domains": _domains(design),
        "initial": {one.name: {"import": _path(one)} for one in design.initial},
        "system": {act.name: _action(act) for act in design.system},
        "environment": {act.name: _action(act) for act in design.environment},
        "guards": {
            name: {"import": _path(one), "kind": str(one.kind), "of": _guarded_by(design, name)}
            for name, one in design.guards.items()
        },
        "properties": {one.name: {"import": _path(one)} for one in design.properties},
        "witnesses": {one.name: {"import": _path(one)} for one in design.witnesses},
        "helpers": [_helper(one, callers) for one, callers in callers_in(design).items()],
    }


def callers_in(design: Design) -> dict[types.FunctionType, dict[str, str]]:
    """Each helper that `define` can replace -> who calls it by name: name -> kind of the caller."""
    found: dict[types.FunctionType, dict[str, str]] = {}
    for kind, name, function in _owners(design):
        for one in _helpers_in(function):
            found.setdefault(one, {})[name] = kind
    for caller in called_by(function for _, _, function in _owners(design)):
        for one in _helpers_in(caller):
            found.setdefault(one, {})[caller.__name__] = "helper"
    return dict(sorted(found.items(), key=lambda pair: (pair[0].__module__, pair[0].__name__)))


def path_of(named: Any) -> str:
    """The import path of a class or a function, `module:NAME`."""
    return f"{named.__module__}:{named.__qualname__}"


def _owners(design: Design) -> Iterator[tuple[str, str, Function]]:
    """Each function that is a part of a slot: kind and name of the slot, and the function."""
    slots: tuple[Action | Initial, ...] = (*design.actions, *design.initial)
    for slot in slots:
        kind = "action" if isinstance(slot, Action) else "initial state"
        yield from ((kind, slot.name, function) for function, _ in slot.parts)
    yield from (("guard", name, one.function) for name, one in design.guards.items())
    for claim in design.checked:
        yield from ((str(claim.kind), claim.name, function) for function in functions_of(claim))
    if design.bounds is not None:
        yield "bounds", design.bounds.name, design.bounds.function


def _helpers_in(function: Function) -> Iterator[types.FunctionType]:
    """The helpers that a function calls by name; a guard that it calls is no helper of its own."""
    for value in referenced(as_written(function)).values():
        helper = value.function if isinstance(value, Predicate) else value
        is_ours = str(getattr(helper, "__module__", "")).startswith(_LANGUAGE)
        if isinstance(value, types.FunctionType) and not is_ours:
            yield value


def _helper(one: types.FunctionType, callers: dict[str, str]) -> dict[str, Any]:
    kinds: dict[str, list[str]] = {}
    for name, kind in callers.items():
        kinds.setdefault(kind, []).append(name)
    takes = list(inspect.signature(one, follow_wrapped=False).parameters)
    return {"name": one.__name__, "import": path_of(one), "takes": takes, "called_by": kinds}


def _action(act: Action) -> dict[str, Any]:
    return {
        "import": _path(act),
        "takes": list(act.parameters),
        "guards": [one.name for one in act.guards],
        "budget": act.budget,
    }


def _guarded_by(design: Design, name: str) -> list[str]:
    return [act.name for act in design.actions if any(one.name == name for one in act.guards)]


def _path(entry: Action | Initial | Predicate) -> str | None:
    """The import path of a slot, None if no module holds it under its own name.

    It is looked for where its function was written, then in the modules of the same package.
    """
    function = as_written(_declared(entry))
    home = str(function.__module__)
    package = home.rpartition(".")[0]
    beside = sorted(name for name in sys.modules if package and name.startswith(f"{package}."))
    for name in dict.fromkeys((home, *beside)):
        for attribute in dict.fromkeys((function.__name__, entry.name)):
            held = getattr(sys.modules.get(name), attribute, None)
            if _is_same(held, entry, function):
                return f"{name}:{attribute}"
    return None


def _is_same(held: Any, entry: Any, function: Function) -> bool:
    return (
        isinstance(held, (Action, Initial, Predicate))
        and held.name == entry.name
        and as_written(_declared(held)) is function
    )


def _declared(entry: Any) -> Function:
    """The function that an action, an initial state, a guard or a property was declared with."""
    if isinstance(entry, Action):
        return entry.declared or entry.effect
    found: Function = entry.effect if isinstance(entry, Initial) else entry.function
    return found


# -- the state


def _fields(record: type, before: str) -> Iterator[dict[str, Any]]:
    """Each number, set, sequence and bag of a record: path, domain in bounds, kind."""
    for name, annotation in hints_of(record, record.__name__).items():
        if not name.startswith("_") and get_origin(annotation) is not ClassVar:
            yield from _field(annotation, f"{before}{name}", Kind.PROTOCOL, path_of(record))


def _field(annotation: Any, path: str, kind: Kind, record: str) -> Iterator[dict[str, Any]]:
    base: Any = annotation
    extras: tuple[Any, ...] = ()
    if get_origin(annotation) is Annotated:
        base, *rest = get_args(annotation)
        extras = tuple(rest)
    kind = next((one for one in extras if isinstance(one, Kind)), kind)
    array = next((one for one in extras if isinstance(one, Array)), None)
    if array is not None:
        element = base
        for _ in array.counts:
            (element,) = get_args(element)
        yield from _field(element, f"{path}{''.join(f'[{n}]' for n in array.counts)}", kind, record)
    elif getattr(base, "is_record", False):
        yield from _of_record(base, path, kind)
    else:
        domain, found = _domain(annotation, extras)
        used = kind if kind is not Kind.PROTOCOL else found
        told = {"path": path, "domain": domain, "kind": str(used.value), "record": record}
        yield told | ({"enum": path_of(base)} if _is_enum(base) else {})


def _of_record(record: type, path: str, kind: Kind) -> Iterator[dict[str, Any]]:
    for one in _fields(record, f"{path}."):
        yield one if kind is Kind.PROTOCOL else {**one, "kind": str(kind.value)}


def _domain(annotation: Any, extras: Iterable[Any]) -> tuple[str, Kind]:
    """The domain of a field in words of its bounds, and the kind of field it makes."""
    collection = next((one for one in extras if isinstance(one, (Sequence, Bag))), None)
    if collection is not None:
        return in_bounds(collection), Kind.PROTOCOL
    domain, kind = domain_of(annotation, "a field")
    return in_bounds(domain), kind


def in_bounds(domain: Any) -> str:
    """A domain as it is written, with the names of its bounds."""
    if isinstance(domain, Enumeration):
        return _members(domain.enum)
    given = []
    one: Field[Any]
    for one in fields(domain):
        value = getattr(domain, one.name)
        if one.default is MISSING:
            given.append(_size(value))
        elif value is not one.default:
            given.append(f"{one.name}={_size(value)}")
    return f"{type(domain).__name__}({', '.join(given)})"


def _size(value: Any) -> str:
    return value.__name__ if isinstance(value, type) else repr(value)


def _is_enum(base: Any) -> bool:
    return isinstance(base, type) and issubclass(base, IntEnum)


def _members(enum: type[Any]) -> str:
    if not issubclass(enum, IntEnum):
        return "False, True"
    return f"{enum.__name__}: {', '.join(member.name for member in enum)}"


def _domains(design: Design) -> dict[str, dict[str, str]]:
    """The named domains of the modules of a design: what parameters of its actions are typed by."""
    home = str(design.state.__module__)
    others = {str(as_written(function).__module__) for _, _, function in _owners(design)} - {home}
    found: dict[str, dict[str, str]] = {}
    for module in (home, *sorted(name for name in others if not name.startswith(_LANGUAGE))):
        for name, value in vars(sys.modules[module]).items():
            if get_origin(value) is Annotated and name not in found:
                told = [one for one in get_args(value) if isinstance(one, Domain)]
                if told:
                    found[name] = {"import": f"{module}:{name}", "domain": in_bounds(told[0])}
    return dict(sorted(found.items()))
