"""Recordings made again: their format, what differs between releases, and how the command ends.

No class of Kafka runs here; `test_recorders_on_kafka.py` runs them.
"""

import json
from pathlib import Path

import pytest

from tests.explorer.commands import tierproof
from tierproof.command_line import recordings as command
from tierproof.conformance import NotARecording, conform_file
from tierproof.conformance.files import content_of
from tierproof.conformance.recorders import caches, lineages, settings
from tierproof.conformance.recorders.asking import Asked, expected
from tierproof.conformance.recorders.bridge import CannotRecord, Thrown
from tierproof.conformance.recorders.differences import compared, differences
from tierproof.conformance.recorders.recording import RECORDERS, Recorded, write
from tierproof.conformance.recorders.table import as_markdown
from tierproof.register import evidence

RECORDINGS = Path(__file__).parents[2] / "conformance" / "recordings"
COMPACTED = "ConfigException: Remote log storage is unsupported for the compacted topics"
OR_EMPTY = (
    "ConfigException: Remote log storage only supports topics with cleanup.policy=delete "
    "or cleanup.policy being an empty list."
)
TO_COMPACT = [True, "", "remote.storage.enable=true;cleanup.policy=compact"]
ACCEPTED = Asked([True, "", "remote.storage.enable=true"], "OK")


def recorded(folder, recorder, release, rows, committed=None):
    """A file as if that release had answered so."""
    path = folder / release / recorder.file
    path.parent.mkdir(exist_ok=True)
    write(path, recorder.written({"columns": []}, rows, release))
    return Recorded(recorder, release, path, rows, committed or rows)


@pytest.fixture
def policies(tmp_path):
    """Two releases that refuse a compacted topic in different words."""
    old = [Asked(TO_COMPACT, COMPACTED), ACCEPTED, Asked(TO_COMPACT, COMPACTED)]
    new = [Asked(TO_COMPACT, OR_EMPTY), ACCEPTED, Asked(TO_COMPACT, OR_EMPTY)]
    return [
        recorded(tmp_path, settings.RECORDER, "3.9.2", old, committed=new),
        recorded(tmp_path, settings.RECORDER, "4.4.0", new, committed=new),
    ]


@pytest.mark.parametrize("recorder", RECORDERS.values(), ids=RECORDERS)
def test_what_is_written_asks_and_answers_what_was_read(recorder, tmp_path):
    content = content_of(RECORDINGS / recorder.file)
    rows = recorder.read(content)[:40]
    path = tmp_path / recorder.file
    write(path, recorder.written(content, rows, "4.4.0"))
    assert recorder.read(content_of(path)) == rows
    assert (conform_file(path).agreed, conform_file(path).total) == (40, 40)


def test_the_same_answers_give_the_same_bytes(tmp_path):
    first, again = (tmp_path / f"{name}.json.gz" for name in "ab")
    for path in (first, again):
        write(path, {"rows": [1, 2]})
    assert first.read_bytes() == again.read_bytes()


def test_a_recording_of_settings_is_held_against_the_version_that_it_names(policies):
    assert [len(one.not_modelled) for one in policies] == [0, 0]


def test_an_answer_of_another_version_is_not_reproduced(tmp_path):
    rows = [ACCEPTED, Asked(TO_COMPACT, COMPACTED)]
    made = recorded(tmp_path, settings.RECORDER, "4.4.0", rows)
    assert made.not_modelled == {1}


def test_a_release_that_the_model_has_no_version_for_is_said_so(tmp_path):
    made = recorded(tmp_path, settings.RECORDER, "9.0.0", [ACCEPTED])
    with pytest.raises(NotARecording, match=r"the model has no version for Kafka 9\.0\.0"):
        conform_file(made.path)


def test_rows_that_differ_from_the_committed_ones_are_counted_and_the_first_is_shown(policies):
    told = policies[0].as_dict()
    assert (told["rows"], told["differ_from_committed"]) == (3, 2)
    assert told["first_difference"] == {
        "row": 0,
        "input": TO_COMPACT,
        "committed": OR_EMPTY,
        "recorded": COMPACTED,
    }
    assert policies[1].as_dict()["first_difference"] is None


def test_rows_that_differ_alike_between_releases_are_one_difference(policies):
    (found,) = differences(policies)
    assert (found.rows, found.example, found.not_modelled) == (2, TO_COMPACT, [])
    assert found.answers == {"3.9.2": COMPACTED, "4.4.0": OR_EMPTY}


def test_of_a_sequence_the_first_operation_that_differs_is_told(tmp_path):
    sequence = ["init", "upd ghost COPY_SEGMENT_FINISHED", "highest 0"]
    old = Asked(sequence, ["ok", "ok", "null"])
    new = Asked(sequence, ["ok", "EXC RemoteResourceNotFoundException", "null"])
    made = [
        recorded(tmp_path, caches.RECORDER, "3.9.2", [old]),
        recorded(tmp_path, caches.RECORDER, "4.4.0", [new]),
    ]
    (found,) = differences(made)
    assert found.example == sequence[:2]
    assert found.answers == {"3.9.2": "ok", "4.4.0": "EXC RemoteResourceNotFoundException"}
    assert found.not_modelled == ["3.9.2"]


def test_the_table_says_what_differs_and_whether_the_model_has_it(policies):
    lines = as_markdown(compared(policies)).splitlines()
    assert "| `config_validation.json.gz` | `LogConfig#validate` | 3 | 3.9.2 | 2 | 3 |" in lines
    assert "2 of 3 rows differ between 3.9.2 and 4.4.0." in lines
    (row,) = [line for line in lines if line.startswith("| 2 |")]
    assert row.split(" | ")[1:3] == [COMPACTED, OR_EMPTY]
    assert "yes, by `KafkaVersion`" in row


def test_the_table_names_the_releases_that_the_model_does_not_reproduce(tmp_path):
    lag = [True, "", "remote.storage.enable=true;remote.copy.lag.ms=5"]
    unknown = "InvalidConfigurationException: Unknown topic config name: remote.copy.lag.ms"
    made = [
        recorded(tmp_path, settings.COPY_LAG_RECORDER, "4.3.1", [Asked(lag, unknown)]),
        recorded(tmp_path, settings.COPY_LAG_RECORDER, "4.4.0", [Asked(lag, "OK")]),
    ]
    assert "| not for 4.3.1 |" in as_markdown(compared(made))


def test_the_table_says_how_many_rows_were_compared_if_nothing_differs(tmp_path):
    rows = [Asked([0, 12, "0:0", 47, "0:0"], "true")]
    made = [recorded(tmp_path, lineages.RECORDER, v, rows) for v in ("3.9.2", "4.3.1", "4.4.0")]
    page = as_markdown(compared(made))
    assert "No difference between 3.9.2, 4.3.1 and 4.4.0: 1 rows compared." in page


def test_what_is_kept_of_releases_is_of_the_recordings_that_there_are():
    files = json.loads(evidence.RELEASES.read_text("utf-8"))["files"]
    assert {one["file"]: one["rows"] for one in files} == {
        name: len(recorder.read(content_of(RECORDINGS / name)))
        for name, recorder in RECORDERS.items()
    }


def test_an_exception_that_the_class_is_not_known_to_throw_is_no_answer():
    assert expected(Thrown("ConfigException", "no"), ["ConfigException"], "a question") == (
        "ConfigException"
    )
    with pytest.raises(CannotRecord, match="unexpected NullPointerException: None"):
        expected(Thrown("NullPointerException", None), ["ConfigException"], "a question")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--kafka", "2.0.0"], "'2.0.0' is no release that can be run"),
        (["--file", "metadata_cach.jsonl.gz"], "metadata_cache.jsonl.gz"),
        (["--questions", "nowhere"], "nowhere"),
        (["--kafka", "4.4.0", "--update"], "several releases"),
    ],
)
def test_what_cannot_be_recorded_is_bad_usage(words, said, tmp_path, monkeypatch):
    monkeypatch.setattr(command, "class_path", lambda release, folder: "")
    done = tierproof("record", str(tmp_path), *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert not list(tmp_path.iterdir())
