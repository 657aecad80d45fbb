"""Cases of RemoteLogManager#stopPartitions: one call for a partition led and one followed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tierproof.conformance.following import NotEnabled
from tierproof.conformance.replaying import MS_BETWEEN_RECORDS
from tierproof.conformance.replicas import Replicas
from tierproof.model.designs.kip405.state import RecordKind
from tierproof.model.kafka.remote_log_task import CopyTask

TIERED = {"remote.storage.enable": "true", "local.retention.bytes": "1"}
THIS_BROKER, OTHER_BROKER = 0, 1
DEFAULT_SEGMENTS = 1


def stop(given: Mapping[str, Any]) -> dict[str, Any]:
    """stop_partitions: the cancelled tasks, the calls of the store and of the metadata manager.

    Not modelled: Kafka stops all partitions in one call. The answer counts one call of
    onStopPartitions if the broker afterwards follows the metadata of none of them.
    """
    leading = partition_of(int(given.get("leader_segments", DEFAULT_SEGMENTS)), THIS_BROKER)
    following = partition_of(int(given.get("follower_segments", DEFAULT_SEGMENTS)), OTHER_BROKER)
    partitions = [leading, following]
    before = [task for partition in partitions for task in tasks_of(partition)]
    records = [int(partition.state.metadata_end) for partition in partitions]
    if not all(partition.replica.is_metadata_assigned for partition in partitions):
        raise NotEnabled("the broker does not follow the metadata of what it stops")
    for partition in partitions:
        partition.deleted.clear()
        partition.stop(
            delete_local=given.get("deleteLocal", True),
            delete_remote=given["deleteRemote"],
            stop_metadata=given.get("stopRLMM", True),
        )
    after = [task for partition in partitions for task in tasks_of(partition)]
    found = {
        "rlmm.onStopPartitions": int(
            not any(partition.replica.is_metadata_assigned for partition in partitions)
        ),
        "rsm.delete": sum(len(partition.deleted) for partition in partitions),
    }
    if given["deleteRemote"]:
        updates = [
            updates_in(partition, start)
            for partition, start in zip(partitions, records, strict=True)
        ]
        return {**found, "rlmm.update": sum(updates)}
    ended = [task for task in before if task not in after]
    how = "all cancelled" if not after else f"of {', '.join(before)} cancelled"
    return {**found, "tasks": f"{', '.join(ended)} {how}"}


def partition_of(segments: int, leader: int) -> Replicas:
    """A tiered partition with so many remote segments; operations are those of THIS_BROKER."""
    brokers = (leader, OTHER_BROKER if leader == THIS_BROKER else THIS_BROKER)
    replicas = Replicas(brokers, records_per_segment=1)
    replicas.configure(TIERED)
    for _ in range(segments + 1):
        replicas.append(MS_BETWEEN_RECORDS)
    replicas.settle()
    if len(replicas.objects()) != segments:
        raise NotEnabled(f"{segments} segments are not copied, but {len(replicas.objects())}")
    replicas.broker = brokers.index(THIS_BROKER)
    return replicas


def tasks_of(replicas: Replicas) -> list[str]:
    """The broker's tasks for the partition."""
    replica = replicas.replica
    scheduled = {
        "copy": replica.copy_task != CopyTask.NONE,
        "expiration": replica.expiration_task,
        "follower": replica.follower_task,
    }
    return [name for name, is_scheduled in scheduled.items() if is_scheduled]


def updates_in(replicas: Replicas, start: int) -> int:
    """The number of segment updates published since."""
    published = list(replicas.state.metadata_topic)[start : replicas.state.metadata_end]
    return sum(record.kind != RecordKind.COPY_SEGMENT_STARTED for record in published)
