"""The engine's own compiled functions are kept in sealed files: a damaged one is compiled anew."""

import pytest

from tierproof.spark_explorer.compiler.storage import write_sealed
from tierproof.spark_explorer.native import keeping
from tierproof.spark_explorer.native.keeping import njit
from tierproof.spark_explorer.native.packing import FAST


def doubled(number):
    """Twice the number."""
    return 2 * number


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """A cache folder in which a function is kept."""
    monkeypatch.setattr(keeping, "folder", lambda: tmp_path)
    assert njit(**FAST)(doubled)(21) == 42
    return tmp_path


def hits() -> int:
    """How often a process that begins now finds the code of the function."""
    compiled = njit(**FAST)(doubled)
    assert compiled(21) == 42
    return sum(compiled.stats.cache_hits.values())


def truncated(content: bytes) -> bytes:
    return content[: len(content) // 2]


def with_other_bytes(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes(byte ^ 0xFF for byte in content[middle:])


def emptied(content: bytes) -> bytes:
    return b""


def test_the_engine_is_compiled_once(kept):
    assert hits() == 1


@pytest.mark.parametrize("damage", [truncated, with_other_bytes, emptied])
@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_a_damaged_file_of_the_engine_is_compiled_anew(ending, damage, kept):
    (file,) = kept.rglob(f"*.{ending}")
    file.write_bytes(damage(file.read_bytes()))
    assert hits() == 0
    assert hits() == 1


def test_code_of_an_older_engine_is_compiled_anew(kept, monkeypatch):
    monkeypatch.setattr(keeping, "engine_digest", lambda: "of another text")
    assert hits() == 0
    assert hits() == 1


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_code_of_an_engine_with_other_types_is_compiled_anew(ending, kept):
    (file,) = kept.rglob(f"*.{ending}")
    unknown = b"ctests.explorer.test_kept_engine\nno_such_type_in_this_engine\n."
    write_sealed(file, unknown)
    assert hits() == 0
    assert hits() == 1


def test_code_of_another_room_is_as_new_as_the_text_of_that_room(kept, monkeypatch):
    def found():
        compiled = keeping.njit_of("tests.toys")(doubled)
        assert compiled(21) == 42
        return sum(compiled.stats.cache_hits.values())

    assert (found(), found()) == (0, 1)
    monkeypatch.setattr(keeping, "digest_of", lambda room: "of another text")
    assert found() == 0


def test_an_index_that_was_written_before_its_code_finds_none(kept, monkeypatch):
    """Numba writes the index first: a process that is killed then leaves older code beside it."""
    monkeypatch.setattr(keeping, "engine_digest", lambda: "of another text")
    monkeypatch.setattr(keeping.SealedFiles, "_save_data", lambda *given: None)
    assert hits() == 0
    monkeypatch.undo()
    monkeypatch.setattr(keeping, "folder", lambda: kept)
    monkeypatch.setattr(keeping, "engine_digest", lambda: "of another text")
    assert hits() == 0


def test_where_nothing_can_be_kept_the_engine_runs_all_the_same(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setattr(keeping, "folder", lambda: tmp_path / "file")
    assert hits() == 0


def test_ctrl_c_that_is_lost_while_code_is_handed_over_is_not_lost(tmp_path, monkeypatch):
    monkeypatch.setattr(keeping, "folder", lambda: tmp_path)

    def handed_over(self, signature, compiled):
        raise RuntimeError("no compiled object yet for <Library 'doubled'>")

    monkeypatch.setattr("numba.core.caching.FunctionCache.save_overload", handed_over)
    with pytest.raises(KeyboardInterrupt):
        njit(**FAST)(doubled)(3)
