"""An explanation says of every property and guard what CPython says, down to its last part.

Walks at random through every design of the package, in CPython alone.
"""

import ast
import random
from collections.abc import Iterator

import pytest

from tests.designs.stored_traces import DESIGNS, STORED, trace_of
from tierproof.model.language import Design, Interpreter, PropertyKind, Scope, State, Step
from tierproof.model.language.actions import SCOPE, STEP, Predicate
from tierproof.model.language.explaining import Explainer, Part, why_of

STEPS = 16
ASKED_EVERY = 8
GUARDS = 10


def scope_of(design: Design) -> Scope:
    return design.scopes.get("smoke") or next(iter(design.scopes.values()))


def walk(design: Design, seed: int) -> Iterator[tuple[State, Step, State]]:
    """Steps of a walk at random from the first initial state."""
    interpreter, chance = Interpreter(design, scope_of(design)), random.Random(seed)
    state = interpreter.initial_state(0)
    for _ in range(STEPS):
        enabled = interpreter.enabled(state)
        if not enabled:
            return
        step = chance.choice(enabled)
        after = interpreter.take(state, step)
        yield state, step, after
        state = after


def check(design: Design, entry: Predicate, arguments: list[object]) -> None:
    """The explanation has the truth of the call, and every leaf the value of its text."""
    leaves = []
    explainer = Explainer(design, lambda _, frame, part: leaves.append((frame, part)))
    found = explainer.function(entry, arguments)
    assert found.truth == bool(entry.function(*arguments)), entry.name
    assert explainer.coarse == 0, f"{entry.name} is run otherwise than CPython runs it"
    for frame, part in leaves:
        value = eval(part.text, {**frame.outer, **frame.names})
        is_in_words = "." in part.text or "[" in part.text
        assert is_in_words or explainer.words.of_value(value) == part.value
        assert part.truth is None or part.truth == bool(value)
    assert_sound(found)


def assert_sound(part: Part) -> None:
    """Parts of a conjunction that is false are false, of one that is true, true; so of `or`."""
    for one in part.parts:
        assert_sound(one)
    is_operation = " and " in part.text or " or " in part.text
    if is_operation and part.truth is not None and not part.bindings:
        node = ast.parse(part.text, mode="eval").body
        if isinstance(node, ast.BoolOp):
            assert {one.truth for one in part.parts} == {part.truth}, part.text


@pytest.mark.parametrize("name", DESIGNS)
def test_truths_and_leaves_are_those_of_cpython(name):
    design = DESIGNS[name]
    scope = scope_of(design)
    interpreter, chance = Interpreter(design, scope), random.Random(name)
    claims = [one for one in design.checked if one.kind is not PropertyKind.DEADLOCK]
    for number, (before, step, after) in enumerate(walk(design, 7)):
        if number % ASKED_EVERY:
            continue
        for claim in claims:
            given = {SCOPE: scope, STEP: step}
            states = [before, after] if claim.kind is PropertyKind.STEP else [after]
            check(design, claim, [*states, *(given[one] for one in claim.arguments)])
        for _ in range(GUARDS):
            asked = interpreter.steps.step(chance.randrange(interpreter.steps.count))
            refusing = interpreter.refusing(after, asked)
            if refusing is not None:
                given = dict(asked.arguments) | {SCOPE: scope}
                check(design, refusing, [after, *(given[one] for one in refusing.arguments)])


@pytest.mark.parametrize("key", [key for number, key in enumerate(STORED) if number % 10 == 0])
def test_a_stored_violation_is_explained(key):
    kept = STORED[key]
    found = why_of(trace_of(kept), kept.claim)
    assert found is not None
    assert found.truth is False
    assert found.parts
