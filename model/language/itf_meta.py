"""What `#meta` of a trace in ITF says: of the whole trace, and of one of its states.

Other tools write `#meta`, too; what tierproof writes there is checked before it is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tierproof.model.language.errors import NoTrace

META, OURS = "#meta", "tierproof"

Found = Mapping[str, Any]
"""An object of JSON."""


def said_of_trace(found: Any) -> Found:
    """What tierproof says of a trace of its own, as it writes it; empty for one of another tool.

    Raises NoTrace for a field that tierproof does not write, or of another type.
    """
    ours = _object(_meta(found, "the trace"), OURS, "#meta")
    for name, value in ours.items():
        if name not in FIELDS:
            raise NoTrace(f"#meta.{OURS} has a field {name!r}: known are {', '.join(FIELDS)}")
        what, is_so = FIELDS[name]
        if not is_so(value):
            raise NoTrace(f"#meta.{OURS}.{name} is {value!r}, and not {what}")
    return ours


def said_of_state(number: int, found: Any) -> tuple[str, Found] | None:
    """The action that leads to a state, and its arguments; None if `#meta` does not say.

    Raises NoTrace if one of them is missing.
    """
    meta = _meta(found, f"state {number}")
    if "action" not in meta and "arguments" not in meta:
        return None
    action = meta.get("action")
    if not isinstance(action, str):
        raise NoTrace(f"state {number}: #meta has arguments of the action {action!r}")
    if number == 0:
        raise NoTrace(f"state 0: #meta names the action {action}, and nothing leads to it")
    if "arguments" not in meta:
        raise NoTrace(f"state {number}: #meta has no `arguments` of {action}")
    return action, _object(meta, "arguments", f"state {number}: #meta")


def check_numbers(states: Sequence[Found]) -> None:
    """Raise NoTrace for a state whose `#meta` gives it a number that is not its own."""
    for number, found in enumerate(states):
        index = _meta(found, f"state {number}").get("index", number)
        if type(index) is not int or index != number:
            raise NoTrace(f"state {number}: #meta says that it is state {index!r}")


def _meta(found: Any, what: str) -> Found:
    return _object(found, META, what) if isinstance(found, Mapping) else {}


def _object(found: Found, name: str, what: str) -> Found:
    """A field that is an object of JSON, empty if it is not there."""
    value = found.get(name, {})
    if not isinstance(value, Mapping):
        raise NoTrace(f"{what} has {name}={value!r}, which is no object")
    return value


def _are_bounds(value: Any) -> bool:
    return isinstance(value, Mapping) and all(type(bound) is int for bound in value.values())


def _are_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


FIELDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "scope": ("an object of whole numbers", _are_bounds),
    "variants": ("a list of names", _are_names),
    "without": ("a list of names", _are_names),
    "property": ("a name", lambda value: isinstance(value, str)),
    "resumed": ("a sentence", lambda value: isinstance(value, str)),
}
"""Each field that tierproof writes of a trace: what it holds, and a test of it."""
