"""What a consumer of KIP-1266's compacted topic may not learn: the register, continued."""

from tierproof.model.language import Finding, Passage, Severity, Story

READS = "Broker Read Path"

OF_CONSUMERS = (
    Finding(
        name="lagging_consumer_misses_the_deletion",
        title="A consumer that lags behind the log cleaner misses the deletion of a segment",
        severity=Severity.COST,
        needs=(
            "Two brokers; a consumer that has read part of a segment's records when the log "
            "cleaner runs. No crash and no fault, and no lag near delete.retention.ms."
        ),
        claims=("brokers_that_have_read_all_know_the_truth",),
        passages=(
            Passage(
                "KIP-1266",
                READS,
                "There is no change in how the ConsumerTask read the messages and build the state "
                "in TopicBasedRemoteLogMetadataManager since there is not much meaningful value "
                "format change.",
            ),
        ),
        permitted_by=(
            "RemoteLogMetadataCache#updateRemoteLogSegmentMetadata, which drops "
            "DELETE_SEGMENT_FINISHED unless it has read DELETE_SEGMENT_STARTED "
            "(RemoteLogSegmentState#isValidTransition)"
        ),
        assumptions=("C6",),
        story=Story(
            "301dc0",
            (
                (
                    "start",
                    "Broker 0 leads, broker 1 follows. The segment of offset 0 is closed and not "
                    "copied; the metadata topic is empty.",
                ),
                ("1", "The segment of offset 0 passes its retention."),
                ("2-5", "The leader copies the segment as UUID-A, up to COPY_SEGMENT_FINISHED."),
                (
                    "6-9",
                    "The leader deletes it again: DELETE_SEGMENT_STARTED, the object, "
                    "DELETE_SEGMENT_FINISHED.",
                ),
                ("10", "The clean-up scan tombstones the key of UUID-A."),
                (
                    "11",
                    "The follower has read nothing so far. It reads COPY_SEGMENT_STARTED, and "
                    "knows UUID-A.",
                ),
                (
                    "12",
                    "The log cleaner removes DELETE_SEGMENT_STARTED, which "
                    "DELETE_SEGMENT_FINISHED supersedes.",
                ),
                (
                    "13-14",
                    "The follower reads DELETE_SEGMENT_FINISHED. From COPY_SEGMENT_STARTED this "
                    "is no legal transition, so its cache drops the record.",
                ),
                (
                    "15",
                    "The follower reads the tombstone, which names no segment to its cache.",
                ),
                (
                    "end",
                    "The follower has read all, and lists a deleted segment until it restarts. If "
                    "it is elected, it deletes the segment again. A follower that had read "
                    "COPY_SEGMENT_FINISHED keeps the segment as a copied one.",
                ),
            ),
        ),
        turning=12,
        fix=(
            "Have the cache forget the segment at DELETE_SEGMENT_FINISHED in whatever state it "
            "is, and at the tombstone of its key, for which the cache remembers keys."
        ),
        costs="An index from keys to segments in each cache.",
        repair="repair_tombstones_forget",
        shows="segment_is_forgotten",
        scope="lagging",
    ),
    Finding(
        name="tombstone_goes_before_it_is_read",
        title="A tombstone is removed before a consumer that lags has read it",
        severity=Severity.COST,
        needs=(
            "Two brokers; a consumer that lags by more than delete.retention.ms (a day), or that "
            "needs longer to read the topic from its beginning."
        ),
        claims=("brokers_that_have_read_all_know_the_truth",),
        passages=(
            Passage(
                "KIP-1266",
                "New clusters",
                "delete.retention.ms=86400000 (1 day) controls how long tombstone markers are "
                "retained before they become eligible for physical deletion.",
            ),
        ),
        permitted_by="ConsumerTask, which does not compare its lag with delete.retention.ms",
        story=Story(
            "510573",
            (
                (
                    "start",
                    "Broker 0 leads, broker 1 follows. The segments of offsets 0 and 1 are "
                    "closed and not copied; the metadata topic is empty.",
                ),
                (
                    "1-5",
                    "The segment of offset 0 passes its retention while the leader copies it as "
                    "UUID-A.",
                ),
                (
                    "6-9",
                    "The leader deletes it: DELETE_SEGMENT_STARTED, the object, "
                    "DELETE_SEGMENT_FINISHED.",
                ),
                ("10-11", "The leader tombstones the key of UUID-A and reads the tombstone."),
                ("12", "The leader publishes COPY_SEGMENT_STARTED of the next segment, UUID-B."),
                (
                    "13",
                    "The follower reads its first record, COPY_SEGMENT_STARTED of UUID-A, and "
                    "reads no more for a day.",
                ),
                ("14", "The log cleaner removes all records of UUID-A but the tombstone."),
                ("15", "delete.retention.ms is over, and the log cleaner removes the tombstone."),
                ("16-17", "The follower reads the topic to its end."),
                (
                    "end",
                    "Nothing tells the follower that UUID-A is deleted: it lists the segment until "
                    "it restarts.",
                ),
            ),
        ),
        turning=15,
        fix=(
            "Have a consumer that has not polled for delete.retention.ms, or whose first read "
            "takes as long, drop its cache and read the topic from the beginning."
        ),
        costs="A bootstrap after a long pause; no remote reads of that broker meanwhile.",
        repair="repair_rebuild_outrun_caches",
        shows="segment_is_forgotten",
        scope="lagging",
    ),
    Finding(
        name="highest_offset_is_forgotten",
        title="The highest offset that was ever copied is forgotten with its segment",
        severity=Severity.TEXT,
        needs="The deletion of the last segment of a leader epoch, and a broker that reads anew.",
        claims=("compaction_keeps_highest_offsets",),
        permitted_by=(
            "RemoteLogLeaderEpochState#highestLogOffset, which deletions leave as it is and a "
            "compacted topic cannot give back; RLMCopyTask, whose cursor starts from it"
        ),
        story=Story(
            "c04818",
            (
                ("start", "Broker 0 leads; the segments of offsets 0 and 1 are not copied."),
                (
                    "1-5",
                    "The segment of offset 0 passes its retention while the leader copies it as "
                    "UUID-A. Every cache that reads COPY_SEGMENT_FINISHED notes that epoch 0 is "
                    "copied up to offset 0.",
                ),
                ("6-7", "The leader begins to delete it: DELETE_SEGMENT_STARTED."),
                ("8", "The leader publishes COPY_SEGMENT_STARTED of the next segment."),
                ("9", "The log cleaner removes COPY_SEGMENT_FINISHED of UUID-A."),
                (
                    "end",
                    "Whoever reads the topic now does not learn how far epoch 0 was copied; a "
                    "broker that has read all of it knows. A copy task then starts at its log "
                    "start. No loss follows in the scopes explored, where the log start never "
                    "lags behind a deletion.",
                ),
            ),
        ),
        turning=9,
        fix=(
            "Publish the highest copied offset of a leader epoch under a key of its own, in one "
            "batch with COPY_SEGMENT_FINISHED, by a writer that has read the topic to its end; "
            "or say in the text that a cache may forget it."
        ),
        costs="One key for each leader epoch of a partition.",
        repair="repair_tell_highest_offsets",
        shows="segment_is_forgotten",
        scope="lagging",
    ),
)
