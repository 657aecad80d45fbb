"""Severities, digests of traces, and which repairs are left out of a closed design."""

from dataclasses import replace

import pytest

from tests.register import giving
from tests.toys import leaky_tank
from tierproof.model.language import Step, Trace, UnknownName
from tierproof.model.language.room import cut_off
from tierproof.register import Severity, register_of
from tierproof.register.isolation import (
    closed,
    isolated,
    mended,
    proposals,
    proposed,
    proposes_otherwise,
    repairs,
)

TANK = leaky_tank.DESIGN


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
    left = replace(leaky_tank.LEFT, proposed="repair_seal_right")
    needed = replace(leaky_tank.LID, together_with=("repair_seal_left",))
    assert proposed(TANK, leaky_tank.LID) == closed(TANK)
    assert proposed(TANK, needed) == ("repair_seal_left",)
    assert proposed(TANK, replace(left, stands_alone=True)) == ("repair_seal_right",)


@pytest.fixture
def give(monkeypatch):
    """Give the tank another register."""
    return lambda **fields: giving.give(monkeypatch, TANK, **fields)


def test_what_a_proposal_needs_is_the_repair_of_a_finding(give):
    needed = replace(leaky_tank.LEFT, together_with=("repair_seal_rigt",))
    give(findings=(needed, leaky_tank.RIGHT))
    with pytest.raises(UnknownName, match="did you mean repair_seal_right"):
        register_of(TANK)


def test_all_proposals_are_those_of_the_mails_or_the_repairs_in_their_place(give):
    other = replace(leaky_tank.SEAL_LEFT, name="proposal_catch_drips")
    left = replace(leaky_tank.LEFT, proposed=other.name)
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
