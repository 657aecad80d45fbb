"""KIP-950 as brokers are driven: one topic of one or two brokers, from its creation on.

Left out, by name: time (`time_passes`, retention.ms), replicas that fall out of sync without a
restart, lost disks, a store that fails, deletion of the topic, settings that change amid a local
deletion.
"""

from __future__ import annotations

from itertools import groupby
from typing import cast

from tierproof.model.designs import kip950
from tierproof.model.designs.kip405.actors import CONTROLLER
from tierproof.model.designs.kip405.fixes_switched_off import FIXES_SWITCHED_OFF
from tierproof.model.designs.kip405.leadership import topic_exists
from tierproof.model.designs.kip405.repairs.counting import COUNT_ABOVE
from tierproof.model.designs.kip405.start import begin
from tierproof.model.designs.kip405.state import RecordKind, RetentionBytes
from tierproof.model.designs.kip405.tasks import follow_remote_log, schedule_tasks
from tierproof.model.designs.kip950.controller import has_room_in_cluster_log, log_settings
from tierproof.model.designs.kip950.state import TieredTopic, Topic
from tierproof.model.kafka.local_retention import UNSET
from tierproof.model.language import Edit, guard, initial

DELETIONS = (RecordKind.DELETE_SEGMENT_STARTED, RecordKind.DELETE_SEGMENT_FINISHED)


@initial
def new_topic(state: Topic) -> None:
    """A tiered topic without records that keeps everything, also locally."""
    begin(state)
    for b, log in enumerate(state.broker):
        log.settings.remote_storage_enable = True
        log.settings.retention_ms = -1
        log.settings.retention_bytes = -1
        log.settings.local_retention_ms = UNSET
        if b > 0:
            follow_remote_log(state, b)
    state.settings = state.broker[0].settings
    schedule_tasks(state, 0)


@guard
def is_other_retention(state: Topic, bytes: RetentionBytes) -> bool:
    """ConfigurationControlManager writes a record only for a value that differs."""
    return state.settings.retention_bytes != bytes


@CONTROLLER.action(
    guards=[topic_exists, has_room_in_cluster_log, is_other_retention], budget="config_changes"
)
def controller_alters_retention(state: Topic, bytes: RetentionBytes) -> None:
    """Accept another retention.bytes and append a ConfigRecord.

    Kafka: ConfigurationControlManager#incrementalAlterConfigs. Left out: refusals; a limit
    below local.retention.bytes, which is refused.
    """
    state.settings.retention_bytes = bytes
    log_settings(state)


[NOT_SEEDED] = [
    one for one in FIXES_SWITCHED_OFF if one.name == "kafka_20732_highest_offset_not_seeded"
]

DRIVEN = kip950.DESIGN.derive(
    name="kip950-driven",
    title="KIP-950 as brokers are driven",
    change=Edit(add_environment=(controller_alters_retention,)),
    initial=(new_topic,),
    properties=(),
    witnesses=(),
    variants=(COUNT_ABOVE, NOT_SEEDED),
)
"""KIP-950 as written, with an operator who alters retention.bytes."""

SINCE = {COUNT_ABOVE.name: "4.4.0"}
"""Variant -> the first release that is like it; single_record_counts_twice is KAFKA-20977."""

BEFORE = {NOT_SEEDED.name: "4.3.2"}
"""Variant -> the first release that is not like it any more."""


def variants_of(release: str) -> tuple[str, ...]:
    """The variants of the design that a release is, "4.4.0"."""
    number = _number(release)
    since = [name for name, first in SINCE.items() if number >= _number(first)]
    return (*since, *(name for name, first in BEFORE.items() if number < _number(first)))


def _number(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))


def driven_scope(
    *, records: int, restarts: int, brokers: int = 1, elections: int = 0
) -> TieredTopic:
    """Room for `records` records, each copied up to three times, and for so many actions.

    With two brokers a leader that stops costs an election, besides the `elections` of operators.
    """
    ids = min(3 * records, 9)
    all_elections = restarts + elections if brokers > 1 else 0
    return TieredTopic(
        brokers=brokers,
        offsets=records,
        appends=records,
        segment_ids=ids,
        elections=all_elections,
        leader_epochs=max(restarts, all_elections) + 1,
        retention_bytes=records,
        metadata_records=4 * ids,
        planned_deletions=records + 1,
        config_changes=8,
        unapplied_records=1,
        all_settings=1,
        restarts=restarts,
        record_deletions=8,
        is_size_limited=1,
    )


def normal_form(state: Topic) -> Topic:
    """The state with deletions of several segments in one order, where all brokers have read them.

    A removal deletes its segments in any order. To a cache, records of different ids commute as
    long as no copy comes between.
    """
    end = min(broker.metadata_position for broker in state.broker)
    records = [(int(r.kind), int(r.segment)) for r in list(state.metadata_topic)[:end]]
    ordered = [
        record
        for is_deletion, run in groupby(records, lambda record: record[0] in DELETIONS)
        for record in (sorted(run, key=lambda record: record[1]) if is_deletion else run)
    ]
    if ordered == records:
        return state
    made = state.copy_for("normal_form")
    for record, (kind, segment) in zip(made.metadata_topic, ordered, strict=False):
        record.kind, record.segment = RecordKind(kind), segment
    return cast(Topic, made.frozen_for("a predicate"))
