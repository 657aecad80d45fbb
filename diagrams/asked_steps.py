"""Answers about steps as lines of text: why one is not enabled, and what another one leads to.

They are made of the records of `WhyNot` and `WhatIf`, see `tierproof.model.language.explaining`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tierproof.diagrams.explanations import explanation_lines

Record = Mapping[str, Any]


def why_not_lines(asked: Record, taken: Sequence[str], *, is_full: bool = False) -> Iterator[str]:
    """Which guards refuse a step, which parts of them are false, and since which step.

    `taken` are the steps of the trace in words.
    """
    where = _after(asked["state"])
    if asked["is_enabled"]:
        yield f"{asked['step']} is enabled in {where}."
    else:
        yield f"{asked['step']} is not enabled in {where}, as"
    for guard in asked["guards"]:
        yield from _guard(guard, taken, is_full)
    others = [number for number in asked["enabled_in"] if number != asked["state"]]
    if others:
        also = "also " if asked["is_enabled"] else ""
        yield f"On this trace it is {also}enabled in {_states(others)}."
    elif not asked["is_enabled"]:
        yield "On this trace it is enabled in no state."


def _guard(guard: Record, taken: Sequence[str], is_full: bool) -> Iterator[str]:
    """A false guard, its parts, and what the trace did to it."""
    told = f": {guard['statement']}" if guard["statement"] else ""
    yield f"    {guard['guard']} is false{told}"
    yield from (f"      {line}" for line in explanation_lines(guard["why"], is_full=is_full))
    yield f"      {_history(guard, taken)}"


def _history(guard: Record, taken: Sequence[str]) -> str:
    """Since when a guard is false, in a sentence."""
    if not guard["was_true"]:
        return "It was never true before."
    by = guard["made_true_by"]
    true = "It was true from the beginning" if by is None else f"Step {by}, {taken[by - 1]}, made"
    told = true if by is None else f"{true} it true"
    end = guard["made_false_by"]
    return f"{told}; step {end}, {taken[end - 1]}, made it false."


def _after(number: int) -> str:
    return "the initial state" if number == 0 else f"the state after step {number}"


def _states(numbers: Sequence[int]) -> str:
    """`states 0, 3 to 5`."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and ranges[-1][-1] == number - 1:
            ranges[-1].append(number)
        else:
            ranges.append([number])
    told = [f"{one[0]} to {one[-1]}" if len(one) > 1 else str(one[0]) for one in ranges]
    return f"state{'' if len(numbers) == 1 else 's'} {', '.join(told)}"


def what_if_lines(asked: Record, *, is_full: bool = False) -> Iterator[str]:
    """The steps from the other one on, where they stop and why, and what they violate."""
    how = "before" if asked["is_inserted"] else "in place of"
    yield f"{asked['step']} {how} step {asked['at']}:"
    if asked["at"] > 1:
        yield f"    {_before(asked['at'])} as in the trace"
    for number, step in enumerate(asked["taken"], start=1):
        if number >= asked["at"]:
            yield f"    {number}. {step}{'  (the other step)' if number == asked['at'] else ''}"
    if asked["stop"] is None:
        yield "All steps of the trace can be taken behind it."
    else:
        yield from _stop(asked["stop"], is_full)
    yield from _violations(asked["broken"], asked["broken_anyway"])


def _violations(broken: Mapping[str, int], anyway: Mapping[str, int]) -> Iterator[str]:
    """What is violated now, and what of it, or beside it, the trace violates as it was."""
    for name, number in broken.items():
        where = "in the initial state" if number == 0 else f"by step {number}"
        also = f", and by step {anyway[name]} of the trace as it was" if name in anyway else ""
        yield f"{name} is violated {where}{also}."
    for name in (one for one in anyway if one not in broken):
        yield f"{name} is not violated; the trace as it was violates it by step {anyway[name]}."
    if not broken and not anyway:
        yield "No property that is judged in states and steps is violated."


def _before(at: int) -> str:
    return "step 1" if at == 2 else f"steps 1 to {at - 1}"


def _stop(stop: Record, is_full: bool) -> Iterator[str]:
    own = "" if stop["original"] is None else f" (step {stop['original']} of the trace)"
    head = f"It stops at step {stop['number']}{own}: {stop['step']}"
    if stop["failure"]:
        yield f"{head} fails: {stop['failure']}"
        return
    yield f"{head} is not enabled, as"
    for guard in stop["guards"]:
        yield f"    {guard['guard']} is false"
        yield from (f"      {line}" for line in explanation_lines(guard["why"], is_full=is_full))
