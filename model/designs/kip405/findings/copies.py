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
LEGAL = (
    "Kafka refuses local.retention.ms=-1, which the trace begins with, together with "
    "retention.ms=0. With local.retention.ms=0, which it accepts, the same steps have the same "
    "end."
)

COPIES = (
    Finding(
        name="zombie_acts_on_remote_tier",
        title="A broker that no longer leads deletes a remote segment that the leader counts on",
        severity=Severity.LOSS,
        symptom=(
            "A committed record is lost with its whole segment, in the remote tier and locally: "
            "fetches of its offsets are answered with OFFSET_OUT_OF_RANGE though the log start is "
            "below them. It does not heal. With one election the old leader deletes expired "
            "segments only, and fetches of these fail in the same way until the leader's log "
            "start moves past them."
        ),
        needs=(
            "Two replicas; two elections in a row, and an old leader that does not learn of the "
            "second one while its tasks still reach the metadata topic and the remote store, such "
            "as a broker that is cut off from the controller. The window is as long as that "
            "lasts, and one run of the expiration task, every 30 seconds by default. No crash, no "
            "fault. Kafka 3.9 to trunk, by the code."
        ),
        claims=(
            "no_committed_record_lost",
            "committed_records_stay_readable",
            "new_leader_knows_the_log_start",
            "remote_and_local_parts_are_contiguous",
            "object_deleted_only_when_not_needed",
            "local_segment_removed_only_once_copied",
            "highest_remote_offset_is_sound",
            "copied_offset_is_sound",
            "only_the_leader_publishes_copies",
            "only_the_leader_deletes",
            "metadata_records_are_legal_transitions",
            "every_object_is_tracked",
            "quiet_store_holds_finished_segments_only",
            "records_become_readable",
            "followers_get_in_sync",
        ),
        permitted_by=(
            "RLMExpirationTask#cleanupExpiredRemoteLogSegments and RLMCopyTask#copyLogSegment, "
            "which do not ask for the leader epoch once they are scheduled; "
            "TopicBasedRemoteLogMetadataManager#storeRemoteLogMetadata, which takes records of "
            "any broker"
        ),
        assumptions=("B1", "B7"),
        story=Story(
            "4e2da4",
            (
                (
                    "start",
                    "The topic has two replicas with empty logs. Broker 0 leads in epoch 0, and "
                    "both are in the ISR. local.retention.bytes is 0.",
                ),
                (
                    "1-2",
                    "The controller elects broker 1 in epoch 1, and broker 1 learns that it "
                    "leads. Its log is empty, so that its lineage begins with epoch 1.",
                ),
                (
                    "3-4",
                    "The controller elects broker 0 in epoch 2 and takes broker 1 out of the ISR. "
                    "Broker 1, the old leader, does not learn of it. Broker 0 has learned of "
                    "neither election yet.",
                ),
                (
                    "5-6",
                    "A client writes offset 0 to broker 0, which appends it in epoch 0. Broker 0 "
                    "is alone in the ISR, so that the record is committed. Local retention of "
                    "broker 0 rolls the active segment.",
                ),
                (
                    "7-10",
                    "The copy task of broker 0 chooses the segment of offset 0, whose only epoch "
                    "is 0, and publishes COPY_SEGMENT_STARTED of id 0.",
                ),
                ("11", "Broker 0 learns that it leads in epoch 2."),
                (
                    "12-15",
                    "Broker 0 stores the object of id 0, publishes COPY_SEGMENT_FINISHED, and "
                    "reads it.",
                ),
                (
                    "16-17",
                    "The highest remote offset of broker 0 becomes 0, and local retention moves "
                    "its local log start to 1: offset 0 is served from the remote tier.",
                ),
                (
                    "18",
                    "The old leader, which still takes itself for the leader, reads "
                    "COPY_SEGMENT_STARTED of id 0.",
                ),
                (
                    "19-21",
                    "The expiration task of the old leader looks for segments of epochs before "
                    "epoch 1, the earliest one of its lineage. It finds id 0 and plans to delete "
                    "it.",
                ),
                (
                    "22-23",
                    "The old leader publishes DELETE_SEGMENT_STARTED of id 0. Broker 0 reads it: "
                    "id 0 no longer serves reads.",
                ),
                (
                    "end",
                    "Offset 0 is committed, and nothing serves it: the log start of broker 0, the "
                    "leader, is 0, its local log start is 1, and id 0 is being deleted. A fetch "
                    "of offset 0 is answered with OFFSET_OUT_OF_RANGE.",
                ),
                (
                    "beyond",
                    "The old leader deletes the object next. In Kafka broker 0 commits offset 0 "
                    "once it has learned of epoch 2 and its ISR: with step 11 right after step 5 "
                    "the other steps have the same end.",
                ),
                (
                    "note",
                    "With step 11 right after step 5 the fix refuses step 22, not step 10.",
                ),
                ("note", LEGAL),
            ),
        ),
        turning=22,
        fix=(
            "Every record of remote log metadata carries the leader epoch in which its task was "
            "scheduled. A record of an older epoch than the current one is refused, and its "
            "publisher gives up. A task that was scheduled in an earlier epoch counts as older, "
            "also where its broker leads again."
        ),
        costs=(
            "One field more in each record, one epoch for each partition in the metadata cache, "
            "and a place that knows the current epoch when a record arrives: a conditional append "
            "to the metadata topic, or a check in every consumer."
        ),
        repair="repair_fence_remote_metadata",
        apart=("repair_delete_unfinished_copies",),
        shows="segment_is_read_from_remote",
        scope="elected_twice",
    ),
    Finding(
        name="deletion_overtakes_a_copy",
        title="A segment is deleted while it is copied, and its object is stored afterwards",
        severity=Severity.LEAK,
        symptom=(
            "The object of one segment stays in the remote store each time this happens, and "
            "costs its size. Neither retention nor the deletion of the topic deletes it: whoever "
            "compares the objects of the store with the metadata topic can. Clients see nothing."
        ),
        needs=(
            "Two replicas; an election during a copy, of a segment that passes retention before "
            "the copy ends. The window is one upload. No crash, no fault. Kafka 3.9 to trunk."
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
                    "COPY_SEGMENT_STARTED. Broker 0, the old leader, does not know of the "
                    "election.",
                ),
                (
                    "9-11",
                    "The expiration task of the new leader finds the segment past retention, "
                    "moves the log start to 1 and publishes DELETE_SEGMENT_STARTED.",
                ),
                (
                    "12-14",
                    "The expiration task deletes the object, which is not there yet, and "
                    "publishes DELETE_SEGMENT_FINISHED.",
                ),
                (
                    "15-16",
                    "The old leader reads its own COPY_SEGMENT_STARTED, and its copying thread "
                    "stores the object.",
                ),
                (
                    "end",
                    "The object of id 0 exists, and the metadata topic says that id 0 is deleted: "
                    "no broker lists it.",
                ),
                ("note", LEGAL),
            ),
        ),
        turning=14,
        fix=(
            "RemoteStorageManager#copyLogSegmentData passes the leader epoch, and the store "
            "refuses an object of an older epoch than the current one. A fence on the metadata "
            "topic alone does not help."
        ),
        costs=(
            "One parameter more in the RemoteStorageManager interface, a public one, which every "
            "plugin has to implement, and a conditional write for each object."
        ),
        repair="repair_fence_remote_store",
        apart=("repair_delete_unfinished_copies",),
        shows="segment_is_expired",
        scope="smoke",
    ),
    Finding(
        name="interrupted_copy_dangles",
        title="A crash amid a copy leaves an object that nobody reads or deletes",
        severity=Severity.LEAK,
        symptom=(
            "One object that serves no reads stays in the remote store, and its entry in the "
            "metadata cache of every broker, until its records pass retention: for as long as the "
            "topic exists where retention.ms and retention.bytes are unlimited. Clients see "
            "nothing; the segment is copied again under another id."
        ),
        needs=(
            "One replica; a crash after the object is stored, or while it is, and before "
            "COPY_SEGMENT_FINISHED. The window is one upload. Kafka 3.9 to trunk."
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
                    "The copying thread publishes COPY_SEGMENT_STARTED of id 0 and reads it.",
                ),
                ("6", "The copying thread stores the object."),
                (
                    "7",
                    "The broker crashes before it publishes COPY_SEGMENT_FINISHED, restarts, and "
                    "is elected again.",
                ),
                (
                    "8-10",
                    "The leader reads COPY_SEGMENT_STARTED of id 0. Its copy task finds no "
                    "finished segment in the remote tier, and is going to copy offsets 0 to 1 "
                    "under another id.",
                ),
                (
                    "end",
                    "The object of id 0 exists and serves no reads.",
                ),
                (
                    "beyond",
                    "No task deletes the object as long as its records do not pass retention.",
                ),
                ("note", LEGAL),
            ),
        ),
        turning=7,
        fix=(
            "A leader that has read the metadata topic up to its own election deletes, in its "
            "expiration task, every segment that an older leader left in COPY_SEGMENT_STARTED."
        ),
        costs=(
            "Tasks and remote reads of a new leader wait until it has read the metadata topic: "
            "seconds, or minutes where the topic is long. A copy that the older leader might have "
            "finished is deleted, and made again: one upload."
        ),
        repair="repair_delete_unfinished_copies",
        shows="segment_is_expired",
        scope="alone_restart",
    ),
    Finding(
        name="old_epochs_cleanup_deletes_a_running_copy",
        title="The clean-up of old leader epochs deletes a segment that its own broker is copying",
        severity=Severity.LEAK,
        symptom=(
            "The object of one segment stays in the remote store each time this happens, and "
            "costs its size. Neither retention nor the deletion of the topic deletes it: whoever "
            "compares the objects of the store with the metadata topic can. Clients see nothing, "
            "as the records are deleted."
        ),
        needs=(
            "One replica; a log with two leader epochs; a DeleteRecords request up to an offset "
            "of the later epoch while a segment of the earlier epoch is copied, and a run of the "
            "expiration task, every 30 seconds by default, before the upload ends. No crash, no "
            "fault. Kafka 3.9 to trunk: the loop over the epochs of the lineage asks "
            "for running copies, the clean-up after it does not."
        ),
        claims=(
            "every_object_is_tracked",
            "metadata_records_are_legal_transitions",
            "quiet_store_holds_finished_segments_only",
            "expired_objects_are_deleted",
        ),
        permitted_by=(
            "RLMExpirationTask#cleanupExpiredRemoteLogSegments: its loop over the epochs of the "
            "lineage stops at a segment in segmentIdsBeingCopied; its clean-up of epochs before "
            "the earliest one deletes whatever listRemoteLogSegments returns, running copies "
            "included"
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
                ("3-5", "The copy task of the leader chooses offsets 0 to 1."),
                (
                    "6",
                    "A user deletes the records below offset 3. The lineage of the leader now "
                    "begins with epoch 1 at offset 3.",
                ),
                (
                    "7-8",
                    "The copying thread publishes COPY_SEGMENT_STARTED of id 0, whose only epoch "
                    "is 0, and the leader reads it.",
                ),
                (
                    "9-11",
                    "The expiration task finds nothing to delete in epoch 1, the only one of the "
                    "lineage. Then it lists the segments of epochs before epoch 1, does not ask "
                    "which of them are being copied, and plans to delete id 0.",
                ),
                (
                    "12-15",
                    "The expiration task publishes DELETE_SEGMENT_STARTED, deletes the object, "
                    "which is not there yet, and publishes DELETE_SEGMENT_FINISHED.",
                ),
                ("16", "The copying thread stores the object."),
                (
                    "end",
                    "The object of id 0 exists, and the metadata topic says that id 0 is deleted.",
                ),
                (
                    "beyond",
                    "Every metadata cache drops the COPY_SEGMENT_FINISHED that follows, and no "
                    "task lists the object again.",
                ),
                ("note", LEGAL),
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
