"""Machine code is kept on disk under a digest of its inputs; long runs switch to better code."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.toys import two_phase_commit
from tierproof.model.language import Design
from tierproof.spark_explorer import search
from tierproof.spark_explorer.compiler import loading, storage
from tierproof.spark_explorer.compiler.entries import Entries
from tierproof.spark_explorer.compiler.loading import QUICK, THOROUGH, Source, key_of, load
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native import worker
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.search import explore

TEXT = """define i64 @answer() {
entry:
  ret i64 42
}
"""
SOURCE = Source.of(TEXT, ("answer",))


@pytest.fixture(autouse=True)
def kept(tmp_path, monkeypatch):
    """A cache folder of this test's own, and a process that has loaded nothing yet."""
    monkeypatch.setattr(loading, "folder", lambda: tmp_path)
    monkeypatch.setattr(loading, "_ENGINES", {})
    return tmp_path


def files_in(folder):
    return list((folder / "native").glob("*"))


def load_as_if_new(monkeypatch, level=QUICK):
    """What a process that begins now would load; code that was loaded stays where it is."""
    monkeypatch.setattr(loading, "_ENGINES", {})
    return load(SOURCE, level)


def test_code_is_compiled_once_and_loaded_by_the_next_process(kept, monkeypatch):
    assert not load(SOURCE, QUICK).was_kept
    assert len(files_in(kept)) == 1
    assert load_as_if_new(monkeypatch).was_kept


def test_whoever_needs_the_same_code_at_the_same_time_waits_for_it(monkeypatch):
    compiled = []

    def slowly(text: str, level: int) -> bytes:
        time.sleep(0.2)
        compiled.append(level)
        return compiling(text, level)

    compiling = loading._compiled
    monkeypatch.setattr(loading, "_compiled", slowly)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: load(SOURCE, QUICK), range(4)))
    assert compiled == [QUICK]
    assert all(one.addresses["answer"] for one in found)


def test_one_process_compiles_the_engine_while_others_wait(monkeypatch):
    held: list[str] = []

    @contextlib.contextmanager
    def noted(key: str) -> Iterator[None]:
        held.append(key)
        yield

    monkeypatch.setattr(worker, "held", noted)
    worker.prepare(Kernel(two_phase_commit.DESIGN, two_phase_commit.DESIGN.scope("three")))
    assert held == [storage.ENGINE]
    assert not set(storage.ENGINE[:2]) <= set("0123456789abcdef")  # no digest has its lock


def test_code_that_was_damaged_is_compiled_anew(kept, monkeypatch):
    load(SOURCE, QUICK)
    (file,) = files_in(kept)
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    assert not load_as_if_new(monkeypatch).was_kept
    assert load_as_if_new(monkeypatch).was_kept


def test_half_a_file_is_no_code(kept, monkeypatch):
    load(SOURCE, QUICK)
    (file,) = files_in(kept)
    file.write_bytes(file.read_bytes()[:100])
    assert not load_as_if_new(monkeypatch).was_kept


def test_where_nothing_can_be_kept_the_code_is_used_all_the_same(kept):
    (kept / "native").write_text("a file where the folder should be")
    assert load(SOURCE, QUICK).addresses["answer"] != 0


def test_the_name_says_text_and_level():
    names = {key_of(TEXT, QUICK), key_of(TEXT, THOROUGH), key_of(TEXT + " ", QUICK)}
    assert len(names) == 3


def test_thorough_code_is_taken_where_it_is_kept(monkeypatch):
    load(SOURCE, THOROUGH)
    monkeypatch.setattr(loading, "_ENGINES", {})
    found = loading.kept(SOURCE)
    assert found is not None
    assert found.level == THOROUGH


def text_of(design: Design, scope: str) -> str:
    return Entries(design, design.scope(scope)).write().text


def test_ablations_and_limits_of_a_scope_share_one_text():
    toy = two_phase_commit.DESIGN
    assert text_of(toy, "three") == text_of(toy.without("is_init"), "three")
    assert text_of(toy, "three") != text_of(toy, "five")


def test_the_text_is_the_same_in_every_process():
    """Else nothing would be found again, whatever the order of sets and dictionaries."""
    words = (
        "from tests.explorer.test_kept_code import text_of, two_phase_commit;"
        "print(text_of(two_phase_commit.DESIGN, 'three'))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", words],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(found) == 1


def test_a_long_search_takes_better_code_and_finds_the_same(monkeypatch):
    scope = two_phase_commit.DESIGN.scope("five")
    usual = explore(two_phase_commit.DESIGN, scope, MemoryExecution)
    monkeypatch.setattr(search, "WORTH_OPTIMISING", 100)
    other = explore(two_phase_commit.DESIGN, scope, MemoryExecution)
    assert (usual.optimise_seconds, other.optimise_seconds > 0) == (0, True)
    assert other.actions == usual.actions
    assert other.frontier_sizes == usual.frontier_sizes
    assert Kernel(two_phase_commit.DESIGN, scope).loaded.level == THOROUGH


def test_code_for_one_scope_is_that_of_its_bounds_its_dropped_guards_and_its_arguments():
    """None of them is in the text that scopes share, and each is a literal of this code."""
    toy = two_phase_commit.DESIGN

    def key(design: Design, scope: str) -> str:
        return Kernel(design, design.scope(scope)).thorough.key

    assert key(toy, "three") == key(toy, "three")
    assert key(toy, "three") != key(toy.without("is_init"), "three")
    assert key(toy, "three") != key(toy, "five")
