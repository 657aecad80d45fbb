"""Offsets that survive what they were about: deletions, elections, crashes."""

from tierproof.model.designs.kip405.findings.copies import ALONE, PAIR
from tierproof.model.language import Finding, Severity, Story

OFFSETS = (
    Finding(
        name="deleted_offsets_count_as_copied",
        title="Offsets whose remote segment is deleted still count as copied, and go locally, too",
        severity=Severity.UNAVAILABLE,
        needs=(
            "Two replicas, and an election after the expiration of a segment has begun, before "
            "the next leader has fetched the new log start. No crash, no fault. Kafka 3.9 to "
            "trunk, by the code."
        ),
        claims=(
            "committed_records_stay_readable",
            "new_leader_knows_the_log_start",
            "remote_and_local_parts_are_contiguous",
            "records_become_readable",
        ),
        permitted_by=(
            "RemoteLogLeaderEpochState#highestLogOffset, which no deletion lowers; "
            "RemoteLogManager#findHighestRemoteOffset, which answers with it; "
            "UnifiedLog#deletableSegments, which trusts the answer"
        ),
        story=Story(
            "f31cbd",
            (
                ("start", PAIR),
                ("1", "Offset 0 breaches retention.ms."),
                ("2-10", "The leader, broker 0, copies offset 0."),
                (
                    "11-13",
                    "Its expiration task moves its log start to 1 and publishes "
                    "DELETE_SEGMENT_STARTED.",
                ),
                (
                    "14-15",
                    "The controller elects broker 1, which learns that it leads. It has not "
                    "fetched the new log start, and has offset 0 in its local log.",
                ),
                (
                    "16-18",
                    "The new leader reads the metadata topic to its end: the segment of offset 0 "
                    "is being deleted.",
                ),
                (
                    "19",
                    "Its expiration task asks how far epoch 0 was ever copied. The deletion has "
                    "left the answer as it was, and the highest remote offset becomes 0.",
                ),
                (
                    "20",
                    "Local retention takes offset 0 for copied, and moves the local log start "
                    "to 1.",
                ),
                (
                    "end",
                    "The log start of the new leader is 0. A fetch of offset 0 goes to the remote "
                    "tier, finds no segment there, and is answered with OFFSET_OUT_OF_RANGE. It "
                    "may stay so, since no task of the new leader moves its log start.",
                ),
            ),
        ),
        turning=19,
        fix=(
            "RemoteLogManager#findHighestRemoteOffset answers with the end of the finished "
            "segments that follow on the local log start without a gap. RLMCopyTask#copyLogSegment "
            "records its progress only if the cache has accepted COPY_SEGMENT_FINISHED."
        ),
        costs="A walk over the listed segments in place of one look-up.",
        repair="repair_forget_deleted_offsets",
        shows="segment_is_expired",
        scope="smoke",
    ),
    Finding(
        name="new_leader_misses_the_log_start",
        title="A new leader promises offsets whose segment the old leader was deleting",
        severity=Severity.UNAVAILABLE,
        needs=(
            "Two replicas, and an election amid the expiration of a segment, before the next "
            "leader has fetched the new log start. No crash, no fault. Kafka 3.9 to trunk, by "
            "the code: the fix of KAFKA-15351 leaves this case."
        ),
        claims=(
            "committed_records_stay_readable",
            "new_leader_knows_the_log_start",
            "remote_and_local_parts_are_contiguous",
        ),
        permitted_by=(
            "RLMCopyTask#maybeUpdateLogStartOffsetOnBecomingLeader, which asks once, and from a "
            "cache that may lag; RemoteLogManager#findLogStartOffset, which answers with the "
            "first listed segment, also if that is being deleted"
        ),
        story=Story(
            "b21a58",
            (
                ("start", PAIR),
                ("1", "Offset 0 breaches retention.ms."),
                ("2-10", "The leader, broker 0, copies offset 0."),
                (
                    "11-13",
                    "Its expiration task moves its log start to 1 and publishes "
                    "DELETE_SEGMENT_STARTED.",
                ),
                ("14", "The controller elects broker 1, which still follows."),
                (
                    "15-18",
                    "Broker 1 reads COPY_SEGMENT_FINISHED. Its follower task sets its highest "
                    "remote offset to 0, and local retention moves its local log start to 1. It "
                    "has not fetched the new log start.",
                ),
                ("19", "Broker 1 learns that it leads. Its log start is 0."),
                (
                    "20",
                    "The new leader reads DELETE_SEGMENT_STARTED: the segment no longer serves "
                    "reads.",
                ),
                (
                    "end",
                    "The new leader promises offset 0, and a fetch of it is answered with "
                    "OFFSET_OUT_OF_RANGE. With every other repair its log start moves up in the "
                    "end, after a while in which a reader at offset 0 makes no progress.",
                ),
            ),
        ),
        turning=14,
        fix=(
            "A new leader reads the metadata topic to the end that it had at the election. Then "
            "it raises its log start to the first finished segment of its lineage, or to its "
            "local log. A segment in DELETE_SEGMENT_STARTED does not count."
        ),
        costs="Tasks and remote reads of a new leader wait until it has read the metadata topic.",
        repair="repair_take_log_start_over",
        shows="segment_is_expired",
        scope="smoke",
    ),
    Finding(
        name="crash_takes_the_log_start_back",
        title="A crash takes the log start back below the lineage, and the log start stays there",
        severity=Severity.UNAVAILABLE,
        needs=(
            "One replica, and a crash within log.flush.start.offset.checkpoint.interval.ms (a "
            "minute) of an expiration or of a DeleteRecords request. Seen on Kafka 3.9.2, 4.3.1 "
            "and 4.4.0; the stall of copying on 4.4.0."
        ),
        claims=(
            "committed_records_stay_readable",
            "remote_and_local_parts_are_contiguous",
            "rolled_segments_are_copied",
            "expired_local_segments_are_removed",
        ),
        permitted_by=(
            "LogManager#checkpointLogStartOffsets, which runs once a minute and at an orderly "
            "shutdown; UnifiedLog#maybeIncrementLogStartOffset, which cuts the leader-epoch "
            "checkpoint at once; LogLoader#load, which does not compare the two; "
            "RLMCopyTask#copyLogSegment, which fails for a segment without an epoch"
        ),
        assumptions=("B5",),
        story=Story(
            "dbf684",
            (
                ("start", f"{ALONE} retention.ms is 0."),
                ("1", "Offsets 0 and 1 breach retention.ms."),
                ("2-10", "The leader copies offsets 0 to 1."),
                (
                    "11-12",
                    "Its expiration task moves the log start to 2, in memory and in the "
                    "leader-epoch checkpoint. The log start checkpoint still says 0.",
                ),
                ("13", "The broker removes the local segment of offsets 0 to 1."),
                (
                    "14",
                    "The broker crashes, loads its log with log start 0 and a lineage that "
                    "begins at offset 2, and is elected again.",
                ),
                ("15-16", "It reads the metadata topic: the segment is finished."),
                (
                    "end",
                    "The leader promises offsets 0 to 1. They are in the remote tier, and no "
                    "look-up finds them, since no epoch of the lineage covers them: "
                    "OFFSET_OUT_OF_RANGE. If the local segment is still there, every run of the "
                    "copy task begins with it and fails, and nothing is copied or removed any "
                    "more.",
                ),
            ),
        ),
        turning=14,
        fix=(
            "UnifiedLog writes the log start checkpoint whenever the log start moves, before "
            "anything below it is deleted."
        ),
        costs="A small write for each run of the expiration task that deletes something.",
        repair="repair_write_log_start_through",
        shows="segment_is_expired",
        scope="alone_restart",
    ),
    Finding(
        name="unanswered_deletion_is_forgotten",
        title="A DeleteRecords request that an election interrupts leaves its records in the topic",
        severity=Severity.COST,
        needs=(
            "Two replicas, and an election before the next leader has fetched the log start that "
            "a DeleteRecords request has moved. The request is not answered with success."
        ),
        claims=("expired_objects_are_deleted",),
        permitted_by=(
            "ReplicaManager#deleteRecords, which moves the log start of the leader first and "
            "those of followers with their fetches; Partition#makeLeader, which keeps the log "
            "start that the replica has"
        ),
        story=Story(
            "aac956",
            (
                ("start", PAIR.replace("retention.ms is 0", "No record is past retention.ms")),
                (
                    "1-2",
                    "A user deletes the records below offset 1 at the leader, broker 0, which "
                    "moves its log start to 1 and removes offset 0. The request waits for "
                    "broker 1.",
                ),
                (
                    "3-6",
                    "The controller elects broker 1 before it has fetched the new log start. Both "
                    "brokers learn of it; the log start of the new leader is 0.",
                ),
                (
                    "7-17",
                    "The new leader copies offset 0 and publishes COPY_SEGMENT_FINISHED.",
                ),
                ("18-19", "The new leader removes its local segment of offset 0."),
                (
                    "20-22",
                    "Its expiration task finds nothing to delete, in this run and in every later "
                    "one.",
                ),
                (
                    "end",
                    "Offset 0 can be read again, and its object stays until retention reaches it. "
                    "The request fails, and only a user who repeats it gets the records deleted.",
                ),
            ),
        ),
        turning=3,
        fix=(
            "A DeleteRecords request takes effect once every replica in sync has the new log "
            "start, for instance as a part of the record that the controller keeps of the "
            "partition; a replica that comes back in sync takes it over."
        ),
        costs="A write at the controller, or a round of fetches, before records disappear.",
        repair="repair_delete_records_at_all_in_sync_replicas",
        shows="segment_is_expired",
        scope="deletions",
    ),
)
