"""A compacted topic taken through passes of its cleaner, for the tests that replay KIP-1272."""

from __future__ import annotations

from typing import Any, Self

from tests.designs.step_by_step import Walk, act
from tierproof.model.designs.kip405.state import RunStep
from tierproof.model.designs.kip1272 import DESIGN
from tierproof.model.designs.kip1272.state import CleanerStep, CompactedPartition
from tierproof.model.designs.kip1272.written_records import UPDATED
from tierproof.model.kafka.segment_versions import source_of
from tierproof.model.language import NONE, Step

SMALL = CompactedPartition(
    brokers=1,
    offsets=2,
    history=UPDATED,
    copied=2,
    segment_ids=4,
    leader_epochs=1,
    metadata_records=8,
    planned_deletions=4,
)
"""Two values of one key, a segment each, that one leader has in both tiers."""


def map_keys(broker: int = 0, passed: int = 0) -> Step:
    """The first pass of a chunk; `passed`: delete.retention.ms is over."""
    return act("cleaner_builds_offset_map", broker=broker, passed=passed)


def clean(broker: int = 0) -> Step:
    """The second pass of a group."""
    return act("cleaner_cleans_group", broker=broker)


def swap_locally(broker: int = 0) -> Step:
    """The cleaned group replaces local segments only."""
    return act("cleaner_swaps_local_group", broker=broker)


def begin_copy(broker: int = 0) -> Step:
    """The cleaned group gets an id."""
    return act("cleaner_begins_copy", broker=broker)


def swap(broker: int = 0) -> Step:
    """The uploaded group replaces the local segments, too."""
    return act("cleaner_swaps_copied_group", broker=broker)


def write_checkpoint(broker: int = 0) -> Step:
    """The chunk is done."""
    return act("cleaner_writes_checkpoint", broker=broker)


def resolve(broker: int) -> Step:
    """A new leader takes the cleaner offset over."""
    return act("leader_resolves_cleaner_offset", broker=broker)


class CompactedWalk(Walk):
    """A walk through KIP-1272 from SMALL with other bounds, in longer strides."""

    def __init__(self, *variants: str, **bounds: int) -> None:
        super().__init__(DESIGN, SMALL.replace(**bounds), *variants)

    @property
    def log(self) -> Any:
        """The replica of broker 0."""
        return self.state.broker[0]

    def kept(self, segment: int) -> list[str]:
        """What is left of the records in an object, by offset."""
        copy = self.state.segment[segment]
        return [copy.records[n].kept.name for n in range(copy.start_offset, copy.end_offset + 1)]

    def kept_locally(self, broker: int = 0) -> list[str]:
        """What is left of the records in a local log, by offset."""
        log = self.state.broker[broker]
        return [record.kept.name for record in list(log.records)[: log.log_end_offset]]

    def source(self, offset: int, broker: int = 0) -> int:
        """Where the broker serves an offset from."""
        return source_of(self.state, broker, offset)

    def segments(self, broker: int = 0) -> list[int]:
        """The base offsets of the segments of a local log."""
        return [n for n, is_base in enumerate(self.state.broker[broker].starts_segment) if is_base]

    def read(self, *brokers: int) -> Self:
        """These brokers read the metadata topic to its end."""
        for broker in brokers:
            while self.can(act("broker_reads_metadata", broker=broker)):
                self.take(act("broker_reads_metadata", broker=broker))
        return self

    def store(self, broker: int = 0) -> int:
        """Upload the cleaned group up to its object, and return the id."""
        self.take(begin_copy(broker))
        id: int = self.state.broker[broker].output_id
        self.take(act("copy_publishes_started", segment=id)).read(broker)
        self.take(act("copy_stores_object", segment=id))
        return id

    def publish(self, id: int) -> Self:
        """The stored upload is published."""
        return self.take(act("copy_publishes_finished", segment=id))

    def end_copy(self, broker: int = 0) -> Self:
        """The cleaner reads that its upload is published, and swaps."""
        id = self.state.broker[broker].output_id
        return self.read(broker).take(act("copy_records_progress", segment=id), swap(broker))

    def copy(self, broker: int = 0) -> int:
        """Upload the cleaned group, publish it and swap; return the id."""
        id = self.store(broker)
        self.publish(id).end_copy(broker)
        return id

    def finish_chunk(self, broker: int = 0) -> list[int]:
        """Clean and swap all groups that are left, and write the checkpoint; the new ids."""
        ids = []
        while not self.can(write_checkpoint(broker)):
            if self.state.broker[broker].cleaner == CleanerStep.MAP_BUILT:
                self.take(clean(broker))
            if self.can(swap_locally(broker)):
                self.take(swap_locally(broker))
            else:
                ids.append(self.copy(broker))
        self.take(write_checkpoint(broker))
        return ids

    def clean_chunk(self, broker: int = 0, passed: int = 0) -> list[int]:
        """Clean the next chunk; the ids of what was uploaded."""
        self.take(map_keys(broker, passed))
        return self.finish_chunk(broker)

    def remove_locally(self, broker: int = 0, reason: int = 1) -> Self:
        """Local retention removes what it can."""
        return self.take(
            act("broker_raises_start_to_delete", broker=broker, reason=reason),
            act("broker_removes_segments", broker=broker),
        )

    def delete_planned(self, broker: int = 0) -> list[int]:
        """A run of the expiration task, if it begins; the ids that it deletes."""
        self.take(act("expiration_task_plans_retention", broker=broker))
        if self.state.broker[broker].run_step == RunStep.IDLE:
            return []
        self.take(act("expiration_task_raises_log_start", broker=broker))
        log = self.state.broker[broker]
        ids = [id for id in log.planned if id != NONE]
        for _ in ids:
            self.take(act("expiration_publishes_delete_started", broker=broker)).read(broker)
            self.take(act("expiration_deletes_object", broker=broker))
            self.take(act("expiration_publishes_delete_finished", broker=broker)).read(broker)
        return ids

    def elect(self, leader: int, *learners: int) -> Self:
        """The controller elects; these brokers learn it."""
        self.take(act("controller_elects_leader", leader=leader))
        return self.take(*(act("broker_learns_leader", broker=broker) for broker in learners))
