"""Several versions of a segment, and which one serves: the register of KIP-1272, continued."""

from tierproof.model.language import Finding, Passage, Severity, Story

SWAP = "Swap Old/New Log Segment Files"

OF_VERSIONS = (
    Finding(
        name="merged_segment_is_routed_half",
        title=(
            "After a merge, offsets of the second segment are read from its old object, and a "
            "deleted key comes back"
        ),
        severity=Severity.WRONG,
        symptom=(
            "A deleted key comes back. When compaction merges two segments, fetches at the offsets "
            "of the second are still answered from its old object: here with the value of a key "
            "whose tombstone is gone. A consumer keeps the value until the key is written again. "
            "The cache replaces only the segment that has the new one's start offset, and the "
            "second of the two goes on serving."
        ),
        needs=(
            "One replica is enough; two compaction cycles that are delete.retention.ms (a day by "
            "default) apart, of which the first makes one segment of two, as it does whenever they "
            "fit into segment.bytes together. A later segment is in the same leader epoch. A "
            "consumer whose next offset lies in the second of the two. No crash."
        ),
        tracker=("none known. KAFKA-20932, about the same method, leaves the routing as it is"),
        claims=(
            "no_deleted_key_comes_back",
            "cleaned_keys_are_unique",
            "tombstones_outlive_what_they_delete",
        ),
        passages=(
            Passage(
                "KIP-1272",
                "Processing multiple Log segment files in a group",
                "Note in this case we are removing multiple old log segment files (some of them "
                "lives only on remote tiered storage) during swap stage",
            ),
            Passage(
                "KIP-1272",
                SWAP,
                "As long as we include the correct leader epoch and offset information in the "
                "RLMetadata when we upload the newly rewritten log segment file, the "
                "RemoteLogMetadataManager will update its cache to route the retrieval request to "
                "the latest segment file; the old log segment file essentially becomes an orphan "
                "node.",
            ),
        ),
        permitted_by=(
            "RemoteLogLeaderEpochState#handleSegmentWithCopySegmentFinishedState, which evicts "
            "every segment that starts at the new one's start offset or later, but only if no "
            "finished segment of the leader epoch ends after the new one (highestLogOffset <= "
            "leaderEpochEndOffset); otherwise it replaces only the segment with the same start "
            "offset. RemoteLogLeaderEpochState#floorEntry answers with the segment that has the "
            "highest start offset at or below the fetch offset"
        ),
        story=Story(
            "8fd68b",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offset 0 has key 1, offset 1 a "
                    "value of key 0, offset 2 the tombstone of key 0, offsets 3 and 4 key 1. All "
                    "are copied, as ids 0 to 4, and only remote; the log is clean below offset 2.",
                ),
                (
                    "1-10",
                    "A compaction cycle maps key 0 to offset 2 and key 1 to offset 3. The cleaner "
                    "merges the segments of offsets 0 and 1, removes both records, and copies the "
                    "result as id 5, which is empty and covers offsets 0 and 1.",
                ),
                (
                    "11-19",
                    "The cleaner merges the segments of offsets 2 and 3, and copies them as id 6; "
                    "the tombstone at offset 2 gets its delete horizon.",
                ),
                (
                    "20",
                    "The cleaner writes its checkpoint. As id 4 ends after ids 5 and 6, the cache "
                    "has replaced id 0 by id 5 and id 2 by id 6, and nothing else: offset 1 is "
                    "still served from id 1, and offset 3 from id 3.",
                ),
                (
                    "21-22",
                    "delete.retention.ms later the next cycle maps key 1 to offset 4. The cleaner "
                    "looks up offset 0, finds id 5, skips it, as it has no key, and goes on at "
                    "offset 2, behind its end: it never comes upon id 1.",
                ),
                (
                    "23-28",
                    "The cleaner removes the tombstone at offset 2, as its delete horizon is over, "
                    "and offset 3, as offset 4 supersedes it. It copies the result as id 7.",
                ),
                ("29", "The cache replaces id 6 by id 7."),
                (
                    "end",
                    "A fetch at offset 1 gets the value of key 0 from id 1. No segment that serves "
                    "reads has the tombstone of key 0.",
                ),
                (
                    "beyond",
                    "Here a consumer that begins at offset 0 finds ids 5 and 7 empty, and goes on "
                    "at offset 4. If id 5 had kept the record at offset 0, that consumer would "
                    "fetch offset 1 next, and get the value. That the cleaner skips id 5 plays no "
                    "part.",
                ),
            ),
        ),
        turning=29,
        fix=(
            "When a compacted segment reaches COPY_SEGMENT_FINISHED, have "
            "RemoteLogLeaderEpochState move to the unreferenced ones, in each leader epoch of the "
            "new segment, every segment whose offsets of that epoch all lie within those of the "
            "new one. A segment that overlaps the new one in part stays: the KIP has to say that a "
            "compacted segment covers whole segments only. So the cleaner can take a local file in "
            "place of remote segments only if it starts and ends at their bounds, as a file of a "
            "new leader need not. A late segment of an old leader needs a fence: it could displace "
            "newer ones."
        ),
        costs=(
            "A loop over the entries of offsetToId in that range, in memory. "
            "RemoteLogLeaderEpochState does not know where its segments end, so "
            "RemoteLogMetadataCache has to tell it."
        ),
        repair="repair_newest_version_serves",
        stands_alone=True,
        shows="group_becomes_one_segment",
        scope="merging",
    ),
    Finding(
        name="replaced_segment_is_never_deleted",
        title=(
            "RLMExpirationTask does not find a segment that compaction replaces, and its object "
            "stays in the remote store"
        ),
        severity=Severity.LEAK,
        symptom=(
            "The remote store grows by nearly every object that compaction replaces, for as long "
            "as the topic exists. The KIP expects the old segment to become unreferenced. "
            "RemoteLogMetadataCache of TopicBasedRemoteLogMetadataManager instead overwrites its "
            "entry with that of the new segment, which has the same start offset. "
            "RLMExpirationTask deletes from the lists by leader epoch, and the old segment is in "
            "none of them. Only a deletion of the whole remote log reaches it (of the topic, or "
            "by remote.log.delete.on.disable=true)."
        ),
        needs=(
            "One replica is enough; any compaction cycle that replaces a remote segment by one "
            "with the same start offset, when a later segment of the same leader epoch has been "
            "copied. (If the new segment reaches the highest copied offset of the epoch, the old "
            "one becomes unreferenced, as it should. The other inputs of a merged group stay "
            'listed, and even serve reads: see our report "After a merge, offsets of the second '
            'segment are read from its old object, and a deleted key comes back".) No crash.'
        ),
        tracker="KAFKA-20932, with pull request 23148 (the cache alone; open in August 2026)",
        claims=(
            "replaced_objects_are_deleted",
            "expired_objects_are_deleted",
            "every_object_is_tracked",
        ),
        passages=(
            Passage(
                "KIP-1272",
                SWAP,
                "The old segment becomes unreferenced (equivalent to .deleted state in local "
                "storage)",
            ),
            Passage(
                "KIP-1272",
                SWAP,
                "Unreferenced segments are asynchronously deleted by the retention thread after "
                "validation (similar to local storage as well)",
            ),
        ),
        permitted_by=(
            "RemoteLogLeaderEpochState#handleSegmentWithCopySegmentFinishedState: the loop that "
            "makes entries unreferenced runs only if no finished segment of the leader epoch "
            "ends, or ended, after the new one (highestLogOffset <= leaderEpochEndOffset); "
            "otherwise offsetToId.put drops the old id"
        ),
        story=Story(
            "774734",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. cleanup.policy is compact. "
                    "Offsets 0 and 1 are copied, as id 0 and id 1, and their local segments are "
                    "deleted.",
                ),
                (
                    "1-3",
                    "The cleaner takes the segment of offset 0 as its first chunk, cleans it, and "
                    "begins to copy the result as id 2.",
                ),
                (
                    "4-7",
                    "The object is stored, and COPY_SEGMENT_FINISHED is published.",
                ),
                (
                    "8",
                    "The cache overwrites the entry at offset 0: id 0 is in no list of a leader "
                    "epoch any more.",
                ),
                ("9-11", "The cleaner ends its compaction cycle."),
                (
                    "12-13",
                    "cleanup.policy becomes delete, only so that the cleaner rests here. With "
                    "compact, id 0 stays in the same way.",
                ),
                (
                    "14-16",
                    "The expiration task runs, as every later run does: its lists by leader epoch "
                    "have only ids 2 and 1, which retention keeps. (Its first listing, of the "
                    "whole partition, only collects leader epochs and sizes.)",
                ),
                (
                    "end",
                    "The object of id 0 is in the store, and serves no reads.",
                ),
                (
                    "beyond",
                    "Retention does not reach id 0 either. If retention.ms passes for offset 0 "
                    "now, the task deletes id 2 and moves the log start offset to 1, and id 0 "
                    "stays. We replayed that in the model.",
                ),
            ),
        ),
        turning=8,
        fix=(
            "Both parts are needed. First, have RemoteLogLeaderEpochState add what it overwrites "
            "in offsetToId to the unreferenced segments, as pull request 23148 does. (The "
            "contract of RemoteLogMetadataManager#listRemoteLogSegments asks for it already.) "
            "That alone only lists the id: RLMExpirationTask deletes by the log start offset and "
            "by retention, so the object stays until these reach its records, which with compact "
            "they never should. Second, have the KIP say that the task deletes finished segments "
            "that serve reads in none of their leader epochs, wherever they lie and whatever "
            "retention says, and that "
            "the log start offset does not move for them. We tried both together in the model."
        ),
        costs=(
            "RLMExpirationTask#buildRetentionSizeData has to leave these segments out. Else, with "
            "compact,delete and retention.bytes, both versions count, and live records are "
            "deleted early. And the next run may delete an object that a read under way still "
            "uses, or a broker whose cache lags. The KIP should add a delay, as "
            "file.delete.delay.ms is for local files. The model covers no reads under way."
        ),
        repair="repair_list_what_is_overwritten",
        stands_alone=True,
        apart=("repair_newest_version_serves",),
        shows="old_version_is_deleted",
        scope="policy",
    ),
    Finding(
        name="interrupted_deletion_is_left",
        title="The failed deletion of a replaced segment is not retried",
        severity=Severity.LEAK,
        symptom=(
            "An object that serves no reads stays in the remote store, one for each deletion of an "
            "old version that fails or is interrupted. With cleanup.policy=compact it stays as "
            "long as the topic; with compact,delete until retention deletes the segments before "
            "it. The expiration task looks for interrupted deletions only up to the first segment "
            "that retention keeps: enough for an append-only log, which is deleted from its start. "
            "The KIP helps only if its unreferenced segments include those in "
            "DELETE_SEGMENT_STARTED, which we ask below (the Javadoc of RemoteLogLeaderEpochState "
            "counts them, but also those in COPY_SEGMENT_STARTED)."
        ),
        needs=(
            "One replica is enough; one request to delete an old version that the remote store "
            "refuses, or a crash or an election between DELETE_SEGMENT_STARTED and "
            "DELETE_SEGMENT_FINISHED. A compaction cycle causes one such request for each segment "
            "that it replaces."
        ),
        claims=("replaced_objects_are_deleted",),
        passages=(
            Passage(
                "KIP-1272",
                SWAP,
                "Unreferenced segments are asynchronously deleted by the retention thread after "
                "validation (similar to local storage as well)",
            ),
        ),
        permitted_by=(
            "RLMExpirationTask#cleanupExpiredRemoteLogSegments, which goes through the segments of "
            "a leader epoch by their start offsets, takes up those in DELETE_SEGMENT_STARTED on "
            "its way (KAFKA-17428), and ends at the first segment that retention keeps"
        ),
        assumptions=("F31",),
        story=Story(
            "81bf07",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offsets 0 and 1 have the same key. "
                    "They are copied, as id 0 and id 1, and only remote; the log is clean below "
                    "offset 1.",
                ),
                (
                    "1-10",
                    "The cleaner maps offset 1, cleans the segment of offset 0, and copies the "
                    "result as id 2.",
                ),
                (
                    "11-18",
                    "The cleaner cleans the segment of offset 1, and copies the result as id 3. "
                    "Ids 0 and 1 are unreferenced now.",
                ),
                ("19-20", "A run of the expiration task plans to delete id 0 and id 1."),
                ("21-25", "The run deletes id 0, and publishes DELETE_SEGMENT_FINISHED of it."),
                ("26-27", "The run publishes DELETE_SEGMENT_STARTED of id 1."),
                ("28-29", "The cleaner ends its compaction cycle, which plays no part."),
                (
                    "30",
                    "The remote store refuses to delete the object of id 1, and the run ends.",
                ),
                (
                    "31-33",
                    "The next run lists id 2 first, at offset 0. Retention keeps it, so that the "
                    "run looks at no segment after it and deletes nothing.",
                ),
                (
                    "end",
                    "The object of id 1 is in the store. Id 1 is in DELETE_SEGMENT_STARTED, and "
                    "serves no reads.",
                ),
                (
                    "beyond",
                    "Every later run ends as this one does, as long as retention keeps id 2 or the "
                    "segment that replaces it.",
                ),
            ),
        ),
        turning=30,
        fix=(
            "Say that the retention thread also takes up segments in DELETE_SEGMENT_STARTED, "
            "wherever they lie. RLMExpirationTask#cleanupExpiredRemoteLogSegments can collect them "
            "where it lists all segments of the partition to know their leader epochs, before the "
            "loop that ends at the first segment to stay. Unreferenced segments in "
            "COPY_SEGMENT_STARTED are not meant: they may be copies that still run."
        ),
        costs=(
            "One request for each at each run, until it succeeds. The loop over all segments is "
            "there; RemoteStorageManager#deleteLogSegmentData is expected to be idempotent."
        ),
        apart=("repair_retention_and_cleaning_take_turns",),
        repair="repair_take_deletions_up",
        shows="old_version_is_deleted",
        scope="interrupted",
    ),
)
