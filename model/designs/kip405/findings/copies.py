"""Copies and deletions that cross: between brokers, after a crash, and within one broker."""

from tierproof.model.language import Finding, Severity, Story

PAIR = (
    "The topic has two replicas. Each has offset 0 in a rolled segment and offset 1 in the active "
    "one. Broker 0 leads, nothing is copied. retention.ms is 0, and local.retention.bytes is 1."
)
ALONE = (
    "The topic has one replica, with offsets 0 and 1 in a rolled segment and offset 2 in the "
    "active one. Nothing is copied."
)

COPIES = (
    Finding(
        name="zombie_acts_on_remote_tier",
        title=(
            "A broker that no longer leads deletes remote segments, and the new leader goes on "
            "promising them"
        ),
        severity=Severity.UNAVAILABLE,
        needs=(
            "Two replicas, a segment past retention, and an old leader that learns late of an "
            "election. No crash, no fault. Kafka 3.9 to trunk, by the code."
        ),
        claims=(
            "committed_records_stay_readable",
            "new_leader_knows_the_log_start",
            "remote_and_local_parts_are_contiguous",
            "only_the_leader_publishes_copies",
            "only_the_leader_deletes",
            "metadata_records_are_legal_transitions",
            "every_object_is_tracked",
            "quiet_store_holds_finished_segments_only",
            "records_become_readable",
        ),
        permitted_by=(
            "RLMExpirationTask#cleanupExpiredRemoteLogSegments and RLMCopyTask#copyLogSegment, "
            "which do not ask for the leader epoch once they are scheduled; "
            "TopicBasedRemoteLogMetadataManager#storeRemoteLogMetadata, which takes records of "
            "any broker"
        ),
        assumptions=("B1", "B7"),
        story=Story(
            "3a2915",
            (
                ("start", PAIR),
                (
                    "1-3",
                    "Offset 0 breaches retention.ms. The controller elects broker 1, which learns "
                    "that it leads. The old leader, broker 0, does not know of the election.",
                ),
                (
                    "4-12",
                    "The new leader copies offset 0 and publishes COPY_SEGMENT_FINISHED; its "
                    "highest remote offset becomes 0.",
                ),
                (
                    "13",
                    "Local retention of the new leader moves its local log start to 1: offset 0 "
                    "is served from the remote tier.",
                ),
                ("14", "The old leader reads COPY_SEGMENT_STARTED."),
                (
                    "15-17",
                    "The expiration task of the old leader finds the segment past retention. It "
                    "moves the log start of the old leader to 1 and publishes "
                    "DELETE_SEGMENT_STARTED.",
                ),
                (
                    "18",
                    "The new leader reads DELETE_SEGMENT_STARTED: the segment no longer serves "
                    "reads.",
                ),
                (
                    "end",
                    "The log start of the new leader is still 0, and a fetch of offset 0 is "
                    "answered with OFFSET_OUT_OF_RANGE. It may stay so: once the segment is gone "
                    "no task of the new leader moves its log start.",
                ),
            ),
        ),
        turning=17,
        fix=(
            "Every record of remote log metadata carries the leader epoch in which its task was "
            "scheduled. A record of an older epoch than the current one is refused, and its "
            "publisher gives up. A task that was scheduled in an earlier epoch counts as older, "
            "also where its broker leads again."
        ),
        costs=(
            "A field in each record, an epoch for each partition in the metadata cache, and a "
            "place that knows the current epoch when a record arrives."
        ),
        repair="repair_fence_remote_metadata",
        apart=("repair_delete_unfinished_copies",),
        shows="segment_is_expired",
        scope="smoke",
    ),
    Finding(
        name="deletion_overtakes_a_copy",
        title="A segment is deleted while it is copied, and its object is stored afterwards",
        severity=Severity.LEAK,
        needs=(
            "Two replicas, an election amid a copy, and retention that has passed. No crash, no "
            "fault. Kafka 3.9 to trunk, by the code."
        ),
        claims=(
            "every_object_is_tracked",
            "quiet_store_holds_finished_segments_only",
            "expired_objects_are_deleted",
        ),
        permitted_by=(
            "RLMExpirationTask#cleanupExpiredRemoteLogSegments, which deletes segments in "
            "COPY_SEGMENT_STARTED, too, and knows only which of them its own broker copies; "
            "RLMCopyTask#copyLogSegment, which looks at no metadata before it stores"
        ),
        story=Story(
            "ce854c",
            (
                ("start", PAIR),
                ("1", "Offset 0 breaches retention.ms."),
                (
                    "2-5",
                    "The leader, broker 0, publishes COPY_SEGMENT_STARTED for offset 0. Its "
                    "copying thread has not stored the object yet.",
                ),
                (
                    "6-8",
                    "The controller elects broker 1, which learns that it leads and reads "
                    "COPY_SEGMENT_STARTED.",
                ),
                (
                    "9-11",
                    "The expiration task of the new leader finds the segment past retention, "
                    "moves the log start to 1 and publishes DELETE_SEGMENT_STARTED.",
                ),
                (
                    "12-14",
                    "It deletes the object, which is not there, and publishes "
                    "DELETE_SEGMENT_FINISHED.",
                ),
                (
                    "15-16",
                    "The old leader reads its own COPY_SEGMENT_STARTED, and its copying thread "
                    "stores the object.",
                ),
                (
                    "end",
                    "The object exists, and the metadata topic says that its segment is deleted. "
                    "No task of any broker lists it again.",
                ),
            ),
        ),
        turning=14,
        fix=(
            "RemoteStorageManager#copyLogSegmentData passes the leader epoch, and the store "
            "refuses an object of an older epoch than the current one. A fence on the metadata "
            "topic alone does not help."
        ),
        costs="A change to the RemoteStorageManager interface, and a conditional write in stores.",
        repair="repair_fence_remote_store",
        apart=("repair_delete_unfinished_copies",),
        shows="segment_is_expired",
        scope="smoke",
    ),
    Finding(
        name="interrupted_copy_dangles",
        title="A crash amid a copy leaves an object that nobody reads or deletes",
        severity=Severity.LEAK,
        needs=(
            "One replica, and a crash between the store and COPY_SEGMENT_FINISHED. Retention "
            "deletes the object in the end, if it is limited. Seen on Kafka 4.4.0."
        ),
        claims=("quiet_store_holds_finished_segments_only",),
        permitted_by=(
            "RLMCopyTask#copyLogSegment, which cleans up after a RemoteStorageException only; "
            "RLMExpirationTask#cleanupExpiredRemoteLogSegments, which leaves a segment in "
            "COPY_SEGMENT_STARTED alone until its records pass retention"
        ),
        story=Story(
            "8b2bd4",
            (
                ("start", ALONE),
                ("1-3", "The copy task of the leader chooses offsets 0 to 1."),
                (
                    "4-5",
                    "Its copying thread publishes COPY_SEGMENT_STARTED and reads it.",
                ),
                ("6", "The copying thread stores the object."),
                (
                    "7",
                    "The broker crashes before it publishes COPY_SEGMENT_FINISHED, and is elected "
                    "again.",
                ),
                (
                    "8-10",
                    "The leader reads COPY_SEGMENT_STARTED. Its copy task finds nothing in the "
                    "remote tier, so that its next copy of the segment has a new id.",
                ),
                (
                    "end",
                    "The first object serves no reads, and no task is going to delete it as long "
                    "as its records do not pass retention.",
                ),
            ),
        ),
        turning=7,
        fix=(
            "A leader that has read the metadata topic up to its own election deletes, in its "
            "expiration task, every segment that an older leader left in COPY_SEGMENT_STARTED."
        ),
        costs=(
            "Tasks and remote reads of a new leader wait until it has read the metadata topic. A "
            "copy that the older leader might have finished is deleted, and made again."
        ),
        repair="repair_delete_unfinished_copies",
        shows="segment_is_expired",
        scope="alone_restart",
    ),
    Finding(
        name="old_epochs_cleanup_deletes_a_running_copy",
        title="The clean-up of old leader epochs deletes a segment that its own broker is copying",
        severity=Severity.LEAK,
        needs=(
            "One replica, two leader epochs, and a DeleteRecords request past the segment that is "
            "being copied. No crash, no fault. Read in the code of trunk; not tried on a broker."
        ),
        claims=(
            "every_object_is_tracked",
            "metadata_records_are_legal_transitions",
            "quiet_store_holds_finished_segments_only",
            "expired_objects_are_deleted",
        ),
        permitted_by=(
            "RLMExpirationTask#cleanupExpiredRemoteLogSegments: its loop over the epochs skips "
            "what is in segmentIdsBeingCopied, its last part, for epochs before the earliest one "
            "of the leader, does not"
        ),
        assumptions=("B1",),
        story=Story(
            "780651",
            (
                ("start", f"{ALONE} All records were written in leader epoch 0."),
                (
                    "1-2",
                    "The leader is elected again: epoch 1 begins at offset 3, the end of the log.",
                ),
                ("3-5", "Its copy task chooses offsets 0 to 1."),
                (
                    "6",
                    "A user deletes the records below offset 3. The lineage of the leader now "
                    "begins with epoch 1.",
                ),
                (
                    "7-8",
                    "The copying thread publishes COPY_SEGMENT_STARTED for the segment, whose "
                    "only epoch is 0.",
                ),
                (
                    "9-11",
                    "The expiration task leaves the segment alone at first, since its broker "
                    "copies it. Then it looks for segments of epochs before epoch 1, and plans "
                    "to delete it.",
                ),
                (
                    "12-15",
                    "It publishes DELETE_SEGMENT_STARTED, deletes the object, which is not there "
                    "yet, and publishes DELETE_SEGMENT_FINISHED.",
                ),
                ("16", "The copying thread stores the object."),
                (
                    "end",
                    "The object exists, and the metadata topic says that its segment is deleted. "
                    "Every cache will drop COPY_SEGMENT_FINISHED, and no task lists the object "
                    "again.",
                ),
            ),
        ),
        turning=12,
        fix=(
            "The last part of RLMExpirationTask#cleanupExpiredRemoteLogSegments skips what is in "
            "segmentIdsBeingCopied, as the loop before it does."
        ),
        costs="None: a later run deletes the segment.",
        repair="repair_old_epochs_spare_running_copies",
        shows="segment_is_expired",
        scope="alone_elected",
    ),
)
