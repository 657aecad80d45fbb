"""Copies that nobody finishes, and one that its own broker deletes amid the upload."""

from tierproof.model.designs.kip405.findings.copies import ALONE, LEGAL
from tierproof.model.language import Finding, Severity, Story

UNFINISHED = (
    Finding(
        name="interrupted_copy_dangles",
        title=(
            "A crash during the upload of a segment leaves a remote object that is not deleted "
            "before retention"
        ),
        severity=Severity.LEAK,
        symptom=(
            "A crash during an upload leaves an object that serves no reads, and its entry in "
            "the metadata cache of every broker. Both stay until the records pass retention: "
            "where retention.ms and retention.bytes are unlimited, as long as the topic exists. "
            "Clients see nothing. The segment is copied again under another id, so that its "
            "records are paid for twice."
        ),
        needs=(
            "One replica is enough; a crash after the store has begun to keep the object and "
            "before COPY_SEGMENT_FINISHED. The window is one upload. Since 4.3 a "
            "RetriableRemoteStorageException in the upload does the same without a crash, where "
            "the plugin leaves a part of the object. Kafka 3.6 to trunk, by the code."
        ),
        tracker=(
            "the state is known, the crash is not treated: KAFKA-17062 (PR 16959) first deleted "
            "every segment in COPY_SEGMENT_STARTED in the expiration task, and withdrew that in "
            "the review, as a cache that lags could make it delete a finished segment"
        ),
        claims=("quiet_store_holds_finished_segments_only",),
        permitted_by=(
            "RLMCopyTask#copyLogSegment, which cleans up after a RemoteStorageException only "
            "(since 4.3 not after a RetriableRemoteStorageException); "
            "RLMExpirationTask#cleanupExpiredRemoteLogSegments, which leaves a segment in "
            "COPY_SEGMENT_STARTED alone until its records pass retention"
        ),
        story=Story(
            "8b2bd4",
            (
                ("start", ALONE),
                (
                    "1-3",
                    "The copy task of the leader chooses offsets 0 to 1.",
                ),
                (
                    "4-5",
                    "The copying thread publishes COPY_SEGMENT_STARTED of id 0 and reads it.",
                ),
                (
                    "6",
                    "The copying thread stores the object.",
                ),
                (
                    "7",
                    "The broker crashes before it publishes COPY_SEGMENT_FINISHED, restarts, "
                    "and is elected again.",
                ),
                (
                    "8-10",
                    "The leader reads COPY_SEGMENT_STARTED of id 0. Its copy task finds no "
                    "finished segment in the remote tier. Next it copies offsets 0 to 1 under "
                    "another id.",
                ),
                (
                    "end",
                    "The object of id 0 exists and serves no reads.",
                ),
                ("note", LEGAL),
            ),
        ),
        turning=7,
        fix=(
            "For these steps, and tried in the model: RLMExpirationTask deletes a segment in "
            "COPY_SEGMENT_STARTED whose brokerId is its own, and whose eventTimestampMs is before "
            "the broker's start, once later copies in COPY_SEGMENT_FINISHED have all its offsets. "
            "A COPY_SEGMENT_FINISHED of the first copy has been read by then: after a restart no "
            "task runs until the metadata is read to its end (RemoteLogMetadataManager#isReady, "
            "since 4.0). The task does that in its first listing, which has all segments: the loop "
            "over the leader epochs ends at the first segment that retention keeps. This leaves "
            "the copies of brokers that do not lead again. For all, and tried, too: the expiration "
            "task of a leader deletes each segment that an older leader left in "
            "COPY_SEGMENT_STARTED, once the leader has read the metadata topic to the end that the "
            "topic had at its election. The wait answers the objection in KAFKA-17062. The model "
            "compares the leader epochs in which copies began, which no record says; in Kafka the "
            "position in the topic can stand for them, and #isReady can wait for it. But an older "
            "leader that is still uploading would store its object after the deletion: this second "
            'form needs the fix of "A new leader can delete a segment that the old leader still '
            'uploads, and the object is never deleted", and should not go in before it.'
        ),
        costs=(
            "The first: one more pass over the listed segments. The second: tasks of a new leader "
            "wait until it has read the metadata topic: seconds, or minutes where the topic is "
            "long (in the model its remote reads wait, too); and a copy that the older leader "
            "would have finished is deleted, and made again."
        ),
        repair="repair_delete_unfinished_copies",
        searched="the second form of the fix",
        stands_alone=True,
        proposal="proposal_delete_own_copies_from_before_the_start",
        shows="segment_is_expired",
        scope="alone_restart",
    ),
    Finding(
        name="old_epochs_cleanup_deletes_a_running_copy",
        title=(
            "RLMExpirationTask can delete a segment of an old leader epoch during its upload, and "
            "the object leaks"
        ),
        severity=Severity.LEAK,
        symptom=(
            "The object of one segment stays in the remote store for ever, and costs its size, "
            "each time this happens. Neither retention nor the deletion of the topic deletes "
            "it: an operator has to find it by comparing the store with the metadata topic. "
            "Clients see nothing, as the records are deleted. The expiration task spares what "
            "its own broker is uploading; its last part, which cleans up old leader epochs, "
            "does not."
        ),
        needs=(
            "One replica is enough; a log with two leader epochs, as after a clean restart; a "
            "segment with records of the earlier epoch only, and while it is copied a "
            "DeleteRecords request up to the first offset of the later epoch or beyond; a run of "
            "the expiration task, every 30 seconds by default, between that request and the end "
            "of the upload. No crash, no fault. Kafka 3.9 (KAFKA-16853, which parted copying "
            "from expiration) to trunk."
        ),
        claims=(
            "every_object_is_tracked",
            "metadata_records_are_legal_transitions",
            "quiet_store_holds_finished_segments_only",
            "expired_objects_are_deleted",
        ),
        permitted_by=(
            "RLMExpirationTask#cleanupExpiredRemoteLogSegments: its loop over the epochs of the "
            "lineage stops at a segment in segmentIdsBeingCopied. Its clean-up of epochs before "
            "the earliest one does not ask for that: it deletes every segment listed for them, in "
            "whatever state, all of whose epochs precede the earliest "
            "(#deleteLogSegmentsDueToLeaderEpochCacheTruncation)"
        ),
        story=Story(
            "780651",
            (
                ("start", f"{ALONE} All records were written in leader epoch 0."),
                (
                    "1-5",
                    "The leader is elected again: epoch 1 begins at offset 3, the end of the "
                    "log. Its copy task chooses offsets 0 to 1, whose only epoch is 0: "
                    "RLMCopyTask#copyLogSegment reads the epochs of a segment before it publishes.",
                ),
                (
                    "6",
                    "A user deletes the records below offset 3. The lineage of the leader now "
                    "begins with epoch 1 at offset 3. (On brokers the request came during the "
                    "upload, after step 8: with the same end.)",
                ),
                (
                    "7-8",
                    "The copying thread publishes COPY_SEGMENT_STARTED of id 0, and the leader "
                    "reads it.",
                ),
                (
                    "9-11",
                    "The expiration task finds nothing to delete in epoch 1, the only one of "
                    "the lineage. Then it lists the segments of epochs before epoch 1, does "
                    "not ask which of them are being copied, and plans to delete id 0.",
                ),
                (
                    "12-15",
                    "The expiration task publishes DELETE_SEGMENT_STARTED, deletes the object, "
                    "which is not there yet (RemoteStorageManager#deleteLogSegmentData is "
                    "idempotent, and succeeds), and publishes DELETE_SEGMENT_FINISHED.",
                ),
                (
                    "16",
                    "The copying thread stores the object.",
                ),
                (
                    "end",
                    "The object of id 0 exists. The metadata topic ends with its "
                    "DELETE_SEGMENT_FINISHED, which the broker has not read yet.",
                ),
                (
                    "beyond",
                    "COPY_SEGMENT_FINISHED follows. Every metadata cache drops it, with a "
                    'warning of RemotePartitionMetadataStore ("Error occurred while updating the '
                    'remote log segment."), and no task lists the object again. (If it comes '
                    "before DELETE_SEGMENT_FINISHED, RemoteLogMetadataCache drops it as an "
                    "illegal transition, with an error.) The leader also logs the deletion and "
                    "the copy, at INFO.",
                ),
                ("note", LEGAL),
            ),
        ),
        turning=12,
        fix=(
            "The last part of RLMExpirationTask#cleanupExpiredRemoteLogSegments skips what is in "
            "segmentIdsBeingCopied, where the loop before it stops: an id is there from before "
            "COPY_SEGMENT_STARTED until after COPY_SEGMENT_FINISHED. The check stands before the "
            "segment is counted as deletable, or RemoteDeleteLagBytes and "
            "RemoteDeleteLagSegments count it. The model was tried with that. It is enough for "
            "copies of the same broker, as here. segmentIdsBeingCopied is of one broker: after "
            "an election the new leader may still delete what the old one uploads, which is our "
            'report "A new leader can delete a segment that the old leader still uploads, and the '
            'object is never deleted".'
        ),
        costs=(
            "A segment that nobody needs is uploaded to its end; the same part of a later run "
            "deletes it."
        ),
        repair="repair_old_epochs_spare_running_copies",
        stands_alone=True,
        shows="segment_is_expired",
        scope="alone_elected",
    ),
)
