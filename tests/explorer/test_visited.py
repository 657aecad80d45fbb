"""The visited table: each fingerprint is new once, however full it is, and whoever inserts it."""

import errno
import os
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest

from tierproof.spark_explorer.native import memory_left, visited
from tierproof.spark_explorer.native.visited import Visited, insert_all, keep_new, mark_visited

TOP = (1 << 64) - 1


def drawn(count: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 1 << 64, count, np.uint64)


def states_of(found: np.ndarray) -> np.ndarray:
    """A packed state for each fingerprint: of two words, so that a second half is mixed."""
    return np.stack([found, found ^ np.uint64(TOP)], axis=1)


def inserted_by(table: Visited, found: np.ndarray) -> int:
    return int(insert_all(table.table, states_of(found), found))


def inserted(table: Visited, found: np.ndarray) -> int:
    table.reserve(len(found))
    new = inserted_by(table, found)
    table.count += new
    return new


@pytest.mark.parametrize("bits", [64, 128])
@pytest.mark.parametrize(
    "found",
    [
        drawn(5_000),
        np.arange(5_000, dtype=np.uint64),  # 0 among them, and all belong in the first row
        TOP - np.arange(5_000, dtype=np.uint64),  # in the last row: they go on in the first
    ],
    ids=["anywhere", "first", "last"],
)
def test_each_fingerprint_is_new_once(found, bits):
    table, known = Visited(64, bits), set[int]()
    for start in range(0, len(found), 500):
        part = found[start : start + 500]
        assert inserted(table, part) == len(part)
        known |= set(part.tolist())
        assert inserted(table, found[: start + 500]) == 0
        is_visited = np.zeros(len(found), np.bool_)
        mark_visited(table.table, states_of(found), found, is_visited)
        assert set(found[is_visited].tolist()) == known
    assert table.count == len(found) <= visited.FULLEST * table.capacity


@pytest.mark.parametrize("bits", [64, 128])
def test_a_table_grows_less_once_it_is_large_and_loses_nothing(monkeypatch, bits):
    monkeypatch.setattr(visited, "SMALL", 1 << 8)
    monkeypatch.setattr(visited, "STRIDE", 1 << 9)  # a page: it is given back on the way
    table, found = Visited(64, bits), drawn(20_000)
    sizes = []
    for start in range(0, len(found), 100):
        inserted(table, found[start : start + 100])
        sizes.append(table.capacity)
    assert inserted_by(table, found) == 0
    factors = [b / a for a, b in pairwise(sizes) if b > a and a > 1 << 10]
    assert factors
    assert all(factor == pytest.approx(visited.GROWTH, rel=0.01) for factor in factors)


@pytest.mark.parametrize("bits", [64, 128])
@pytest.mark.parametrize("seed", range(3))
def test_of_several_threads_one_hears_that_a_fingerprint_is_new(seed, bits):
    found, table = np.append(drawn(40_000, seed), np.uint64(0)), Visited(1 << 16, bits)
    with ThreadPoolExecutor(4) as pool:
        orders = [np.random.default_rng(one).permutation(found) for one in range(4)]
        counts = list(pool.map(lambda order: inserted_by(table, order), orders))
    assert sum(counts) == len(set(found.tolist()))


@pytest.mark.parametrize("seed", range(3))
def test_with_128_bits_states_that_share_the_first_64_are_told_apart_by_all_threads(seed):
    """As if the first half were worth three bits: so every state collides with a thousand."""
    states, table = states_of(drawn(8_000, seed)), Visited(1 << 14, 128)
    found = states[:, 0] >> np.uint64(61) << np.uint64(61)

    def insert(thread: int) -> int:
        order = np.random.default_rng(thread).permutation(len(states))
        return int(insert_all(table.table, states[order], found[order]))

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(insert, range(4))) == len(states)
    table.count = len(states)
    table.reserve(20_000)
    is_visited = np.zeros(len(states), np.bool_)
    mark_visited(table.table, states, found, is_visited)
    assert is_visited.all()


def test_states_with_new_fingerprints_are_kept_in_their_order():
    table, found = Visited(64), np.array([5, 0, 5, 7, 0], np.uint64)
    states, kept = np.arange(10, dtype=np.uint64).reshape(5, 2), np.zeros((5, 2), np.uint64)
    assert keep_new(table.table, states, found, kept) == 3
    assert kept[:3].tolist() == [[0, 1], [2, 3], [6, 7]]


def test_memory_that_the_system_refuses_is_memory_that_there_is_not(monkeypatch):
    table = Visited(64)

    def refuse(*given: object, **named: object) -> None:
        raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))

    monkeypatch.setattr("mmap.mmap", refuse)
    with pytest.raises(MemoryError):
        table.reserve(1_000)


def test_a_table_for_which_there_is_no_memory_keeps_what_it_has(monkeypatch):
    table, found = Visited(64), drawn(40)
    inserted(table, found)
    monkeypatch.setattr(memory_left, "free_memory", lambda: 0)
    with pytest.raises(MemoryError):
        table.reserve(1_000)
    assert table.count == 40
    assert inserted_by(table, found) == 0
