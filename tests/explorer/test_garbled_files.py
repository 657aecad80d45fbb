"""A ledger or isolation file that is not as it was written is refused by name, never half read."""

import json
from typing import Any

import pytest

from tierproof.model.language import TierproofError
from tierproof.register import json_file, ledger
from tierproof.register.isolation import file as isolation_file
from tierproof.register.json_file import Unreadable

LEDGER: dict[str, Any] = {
    "bounds": {"buckets": 2},
    "properties": ["nothing_is_spilt"],
    "witnesses": ["all_are_full"],
    "scopes": {
        "two": {
            "distinct_states": 4,
            "generated_states": 9,
            "depth": 2,
            "verdict": "VIOLATED",
            "violated": {"nothing_is_spilt": 2},
        }
    },
}
LINE: dict[str, Any] = {
    "scope": "two",
    "less": ["repair_cups"],
    "identity": "0123",
    "distinct_states": 4,
    "generated_states": 9,
    "depth": 2,
    "violated": {"nothing_is_spilt": "lasso"},
}
FILE = {
    "closed": ["repair_lids", "repair_cups"],
    "explorations": [LINE, {**LINE, "scope": "three"}],
}
CONFLICT = "{\n<<<<<<< ours\n}\n=======\n}\n>>>>>>> theirs\n"


def changed(found, *path, to):
    """A copy in which the value at the path is another one; `...`: it is left out."""
    copy = json.loads(json.dumps(found))
    inside = copy
    for name in path[:-1]:
        inside = inside[name]
    if to is ...:
        del inside[path[-1]]
    else:
        inside[path[-1]] = to
    return json.dumps(copy)


def read_ledger(folder, text):
    (folder / "buckets.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    return ledger.read(folder)


def read_isolation(folder, text):
    (folder / "buckets.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    return isolation_file.read("buckets", folder)


def test_files_that_are_right_are_read(tmp_path):
    assert read_ledger(tmp_path, json.dumps(LEDGER))["buckets"]["two"]["distinct_states"] == 4
    assert list(read_isolation(tmp_path, json.dumps({**FILE, "explorations": [LINE]}))) == [
        ("two", frozenset({"repair_lids"}))
    ]


@pytest.mark.parametrize("read", [read_ledger, read_isolation])
@pytest.mark.parametrize(
    "text",
    [CONFLICT, "", "{", "null", "3", '"text"', b"\xff\xfe", "[" * 100_000, '{"a": NaN}', "[[]]"],
    ids=["conflict", "empty", "open", "null", "3", "text", "bytes", "deep", "NaN", "lists"],
)
def test_garbage_is_named_and_says_what_to_do(text, read, tmp_path):
    with pytest.raises(Unreadable, match=r"buckets\.json cannot be read: .*; restore it"):
        read(tmp_path, text)
    assert issubclass(Unreadable, TierproofError)


@pytest.mark.parametrize(
    ("path", "to", "told"),
    [
        (("scopes",), ..., "the file has no 'scopes'"),
        (("scopes",), [], "'scopes' is not a table of scopes"),
        (("scopes", "two"), 3, "'scopes' is not a table of scopes"),
        (("scopes", "two", "depth"), ..., "scope 'two' has no 'depth'"),
        (("scopes", "two", "depth"), "2", "scope 'two': 'depth' is not a count"),
        (("scopes", "two", "depth"), True, "'depth' is not a count"),
        (("scopes", "two", "verdict"), "FINE", "'verdict' is not a verdict"),
        (("scopes", "two", "violated"), ["nothing_is_spilt"], "not a table of steps"),
        (("scopes", "two", "violated"), {"nothing_is_spilt": -1}, "not a table of steps"),
        (("scopes", "two", "dept"), 2, "scope 'two' has an unknown 'dept'"),
        (("properties",), "nothing_is_spilt", "'properties' is not a list of names"),
        (("properties",), [], "unknown names"),
        (("bounds",), {"buckets": "two"}, "'bounds' is not a table of bounds"),
    ],
)
def test_a_ledger_of_another_shape_says_where(path, to, told, tmp_path):
    with pytest.raises(Unreadable, match=told):
        read_ledger(tmp_path, changed(LEDGER, *path, to=to))


@pytest.mark.parametrize(
    ("path", "to", "told"),
    [
        (("closed",), ..., "the file has no 'closed'"),
        (("explorations",), {}, "'explorations' is not a list"),
        (("explorations", 0), [], "exploration 1 is no object"),
        (("explorations", 0, "scope"), ..., "exploration 1 has no 'scope'"),
        (("explorations", 0, "less"), "repair_lids", "'less' is not a list of names"),
        (("explorations", 0, "less"), ["repair_lid"], "'repair_lid' is left out of a closed"),
        (("explorations", 0, "violated"), None, "'violated' is not a table of steps"),
        (("explorations", 0, "cut"), 3, "'cut' is not text"),
        (("explorations", 1), LINE, "exploration 2 is there twice"),
    ],
)
def test_an_isolation_file_of_another_shape_says_where(path, to, told, tmp_path):
    with pytest.raises(Unreadable, match=told):
        read_isolation(tmp_path, changed(FILE, *path, to=to))


def test_both_sides_of_a_merge_are_not_read_as_one(tmp_path):
    """JSON takes the last of two values with one name in silence."""
    line = json.dumps(LEDGER["scopes"]["two"])
    text = json.dumps({**LEDGER, "scopes": {}}).replace("{}", f'{{"two": {line}, "two": {line}}}')
    with pytest.raises(Unreadable, match="it has 'two' twice in one object"):
        read_ledger(tmp_path, text)


def test_a_folder_in_the_place_of_a_file_is_named(tmp_path):
    (tmp_path / "buckets.json").mkdir()
    with pytest.raises(Unreadable, match=r"buckets\.json cannot be read: "):
        ledger.read(tmp_path)


def test_a_file_that_cannot_be_written_anew_stays_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "kept.json"
    json_file.write(path, "[1]\n")
    with pytest.raises(UnicodeEncodeError):
        json_file.write(path, "[2, '\udcff']\n" * 10_000)
    assert path.read_text() == "[1]\n"
    assert list(tmp_path.iterdir()) == [path]
    assert path.stat().st_mode & 0o444 == 0o444
