"""What KIP-1272 permits while the cleaner uploads a segment: the register, continued."""

from tierproof.model.language import Finding, Passage, Severity, Story

OF_COPIES = (
    Finding(
        name="retention_deletes_what_the_cleaner_copies",
        title="Retention deletes a rewritten segment while it is uploaded, and its object stays",
        severity=Severity.LEAK,
        symptom=(
            "The expiration task deletes the metadata of a segment that the cleaner is still "
            "uploading. The upload ends after that, and its object stays in the remote store: no "
            "metadata names it, so that only a person who compares the store with the metadata "
            "can find it. No record is lost that retention would have kept."
        ),
        needs=(
            "cleanup.policy=compact,delete; one replica is enough, and nothing fails. The records "
            "of a segment pass retention.ms (or retention.bytes) while the cleaner uploads what it "
            "has left of them, and the expiration task runs before the upload ends. The cleaner "
            "begins each compaction cycle with the oldest segments, which expire first."
        ),
        claims=(
            "every_object_is_tracked",
            "quiet_store_holds_finished_segments_only",
            "metadata_records_are_legal_transitions",
        ),
        passages=(
            Passage(
                "KIP-1272",
                "Swap Old/New Log Segment Files",
                "Upload the newly compacted segment to remote storage with a new "
                "RemoteLogSegmentId",
            ),
        ),
        permitted_by=(
            "RLMExpirationTask#cleanupExpiredRemoteLogSegments, which leaves alone the ids in "
            "segmentIdsBeingCopied; RLMCopyTask alone puts ids there, and the text does not say "
            "that the cleaner does"
        ),
        assumptions=("F33",),
        story=Story(
            "c9596b",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offsets 0 and 1 have the same key. "
                    "They are copied, as id 0 and id 1, and only remote.",
                ),
                ("1", "Time passes: offset 0 is older than retention.ms, offset 1 is not."),
                (
                    "2-4",
                    "The cleaner cleans the segment of offset 0, and begins to upload what is left "
                    "of it under the new id 2.",
                ),
                (
                    "5-6",
                    "It publishes COPY_SEGMENT_STARTED of id 2, and broker 0 reads it.",
                ),
                (
                    "7-8",
                    "The expiration task lists id 0 and id 2, the segments of offset 0. Both are "
                    "past retention.ms, and id 2 is not in segmentIdsBeingCopied: it plans to "
                    "delete both.",
                ),
                ("9-13", "It deletes id 0."),
                (
                    "14-17",
                    "It deletes id 2: DELETE_SEGMENT_STARTED, a deletion of an object that is not "
                    "there yet, DELETE_SEGMENT_FINISHED.",
                ),
                ("18", "The upload ends: the remote store has the object of id 2."),
                (
                    "end",
                    "The object of id 2 is in the remote store. The last record of id 2 is "
                    "DELETE_SEGMENT_FINISHED.",
                ),
                (
                    "beyond",
                    "The cleaner publishes COPY_SEGMENT_FINISHED of id 2 next. Caches drop it, as "
                    "they do not know the id any more.",
                ),
            ),
        ),
        turning=17,
        fix=(
            "Say in the swap sequence that the broker notes the new RemoteLogSegmentId before it "
            "publishes COPY_SEGMENT_STARTED, until the upload has succeeded or has been cleaned "
            "up, in a set like RemoteLogManager#segmentIdsBeingCopied, and that the expiration "
            "task skips what is in it. Once the upload has ended, the next run deletes what has "
            "expired. The model was tried with segmentIdsBeingCopied itself, which ends these "
            "steps, too; but each upload of the cleaner would then end every run of the expiration "
            "task."
        ),
        costs=(
            "The object of an expired segment stays until the upload has ended and another run of "
            "the expiration task comes: 30 seconds by default."
        ),
        searched="segmentIdsBeingCopied as the set",
        shows="segment_is_expired",
        repair="repair_cleaner_notes_what_it_copies",
        scope="retention",
    ),
)
