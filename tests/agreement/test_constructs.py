"""Each construct of the language means in compiled code what it means in CPython, or is refused."""

import functools
import inspect
import os
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.agreement.constructs import (
    arithmetic,
    calls,
    faults,
    loops,
    odd_types,
    overflows,
    places,
    refused_assignments,
    refused_collections,
    refused_expressions,
    refused_names,
    refused_statements,
    refused_values,
    sequences,
    sets,
    traps,
    traps_of_collections,
    truth,
)
from tests.agreement.constructs.stage import (
    Stage,
    Turns,
    as_effect,
    as_guard,
    constructs_of,
    declared,
    is_truth,
)
from tests.agreement.constructs.toy import Bounds, Slot, Toy
from tierproof.model.language import (
    DesignError,
    TierproofError,
    action,
    guard,
    invariant,
    limit,
    step_property,
    within_bounds,
    witness,
)
from tierproof.model.language.errors import AssignmentInPredicate, OutsideLanguage

ACCEPTED = (arithmetic, truth, loops, places, calls, sets, sequences)
REFUSED = (
    refused_collections,
    refused_expressions,
    refused_values,
    refused_statements,
    refused_assignments,
    refused_names,
)


@functools.cache
def turns_of(module):
    """The design of a module's constructs; compiled once."""
    return Turns(constructs_of(module))


def every_construct(*modules):
    """A parameter for each construct."""
    names = [(module, entry.__name__) for module in modules for entry in constructs_of(module)]
    return [pytest.param(*pair, id=pair[1]) for pair in names]


@pytest.mark.parametrize(("module", "name"), every_construct(*ACCEPTED))
def test_compiled_code_does_what_cpython_does(module, name):
    play = turns_of(module).play(name)
    assert play.difference == ""
    assert not any(isinstance(outcome, str) for outcome in play.wanted)
    assert play.has_effect


@guard
def is_in_range(state: Toy, slot: Slot, scope: Bounds) -> bool:
    """A guard of a parameter and of the scope."""
    return state.x + slot < scope.slots


@action(guards=(is_in_range,))
def cell_grows(state: Toy, slot: Slot) -> None:
    """A step that some step properties forbid."""
    state.cells[slot].size = (state.cells[slot].size + 1) % 5


@step_property()
def no_cell_shrinks(before: Toy, after: Toy) -> bool:
    """Each number of one state is compared with that of the other."""
    return all(after.cells[slot].size >= before.cells[slot].size for slot in range(2))


@step_property()
def first_cell_stays_where_x_is_small(before: Toy, after: Toy, scope: Bounds) -> bool:
    """Records of two states are compared whole."""
    return before.cells[0] == after.cells[0] or before == after or before.x > scope.most - 3


def test_step_properties_and_guards_with_the_scope_are_the_same_compiled():
    properties = (no_cell_shrinks, first_cell_stays_where_x_is_small)
    play = Stage(declared(cell_grows, properties=properties)).play_all()
    assert play.difference == ""
    assert all(play.found_violations[claim.name] for claim in properties)


@pytest.mark.parametrize(("module", "name"), every_construct(faults))
def test_compiled_code_stops_where_cpython_raises(module, name):
    play = turns_of(module).play(name)
    assert play.difference == ""
    assert {isinstance(outcome, str) for outcome in play.wanted} == {True, False}


@pytest.mark.parametrize(("module", "name"), every_construct(overflows))
def test_a_number_that_does_not_fit_is_refused_and_never_wrapped(module, name):
    play = turns_of(module).play(name)
    lines = {line for _, _, line in getattr(module, name).__code__.co_lines()}
    spots = {f"OutsideLanguage at overflows.py:{line}" for line in lines}
    pairs = list(zip(play.wanted, play.found, strict=True))
    refused = [(wanted, found) for wanted, found in pairs if wanted != found]
    assert 0 < len(refused) < len(pairs)
    assert all(isinstance(wanted, dict) and found in spots for wanted, found in refused)


def marked_line(construct):
    """The line of a construct, or of its helper, that is marked as the refused one."""
    lines = Path(construct.__code__.co_filename).read_text("utf-8").splitlines()
    own, first = inspect.getsourcelines(construct)
    for number, line in enumerate(lines, start=1):
        mark = line.partition("  # refused")
        if mark[1] and (
            mark[2] == f": {construct.__name__}"
            or (not mark[2].startswith(":") and first <= number < first + len(own))
        ):
            return number
    raise AssertionError(f"no line of {construct.__name__} is marked")


@pytest.mark.parametrize(("module", "name"), every_construct(*REFUSED))
def test_a_design_that_says_it_is_refused_with_its_line_and_what_to_write(module, name):
    construct = getattr(module, name)
    with pytest.raises(OutsideLanguage) as caught:
        declared(as_guard(construct) if is_truth(construct) else as_effect(construct))
    message = str(caught.value)
    spot = f"{Path(module.__file__).name}:{marked_line(construct)}: "
    for part in (spot, *construct.__doc__.split(" ... ")):
        assert part in message
    assert "\n" not in message


def refused_or_different(make_design):
    """What differs in a design between the executions; nothing if it is refused."""
    try:
        design = make_design()
    except TierproofError:
        return ""
    return Stage(design).play_all().difference


@pytest.mark.parametrize(("module", "name"), every_construct(traps, traps_of_collections))
def test_a_trap_is_refused_or_does_what_cpython_does(module, name):
    construct = getattr(module, name)
    role = as_guard if is_truth(construct) else as_effect
    assert refused_or_different(lambda: declared(role(construct))) == ""


@pytest.mark.parametrize(("module", "name"), every_construct(odd_types))
def test_an_odd_design_is_refused_or_does_what_cpython_does(module, name):
    assert refused_or_different(getattr(module, name)) == ""


# -- what the file says, and what the module holds


def imported(path, text):
    """A module made of a text, imported from a file."""
    path.write_text(text, "utf-8")
    module = ModuleType(path.stem)
    exec(compile(text, str(path), "exec"), vars(module))
    return module


TWO_EFFECTS = """
def first():
    def effect(state) -> None:
        state.number = 1
    return effect

def second():
    def effect(state) -> None:
        state.number = 2
    return effect
"""


SWAPPED = TWO_EFFECTS.replace("= 1", "= 0").replace("= 2", "= 1").replace("= 0", "= 2")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(TWO_EFFECTS.replace("= 1", "= 3"), id="another number"),
        pytest.param("\n\n" + TWO_EFFECTS, id="other lines"),
        pytest.param(TWO_EFFECTS.replace("state.number = 1", "pass"), id="another statement"),
        pytest.param("", id="nothing left"),
        pytest.param(SWAPPED, id="two functions of one name change places"),
    ],
)
def test_a_file_that_was_edited_after_it_was_imported_is_refused(tmp_path, text):
    module = imported(tmp_path / "edited.py", TWO_EFFECTS)
    acts = action()(module.first())
    (tmp_path / "edited.py").write_text(text, "utf-8")
    os.utime(tmp_path / "edited.py", (1, 1))
    with pytest.raises(OutsideLanguage, match=r"edited\.py:\d+: .*'effect'"):
        declared(acts)


def test_a_constant_that_changes_between_two_designs_counts_in_the_second(tmp_path):
    text = "LIMIT = 3\n\ndef effect(state) -> None:\n    state.number = LIMIT\n"
    module = imported(tmp_path / "changing.py", text)
    assert Stage(declared(as_effect(module.effect))).play_all().difference == ""
    module.LIMIT = 4
    assert Stage(declared(as_effect(module.effect))).play_all().difference == ""


def test_identity_with_a_number_that_is_written_down_is_refused(tmp_path):
    text = "def effect(state) -> None:\n    state.truth = state.x is 3\n"
    with pytest.warns(SyntaxWarning, match="literal"):
        module = imported(tmp_path / "literal.py", text)
    with pytest.raises(OutsideLanguage, match=r"literal\.py:2: .*`state.x is 3`.*write == or !="):
        declared(as_effect(module.effect))


# -- declarations


def assigns(state: Toy) -> bool:
    """A predicate that assigns."""
    state.number = 1
    return True


def assigns_below(state: Toy) -> bool:
    """A predicate with a helper that assigns."""
    return assigns(state) and state.flag


DECLARATIONS = [guard, limit, invariant(), witness(), within_bounds]


@pytest.mark.parametrize(
    "declare", DECLARATIONS, ids=["guard", "limit", "invariant", "witness", "bounds"]
)
@pytest.mark.parametrize("predicate", [assigns, assigns_below])
def test_a_predicate_that_assigns_is_refused_with_the_line(declare, predicate):
    line = inspect.getsourcelines(assigns)[1] + 2
    with pytest.raises(AssignmentInPredicate, match="only an effect may assign") as caught:
        declare(predicate)
    assert "assigns assigns to the attribute number" in str(caught.value)
    assert f"test_constructs.py:{line})" in str(caught.value)


def plain(state: Toy) -> None:
    """A function without a decorator."""
    state.number = 0


plain_guard: Any = assigns


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param({"system": (plain,)}, id="system"),
        pytest.param({"environment": (plain,)}, id="environment"),
        pytest.param({"initial": (plain,)}, id="initial"),
        pytest.param({"properties": (plain,)}, id="properties"),
        pytest.param({"witnesses": (plain,)}, id="witnesses"),
        pytest.param({"bounds": plain}, id="bounds"),
    ],
)
def test_a_function_without_a_decorator_is_refused_by_name(parts):
    with pytest.raises(DesignError, match="plain"):
        declared(**parts)


def test_a_guard_without_a_decorator_is_refused_by_name():
    with pytest.raises(DesignError, match=r"assigns .*is not a guard; decorate it with @guard"):
        action(guards=(plain_guard,))(plain)


@pytest.mark.parametrize("declare", [guard, action()])
def test_what_is_no_function_cannot_be_declared(declare):
    with pytest.raises(DesignError):
        declare(functools.partial(plain))


def test_a_lambda_cannot_be_a_guard():
    acts = action(guards=(guard(lambda state: state.x > 0),))(plain)
    with pytest.raises(OutsideLanguage, match=r"test_constructs\.py:\d+: .* write it with `def`"):
        declared(acts)


async def waits(state: Toy) -> None:
    """An effect that CPython would never run."""
    state.number = 0


waiting: Any = waits


def test_an_effect_cannot_be_asynchronous():
    with pytest.raises(OutsideLanguage, match=r"test_constructs\.py:\d+: .*'waits'"):
        declared(action()(waiting))
