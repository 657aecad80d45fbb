"""Several versions of a segment, and who may replace them: the register of KIP-1272, continued."""

from tierproof.model.language import Finding, Passage, Severity, Story

SWAP = "Swap Old/New Log Segment Files"

OF_VERSIONS = (
    Finding(
        name="merged_segment_is_routed_half",
        title="Reads of a merged segment go to the old segments, and a deleted key comes back",
        severity=Severity.WRONG,
        needs=(
            "One replica; a pass that makes one segment of two while a later segment has "
            "finished. No fault."
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
            "RemoteLogLeaderEpochState#handleSegmentWithCopySegmentFinishedState, which compares "
            "start offsets alone once a later segment has finished: it replaces the segment with "
            "the same start offset, and keeps the others"
        ),
        story=Story(
            "8fd68b",
            (
                (
                    "start",
                    "One broker. Offset 0 has a key B, offsets 1 and 2 a value and a tombstone of "
                    "a key A, offsets 3 and 4 B. All are copied and only remote.",
                ),
                (
                    "1-10",
                    "A pass maps the keys up to offset 3. It merges the segments of offsets 0 and "
                    "1, removes both records, and copies the result, which begins at offset 0.",
                ),
                (
                    "11-19",
                    "It merges and copies the segments of offsets 2 and 3 in the same way; the "
                    "tombstone gets its delete horizon.",
                ),
                (
                    "20",
                    "The cleaner writes its checkpoint. The cache has replaced the segments at "
                    "offsets 0 and 2, and still routes reads of offsets 1 and 3 to the old ones.",
                ),
                (
                    "21-22",
                    "The next pass begins when the delete horizon is over. A filter lets it skip "
                    "the first segments.",
                ),
                ("23-28", "It removes the tombstone at offset 2 and copies that version."),
                ("29", "The cache routes reads of offset 2 to it."),
                (
                    "end",
                    "A reader gets the value at offset 1 from the old segment and no tombstone: "
                    "the deleted key is back.",
                ),
            ),
        ),
        turning=29,
        fix=(
            "Have the cache replace every segment that the finished one covers, and list each of "
            "them as unreferenced."
        ),
        costs="A look at all segments of the range when a copy finishes.",
        repair="repair_newest_version_serves",
        shows="group_becomes_one_segment",
        scope="merging",
    ),
    Finding(
        name="replaced_segment_is_never_deleted",
        title="A compacted segment falls out of every list, and its object is never deleted",
        severity=Severity.LEAK,
        needs="One replica; each pass leaks every object that it replaces, but for the last.",
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
                    "One broker; cleanup.policy is compact. Offsets 0 and 1 have the same key, "
                    "are copied, and are only remote.",
                ),
                ("1-3", "The cleaner cleans the segment of offset 0, and begins to copy it."),
                ("4-7", "The new version is stored, and COPY_SEGMENT_FINISHED is published."),
                (
                    "8",
                    "The cache overwrites the entry at offset 0: the old id is in no list any "
                    "more.",
                ),
                ("9-11", "The cleaner ends its pass."),
                ("12-14", "The policy becomes delete, and offset 0 passes retention.ms."),
                ("15-21", "The expiration task deletes the new version of offset 0."),
                ("22-25", "Its further runs list nothing else at offset 0."),
                (
                    "end",
                    "The object of the old version is past its retention, and no task will ever "
                    "delete it.",
                ),
            ),
        ),
        turning=8,
        fix="Have the cache add what it overwrites to the unreferenced segments.",
        costs="None.",
        repair="repair_list_what_is_overwritten",
        apart=("repair_newest_version_serves",),
        shows="old_version_is_deleted",
        scope="policy",
    ),
    Finding(
        name="comparison_of_offsets_fences_nobody",
        title="A zombie's compaction is accepted: the vector compares offsets, not writers",
        claims=(
            "accepted_claims_are_of_leaders",
            "only_the_leader_publishes_copies",
            "only_the_leader_deletes",
        ),
        permitted_by=(
            "\"LE-0's valid range ended at offset 100, invalidating Seg-1's claim that LE-0 "
            'reached offset 123"'
        ),
        explanation=(
            "A claim is rejected only if a later leader has published a vector, and only if it "
            "names a higher offset than that. Until the new leader has finished a compaction, "
            "everything from the zombie is accepted; afterwards everything up to the offset at "
            "which the new leader began is, also a version of a segment that the new leader has "
            "cleaned further. The caches route reads to it."
        ),
        repair="repair_fence_remote_metadata",
        apart=("repair_delete_unfinished_copies",),
        scope="rejected",
    ),
)
