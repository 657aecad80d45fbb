"""The sentences of a finding speak of the steps that they stand beside.

A digest ties a story to its trace, so that it fails when the trace changes. That the sentences
tell the very steps at their places is tested by their words: whoever speaks of an election, a
restart or a deletion does so where it happens, and whoever says where a log starts or ends has it
from the states there.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from tests.designs.stored_traces import DESIGNS, STORED, steps_of, trace_of
from tierproof.register import Story, register_of

WORDS = {
    "restart|crash|loads_log|shuts_down": "restart|crash|start|stop|shut|fail|load",
    "elects|takes_over": "elect|vote|lead|controller|takes over",
    "loses_disk": "disk",
    "alters_config|writes_config|changes_policy": (
        "disabl|enabl|read-only|setting|config|copying|polic|tier|retention|delete"
    ),
    "store_fails|loses_reply|defers|is_interrupted": (
        "fail|refus|lost|lose|reply|answer|interrupt|error|late|time|defer|not"
    ),
    "deletes_topic": "topic",
    "deletes_records": "delet",
    "time_passes|retention_passes": "time|ms|later|expir|old|pass|retention|clock|horizon",
    "cleaner_": (
        "clean|compact|map|checkpoint|swap|group|merg|pass|remov|clos|forward|offset|cop|delet"
    ),
    "shrinks": "in.sync|out of sync|ISR|behind",
    "truncates": "truncat|empt",
    "tombstone": "tombstone|null",
    "deletes_object": "delet|object|remov",
    "stores_object": "stor|object|cop",
    "copy_publishes_started": "STARTED|publish|cop",
    "copy_publishes_finished": "FINISHED|publish|cop|finish",
    "publishes_delete_started": "DELETE_SEGMENT_STARTED|delet|mark|remov",
    "removes_local|removes_segments": "retention|remov|delet|local",
    "producer_retries": "retr|again|second|sen[dt]|request|copy",
    "appends_batch|receives_batch|appends_record": (
        "append|batch|record|writ|accept|offset|produc|committed|tak"
    ),
    "follower_fetches": "fetch|replicat|follow|read|cop|catch|caught",
    "rolls_segment": "roll|segment|active",
    "upgrades": "upgrad|version",
}
"""Part of an action's name -> words of which the sentence about its step has at least one."""


def mute(story: Story, actions: list[str]) -> Iterator[str]:
    """The steps that their sentence does not speak of."""
    for told in story.told(len(actions)):
        first, last = told.first or 0, told.last or 0
        for number in range(max(first, 1), last + 1):
            action = actions[number - 1]
            for part, words in WORDS.items():
                if re.search(part, action) and not re.search(words, told.sentence, re.IGNORECASE):
                    yield f"{number} {action}: {told.sentence}"


@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
def test_a_sentence_speaks_of_the_steps_that_it_stands_beside(design):
    found = [
        f"{one.name}: {words}"
        for one in register_of(design).findings
        if one.story
        for words in mute(
            one.story, [step.action for step in steps_of(STORED[f"{design.name}/{one.name}"])]
        )
    ]
    assert found == []


def test_a_sentence_beside_another_step_is_found():
    story = Story("", (("start", "."), ("1", "The leader copies."), ("2", "It."), ("end", ".")))
    actions = ["broker_restarts", "controller_elects_leader"]
    assert len(list(mute(story, actions))) == 2
    told = Story("", (("start", "."), ("1", "It restarts."), ("2", "It leads."), ("end", ".")))
    assert list(mute(told, actions)) == []


# -- figures

FIELDS = {
    "local log start": "local_log_start_offset",
    "log start": "log_start_offset",
    "log end": "log_end_offset",
    "high watermark": "high_watermark",
    "highest offset in remote storage": "highest_remote_offset",
}
FIGURE = re.compile(
    rf"({'|'.join(FIELDS)})(?: offset)? "
    r"(?:is|stays|is still|is again|remains|becomes|rises to|moves to|goes back to|to) (-?\d+)"
)
"""Where something of a log is, as a sentence tells it."""


def mistold(story: Story, states: Sequence[Any]) -> Iterator[str]:
    """Sentences with a figure that no broker has in the states before and after their steps."""
    length = len(states) - 1
    for told in story.told(length):
        first, last = (told.first, told.last) if told.last is not None else (length + 1, length)
        for name, figure in () if told.is_beyond or told.is_note else FIGURE.findall(told.sentence):
            seen = states[max((first or 0) - 1, 0) : (last or 0) + 1]
            brokers = (broker for state in seen for broker in getattr(state, "broker", ()))
            if int(figure) not in {
                getattr(broker, FIELDS[name], int(figure)) for broker in brokers
            }:
                yield told.sentence


@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
def test_a_figure_in_a_sentence_is_that_of_a_broker_there(design):
    assert not [
        f"{one.name}: {sentence}"
        for one in register_of(design).findings
        if one.story
        for sentence in mistold(one.story, trace_of(STORED[f"{design.name}/{one.name}"]).states)
    ]


def test_a_figure_that_no_broker_has_is_found():
    stored = STORED["kip950/deleted_copies_still_count"]
    states = trace_of(stored).states
    start, steps, end = ("start", "."), (f"1-{len(states) - 1}", "."), "The log start is {}."
    assert not list(mistold(Story("", (start, steps, ("end", end.format(1)))), states))
    assert list(mistold(Story("", (start, steps, ("end", end.format(0)))), states))
