"""Two edits of one slot both act as they say, or they are refused: the table of docs/language.md.

`lamp.requests` has each kind of request of one slot. A row and a column of the table are two
variants that are chosen together, in both orders.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.language.contents import changed, content, named
from tests.toys import lamp
from tests.toys.lamp import DESIGN, lamp_flickers, lamp_is_switched_off, lamp_is_turned
from tierproof.model.language import (
    Design,
    DesignError,
    Edit,
    UnknownName,
    Variant,
    liveness,
)
from tierproof.model.language.definitions import as_written
from tierproof.model.language.difference import difference
from tierproof.model.language.editing import edited
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.search import explore

REQUESTS = lamp.requests()

# b: both act. r: refused. d: the slot is dropped, and there is nothing to change. o: once.
TABLE = """
           drop move swap effect first also fence unfence stutters test drop-guard define
drop       o    r    r    d      d     d    d     d       d        b    b          b
move       r    o    r    b      b     b    b     b       b        b    b          b
swap       r    r    o    r      b     b    b     b       b        b    b          b
effect     d    b    r    r      b     b    b     b       b        b    b          b
first      d    b    b    b      b     b    b     b       b        b    b          b
also       d    b    b    b      b     b    b     b       b        b    b          b
fence      d    b    b    b      b     b    o     b       b        b    b          b
unfence    d    b    b    b      b     b    b     o       b        b    b          b
stutters   d    b    b    b      b     b    b     b       o        b    b          b
test       b    b    b    b      b     b    b     b       b        r    r          b
drop-guard b    b    b    b      b     b    b     b       b        r    o          b
define     b    b    b    b      b     b    b     b       b        b    b          r
"""


def cells() -> Iterator[tuple[str, str, str]]:
    """Row, column and outcome of each cell of the table."""
    head, *rows = TABLE.strip().splitlines()
    columns = head.split()
    for row in rows:
        name, *outcomes = row.split()
        for column, outcome in zip(columns, outcomes, strict=True):
            yield name.replace("-", " "), column.replace("-", " "), outcome


CELLS = list(cells())


def one(request: str, name: str = "one", **more: Any) -> Variant:
    """The variant of a request."""
    return Variant(name=name, because="a test", **{**REQUESTS[request], **more})


def both(first: str, second: str) -> Design:
    """The design with both requests, as variants."""
    return edited(DESIGN, [one(first), one(second, "two")])


def acts(design: Design, request: str) -> bool:
    """Whether the design is as a request asks."""
    slot: Any = next((act for act in design.actions if act.name == "lamp_is_turned"), None)
    names = [guard.name for guard in slot.guards] if slot else []
    written = [as_written(part).__name__ for part, _ in slot.parts] if slot else []
    tests = {as_written(guard.function).__name__ for guard in design.guards.values()}
    return {
        "drop": slot is None,
        "move": slot in design.environment,
        "swap": "another_turn" in written,
        "effect": "turn_off" in written,
        "first": bool(slot) and written[0] == "dim",
        "also": bool(slot) and written[-1] == "dim",
        "fence": "is_dim" in names,
        "unfence": "is_not_brightest" not in names,
        "stutters": bool(slot) and slot.stutters,
        "test": "is_night" in tests and "is_not_brightest" not in tests,
        "drop guard": "is_not_brightest" not in design.guards,
        "define": design.defined == {lamp.next_light: lamp.less_light},
    }[request]


@pytest.mark.parametrize("request_", REQUESTS)
def test_an_edit_acts_as_it_says_and_the_difference_names_what_it_changes(request_):
    design = edited(DESIGN, [one(request_)])
    assert acts(design, request_)
    assert not acts(DESIGN, request_)
    assert named(difference(DESIGN, design)) == changed(DESIGN, design) != set()


def test_the_table_has_each_pair_and_is_symmetric():
    outcomes = {(row, column): outcome for row, column, outcome in CELLS}
    assert set(outcomes) == set(itertools.product(REQUESTS, repeat=2))
    assert all(outcomes[b, a] == outcome for (a, b), outcome in outcomes.items())


@pytest.mark.parametrize(("row", "column", "outcome"), CELLS)
def test_two_edits_of_one_slot_both_act_or_are_refused(row, column, outcome):
    if outcome == "r":
        with pytest.raises(DesignError, match=r"contradict each other|both replace"):
            both(row, column)
        return
    design = both(row, column)
    assert content(design) == content(both(column, row)) or {row, column} <= {"first", "also"}
    assert acts(design, row) or outcome == "d"
    assert acts(design, column) or outcome == "d"
    assert named(difference(DESIGN, design)) == changed(DESIGN, design) != set()
    alone = content(edited(DESIGN, [one(row)]))
    if row == column:
        assert (content(design) == alone) == (outcome == "o")
    if outcome == "d":
        assert content(design) == content(edited(DESIGN, [one("drop")]))


@pytest.mark.parametrize(("row", "column", "outcome"), CELLS)
def test_variants_that_are_chosen_one_after_the_other_are_as_if_chosen_together(
    row, column, outcome
):
    design = replace(DESIGN, variants=(one(row), one(column, "two")))
    if outcome == "r":
        with pytest.raises(DesignError):
            design.with_variant("one").with_variant("two")
        return
    step_by_step = design.with_variant("one").with_variant("two")
    assert content(step_by_step) == content(design.with_variants("one", "two"))


TOGETHER = [
    (a, b, outcome)
    for a, b, outcome in CELLS
    if a < b and not REQUESTS[a].keys() & REQUESTS[b].keys()
]


@pytest.mark.parametrize(("row", "column", "outcome"), TOGETHER)
def test_two_requests_in_one_edit_are_as_two_edits_or_refused(row, column, outcome):
    def together() -> Design:
        change = Edit(**REQUESTS[row], **REQUESTS[column])
        return DESIGN.derive(name="d", title="D", change=change)

    is_renewed = "swap" in (row, column) and "effect" in (row, column)  # the new one's effect
    if (outcome in "rd" and not is_renewed) or {row, column} == {"drop guard", "unfence"}:
        with pytest.raises(DesignError, match=r"drops|removes"):
            together()
    else:
        assert acts(together(), row) or is_renewed
        assert acts(together(), column) or is_renewed


# -- what would change nothing

IDLE = [
    ({"drop": (lamp_is_turned,), "add_system": (lamp_is_turned,)}, "to `system`, where it is"),
    ({"add_system": (lamp_is_turned,)}, "there already, in `system`: an edit that moves"),
    ({"add_environment": (lamp_is_turned,)}, "there already, in `system`: an edit that moves"),
    ({"add_environment": (lamp_flickers,)}, "there already, in `environment`"),
    ({"add_properties": (lamp.light_is_no_debt,)}, "which is there already"),
    ({"effect": {lamp_is_turned: lamp_is_turned.effect}}, "do what it does already"),
    ({"fence": {lamp_is_turned: lamp.is_not_brightest}}, "adds the guard 'is_not_brightest'"),
    ({"unfence": {lamp_is_switched_off: lamp.is_off}}, "unknown guard of 'lamp_is_switched_off'"),
    ({"stutters": (lamp_is_switched_off,)}, "stutter, which it may already"),
    ({"test": {lamp.is_not_brightest: lamp.is_not_brightest}}, "test what it tests already"),
    ({"define": {lamp.next_light: lamp.next_light}}, "which it is already"),
    ({"also": {lamp_is_turned: ()}}, "`also` of 'lamp_is_turned' is empty"),
    ({"drop": (lamp.another_turn,)}, "unknown action or initial state 'another_turn'"),
    ({"drop": (lamp.next_light,)}, r"`define=\{next_light: ...\}`"),
    ({"add_system": (lamp.turn_off,)}, "the function 'turn_off', which is no slot"),
    ({"fence": {lamp.lamp_is_off: lamp.is_off}}, "'lamp_is_off' is no action"),
    ({"also": {lamp.light_is_no_debt: lamp.dim}}, "only an action or an initial state"),
    (
        {"add_system": (lamp.another_turn,), "add_environment": (lamp.another_turn,)},
        "adds the action or initial state 'another_turn' twice",
    ),
    (
        {"fence": {lamp_is_turned: lamp.is_off}, "unfence": {lamp_is_turned: lamp.is_off}},
        "removes the guard 'is_off'",
    ),
]


@pytest.mark.parametrize(("fields", "message"), IDLE, ids=[message for _, message in IDLE])
def test_an_edit_that_would_change_nothing_is_refused(fields, message):
    with pytest.raises(Exception, match=message) as caught:
        DESIGN.derive(name="d", title="D", change=Edit(**fields))
    assert "0x" not in str(caught.value)


def test_a_variant_may_undo_an_earlier_one_if_it_says_so():
    fence, swap = one("fence"), one("swap")
    back = Variant(
        name="back", because="a test", unfence={lamp_is_turned: lamp.is_dim}, after=(fence,)
    )
    assert content(edited(DESIGN, [fence, back])) == content(DESIGN)
    shipped = Variant(
        name="shipped",
        because="a test",
        drop=(lamp_is_turned,),
        add_system=(lamp_is_turned,),
        after=(swap,),
    )
    assert content(edited(DESIGN, [swap, shipped])) == content(DESIGN)


@pytest.mark.parametrize("request_", ["drop", "effect", "also", "fence", "stutters"])
def test_what_a_chosen_variant_dropped_is_not_there_for_a_derived_design(request_):
    dropped = replace(DESIGN, variants=(one("drop"),)).with_variant("one")
    with pytest.raises(UnknownName, match="lamp_is_turned"):
        dropped.derive(name="d", title="D", change=Edit(**REQUESTS[request_]))


def test_what_is_moved_keeps_what_other_edits_did_to_it():
    moved = edited(DESIGN, [one("also"), one("fence", "two"), one("move", "three")])
    (act,) = [act for act in moved.environment if act.name == "lamp_is_turned"]
    assert [entry.name for entry in act.guards] == ["is_not_brightest", "is_dim"]
    assert act.also == (lamp.dim,)


def test_an_action_and_a_property_of_one_name_are_apart():
    act = replace(lamp.another_turn, name="light_is_no_debt")
    design = replace(DESIGN, system=(*DESIGN.system, act))
    without = design.derive(name="d", title="D", change=Edit(drop=(act,)))
    assert [claim.name for claim in without.properties] == ["light_is_no_debt"]
    assert "light_is_no_debt" not in [one.name for one in without.actions]


@liveness()
def lamp_is_bright(state: lamp.Lamp) -> bool:
    """It is bright again and again."""
    return state.light >= 1


def test_a_step_that_is_moved_to_the_environment_need_not_happen():
    design = replace(DESIGN, system=(lamp_is_turned,), environment=(), properties=(lamp_is_bright,))
    hung = design.derive(
        name="hung",
        title="Hung",
        change=Edit(drop=(lamp_is_turned,), add_environment=(lamp_is_turned,)),
    )
    verdicts = [
        explore(one, one.scope("house"), MemoryExecution).properties[0].verdict
        for one in (design, hung)
    ]
    assert verdicts == ["HOLDS", "VIOLATED"]
    (change,) = difference(design, hung).actions
    assert change.edits == ("is of the environment instead of the system",)
