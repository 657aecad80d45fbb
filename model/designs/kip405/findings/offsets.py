"""Offsets that survive what they were about: deletions, elections, crashes."""

from tierproof.model.designs.kip405.findings.copies import ALONE, LEGAL, PAIR
from tierproof.model.language import Finding, Severity, Story

OFFSETS = (
    Finding(
        name="deleted_offsets_count_as_copied",
        title=(
            "Offsets whose remote segment is deleted still count as copied, and local retention "
            "removes them, too"
        ),
        severity=Severity.UNAVAILABLE,
        symptom=(
            "Consumers that begin at the earliest offset make no progress: ListOffsets answers 0, "
            "and a fetch of offset 0 is answered with OFFSET_OUT_OF_RANGE. It concerns the "
            "expired segment alone, and lasts until retention deletes a later segment, or "
            "DeleteRecords moves the log start."
        ),
        needs=(
            "Two replicas; an election after the leader has begun to delete an expired segment, "
            "before the next leader has fetched the new log start: one fetch of a follower, up to "
            "replica.fetch.wait.max.ms (500 ms by default), or longer for a follower that is slow "
            "and still in the ISR. No crash, no fault. Kafka 3.9 to trunk."
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
                    "The expiration task of the leader moves the log start to 1 and publishes "
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
                    "The expiration task of the new leader asks how far epoch 0 was ever copied. "
                    "The deletion has not changed the answer, and the highest remote offset "
                    "becomes 0.",
                ),
                (
                    "20",
                    "Local retention of the new leader takes offset 0 for copied, and moves the "
                    "local log start to 1.",
                ),
                (
                    "end",
                    "The log start of the new leader is 0. A fetch of offset 0 goes to the remote "
                    "tier, finds no segment there, and is answered with OFFSET_OUT_OF_RANGE.",
                ),
                ("note", LEGAL),
            ),
        ),
        turning=19,
        fix=(
            "RemoteLogManager#findHighestRemoteOffset answers with the end of the finished "
            "segments that follow on the local log start without a gap. RLMCopyTask#copyLogSegment "
            "records its progress only if the cache has accepted COPY_SEGMENT_FINISHED."
        ),
        costs=(
            "A walk over the listed segments of one partition in place of one look-up, once for "
            "each run of a task."
        ),
        repair="repair_forget_deleted_offsets",
        apart=("repair_delete_records_at_all_in_sync_replicas",),
        shows="segment_is_expired",
        scope="smoke",
    ),
    Finding(
        name="new_leader_misses_the_log_start",
        title="A new leader promises offsets whose segment the old leader was deleting",
        severity=Severity.UNAVAILABLE,
        symptom=(
            "Consumers that begin at the earliest offset make no progress: ListOffsets answers 0, "
            "and a fetch of offset 0 is answered with OFFSET_OUT_OF_RANGE. It concerns the "
            "expired segment alone. It lasts until the new leader has read the metadata topic and "
            "its copy task raises the log start, at best some seconds. A copy task that runs "
            "before the deletion ends takes 0 for the log start and does not ask again: then it "
            "lasts until retention deletes a later segment."
        ),
        needs=(
            "Two replicas; an election after the leader has begun to delete an expired segment, "
            "before the next leader has fetched the new log start: one fetch of a follower, up to "
            "replica.fetch.wait.max.ms (500 ms by default), or longer for a follower that is slow "
            "and still in the ISR. No crash, no fault. Kafka 3.9 to trunk: the fix "
            "of KAFKA-15351 leaves this case."
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
                    "The expiration task of the leader moves the log start to 1 and publishes "
                    "DELETE_SEGMENT_STARTED.",
                ),
                ("14", "The controller elects broker 1, which does not know it yet."),
                (
                    "15-18",
                    "Broker 1 reads COPY_SEGMENT_FINISHED. Its follower task sets its highest "
                    "remote offset to 0, and local retention moves its local log start to 1. "
                    "Broker 1 has not fetched the new log start.",
                ),
                ("19", "Broker 1 learns that it leads. Its log start is 0."),
                (
                    "20",
                    "The new leader reads DELETE_SEGMENT_STARTED: the segment no longer serves "
                    "reads.",
                ),
                (
                    "end",
                    "The log start of the new leader is 0, and a fetch of offset 0 is answered "
                    "with OFFSET_OUT_OF_RANGE.",
                ),
                ("note", LEGAL),
            ),
        ),
        turning=14,
        fix=(
            "A new leader reads the metadata topic to the end that it had at the election. Then "
            "it raises its log start to the first finished segment of its lineage, or to its "
            "local log. A segment in DELETE_SEGMENT_STARTED does not count."
        ),
        costs=(
            "Tasks and remote reads of a new leader wait until it has read the metadata topic: "
            "seconds, or minutes where the topic is long."
        ),
        repair="repair_take_log_start_over",
        apart=("repair_delete_records_at_all_in_sync_replicas",),
        shows="segment_is_expired",
        scope="smoke",
    ),
    Finding(
        name="crash_takes_the_log_start_back",
        title="A crash takes the log start back to offsets that the lineage no longer covers",
        severity=Severity.UNAVAILABLE,
        symptom=(
            "After the crash the log start is 0 again, and fetches of offsets 0 to 1 are answered "
            "with OFFSET_OUT_OF_RANGE: consumers that begin at the earliest offset make no "
            "progress. It lasts until the next run of the expiration task where the segment is "
            "still listed, and otherwise until retention deletes a later segment or DeleteRecords "
            "moves the log start. Where the local segment is still there, copying and local "
            "retention of the whole partition stop as well, and the disk fills."
        ),
        needs=(
            "One replica; a crash within log.flush.start.offset.checkpoint.interval.ms (a minute "
            "by default) after an expiration or a DeleteRecords request has moved the log start. "
            "Kafka 3.9 to trunk; the stall of copying was seen on 4.4.0."
        ),
        claims=(
            "committed_records_stay_readable",
            "new_leader_knows_the_log_start",
            "remote_and_local_parts_are_contiguous",
            "rolled_segments_are_copied",
            "expired_local_segments_are_removed",
            "records_become_readable",
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
                ("start", f"{ALONE} retention.ms is 0, and local.retention.bytes is 1."),
                ("1", "Offsets 0 and 1 breach retention.ms."),
                ("2-10", "The leader copies offsets 0 to 1."),
                (
                    "11-12",
                    "The expiration task moves the log start to 2, in memory and in the "
                    "leader-epoch checkpoint. The log start checkpoint still says 0.",
                ),
                ("13", "The broker removes the local segment of offsets 0 to 1."),
                (
                    "14",
                    "The broker crashes, restarts with log start 0 and a lineage that begins at "
                    "offset 2, and is elected again.",
                ),
                ("15-16", "The leader reads in the metadata topic that the segment is finished."),
                (
                    "end",
                    "The log start of the leader is 0. Offsets 0 to 1 are in the remote tier, and "
                    "no look-up finds them, since no epoch of the lineage covers them: a fetch is "
                    "answered with OFFSET_OUT_OF_RANGE.",
                ),
                (
                    "beyond",
                    "If the broker crashes before step 13, the local segment is still there. "
                    "Every run of the copy task then begins with that segment and fails,"
                    " as no epoch of the lineage covers it. Nothing of the partition is copied or"
                    " removed any more.",
                ),
                ("note", LEGAL),
            ),
        ),
        turning=14,
        fix=(
            "UnifiedLog writes the log start checkpoint whenever the log start moves, before "
            "anything below it is deleted."
        ),
        costs=(
            "One write of a small file for each run of the expiration task that deletes "
            "something, and for each DeleteRecords request."
        ),
        repair="repair_write_log_start_through",
        apart=("repair_take_log_start_over",),
        shows="segment_is_expired",
        scope="alone_restart",
    ),
    Finding(
        name="unanswered_deletion_is_forgotten",
        title="A DeleteRecords request that an election interrupts leaves its records in the topic",
        severity=Severity.COST,
        symptom=(
            "Records that a user has deleted, and that the old leader no longer served, can be "
            "read again at the new leader, which copies them to the remote store. They stay until "
            "retention.ms or retention.bytes passes them; where both are -1, as long as the topic "
            "exists. A DeleteRecords request that the new leader gets ends it: Java's Admin sends "
            "one by itself, while its call lasts."
        ),
        needs=(
            "Two replicas; an election after the leader has moved its log start for a "
            "DeleteRecords request, before the next leader has fetched it: one fetch of a "
            "follower, up to replica.fetch.wait.max.ms (500 ms by default). No crash, no fault. "
            "The request is not answered with success, and nobody repeats it. Java's Admin asks "
            "the new leader after request.timeout.ms (30 s), unless it is closed, or "
            "default.api.timeout.ms (60 s) is over by then."
        ),
        claims=("expired_objects_are_deleted",),
        permitted_by=(
            "Partition#deleteRecordsOnLeader, which moves the log start of the leader first: "
            "followers take it from the answers to their fetches; Partition#makeLeader, which "
            "keeps the log start that the replica has; "
            "ReplicaManager#completeDelayedOperationsWhenNotPartitionLeader, which does not "
            "complete the DeleteRecords requests that wait, so that the client learns nothing of "
            "the election from the old leader: KIP-107 has NotLeaderException for this case"
        ),
        story=Story(
            "aac956",
            (
                (
                    "start",
                    PAIR.replace(
                        "retention.ms is 0",
                        "No record is past retention.ms, retention.bytes is -1",
                    ),
                ),
                (
                    "1-2",
                    "A user deletes the records below offset 1 at the leader, broker 0, which "
                    "moves its log start to 1 and removes offset 0. The request waits for broker "
                    "1.",
                ),
                (
                    "3-6",
                    "The controller elects broker 1 before broker 1 has fetched the new log start. "
                    "Both brokers learn of the election; the log start of broker 1, the new "
                    "leader, is 0: consumers can read offset 0 again.",
                ),
                (
                    "7-17",
                    "The new leader copies offset 0 and publishes COPY_SEGMENT_FINISHED.",
                ),
                ("18-19", "The new leader removes its local segment of offset 0."),
                (
                    "20-22",
                    "The expiration task of the new leader finds nothing to delete, in this run "
                    "and in every later one until retention.ms passes.",
                ),
                (
                    "end",
                    "Offset 0 can be read at the new leader, and its object stays in the remote "
                    "store.",
                ),
                (
                    "beyond",
                    "The old leader answers the request when its timeout is over, with "
                    "REQUEST_TIMED_OUT, as it does where the deletion has succeeded and a "
                    "follower is slow. KIP-1343, a draft, notes that clients cannot tell how far "
                    "such a deletion got.",
                ),
                (
                    "beyond",
                    "With retention.ms=-1 and retention.bytes=-1 nothing but another "
                    "DeleteRecords request deletes offset 0.",
                ),
                ("note", LEGAL),
            ),
        ),
        turning=3,
        fix=(
            "A DeleteRecords request takes effect once every replica in sync has the new log "
            "start, for instance as a part of the record that the controller keeps of the "
            "partition; a replica that comes back in sync takes it over."
        ),
        costs=(
            "One write at the controller, or one more round of fetches, before the records of a "
            "DeleteRecords request disappear."
        ),
        repair="repair_delete_records_at_all_in_sync_replicas",
        shows="segment_is_expired",
        scope="deletions",
    ),
)
