"""Whatever is done to files of a topic: no traceback, and no silence about what was lost."""

import functools

import pytest

from tests.audit.reading.mutants import RECORDS, files_of, mutant_of
from tierproof.conformance.audit.generating import GeneratedTopic
from tierproof.conformance.audit.reading import read_metadata
from tierproof.conformance.audit.reading.reasons import (
    DUPLICATE_OFFSET,
    OFFSET_GAP,
    OUT_OF_ORDER,
    REASONS,
)


def rows_of(reading):
    """Offset -> the row, without the file that it is from."""
    rows = reading.records.to_table().drop(["source"]).to_pylist()
    assert len({row["record_offset"] for row in rows}) == len(rows)
    return {row["record_offset"]: row for row in rows}


@functools.cache
def original(seed, codec, folder):
    files = files_of(GeneratedTopic(records=RECORDS, seed=seed, codec=codec))
    reading = read_metadata([files.write(folder / f"in-{seed}")], folder / f"out-{seed}", threads=1)
    assert reading.set_aside.num_rows == 0
    return rows_of(reading)


def check(seed, folder, split_bytes):
    """Read a mutant, and account for each record that is not read from it."""
    files = mutant_of(seed)
    log_dir = files.write(folder / f"mutant-{seed}")
    into = folder / f"read-{seed}"
    reading = read_metadata([log_dir], into, threads=1, split_bytes=split_bytes)
    found, asides = rows_of(reading), reading.set_aside.to_pylist()
    expected = original(seed, 0, folder)
    told = f"seed {seed}: {files.changes}, {asides}"
    assert {row["reason"] for row in asides} <= set(REASONS), told
    wrong = {offset for offset, row in found.items() if expected.get(offset) != row}
    gaps = [row for row in asides if row["reason"] == OFFSET_GAP]
    ends_of_gaps = {row["record_offset"] + row["records"] for row in gaps}
    assert wrong == set() or min(wrong) in ends_of_gaps, told
    lost = expected.keys() - (found.keys() - wrong)
    unknown = any(row["records"] is None for row in asides)
    counted = [row for row in asides if row["reason"] not in (DUPLICATE_OFFSET, OUT_OF_ORDER)]
    assert unknown or len(lost) <= sum(row["records"] for row in counted), told
    if set(files.changes) <= {"double", "reorder", "insert"}:
        assert lost == set(), told
    if files.changes != ["corrupt"]:  # three bytes of a header are covered by no checksum
        assert asides or found == expected, told


@pytest.mark.parametrize("hundred", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_of_100_mutants_everything_lost_is_accounted_for(hundred, tmp_path):
    for seed in range(100 * hundred, 100 * hundred + 100):
        check(seed, tmp_path, split_bytes=1 << 20)


@pytest.mark.slow
@pytest.mark.parametrize("hundred", range(2, 12))
def test_of_1000_mutants_everything_lost_is_accounted_for_in_small_splits(hundred, tmp_path):
    for seed in range(100 * hundred, 100 * hundred + 100):
        check(seed, tmp_path, split_bytes=257 + seed % 1000)
