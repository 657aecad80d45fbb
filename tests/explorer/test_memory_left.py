"""A search ends INCOMPLETE before the machine, or its container, has no more memory."""

from pathlib import Path

import pytest

from tests.toys import two_phase_commit
from tierproof.spark_explorer import folders, memory
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native import memory_left
from tierproof.spark_explorer.native.memory_left import free_memory
from tierproof.spark_explorer.results import Verdict
from tierproof.spark_explorer.search import explore
from tierproof.spark_explorer.spark import table

GIB = 1 << 30
FIRST = "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
SECOND = "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"


class Machine:
    """Files of /proc and of control groups, as a machine with 8 GiB shows them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.write("proc/meminfo", f"MemTotal: 1 kB\nMemAvailable:    {8 * GIB >> 10} kB\n")

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def process_in(self, mounts: str, groups: str) -> None:
        self.write("proc/self/mountinfo", mounts)
        self.write("proc/self/cgroup", groups)

    def group_of_version_1(self, path: str, limit: int, used: int, files: int = 0) -> None:
        folder = f"sys/fs/cgroup/memory/{path}"
        self.write(f"{folder}/memory.limit_in_bytes", f"{limit}\n")
        self.write(f"{folder}/memory.usage_in_bytes", f"{used}\n")
        self.write(f"{folder}/memory.stat", f"cache 5\ntotal_inactive_file {files}\n")

    def group_of_version_2(self, path: str, limit: str, used: int, files: int = 0) -> None:
        folder = f"sys/fs/cgroup/{path}"
        self.write(f"{folder}/memory.max", f"{limit}\n")
        self.write(f"{folder}/memory.high", "max\n")
        self.write(f"{folder}/memory.current", f"{used}\n")
        self.write(f"{folder}/memory.stat", f"anon 5\ninactive_file {files}\n")


@pytest.fixture
def machine(tmp_path) -> Machine:
    return Machine(tmp_path)


def test_without_control_groups_it_is_that_of_the_machine(machine):
    assert free_memory(machine.root) == 8 * GIB


def test_a_container_of_version_2_has_what_its_limit_leaves(machine):
    machine.process_in(SECOND, "0::/\n")
    machine.group_of_version_2("", str(2 * GIB), GIB + 5)
    assert free_memory(machine.root) == GIB - 5


def test_a_container_of_version_1_has_what_its_limit_leaves(machine):
    """Docker mounts the container's own group as the root, and names the one of the host."""
    machine.process_in(FIRST, "4:memory:/docker/0a1b\n3:cpu:/docker/0a1b\n")
    machine.group_of_version_1("", 2 * GIB, GIB + 5)
    assert free_memory(machine.root) == GIB - 5


def test_the_narrowest_group_above_a_process_counts(machine):
    machine.process_in(SECOND, "0::/slice/service\n")
    machine.group_of_version_2("slice", str(3 * GIB), GIB)
    machine.group_of_version_2("slice/service", "max", 1)
    assert free_memory(machine.root) == 2 * GIB


def test_a_limit_above_which_processes_are_slowed_down_counts_as_one(machine):
    machine.process_in(SECOND, "0::/\n")
    machine.group_of_version_2("", "max", GIB)
    machine.write("sys/fs/cgroup/memory.high", f"{3 * GIB}\n")
    assert free_memory(machine.root) == 2 * GIB


@pytest.mark.parametrize("version", [1, 2])
def test_files_that_a_group_can_drop_from_memory_are_left(version, machine):
    machine.process_in(FIRST + SECOND, "4:memory:/\n0::/\n")
    if version == 1:
        machine.group_of_version_1("", 2 * GIB, 2 * GIB, files=GIB)
    else:
        machine.group_of_version_2("", str(2 * GIB), 2 * GIB, files=GIB)
    assert free_memory(machine.root) == GIB


def test_a_limit_that_is_no_limit_leaves_what_the_machine_has(machine):
    machine.process_in(FIRST, "4:memory:/\n")
    machine.group_of_version_1("", (1 << 63) - 4096, GIB)
    assert free_memory(machine.root) == 8 * GIB


def test_more_used_than_the_limit_is_nothing_left(machine):
    machine.process_in(SECOND, "0::/\n")
    machine.group_of_version_2("", str(GIB), 2 * GIB)
    assert free_memory(machine.root) == 0


def test_a_search_ends_with_its_counts_before_the_limit_of_a_container(monkeypatch):
    """Also where no table grows just then: the frontier takes memory, too."""
    monkeypatch.setattr(memory_left, "is_exhausted", lambda: True)
    scope = two_phase_commit.DESIGN.scope("eight")
    result = explore(two_phase_commit.DESIGN, scope, MemoryExecution)
    assert result.verdict is Verdict.INCOMPLETE
    assert result.cut == "the machine, or its container, has no more memory for visited states"
    assert result.distinct_states > memory.ALONE


def test_a_table_in_shared_memory_does_not_take_more_than_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr(folders, "SHARED", tmp_path)
    monkeypatch.setattr(table, "free_memory", lambda: 1 << 20)
    small = table.MappedVisited.create(tmp_path / "0000.visited", capacity=1 << 8)
    with pytest.raises(MemoryError):
        small.grow(1 << 18)
