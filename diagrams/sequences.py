"""Turns the record of a trace into a Sequence: lifelines, numbered messages, ending."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tierproof.diagrams.extract import ENVIRONMENT, SYSTEM, role
from tierproof.diagrams.records import Change, Ending, Lifeline, Message, Sequence


def sequence_of(trace: Mapping[str, Any], shown: Mapping[str, Any] | None = None) -> Sequence:
    """The sequence of a trace's record; `shown` is the record of its property or witness."""
    messages = tuple(_message(n, step) for n, step in enumerate(trace["steps"], start=1))
    sequence = Sequence(
        lifelines=_lifelines(messages),
        messages=messages,
        initial=tuple(_telling(trace["initial"], trace.get("start", {}))),
        cycle_start=trace.get("cycle_start"),
    )
    return sequence if shown is None else replace(sequence, ending=_ending(shown, sequence))


def overview(
    sequence: Sequence, sentences: Mapping[int, str], turning: int | None = None
) -> Sequence:
    """The sequence as its story has it: a sentence beside its first step, and no state.

    The sentence about the step `turning` is marked: after it the harm is done.
    """
    told = max((first for first in sentences if turning and first <= turning), default=None)
    bare = tuple(
        replace(
            message,
            text=sentences.get(message.number, ""),
            note="",
            changes=(),
            is_turning=message.number == told,
        )
        for message in sequence.messages
    )
    return replace(sequence, messages=bare, initial=(), is_overview=True)


def of_brokers(trace: Mapping[str, Any]) -> dict[str, Any]:
    """The record of a trace without the fields that no broker has."""
    besides = set(trace["bookkeeping"])
    kept = {name: value for name, value in trace["initial"].items() if name not in besides}
    return {
        **trace,
        "initial": kept,
        "steps": [_of_brokers(one, besides) for one in trace["steps"]],
    }


def _of_brokers(step: Mapping[str, Any], besides: set[str]) -> dict[str, Any]:
    changes = {path: pair for path, pair in step["changes"].items() if path not in besides}
    return {**step, "changes": changes}


def call_text(step: Mapping[str, Any]) -> str:
    """A step as a call: `broker_copies_segment(broker=0, segment=1)`."""
    arguments = ", ".join(f"{name}={value}" for name, value in step["arguments"].items())
    return f"{step['action']}({arguments})"


def who_acts(message: Message) -> str:
    """The actor of a step, marked if the step belongs to the environment."""
    is_marked = message.is_environment and message.source != ENVIRONMENT
    return f"{message.source} (environment)" if is_marked else message.source


def _telling(initial: Mapping[str, Any], start: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The fields of the first state that differ from the values with which they are declared."""
    ordinary = set(gathered(start)) | {(path, str(value)) for path, value in start.items()}
    return [field for field in gathered(initial) if field not in ordinary]


def gathered(fields: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(path, value) in order; an array whose elements are all equal becomes one, `rm[*]`."""
    groups: dict[str, dict[str, str]] = {}
    for path, value in fields.items():
        groups.setdefault(re.sub(r"\[\d+\]", "[*]", path), {})[path] = str(value)
    found: list[tuple[str, str]] = []
    for pattern, members in groups.items():
        if len(set(members.values())) == 1:
            found.append((pattern, next(iter(members.values()))))
        else:
            found.extend(members.items())
    return found


def _message(number: int, step: Mapping[str, Any]) -> Message:
    actor = step["actor"] or (ENVIRONMENT if step["is_environment"] else SYSTEM)
    return Message(
        number=number,
        source=actor,
        target=step["to"] or actor,
        text=call_text(step),
        note=step["statement"],
        changes=tuple(
            Change(path, str(old), str(new)) for path, (old, new) in step["changes"].items()
        ),
        is_environment=step["is_environment"],
    )


def _lifelines(messages: tuple[Message, ...]) -> tuple[Lifeline, ...]:
    """Participants, those of one role side by side, and the environment last."""
    names = list(dict.fromkeys(end for m in messages for end in (m.source, m.target)))
    roles = list(dict.fromkeys(role(name, False) for name in names))
    found = [Lifeline(name=n, is_environment=_is_environment(n, messages)) for n in names]
    return tuple(
        sorted(
            found,
            key=lambda n: (n.is_environment, roles.index(role(n.name, False)), _natural(n.name)),
        )
    )


def _is_environment(name: str, messages: tuple[Message, ...]) -> bool:
    """True for an actor with environment actions only; a broker that crashes is still a broker."""
    if name == ENVIRONMENT:
        return True
    touching = [m for m in messages if name in (m.source, m.target)]
    disturbs = all(m.is_environment and m.source == name != m.target for m in touching)
    return disturbs and role(name, True) == name


def _natural(name: str) -> list[tuple[int, str]]:
    """Sorts `broker 2` before `broker 10`."""
    parts = re.split(r"(\d+)", name)
    return [(int(part), "") if part.isdigit() else (0, part) for part in parts]


def _ending(shown: Mapping[str, Any], sequence: Sequence) -> Ending:
    is_witness = "reached" in shown
    verb, steps = "reached" if is_witness else "broken", len(sequence.messages)
    last = f"by step {steps}" if steps else "in the initial state"
    if sequence.repetition:
        last = f"because {sequence.repetition}"
    return Ending(
        name=shown["name"],
        kind="witness" if is_witness else shown["kind"],
        word="REACHED" if is_witness else shown.get("verdict", "VIOLATED"),
        statement=shown["statement"],
        where=f"{verb} {last}",
        source=" · ".join(filter(None, (shown.get("source"), shown.get("fairness")))),
        is_shortest=shown.get("is_shortest", True),
    )
