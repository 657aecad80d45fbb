"""A running search says what it has ahead where the shape of its levels tells, and else nothing."""

from __future__ import annotations

import pytest

from tests.toys import two_phase_commit
from tierproof.spark_explorer import search
from tierproof.spark_explorer.forecast import Forecast, forecast
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native import memory_left
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.visited import FULLEST
from tierproof.spark_explorer.native.worker import prepare
from tierproof.spark_explorer.outlook import Outlook
from tierproof.spark_explorer.progress import Phase, Progress
from tierproof.spark_explorer.search import explore

EIGHT_MANAGERS = [1, 17, 136, 688, 2_500, 7_056, 16_408, 32_972, 59_254, 96_816, 143_840, 192_656]
EIGHT_MANAGERS += [230_412, 244_342, 228_712, 188_304, 135_833, 85_377, 46_392, 21_560, 8_456]
EIGHT_MANAGERS += [2_758, 736, 156, 24, 2]
"""The levels of two-phase commit with eight managers, 1,745,408 states in all."""


def test_a_forecast_is_within_its_error_from_the_first_one_on():
    told = [found for end in range(1, 26) if (found := forecast(EIGHT_MANAGERS[:end]))]
    assert len(told) == 10
    assert all(one.low <= 1_745_408 <= one.high for one in told)
    assert told[-1].factor < 1.1


def test_levels_that_still_grow_tell_nothing():
    assert forecast(EIGHT_MANAGERS[:13]) is None
    assert forecast([2**level for level in range(20)]) is None


def test_levels_that_stay_as_they_are_tell_nothing():
    assert forecast([5_000] * 30) is None


def test_levels_that_rise_again_tell_nothing():
    assert forecast([*EIGHT_MANAGERS[:18], 90_000]) is None


def test_few_states_are_worth_no_forecast():
    assert forecast([size // 1_000 + 1 for size in EIGHT_MANAGERS[:18]]) is None


def progress(outlook: Outlook) -> str:
    made = Progress(
        phase=Phase.STATES,
        level=17,
        frontier=85_377,
        left=0,
        distinct=1_500_000,
        generated=9,
        seconds=10.0,
        outlook=outlook,
    )
    return made.numbers


def test_progress_says_what_is_left_and_for_how_long():
    expected = Forecast(total=1_800_000, factor=1.125)
    words = progress(Outlook(largest=244_342, expected=expected))
    assert words.startswith("frontier 85,377 (largest 244,342)")
    assert words.endswith("left 100,000 to 525,000 (4 s at most)")


def test_progress_says_when_memory_will_end_if_the_states_may_not_fit():
    assert progress(Outlook(held=3 << 30, room=4_500_000)).endswith(
        "held 3.0 GiB  memory for 3,000,000 more (20 s)"
    )
    expected = Forecast(total=1_800_000, factor=1.125)
    assert "memory for" not in progress(Outlook(room=4_500_000, expected=expected))
    assert "memory for" in progress(Outlook(room=1_900_000, expected=expected))


def test_progress_says_nothing_that_is_not_known():
    assert progress(Outlook()).endswith("150,000 states/s")


@pytest.fixture
def kernel() -> Kernel:
    design = two_phase_commit.DESIGN
    made = Kernel(design, design.scope("five"))
    prepare(made)
    return made


def test_memory_has_room_until_no_table_can_grow(kernel, monkeypatch):
    execution = MemoryExecution(kernel, 2)
    monkeypatch.setattr(memory_left, "free_memory", lambda: 64 << 20)
    room = execution.room
    execution.close()
    table = execution.visited
    assert 0 < room < table.capacity + (64 << 20) / 8
    monkeypatch.setattr(memory_left, "free_memory", lambda: 1)
    assert room > execution.room == int(FULLEST * table.capacity)


def test_a_search_reports_what_it_holds(monkeypatch):
    monkeypatch.setattr(search, "WORTH_AN_OUTLOOK", 1_000)
    points: list[Progress] = []
    design = two_phase_commit.DESIGN
    explore(design, design.scope("five"), MemoryExecution, watch=points.append)
    told = [one.outlook for one in points if one.outlook.held is not None]
    assert told
    assert all(one.room and one.held and one.held > 8 * 1_000 for one in told)
    assert told[-1].largest == max(one.frontier for one in points)
