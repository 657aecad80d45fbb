"""A finding's story tells every step of its trace, and repairs are left out one at a time."""

from dataclasses import replace

import pytest

from tests.toys import leaky_tank
from tierproof.model.language import DesignError, Step, Trace, UnknownName
from tierproof.model.language.room import cut_off
from tierproof.register import Register, Severity, Story, register_of
from tierproof.register.isolation import (
    closed,
    isolated,
    mended,
    proposals,
    proposed,
    proposes_otherwise,
    repairs,
)
from tierproof.register.registers import GIVEN

TANK = leaky_tank.DESIGN
ENDS = (("start", "At first."), ("end", "In the end."))


def story(*middle: tuple[str, str]) -> Story:
    return Story("", (ENDS[0], *middle, ENDS[1]))


# -- stories


def test_a_story_says_which_steps_a_sentence_tells():
    told = story(("1", "One."), ("2-4", "Three more.")).told(4)
    assert [(one.first, one.last) for one in told] == [(0, 0), (1, 1), (2, 4), (None, None)]


@pytest.mark.parametrize(
    ("sentences", "length", "complaint"),
    [
        ((("1", "One."),), 2, "tells 1 steps of a trace of 2"),
        ((("1-3", "Three."),), 2, "tells 3 steps of a trace of 2"),
        ((("2", "The second."),), 2, "should begin with step 1"),
        ((("1-2", "Two."), ("2", "Again.")), 2, "should begin with step 3"),
        ((("2-1", "Back."),), 2, "should begin with step 1"),
        ((("one", "One."),), 1, "names no steps"),
    ],
)
def test_a_story_that_leaves_out_or_repeats_a_step_is_refused(sentences, length, complaint):
    with pytest.raises(DesignError, match=complaint):
        story(*sentences).told(length)


def test_a_story_without_a_start_or_an_end_is_refused():
    with pytest.raises(DesignError, match="begins with 'start'"):
        Story("", (("1", "One."), ENDS[1])).told(1)
    with pytest.raises(DesignError, match="ends with 'end'"):
        Story("", (ENDS[0], ("1", "One."))).told(1)


def test_what_follows_from_a_trace_is_told_after_its_end_as_beyond_it():
    beyond = ("beyond", "A consumer would wait.")
    told = Story("", (*ENDS, beyond)).told(0)
    assert [(one.sentence, one.is_beyond) for one in told] == [
        ("At first.", False),
        ("In the end.", False),
        ("A consumer would wait.", True),
    ]
    with pytest.raises(DesignError, match="ends with 'end'"):
        Story("", (ENDS[0], beyond, ENDS[1])).told(0)


def test_notes_on_a_trace_come_last():
    beyond, note = ("beyond", "A consumer would wait."), ("note", "The trace begins late.")
    told = Story("", (*ENDS, beyond, note)).told(0)
    assert [(one.is_beyond, one.is_note) for one in told[2:]] == [(True, False), (False, True)]
    with pytest.raises(DesignError, match="ends with 'end'"):
        Story("", (*ENDS, note, beyond)).told(0)


def test_the_digest_of_a_trace_changes_with_its_steps_and_its_cycle():
    scope = TANK.scope("small")
    left, right = (Step("left_seam_drips"),), (Step("right_seam_drips"),)
    traces = [Trace(TANK, scope, 0, steps, cycle) for steps in (left, right) for cycle in (None, 0)]
    assert len({trace.digest for trace in traces}) == 4


def test_loss_is_the_worst_and_text_the_least():
    assert min(Severity, key=lambda one: one.rank) is Severity.LOSS
    assert max(Severity, key=lambda one: one.rank) is Severity.TEXT


# -- closed and isolated


def test_the_closed_design_has_every_repair():
    assert repairs(TANK) == closed(TANK) == ("repair_seal_left", "repair_seal_right")


def test_an_isolated_finding_lacks_its_own_repair_alone():
    assert isolated(TANK, leaky_tank.LEFT) == ("repair_seal_right",)
    assert isolated(TANK, leaky_tank.LID) == closed(TANK)


def test_a_repair_that_covers_a_cause_is_left_out_with_its_own():
    both = replace(leaky_tank.LEFT, apart=("repair_seal_right",))
    assert isolated(TANK, both) == ()


def test_a_mended_finding_has_its_own_repair_and_not_what_is_left_out_with_it():
    both = replace(leaky_tank.LEFT, apart=("repair_seal_right",))
    assert mended(TANK, leaky_tank.LEFT) == closed(TANK)
    assert mended(TANK, both) == ("repair_seal_left",)


def test_a_proposal_is_explored_alone_with_those_that_it_needs_or_with_all():
    left = replace(leaky_tank.LEFT, proposal="repair_seal_right")
    needed = replace(leaky_tank.LID, together_with=("repair_seal_left",))
    assert proposed(TANK, leaky_tank.LID) == closed(TANK)
    assert proposed(TANK, needed) == ("repair_seal_left",)
    assert proposed(TANK, replace(left, stands_alone=True)) == ("repair_seal_right",)


@pytest.fixture
def give(monkeypatch):
    """Give the tank another register."""
    return lambda **fields: monkeypatch.setitem(GIVEN, "leaky_tank", Register(**fields))


def test_what_a_proposal_needs_is_the_repair_of_a_finding(give):
    needed = replace(leaky_tank.LEFT, together_with=("repair_seal_rigt",))
    give(findings=(needed, leaky_tank.RIGHT))
    with pytest.raises(UnknownName, match="did you mean repair_seal_right"):
        register_of(TANK)


def test_all_proposals_are_those_of_the_mails_or_the_repairs_in_their_place(give):
    other = replace(leaky_tank.SEAL_LEFT, name="proposal_catch_drips")
    left = replace(leaky_tank.LEFT, proposal=other.name)
    findings = (left, leaky_tank.RIGHT, leaky_tank.LID)
    assert proposals(TANK) == closed(TANK)
    assert not proposes_otherwise(TANK)
    give(findings=findings)
    changed = replace(TANK, variants=(*TANK.variants, other))
    assert proposals(changed) == (other.name, "repair_seal_right")
    assert proposes_otherwise(changed)


def test_the_repair_of_a_reading_belongs_to_designs_with_that_reading(give):
    of_reading = replace(leaky_tank.RIGHT, beside=("a_reading",))
    reading = replace(leaky_tank.SEAL_LEFT, name="a_reading")
    design = replace(TANK, variants=(*TANK.variants, reading))
    give(findings=(of_reading,), inherited=(leaky_tank.LEFT,))
    assert closed(design) == ("repair_seal_left",)
    assert set(closed(design, ("a_reading",))) == {
        *("a_reading", "repair_seal_left", "repair_seal_right"),
    }
    assert isolated(design, of_reading) == ("a_reading", "repair_seal_left")


# -- room


def test_it_is_told_where_only_the_scope_kept_a_step_from_happening():
    steps = (Step("left_seam_drips"), Step("left_seam_drips"))
    trace = Trace(TANK, TANK.scope("small"), 0, steps)
    assert cut_off(trace) == {"has_room": 0, "has_water": 2}


def test_a_spent_budget_is_no_lack_of_room():
    trace = Trace(TANK, TANK.scope("storm"), 0, (Step("storm_takes_lid"),))
    assert cut_off(trace) == {"has_room": 0}
