"""The model answers a script of an integration test: a changed script changes the answers."""

import contextlib
import copy
import re
from itertools import product
from pathlib import Path

import pytest

from tierproof.conformance.case_scripts import answer_of, answer_to
from tierproof.conformance.cases import row_for
from tierproof.conformance.files import content_of
from tierproof.conformance.rows import NOT_REPLAYED
from tierproof.conformance.topic import Topic, UnknownWords

FILE = Path(__file__).parents[2] / "conformance" / "recordings" / "cases.json"
SCRIPTS = {case["id"]: case for case in content_of(FILE)["cases"] if case["type"] == "integration"}


def row_of(case):
    return row_for(case["id"], case["type"], case)


def with_line(name, number, line):
    """The row of a script of which one line is another."""
    case = copy.deepcopy(SCRIPTS[name])
    case["input"][number] = line
    return row_of(case)


def seen_otherwise(asked):
    """What is seen, each time with another number in the place of one; not what is asked for."""
    if isinstance(asked, dict):
        for what, pair in asked.items():
            yield {**asked, what: [pair[0] + 1, pair[1]]}
            yield {**asked, what: [pair[0], pair[1] + 1]}
        return
    for found in re.finditer(r"(?<!\d)(?<!consume )\d+", asked):
        yield asked[: found.start()] + "17" + asked[found.end() :]


def test_the_numbers_that_are_changed_below_are_numbers():
    changed = list(seen_otherwise("consume 0 -> 2 by b0"))
    assert changed == ["consume 0 -> 17 by b0", "consume 0 -> 2 by b17"]


def lines_run(name):
    """Each line of a script after it has run, once for all changes, and what is asked there."""
    script = SCRIPTS[name]
    for chosen in product(*(line.split(" or ") for line in script["input"])):
        topic = Topic()
        for line, asked in zip(chosen, script["expect"], strict=True):
            answer_to(topic, line, asked)
            yield topic, asked


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_number_that_is_seen_comes_from_the_recording(name):
    agreeing, tried = [], 0
    for topic, asked in lines_run(name):
        assert answer_of(topic, asked) == asked
        for changed in seen_otherwise(asked):
            tried += 1
            with contextlib.suppress(UnknownWords, LookupError):  # a broker, say, that is not there
                if answer_of(topic, changed) == changed:
                    agreeing.append(changed)
    assert tried > 1
    assert agreeing == []


@pytest.mark.parametrize(
    ("name", "number", "line"),
    [
        ("it-disable", 4, "local.retention.bytes=1"),
        ("it-disable", 8, "deleteRecords(2)"),
        ("it-disable", 9, "delete.on.disable=true"),
        ("it-enable", 2, "remote off"),
        ("it-enable", 3, "produce k3,k4 to p1"),
        ("it-delete-topic", 0, "2 partitions, leaders b1/b0, 2 segs each offloaded"),
        ("it-delete-topic", 0, "2 partitions, leaders b0/b1, 3 segs each offloaded"),
        ("it-lso-breach", 1, "deleteRecords(4)"),
        ("it-lso-breach", 3, "leader -> b0 (epoch 1); produce k5..k9"),
        ("it-delete-segments", 1, "set retention.bytes=1 or retention.ms=60000"),
        ("it-delete-segments", 1, "set retention.bytes=400"),
        ("it-corrupt-checkpoint", 2, "start b1, b0"),
        ("it-corrupt-checkpoint", 3, "produce k3"),
        ("it-list-offsets", 1, "remote on"),
        ("it-list-offsets", 2, "produce k3(ts+3),k4"),
    ],
)
def test_what_is_done_otherwise_is_answered_otherwise(name, number, line):
    row = with_line(name, number, line)
    assert not row.agrees
    assert NOT_REPLAYED not in str(row.modelled)


def test_alternatives_that_differ_are_all_told():
    row = with_line("it-delete-segments", 1, "set retention.bytes=1 or retention.ms=60000")
    first, second = row.modelled
    assert first[1].startswith("3 remote segments deleted")
    assert second[1].startswith("0 remote segments deleted")


@pytest.mark.parametrize(
    ("name", "number", "line", "words"),
    [
        (
            "it-delete-segments",
            0,
            "1 rec/segment, produce 4 -> 0,1 remote",
            "'0,1 remote', the model '0,1,2 remote'",
        ),
        ("it-lso-breach", 3, "leader -> b1 (epoch 2)", "'2', the model '1'"),
        ("it-lso-breach", 1, "deleteRecords(9)", "OffsetOutOfRangeException"),
        ("it-list-offsets", 2, "produce k3(ts+9)", "'(ts+9)', the model '(ts+3)'"),
    ],
)
def test_what_a_script_tells_has_to_be_so(name, number, line, words):
    modelled = with_line(name, number, line).modelled
    assert modelled.startswith("the model cannot: ")
    assert words in modelled


def test_words_that_no_phrase_knows_do_not_agree():
    row = with_line("it-disable", 3, "share 0..3")
    assert row.modelled == f"{NOT_REPLAYED}: no phrase for 'share 0..3'"
