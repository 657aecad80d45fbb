"""Kafka's mechanisms give the same answers compiled as interpreted, on recorded inputs."""

import random
from pathlib import Path
from typing import Annotated

import pytest

from tests.agreement.compiled_functions import BOOL, INT, Twin, compiled
from tierproof.conformance.cache import Session
from tierproof.conformance.config import settings_of, values_of
from tierproof.conformance.files import content_of
from tierproof.conformance.lineage import question_of, scope_for, state_of
from tierproof.model.kafka.leader_epoch_lineage import (
    assign,
    end_offset_for,
    epoch_for_offset,
    is_in_lineage,
    set_entries_in_range,
    set_filtered,
    truncate_from_end,
    truncate_from_start,
    within_leader_epochs,
)
from tierproof.model.kafka.remote_metadata_cache import (
    CacheOutcome,
    apply_record,
    find_highest_remote_offset,
    find_log_start_offset,
    forget_all,
    highest_offset_for_epoch,
    lookup,
    next_listed,
    next_tracked,
    update,
)
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.topic_config_validation import CleanupPolicy, KafkaVersion, rejection_of
from tierproof.model.language import Range, Scope, State

RECORDINGS = Path(__file__).parents[2] / "conformance" / "recordings"


# -- the lineage


def ask_lineage(me, log_end_offset, epoch, offset):
    """Every question of the lineage module, in one tuple of integers."""
    end_epoch, end = end_offset_for(me.lineage, epoch, log_end_offset)
    return (
        within_leader_epochs(me.segment, me.lineage, log_end_offset, False).value,
        within_leader_epochs(me.segment, me.lineage, log_end_offset, True).value,
        int(is_in_lineage(me.segment, me.lineage, log_end_offset)),
        end_epoch,
        end,
        epoch_for_offset(me.lineage, offset),
    )


def change_lineage(me, how, epoch, offset):
    """One of the changes of the lineage module."""
    if how == 0:
        assign(me.lineage, epoch, offset)
    elif how == 1:
        truncate_from_start(me.lineage, offset)
    elif how == 2:
        truncate_from_end(me.lineage, offset)
    elif how == 3:
        set_filtered(me.lineage, me.lineage)
    else:
        set_entries_in_range(me.segment.lineage, me.lineage, offset, offset + 20)


@pytest.fixture(scope="module")
def lineage_rows():
    rows = content_of(RECORDINGS / "within_leader_epochs.json.gz")["rows"]
    questions = [question_of(*row[:-1]) for row in rows[::9]]
    return questions, scope_for(questions)


def test_the_lineage_answers_the_same_compiled(lineage_rows):
    questions, scope = lineage_rows
    ask = compiled(ask_lineage, type(state_of(questions[0], scope)), scope, (INT, INT, INT))
    for question in questions:
        twin = Twin(state_of(question, scope), scope)
        for epoch, offset in ((0, question.start_offset), (3, question.end_offset)):
            inputs = question.log_end_offset, epoch, offset
            assert ask(twin, *inputs) == ask_lineage(twin.state, *inputs)


def test_a_lineage_changes_the_same_compiled(lineage_rows):
    questions, scope = lineage_rows
    change = compiled(change_lineage, type(state_of(questions[0], scope)), scope, (INT, INT, INT))
    chosen = random.Random(405)
    for question in questions[::4]:
        twin = Twin(state_of(question, scope), scope)
        for _ in range(8):
            inputs = (
                chosen.randrange(5),
                chosen.randrange(scope.leader_epochs),
                chosen.randrange(60),
            )
            change(twin, *inputs)
            change_lineage(twin.state, *inputs)
            assert twin.agrees()


# -- the cache


def change_cache(me, verb, id, target):
    """A record of the metadata topic, an update, the end of initialization, or a new cache."""
    if verb == 0:
        return apply_record(me.cache, me.segment, id, target).value
    if verb == 1:
        return update(me.cache, me.segment, id, target).value
    if verb == 2:
        me.cache.is_initialized = True
    else:
        forget_all(me.cache)
    return -1


def ask_cache(me, epoch, offset, id):
    """Every question of the cache module, in one tuple of integers."""
    lineage = me.segment[id].lineage
    highest, of_epoch = find_highest_remote_offset(me.cache, lineage, offset)
    return (
        lookup(me.cache, me.segment, epoch, offset),
        highest_offset_for_epoch(me.cache, epoch),
        next_listed(me.cache, me.segment, epoch, -1),
        next_listed(me.cache, me.segment, epoch, id),
        next_tracked(me.cache, id),
        highest,
        of_epoch,
        find_log_start_offset(me.cache, me.segment, lineage, offset),
    )


def recorded_changes(session, operations):
    """The operations that change a cache, as arguments of `change_cache`."""
    for operation in operations:
        verb, *words = operation.split()
        if verb == "init":
            yield 2, 0, 0
        elif verb in ("add", "upd"):
            target = SegmentState[words[-1]] if verb == "upd" else SegmentState(1)
            yield ("add", "upd").index(verb), session.names.index(words[0]), int(target)
    yield 3, 0, 0


SEGMENTS_AND_EPOCHS = 4, 6
"""Recorded sequences of one shape, so that one compilation serves them all."""


def test_the_cache_does_and_answers_the_same_compiled():
    answers, asked = set(), set()
    change = ask = None
    for row in content_of(RECORDINGS / "metadata_cache.jsonl.gz")[::3]:
        session = Session(row["ops"])
        if (len(session.segment), len(session.cache.epoch)) != SEGMENTS_AND_EPOCHS:
            continue
        twin = Twin(session.state, session.scope)
        if change is None or ask is None:
            change = compiled(change_cache, type(session.state), session.scope, (INT, INT, INT))
            ask = compiled(ask_cache, type(session.state), session.scope, (INT, INT, INT))
        for inputs in recorded_changes(session, row["ops"]):
            answer = change(twin, *inputs)
            assert answer == change_cache(twin.state, *inputs)
            assert twin.agrees()
            answers.add(answer)
            for epoch in range(6):
                inputs = epoch, 40 * epoch + 15, epoch % 4
                found = ask(twin, *inputs)
                assert found == ask_cache(twin.state, *inputs)
                asked.add(found)
    assert answers == {-1, *CacheOutcome}
    assert len(asked) > 100


# -- settings

Wide = Annotated[int, Range(-(1 << 62), (1 << 62) - 1)]


class Settings(State):
    """The fields of TopicSettings."""

    remote_storage_enable: bool
    remote_log_copy_disable: bool
    remote_log_delete_on_disable: bool
    cleanup_policy: CleanupPolicy
    retention_ms: Wide
    retention_bytes: Wide
    local_retention_ms: Wide
    local_retention_bytes: Wide
    remote_copy_lag_ms: Wide
    remote_copy_lag_bytes: Wide


def test_validation_answers_the_same_compiled():
    judge = compiled(rejection_of, Settings, Scope(), (BOOL, BOOL, INT))
    rows = content_of(RECORDINGS / "config_validation.json.gz")["rows"]
    outcomes = set()
    for is_system_enabled, existing, new, _ in rows[::20]:
        settings = settings_of(values_of(new))
        twin = Twin(Settings.at_start(Scope()).copy_for("the recording"), Scope())
        for name, value in settings._asdict().items():
            setattr(twin.state, name, value)
        twin.flat[1] = twin.state.leaves
        for version in KafkaVersion:
            inputs = "enable=true" in existing, is_system_enabled, int(version)
            assert judge(twin, *inputs) == rejection_of(settings, *inputs)
            outcomes.add(judge(twin, *inputs))
    assert len(outcomes) > 6
