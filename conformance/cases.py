"""`cases.json`: named cases of many kinds, each replayed by the function of its type.

A replayer answers in the form of the case's `expect`. Types without a replayer, and words
that no replayer knows, are reported as not replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from itertools import product
from typing import Any

from tierproof.conformance import (
    cache,
    case_expiration,
    case_local,
    case_scripts,
    case_stopping,
    config,
    lineage,
)
from tierproof.conformance.following import NotEnabled
from tierproof.conformance.row_reading import read_rows
from tierproof.conformance.rows import NOT_REPLAYED, Row, not_replayed, reading
from tierproof.conformance.topic import UnknownWords
from tierproof.model.kafka.leader_epoch_lineage import set_filtered
from tierproof.model.kafka.remote_metadata_cache import (
    add,
    find_highest_remote_offset,
    find_log_start_offset,
)
from tierproof.model.kafka.remote_partition import PARTITION_DELETION, PartitionDeletion
from tierproof.model.kafka.remote_segment import SegmentState, is_valid_transition
from tierproof.model.kafka.scope import TieredScope
from tierproof.model.kafka.topic_config import deletes_remote_log, starts_tasks, stops_copying
from tierproof.model.language import NONE


def replay(content: Any) -> Iterator[Row]:
    """The rows of the file: one for each case."""
    with reading("cases"):
        cases = content["cases"]
    yield from read_rows(cases, lambda _, case: row_for(case["id"], case["type"], case))


def row_for(name: str, kind: str, case: Mapping[str, Any]) -> Row:
    """One case."""
    given, recorded = case["input"], case["expect"]
    if kind == "cache_sequence":
        return cache.row_for(name, given["ops"], recorded["results"])
    if kind == "topic_config_handler":
        return Row(name, given, recorded, [reaction_to(row) for row in recorded])
    if kind not in ASKED and kind not in REPLAYED:
        return not_replayed(name, given, recorded)
    try:
        if kind in ASKED:
            return Row(name, given, recorded, ASKED[kind](given, recorded))
        return Row(name, given, recorded, REPLAYED[kind](given))
    except NotEnabled as error:
        return Row(name, given, recorded, f"the model cannot: {error}")
    except UnknownWords as error:
        return Row(name, given, recorded, f"{NOT_REPLAYED}: {error}")


def validation(given: Mapping[str, Any]) -> str:
    """config_validation: OK, or the exception and its message."""
    return config.answer_to(
        given["existing"], given["new_effective_topic_overrides"], given["system_enabled"]
    )


def reaction_to(row: Mapping[str, Any]) -> dict[str, Any]:
    """topic_config_handler: what TopicConfigHandler does after a change, in order."""
    was_enable, enable = row["was_enabled"], row["is_enabled"]
    was_copy_disable, copy_disable = row["was_copy_disabled"], row["is_copy_disabled"]
    actions = []
    if starts_tasks(was_enable, was_copy_disable, enable, copy_disable):
        actions.append("onLeadershipChange(leaders,followers)")
    if stops_copying(was_copy_disable, enable, copy_disable):
        actions.append("stopLeaderCopyRLMTasks(leaders)")
    if deletes_remote_log(was_enable, enable, row["delete_on_disable"]):
        actions.append("leaders: maybeIncrementLogStartOffset(localLSO)")
        actions.append(
            "stopPartitions(leaders: deleteLocal=F,deleteRemote=T,stopRLMM=T; "
            "followers: F,F,T; errors swallowed)"
        )
    return {**row, "actions_in_order": actions}


def within(given: Mapping[str, Any]) -> bool | str:
    """is_remote_segment_within_leader_epochs: the leader's lineage as it is."""
    question = lineage.question_of(
        given["start"],
        given["end"],
        given["segment_epochs"],
        given["log_end_offset"],
        given["leader_epochs"],
    )
    answer = lineage.answer_to(question, lineage.scope_for([question]))
    return {"true": True, "false": False}.get(answer, answer)


def filtered(given: str) -> str:
    """build_filtered_leader_epoch_map: the map as Java prints it."""
    question = lineage.question_of(0, 0, "", 0, given)
    state = lineage.state_of(question, lineage.scope_for([question]))
    set_filtered(state.lineage, state.lineage)
    entries = [f"{epoch}={start}" for epoch, start in enumerate(state.lineage) if start != NONE]
    return f"{{{', '.join(entries)}}}"


def highest_remote_offset(given: Mapping[str, Any]) -> dict[str, int]:
    """find_highest_remote_offset: from the cache's highest offset of each epoch."""
    epochs = lineage.entries_of(given["leader_epochs"])
    highest = {int(e): int(offset) for e, offset in given["highest_offset_for_epoch"].items()}
    state = _cached(len(epochs), max([0, *epochs, *highest]), [*highest.values()])
    for epoch, offset in highest.items():
        state.cache.epoch[epoch].highest_offset = offset
    offset, epoch = find_highest_remote_offset(
        state.cache, _lineage_in(epochs), int(given["log_end_offset"])
    )
    return {"offset": offset, "epoch": epoch}


def log_start_offset(given: Mapping[str, Any]) -> int:
    """find_log_start_offset: from the segments listed in each epoch."""
    epochs = lineage.entries_of(given["leader_epochs"])
    listed = [
        (int(epoch), int(start), int(start if end is None else end))
        for epoch, segments in given["segments_by_epoch"].items()
        for start, end in segments
    ]
    state = _cached(len(listed), max([0, *epochs]), [end for _, _, end in listed])
    for id, (epoch, start, end) in enumerate(listed):
        mine = state.segment[id]
        mine.start_offset, mine.end_offset, mine.lineage[epoch] = start, end, start
        add(state.cache, state.segment, id, SegmentState.COPY_SEGMENT_STARTED)
    return find_log_start_offset(
        state.cache, state.segment, _lineage_in(epochs), int(given.get("local_lso", NONE))
    )


def _cached(segments: int, last_epoch: int, offsets: list[int]) -> Any:
    scope = TieredScope(
        offsets=max([0, *offsets]) + 1,
        leader_epochs=last_epoch + 1,
        segment_ids=max(1, segments),
    )
    return cache.CachedSegments.at_start(scope).copy_for("the recording")


def _lineage_in(entries: Mapping[int, int]) -> Any:
    question = lineage.LineageQuestion(0, 0, {}, 0, entries)
    return lineage.state_of(question, lineage.scope_for([question])).lineage


def transitions_of(
    states: type[IntEnum], absent: int, is_valid: Callable[[int, int], bool]
) -> dict[str, bool]:
    """*_transitions: the legal changes between all states; null is never a target."""
    return {
        f"{'null' if source == absent else source.name}->{target.name}": is_valid(source, target)
        for source, target in product(states, states)
        if target != absent
    }


ASKED: dict[str, Callable[[Any, Any], Any]] = {
    "integration": case_scripts.integration,
    "unified_log_local_retention": case_local.retention,
}
"""Types whose recordings show only some fields: the answer has the same fields."""

REPLAYED: dict[str, Callable[[Any], Any]] = {
    "build_retention_size_data": case_expiration.size_data,
    "candidate_log_segments": case_local.candidates,
    "cleanup_expired": case_expiration.cleanup,
    "config_validation": validation,
    "is_remote_segment_within_leader_epochs": within,
    "build_filtered_leader_epoch_map": filtered,
    "find_highest_remote_offset": highest_remote_offset,
    "find_log_start_offset": log_start_offset,
    "segment_state_transitions": lambda _: transitions_of(
        SegmentState, SegmentState.ABSENT, is_valid_transition
    ),
    "stop_partitions": case_stopping.stop,
    "partition_delete_transitions": lambda _: transitions_of(
        PartitionDeletion, PartitionDeletion.ABSENT, PARTITION_DELETION.allows
    ),
}
"""Type of case -> the function that computes the model's answer."""
