"""The findings of a design in a terminal and for a thread: what all share is said once."""

import pytest

from tierproof.diagrams.cards import (
    Card,
    Register,
    Shared,
    register_as_text,
    registers_as_markdown,
)
from tierproof.diagrams.report import write_report


def card(name, *, holds_in=3, repair="repair", unrepaired=""):
    return Card(
        name=name,
        title=name.capitalize(),
        claims=("claim",),
        severity="loss",
        needs="a crash",
        tracker=None,
        in_short="It is lost.",
        fix="Wait.",
        costs="Time.",
        repair=repair,
        unrepaired=unrepaired,
        holds_in=holds_in,
        scopes=3,
        steps=2,
        scope="small",
        page="",
    )


def register(*cards, shared=()):
    return Register(
        design="tank", title="Tank", document="", cards=cards, inherited=shared, holdings=()
    )


def shared(*designs):
    return tuple(Shared(title="Other", severity="loss", design=name, page="") for name in designs)


def lines(told):
    return list(register_as_text(told))


EACH = "each fix holds in 3 of 3 scopes, with all other fixes"


def test_what_all_fixes_share_is_said_once_and_first():
    assert lines(register(card("left"), card("right"))) == [
        "tank: 2 × loss",
        f"  {EACH}",
        "  loss: Left",
        "  loss: Right",
    ]


def test_a_finding_of_which_it_is_not_true_says_so_itself():
    weak = card("weak", holds_in=1)
    lid = card("lid", holds_in=0, repair=None, unrepaired="no lid withstands a storm")
    assert lines(register(card("left"), card("right"), weak, lid))[1:] == [
        f"  {EACH}, unless a finding says otherwise",
        "  loss: Left",
        "  loss: Right",
        "  loss: Weak",
        "      the fix holds in 1 of 3 scopes, with all other fixes",
        "  loss: Lid",
        "      open: no lid withstands a storm",
    ]


def test_a_single_finding_says_it_itself():
    told = lines(register(card("left")))
    assert told[1:] == [
        "  loss: Left",
        "      the fix holds in 3 of 3 scopes, with all other fixes",
    ]


@pytest.mark.parametrize(
    ("designs", "words"),
    [
        (("a", "", "b", "a"), "and 4 causes that it shares with a, b"),
        (("a",), "and 1 cause that it shares with a"),
        (("",), "and 1 cause that it shares with another design"),
    ],
)
def test_a_design_that_is_not_known_leaves_no_gap_in_the_list(designs, words):
    assert lines(register(shared=shared(*designs)))[-1] == f"  {words}"


def test_markdown_and_the_report_say_it_once_too(tmp_path):
    told = register(card("left"), card("right"), shared=shared("", "a"))
    text = registers_as_markdown([told])
    assert text.count("with all other fixes") == 1
    assert "- Other (loss)\n- Other (loss; a)\n" in text
    page = write_report([], {}, tmp_path, {}, registers=[told]).read_text("utf-8")
    assert page.count("with all other fixes") == 1
