"""Two causes of their own: a segment that falls out of every list, a truncated log.

Each is shown from a beginning that a longer run of the design leads to (`overlapping_segments`).
"""

from tierproof.model.language import Finding, Severity, Story

OFFSET_FINDINGS = (
    Finding(
        name="truncation_keeps_the_highest_remote_offset",
        title="A follower that truncates its log removes records that nobody has copied",
        severity=Severity.LOSS,
        needs=(
            "Two replicas; unclean.leader.election.enable; one unclean election and a clean one; "
            "no crash, no fault. Kafka 3.9 to 4.4."
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
            "64330e",
            (
                (
                    "start",
                    "Broker 0 has led, and has copied offset 0. An unclean election is over: "
                    "broker 1 leads in epoch 1, lacked that record, and has another one at "
                    "offset 0. local.retention.bytes is 0.",
                ),
                (
                    "1",
                    "Broker 0 follows broker 1 and truncates its log to offset 0. Its highest "
                    "remote offset stays 0.",
                ),
                ("2", "Broker 0 fetches the record of epoch 1."),
                ("3", "Broker 0 is in sync again: every replica in sync has the record."),
                ("4", "The controller elects broker 0."),
                (
                    "5",
                    "Local retention of broker 0 finds a segment that ends at the highest remote "
                    "offset, takes it for copied, and moves the local log start to 1.",
                ),
                ("6", "Broker 0 learns that it leads."),
                (
                    "end",
                    "The record of epoch 1 at offset 0 was never copied. A consumer that asks for "
                    "it is sent to the remote tier, which has no segment of epoch 1. The log "
                    "start then moves past it, and every replica removes the record.",
                ),
            ),
        ),
        turning=5,
        fix=(
            "UnifiedLog#truncateTo lowers the highest offset in remote storage below the new log "
            "end. The follower task and the copy task raise it again, by the lineage."
        ),
        costs="Until one of the two tasks has run, local retention removes less than it might.",
        repair="repair_truncation_lowers_highest_remote_offset",
        shows="segment_is_expired",
        scope="truncated",
        beside=("unclean_leader_was_elected",),
    ),
    Finding(
        name="replaced_segment_is_never_deleted",
        title="A copy replaces one that begins alike, and retention never deletes the replaced one",
        severity=Severity.LEAK,
        needs=(
            "Two leaders whose logs were rolled at different offsets; a copy of the first one "
            "that ends after the second has copied further; no crash, no fault. Kafka 3.9 to 4.4."
        ),
        tracker="KAFKA-20932",
        claims=("expired_objects_are_deleted", "every_object_is_tracked"),
        permitted_by=(
            "RemoteLogLeaderEpochState#handleSegmentWithCopySegmentFinishedState, which puts the "
            "new id in the place of another one with the same start offset, and makes that one "
            "unreferenced only if no segment has finished that ends after the new one"
        ),
        story=Story(
            "bd7adb",
            (
                (
                    "start",
                    "Broker 0 leads again. A thread of its first term has stored offsets 0 to 2 "
                    "as one segment and has not finished. The leader in between has copied [0, "
                    "1] and [2, 3]. Offsets 0 to 2 are as old as retention.ms allows.",
                ),
                (
                    "1-2",
                    "The new copy task of broker 0 finds the log start 0 and the highest remote "
                    "offset 3.",
                ),
                (
                    "3-4",
                    "The old thread publishes COPY_SEGMENT_FINISHED of [0, 2]. The cache puts [0, "
                    "2] in the place of [0, 1] and lists [0, 1] for no epoch, because [2, 3], "
                    "which ends later, has finished before.",
                ),
                ("5", "The old thread ends."),
                ("6", "Time passes: offsets 0 to 2 breach retention.ms."),
                (
                    "7-8",
                    "The expiration task finds [0, 2] expired and [2, 3] not yet. It moves the "
                    "log start to 3.",
                ),
                (
                    "9-13",
                    "The expiration task deletes [0, 2]: DELETE_SEGMENT_STARTED, the object, "
                    "DELETE_SEGMENT_FINISHED.",
                ),
                ("14", "The run ends."),
                ("15-17", "Every later run ends without a deletion."),
                (
                    "end",
                    "The object of [0, 1] stays until the topic is deleted: retention asks for "
                    "the segments of an epoch, and no epoch lists it.",
                ),
            ),
        ),
        turning=4,
        fix=(
            "RemoteLogLeaderEpochState makes the id that it replaces unreferenced (apache/kafka "
            "pull request 23148)."
        ),
        costs="An entry in the set of unreferenced ids until the segment is deleted.",
        repair="repair_list_replaced_segments",
        shows="segment_is_expired",
        scope="overlaps",
        beside=("late_copy_begins_alike",),
    ),
)
"""Told as the others; `findings` names them once the whole register is told."""
