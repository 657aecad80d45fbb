"""What the properties of a design say of the end of a path, or of its last step."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Any

from tierproof.model.language.properties import Property, PropertyKind
from tierproof.model.language.replaying import why_no_lasso
from tierproof.serve import reasons
from tierproof.serve.walks import Walk, repeated


class Word(StrEnum):
    """What is said of a property at one place; of the whole state space nothing is said here."""

    HELD = "held"
    VIOLATED = "violated"
    PREMISE_FALSE = "premise false"
    NOT_ASKED = "not asked"
    REACHED = "reached"
    NOT_REACHED = "not reached"
    GOAL_TRUE = "goal true"
    GOAL_AWAITED = "goal awaited"


def properties_here(here: Walk, cycle: int | None) -> list[dict[str, Any]]:
    """Each property, witness and law with its word here; of what is violated, the parts."""
    found = []
    for name, kind, statement, word, note in _judged(here, cycle):
        is_violated = word is Word.VIOLATED
        why = reasons.of_property(here, name, kind, cycle) if is_violated else None
        found.append(
            {
                "name": name,
                "kind": str(kind),
                "statement": statement,
                "word": str(word),
                "note": note,
                "why": why,
            }
        )
    return sorted(found, key=lambda one: one["word"] != Word.VIOLATED)


NEVER_AT_REST = "nothing more need ever happen, and its goal is not true"
LOST_REPEATING = "the steps that repeat lose its goal, which is to stay"
NEVER_REPEATING = "the steps that repeat never bring its goal about"
Judged = tuple[str, PropertyKind, str, Word, str]


def _judged(here: Walk, cycle: int | None) -> Iterator[Judged]:
    design, interpreter = here.setting.design, here.setting.interpreter
    broken: set[str] = set()
    if here.path:
        *_, before, after = here.trace.states
        step = here.trace.steps[-1]
        broken = {entry.name for entry in interpreter.violated_by(before, step, after)}
    for entry in design.checked:
        word, note = _word(here, entry, broken, cycle)
        yield entry.name, entry.kind, entry.statement, word, note
    yield from _laws(here)


def _word(here: Walk, entry: Property, broken: set[str], cycle: int | None) -> tuple[Word, str]:
    interpreter = here.setting.interpreter
    if entry.name in broken:
        return Word.VIOLATED, ""
    match entry.kind:
        case PropertyKind.LIVENESS:
            return _of_liveness(here, entry, cycle)
        case PropertyKind.WITNESS:
            is_reached = interpreter.holds("witness", entry, here.state)
            return (Word.REACHED if is_reached else Word.NOT_REACHED), ""
        case PropertyKind.DEADLOCK:
            is_stuck = interpreter.within_bounds(here.state) and not here.enabled
            return (Word.VIOLATED if is_stuck else Word.HELD), ""
        case PropertyKind.STEP if not here.path:
            return Word.NOT_ASKED, "it is asked of steps, and none is taken yet"
    if entry.premise is not None and not interpreter.holds("premise", entry.premise, here.state):
        return Word.PREMISE_FALSE, f"{entry.premise.name} is false here, so nothing is tested"
    is_step = entry.kind is PropertyKind.STEP
    is_held = is_step or interpreter.holds("invariant", entry, here.state)
    return (Word.HELD if is_held else Word.VIOLATED), ""


def _of_liveness(here: Walk, entry: Property, cycle: int | None) -> tuple[Word, str]:
    """A liveness property is about behaviours for ever: asked of a path that repeats."""
    if cycle is not None:
        why = why_no_lasso(repeated(here, cycle), entry)
        if why is None:
            repeating = LOST_REPEATING if entry.stays else NEVER_REPEATING
            return Word.VIOLATED, NEVER_AT_REST if cycle == len(here.path) else repeating
        return Word.HELD, f"the path is no counterexample: {why}"
    interpreter = here.setting.interpreter
    if interpreter.holds("liveness", entry, here.state):
        return Word.GOAL_TRUE, "whether it stays, only a search can say" if entry.stays else ""
    premise = entry.premise
    if premise is not None and not interpreter.holds("premise", premise, here.state):
        return Word.GOAL_AWAITED, f"its premise {premise.name} is false here, too"
    return Word.GOAL_AWAITED, "whether it comes, only a search can say"


def _laws(here: Walk) -> Iterator[Judged]:
    """The laws of the lifecycles, asked of the last step."""
    design, interpreter = here.setting.design, here.setting.interpreter
    broken = set()
    if here.path:
        *_, before, after = here.trace.states
        broken = {
            law.law_name
            for offset, law in interpreter.lifecycle_leaves
            if not law.allows(before.leaves[offset], after.leaves[offset])
        }
    for law in design.laws(here.setting.scope):
        word = Word.VIOLATED if law.law_name in broken else Word.HELD
        says = f"every change of {law.name} is along a declared edge"
        if not here.path:
            word = Word.NOT_ASKED
        yield law.law_name, PropertyKind.LAW, says, word, ""
