"""What a register names is of its design; what it has of nothing is refused."""

from dataclasses import replace

import pytest

from tests.register import giving
from tests.toys import leaky_tank
from tierproof.model.language import DesignError, UnknownName
from tierproof.register import PublishedBug, register_of

TANK = leaky_tank.DESIGN
BUG = PublishedBug(
    name="bug",
    title="T",
    claims=("tank_has_water",),
    published="P",
    explanation="E",
    variant="repair_seal_left",
    scope="small",
)


@pytest.fixture
def register(monkeypatch):
    """The tank's register with these findings and bugs."""

    def given(**fields):
        giving.give(monkeypatch, TANK, **fields)
        return register_of(TANK)

    return given


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"claims": ("tank_has_watr",)}, "claim of finding 'left_seam_leaks' 'tank_has_watr': did"),
        ({"shows": "tank_is_fild"}, "claim of finding 'left_seam_leaks' 'tank_is_fild'"),
        ({"late": ("rain_fill",)}, "late action of finding 'left_seam_leaks' 'rain_fill'"),
        ({"scope": "smal"}, "scope of finding 'left_seam_leaks' 'smal': did you mean small"),
        ({"repair": "repair_seal_lft"}, "variant 'repair_seal_lft': did you mean"),
    ],
)
def test_a_finding_names_what_its_design_has(register, changed, told):
    assert register(findings=(leaky_tank.LEFT,)).finding("left_seam_leaks")
    with pytest.raises(UnknownName, match=told):
        register(findings=(replace(leaky_tank.LEFT, **changed),))


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"claims": ("tank_has_watr",)}, "claim of published bug 'bug' 'tank_has_watr'"),
        ({"scope": "smal"}, "scope 'smal'"),
        ({"variant": "repair_nine"}, "variant 'repair_nine'"),
    ],
)
def test_a_published_bug_names_what_its_design_has(register, changed, told):
    assert register(published_bugs=(BUG,)).published_bugs == (BUG,)
    with pytest.raises(UnknownName, match=told):
        register(published_bugs=(replace(BUG, **changed),))


def test_no_two_findings_have_one_name(register):
    with pytest.raises(DesignError, match="finding 'left_seam_leaks' is told twice"):
        register(findings=(leaky_tank.LEFT,), inherited=(leaky_tank.LEFT,))
