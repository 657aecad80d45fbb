"""What KIP-1272 permits that it should not: the register's written half, the worst first.

The traces beside these texts in docs/findings/kip1272 are generated: `tierproof findings kip1272`.
"""

from tierproof.model.designs.kip1272.findings_of_readings import OF_READINGS
from tierproof.model.language import Finding

OF_THE_TEXT = (
    Finding(
        name="follower_removes_the_tombstone",
        title="A follower's cleaner removes a tombstone, and after an election the key is back",
        claims=("no_deleted_key_comes_back", "tombstones_outlive_what_they_delete"),
        permitted_by=(
            '"Compaction on the follower broker": "the follower broker will only do log '
            'cleaning/compaction on its local log segment files"'
        ),
        explanation=(
            "A key is written and deleted. The value is old and only in the remote tier, the "
            "tombstone is still local at every replica. The leader's log is not dirty enough to be "
            "cleaned. A follower cleans its local segments: nothing there is older than the "
            "tombstone, so after delete.retention.ms it removes the tombstone. The follower is "
            "elected. Its readers get the value from the remote tier, and from the local log no "
            "tombstone. The new leader cleans with its own local segments, which have no "
            "tombstone either, so the value stays for ever. No broker fails, and no message is "
            "late."
        ),
        repair="repair_followers_keep_tombstones",
        prevented_by="a follower's cleaner that removes neither tombstones nor markers",
        scope="followers",
    ),
    Finding(
        name="election_removes_what_is_only_local",
        title="A new leader removes local segments that were never copied",
        claims=(
            "no_committed_record_lost",
            "committed_records_stay_readable",
            "remote_and_local_parts_are_contiguous",
            "latest_values_are_read",
            "cleaner_offset_is_remote",
        ),
        permitted_by=(
            '"The follower also needs to remove its local log segments before the '
            'cleaner-offset-checkpoint"; no sentence bounds the cleaner offset by what is copied'
        ),
        explanation=(
            "The leader's cleaner uses local segments where it can, also those that are not "
            "copied yet. So the cleaner offset that it publishes may lie above the end of the "
            "remote log. The follower that is elected resolves this offset, and removes its "
            "local segments below it, as the text asks. The records that were only local are "
            "readable nowhere."
        ),
        repair="repair_clean_only_what_is_copied",
        prevented_by="an uncleanable region that begins at the first offset that is not copied",
        scope="copying",
    ),
    Finding(
        name="merged_segment_is_routed_half",
        title="Reads of a merged segment go to the old segments, and a deleted key comes back",
        claims=(
            "no_deleted_key_comes_back",
            "cleaned_keys_are_unique",
            "tombstones_outlive_what_they_delete",
        ),
        permitted_by=(
            '"RemoteLogMetadataManager updates its cache to route reads to the new segment"; but '
            "RemoteLogLeaderEpochState#handleSegmentWithCopySegmentFinishedState, which compares "
            "start offsets alone once a later segment has finished"
        ),
        explanation=(
            "The cleaner makes one segment of two. A later segment of the same epoch is already "
            "in the remote tier, so the cache that ships replaces the first of the two, which has "
            "the same start offset, and keeps the second: a lookup takes the segment with the "
            "highest start offset. Readers get the cleaned version of the first half and the old "
            "version of the second. The cleaner reads the same way, so it carries the old value "
            "along in every pass. When the tombstone's horizon is over, the tombstone is removed, "
            "and the old value is the latest. One broker suffices, and nothing fails."
        ),
        repair="repair_newest_version_serves",
        prevented_by="a cache in which a finished segment replaces all that it covers",
        scope="merging",
    ),
    Finding(
        name="replaced_segment_is_never_deleted",
        title="A compacted segment falls out of every list, and its object is never deleted",
        claims=(
            "every_object_is_tracked",
            "replaced_objects_are_deleted",
            "expired_objects_are_deleted",
        ),
        permitted_by=(
            '"The old segment becomes unreferenced", "Unreferenced segments are asynchronously '
            'deleted by the retention thread"; but RemoteLogLeaderEpochState (KAFKA-20932), where '
            "a segment with the same start offset overwrites the entry of the old one"
        ),
        explanation=(
            "Compaction replaces a segment by one with the same start offset. If a later segment "
            "of the epoch has finished, the cache of Kafka overwrites the old entry and does not "
            "add the old id to the unreferenced ones. No list has it any more, so that the "
            "retention task never deletes its object. Every pass leaks every object that it "
            "replaces, but for the last."
        ),
        repair="repair_newest_version_serves",
        prevented_by="a cache that lists what it replaces as unreferenced",
        scope="policy",
    ),
    Finding(
        name="claim_comes_before_the_work",
        title="The first segment of a pass claims what the others have still to do",
        claims=("cleaned_keys_are_unique",),
        permitted_by=(
            '"The leader broker will publish out this list of cleanOffsets for each log segment '
            'it is uploading", and the table: "Publish Seg-0, CO at 100"; against "needs to '
            "persist its cleaner-offset-checkpoint to remote storage at the end of each "
            'compaction cycle"'
        ),
        explanation=(
            "A pass rewrites several segments, and each carries the cleaner offset that the "
            "whole pass will reach. The leader changes after the first one. The new leader "
            "resolves that offset and takes all segments below for clean. The old value of a key "
            "stays beside the new one below the cleaner offset, where no later pass maps its "
            "key. If the new record is a tombstone, the key comes back once that is removed."
        ),
        repair="repair_claim_with_the_last_segment",
        prevented_by="segments that claim the new cleaner offset only with the last one of a pass",
        scope="claims",
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
        prevented_by="remote metadata that accepts records of the current leader epoch only",
        scope="filters",
    ),
    Finding(
        name="work_of_the_old_leader_is_rejected",
        title="What the old leader compacted before the election is rejected afterwards",
        claims=("leaders_claims_are_never_rejected", "new_leader_reads_all_claims"),
        permitted_by=(
            '"It will look at the previous leaderEpoch and ask the RemoteStorageMetadataManager '
            'for the cleanerOffset for that epoch", which answers from what it has read'
        ),
        explanation=(
            "A leader compacts, and its records are in the metadata topic. The broker that is "
            "elected next has not read them when it resolves the cleaner offset. Its vector says "
            "that the old epoch ended earlier, so that every cache rejects the old leader's "
            "segments from then on, although they were published by the leader of their time. "
            "Their inputs may be deleted by then: what was irrevocable is revoked."
        ),
        repair="repair_new_leader_reads_to_the_end",
        prevented_by="a new leader that reads all metadata before it resolves",
        scope="irrevocable",
        beside=("repair_fence_remote_metadata",),
    ),
    Finding(
        name="new_leader_serves_a_deleted_version",
        title="A new leader serves an old version whose object is already deleted",
        claims=("committed_records_stay_readable", "no_committed_record_lost"),
        permitted_by=(
            '"Unreferenced segments are asynchronously deleted by the retention thread after '
            'validation", which asks what the deleting broker knows'
        ),
        explanation=(
            "The leader swaps a segment and deletes the old version. The broker that is elected "
            "has read neither the swap nor the deletion, and sends readers to an object that is "
            "gone. Without compaction this cannot happen, since only what lies below the log "
            "start is deleted. It ends when the broker has read on. Shown with the repairs of "
            "other findings, without which old versions are not deleted at all."
        ),
        repair="repair_new_leader_reads_to_the_end",
        prevented_by="a new leader that reads all metadata before it serves",
        scope="zombie",
        beside=("repair_newest_version_serves", "repair_fence_remote_metadata"),
    ),
    Finding(
        name="copy_meets_the_cleaner",
        title="An object gets the log file of one version and the indexes of another",
        claims=("object_is_of_one_version",),
        permitted_by=(
            '"Compaction happens opportunistically when segments are still available locally"; '
            "LogSegmentData, which names files that the cleaner's swap replaces"
        ),
        explanation=(
            "The copy task sends the files of a local segment one after the other. The cleaner "
            "swaps the segment in between, under the same file names: the log file in the remote "
            "tier is of the old version, its indexes are of the new one, and positions do not fit."
        ),
        repair="repair_clean_only_what_is_copied",
        prevented_by="a cleaner that leaves alone what is not copied yet",
        scope="uncopied",
    ),
    Finding(
        name="skipped_transaction_loses_its_marker",
        title="The bloom filter skips a transaction's data, and its marker is removed",
        claims=("markers_outlive_their_records",),
        permitted_by=(
            '"If no keys match, skip download and copy segment metadata forward", beside "All '
            'existing transaction handling logic is preserved"'
        ),
        explanation=(
            "The cleaner keeps a marker while it has read a batch of its transaction in the same "
            "pass. A segment that the filter skips is not read. So the pass takes the "
            "transaction for gone and stamps the marker, and a later one removes it, while the "
            "records are there."
        ),
        repair="repair_filter_never_skips_transactions",
        prevented_by="a filter that never skips a segment with records of a transaction",
        scope="transactions",
    ),
    Finding(
        name="half_of_the_log_is_never_dirty",
        title="With the default ratio a log that is in both tiers is never cleaned",
        claims=("dirty_tiered_log_is_cleaned",),
        permitted_by='"Calculate dirty ratio as cleanableBytes / (localBytes + remoteBytes)"',
        explanation=(
            "What is in both tiers counts twice in the sum and once in the cleanable bytes, so "
            "that the ratio of a log that is all dirty, and not yet removed locally, is below one "
            "half. min.cleanable.dirty.ratio is 0.5 by default and has to be exceeded: the log is "
            "not cleaned while it is local, and local segments are what the text wants to use."
        ),
        repair="repair_ratio_counts_each_offset_once",
        prevented_by="a ratio that counts each offset once",
        scope="ratio",
    ),
    Finding(
        name="nothing_fits_into_a_chunk",
        title="Where the disk is nearly full no chunk can be formed, and cleaning stops",
        claims=("dirty_tiered_log_is_cleaned",),
        permitted_by='"Chunk size is defined as min(log.segment.bytes, available_disk_space / 3)"',
        explanation=(
            "A segment that is larger than a third of the free disk fits into no chunk. What "
            "happens then is not said; by the algorithm the pass ends with nothing done, again "
            "and again. A full disk is just when cleaning is needed."
        ),
        repair="repair_one_segment_is_a_chunk",
        prevented_by="a chunk of at least one segment",
        scope="disk",
    ),
    Finding(
        name="interrupted_copy_is_left",
        title="A crash amid a copy leaves an object that nobody deletes",
        claims=("quiet_store_holds_finished_segments_only",),
        permitted_by=(
            '"the operation will be aborted and retried later", with a new RemoteLogSegmentId'
        ),
        explanation=(
            "The broker crashes after it has stored the cleaned segment. The retry takes a new "
            "id. The first object stays, in COPY_SEGMENT_STARTED, which the retention task "
            "leaves alone. Kafka has this gap for copies as well; every pass copies again "
            "what it rewrites, so here it costs more."
        ),
        repair="repair_delete_unfinished_copies",
        prevented_by="a leader that deletes copies of others which did not finish",
        scope="restart",
        beside=("repair_fence_remote_metadata",),
    ),
    Finding(
        name="downgraded_broker_forgets_the_remote_log",
        title="A broker that is rolled back begins the log at its first local segment",
        claims=(
            "no_committed_record_lost",
            "log_start_passes_only_what_may_go",
            "latest_values_are_read",
        ),
        permitted_by=(
            '"The change is fully backward compatible"; UnifiedLog#isRemoteLogEnabled, which '
            "is false where cleanup.policy contains compact"
        ),
        explanation=(
            "To a broker of an older version a compacted topic is not tiered: its log starts at "
            "the first local segment. If the broker is elected, its followers take over that "
            "log start, and the remote part of the log is lost to readers."
        ),
        repair="repair_feature_forbids_downgrade",
        prevented_by="a feature level that the topic needs and a broker must have",
        scope="downgrade",
    ),
)

FINDINGS = (*OF_THE_TEXT, *OF_READINGS)
