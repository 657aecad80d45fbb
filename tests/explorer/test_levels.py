"""The levels of a search: where its traces, and liveness, begin again."""

from types import SimpleNamespace

import numpy as np
import pytest

from tests.toys import mutex, two_phase_commit
from tierproof.spark_explorer import folders, levels
from tierproof.spark_explorer.levels import Levels
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.search import explore


def level(first: int, rows: int) -> np.ndarray:
    return np.arange(first, first + 2 * rows, dtype=np.uint64).reshape(rows, 2)


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    monkeypatch.setattr(levels, "IN_MEMORY", 100)
    monkeypatch.setattr(folders, "temporary", lambda: tmp_path)
    return tmp_path


def on_disk(folder) -> list[str]:
    return sorted(path.name for path in folder.glob("*/*.words"))


def test_levels_go_to_disk_once_they_are_many_and_are_read_as_they_were(temporary):
    kept = Levels(2)
    wanted = [level(0, 1), level(10, 0), level(20, 5), level(40, 9)]
    for one in wanted:
        kept.add([one[:3], one[3:]])
    assert on_disk(temporary) == ["level=0000.words", "level=0002.words", "level=0003.words"]
    assert kept.nbytes == 0
    assert [kept[number].tolist() for number in range(len(kept))] == [
        one.tolist() for one in wanted
    ]
    kept.close()
    assert on_disk(temporary) == []


def test_a_level_stays_in_memory_where_the_disk_is_full(temporary, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=0))
    kept = Levels(2)
    kept.add([level(0, 20)])
    assert (on_disk(temporary), kept.nbytes) == ([], 320)
    assert kept[0].tolist() == level(0, 20).tolist()


def test_what_a_killed_search_has_left_is_removed(temporary):
    left = temporary / f"{folders.NAME}of-a-killed-process"
    left.mkdir()
    (left / folders.LOCK).touch()
    (left / "level=0000.words").write_bytes(bytes(8))
    kept = Levels(2)
    kept.add([level(0, 20)])
    assert not left.exists()
    assert on_disk(temporary) == ["level=0000.words"]
    kept.close()


@pytest.mark.parametrize(
    ("design", "scope"), [(two_phase_commit.DESIGN, "five"), (mutex.DESIGN, "three")]
)
def test_a_search_whose_levels_are_on_disk_finds_the_same(design, scope, temporary):
    small = explore(design, design.scope(scope), MemoryExecution).as_dict()
    levels.IN_MEMORY = 1 << 30
    large = explore(design, design.scope(scope), MemoryExecution).as_dict()
    assert on_disk(temporary) == []
    assert small["properties"] == large["properties"]
    assert small["distinct_states"] == large["distinct_states"]
