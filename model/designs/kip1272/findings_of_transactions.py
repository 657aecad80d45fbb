"""What KIP-1272 permits with transactions, some in one reading of a passage: the register."""

from tierproof.model.language import Finding, Passage, Severity, Story

FILTER = "Bloom Filter Index on Skip Optimization"

OF_MARKERS = (
    Finding(
        name="skipped_transaction_loses_its_marker",
        title="The bloom filter skips a transaction's data, and its marker is removed",
        severity=Severity.TEXT,
        symptom=(
            "The remote log keeps records of a committed transaction without its COMMIT marker, "
            "against the text. No client notices, as consumers need no COMMIT marker; a tool that "
            "reads segments sees a transaction that never ends."
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
                (
                    "1-2",
                    "A compaction cycle maps the key of offset 2. The filter of id 0 does not have "
                    "it: the cleaner skips id 0 and reads none of its batches.",
                ),
                (
                    "3-11",
                    "The segment of the marker is cleaned and copied as id 4. The cycle has read "
                    "no batch of the transaction, takes it for removed and gives the marker a "
                    "delete horizon.",
                ),
                ("12-21", "The segment of offset 2 is cleaned and copied as id 5."),
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
            "Say that a COMMIT marker may be removed before records that the filter skips, and ask "
            "the filter only for segments below the first dirty offset, whose aborted records are "
            'removed already (with an ABORT marker the skip does harm: see our report "If the '
            'filter skips a dirty segment, read_committed consumers get aborted records"). The '
            "model was tried with a filter that never skips a segment with records of a "
            "transaction, which costs more than it gives."
        ),
        costs=(
            "Dirty segments are always rewritten; nearly all are anyway, as their keys are in the "
            "map. Tools that read segments have to do without COMMIT markers. With the filter of "
            "the model each cycle downloads every segment that has records of a transaction."
        ),
        repair="repair_filter_never_skips_transactions",
        searched="a filter that never skips records of a transaction",
        stands_alone=True,
        shows="filter_skips_a_segment",
        scope="transactions",
    ),
)
OF_ABORTED = (
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
            "One replica is enough; an aborted transaction that is only remote, its ABORT marker "
            "in a later chunk than its records (a chunk is often one segment, as it is at most "
            "log.segment.bytes). By the first reading any will do. No crash, no fault."
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
                    "3-8",
                    "The cleaner copies the segment without the value as id 4. Broker 0 reads that "
                    "id 4 has finished, and routes reads of offset 0 to it.",
                ),
                (
                    "end",
                    "Id 4 has no record at offset 0, and the record at offset 1 was aborted: no "
                    "read_committed consumer gets a value of the key.",
                ),
                (
                    "beyond",
                    "The object of id 0, which has the value, serves no reads; the retention "
                    "thread deletes it, if KAFKA-20932 is fixed. "
                    "Cleaner#cleanSegments makes the same call for each segment of the second "
                    "pass. Left as it is, it keeps the records of an aborted transaction in a "
                    "remote segment, and writes no entry into the new transaction index: "
                    "read_committed consumers then get aborted records.",
                ),
            ),
        ),
        turning=8,
        fix=(
            "Say that Cleaner#buildOffsetMap and Cleaner#cleanSegments search the transaction "
            "indexes of remote segments and then of local ones: from the start offset on, also "
            "beyond the chunk, until an entry's last stable offset reaches the upper bound or the "
            "log ends. RemoteLogManager#collectAbortedTransactions does that for fetches, with "
            "RemoteLogMetadataManager#nextSegmentWithTxnIndex (KIP-1058) and RemoteIndexCache. In "
            "the model the map takes a record for aborted wherever its marker lies; its second "
            "pass did so already."
        ),
        costs=(
            "Remote fetches by the cleaner thread, one for each transaction index that is searched "
            "and not cached; they take places in RemoteIndexCache from consumers, and if one fails "
            "the cleaning has to fail. Where no transaction aborts, only metadata are read, as "
            "isTxnIdxEmpty is set; of a cleaned segment it has to be that of the new index."
        ),
        repair="repair_aborted_is_known_from_the_log",
        stands_alone=True,
        shows="cleaned_version_is_read_from_remote",
        scope="aborted",
        beside=("text_aborted_is_known_from_the_chunk",),
    ),
    Finding(
        name="skipped_segment_keeps_aborted_records",
        title="If the filter skips a dirty segment, read_committed consumers get aborted records",
        severity=Severity.WRONG,
        symptom=(
            "read_committed consumers get the records of an aborted transaction, once the segment "
            "of its ABORT marker is compacted. This does not heal by itself: the entry in the "
            "transaction index is gone, and no later compaction knows that the transaction was "
            "aborted. It happens if the second pass asks the filter for the segments that the "
            "first pass has fetched, too. A record that was aborted puts no key into the map, so a "
            "segment of such records can be skipped, and its records stay."
        ),
        needs=(
            "One replica is enough; a dirty segment that is only remote, whose records were all "
            "aborted, and whose keys no other record of the chunk has; its ABORT marker in another "
            "segment. No crash, no fault."
        ),
        claims=(
            "reads_bring_only_what_was_written",
            "latest_values_are_read",
            "cleaned_keys_are_unique",
            "markers_outlive_their_records",
        ),
        passages=(
            Passage(
                "KIP-1272",
                FILTER,
                "Lazy initialization on first download of a remote segment for compaction",
            ),
            Passage(
                "KIP-1272",
                FILTER,
                "Before downloading a remote segment for the second pass, check if any key in the "
                "current offset map exists in the segment’s bloom filter",
            ),
            Passage(
                "KIP-1272",
                "Chunked Two Pass Compaction",
                "The second pass uses the previously built in-memory hashmap and reads from the "
                "local log segment file or from the InputStream from "
                "RemoteStorageManager.fetchLogSegment()",
            ),
        ),
        permitted_by=(
            "CleanedTransactionMetadata#onControlBatchRead, which writes the entry of an ABORT "
            "marker into the new transaction index only if the same run has read a batch of its "
            "transaction"
        ),
        story=Story(
            "55bf2c",
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
                    "The cleaner fetches a chunk, which is the segment of offset 1 alone, and "
                    "builds its filter. The record is aborted, so the map stays empty. (The "
                    "cleaner finds the marker beyond the chunk, as our report on aborted records "
                    "that supersede values proposes.)",
                ),
                (
                    "2-4",
                    "No key of the map is in the filters of ids 0 and 1: the second pass skips "
                    "both. The cleaner offset becomes 2, and the aborted record is still there.",
                ),
                (
                    "5-7",
                    "The next chunk is the segment of the marker, and its map is empty, too. The "
                    "cleaner skips ids 0 and 1 again.",
                ),
                (
                    "8",
                    "The segment of the marker is cleaned, as its filter may say yes; with a dirty "
                    "key beside the marker it has to. The cycle has read no batch of the "
                    "transaction: the new transaction index gets no entry.",
                ),
                (
                    "9-14",
                    "The cleaner copies the segment as id 4. Broker 0 reads that id 4 has "
                    "finished, and routes reads of offset 2 to it.",
                ),
                (
                    "end",
                    "A fetch at offset 1 brings the aborted record, and no aborted transaction "
                    "beside it.",
                ),
            ),
        ),
        turning=8,
        fix=(
            "Say that the second pass asks the filter only for segments below the first dirty "
            "offset of its chunk, whose aborted records are removed already, and reads the dirty "
            "ones from the temporary files of the first pass. If the marker lies in a later chunk, "
            "as here, the cleaner has to know of it when it cleans the records: see our report "
            '"An aborted record removes the committed value of its key".'
        ),
        costs=(
            "Dirty segments are always rewritten; nearly all are anyway, as their keys are in the "
            "map. The temporary files stay until the second pass is over, which the limit of a "
            "third of the free disk allows for."
        ),
        repair="repair_filter_is_asked_for_clean_segments",
        apart=("repair_filter_never_skips_transactions",),
        stands_alone=True,
        shows="filter_skips_a_segment",
        scope="aborted",
        beside=("text_filter_is_asked_for_dirty_segments",),
    ),
)
