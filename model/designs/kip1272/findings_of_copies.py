"""What KIP-1272 permits while the cleaner uploads a segment: the register, continued."""

from tierproof.model.designs.kip1272.passages import AS_FOR_APPEND_ONLY, COPIED_UNDER_A_NEW_ID
from tierproof.model.language import Finding, Severity, Story

OF_COPIES = (
    Finding(
        name="retention_deletes_what_the_cleaner_copies",
        title=(
            "RLMExpirationTask deletes a segment that the cleaner still uploads, and its object "
            "leaks"
        ),
        severity=Severity.LEAK,
        symptom=(
            "The expiration task deletes the metadata of a segment that the cleaner is still "
            "uploading. The upload ends after that, and its object stays in the remote store for "
            "good: no metadata names it, so Kafka never deletes it, not even with the topic. No "
            "record is lost that retention would have kept."
        ),
        needs=(
            "cleanup.policy=compact,delete; one replica is enough, and nothing fails. The records "
            "of a segment pass retention.ms (or retention.bytes) before the cleaner has uploaded "
            "the rewritten segment, and the expiration task, which runs every 30 seconds by "
            "default, runs before the upload ends. Each compaction cycle begins with the oldest "
            "segments, which expire first."
        ),
        claims=(
            "every_object_is_tracked",
            "quiet_store_holds_finished_segments_only",
            "metadata_records_are_legal_transitions",
        ),
        passages=(
            COPIED_UNDER_A_NEW_ID,
            AS_FOR_APPEND_ONLY,
        ),
        permitted_by=(
            "RLMExpirationTask#cleanupExpiredRemoteLogSegments also lists segments in "
            "COPY_SEGMENT_STARTED, and leaves alone only those in segmentIdsBeingCopied. "
            "RLMCopyTask alone puts ids there; the KIP does not say that the cleaner does. The "
            "validation with isRemoteSegmentWithinLeaderEpochs does not help, as id 2 is within "
            "the leader epochs"
        ),
        assumptions=("F33",),
        story=Story(
            "a4e836",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offsets 0 and 1 have the same key. "
                    "They are copied, as id 0 and id 1, and only remote.",
                ),
                (
                    "1-3",
                    "The cleaner takes offset 0 as its first chunk, writes the segment anew, and "
                    "begins to upload the result under the new id 2.",
                ),
                (
                    "4-5",
                    "It publishes COPY_SEGMENT_STARTED of id 2, and broker 0 reads it.",
                ),
                ("6", "Time passes: offset 0 is older than retention.ms, offset 1 is not."),
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
                    "there yet, which is no error, DELETE_SEGMENT_FINISHED.",
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
        late=("time_passes",),
        fix=(
            "Say in the swap sequence that the broker notes the new RemoteLogSegmentId before it "
            "publishes COPY_SEGMENT_STARTED, and forgets it once the upload has succeeded or has "
            "been cleaned up; and that the expiration task leaves alone what is noted. Once the "
            "upload has ended, the next run deletes what has expired. We propose "
            "RemoteLogManager#segmentIdsBeingCopied, of which the task asks already. "
            "That alone leaves the new version below the log start offset, once retention has "
            'deleted the old one: see our report "A compacted segment published '
            'below the log start counts in retention.bytes, and live records are deleted".'
        ),
        costs=(
            "The object of an expired segment stays until the upload has ended and another run of "
            "the expiration task comes, 30 seconds later by default. A run ends at a segment of "
            "that set, so that retention of later segments waits, too: during the upload, or, if "
            "nobody knows whether COPY_SEGMENT_FINISHED was appended, until a restart."
        ),
        searched="segmentIdsBeingCopied as the set",
        shows="segment_is_expired",
        apart=("repair_retention_and_cleaning_take_turns",),
        repair="repair_cleaner_notes_what_it_copies",
        scope="retention",
    ),
)
