"""A title claims only what the trace of its finding has: an election, a restart, a tombstone.

What a word of a title stands for is a step, a field that changes, or a value of the first state.
"""

import re
from itertools import pairwise
from typing import Any

import pytest

from tests.designs.stored_traces import DESIGNS, STORED, trace_of
from tierproof.model.language import Trace
from tierproof.register import register_of

SHOWN_BY = {
    r"abort(s|ed|ing)?": "abort",
    r"tombstones?": "tombstone",
    r"fail(s|ed|ing|ures?)?": "fail|refuse|defer|loses",
    r"restart(s|ed)?": "restart|crash|upgrades_broker",
    r"crash(es|ed)?|kill": "crash|restart",
    r"elect(s|ed|ions?)": "elect",
    r"transactions?": "transaction|abort|commit",
    r"downgrad(es|ed|ing)?": "version|downgrade",
    r"retr(y|ies|ied)": "retr|copy_task|fail|defer",
}
"""A word of a title -> what some step, changed field or first value is called that shows it."""
READERS_FAIL = {
    "kip405/crash_takes_the_log_start_back": "committed_records_stay_readable",
    "kip950/settings_before_log_start": "committed_records_stay_readable",
    "kip1272/new_leader_serves_a_deleted_version": "no_committed_record_lost",
}
"""A fetch fails in the state that breaks this property: reading is no step of the models."""
DENIED = {"kip952_regenerates_young/regenerated_snapshot_lacks_the_expired"}
"""The title says that it is *without* transactions."""
TOLD = [
    (f"{design.name}/{one.name}", one.title)
    for design in DESIGNS.values()
    for one in register_of(design).findings
]


def called(value: Any) -> str:
    return str(getattr(value, "name", value))


def shown(trace: Trace) -> set[str]:
    """What the trace names: its actions, the fields that change, and values."""
    passed = [state.fields() for state in trace.states]
    values = {called(value) for value in passed[0].values()}
    changed = {
        word
        for before, after in pairwise(passed)
        for path, new in after.items()
        if before[path] != new
        for word in (path, called(before[path]), called(new))
    }
    return {step.action for step in trace.steps} | values | changed


def unshown(title: str, trace: Trace) -> list[str]:
    """Words of the title that nothing of the trace shows."""
    said = [word for word in SHOWN_BY if re.search(rf"\b({word})\b", title, re.IGNORECASE)]
    named = " ".join(shown(trace)).lower() if said else ""
    return [word for word in said if not re.search(SHOWN_BY[word], named)]


@pytest.mark.parametrize(("key", "title"), TOLD, ids=[key for key, _ in TOLD])
def test_the_trace_shows_what_the_title_says(key, title):
    missing = unshown(title, trace_of(STORED[key]))
    if key in READERS_FAIL:
        assert STORED[key].claim == READERS_FAIL[key]
        missing.remove(r"fail(s|ed|ing|ures?)?")
    if key in DENIED:
        missing.remove(r"transactions?")
    assert missing == []


def test_a_title_that_says_more_is_found():
    trace = trace_of(STORED["producer_state/late_batch_of_an_expired_producer"])
    assert unshown("A batch is appended twice", trace) == []
    assert unshown("After an election a tombstone fails", trace) == [
        "tombstones?",
        r"fail(s|ed|ing|ures?)?",
        r"elect(s|ed|ions?)",
    ]
