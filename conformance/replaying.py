"""One recorded operation as steps of KIP-405, in Kafka's order.

Every change of the state is a step of the design, taken only if its guards hold. The recording
gives the answers of the remote store; a broker that publishes reads its record back at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tierproof.conformance.config import values_of
from tierproof.conformance.following import Following
from tierproof.conformance.rows import NotARecording
from tierproof.model.designs.kip405 import RECORDED
from tierproof.model.designs.kip405.state import RunStep, TieredPartition
from tierproof.model.kafka.fetch_routing import FetchRoute, fetch_route
from tierproof.model.kafka.leader_epoch_lineage import epoch_for_offset
from tierproof.model.kafka.local_retention import Reason
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.remote_metadata_cache import lookup
from tierproof.model.language import NONE, Interpreter

BYTES_OF_A_RECORD = (131, 132)
"""The bytes of a recorded record; from an operation's tenth record on, one byte more."""

MS_BETWEEN_RECORDS = 10
STORE_FAILS = "RemoteStorageException"

RETENTION_DEFAULTS = {
    "retention.ms": 604_800_000,
    "retention.bytes": -1,
    "local.retention.ms": -2,
    "local.retention.bytes": -2,
}
"""Kafka's default, if a recording does not say."""


class Replay(Following):
    """A run of the design that follows a recording; `state` is its current state.

    All operations are those of `broker`, the only broker unless a script changes it.
    """

    def __init__(self, scope: TieredPartition) -> None:
        super().__init__(Interpreter(RECORDED, scope))
        self.broker = 0
        self.copies_fail = self.deletes_fail = False
        self.operations: dict[str, Callable[..., str | None]] = {
            "setup": self.setup,
            "produce": self.produce,
            "tick": self.tick,
            "copy": self.copy,
            "expire": self.expire,
            "clean": self.clean,
            "conf": self.conf,
            "delrec": self.delete_records,
            "election": self.elect,
            "reload": self.reload,
            "failcopy": self.fail_copies,
            "faildel": self.fail_deletes,
            "dropsnap": self.lose_snapshots,
            "fetch": self.fetch,
        }

    def perform(self, operation: str) -> str | None:
        """Take the steps of an operation; the model's answer, or None. Raises NotEnabled."""
        name, *words = operation.split()
        if name not in self.operations:
            raise NotARecording(f"there is no operation {name!r}")
        return self.operations[name](*words)

    @property
    def replica(self) -> Any:
        """The broker that runs the operations."""
        return self.state.broker[self.broker]

    # -- steps

    def publish(self, action: str, **arguments: int) -> None:
        """Take a step that publishes, and read its record."""
        self.take(action, **arguments)
        self.read_metadata()

    def read_metadata(self) -> None:
        """Read the metadata topic to its end."""
        while self.is_enabled("broker_reads_metadata", broker=self.broker):
            self.take("broker_reads_metadata", broker=self.broker)

    # -- the log

    def produce(self, count: str, shift: str = "0") -> None:
        for number in range(int(count)):
            self.take(
                "leader_appends_record",
                leader=self.broker,
                bytes=BYTES_OF_A_RECORD[number >= 10],
                timestamp=self.state.clock + int(shift),
            )
            self.tick(MS_BETWEEN_RECORDS)

    def tick(self, ms: int | str) -> None:
        self.take("time_passes", ms=int(ms))

    def clean(self) -> None:
        for reason in Reason:
            if self.is_enabled("broker_raises_start_to_delete", broker=self.broker, reason=reason):
                self.take("broker_raises_start_to_delete", broker=self.broker, reason=reason)
            if self.is_enabled("broker_removes_segments", broker=self.broker):
                self.take("broker_removes_segments", broker=self.broker)

    def delete_records(self, offset: str) -> str | None:
        if not self.is_enabled("user_deletes_records", leader=self.broker, offset=int(offset)):
            return "OffsetOutOfRangeException"
        self.take("user_deletes_records", leader=self.broker, offset=int(offset))
        return None

    def lose_snapshots(self, offset: str) -> None:
        self.take("broker_loses_snapshots", broker=self.broker, offset=int(offset))

    def elect(self) -> None:
        self.take("controller_elects_leader", leader=self.broker)
        self.take("broker_cancels_tasks", broker=self.broker)
        self.take("broker_learns_leader", broker=self.broker)
        self.read_metadata()

    def fetch(self, word: str) -> str:
        """The tier that serves a consumer's fetch, and whether it has the record."""
        me, offset = self.replica, int(word)
        route = fetch_route(
            me.settings.remote_storage_enable,
            me.log_start_offset,
            me.local_log_start_offset,
            me.log_end_offset + 1,  # a fetch at the log end waits for the next record
            offset,
        )
        if route is not FetchRoute.REMOTE:
            return route.name
        epoch = epoch_for_offset(me.lineage, offset)
        found = NONE if epoch == NONE else lookup(me.cache, self.state.segment, epoch, offset)
        is_found = found != NONE and self.state.segment[found].object_exists
        return route.name if is_found else "MISSING"

    # -- the remote tier

    def fail_copies(self, flag: str) -> None:
        self.copies_fail = flag == "1"

    def fail_deletes(self, flag: str) -> None:
        self.deletes_fail = flag == "1"

    def reload(self) -> None:
        if self.replica.is_metadata_assigned:
            self.take("broker_reloads_metadata", broker=self.broker)
            self.read_metadata()

    def copy(self) -> None:
        """One run of the copy task: copy segments until none is left or one fails."""
        if self.replica.copy_task == CopyTask.SCHEDULED:
            self.take("copy_task_finds_log_start", broker=self.broker)
        if self.replica.copy_task == CopyTask.LOG_START_FOUND:
            self.take("copy_task_finds_highest_remote_offset", broker=self.broker)
        while self.is_enabled("copy_task_chooses_segment", broker=self.broker):
            self.take("copy_task_chooses_segment", broker=self.broker)
            if not self.copy_segment(max(self.replica.copying)):
                return

    def copy_segment(self, segment: int) -> bool:
        """Copy one segment; False if the run ends with it."""
        self.publish("copy_publishes_started", segment=segment)
        if self.is_enabled("copy_misses_snapshot", segment=segment):
            self.take("copy_misses_snapshot", segment=segment)
            return False
        if self.copies_fail:
            self.fail_copy(segment)
            return False
        self.take("copy_stores_object", segment=segment)
        self.publish("copy_publishes_finished", segment=segment)
        self.take("copy_records_progress", segment=segment)
        return True

    def fail_copy(self, segment: int) -> None:
        self.take("store_fails_copy", segment=segment)
        self.publish("copy_publishes_delete_started", segment=segment)
        if self.deletes_fail:
            self.take("store_fails_clean_up", segment=segment)
        else:
            self.take("copy_deletes_object", segment=segment)
            self.publish("copy_publishes_delete_finished", segment=segment)
            self.take("copy_ends_clean_up", segment=segment)

    def expire(self) -> str | None:
        """One run of the expiration task."""
        if not self.is_enabled("expiration_task_plans_retention", broker=self.broker):
            return None
        self.take("expiration_task_plans_retention", broker=self.broker)
        if self.replica.run_step == RunStep.IDLE:
            return None
        self.take("expiration_task_raises_log_start", broker=self.broker)
        while self.replica.planned_end > 0 or self.is_enabled(
            "expiration_task_plans_old_epochs", broker=self.broker
        ):
            if self.is_enabled("expiration_task_plans_old_epochs", broker=self.broker):
                self.take("expiration_task_plans_old_epochs", broker=self.broker)
                continue
            self.publish("expiration_publishes_delete_started", broker=self.broker)
            if self.deletes_fail:
                self.take("store_fails_expiration", broker=self.broker)
                return STORE_FAILS
            self.take("expiration_deletes_object", broker=self.broker)
            self.publish("expiration_publishes_delete_finished", broker=self.broker)
        return None

    # -- settings

    def setup(self, segment_bytes: str, settings: str) -> str | None:
        return self.conf(settings)

    def conf(self, settings: str) -> str | None:
        given = values_of(settings)
        retention = {
            name.replace(".", "_"): int(given.get(name, default))
            for name, default in RETENTION_DEFAULTS.items()
        }
        self.take("broker_applies_retention", broker=self.broker, **retention)
        self.take(
            "broker_applies_tiering",
            broker=self.broker,
            enable=given.get("remote.storage.enable") == "true",
            copy_disable=given.get("remote.log.copy.disable") == "true",
            delete_on_disable=given.get("remote.log.delete.on.disable") == "true",
        )
        self.read_metadata()
        return self.remove_all() if self.replica.removal_step else None

    def remove_all(self) -> str | None:
        """Delete remote segments as a disable with delete does."""
        self.for_each_to_remove("removal_publishes_delete_started")
        self.take("removal_goes_on_to_objects", broker=self.broker)
        if self.deletes_fail and self.replica.to_remove:
            first = min(self.replica.to_remove)
            self.take("store_fails_removal", broker=self.broker, segment=first)
            return f"handled:{STORE_FAILS}"
        self.for_each_to_remove("removal_deletes_object")
        self.take("removal_goes_on_to_metadata", broker=self.broker)
        self.for_each_to_remove("removal_publishes_delete_finished")
        self.take("removal_ends", broker=self.broker)
        return None

    def for_each_to_remove(self, action: str) -> None:
        while self.replica.to_remove:
            self.publish(action, broker=self.broker, segment=min(self.replica.to_remove))

    # -- what a recording shows

    def shown(self) -> dict[str, Any]:
        """The state in the words of the recordings."""
        me, state = self.replica, self.state
        return {
            "lso": me.log_start_offset,
            "llso": me.local_log_start_offset,
            "leo": me.log_end_offset,
            "hw": me.high_watermark,
            "hro": me.highest_remote_offset,
            "remote_enabled": me.settings.remote_storage_enable,
            "copy_task": me.copy_task != CopyTask.NONE,
            "exp_task": me.expiration_task,
            "now": state.clock,
            "local": self.local_segments(),
            "objs": sorted(
                [it.start_offset, it.end_offset] for it in state.segment if it.object_exists
            ),
            "rlmm": self.remote_segments(),
            "epochs": entries(me.lineage),
            "meta_records": state.metadata_end,
        }

    def local_segments(self) -> list[list[int]]:
        """[base, bytes] of each local segment."""
        found: list[list[int]] = []
        for offset in range(self.replica.log_end_offset + 1):
            if self.replica.starts_segment[offset]:
                found.append([offset, 0])
            if found and offset < self.replica.log_end_offset:
                found[-1][1] += self.replica.records[offset].bytes
        return found

    def remote_segments(self) -> list[Any] | None:
        """The segments that the broker's cache tracks; None if it has no cache."""
        me = self.replica
        if not me.is_metadata_assigned:
            return None
        return sorted(
            [
                it.start_offset,
                it.end_offset,
                known.name,
                it.bytes,
                it.max_timestamp,
                entries(it.lineage),
            ]
            for it, known in zip(self.state.segment, me.cache.state, strict=True)
            if known
        )


def entries(lineage: Any) -> list[list[int]]:
    """[epoch, start] of each entry."""
    return [[epoch, start] for epoch, start in enumerate(lineage) if start != NONE]
