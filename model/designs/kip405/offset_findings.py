"""Two causes of their own: a segment that falls out of every list, a truncated log.

Each is shown from a beginning that a longer run of the design leads to (`overlapping_segments`).
"""

from tierproof.model.designs.kip405.findings.copies import LEGAL
from tierproof.model.language import Finding, Severity, Story

OFFSET_FINDINGS = (
    Finding(
        name="truncation_keeps_the_highest_remote_offset",
        title=(
            "truncateTo keeps highestOffsetInRemoteStorage, and local retention deletes records "
            "that were never copied"
        ),
        severity=Severity.LOSS,
        symptom=(
            "Records that were committed after an unclean election are lost: those at or below "
            "the last offset that the leader before it had copied. Fetches of them are "
            "answered with OFFSET_OUT_OF_RANGE, consumers go by auto.offset.reset (latest by "
            "default), and it does not heal. That leader comes back as a follower and "
            "truncates its log, but keeps its highest remote offset: it takes the records that "
            "it fetches next for copied, local retention deletes them, and once it leads again "
            "the other replica deletes them, too."
        ),
        needs=(
            "Two replicas; one unclean election (unclean.leader.election.enable) after which the "
            "old leader, which has copied, truncates without a restart, as after a network "
            "partition or a long pause: the offset is in memory only. Then, before the new leader "
            "has copied the new records: local retention at the old leader deletes a segment of "
            "them, as local.retention.bytes or local.retention.ms are small, and a clean election "
            "makes it lead again. Copying takes up to remote.log.manager.task.interval.ms (30 "
            "seconds by default), and longer where it lags or the store is down. Kafka 3.6 to "
            "trunk, by the code."
        ),
        claims=(
            "no_committed_record_lost",
            "log_start_passes_only_what_may_go",
            "local_segment_removed_only_once_copied",
            "object_deleted_only_when_not_needed",
        ),
        permitted_by=(
            "UnifiedLog#truncateTo, which leaves the highest offset in remote storage as it is; "
            "UnifiedLog#updateHighestOffsetInRemoteStorage, which never lowers it"
        ),
        assumptions=("B6",),
        story=Story(
            "773983",
            (
                (
                    "start",
                    "Broker 0 has led in epoch 0, and has copied offset 0 (the empty "
                    "segment that it has rolled for that is left out). After an unclean "
                    "election broker 1, which lacked that record, leads in epoch 1 and has "
                    "another record at offset 0. local.retention.bytes is 0.",
                ),
                (
                    "1",
                    "Broker 0 follows broker 1 and truncates its log to offset 0. The highest "
                    "remote offset of broker 0 stays 0.",
                ),
                (
                    "2-3",
                    "Broker 0 fetches the record of epoch 1. The leader, broker 1, takes "
                    "broker 0 back in the ISR: both have the record.",
                ),
                (
                    "4",
                    "Local retention of broker 0 finds a segment that ends at the highest remote "
                    "offset, takes it for copied, and moves the local log start to 1.",
                ),
                (
                    "5",
                    "The controller elects broker 0.",
                ),
                (
                    "6",
                    "Broker 0 learns that it leads, finds no remote segment of an epoch of its "
                    "log, and moves its log start to 1, its local log start. (Kafka does this "
                    "with the first run of the copy task, RemoteLogManager#findLogStartOffset, "
                    "and leaves the highest remote offset at 0. The model clears it here, as "
                    "another fix of ours does.)",
                ),
                (
                    "end",
                    "Broker 0 leads and begins at offset 1. The record of epoch 1 at offset 0 "
                    "was never copied, and a fetch of it is answered with OFFSET_OUT_OF_RANGE.",
                ),
                (
                    "beyond",
                    "Broker 1 still has the record, follows broker 0, takes over its log "
                    "start, and deletes the record.",
                ),
                ("note", LEGAL),
            ),
        ),
        turning=4,
        late=("controller_elects_leader",),
        fix=(
            "UnifiedLog#truncateTo lowers the highest offset in remote storage to below the new "
            "log end; #updateHighestOffsetInRemoteStorage cannot, as it only raises it. So does "
            "#truncateFullyAndStartAt, which #truncateTo calls for an offset below the local "
            "log. The follower task and the copy task raise it again, by the leader epochs of "
            "the log. Two threads could undo it. RLMFollowerTask#execute finds the offset before "
            "a truncation, and sets it afterwards. RLMCopyTask#copyLogSegment of the old leader "
            "ends late, and sets it without a look at its cancellation. They should set it under "
            "the lock of the log, with its leader epoch, and only if the log has the offset in "
            "that epoch, or begins above it: LeaderEpochFileCache#epochForOffset knows no epoch "
            "there, and a restarted broker would not learn the offset again. At or above the log "
            "end it answers with the last epoch, so that the end is tested apart. The model was "
            "tried with all of that. Until then a restart of a broker "
            "that has truncated, before it deletes or leads, clears the offset."
        ),
        costs=("A parameter, and a look-up in the leader epochs. Nothing on disk changes."),
        repair="repair_truncation_lowers_highest_remote_offset",
        stands_alone=True,
        proposal="proposal_highest_remote_offset_with_its_epoch",
        shows="segment_is_expired",
        scope="truncated",
        beside=("unclean_leader_was_elected",),
    ),
    Finding(
        name="replaced_segment_is_never_deleted",
        title=(
            "PR 23148 (KAFKA-20932) ends a leak, but makes the replaced segment count in "
            "retention.bytes"
        ),
        severity=Severity.LEAK,
        symptom=(
            "The object of one segment stays in the remote store past retention, and costs its "
            "size, until the topic is deleted. Clients see nothing in these steps; but from 4.3 "
            "on, where retention.bytes is set, the object may count in it, and records are then "
            "deleted too early. A late copy of an old leader takes the place of a finished "
            "segment with the same start offset. The metadata cache then lists the replaced "
            "segment for no leader epoch, which is where retention looks; only the deletion of "
            "the topic lists all ids."
        ),
        needs=(
            "Two replicas whose logs were rolled at different offsets; an election during an "
            "upload of the first leader. The second leader copies two segments of that same leader "
            "epoch, the first with the same start offset, the second beyond the end of the upload; "
            "then the upload ends. So the upload takes longer than the election and these two "
            "copies. From 3.9 on an old leader that learns of the election interrupts its copying "
            "thread: the plugin has to ignore the interrupt, or the old leader has not learned of "
            "it. No crash, no fault. Kafka 3.6 to trunk, by the code."
        ),
        tracker=(
            "KAFKA-20932 (apache/kafka PR 23148, open in August 2026) has the leak. New is that "
            "the object may count in retention.bytes, and that the fix of that pull request "
            "makes it count at every leader: see below"
        ),
        claims=("expired_objects_are_deleted", "every_object_is_tracked"),
        permitted_by=(
            "RemoteLogLeaderEpochState#handleSegmentWithCopySegmentFinishedState: its loop makes "
            "replaced ids unreferenced only if no segment of the epoch that ends later has "
            "finished (highestLogOffset <= leaderEpochEndOffset). Otherwise offsetToId.put "
            "overwrites the id, and neither offsetToId nor unreferencedSegmentIds of the epoch "
            "has it any more. RLMCopyTask#copyLogSegment publishes COPY_SEGMENT_FINISHED without "
            "a look at its cancellation"
        ),
        story=Story(
            "bd7adb",
            (
                (
                    "start",
                    "These steps begin in the middle: Broker 0 led in epoch 0, and wrote offsets "
                    "0 to 4. Its copying thread has published COPY_SEGMENT_STARTED of id 2, and "
                    "has stored offsets 0 to 2. Another broker led in epoch 1. Its log was "
                    "rolled elsewhere: it copied offsets 0 to 1 as id 0 and offsets 2 to 3 as id "
                    "1. Broker 0 leads again in epoch 2, and its old thread, cancelled, still "
                    "runs. retention.ms is 0; offsets 0 to 2 reach it, and do not breach it yet.",
                ),
                (
                    "1-2",
                    "The new copy task of broker 0 finds the log start 0 and the highest remote "
                    "offset 3. (This plays no part.)",
                ),
                (
                    "3-5",
                    "The old thread publishes COPY_SEGMENT_FINISHED of id 2, which begins at "
                    "offset 0 as id 0 does, and ends. The metadata cache puts id 2 in the place "
                    "of id 0. It does not make id 0 unreferenced, because id 1, which ends "
                    "later, has finished before.",
                ),
                (
                    "6",
                    "Time passes: offsets 0 to 2 breach retention.ms.",
                ),
                (
                    "7-14",
                    "The expiration task finds id 2 expired and id 1 not yet. It moves the log "
                    "start to 3 and deletes id 2: DELETE_SEGMENT_STARTED, the object, "
                    "DELETE_SEGMENT_FINISHED.",
                ),
                (
                    "15-17",
                    "The next run of the expiration task finds nothing to delete, and no later "
                    "run deletes id 0.",
                ),
                (
                    "end",
                    "The object of id 0 stays, though its offsets 0 to 1 are below the log "
                    "start: retention asks for the segments of each epoch, and no epoch lists id "
                    "0.",
                ),
                (
                    "beyond",
                    "The second election plays no part: a broker that leads on in epoch 1 reads "
                    "the same record. From 4.3 on RLMExpirationTask has a flag, "
                    "isAllSegmentsValid: once a run has found every finished segment in the "
                    "lineage, later runs take the sum over all finished segments in place of "
                    "that count. If the leader had set it before the late copy, id 0 counts "
                    "beside id 2 for as long as this broker leads, and retention by size deletes "
                    "records within retention.bytes (by the code).",
                ),
                ("note", LEGAL),
            ),
        ),
        turning=4,
        fix=(
            "RemoteLogLeaderEpochState#handleSegmentWithCopySegmentFinishedState makes the id "
            "that it replaces unreferenced, as PR 23148 proposes. "
            "RemoteLogLeaderEpochState#listAllRemoteLogSegments then lists it for its epochs, "
            "and RLMExpirationTask deletes it as any other: by retention, or once it is below "
            "the log start. The model was tried with that. It should not go in alone: once "
            "listed, the replaced copy counts in retention by size: with retention.bytes=5 in "
            "place of retention.ms the model then loses records; with both changes it does not. "
            "RLMExpirationTask#buildRetentionSizeData should leave out a finished segment that "
            "lies within another one that it counts, as "
            'our report "Two remote copies of one segment both count in retention.bytes, and '
            'records are deleted too early" proposes.'
        ),
        costs=(
            "One entry more in the set of unreferenced ids until the segment is deleted. Without "
            "that other change the replaced copy counts beside the one that replaced it at every "
            "leader and in every version, and records within retention.bytes may be deleted."
        ),
        repair="repair_list_replaced_segments",
        stands_alone=True,
        proposal="proposal_list_replaced_segments_uncounted",
        apart=("repair_fence_remote_metadata",),
        shows="segment_is_expired",
        scope="overlaps",
        beside=("late_copy_begins_alike",),
    ),
)
"""Told as the others; `findings` names them once the whole register is told."""
