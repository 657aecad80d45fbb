"""What brokers may write to KIP-1266's compacted topic that should not: the register, continued."""

from tierproof.model.language import Finding, Passage, Severity, Story

KEYS = "Message Key and Value"
WRITES = "Broker Write Path"

OF_WRITERS = (
    Finding(
        name="object_comes_behind_its_tombstone",
        title="A former leader stores its object behind the tombstone of its segment",
        severity=Severity.LEAK,
        needs=(
            "Two replicas; an election while a copy is under way; the segment expires before the "
            "old leader has stored it. Metadata that refuse former leaders do not help."
        ),
        claims=("expired_objects_go", "tombstone_only_after_deletion"),
        passages=(
            Passage(
                "KIP-1266",
                "Why tombstone all 4 keys?",
                'Ensures compacted topic completely "forgets" this segment',
            ),
        ),
        permitted_by=(
            "RLMCopyTask#copyLogSegment, which asks nothing before it stores; "
            "RemoteStorageManager#copyLogSegmentData, which knows of no deletion"
        ),
        story=Story(
            "eb9bf5",
            (
                (
                    "start",
                    "Broker 0 leads in epoch 0, broker 1 follows. The segment of offset 0 is "
                    "closed and not copied.",
                ),
                ("1-2", "The leader publishes COPY_SEGMENT_STARTED of UUID-A."),
                ("3", "Broker 1 reads it."),
                ("4-7", "Broker 1 is elected, both brokers learn it, and its tasks begin."),
                (
                    "8-11",
                    "The segment passes its retention. The new leader publishes "
                    "DELETE_SEGMENT_STARTED and deletes the object, which is not there yet.",
                ),
                ("12", "The old leader, whose copy still runs, stores the object of UUID-A."),
                (
                    "13-16",
                    "The new leader publishes DELETE_SEGMENT_FINISHED and the tombstone, and the "
                    "log cleaner removes what they supersede.",
                ),
                (
                    "17-19",
                    "The old leader reads on, and gives the copy up, as its record is refused "
                    "(the repair of another finding).",
                ),
                (
                    "end",
                    "The object of UUID-A is in the store, and no record names it. KIP-405 leaves "
                    "such an object, too, but there the history still has its id.",
                ),
            ),
        ),
        turning=13,
        fix=(
            "Have the store remember ids that it was asked to delete, and refuse an object for "
            "them; a UUID is never used twice."
        ),
        costs="A marker in the store for each deletion of an unfinished copy, for a while.",
        repair="repair_store_remembers_deletions",
        shows="segment_is_forgotten",
        scope="zombie",
    ),
    Finding(
        name="anyone_writes_tombstones",
        title="A broker that no longer leads deletes and tombstones beside the new leader",
        severity=Severity.COST,
        needs=(
            "Two replicas; an election that the old leader has not heard of. The clean-up scan "
            "runs on every broker, so that there no election is needed."
        ),
        claims=(
            "deleted_segments_stay_dead",
            "compaction_changes_no_cache",
            "compaction_keeps_highest_offsets",
            "brokers_that_have_read_all_know_the_truth",
            "tombstone_only_after_deletion",
            "tombstoned_key_stays_dead",
            "only_the_leader_writes_tombstones",
        ),
        passages=(
            Passage(
                "KIP-1266",
                KEYS,
                "Since a single broker attempts to upload a given segment only once at a time, "
                "only one writer will try to write the value anytime.",
            ),
            Passage(
                "KIP-1266",
                WRITES,
                "And also, to guarantee the expired messages are tomb-stoned, a background "
                "cleanup thread executed by RemoteMetadataCleanupManager will scan the "
                "__remote_log_metadata periodically to check whether there are orphaned messages "
                "that can be deleted.",
            ),
        ),
        permitted_by=(
            "TopicBasedRemoteLogMetadataManager, which takes records of any broker; RLMTask, "
            "which does not ask for the leader epoch after it was scheduled"
        ),
        assumptions=("C3",),
        story=Story(
            "b2a6db",
            (
                (
                    "start",
                    "Broker 0 leads in epoch 0, broker 1 follows. The segment of offset 0 is "
                    "closed and not copied.",
                ),
                ("1", "The segment of offset 0 passes its retention."),
                ("2-4", "Broker 1 is elected and its tasks begin."),
                ("5", "The old leader has not heard of it, and begins its tasks as well."),
                ("6", "The new leader publishes COPY_SEGMENT_STARTED of UUID-A."),
                (
                    "7-9",
                    "The old leader reads it, finds the segment past its retention and publishes "
                    "DELETE_SEGMENT_STARTED.",
                ),
                ("10", "The new leader stores the object of UUID-A."),
                ("11", "The old leader deletes the object."),
                (
                    "12-13",
                    "The new leader reads DELETE_SEGMENT_STARTED, and ends its copy with "
                    "COPY_SEGMENT_FINISHED all the same.",
                ),
                ("14", "The old leader publishes DELETE_SEGMENT_FINISHED; a tombstone follows."),
                ("15", "The log cleaner removes what COPY_SEGMENT_FINISHED supersedes."),
                (
                    "end",
                    "Whoever reads the topic now reads COPY_SEGMENT_FINISHED of UUID-A and then "
                    "DELETE_SEGMENT_FINISHED, which is no legal transition: it lists a copied "
                    "segment whose object is gone. The tombstone will come from a broker that "
                    "does not lead.",
                ),
            ),
        ),
        turning=13,
        fix=(
            "Let the metadata topic take the records and tombstones of a partition from the "
            "leader of its latest epoch only, as it fences a producer of an older epoch; run the "
            "clean-up scan on the leader."
        ),
        costs="The leader of the metadata partition must know the user partition's leader epoch.",
        repair="repair_fence_writers",
        apart=("repair_delete_copies_given_up", "repair_tombstones_forget"),
        shows="segment_is_forgotten",
        scope="zombie",
    ),
    Finding(
        name="new_leader_deletes_again",
        title="A new leader deletes a segment again that its predecessor has deleted",
        severity=Severity.COST,
        needs=(
            "Two replicas; an election; a new leader whose consumer lags. The log cleaner decides "
            "what it still reads."
        ),
        claims=("tombstone_only_after_deletion", "tombstoned_key_stays_dead"),
        permitted_by=(
            "ConsumerTask#maybeMarkUserPartitionsAsReady, which compares with the end of the "
            "topic at the assignment; RLMExpirationTask, which deletes what its cache lists"
        ),
        story=Story(
            "117898",
            (
                (
                    "start",
                    "Broker 0 leads, broker 1 follows. The segment of offset 0 is closed and not "
                    "copied. Both caches count as read, since the topic is empty.",
                ),
                ("1", "The segment of offset 0 passes its retention."),
                ("2-5", "The leader copies the segment as UUID-A."),
                (
                    "6-9",
                    "The leader deletes it: DELETE_SEGMENT_STARTED, the object, "
                    "DELETE_SEGMENT_FINISHED.",
                ),
                ("10-11", "Broker 1 is elected, and learns it."),
                ("12", "The new leader has read one record, COPY_SEGMENT_STARTED of UUID-A."),
                ("13", "The log cleaner removes superseded records."),
                (
                    "14-16",
                    "The new leader's tasks begin. They find UUID-A past its retention and "
                    "publish DELETE_SEGMENT_STARTED of it once more.",
                ),
                ("17", "The clean-up scan tombstones the key while this deletion runs."),
                (
                    "end",
                    "A segment that was deleted is deleted a second time, and its records come "
                    "behind the tombstone of its key.",
                ),
            ),
        ),
        turning=14,
        fix=(
            "Have the tasks of a new leader begin once its consumer has read the metadata topic "
            "to the end that it has after the election."
        ),
        costs="A new leader copies and expires a little later.",
        repair="repair_read_to_the_end",
        apart=("repair_delete_copies_given_up",),
        shows="segment_is_forgotten",
        scope="zombie",
    ),
)
