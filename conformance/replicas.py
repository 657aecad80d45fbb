"""One partition with all its replicas, for the scripts of Kafka's integration tests.

An operation of `Replay` is one broker's; here brokers take turns. After each line they run until
nothing changes, as those tests wait for what they expect.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from tierproof.conformance.following import NotEnabled
from tierproof.conformance.replaying import (
    BYTES_OF_A_RECORD,
    RETENTION_DEFAULTS,
    Replay,
)
from tierproof.model.designs.kip405.state import TieredPartition
from tierproof.model.kafka.leader_epoch_lineage import earliest_epoch

BY_THEMSELVES = {
    "broker_learns_leader": "broker",
    "broker_reads_metadata": "broker",
    "follower_fetches": "follower",
    "follower_truncates": "follower",
    "follower_builds_on_remote_tier": "follower",
    "follower_begins_at_log_start": "follower",
    "follower_task_finds_highest_remote_offset": "follower",
    "leader_expands_in_sync": "follower",
}
"""Actions of brokers outside the runs of their tasks, and the role of the broker."""

MOST_RECORDS = 12
MOST_LEADERS = 3


def scope_for(brokers: int, records_per_segment: int) -> TieredPartition:
    """A scope large enough for the scripts."""
    record = BYTES_OF_A_RECORD[0]
    return TieredPartition(
        brokers=brokers,
        offsets=MOST_RECORDS,
        leader_epochs=MOST_LEADERS,
        segment_ids=MOST_RECORDS,
        clock_ms=RETENTION_DEFAULTS["retention.ms"],
        record_bytes=record,
        segment_bytes=record * records_per_segment,
        retention_bytes=1_000_000,
        metadata_records=4 * MOST_RECORDS,
        planned_deletions=MOST_LEADERS * MOST_RECORDS,
        elections=MOST_LEADERS - 1,
        restarts=2 * brokers,
        record_deletions=MOST_RECORDS,
        topic_deletions=1,
    )


class Copied(NamedTuple):
    """An object that a broker stored."""

    broker: int
    start_offset: int
    end_offset: int


class Replicas(Replay):
    """A partition; `brokers[i]` is the broker of replica i, and replica 0 leads at first.

    `copied` and `deleted` record the broker of each copy and deletion in the remote store;
    `times` are the timestamps of records by offset, which objects have and the model has not.
    """

    def __init__(self, brokers: Sequence[int], records_per_segment: int) -> None:
        super().__init__(scope_for(len(brokers), records_per_segment))
        self.brokers = brokers
        self.copied: list[Copied] = []
        self.deleted: list[int] = []
        self.times: list[int] = []

    # -- steps

    def take(self, action: str, **arguments: int) -> None:
        """Take one step, and record its effect on the remote store."""
        before = self.state
        super().take(action, **arguments)
        for old, new in zip(before.segment, self.state.segment, strict=True):
            by = self.brokers[arguments.get("broker", old.copier)]
            if new.object_exists and not old.object_exists:
                self.copied.append(Copied(by, int(new.start_offset), int(new.end_offset)))
            if old.object_exists and not new.object_exists:
                self.deleted.append(by)

    def settle(self) -> None:
        """Run all brokers until nothing changes."""
        before = None
        while before != self.state.leaves:
            before = self.state.leaves
            for _ in self.each():
                self.work()
                self.copy()
                self.expire()
                self.clean()

    def work(self) -> None:
        """Take the steps of BY_THEMSELVES until none is enabled."""
        while (found := self.something_to_do()) is not None:
            action, arguments = found
            self.take(action, **arguments)

    def something_to_do(self) -> tuple[str, dict[str, int]] | None:
        """The first enabled step of BY_THEMSELVES, with its arguments."""
        for (action, role), broker in product(BY_THEMSELVES.items(), range(len(self.brokers))):
            arguments = {role: broker}
            if action == "leader_expands_in_sync":
                arguments["leader"] = int(self.state.elected_leader)
            if self.is_enabled(action, **arguments):
                return action, arguments
        return None

    def each(self) -> Iterator[int]:
        """Each replica in turn, the leader first; meanwhile it runs the operations."""
        leader = int(self.state.elected_leader)
        for replica in sorted(range(len(self.brokers)), key=lambda it: it != leader):
            self.broker = replica
            yield replica
        self.broker = leader

    @property
    def leader(self) -> Any:
        """The replica that the controller elected."""
        return self.state.broker[self.state.elected_leader]

    # -- what a script does

    def append(self, ms_before: int) -> None:
        """Append a record at the leader, some time after the previous record."""
        if self.times:
            self.tick(ms_before)
        now = int(self.state.clock)
        record = BYTES_OF_A_RECORD[0]
        self.take("leader_appends_record", leader=self.broker, bytes=record, timestamp=now)
        self.times.append(now)

    def configure(self, settings: Mapping[str, str]) -> None:
        """Apply all settings at each broker."""
        for _ in self.each():
            self.conf(";".join(f"{name}={value}" for name, value in settings.items()))

    def elect_broker(self, broker: int) -> int:
        """Elect the broker; the result is its leader epoch."""
        self.take("controller_elects_leader", leader=self.brokers.index(broker))
        self.broker = int(self.state.elected_leader)
        self.work()
        return int(self.state.leader_epoch)

    def delete_records_before(self, offset: str) -> None:
        """DeleteRecords at an offset that the leader accepts."""
        if refused := self.delete_records(offset):
            raise NotEnabled(refused)

    def delete_topic(self) -> None:
        """Delete the topic, and let all brokers learn of it."""
        self.take("user_deletes_topic")
        for _ in self.each():
            self.take("broker_learns_deletion", broker=self.broker)
            if self.replica.removal_step:
                self.remove_all()

    def stop(
        self, *, delete_remote: bool, delete_local: bool = True, stop_metadata: bool = False
    ) -> None:
        """RemoteLogManager#stopPartitions at one broker."""
        self.take(
            "broker_stops_partition",
            broker=self.broker,
            delete_local=delete_local,
            delete_remote=delete_remote,
            stop_metadata=stop_metadata,
        )
        if self.replica.removal_step:
            self.remove_all()

    def restart_all(self, brokers: Sequence[int], without_checkpoints: Sequence[int]) -> None:
        """Restart all brokers in this order, some without checkpoints; the first one leads."""
        for broker in brokers:
            is_erased = broker in without_checkpoints
            action = "broker_restarts_without_checkpoints" if is_erased else "broker_restarts"
            self.take(action, broker=self.brokers.index(broker))
        self.elect_broker(brokers[0])

    # -- what a script asks

    def earliest_local(self) -> set[int]:
        """The base of the first local segment, at every replica."""
        return {self.local_segments()[0][0] for _ in self.each()}

    def objects(self) -> list[tuple[int, int]]:
        """(start, end) of each object in the remote store."""
        return sorted(
            (int(it.start_offset), int(it.end_offset))
            for it in self.state.segment
            if it.object_exists
        )

    def first_entry(self) -> tuple[int, int]:
        """Epoch and offset at which the leader's lineage begins."""
        epoch = int(earliest_epoch(self.leader.lineage))
        return epoch, int(self.leader.lineage[epoch])
