"""An option that would do nothing is refused by name, and so is a value that says nothing."""

import json
from dataclasses import replace

import pytest
import typer

from tests.explorer.commands import tierproof
from tests.toys import leaky_tank
from tierproof.command_line.options import check_first, question_of
from tierproof.model.language import Variant
from tierproof.model.language.decimals import decimal, whole_number
from tierproof.register import register_of
from tierproof.spark_explorer.question import Question

TANK = "tests.toys.leaky_tank:DESIGN"
COURIER = "tests.toys.courier:DESIGN"
MUTEX = "tests.toys.mutex:DESIGN"
ALIKE = "tests.toys.two_phase_commit:ALIKE"


def refused(*words):
    """What a command says that refuses these words."""
    done = tierproof(*words)
    assert done.returncode == 2
    return " ".join((done.stdout + done.stderr).split())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("explore", TANK, "--engine", "simulate", "--run", "x"), "--run is for a search"),
        (
            ("explore", TANK, "--engine", "memory", "--master", "m"),
            "--master is for --engine spark",
        ),
        (("explore", TANK, "--engine", "spark", "--seed", "1"), "--seed is for --engine simulate"),
        (
            ("review", "--design", TANK, "--update-ledger"),
            "--update-ledger is for registered designs",
        ),
        (
            ("explore", ALIKE, "--engine", "simulate", "--no-symmetry"),
            "--no-symmetry is for",
        ),
        (("explore", TANK, "--untaken", "--json"), "--untaken is for a table, not for --json"),
        (("explore", TANK, "--walks", "1"), "--walks is for --engine simulate"),
        (("explore", TANK, "--depth", "1"), "--depth is for --engine simulate"),
        (("explore", TANK, "--seconds", "1"), "--seconds is for --engine simulate"),
        (("explore", TANK, "--seed", "0"), "--seed is for --engine simulate"),
        (("diff", COURIER, "--variant", "turn_back", "--markdown", "--json"), "--markdown is for"),
        (("ablate", COURIER, "--markdown", "--json"), "--markdown is for"),
        (("ablate", COURIER, "--inherited"), "--inherited is for a design that changes another"),
        (("ablate", COURIER, "--variant", "turn_back", "--inherited"), "--inherited is for"),
        (("ablate", COURIER, "--part", "has_room", "--guards"), "--guards is for all parts"),
        (("isolate", TANK, "--kept", "--scope", "small"), "--scope is for a run that explores"),
        (("isolate", TANK, "--kept", "--finding", "x"), "--finding is for a run that explores"),
        (("isolate", TANK, "--kept", "--max-states", "9"), "--max-states is for a run that"),
        (("isolate", TANK, "--proposals", "--finding", "x"), "--finding is for a run of single"),
    ],
)
def test_an_option_of_another_engine_or_mode_is_refused(words, told):
    said = refused(*words)
    assert told in said
    assert "would do nothing here" in said


def test_findings_are_isolated_in_a_scope_of_their_own():
    finding = register_of(leaky_tank.DESIGN).findings[0]
    (other,) = [name for name in leaky_tank.DESIGN.scopes if name != finding.scope]
    said = refused("isolate", TANK, "--finding", finding.name, "--scope", other)
    assert f"--scope {other} would do nothing here" in said
    assert f"isolated in {finding.scope}" in said


def test_first_is_refused_where_liveness_alone_is_asked_about():
    late = Question(design=MUTEX, properties=("first_comes_in",))
    with pytest.raises(typer.BadParameter, match="not for liveness alone"):
        check_first(late)
    check_first(Question(design=MUTEX))
    check_first(Question(design=TANK, properties=("tank_has_water",)))


def test_a_bound_is_set_once():
    for values in (("1", "2"), ("1", "1")):
        bounds = [f"storms={value}" for value in values]
        with pytest.raises(typer.BadParameter, match=f"storms as {' and as '.join(values)}"):
            question_of(TANK, None, bounds, None, None, None)
    question = question_of(TANK, None, ["storms=1", "seams=2"], None, None, None)
    assert question.bounds == (("storms", 1), ("seams", 2))


@pytest.mark.parametrize(
    "words",
    [
        ("explore", ""),
        ("explore", TANK, "--scope", ""),
        ("explore", TANK, "--variant", ""),
        ("explore", TANK, "--variant", "repair_all", "--variant", " "),
        ("explore", TANK, "--without", ""),
        ("explore", TANK, "--property", ""),
        ("explore", TANK, "--finding", ""),
        ("explore", TANK, "--master", ""),
        ("explore", TANK, "--run", ""),
        ("explore", TANK, "--set", ""),
        ("draw", TANK, "--scope", ""),
        ("diff", TANK, ""),
        ("mail", TANK, ""),
        ("list", ""),
        ("ablate", TANK, "--part", ""),
        ("isolate", TANK, "--folder", ""),
        ("findings", TANK, "--only", ""),
        ("confirm", "x", ""),
        ("record", "x", "--kafka", ""),
        ("conform", ""),
        ("trace", TANK, ""),
    ],
)
def test_a_value_that_is_empty_is_refused(words):
    assert "is empty: leave it out, or say what" in refused(*words)


ODD_NUMBERS = ["1_0", " 10", "10 ", "+1", "\u0663", "1e3", "0x1", "ten", "1.", "--1"]


@pytest.mark.parametrize("digits", ODD_NUMBERS)
def test_a_number_is_written_in_decimal_digits(digits):
    with pytest.raises(ValueError, match="no whole number in decimal digits"):
        whole_number(digits)
    with pytest.raises(ValueError, match="no number in decimal digits"):
        decimal(digits)
    with pytest.raises(typer.BadParameter, match="a whole number"):
        question_of(TANK, None, [f"storms={digits}"], None, None, None)


@pytest.mark.parametrize("words", ["nan", "inf", "1" * 400, ".5"])
def test_what_is_no_time_is_no_decimal(words):
    with pytest.raises(ValueError, match="no number in decimal digits"):
        decimal(words)


def test_plain_digits_are_read():
    assert [whole_number("10"), whole_number("-1"), whole_number("007")] == [10, -1, 7]
    assert [decimal("10"), decimal("2.5")] == [10.0, 2.5]


@pytest.mark.parametrize("option", ["--max-states", "--seed", "--walks", "--depth", "--seconds"])
def test_an_option_that_is_a_number_is_read_so(option):
    said = refused("explore", TANK, "--engine", "simulate", option, "1_0")
    assert f"{option}: '1_0' is no" in said


FINDING = register_of(leaky_tank.DESIGN).findings[0]
ALL = Variant(
    name="repair_all", because="Both drip.", parts=(leaky_tank.SEAL_LEFT, leaky_tank.SEAL_RIGHT)
)
MENDED = replace(leaky_tank.DESIGN, variants=(*leaky_tank.DESIGN.variants, ALL))


def test_a_variant_that_brings_back_the_repair_is_refused_with_the_finding():
    asked = ("explore", "tests.explorer.test_idle_options:MENDED", "--finding", FINDING.name)
    said = refused(*asked, "--variant", "repair_all")
    assert f"--variant repair_all brings back {FINDING.repair}" in said
    said = refused(*asked, "--variant", str(FINDING.repair))
    assert f"brings back {FINDING.repair}, which --finding {FINDING.name} leaves out" in said


def test_a_variant_that_the_finding_has_already_is_refused():
    other = leaky_tank.SEAL_RIGHT.name
    said = refused("explore", TANK, "--finding", FINDING.name, "--variant", other)
    assert f"--variant {other} is taken with --finding {FINDING.name} already" in said


def test_a_finding_alone_shows_its_violation():
    done = tierproof("explore", TANK, "--finding", FINDING.name, "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["verdict"] == "VIOLATED"


def test_symmetry_is_not_switched_off_where_nothing_is_alike():
    said = refused("explore", TANK, "--no-symmetry")
    assert "--no-symmetry would do nothing, as no Index of 'leaky_tank' says alike=True" in said
