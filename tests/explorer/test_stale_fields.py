"""A field is stale where no behaviour reads it any more: what of the states it adds is counted."""

from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser
from typing import Annotated

import pytest

from tests.explorer.commands import tierproof
from tests.explorer.naive_bisimulation import NaiveBisimulation
from tests.toys import (
    alternating_bit,
    corridor,
    counter,
    courier,
    jugs,
    leaky_tank,
    mutex,
    two_phase_commit,
)
from tierproof.model.language import (
    GHOST,
    Design,
    Range,
    Scope,
    State,
    action,
    guard,
    initial,
    invariant,
    liveness,
    step_property,
)
from tierproof.spark_explorer.sizing import bisimulation
from tierproof.spark_explorer.sizing.size import Size, size


class Desk(State):
    """A clerk takes slips of three colours and files each; the clerk's hands keep the last one."""

    is_busy: bool
    slip: Annotated[int, Range(0, 2)]
    filed: Annotated[int, Range(0, 2)]
    reds: Annotated[int, Range(0, 2), GHOST]


@initial
def nothing_is_filed(state: Desk) -> None:
    """The clerk is idle."""


@guard
def is_idle(state: Desk) -> bool:
    """The clerk has no slip."""
    return not state.is_busy


@guard
def is_at_work(state: Desk) -> bool:
    """The clerk has a slip."""
    return state.is_busy


@guard
def last_was_red(state: Desk) -> bool:
    """The last slip that the clerk had was red."""
    return state.slip == 2


@action(guards=[is_idle])
def clerk_takes(state: Desk, colour: Annotated[int, Range(0, 2)]) -> None:
    """Take a slip."""
    state.is_busy, state.slip = True, colour


@action(guards=[is_at_work])
def clerk_files(state: Desk) -> None:
    """File it, and forget nothing."""
    state.is_busy, state.filed = False, state.slip
    if state.slip == 2 and state.reds < 2:
        state.reds += 1


@action(guards=[is_idle, last_was_red])
def clerk_takes_one_more(state: Desk) -> None:
    """After a red slip comes a green one."""
    state.is_busy, state.slip = True, 1


@invariant()
def never_files_green(state: Desk) -> bool:
    """No green slip is filed: it is violated, and reads what is filed."""
    return state.filed != 1


@invariant()
def filed_red_is_counted(state: Desk) -> bool:
    """A red slip that is filed is counted: it always holds."""
    return state.filed != 2 or state.reds > 0


@invariant()
def reds_are_few(state: Desk) -> bool:
    """At most one red slip is filed: it is violated."""
    return state.reds < 2


@step_property()
def reds_are_remembered(before: Desk, after: Desk) -> bool:
    """No red slip is forgotten, and none is counted twice: it always holds."""
    return counted(before) <= counted(after) <= counted(before) + 1


def counted(state: Desk) -> int:
    """The red slips that were filed, 2 at most."""
    return state.reds


@liveness(weak=[clerk_files])
def red_is_filed(state: Desk) -> bool:
    """A red slip is filed."""
    return state.filed == 2


DESK = Design(
    name="desk",
    title="A clerk at a desk",
    state=Desk,
    initial=(nothing_is_filed,),
    system=(clerk_takes, clerk_files),
    properties=(never_files_green,),
    scopes={"desk": Scope()},
)
LOOKING_BACK = replace(DESK, system=(clerk_takes, clerk_files, clerk_takes_one_more))


def measured(design: Design, scope: str = "desk", **bounds: int) -> Size:
    return size(design, design.scope(scope).replace(**bounds), stale=True, threads=2)


def stale(design: Design) -> dict[str, float]:
    return {one.part.name: one.stale or 0 for one in measured(design).fields}


def test_a_field_that_is_written_before_it_is_read_again_is_stale_by_the_exact_factor():
    """The slip of an idle clerk is stale, and so is a filed slip until the next is filed."""
    found = stale(DESK)
    naive = NaiveBisimulation(DESK, Scope())
    assert found["slip"] == naive.stale((1,)) > 1
    assert found["is_busy"] == 1


def test_a_field_that_is_read_on_some_way_is_not_stale_there():
    forgetful = replace(
        DESK, system=(clerk_takes, clerk_files_alone), properties=(), environment=()
    )
    looking = replace(forgetful, environment=(clerk_takes_one_more,))
    # An idle and a busy clerk, each with three slips: all three are one, or the red one is apart.
    assert stale(forgetful)["slip"] == 6 / 2
    assert stale(looking)["slip"] == 6 / 4


@action(guards=[is_at_work])
def clerk_files_alone(state: Desk) -> None:
    """File it where nobody looks, and forget nothing."""
    state.is_busy = False


def test_a_ghost_that_no_property_reads_is_stale():
    assert stale(DESK)["reds"] > 1


@pytest.mark.parametrize("claim", [filed_red_is_counted, reds_are_few, reds_are_remembered])
def test_a_ghost_that_only_a_property_reads_is_not_stale_where_it_does(claim):
    """Also of a property that holds everywhere: what it would say of another value is asked."""
    without, with_it = DESK, replace(DESK, properties=(never_files_green, claim))
    assert stale(with_it)["reds"] < stale(without)["reds"]


def test_a_ghost_is_stale_where_a_property_does_not_ask_for_it():
    """A step property asks for it at each step; an invariant only while a red slip is filed."""
    asked = replace(DESK, properties=(never_files_green, filed_red_is_counted))
    always = replace(DESK, properties=(never_files_green, reds_are_remembered))
    assert stale(asked)["reds"] > stale(always)["reds"] == 1


def test_a_ghost_of_many_values_is_not_stale_if_nobody_tries_them(monkeypatch):
    monkeypatch.setattr(bisimulation, "MOST_VALUES", 1)
    assert stale(DESK)["reds"] == 1


def test_a_field_that_only_a_goal_reads_is_not_stale():
    without = replace(DESK, properties=())
    with_it = replace(DESK, properties=(red_is_filed,))
    assert stale(with_it)["filed"] < stale(without)["filed"]


@pytest.mark.parametrize(
    ("design", "scope"),
    [
        pytest.param(design, scope, id=f"{design.name}-{scope}")
        for design, scope in (
            (DESK, "desk"),
            (LOOKING_BACK, "desk"),
            (two_phase_commit.DESIGN, "three"),
            (counter.DESIGN, "ten"),
            (alternating_bit.DESIGN, "two"),
            (mutex.DESIGN, "breaking"),
            (corridor.DESIGN, "three"),
            (courier.DESIGN, "one"),
            (jugs.DESIGN, "three_and_five"),
            (leaky_tank.DESIGN, "small"),
        )
    ],
)
def test_every_factor_is_that_of_a_bisimulation_made_by_hand(design, scope):
    """Limits, bounds, lifecycles, budgets, liveness; no toy here has a ghost that is read."""
    found, naive = measured(design, scope), NaiveBisimulation(design, design.scope(scope))
    assert found.staleness is not None
    assert found.distinct_states == len(naive.block)
    assert found.staleness.blocks == len(set(naive.block.values()))
    for one in found.parts:
        assert one.stale == pytest.approx(naive.stale(one.part.leaves)), one.part.name


def test_no_part_is_staler_than_it_is_large_or_than_the_blocks_allow():
    found = measured(two_phase_commit.DESIGN, "three")
    assert found.staleness is not None
    for one in found.parts:
        assert one.stale is not None
        assert 1 <= one.stale <= min(one.factor, found.staleness.factor)


def test_the_stalest_parts_come_first():
    factors = [one.stale or 0 for one in measured(two_phase_commit.DESIGN, "three").parts]
    assert factors == sorted(factors, reverse=True)


TWO_PHASE = "tests.toys.two_phase_commit:DESIGN"


def test_of_a_search_that_was_cut_nothing_is_stale_and_the_rest_is_measured():
    done = tierproof("size", TWO_PHASE, "--scope", "five", "--max-states", "500", "--stale")
    assert done.returncode == 3
    assert "No stale fields: the search was cut (the limit of 500 states)" in done.stdout
    assert "choose a scope that is explored to its end" in done.stdout
    assert "field left out" in done.stdout


def test_a_graph_that_does_not_fit_into_memory_is_refused_before_it_is_made(monkeypatch):
    monkeypatch.setattr(bisimulation, "bytes_for_blocks", lambda *counts: 1 << 60)
    monkeypatch.setattr(bisimulation.Observer, "blocks", None)
    done = measured(two_phase_commit.DESIGN, "three")
    assert done.staleness is None
    assert "288 states with 1,146 steps need 1073741824.0 GiB" in done.no_staleness
    assert done.no_staleness.endswith("are free: choose a smaller scope")
    assert done.fields[0].stale is None
    assert not done.is_whole


def test_what_was_measured_is_not_lost_when_the_search_for_stale_fields_is_interrupted(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(bisimulation.Observer, "blocks", interrupted)
    done = tierproof("size", TWO_PHASE, "--scope", "three", "--stale")
    assert done.returncode == 3
    assert "No stale fields: interrupted" in done.stdout
    assert "5.24" in done.stdout


def test_the_command_shows_the_stale_factor_beside_the_factor():
    done = tierproof("size", TWO_PHASE, "--scope", "three", "--stale")
    assert done.returncode == 0
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["field", "left", "out", "factor", "stale"] in [line[:5] for line in lines]
    assert ["tm_prepared[*]", "2.91", "2.12"] in [line[:3] for line in lines]
    assert "99 blocks of states that differ in no property and in no step, an action with its" in (
        done.stdout
    )


def test_json_has_the_stale_factors_or_null():
    asked = json.loads(tierproof("size", TWO_PHASE, "--scope", "three", "--stale", "--json").stdout)
    plain = json.loads(tierproof("size", TWO_PHASE, "--scope", "three", "--json").stdout)
    assert asked["staleness"] == {"blocks": 99, "rounds": 3, "factor": 2.9091}
    assert asked["fields"][0]["stale"] == 2.1176
    assert (plain["staleness"], plain["fields"][0]["stale"]) == (None, None)
    assert plain["no_staleness"] == ""


class _Bars(HTMLParser):
    """The widths of the rectangles of each picture of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.widths: list[list[str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "svg":
            self.widths.append([])
        if tag == "rect":
            self.widths[-1].append(dict(attrs)["width"] or "")


def test_the_page_has_a_bar_for_each_part_with_its_stale_share(tmp_path):
    page = tmp_path / "new" / "size.html"
    done = tierproof("size", TWO_PHASE, "--scope", "three", "--stale", "--report", str(page))
    assert done.returncode == 0
    read = _Bars()
    read.feed(page.read_text("utf-8"))
    assert len(read.widths) == 3 + 4
    assert read.widths[0] == ["100%", "65.6%", "52.8%"]


def test_the_page_says_why_nothing_is_stale(tmp_path):
    page = tmp_path / "size.html"
    given = ("--scope", "five", "--max-states", "500", "--stale", "--report", str(page))
    assert tierproof("size", TWO_PHASE, *given).returncode == 3
    assert "No stale fields: the search was cut (the limit of 500 states)" in page.read_text()


def test_the_page_is_written_also_where_nobody_reads_the_table(tmp_path, monkeypatch):
    def unread(*_):
        raise BrokenPipeError

    monkeypatch.setattr("tierproof.command_line.size_table.show", unread)
    page = tmp_path / "size.html"
    tierproof("size", TWO_PHASE, "--scope", "three", "--report", str(page))
    assert "What makes two-phase-commit big in scope three" in page.read_text("utf-8")


def test_a_page_that_cannot_be_written_is_refused_before_the_search(tmp_path):
    (tmp_path / "file").touch()
    page = str(tmp_path / "file" / "size.html")
    done = tierproof("size", TWO_PHASE, "--scope", "three", "--report", page)
    assert done.returncode == 4
    assert "cannot write to" in done.stderr
    assert "distinct states" not in done.stdout


def test_an_estimate_of_a_factor_is_never_below_the_stale_factor_that_was_counted(monkeypatch):
    part = measured(two_phase_commit.DESIGN, "three").parts[0]
    assert part.stale is not None
    estimated = replace(part, left=288, factor=1.0, is_exact=False, stale=None)
    monkeypatch.setattr("tierproof.spark_explorer.sizing.size.sizes_of", lambda *_: [estimated])
    (found,) = measured(two_phase_commit.DESIGN, "three").parts
    assert (found.stale, found.factor) == (part.stale, part.stale)
