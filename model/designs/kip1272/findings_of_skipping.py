"""What chunks and filters permit in KIP-1272, some in one reading of a passage: the register."""

from tierproof.model.language import Finding, Passage, Severity, Story

FILTER = "Bloom Filter Index on Skip Optimization"

OF_FILTERS = (
    Finding(
        name="skipped_transaction_loses_its_marker",
        title="The bloom filter skips a transaction's data, and its marker is removed",
        severity=Severity.TEXT,
        symptom=(
            "The remote log has a record of a committed transaction without its COMMIT marker, "
            "against the text. No client notices: consumers do not need a COMMIT marker to return "
            "the record. A tool that reads the segments sees a transaction that never ends."
        ),
        needs=(
            "One replica is enough; a committed transaction in a clean segment whose keys are not "
            "dirty, its marker in a later segment, and two compaction cycles that are "
            "delete.retention.ms (a day by default) apart."
        ),
        claims=("markers_outlive_their_records",),
        passages=(
            Passage(
                "KIP-1272",
                "Bloom Filter Index on Skip Optimization",
                "If no keys match, skip download and copy segment metadata forward",
            ),
            Passage(
                "KIP-1272",
                "Handling transactional messages and idempotent producer",
                "Transaction markers are retained until all record batches from the same "
                "transaction have been removed and a sufficient amount of time has passed.",
            ),
        ),
        permitted_by=(
            "CleanedTransactionMetadata#onControlBatchRead, which lets a COMMIT marker be "
            "discarded unless the same run has read a batch of its transaction"
        ),
        story=Story(
            "3480b9",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offset 0 has a key in a "
                    "transaction, offset 1 the COMMIT marker, offsets 2 and 3 another key. All are "
                    "copied, as ids 0 to 3, and only remote; ids 0 and 1 are clean.",
                ),
                ("1", "A compaction cycle maps the key of offset 2."),
                (
                    "2",
                    "The filter of id 0 does not have that key: the cleaner skips id 0 and reads "
                    "none of its batches.",
                ),
                (
                    "3-11",
                    "The segment of the marker is cleaned and copied as id 4. The cycle has read "
                    "no batch of the transaction, takes it for removed and gives the marker a "
                    "delete horizon.",
                ),
                ("12-20", "The segment of offset 2 is cleaned and copied as id 5."),
                ("21", "The cleaner writes its checkpoint."),
                (
                    "22-23",
                    "delete.retention.ms later the next compaction cycle begins, maps offset 3, "
                    "and skips id 0 again.",
                ),
                (
                    "24-30",
                    "The cleaner removes the marker, as its delete horizon is over, and copies "
                    "the segment of offset 1 without the marker as id 6.",
                ),
                (
                    "end",
                    "Offset 0 has a record of a transaction, and no marker of that transaction is "
                    "in the log.",
                ),
            ),
        ),
        turning=24,
        fix=(
            "Say that a COMMIT marker may be removed before the records of its transaction if the "
            "filter skips them. The model was tried with the other way, a filter that never skips "
            "a segment with records of a transaction; it costs more than it gives."
        ),
        costs=(
            "For the sentence none. With the other filter each compaction cycle downloads all "
            "segments that have records of a transaction: on a topic with transactions only, the "
            "whole remote log."
        ),
        repair="repair_filter_never_skips_transactions",
        stands_alone=True,
        shows="filter_skips_a_segment",
        scope="transactions",
    ),
)
OF_SKIPPING = (
    Finding(
        name="aborted_record_supersedes_a_value",
        title="An aborted record removes the committed value of its key",
        severity=Severity.LOSS,
        symptom=(
            "The committed value of a key is lost to every reader: compaction takes the record of "
            "an aborted transaction for its newer value. A read_committed consumer gets no value "
            "until the key is written again. If the cleaner keeps its call of "
            "UnifiedLog#collectAbortedTransactions, a chunk that begins below the local log knows "
            "of no aborted transaction at all; if it reads the transaction indexes of the chunk's "
            "segments instead, it misses each transaction whose ABORT marker lies in a later chunk."
        ),
        needs=(
            "One replica is enough; an aborted transaction in segments that are only remote, with "
            "its ABORT marker in a later segment than its records: a chunk is at most "
            "log.segment.bytes, so often one segment. By the first reading any aborted "
            "transaction there will do. No crash, no fault."
        ),
        claims=("latest_values_are_read", "offset_maps_have_no_aborted_record"),
        passages=(
            Passage(
                "KIP-1272", "Chunked Two Pass Compaction", "Build offset map from these segments"
            ),
            Passage(
                "KIP-1272",
                "Handling transactional messages and idempotent producer",
                "All existing transaction handling logic is preserved",
            ),
        ),
        permitted_by=(
            "UnifiedLog#collectAbortedTransactions, which Cleaner#buildOffsetMap calls: it begins "
            "at the local segment that has the start offset, and returns nothing if there is none; "
            "TransactionIndex has an entry in the segment of the ABORT marker, not in that of the "
            "records"
        ),
        story=Story(
            "450b57",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offset 0 has a value of a key, "
                    "offset 1 a record of that key in a transaction, offset 2 the ABORT marker, "
                    "offset 3 another key. All are copied, as ids 0 to 3, and only remote; the "
                    "log is clean up to offset 1.",
                ),
                (
                    "1",
                    "The cleaner fetches a chunk, which is the segment of offset 1 alone, and maps "
                    "its key to offset 1. The index entry of the transaction is in the segment of "
                    "offset 2, beyond the chunk.",
                ),
                (
                    "2",
                    "The cleaner cleans the segment of offset 0: the value at offset 0 is "
                    "removed, as offset 1 supersedes it.",
                ),
                (
                    "3-7",
                    "The cleaner copies the segment without the value as id 4, and publishes "
                    "COPY_SEGMENT_FINISHED.",
                ),
                ("8", "Broker 0 reads that id 4 has finished, and routes reads of offset 0 to it."),
                (
                    "end",
                    "Id 4 has no record at offset 0, and the record at offset 1 was aborted: no "
                    "read_committed consumer gets a value of the key.",
                ),
                (
                    "beyond",
                    "The object of id 0 still has the value, but serves no reads; the retention "
                    "thread deletes it, once KAFKA-20932 is fixed so that it finds it.",
                ),
                (
                    "beyond",
                    "Cleaner#cleanSegments makes the same call for each segment of the second "
                    "pass. Left as it is, it keeps the records of an aborted transaction in a "
                    "remote segment, and writes no entry into the new transaction index: "
                    "read_committed consumers then get aborted records.",
                ),
            ),
        ),
        turning=8,
        fix=(
            "Say that both calls of UnifiedLog#collectAbortedTransactions, in "
            "Cleaner#buildOffsetMap and Cleaner#cleanSegments, search the transaction indexes of "
            "remote segments first and then those of local ones: from the start offset on, also "
            "beyond the chunk, until an entry's last stable offset reaches the upper bound or the "
            "log ends. RemoteLogManager#collectAbortedTransactions does that for fetches, with "
            "RemoteLogMetadataManager#nextSegmentWithTxnIndex (KIP-1058) and RemoteIndexCache. In "
            "the model the map takes a record for aborted wherever its marker lies; its second "
            "pass did so already."
        ),
        costs=(
            "For each chunk, and each segment of the second pass, a look at the remote segments "
            "behind it that have a transaction index, up to the first entry that ends the search. "
            "Where no transaction aborts, that is metadata only, as isTxnIdxEmpty is set. Each "
            "index that is not cached is a remote fetch by the cleaner thread, and takes a place "
            "in RemoteIndexCache from consumers; if it fails, the cleaning has to fail, too. "
            "isTxnIdxEmpty of a cleaned segment has to be that of its new index."
        ),
        repair="repair_aborted_is_known_from_the_log",
        stands_alone=True,
        shows="cleaned_version_is_read_from_remote",
        scope="aborted",
        beside=("text_aborted_is_known_from_the_chunk",),
    ),
    Finding(
        name="forwarded_metadata_shares_the_object",
        title=(
            "If a skipped segment gets a new id, its object is deleted with the old one while it "
            "serves reads"
        ),
        severity=Severity.LOSS,
        symptom=(
            "All records of a segment that the bloom filter skips are lost, and consumers are "
            "stuck there: each fetch gets UNKNOWN_SERVER_ERROR and is tried again. That is so if "
            '"copy segment metadata forward" means a new RemoteLogSegmentId: nothing is uploaded '
            "for it, so both ids share one object, and the retention thread deletes it with the "
            "old id. If it means the old id, it cannot be done: no event of a finished segment "
            "can carry new cleaner offsets, as RemoteLogSegmentMetadataUpdate has no such field."
        ),
        needs=(
            "One replica is enough; a segment that the filter lets the cleaner skip, and a remote "
            "store that finds the object of the new id, for instance by custom metadata. (A plugin "
            "that derives the key from the id finds nothing: fetches fail at once.) The old id is "
            "deleted as the KIP says; today KAFKA-20932 hides most of these ids from the task, so "
            "that the loss begins with its fix. No crash, no fault."
        ),
        claims=(
            "no_committed_record_lost",
            "committed_records_stay_readable",
            "served_segment_has_its_object",
            "new_leader_knows_the_log_start",
            "object_deleted_only_when_not_needed",
            "highest_remote_offset_is_sound",
            "copied_offset_is_sound",
            "metadata_comes_before_objects",
            "markers_outlive_their_records",
        ),
        passages=(
            Passage(
                "KIP-1272",
                FILTER,
                "If no keys match, skip download and copy segment metadata forward",
            ),
            Passage(
                "KIP-1272",
                "Swap Old/New Log Segment Files",
                "Unreferenced segments are asynchronously deleted by the retention thread after "
                "validation (similar to local storage as well)",
            ),
        ),
        permitted_by=(
            "RemoteStorageManager#deleteLogSegmentData, which deletes the object of an id and "
            "knows of no other id that has the same object; "
            "RemoteLogMetadataCache#addCopyInProgressSegment, which takes full metadata only in "
            "COPY_SEGMENT_STARTED"
        ),
        story=Story(
            "3fbd1f",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offset 0 has a key in a "
                    "transaction, offset 1 the COMMIT marker, offsets 2 and 3 another key. All are "
                    "copied, as ids 0 to 3, and only remote.",
                ),
                ("1-10", "The cleaner cleans the segment of offset 0 and copies it as id 4."),
                (
                    "11-12",
                    "The filter lets the cleaner skip id 1. The metadata of id 1 are published as "
                    "id 5, with new cleaner offsets and the same object.",
                ),
                (
                    "13-16",
                    "COPY_SEGMENT_FINISHED of id 5 is published without an upload, and the cache "
                    "replaces id 1 by id 5.",
                ),
                (
                    "17-23",
                    "The expiration task lists ids 0 and 1, as if KAFKA-20932 were fixed, and "
                    "plans to delete them, as the KIP has it for unreferenced segments. It "
                    "deletes id 0.",
                ),
                (
                    "24-26",
                    "The expiration task deletes id 1, and with id 1 the object that id 5 shares.",
                ),
                ("end", "The cache routes reads of offset 1 to id 5, which has no object."),
                (
                    "beyond",
                    "Offset 1 has a marker here; the segment of a key that is seldom written is "
                    "skipped in the same way, and its value is lost.",
                ),
            ),
        ),
        turning=26,
        fix=(
            'Replace "skip download and copy segment metadata forward" by "skip download; the '
            'segment keeps its RemoteLogSegmentId, and nothing is published". Then no object has '
            "two ids. New leaders need no more: they resolve the cleaner offset from the latest "
            "segment that was uploaded, as the KIP says."
        ),
        costs=(
            "A cycle that uploads nothing at all, for instance over a chunk of aborted records or "
            "markers only, leaves its cleaner offset on the leader's disk, and a new leader cleans "
            "that chunk again. To publish it nevertheless, RemoteLogSegmentMetadataUpdate (public) "
            "and the records of the metadata topic need a field cleanerOffsets."
        ),
        repair="repair_leave_the_metadata_of_what_is_skipped",
        shows="filter_skips_a_segment",
        scope="transactions",
        beside=("text_metadata_is_copied_forward",),
    ),
    Finding(
        name="filter_of_another_version",
        title="A filter that is kept by base offset answers for a segment that it never saw",
        severity=Severity.TEXT,
        symptom=(
            "No client notices. The cleaner of a broker that no longer leads skips a remote "
            "segment that has a key of its offset map, as it kept the filter of an earlier version "
            "with the same base offset."
        ),
        needs=(
            "Two replicas; one election amid a compaction cycle, and a new leader that merges "
            "segments. No crash, no fault."
        ),
        claims=("filters_never_say_a_wrong_no",),
        passages=(
            Passage(
                "KIP-1272",
                FILTER,
                "To avoid downloading remote segments that contain no keys in the current offset "
                "map, we will build a bloom filter index per remote log segment.",
            ),
            Passage("KIP-1272", FILTER, "Invalidated and rebuilt when segment is re-compacted"),
        ),
        permitted_by=(
            "The text, which does not say by what a filter is kept; RemoteIndexCache#getIndexEntry "
            "keeps the other indexes by RemoteLogSegmentId"
        ),
        story=Story(
            "e9c6e7",
            (
                (
                    "start",
                    "Broker 0 leads, broker 1 follows. Offset 0 has one key, offsets 1 and 2 have "
                    "another. All are copied, as ids 0, 1 and 2, and only remote; the log is clean "
                    "up to offset 1.",
                ),
                (
                    "1-3",
                    "The cleaner of broker 0 maps offset 2, merges the segments of offsets 0 and "
                    "1, without offset 1, and begins to copy the result as id 3.",
                ),
                ("4-7", "Id 3 is stored, and COPY_SEGMENT_FINISHED is published."),
                ("8-9", "The controller elects broker 1, which learns that it leads."),
                (
                    "10-12",
                    "The new leader reads the metadata topic and resolves the cleaner offset.",
                ),
                (
                    "13-15",
                    "Broker 0, the old leader, reads that id 3 has finished. The filter that it "
                    "keeps for base offset 0 has the key of offset 0 alone.",
                ),
                (
                    "16-18",
                    "The cleaner of the new leader merges id 3 and id 2, and begins to copy the "
                    "result as id 4, which begins at offset 0 and has offset 2.",
                ),
                ("19-22", "Id 4 is stored, and COPY_SEGMENT_FINISHED is published."),
                ("23-24", "The old leader reads that id 4 has finished."),
                (
                    "25",
                    "The cleaner of the old leader asks the filter of base offset 0 about id 4. "
                    "The filter says no, and the cleaner skips id 4.",
                ),
                (
                    "end",
                    "The offset map of the old leader has the key of offset 2, and id 4, which has "
                    "that key, is skipped.",
                ),
                (
                    "beyond",
                    "A broker that is elected again with such a filter leaves the old record of a "
                    "key in the remote log. If the newer record is a tombstone, the deleted key is "
                    "back once that is removed.",
                ),
            ),
        ),
        turning=25,
        fix="Keep a filter by RemoteLogSegmentId, as RemoteIndexCache keeps the other indexes.",
        costs="Nothing at run time: the cache of filters has another key.",
        repair="repair_filter_is_kept_by_segment_id",
        stands_alone=True,
        shows="filter_skips_a_segment",
        scope="filters",
        beside=("text_filter_is_kept_by_base_offset",),
    ),
)
