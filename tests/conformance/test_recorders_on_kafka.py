"""Released classes answer again, as is recorded; what cannot be asked exactly is refused."""

import json
from itertools import product
from pathlib import Path

import pytest

from tests.explorer.commands import tierproof
from tierproof.conformance.brokers.errors import CannotRun
from tierproof.conformance.brokers.releases import NEWEST, Release, class_path
from tierproof.conformance.config import answer_to, version_of
from tierproof.conformance.files import content_of
from tierproof.conformance.recorders import caches, lineages, settings
from tierproof.conformance.recorders.asking import Asked
from tierproof.conformance.recorders.bridge import CannotRecord, Classes
from tierproof.conformance.recorders.recording import RECORDERS, machine, write
from tierproof.spark_explorer.compiler import storage

pytestmark = pytest.mark.brokers

RECORDINGS = Path(__file__).parents[2] / "conformance" / "recordings"
ROWS = 25


@pytest.fixture(scope="module")
def questions(tmp_path_factory):
    """The first rows of each committed file that can be recorded again."""
    folder = tmp_path_factory.mktemp("questions")
    for name, recorder in RECORDERS.items():
        content = content_of(RECORDINGS / name)
        rows = recorder.read(content)[:ROWS]
        write(folder / name, recorder.written(content, rows, NEWEST))
    return folder


@pytest.fixture(scope="module")
def classes():
    """The classes of the newest release."""
    release = Release(NEWEST)
    try:
        path = class_path(release, storage.folder() / "kafka")
    except CannotRun as error:
        pytest.skip(f"the classes of {NEWEST} cannot be run here: {error}")
    with machine(path) as jvm:
        yield Classes(jvm, release)


def test_the_newest_release_answers_as_is_recorded(classes, questions, tmp_path):
    done = tierproof("record", str(tmp_path), "--questions", str(questions), "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)["recorded"]
    assert {one["file"] for one in told} == set(RECORDERS)
    for one in told:
        assert (one["rows"], one["differ_from_committed"]) == (ROWS, 0)
        assert one["not_reproduced_by_the_model"] == 0
    assert tierproof("conform", str(tmp_path)).returncode == 0


def test_settings_of_kip_1241_are_refused_as_the_model_of_4_4_says(classes):
    ask = settings.asker(classes)
    refused = set()
    for unit, lag, local in product(("ms", "bytes"), (-2, -1, 500, 1000, 1001), (-2, 500)):
        new = (
            f"remote.storage.enable=true;retention.{unit}=1000;"
            f"local.retention.{unit}={local};remote.copy.lag.{unit}={lag}"
        )
        answer = ask([True, "", new])
        assert answer == answer_to("", new, True, version_of("4.4.0"))
        refused.add(answer)
    assert len(refused) > 4


def test_an_offset_that_cannot_be_passed_as_a_long_is_refused(classes):
    for words in ("0:-1", "0:99999999999"):
        with pytest.raises(CannotRecord, match="outside the table of Longs"):
            classes.lineage(words)


def test_a_map_of_offsets_holds_longs_and_no_integers(classes):
    filled_by_python = classes.java.util.TreeMap()
    filled_by_python.put(3, 5)
    assert classes.lineage("3:5").toString() == filled_by_python.toString()
    assert not classes.lineage("3:5").equals(filled_by_python)


def test_an_epoch_named_twice_is_refused(classes):
    with pytest.raises(CannotRecord, match="cannot be passed as a map"):
        classes.lineage("0:1,0:2")


def test_a_method_that_the_release_lacks_is_named(classes):
    with pytest.raises(CannotRecord, match=f"Kafka {NEWEST} has no .*LogConfig#judge"):
        classes.method(settings.LOG_CONFIG, "judge", "int")


def test_an_operation_that_is_unknown_is_refused(classes):
    with pytest.raises(CannotRecord, match="there is no operation 'forget s0'"):
        caches.asker(classes)(["init", "forget s0"])


def test_a_question_that_kafka_cannot_hold_is_no_answer(classes, tmp_path):
    recorder = lineages.RECORDER
    rows = [Asked([3, 5, "0:3", 10, "0:0"], "true"), Asked([5, 3, "0:5", 10, "0:0"], "true")]
    write(tmp_path / recorder.file, recorder.written({"columns": []}, rows, NEWEST))
    made = tmp_path / "made"
    done = tierproof("record", str(made), "--questions", str(tmp_path), "--file", recorder.file)
    assert done.returncode == 4
    assert f"{recorder.file}, row 1: java.lang.IllegalArgumentException" in done.stderr
    assert not list(made.iterdir())
