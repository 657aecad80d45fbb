"""A trace is shortened to steps that are all needed; a sketch estimates how many are distinct."""

from collections.abc import Sequence

import numpy as np
import pytest

from tierproof.spark_explorer.native.packing import fingerprints
from tierproof.spark_explorer.native.walking import REGISTER_BITS, count_distinct
from tierproof.spark_explorer.shortening import Taken, shortened
from tierproof.spark_explorer.sketch import estimate


def adding(target: int):
    """Steps are numbers that are added up; one that would exceed the target is not enabled."""

    def retrace(labels: Sequence[int]) -> Taken | None:
        taken: list[int] = []
        passed = [0]
        for label in [0, *labels]:
            if label and 0 <= passed[-1] + label <= target:
                taken.append(label)
                passed.append(passed[-1] + label)
            if passed[-1] == target:
                return Taken(taken, passed)
        return None

    return retrace


def left_of(labels: list[int], target: int) -> list[int]:
    retrace = adding(target)
    taken = retrace(labels)
    assert taken is not None
    return shortened(taken, retrace).labels


def test_steps_that_are_not_needed_are_left_out():
    assert left_of([6, -2, 4, -3, 1, 3], target=9) == [6, 3]


def test_steps_that_are_needed_stay_in_their_order():
    assert left_of([3, 4, 2], target=9) == [3, 4, 2]


def test_a_cycle_is_cut_though_none_of_its_steps_can_be_left_out_alone():
    assert left_of([4, 5, 5, -3, -3, -4, 11], target=15) == [4, 11]


def test_what_reports_at_once_needs_no_step():
    assert left_of([], target=0) == []


@pytest.mark.parametrize("seed", range(5))
def test_no_single_step_can_be_left_out_in_the_end(seed):
    random = np.random.default_rng(seed)
    labels = [*random.integers(-3, 7, 200).tolist(), *[1] * 60]
    left, retrace = left_of(labels, target=60), adding(60)
    assert sum(left) == 60
    for number in range(len(left)):
        fewer = retrace(left[:number] + left[number + 1 :])
        assert fewer is None or len(fewer) >= len(left)


def sketch_of(numbers: range) -> np.ndarray:
    registers = np.zeros(1 << REGISTER_BITS, np.uint8)
    for found in fingerprints(np.array(numbers, np.uint64)[:, None]):
        count_distinct(registers, found)
    return registers


def test_nothing_is_estimated_as_nothing():
    assert estimate([sketch_of(range(0))]) == 0


@pytest.mark.parametrize("count", [1, 10, 300, 5_000, 40_000, 150_000])
def test_an_estimate_is_close(count):
    assert estimate([sketch_of(range(count))]) == pytest.approx(count, rel=0.025)


def test_sketches_of_several_threads_count_together_what_each_has_seen():
    one, other = sketch_of(range(30_000)), sketch_of(range(20_000, 50_000))
    assert estimate([one, other]) == estimate([sketch_of(range(50_000))])
