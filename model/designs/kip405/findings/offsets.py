"""Offsets that survive what they were about: deletions, elections, crashes."""

from tierproof.model.designs.kip405.findings.copies import ALONE, LEGAL, PAIR
from tierproof.model.language import Finding, Severity, Story

OFFSETS = (
    Finding(
        name="deleted_offsets_count_as_copied",
        title=(
            "After an election, local retention deletes offsets whose remote segment is already "
            "deleted; the log start is unreadable"
        ),
        severity=Severity.UNAVAILABLE,
        symptom=(
            "Consumers hang at the start of the log: ListOffsets answers an offset that neither "
            "tier holds, a fetch of it is answered with OFFSET_OUT_OF_RANGE, and the reset asks "
            "ListOffsets again. No unexpired record is lost. A leader that has not yet fetched the "
            "last log start asks how far the log was ever copied, and deletes its local segment "
            "although the remote one is gone. It lasts until retention deletes a later segment, "
            "DeleteRecords moves the log start (an operator's way out: up to the earliest local "
            "offset), or a replica with a later log start is elected. (Up to 3.9 an election amid "
            "the deletion heals: the next run of the expiration task expires the segment again, "
            "and moves the log start. Since 4.0, KAFKA-17428, it deletes without that.)"
        ),
        needs=(
            "Two replicas; an election (a rolling restart is enough) after the leader has begun "
            "to delete an expired segment, before the next leader has fetched the new log "
            "start: up to replica.fetch.wait.max.ms (500 ms by default), or longer for a "
            "follower that is slow and still in the ISR. The next leader still has the segment in "
            "its local log: its local retention, which runs every 5 minutes by default, comes "
            "after its copy task has looked for the log start, which the task does in its first "
            "run. With a local retention that is clearly shorter than the retention the segment is "
            "usually gone by then. (In the steps and commands it is short, and has not run yet.) "
            "No crash, no fault. Kafka 3.6 to trunk, by the code."
        ),
        tracker=(
            "no issue notes it; apache/kafka PR 21306 (KAFKA-12641, opened in January 2026) would "
            "have highestOffsetForEpoch keep the offset of deleted segments by contract: this "
            "report speaks against that"
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
                (
                    "1-10",
                    "Offset 0 breaches retention.ms. The leader, broker 0, copies it.",
                ),
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
                    "The new leader reads the metadata topic to its end: the segment of offset "
                    "0 is being deleted.",
                ),
                (
                    "19",
                    "The expiration task of the new leader asks how far epoch 0 was ever copied "
                    "(before KAFKA-20732 only the copy task asks). The deletion has not changed "
                    "the answer, and the highest remote offset becomes 0.",
                ),
                (
                    "20",
                    "Local retention of the new leader takes offset 0 for copied, and moves "
                    "the local log start to 1.",
                ),
                (
                    "end",
                    "The log start of the new leader is 0. A fetch of offset 0 goes to the "
                    "remote tier, finds no segment there, and is answered with "
                    "OFFSET_OUT_OF_RANGE.",
                ),
                ("note", LEGAL),
            ),
        ),
        turning=19,
        fix=(
            "In each run RLMCopyTask moves a log start that lies below the local log start, and of "
            "which RemoteLogMetadataManager#remoteLogSegmentMetadata finds no segment, to the "
            "first offset of which it finds one, at most to the local log start. The model was "
            "tried with that alone, also with a crash: every log start becomes readable again, and "
            "none passes a record that retention keeps. It ends the case one run later, whoever "
            "has been elected, and does not keep it from coming about. It is also the fix of our "
            'report "A leader elected while a segment expires can keep a log start that neither '
            'tier serves". More, and tried, too: RLMExpirationTask moves the log start as it does, '
            "and deletes a segment below it only once every replica in the ISR has fetched with a "
            "log start past the segment; a replica joins the ISR only with the leader's log start "
            "(Partition#isFollowerInSync), and a segment that waits does not count in "
            "retention.bytes. Then neither these steps nor the commands below come to pass, but "
            "for an election from the ELR, or an unclean one, of which the model knew nothing "
            "there. The model was tried with a third "
            "change: RemoteLogManager#findHighestRemoteOffset returns the greatest H such that "
            "every offset from the local log start to H is in a segment of the lineage in "
            "COPY_SEGMENT_FINISHED (with the epoch of H), or the offset below the local log start; "
            "and RLMCopyTask#copyLogSegment, for an old leader whose copy ends late, moves the "
            "highest remote offset only if its task is not cancelled and "
            "RemoteLogMetadataManager#remoteLogSegmentMetadata answers with the new segment. The "
            "new leader then copies the segment again and expires it. So it would in the commands "
            "below, as its copy task begins after H; but UnifiedLog#highestOffsetInRemoteStorage, "
            "which its follower task has raised, never falls, and local retention may come before "
            "that copy. This third change must not go in alone: later segments that are still "
            "local are copied again, too, retention.bytes counts both copies, and unexpired "
            "records are deleted."
        ),
        costs=(
            "Of the first: one look-up in each run; consumers loop until the next run (30 s by "
            "default); a topic with remote.log.copy.disable needs it in RLMExpirationTask. Of the "
            "second: deletions come one run later, as the log start moves in the same run; a slow "
            "follower delays them until it leaves the ISR (replica.lag.time.max.ms); and "
            "RemoteLogManager has to reach the Partition. Of the third: a walk over the listed "
            "segments in place of one look-up, and uploads of what the remote tier has or had. No "
            "interface changes."
        ),
        repair="repair_forget_deleted_offsets",
        searched="the third form of the fix",
        apart=("repair_delete_records_at_all_in_sync_replicas",),
        shows="segment_is_expired",
        scope="smoke",
    ),
    Finding(
        name="new_leader_misses_the_log_start",
        title=(
            "A leader elected while a segment expires can keep a log start that neither tier serves"
        ),
        severity=Severity.UNAVAILABLE,
        symptom=(
            "Consumers that begin at the earliest offset make no progress: ListOffsets answers "
            "an offset of a segment that is being deleted, and a fetch of it is answered with "
            "OFFSET_OUT_OF_RANGE. The records had expired. Up to 3.9 it lasts some seconds. "
            "Since 4.0, if the copy task of the new leader runs before the deletion ends, it "
            "lasts until retention deletes a later segment, DeleteRecords moves the log start, "
            "or another leader is elected. The new leader looks for its log start once, and a "
            "segment in DELETE_SEGMENT_STARTED counts."
        ),
        needs=(
            "Two replicas; an election (a rolling restart is enough) after the leader has begun "
            "to delete an expired segment, before the next leader has fetched the new log "
            "start: up to replica.fetch.wait.max.ms (500 ms by default), or longer for a "
            "follower that is slow and still in the ISR. Local retention deletes the segment at "
            "the next leader in that time, or has before. No crash, no fault. Kafka 3.6 to "
            "trunk, by the code."
        ),
        tracker=(
            "no issue is known to us; KAFKA-15351 (PR 14340) has a new leader look for its log "
            "start, KAFKA-15352 (PR 14349) moves the log start before the deletion, KAFKA-17428 "
            "(PR 17335) tries deletions again: none of the three treats this case"
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
                (
                    "1-10",
                    "Offset 0 breaches retention.ms. The leader, broker 0, copies it.",
                ),
                (
                    "11-13",
                    "The expiration task of the leader moves the log start to 1 and publishes "
                    "DELETE_SEGMENT_STARTED.",
                ),
                (
                    "14",
                    "The controller elects broker 1, which does not know it yet, and has not "
                    "fetched the new log start.",
                ),
                (
                    "15-18",
                    "Broker 1 reads COPY_SEGMENT_FINISHED. Its follower task sets its highest "
                    "remote offset to 0, and local retention moves its local log start to 1.",
                ),
                (
                    "19-20",
                    "Broker 1 learns that it leads. Its log start is 0. It reads "
                    "DELETE_SEGMENT_STARTED: the segment no longer serves reads.",
                ),
                (
                    "end",
                    "The log start of the new leader is 0, and a fetch of offset 0 is answered "
                    "with OFFSET_OUT_OF_RANGE.",
                ),
                (
                    "beyond",
                    "If the first run of the new leader's copy task still finds the segment "
                    "listed, it leaves the log start at 0, and no run looks again. Since 4.0 "
                    "(KAFKA-17428) the new leader's expiration task deletes a segment in "
                    "DELETE_SEGMENT_STARTED without a look at retention, so that the deletion "
                    "does not move the log start, as it does in 3.9.",
                ),
                ("note", LEGAL),
            ),
        ),
        turning=14,
        fix=(
            "In each run, not only in its first (isLogStartOffsetUpdated), RLMCopyTask moves a log "
            "start that lies below the local log start, and of which "
            "RemoteLogMetadataManager#remoteLogSegmentMetadata finds no segment, to the first "
            "offset of which it finds one, at most to the local log start. The model was tried "
            "with that alone, also with a crash: every log start becomes readable again, and none "
            "passes a record that retention keeps. Consumers loop until the next run. It is also "
            'the fix of our report "After an election, local retention deletes offsets whose '
            'remote segment is already deleted; the log start is unreadable". To keep both from '
            "coming about, and tried, too: a leader deletes what ends below its log start only "
            "once every replica in the ISR has a log start past it, and a replica joins the ISR "
            "only with the leader's log start. A replica that is elected from the ELR, or "
            "uncleanly, may not have it. The model was tried with a third change: "
            "RemoteLogManager#findLogStartOffset answers with the first segment of the lineage in "
            "COPY_SEGMENT_FINISHED, or with the local log start if that is lower or there "
            "is none. And a new leader asks once it has read the metadata topic to the end that "
            "the topic had at the election: "
            "TopicBasedRemoteLogMetadataManager notes that end in #onPartitionLeadershipChanges, "
            "and #isReady, which every run of a task asks, says no until then. In the model remote "
            "fetches wait, too, which #isReady does not make them do. A deletion that an old "
            "leader publishes later, not knowing of the election, needs a fence by leader epoch "
            "besides."
        ),
        costs=(
            "Of the first: one look-up in each run; a leader that has lost leader epochs gives up "
            "segments that it cannot find; a topic with remote.log.copy.disable has no copy task, "
            "and needs it in RLMExpirationTask. Of the second: deletions come one run later; a "
            "slow follower delays them until it leaves the ISR (replica.lag.time.max.ms); and "
            "RemoteLogManager has to reach the Partition. Of the third: the state of each listed "
            "segment until one is finished; and one more request for the end of a metadata "
            "partition at each election, and tasks of a new leader that wait until it has read so "
            "far: seconds, or minutes where the topic is long. Other plugins have to do likewise."
        ),
        repair="repair_take_log_start_over",
        searched="the third form of the fix",
        apart=("repair_delete_records_at_all_in_sync_replicas",),
        shows="segment_is_expired",
        scope="smoke",
    ),
    Finding(
        name="crash_takes_the_log_start_back",
        title=(
            "A kill after remote retention takes logStartOffset back below the first leader "
            "epoch, and fetches from it fail"
        ),
        severity=Severity.UNAVAILABLE,
        symptom=(
            "After a crash consumers that begin at the earliest offset make no progress: the log "
            "start is an old one again, and fetches of it are answered with OFFSET_OUT_OF_RANGE. "
            "The records had expired, or a user had deleted them. In these steps it ends with "
            "the next run of the expiration task, as the segment is still listed and past "
            "retention. Where it is no longer listed and a later segment is, it ends with the "
            "first run of the copy task. Where none is listed and its local copy is still there at "
            "the restart (so on brokers), or where it is in DELETE_SEGMENT_STARTED (since 4.0), it "
            "lasts until retention reaches a later segment, DeleteRecords moves the log start, or "
            "the partition has a new leader, as after another restart. If a DeleteRecords request "
            "had passed records that are not copied yet, copying and local retention of the "
            "partition stop instead, and the disk fills. The log start is checkpointed once a "
            "minute, the leader epochs within moments: after a crash the log begins below its "
            "first leader epoch."
        ),
        needs=(
            "A crash of every replica in the ISR (one replica is enough; one that stays up "
            "keeps the log start) within log.flush.start.offset.checkpoint.interval.ms (a "
            "minute by default) after an expiration or a DeleteRecords request has moved the "
            "log start. Kafka 3.6 to trunk, by the code; the stall of copying was seen on "
            "4.4.0."
        ),
        tracker=(
            "no issue is known to us; KAFKA-16146 has tiered logs write their log start at each "
            "checkpoint, and leaves the interval. A comment in "
            "UnifiedLog#maybeIncrementLogStartOffset accepts that a crash of all replicas in "
            "sync loses a DeleteRecords offset; it does not speak of leader epochs that are cut"
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
            "shutdown; UnifiedLog#maybeIncrementLogStartOffset, which has the leader-epoch "
            "checkpoint cut within moments; LogLoader#load, which cuts leader epochs below the "
            "log start, and does not raise the log start to the first epoch; "
            "RLMCopyTask#copyLogSegment, which fails for a segment without an epoch"
        ),
        assumptions=("B5",),
        story=Story(
            "dbf684",
            (
                ("start", f"{ALONE} retention.ms is 0, and local.retention.bytes is 1."),
                (
                    "1-10",
                    "Offsets 0 and 1 breach retention.ms. The leader copies them.",
                ),
                (
                    "11-12",
                    "The expiration task moves the log start to 2, in memory and in the "
                    "leader-epoch checkpoint. The log start checkpoint still says 0.",
                ),
                (
                    "13",
                    "The broker removes the local segment of offsets 0 to 1.",
                ),
                (
                    "14",
                    "The broker crashes, restarts with log start 0 and a lineage that begins "
                    "at offset 2, and is elected again.",
                ),
                (
                    "15-16",
                    "The leader reads in the metadata topic that the segment is finished.",
                ),
                (
                    "end",
                    "The log start of the leader is 0. Offsets 0 to 1 are in the remote tier, "
                    "and no look-up finds them, since no epoch of the lineage covers them: a "
                    "fetch is answered with OFFSET_OUT_OF_RANGE.",
                ),
                (
                    "beyond",
                    "If a DeleteRecords request has moved the log start past a segment that "
                    "was never copied, and the broker crashes before that segment is removed, "
                    "every run of the copy task begins with it and fails, as no epoch of the "
                    "lineage covers it (segmentLeaderEpochs can not be null or empty). Nothing "
                    "of the partition is copied or removed any more.",
                ),
                ("note", LEGAL),
            ),
        ),
        turning=14,
        fix=(
            "The smallest: LogLoader#load raises the log start of a tiered log to the start of its "
            "first leader epoch, at most to the log end. It reads that epoch before "
            "LeaderEpochFileCache#truncateFromEndAsyncFlush, which drops an epoch that begins at "
            "the log end: the only one, once all records have expired. That mends every crash that "
            "comes after the leader-epoch checkpoint is written. It must not do so where batches "
            "of message format v0 or v1 lie below the first epoch: these have no epoch, and it "
            "would drop them. A classic log is left as it is; a log that becomes tiered needs the "
            "same when remote.storage.enable is set. The model, which has no message formats, was "
            "tried with that. It was also tried with more: LogManager writes the log start "
            "checkpoint when the log start of a tiered log moves, before anything below it is "
            "deleted, and before UnifiedLog#maybeIncrementLogStartOffset cuts the leader epochs. A "
            "crash in between leaves epochs from below the log start, and LogLoader cuts those. "
            "The file is one for all partitions of a log directory, and UnifiedLog does not know "
            "it, so that LogManager has to pass it down. Until then an operator ends both the "
            "unreadable log start and the stall with a DeleteRecords request up to the first "
            "offset in leader-epoch-checkpoint."
        ),
        costs=(
            "The first: a look at the message format of the first local batch when a tiered log is "
            "loaded. The second: one write of that file, with a line for each tiered partition of "
            "the directory, for each run of the expiration task that deletes something, and for "
            "each DeleteRecords request, whose answer waits for it; under the lock of the log "
            "appends wait, too. Records are dropped by the first if leader-epoch-checkpoint has "
            "lost entries, by hand, or by a crash in TierStateMachine between "
            "truncateFullyAndStartAt and assign."
        ),
        repair="repair_write_log_start_through",
        stands_alone=True,
        proposal="proposal_log_begins_with_its_first_epoch",
        apart=("repair_take_log_start_over",),
        shows="segment_is_expired",
        scope="alone_restart",
    ),
)
