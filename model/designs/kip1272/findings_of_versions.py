"""Several versions of a segment, and which one serves: the register of KIP-1272, continued."""

from tierproof.model.language import Finding, Passage, Severity, Story

SWAP = "Swap Old/New Log Segment Files"

OF_VERSIONS = (
    Finding(
        name="merged_segment_is_routed_half",
        title="Reads of a merged segment go to the old segments, and a deleted key comes back",
        severity=Severity.WRONG,
        symptom=(
            "A consumer that reads from the beginning gets the value of a deleted key and no "
            "tombstone: the key is back, until it is written again. Records that compaction has "
            "removed are served again, too."
        ),
        needs=(
            "One replica; two compaction cycles that are delete.retention.ms (a day by default) "
            "apart, of which the first makes one segment of two. Segments are grouped so whenever "
            "they fit into segment.bytes together. No crash, no fault."
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
            "RemoteLogLeaderEpochState#handleSegmentWithCopySegmentFinishedState, which, once a "
            "later segment has finished, replaces the segment with the same start offset alone "
            "and keeps the others"
        ),
        story=Story(
            "8fd68b",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offset 0 has a key B, offsets 1 "
                    "and 2 a value and a tombstone of a key A, offsets 3 and 4 key B. All are "
                    "copied, as ids 0 to 4, and only remote; the log is clean up to offset 2.",
                ),
                (
                    "1-10",
                    "A compaction cycle maps offsets 2 and 3. It merges the segments of offsets 0 "
                    "and 1, removes both records, and copies the result as id 5.",
                ),
                (
                    "11-19",
                    "It merges the segments of offsets 2 and 3, and copies them as id 6; the "
                    "tombstone at offset 2 gets its delete horizon.",
                ),
                (
                    "20",
                    "The cleaner writes its checkpoint. The cache has replaced id 0 by id 5 and id "
                    "2 by id 6, and still routes reads of offset 1 to id 1 and of offset 3 to id "
                    "3.",
                ),
                (
                    "21-22",
                    "delete.retention.ms later the next cycle maps offset 4. The filter of id 5 "
                    "has no key, and the cleaner skips id 5.",
                ),
                (
                    "23-28",
                    "The cleaner removes the tombstone at offset 2, as its delete horizon is over, "
                    "and copies that version as id 7.",
                ),
                ("29", "The cache routes reads of offset 2 to id 7."),
                (
                    "end",
                    "A reader gets the value of key A at offset 1, from id 1, and no tombstone.",
                ),
            ),
        ),
        turning=29,
        fix=(
            "Have the cache replace every segment that the finished one covers, and list each of "
            "them as unreferenced."
        ),
        costs=(
            "A loop over the cached segments of the same offsets when a copy finishes: memory "
            "only, microseconds."
        ),
        repair="repair_newest_version_serves",
        shows="group_becomes_one_segment",
        scope="merging",
    ),
    Finding(
        name="replaced_segment_is_never_deleted",
        title="A compacted segment falls out of every list, and its object is never deleted",
        severity=Severity.LEAK,
        symptom=(
            "The remote store grows by every object that compaction replaces, except that of the "
            "last segment of a leader epoch. No task lists these objects, no size counts them, and "
            "only the deletion of the topic may reach them."
        ),
        needs=(
            "One replica; any compaction cycle on a remote log of two segments or more. No crash, "
            "no fault."
        ),
        tracker="KAFKA-20932",
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
            "RemoteLogLeaderEpochState#handleSegmentWithCopySegmentFinishedState, which "
            "overwrites the entry of a segment with the same start offset, and does not add its "
            "id to the unreferenced ones"
        ),
        story=Story(
            "48a506",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. cleanup.policy is compact. Offsets "
                    "0 and 1 have the same key; they are copied, as id 0 and id 1, and only "
                    "remote.",
                ),
                (
                    "1-3",
                    "The cleaner cleans the segment of offset 0, and begins to copy it as id 2.",
                ),
                ("4-7", "The object of id 2 is stored, and COPY_SEGMENT_FINISHED is published."),
                (
                    "8",
                    "The cache overwrites the entry at offset 0: id 0 is in no list any more.",
                ),
                ("9-11", "The cleaner ends its compaction cycle."),
                (
                    "12-14",
                    "retention.ms passes for offset 0, and an operator changes cleanup.policy to "
                    "delete.",
                ),
                ("15-21", "The expiration task deletes the object of id 2."),
                ("22-25", "Its further runs list nothing else at offset 0."),
                (
                    "end",
                    "The object of id 0 is in the store. All its offsets are below the log start "
                    "offset, and no list has id 0.",
                ),
            ),
        ),
        turning=8,
        fix="Have the cache add what it overwrites to the unreferenced segments.",
        costs="None beyond the entry: the list has one more id until the object is deleted.",
        repair="repair_list_what_is_overwritten",
        apart=("repair_newest_version_serves",),
        shows="old_version_is_deleted",
        scope="policy",
    ),
)
