"""What is changed in a function, and how it is told: the text of the design, at its line."""

import ast
import inspect

import pytest

from tests.mutation import samples
from tests.mutation.samples import DESIGN
from tierproof.model.language.mutation import mutants_of, mutated, places_of


def mutants_in(function):
    return [
        mutant
        for place in places_of(DESIGN)
        if place.name == function and not place.guard
        for mutant in mutants_of(place)
    ]


def written(function, operator):
    """The lines that an operator writes in a function, without blanks around them."""
    found = [one for one in mutants_in(function) if one.operator == operator]
    return {line.strip() for one in found for line in one.after}


@pytest.mark.parametrize(
    ("function", "operator", "after"),
    [
        ("has_room", "turn", "state.count >= 2"),
        ("has_room", "shift", "state.count <= 2"),
        ("has_room", "turn", "and state.is_locked"),
        ("has_room", "other constant", "and state.colour[place] == Colour.BLUE"),
        ("has_room", "other constant", "state.count < 3"),
        ("painted", "drop a part", "if place >= START:"),
        ("painted", "drop a part", "if colour == Colour.RED:"),
        ("painted", "and for or", "if (colour == Colour.RED or place >= START):"),
        ("painted", "always", "if True:"),
        ("painted", "never", "if False:"),
        ("painted", "never", "return 3"),
        ("painted", "other function", "return min(state.count + 1, 1)"),
        ("painted", "other sign", "return max(state.count - 1, 1)"),
        ("painted", "other constant", "if colour == Colour.RED and place >= (START + 1):"),
        ("add_book", "leave out", "pass"),
        ("lock", "other constant", "state.is_locked = False"),
        ("lock", "other sign", "state.count -= 1"),
    ],
)
def test_an_operator_writes_what_somebody_might_have_written(function, operator, after):
    assert after in written(function, operator)


def test_the_quantifier_is_exchanged():
    assert any("all(one == Colour.WHITE" in line for line in written("painted", "other function"))


def test_a_dropped_conjunct_leaves_the_others():
    (text,) = {
        " ".join(one.after[0].split())
        for one in mutants_in("has_room")
        if one.operator == "drop a part" and "WHITE" not in one.after[0] and ">=" in one.after[0]
    }
    assert text == "state.count < 2 and (not state.is_locked) and (state.count >= 0)"


def test_each_mutant_is_another_text_and_has_one_key():
    found = [one for place in places_of(DESIGN) for one in mutants_of(place)]
    assert len({one.key for one in found}) == len(found)
    texts = [(one.place.name, one.place.kind, one.text, one.guard) for one in found]
    assert len(set(texts)) == len(found)


def test_a_mutant_of_several_lines_leaves_every_other_line_where_it_was():
    before = inspect.getsource(samples).splitlines()
    for mutant in mutants_in("has_room"):
        after = mutant.text.splitlines()
        assert len(after) == len(before)
        changed = {
            n for n, pair in enumerate(zip(before, after, strict=True)) if len(set(pair)) > 1
        }
        first = mutant.line - 1
        assert changed <= set(range(first, first + len(mutant.before)))
        ast.parse(mutant.text)


def test_the_line_is_that_of_the_design_s_text():
    lines = inspect.getsource(samples).splitlines()
    for place in places_of(DESIGN):
        for mutant in mutants_of(place):
            if not mutant.guard:
                assert lines[mutant.line - 1] == mutant.before[0]
                assert mutant.where.endswith(f"samples.py:{mutant.line}")


def test_the_diff_is_of_the_design_s_own_text():
    (mutant,) = [one for one in mutants_in("is_full") if one.operator == "turn"]
    assert mutant.diff.splitlines()[1:] == [
        "+++ tests/mutation/samples.py",
        f"@@ line {mutant.line}, is_full: turn @@",
        "-    return state.count == 2",
        "+    return state.count != 2",
    ]


def test_every_action_may_lose_each_of_its_guards():
    found = [place for place in places_of(DESIGN) if place.guard]
    assert {(one.name, one.guard) for one in found} == {
        ("add_book", "has_room"),
        ("lock", "is_full"),
    }


def test_properties_are_no_place():
    assert "few_books" not in {one.name for one in places_of(DESIGN)}


def test_the_design_itself_stays_as_it_is():
    before = DESIGN.action("lock").effect
    for mutant in mutants_in("lock"):
        changed = mutated(DESIGN, mutant)
        assert changed.action("lock").effect is not before
        assert changed.action("add_book").effect is DESIGN.action("add_book").effect
        assert changed.properties == DESIGN.properties
    assert DESIGN.action("lock").effect is before


def test_a_helper_is_changed_for_whoever_calls_it():
    (mutant,) = [one for one in mutants_in("painted") if one.operator == "other function"][:1]
    changed = mutated(DESIGN, mutant)
    assert changed.action("add_book").effect is not DESIGN.action("add_book").effect
    assert changed.action("lock").effect is DESIGN.action("lock").effect


def test_the_code_of_a_mutant_stands_at_the_line_of_the_design():
    for mutant in mutants_in("painted"):
        first = inspect.getsource(samples).splitlines()[mutant.code.co_firstlineno - 1]
        assert first.startswith("def painted")
        assert mutant.code.co_filename.endswith(f"samples.py (mutant {mutant.key[:8]})")
