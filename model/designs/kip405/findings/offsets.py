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
            "Consumers that begin at the earliest offset make no progress: ListOffsets answers "
            "an offset that nothing holds, and a fetch of it is answered with "
            "OFFSET_OUT_OF_RANGE. It concerns records that had expired, and lasts until "
            "retention deletes a later segment or DeleteRecords moves the log start. A leader "
            "that lacks the log start of the one before asks how far the log was ever copied, "
            "and deletes its local segment, though the remote one is deleted, too."
        ),
        needs=(
            "Two replicas; an election (a rolling restart is enough) after the leader has begun "
            "to delete an expired segment, before the next leader has fetched the new log "
            "start: up to replica.fetch.wait.max.ms (500 ms by default), or longer for a "
            "follower that is slow and still in the ISR. No crash, no fault. Kafka 3.6 to "
            "trunk, by the code."
        ),
        tracker=(
            "no issue notes it; apache/kafka PR 21306 (KAFKA-12641, open in January 2026) would "
            "make it the contract of RemoteLogLeaderEpochState#highestLogOffset that deleted "
            "segments count"
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
            "RemoteLogManager#findHighestRemoteOffset answers with the end of the segments in "
            "COPY_SEGMENT_FINISHED that follow on the local log start without a gap. "
            "RLMCopyTask#copyLogSegment moves the highest remote offset only if the cache has "
            "accepted COPY_SEGMENT_FINISHED. The new leader then copies the segment again and "
            "expires it in the regular way. An alternative that we have not modelled: "
            "RLMExpirationTask deletes only below the log start of all live replicas, which the "
            "leader keeps for DeleteRecords (Partition#lowWatermarkIfLeader); then a slow "
            "follower delays deletions."
        ),
        costs=(
            "A walk over the listed segments of one partition in place of one look-up, once for "
            "each run of a task. No interface changes."
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
            "Consumers that begin at the earliest offset make no progress: ListOffsets answers "
            "an offset of a segment that is being deleted, and a fetch of it is answered with "
            "OFFSET_OUT_OF_RANGE. It concerns records that had expired. It lasts some seconds; "
            "but since 4.0, if the copy task of the new leader runs before the deletion ends, "
            "until retention deletes a later segment. The new leader looks for its log start "
            "once, and a segment in DELETE_SEGMENT_STARTED counts."
        ),
        needs=(
            "Two replicas; an election (a rolling restart is enough) after the leader has begun "
            "to delete an expired segment, before the next leader has fetched the new log "
            "start: up to replica.fetch.wait.max.ms (500 ms by default), or longer for a "
            "follower that is slow and still in the ISR. No crash, no fault. Kafka 3.6 to "
            "trunk, by the code."
        ),
        tracker=(
            "no issue is known to us; KAFKA-15351 (PR 14340) has a new leader look for its log "
            "start, KAFKA-15352 (PR 14349) moves the log start before the deletion, KAFKA-17428 "
            "(PR 17335) tries deletions again: each is right alone, and together they leave "
            "this case"
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
            "RemoteLogManager#findLogStartOffset answers with the first segment of the lineage "
            "in COPY_SEGMENT_FINISHED, or else with the local log start. A new leader asks it "
            "once it has read the metadata topic to the end that the topic had at the election, "
            "as the deletion may be there: TopicBasedRemoteLogMetadataManager notes that end in "
            "#onPartitionLeadershipChanges, and #isReady, which every run of a task asks, says "
            "no until then. An alternative that we have not modelled: RLMExpirationTask deletes "
            "only below the log start of all live replicas (Partition#lowWatermarkIfLeader); "
            "then a slow follower delays deletions."
        ),
        costs=(
            "The first part: nothing; it stands alone, and leaves the case of a cache that lags. "
            "The second: tasks of a new leader wait until it has read the metadata topic: "
            "seconds, or minutes where the topic is long. In the model its remote reads wait, "
            "too; through #isReady they do not."
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
            "After a crash the log start is an old one again, and consumers that begin at the "
            "earliest offset make no progress: fetches of it are answered with "
            "OFFSET_OUT_OF_RANGE. It lasts until the next run of the expiration task where the "
            "segment is still listed, and otherwise until retention deletes a later segment or "
            "DeleteRecords moves the log start. Where the local segment is still there, copying "
            "and local retention of the partition stop instead, and the disk fills. The log "
            "start is checkpointed once a minute, the leader epochs within moments: after a "
            "crash the log begins below its first leader epoch."
        ),
        needs=(
            "One replica is enough; a crash within log.flush.start.offset.checkpoint.interval.ms "
            "(a minute by default) after an expiration or a DeleteRecords request has moved the "
            "log start. Kafka 3.6 to trunk, by the code; the stall of copying was seen on "
            "4.4.0."
        ),
        tracker=(
            "no issue is known to us; KAFKA-16146 has tiered logs write their log start at each "
            "checkpoint, and leaves the interval"
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
            "LogManager writes the log start checkpoint when the log start of a tiered log "
            "moves, before anything below it is deleted. The model was tried with that. The "
            "file is one for all partitions of a log directory, and UnifiedLog does not know "
            "it, so that LogManager has to pass it down. Cheaper, and not modelled: "
            "LogLoader#load raises the log start of a tiered log to the start of its first "
            "leader epoch, as the leader-epoch checkpoint is written for each partition anyway. "
            "It mends every crash that comes after that write."
        ),
        costs=(
            "The first: one write of that file, with a line for each tiered partition of the "
            "directory, for each run of the expiration task that deletes something, and for "
            "each DeleteRecords request. The second: nothing at run time."
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
            "Records that a user has deleted can be read again after an election, and the new "
            "leader copies them to the remote store. No deletion that was answered with success "
            "is undone. They stay until retention passes them (as long as the topic exists "
            "where retention.ms and retention.bytes are -1) or until another DeleteRecords "
            "request succeeds. The leader moves its log start before any follower has it, and a "
            "follower that is elected first serves the records again."
        ),
        needs=(
            "Two replicas; an election after the leader has moved its log start for a "
            "DeleteRecords request, before the next leader has fetched it: up to "
            "replica.fetch.wait.max.ms (500 ms by default). A client that does not repeat the "
            "request: Java's Admin asks the new leader after request.timeout.ms (30 s), unless "
            "it is closed, or default.api.timeout.ms (60 s) is over by then. No crash, no "
            "fault."
        ),
        tracker=(
            "no issue is known to us; KIP-107 has NotLeaderException for this case, and "
            "KIP-1343, a draft, notes that REQUEST_TIMED_OUT does not tell how far a deletion "
            "got"
        ),
        claims=("expired_objects_are_deleted",),
        permitted_by=(
            "Partition#deleteRecordsOnLeader, which moves the log start of the leader first: "
            "followers take it from the answers to their fetches; Partition#makeLeader, which "
            "keeps the log start that the replica has; "
            "ReplicaManager#completeDelayedOperationsWhenNotPartitionLeader, which does not "
            "complete the DeleteRecords requests that wait, so that the client learns nothing "
            "of the election from the old leader"
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
                    "follower is slow.",
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
            "First, and not modelled: "
            "ReplicaManager#completeDelayedOperationsWhenNotPartitionLeader completes the "
            "DeleteRecords requests, too. The client hears NOT_LEADER_OR_FOLLOWER at once and "
            "asks the new leader, which mends every client that repeats a request. We would "
            "merge that alone. The model was tried with more: a request takes effect once every "
            "replica in sync has the new log start, and a replica that rejoins the ISR takes it "
            "over. For that the controller's record of the partition would have to carry a log "
            "start, which it does not: a KIP, with new versions of PartitionRecord and "
            "AlterPartition."
        ),
        costs=(
            "The first: one line. The second: one write at the controller, or one more round of "
            "fetches, before the records of a DeleteRecords request disappear."
        ),
        repair="repair_delete_records_at_all_in_sync_replicas",
        shows="segment_is_expired",
        scope="deletions",
    ),
)
