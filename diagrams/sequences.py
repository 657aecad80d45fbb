"""Turns the record of a trace into a Sequence: lifelines, numbered messages, ending."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tierproof.diagrams.explanations import explanation_lines
from tierproof.diagrams.extract import ENVIRONMENT, SYSTEM, role
from tierproof.diagrams.records import (
    Change,
    Ending,
    Lifeline,
    Message,
    Passage,
    Sequence,
    Story,
)


def sequence_of(trace: Mapping[str, Any], shown: Mapping[str, Any] | None = None) -> Sequence:
    """The sequence of a trace's record; `shown` is the record of its property or witness."""
    besides = set(trace.get("bookkeeping", ()))
    messages = tuple(_message(n, step, besides) for n, step in enumerate(trace["steps"], start=1))
    sequence = Sequence(
        lifelines=lifelines_of(messages),
        messages=messages,
        initial=tuple(_telling(trace["initial"], trace.get("start", {}))),
        cycle_start=trace.get("cycle_start"),
    )
    return sequence if shown is None else replace(sequence, ending=_ending(shown, sequence))


SHOWN = 8
"""The most steps before the turning point that a story draws, unless its caller says more."""
CONSTANT = re.compile(r"\b[A-Z]+(?:_[A-Z]+)+\b")
"""A value as programs write it, such as the kind of a record."""
OFFSET = re.compile(r"(?:\w+\[\d+\]\.)?(\w+_offset)")
"""A field that is an offset, of one participant."""


def overview(
    sequence: Sequence,
    sentences: Mapping[int, str],
    turning: int | None = None,
    *,
    title: str = "",
    labels: Mapping[int, str] | None = None,
    prepared: int | None = None,
    preparation: str = "",
) -> Story:
    """The sequence as its story has it: `sentences` are by the first step that each tells.

    After the step `turning` the harm is done. `labels` say what steps carry, by default what
    their actions say. The steps up to `prepared`, the last of a sentence, only prepare: by default
    whole sentences, so that few steps are left before the sentence of the turning point. What they
    do is said in their sentences, or in the words of `preparation`. Raises ValueError for a step
    that the trace or a sentence does not have, and for a preparation of nothing.
    """
    starts = sorted({1, *sentences})
    ends = [*(start - 1 for start in starts[1:]), len(sequence.messages)]
    last = _prepared(ends, sequence, turning) if prepared is None else prepared
    if last and last not in ends[:-1]:
        raise ValueError(f"no sentence before the last ends with step {last}: it cannot prepare")
    if preparation and not last:
        raise ValueError(f"no step only prepares: say nowhere that {preparation!r}")
    carrying = _carrying(sequence, labels or {})
    passages = tuple(
        Passage(
            sentence=sentences.get(start, ""),
            messages=tuple(carrying[start - 1 : end]),
            turning=turning if turning is not None and start <= turning <= end else None,
        )
        for start, end in zip(starts, ends, strict=True)
        if end > last
    )
    before = [sentences.get(start, "") for start in starts if start <= last]
    return Story(
        title=title,
        lifelines=lifelines_of(sequence.messages[last:]),
        messages=sequence.messages,
        initial=(),
        ending=sequence.ending,
        cycle_start=sequence.cycle_start,
        passages=passages,
        prepared=last,
        preparation=preparation or " ".join(filter(None, before)),
    )


def _prepared(ends: list[int], sequence: Sequence, turning: int | None) -> int:
    """The last step that only prepares, 0 if none does; no step that repeats for ever does."""
    if turning is None:
        return 0
    before = max((end for end in ends if end < turning), default=0)
    limit = len(sequence.messages) if sequence.cycle_start is None else sequence.cycle_start
    left = [0, *(end for end in ends if end <= min(before, limit))]
    return next((end for end in left if before - end <= SHOWN), left[-1])


def _carrying(sequence: Sequence, labels: Mapping[int, str]) -> list[Message]:
    """The steps, each with what it carries as its text, and the values that it sets as its note."""
    messages = sequence.messages
    if unknown := set(labels) - {message.number for message in messages}:
        raise ValueError(f"the trace has no step {min(unknown)}: give it no label")
    spoken = {word for message in messages for word in CONSTANT.findall(message.note)}
    return [
        replace(
            message,
            text=labels.get(message.number) or message.note.rstrip(".") or message.text,
            note="" if message.number in labels else ", ".join(_values(message, spoken)),
            changes=(),
        )
        for message in messages
    ]


def _values(message: Message, spoken: set[str]) -> dict[str, None]:
    """The offsets that a step moves, and the constants that it sets.

    A constant is shown if the words of some step name it, but not this step's own.
    """
    values: dict[str, None] = {}
    for change in (one for one in message.changes if not one.is_bookkeeping):
        if (found := OFFSET.fullmatch(change.path)) is not None:
            values[f"{found[1].replace('_', ' ')} {change.before} → {change.after}"] = None
        elif change.after in spoken - set(CONSTANT.findall(message.note)):
            values[change.after] = None
    return values


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


def _message(number: int, step: Mapping[str, Any], besides: set[str]) -> Message:
    actor = step["actor"] or (ENVIRONMENT if step["is_environment"] else SYSTEM)
    return Message(
        number=number,
        source=actor,
        target=step["to"] or actor,
        text=call_text(step),
        note=step["statement"],
        changes=tuple(
            Change(path, str(old), str(new), path in besides)
            for path, (old, new) in step["changes"].items()
        ),
        is_environment=step["is_environment"],
    )


def lifelines_of(messages: tuple[Message, ...]) -> tuple[Lifeline, ...]:
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
        why=_why(shown),
    )


def _why(shown: Mapping[str, Any]) -> tuple[str, ...]:
    """Which parts of a violated property are false, if its record says so."""
    why, is_full = shown.get("why"), shown.get("is_why_full", False)
    return () if why is None else tuple(explanation_lines(why, is_full=is_full))
