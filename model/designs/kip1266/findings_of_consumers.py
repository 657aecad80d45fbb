"""What a consumer of KIP-1266's compacted topic may not learn: the register, continued."""

from tierproof.model.designs.kip1266.findings_setting import WITH_HIGHEST_OFFSETS
from tierproof.model.language import Finding, Passage, Severity, Story

READS = "Broker Read Path"
NO_CHANGE = (
    "There is no change in how the ConsumerTask read the messages and build the state in "
    "TopicBasedRemoteLogMetadataManager since there is not much meaningful value format change."
)

OF_CONSUMERS = (
    Finding(
        name="lagging_consumer_misses_the_deletion",
        title=(
            "A consumer that reads behind the log cleaner misses a deletion, and its cache keeps "
            "the deleted segment"
        ),
        severity=Severity.COST,
        symptom=(
            "In these steps no client notices: the segment's records are past their "
            "retention. One broker lists a remote segment that is deleted, until it "
            "restarts, or leads and deletes the segment again. Its log has an ERROR about "
            "a state transition that is not allowed. The log cleaner removes "
            "DELETE_SEGMENT_STARTED before the broker has read it, and without it the "
            "cache refuses DELETE_SEGMENT_FINISHED. If the broker has read "
            "COPY_SEGMENT_FINISHED, too, and retention.bytes is set, it may delete a live "
            "segment too early once it leads."
        ),
        needs=(
            "Two replicas; a broker that has read the first record of a segment and not "
            "the others when the log cleaner runs. As the active segment is never "
            "cleaned, that is mostly a broker which reads the topic from its beginning, "
            "after a restart or a reassignment; with a lag of seconds, only if a segment "
            "of the topic rolls and is cleaned just then. A consumer that skips null "
            "values (by the letter of Broker Read Path it ends at them: another report). "
            "No crash and no fault. delete.retention.ms does not help: it protects "
            "tombstones only."
        ),
        tracker=(
            "KAFKA-20033; pull request 22459 (open; read in part, not run) has a consumer "
            "that skips null values, and forgets no segment at them"
        ),
        claims=("brokers_that_have_read_all_know_the_truth",),
        passages=(
            Passage(
                "KIP-1266",
                "Message Key and Value",
                (
                    "For the same segment under the same leader epoch, retries or updates share "
                    "the same key (compaction keeps the latest state)."
                ),
            ),
            Passage("KIP-1266", READS, NO_CHANGE),
            Passage(
                "KIP-1266",
                "Scenario 4: Segment Deletion",
                "Cache result: Empty (segment no longer exists)",
            ),
        ),
        permitted_by=(
            "RemoteLogMetadataCache#updateRemoteLogSegmentMetadata, which logs an error and drops "
            "DELETE_SEGMENT_FINISHED unless DELETE_SEGMENT_STARTED came before "
            "(RemoteLogSegmentState#isValidTransition); ConsumerTask, which then reads on"
        ),
        assumptions=("C6",),
        story=Story(
            "301dc0",
            (
                (
                    "start",
                    "Broker 0 leads, broker 1 follows. The segment of offset 0 is rolled and "
                    f"not yet copied. {WITH_HIGHEST_OFFSETS}",
                ),
                (
                    "1-5",
                    "The segment of offset 0 passes its retention. The leader copies it as "
                    "the remote segment id 0 (a UUID in Kafka): COPY_SEGMENT_STARTED, the "
                    "object, COPY_SEGMENT_FINISHED.",
                ),
                (
                    "6-10",
                    "The leader deletes id 0: DELETE_SEGMENT_STARTED, the object, "
                    "DELETE_SEGMENT_FINISHED. The clean-up scan writes a tombstone for the "
                    "key of id 0.",
                ),
                (
                    "11",
                    "The follower has read nothing so far. It reads COPY_SEGMENT_STARTED, and "
                    "its cache lists id 0.",
                ),
                (
                    "12",
                    "The log cleaner removes all records of id 0 but DELETE_SEGMENT_FINISHED "
                    "and the tombstone behind it, which is in the active segment.",
                ),
                (
                    "13-14",
                    "The follower reads the next two records. DELETE_SEGMENT_FINISHED is no "
                    "valid transition from COPY_SEGMENT_STARTED, so the cache logs an error "
                    "and drops the record.",
                ),
                (
                    "15",
                    "The follower reads the tombstone and skips it.",
                ),
                (
                    "end",
                    "The follower has read the whole topic, and its cache still lists id 0, "
                    "which is deleted.",
                ),
                (
                    "beyond",
                    "If the follower is elected, it deletes id 0 once more: two records, a "
                    "tombstone and a request to the store in vain.",
                ),
                (
                    "beyond",
                    "If the follower had read COPY_SEGMENT_FINISHED, too, its cache lists id "
                    "0 as copied. With retention.bytes its first run as leader counts the "
                    "size of id 0 as well, as long as id 0 is of the log's earliest leader "
                    "epoch. It may then delete the oldest live segment too early "
                    "(RLMExpirationTask#buildRetentionSizeData).",
                ),
            ),
        ),
        turning=12,
        fix=(
            "Have RemoteLogMetadataCache forget a segment at DELETE_SEGMENT_FINISHED in whatever "
            "state the segment is, and at the tombstone of its key, which ConsumerTask hands on. "
            "Both are needed: DELETE_SEGMENT_FINISHED may come long before the tombstone, and the "
            "cleaner may leave the tombstone alone. In COPY_SEGMENT_FINISHED the cache also has "
            "to take the segment out of the offsets of RemoteLogLeaderEpochState, as it does at "
            "DELETE_SEGMENT_STARTED. The highest offset of the leader epoch stays "
            "as it is."
        ),
        costs=(
            "With the KIP's keys, a map from keys to segments in each cache: one entry "
            "for each remote segment. With the segment's id in the key, nothing. "
            "RemoteLogSegmentState#isValidTransition no longer guards the last transition "
            "in the cache: a deletion that is published by mistake hides the segment at "
            "once."
        ),
        repair="repair_tombstones_forget",
        together_with=(
            "repair_self_contained_values",
            "repair_rebuild_outrun_caches",
        ),
        shows="segment_is_forgotten",
        scope="lagging",
    ),
    Finding(
        name="tombstone_goes_before_it_is_read",
        title=(
            "Step 4 names no lower bound for delete.retention.ms, and a stuck consumer misses "
            "tombstones"
        ),
        severity=Severity.COST,
        symptom=(
            "In these steps no client notices: the segment's records are past their "
            "retention. A broker that has read the first record of a segment, and reads "
            "nothing more until the tombstone is removed, goes on listing the deleted "
            "segment, until it restarts or, as leader, deletes the segment again. We assume "
            'that a cache forgets a segment at its tombstone, as our report "A consumer that '
            "reads behind the log cleaner misses a deletion, and its cache keeps the deleted "
            'segment" proposes; by the letter of the KIP it does not, '
            "and one run of the log cleaner is enough. If the broker has read "
            "COPY_SEGMENT_FINISHED, too, and retention.bytes is set, it is more than a cost: "
            "once it leads, it may delete a live segment too early."
        ),
        needs=(
            "Two replicas; a running broker whose consumer of the topic is stuck for "
            "longer than delete.retention.ms (a day in the KIP), or whose first read of "
            "the topic takes that long; in this time a roll of the topic behind the tombstone, "
            "and two runs of the log cleaner, delete.retention.ms apart (the first sets the "
            "tombstone's delete horizon). No other fault, and no race."
        ),
        claims=("brokers_that_have_read_all_know_the_truth",),
        passages=(
            Passage("KIP-1266", READS, NO_CHANGE),
            Passage(
                "KIP-1266",
                "New clusters",
                "delete.retention.ms=86400000 (1 day) controls how long tombstone markers are "
                "retained before they become eligible for physical deletion.",
            ),
        ),
        permitted_by=(
            "ConsumerTask#ingestRecords, which polls on after a pause of any length, and does not "
            "compare the pause with delete.retention.ms (today it need not: the topic is not "
            "compacted)"
        ),
        story=Story(
            "510573",
            (
                (
                    "start",
                    "Broker 0 leads, broker 1 follows. The segments of offsets 0 and 1 are "
                    f"rolled and not yet copied. "
                    f"{WITH_HIGHEST_OFFSETS}",
                ),
                (
                    "1-5",
                    "The segment of offset 0 passes its retention. The leader copies it all "
                    "the same as the remote segment id 0 (a UUID in Kafka), up to "
                    "COPY_SEGMENT_FINISHED.",
                ),
                (
                    "6-11",
                    "The leader deletes id 0: DELETE_SEGMENT_STARTED, the object, "
                    "DELETE_SEGMENT_FINISHED. It writes a tombstone for the key of id 0, and "
                    "reads the tombstone.",
                ),
                (
                    "12",
                    "The leader publishes COPY_SEGMENT_STARTED of the next segment, id 1. The "
                    "tombstone is no longer in the active segment of the topic.",
                ),
                (
                    "13",
                    "The follower reads its first record, COPY_SEGMENT_STARTED of id 0, and "
                    "reads no more for a day.",
                ),
                (
                    "14-15",
                    "The log cleaner removes all records of id 0 but the tombstone. "
                    "delete.retention.ms is over, and the log cleaner removes the tombstone.",
                ),
                (
                    "16-17",
                    "The follower reads the rest of the topic, which ends with "
                    "COPY_SEGMENT_STARTED of id 1.",
                ),
                (
                    "end",
                    "The follower has read the whole topic. No record has told it that id 0 "
                    "is deleted, and its cache lists id 0.",
                ),
                (
                    "beyond",
                    "If the follower is elected, it deletes id 0 once more: two records, a "
                    "tombstone and a request to the store in vain; other brokers drop the "
                    "records with a warning.",
                ),
                (
                    "beyond",
                    "With COPY_SEGMENT_FINISHED in its cache and retention.bytes, that run "
                    "counts the size of id 0, too, if id 0 is of the log's earliest leader "
                    "epoch (RLMExpirationTask#buildRetentionSizeData).",
                ),
            ),
        ),
        turning=15,
        fix=(
            "The least is a sentence, in the notes of New clusters and in Step 4 of the "
            "migration plan: delete.retention.ms has to exceed the longest time by which a "
            "broker's consumer can be behind, its first read included, and a broker "
            "whose consumer was stuck for longer has to be restarted. It should also say what a "
            "cache does at a tombstone. To close it in code, ConsumerTask#ingestRecords notes "
            "when it last reached the end of each metadata partition. After "
            "delete.retention.ms without that (a topic's config, which it has to fetch), it "
            "drops the caches of the "
            "partition's user partitions, forgets the offsets that it has read for them "
            "(readOffsetsByUserTopicPartition), marks them as not initialized, and reads the "
            "metadata partition from the beginning. In the model a broker does so as soon as a "
            "tombstone is removed that it has not read, and not by its clock."
        ),
        costs=(
            "The sentence: none. The change in code: after such a pause the broker "
            "reads the metadata topic anew; until then its remote reads answer "
            "REPLICA_NOT_AVAILABLE, and its remote log tasks wait. It needs the end "
            "offset at each poll, which is fetched only at an assignment today "
            "(Consumer#currentLag may do). A first read that itself takes longer never ends: "
            "then only a higher delete.retention.ms helps."
        ),
        repair="repair_rebuild_outrun_caches",
        shows="segment_is_forgotten",
        scope="lagging",
    ),
    Finding(
        name="highest_offset_is_forgotten",
        title=(
            "After compaction and a restart, latestTiered answers -1 once the copied segments have "
            "expired"
        ),
        severity=Severity.TEXT,
        symptom=(
            "A broker that reads the topic anew, as after a restart or as a new replica, does not "
            "know how far a leader epoch was copied once the segment that had this offset is "
            "deleted. Its copy task begins at its log start instead. Nothing is copied twice, as "
            "the expiration task moves the log start past a segment before it publishes "
            "DELETE_SEGMENT_STARTED; the exception is a follower that is elected before its log "
            "start has followed. Today COPY_SEGMENT_FINISHED stays in the topic, and a restart "
            "keeps the offset as long as its leader epoch is one of the log's. The one thing to "
            "notice is Admin#listOffsets for the latest tiered offset, which answers -1 until the "
            "next copy finishes. A topic with cleanup.policy=delete forgets the offset, too, if "
            "its records expire."
        ),
        needs=(
            "The deletion of the last copied segment of a leader epoch, one run of the log "
            "cleaner, and a leader that has restarted since or is a new replica. No fault, and no "
            "race."
        ),
        claims=("compaction_keeps_highest_offsets",),
        passages=(
            Passage(
                "KIP-1266",
                "Background: What is __remote_log_metadata and how is it used?",
                "Why it matters: Brokers maintain an in-memory RemoteLogMetadataCache to answer "
                '"which segment contains offset X?" and "what is the highest remote offset?" This '
                "cache drives remote fetches and cleanup.",
            ),
        ),
        permitted_by=(
            "RemoteLogLeaderEpochState#highestLogOffset, which deletions leave as it is, so that a "
            "cache knows more than the compacted topic; RLMCopyTask#maybeUpdateCopiedOffset, which "
            "begins the copies above it"
        ),
        story=Story(
            "c04818",
            (
                (
                    "start",
                    "Broker 0 leads. The segments of offsets 0 and 1 are rolled and not yet "
                    "copied.",
                ),
                (
                    "1-5",
                    "The segment of offset 0 passes its retention while the leader copies it "
                    "as the remote segment id 0 (a UUID in Kafka). From COPY_SEGMENT_FINISHED "
                    "the leader's cache notes that epoch 0 is copied up to offset 0.",
                ),
                (
                    "6-7",
                    "The leader begins to delete id 0 with DELETE_SEGMENT_STARTED.",
                ),
                (
                    "8",
                    "The leader publishes COPY_SEGMENT_STARTED of the next segment, id 1, so "
                    "that the records of id 0 are no longer in the active segment of the "
                    "topic.",
                ),
                (
                    "9",
                    "The log cleaner removes COPY_SEGMENT_FINISHED of id 0.",
                ),
                (
                    "end",
                    "The leader knows that epoch 0 is copied up to offset 0. A broker that "
                    "reads the topic now does not learn it.",
                ),
            ),
        ),
        turning=9,
        fix=(
            "Say in the text that a cache may forget it, and that a copy begins at the "
            "log start then: RLMCopyTask falls back to an earlier leader epoch, else to "
            "-1, and never begins below the log start. This sentence changes no "
            "behaviour, and there is nothing to try. The model was tried with another "
            "way: the leader publishes the highest copied offset of a leader epoch under "
            "a key of its own, in one batch with COPY_SEGMENT_FINISHED, once it has read "
            "the topic to its end."
        ),
        costs=(
            "For the sentence none in code; the answer -1 stays. The other way has a new "
            "kind of record, which older brokers cannot read, one more record beside each "
            "COPY_SEGMENT_FINISHED, and one key for each leader epoch of a partition, for as "
            "long as the partition lives."
        ),
        repair="repair_tell_highest_offsets",
        searched="a record of the highest copied offset",
        shows="segment_is_forgotten",
        scope="lagging",
    ),
)
