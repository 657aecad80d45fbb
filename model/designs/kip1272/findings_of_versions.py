"""Several versions of a segment, and which one serves: the register of KIP-1272, continued."""

from tierproof.model.language import Finding, Passage, Severity, Story

SWAP = "Swap Old/New Log Segment Files"

OF_VERSIONS = (
    Finding(
        name="merged_segment_is_routed_half",
        title="Reads of a merged segment go to the old segments, and a deleted key comes back",
        severity=Severity.WRONG,
        symptom=(
            "A deleted key comes back: a fetch at an offset of a segment that was merged into the "
            "one before gets records that compaction has removed, here the value of a deleted key "
            "without its tombstone. The consumer keeps the value until the key is written again. "
            "The cache replaces only the segment that has the new one's start offset, and goes on "
            "serving the second of the two."
        ),
        needs=(
            "One replica is enough; two compaction cycles that are delete.retention.ms (a day by "
            "default) apart, of which the first makes one segment of two. Segments are grouped so "
            "whenever they fit into segment.bytes together. A consumer whose next offset lies in "
            "the second of the two, offset 1 here. No crash, no fault."
        ),
        claims=(
            "no_deleted_key_comes_back",
            "cleaned_keys_are_unique",
            "tombstones_outlive_what_they_delete",
        ),
        passages=(
            Passage(
                "KIP-1272",
                SWAP,
                "RemoteLogMetadataManager updates its cache to route reads to the new segment",
            ),
            Passage(
                "KIP-1272",
                SWAP,
                "The old segment becomes unreferenced (equivalent to .deleted state in local "
                "storage)",
            ),
        ),
        permitted_by=(
            "RemoteLogLeaderEpochState#handleSegmentWithCopySegmentFinishedState, which removes "
            "every segment that starts at the new one's start offset or later, but only if no "
            "finished segment of the leader epoch ends after the new one (highestLogOffset <= "
            "leaderEpochEndOffset); otherwise it replaces the segment with the same start offset "
            "alone. RemoteLogLeaderEpochState#floorEntry then answers with the segment that has "
            "the highest start offset at or below the fetch offset"
        ),
        story=Story(
            "8fd68b",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offset 0 has key 1, offset 1 a "
                    "value of key 0, offset 2 the tombstone of key 0, offsets 3 and 4 key 1. All "
                    "are copied, as ids 0 to 4, and only remote; the log is clean up to offset 2.",
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
                    "The cleaner writes its checkpoint. Id 4 ends after ids 5 and 6, so that the "
                    "cache has replaced id 0 by id 5 and id 2 by id 6 and nothing else: it still "
                    "routes fetches of offset 1 to id 1 and fetches of offset 3 to id 3.",
                ),
                (
                    "21-22",
                    "delete.retention.ms later the next cycle maps key 1 to offset 4. The cleaner "
                    "looks up offset 0, finds id 5, which has no key, skips it, and goes on at "
                    "offset 2, behind the end of id 5: it never comes upon id 1.",
                ),
                (
                    "23-28",
                    "The cleaner removes the tombstone at offset 2, as its delete horizon is over, "
                    "and offset 3, as offset 4 supersedes it. It copies the result as id 7, which "
                    "is empty.",
                ),
                (
                    "29",
                    "The cache replaces id 6 by id 7, and routes fetches of offset 2 to id 7.",
                ),
                (
                    "end",
                    "A fetch at offset 1 gets the value of key 0 from id 1. No segment that serves "
                    "reads has the tombstone of key 0.",
                ),
                (
                    "beyond",
                    "A fetch at offset 0 finds id 5 and then id 7 empty, gets offset 4 from id 4, "
                    "and never meets id 1. If id 5 had kept the record at offset 0, a consumer "
                    "that reads from the beginning would fetch offset 1 next, and would get the "
                    "value. That the cleaner skips id 5 does no harm: id 1 serves offset 1 also "
                    "if id 5 is cleaned again.",
                ),
            ),
        ),
        turning=29,
        fix=(
            "When a compacted segment reaches COPY_SEGMENT_FINISHED, have "
            "RemoteLogLeaderEpochState move to the unreferenced ones, in each leader epoch of the "
            "new segment, every segment whose offsets of that epoch all lie within those of the "
            "new one. A segment that overlaps the new one in part stays: the KIP has to say that a "
            "compacted segment covers whole segments only."
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
            "A segment that compaction replaces falls out of the expiration task's lists, and its "
            "object is not deleted"
        ),
        severity=Severity.LEAK,
        symptom=(
            "The remote store grows by nearly every object that compaction replaces, for as long "
            "as the topic exists. RLMExpirationTask deletes from the lists by leader epoch, and a "
            "replaced segment is in none of them; only the deletion of the topic reaches it. The "
            "cache overwrites the entry of a segment with the same start offset, and does not "
            "make the old one unreferenced."
        ),
        needs=(
            "One replica is enough; any compaction cycle on a remote log of two segments or more: "
            "every object that is replaced by one with the same start offset, but that of the last "
            "segment of a leader epoch. (The other inputs of a merged group stay in the lists, and "
            "even serve reads: a report of its own.) No crash, no fault."
        ),
        tracker="KAFKA-20932, with pull request 23148 (open in August 2026)",
        claims=(
            "expired_objects_are_deleted",
            "every_object_is_tracked",
            "replaced_objects_are_deleted",
        ),
        passages=(
            Passage(
                "KIP-1272",
                SWAP,
                "Unreferenced segments are asynchronously deleted by the retention thread after "
                "validation (similar to local storage as well)",
            ),
            Passage(
                "KIP-1272",
                SWAP,
                "The old segment becomes unreferenced (equivalent to .deleted state in local "
                "storage)",
            ),
        ),
        permitted_by=(
            "RemoteLogLeaderEpochState#handleSegmentWithCopySegmentFinishedState: the loop that "
            "makes entries unreferenced runs only if no finished segment of the leader epoch ends "
            "after the new one (highestLogOffset <= leaderEpochEndOffset); otherwise "
            "offsetToId.put drops the old id"
        ),
        story=Story(
            "48a506",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. cleanup.policy is compact. Offsets "
                    "0 and 1 are copied, as id 0 and id 1, and only remote.",
                ),
                (
                    "1-3",
                    "The cleaner cleans the segment of offset 0, and begins to copy it as id 2.",
                ),
                ("4-7", "The object of id 2 is stored, and COPY_SEGMENT_FINISHED is published."),
                (
                    "8",
                    "The cache overwrites the entry at offset 0: id 0 is in no list of a "
                    "leader epoch any more, and the expiration task reads these lists.",
                ),
                ("9-11", "The cleaner ends its compaction cycle."),
                (
                    "12-14",
                    "Does retention reach id 0? retention.ms passes for offset 0, and an operator "
                    "changes cleanup.policy to delete.",
                ),
                ("15-21", "The expiration task deletes the object of id 2."),
                ("22-25", "Further runs of the expiration task list nothing else at offset 0."),
                (
                    "end",
                    "The object of id 0 is in the store. All its offsets are below the log "
                    "start offset, and no list of a leader epoch has id 0.",
                ),
            ),
        ),
        turning=8,
        fix=(
            "Have RemoteLogLeaderEpochState add what it overwrites in offsetToId to the "
            "unreferenced segments, as pull request 23148 does. The KIP depends on it: an "
            "append-only log rarely overwrites an entry, compaction does in every cycle. That "
            "alone lists the id and deletes nothing: RLMExpirationTask deletes by the log start "
            'offset and by retention. The KIP has the missing rule ("Unreferenced segments are '
            'asynchronously deleted"); it has to add that the task applies it whatever retention '
            "says, to finished segments that serve reads in none of their leader epochs, and that "
            "the log start offset does not move for them."
        ),
        costs=(
            "RLMExpirationTask#buildRetentionSizeData has to leave these segments out. Else, with "
            "compact,delete and retention.bytes, both versions count, and live records are deleted "
            "early."
        ),
        repair="repair_list_what_is_overwritten",
        stands_alone=True,
        apart=("repair_newest_version_serves",),
        shows="old_version_is_deleted",
        scope="policy",
    ),
    Finding(
        name="interrupted_deletion_is_left",
        title="A deletion of an old version that fails once is not taken up again",
        severity=Severity.LEAK,
        symptom=(
            "An object that serves no reads stays in the remote store, one for each deletion of an "
            "old version that fails or is interrupted. With cleanup.policy=compact it stays as "
            "long as the topic; with compact,delete until retention passes the segment before. The "
            "expiration task looks for interrupted deletions only up to the first segment that "
            "retention keeps: enough for an append-only log, which is deleted from its start."
        ),
        needs=(
            "One replica or more; one request to delete an old version that the remote store "
            "refuses, or a crash of the leader between DELETE_SEGMENT_STARTED and "
            "DELETE_SEGMENT_FINISHED. A compaction cycle sends one such request for each segment "
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
            "RLMExpirationTask#cleanupExpiredRemoteLogSegments, which takes up segments in "
            "DELETE_SEGMENT_STARTED on its way (KAFKA-17428), and ends at the first segment that "
            "retention keeps"
        ),
        assumptions=("F31",),
        story=Story(
            "81bf07",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offsets 0 and 1 have the same key. "
                    "They are copied, as id 0 and id 1, and only remote; the log is clean up to "
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
                ("28-29", "The cleaner ends its compaction cycle."),
                (
                    "30",
                    "The remote store refuses to delete the object of id 1: the run ends.",
                ),
                (
                    "31-33",
                    "The next run lists id 2 first, which retention keeps, and looks at no segment "
                    "after it: the run deletes nothing.",
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
            "where it goes through all segments for their leader epochs, before the loop that ends "
            "at the first segment to stay. Unreferenced segments in COPY_SEGMENT_STARTED are not "
            "meant: they may be copies that still run."
        ),
        costs=(
            "One request for each at each run, until it succeeds. The loop over all segments is "
            "there; RemoteStorageManager#deleteLogSegmentData is expected to be idempotent."
        ),
        repair="repair_take_deletions_up",
        shows="old_version_is_deleted",
        scope="interrupted",
    ),
)
