"""What KIP-1272 permits with transactions, some in one reading of a passage: the register."""

from tierproof.model.language import Finding, Passage, Severity, Story

FILTER = "Bloom Filter Index on Skip Optimization"
TRANSACTIONS = "Handling transactional messages and idempotent producer"
PRESERVED = Passage(
    "KIP-1272",
    TRANSACTIONS,
    "Same as existing code. All existing transaction handling logic is preserved",
    within="Lifecycle for compacted log segments in tiered storage",
)

OF_MARKERS = (
    Finding(
        name="skipped_transaction_loses_its_marker",
        title=(
            "With the bloom filter a COMMIT marker can be removed before its records, and a new "
            "replica may see an open transaction"
        ),
        severity=Severity.TEXT,
        symptom=(
            "The remote log keeps the records of a committed transaction, and its COMMIT marker is "
            "gone. KIP-1272 describes that markers stay until the records are removed "
            "(Background), and preserves all transaction handling (Detailed Design); with its "
            "filter that does not hold. Consumers filter by the aborted transactions alone and do "
            "not need the marker. A new replica may, by the code: if the marker's segment is local "
            "at the leader and the skipped one is not, it begins with the skipped segment's "
            "producer snapshot, in which the transaction is open, and its last stable offset stays "
            "there until the producer writes another marker. Today it deletes that snapshot before "
            "it loads it. A tool that reads the remote segments sees a transaction that never ends."
        ),
        needs=(
            "One replica is enough. The records of a committed transaction are in a clean segment "
            "that is only remote and has a filter, and none of the segment's keys is dirty. The "
            "marker is in a later segment, which two cycles read that are delete.retention.ms (a "
            "day by default) or more apart: because the segment is still local, or, as here, "
            "because one of its keys is dirty in both. (A segment that is only remote and has "
            "only the marker is skipped, too, and the marker stays.) No crash, no fault."
        ),
        claims=("markers_outlive_their_records",),
        passages=(
            Passage(
                "KIP-1272",
                TRANSACTIONS,
                "Transaction markers are retained until all record batches from the same "
                "transaction have been removed and a sufficient amount of time has passed.",
                within="How log compaction works for local topics",
            ),
            Passage(
                "KIP-1272",
                FILTER,
                "If no keys match, skip download and copy segment metadata forward",
            ),
            PRESERVED,
        ),
        permitted_by=(
            "CleanedTransactionMetadata#onControlBatchRead, which lets a COMMIT marker be "
            "discarded unless the same cycle has read a batch of its transaction; "
            "MemoryRecords#filterTo gives the batch of such a marker its delete horizon, and "
            "Cleaner#cleanInto discards it in a cycle after that"
        ),
        story=Story(
            "f63502",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offset 0 has a key in a "
                    "transaction. Offset 1 has its COMMIT marker and offset 2 another key, in one "
                    "segment. Offset 3 has the key of offset 2 again; for the first cycle it is "
                    "younger than min.compaction.lag.ms. All are copied, as ids 0, 1 and 2, and "
                    "only remote. Id 0 stands for the output of an earlier cycle, which built its "
                    "filter.",
                ),
                (
                    "1-2",
                    "The first cycle takes the chunk with id 1, and maps the key of offset 2. The "
                    "filter of id 0 does not have it: the cleaner skips id 0, which stays as it "
                    "is, and reads none of its batches.",
                ),
                (
                    "3",
                    "The cleaner rewrites offsets 1 and 2, and the batch of the marker gets a "
                    "delete horizon, as the cycle has read no batch of the transaction.",
                ),
                (
                    "4-12",
                    "The result is copied as id 3, and serves reads. The cleaner offset becomes 3.",
                ),
                (
                    "13-14",
                    "delete.retention.ms later the next cycle maps the key of offset 3. The "
                    "cleaner skips id 0 again.",
                ),
                (
                    "15",
                    "The filter of id 3 has the key, so the cleaner rewrites offsets 1 and 2. "
                    "Offset 2 is superseded, and the horizon of the marker is over: both are "
                    "removed.",
                ),
                (
                    "16-21",
                    "The result, an empty segment, is copied as id 4 and serves reads. (With "
                    "another live record in it, it is not empty, and the marker is gone all the "
                    "same.)",
                ),
                (
                    "end",
                    "Offset 0 has a record of a transaction whose marker is not in the log.",
                ),
                (
                    "beyond",
                    "ABORT markers are safe, as clean segments have no aborted records. That "
                    'holds only if dirty segments are never skipped: see our report "If the '
                    "bloom filter skips dirty segments, read_committed consumers get aborted "
                    'records".',
                ),
            ),
        ),
        turning=12,
        fix=(
            "Keep the rule: note with each filter the producer ids whose transaction is open at "
            "the end of the segment, and let a skip enter them into CleanedTransactionMetadata, "
            "as if their batches had been read. The model was tried with a simpler rule: a "
            "segment with records of a transaction is never skipped."
        ),
        costs=(
            "Some bytes for each filter. Of the rule that was tried, downloads: each cycle "
            "fetches every segment that has records of a transaction."
        ),
        repair="repair_filter_never_skips_transactions",
        searched="a filter that never skips records of a transaction",
        stands_alone=True,
        shows="filter_skips_a_segment",
        scope="committed_beside",
    ),
)
OF_ABORTED = (
    Finding(
        name="aborted_record_supersedes_a_value",
        title=(
            "Compaction removes a committed value because of an aborted remote record of the same "
            "key"
        ),
        severity=Severity.LOSS,
        symptom=(
            "The committed value of a key is lost to every reader: compaction takes the "
            "record of an aborted transaction for the newer value. A read_committed consumer "
            "gets no value until the key is written again. The KIP does not say from where "
            "the cleaner knows the aborted transactions of remote segments. Two ways lose "
            "the value. (1) The cleaner keeps its call of "
            "UnifiedLog#collectAbortedTransactions: if a chunk begins below the local log, "
            "that returns nothing. (2) It reads the transaction indexes of the segments of "
            "the chunk: it misses each transaction whose ABORT marker lies in a later chunk. "
            "Is one of them meant, or the indexes of all segments, as in our fix?"
        ),
        needs=(
            "One replica is enough. A committed value, and after it an aborted record of its "
            "key that is dirty and only remote. For (2), which the steps show, the ABORT "
            "marker is in a later chunk than the record; a chunk is often one segment, as it "
            "is at most log.segment.bytes. No crash, no fault. Where the dirty segments are "
            "all local, (1) works as today."
        ),
        claims=("latest_values_are_read", "offset_maps_have_no_aborted_record"),
        passages=(
            Passage(
                "KIP-1272", "Chunked Two Pass Compaction", "Build offset map from these segments"
            ),
            Passage(
                "KIP-1272",
                "Chunked Two Pass Compaction",
                "If the log segment only lives on remote tiered storage, fetch the file content "
                "from remote tiered storage through RemoteStorageManger.fetchLogSegment("
                "remoteLogSegmentMetadata, startPosition, endPosition)",
            ),
            Passage(
                "KIP-1272",
                TRANSACTIONS,
                "In particular, this allows us to use the transaction index to collect the "
                "aborted transactions ahead of time.",
            ),
            PRESERVED,
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
                    "The cleaner cleans the segment of offset 0, whose filter has the key: the "
                    "value at offset 0 is removed, as offset 1 supersedes it.",
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
                    "The object of id 0 still has the value, and serves no reads; the retention "
                    "thread deletes it, as the KIP says. "
                    "Cleaner#cleanSegments makes the call of (1), too: left as it is, it keeps the "
                    "records of an aborted transaction, and the new index of its ABORT marker's "
                    "segment has no entry. Then read_committed consumers get these records.",
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
            "and not cached; if no abort follows the chunk, the search goes on to the end of the "
            "log; if one fails, the cleaning has to fail. Where no transaction aborts, only "
            "metadata are read, as isTxnIdxEmpty is set; of a cleaned segment it has to be that of "
            "the new index."
        ),
        repair="repair_aborted_is_known_from_the_log",
        stands_alone=True,
        shows="cleaned_version_is_read_from_remote",
        scope="aborted",
        beside=("text_aborted_is_known_from_the_chunk",),
    ),
    Finding(
        name="skipped_segment_keeps_aborted_records",
        title=(
            "If the bloom filter skips dirty segments, read_committed consumers get aborted records"
        ),
        severity=Severity.WRONG,
        symptom=(
            "read_committed consumers get the records of an aborted transaction, once the "
            "segment of its ABORT marker is compacted. It does not heal by itself: the entry "
            "in the transaction index is gone, and no later cycle knows that the transaction "
            "was aborted. That happens if the second pass asks the filter for segments of "
            "the chunk, too: an aborted record puts no key into the map, so a segment of "
            "such records can be skipped. Is the filter asked for them? It is there since "
            "the first pass, and by one sentence the second pass may download again; by "
            "another it reads a temporary file."
        ),
        needs=(
            "One replica is enough. A dirty segment is only remote, its records were all aborted, "
            "and no committed record of the chunk has one of their keys. Their ABORT marker is in "
            "another segment of the chunk, beside a committed record. (Two segments fit into a "
            "chunk if they are smaller than log.segment.bytes, as when segment.ms rolls them.) No "
            "crash, no fault."
        ),
        claims=(
            "reads_bring_only_what_was_written",
            "latest_values_are_read",
            "cleaned_keys_are_unique",
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
                "Store the downloaded content into a local temporary file since we are going to "
                "do a second-pass reading shortly afterwards",
            ),
            Passage(
                "KIP-1272",
                "Chunked Two Pass Compaction",
                "The second pass uses the previously built in-memory hashmap and reads from the "
                "local log segment file or from the InputStream from "
                "RemoteStorageManager.fetchLogSegment()",
            ),
            Passage(
                "KIP-1272",
                TRANSACTIONS,
                "Records from aborted transactions are removed by the cleaner immediately without "
                "regard to record keys.",
            ),
        ),
        permitted_by=(
            "Cleaner#buildOffsetMap, which puts no key of an aborted record into the map; "
            "CleanedTransactionMetadata#onControlBatchRead, which writes the entry of an ABORT "
            "marker into the new transaction index only if the same cycle has read a batch of its "
            "transaction"
        ),
        story=Story(
            "2b5046",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offset 0 has a value of a key, "
                    "offset 1 a record of that key in a transaction. Offset 2 has its ABORT marker "
                    "and offset 3 another key, in one segment. All are copied, as ids 0, 1 and 2, "
                    "and only remote. The log is clean up to offset 1, and id 0 has its filter.",
                ),
                (
                    "1",
                    "The first pass fetches the chunk, which is ids 1 and 2, and builds their "
                    "filters. It maps the key of offset 3 alone: the record at offset 1 is "
                    "aborted.",
                ),
                (
                    "2-3",
                    "The second pass asks the filters of ids 0 and 1 for the key of offset 3. Both "
                    "say no: the cleaner skips both, and the aborted record stays.",
                ),
                (
                    "4",
                    "The filter of id 2 says yes, and the cleaner rewrites offsets 2 and 3. The "
                    "cycle has read no batch of the transaction: the new transaction index gets no "
                    "entry.",
                ),
                (
                    "5-8",
                    "The cleaner copies the result, with its transaction index, as id 3.",
                ),
                (
                    "9-10",
                    "COPY_SEGMENT_FINISHED is published. Broker 0 reads it, and routes reads of "
                    "offsets 2 and 3, and of their transaction index, to id 3.",
                ),
                (
                    "end",
                    "A read_committed fetch at offset 1 gets the aborted record, and no aborted "
                    "transaction beside it.",
                ),
            ),
        ),
        turning=4,
        fix=(
            "Say that the second pass asks the filter only for segments below the first dirty "
            "offset of its chunk, whose aborted records are removed already, and reads those of "
            "the chunk from the temporary files of the first pass. If the marker lies in a later "
            "chunk, the cleaner has to know of it when it cleans the records: see our report "
            '"Compaction removes a committed value because of an aborted remote record of the same '
            'key".'
        ),
        costs=(
            "The segments of a chunk are always rewritten; nearly all are anyway, as their keys "
            "are in the map. The temporary files stay until the second pass is over, which the "
            "limit of a third of the free disk allows for."
        ),
        repair="repair_filter_is_asked_for_clean_segments",
        apart=("repair_filter_never_skips_transactions",),
        stands_alone=True,
        shows="filter_skips_a_segment",
        scope="aborted_beside",
        beside=("text_filter_is_asked_for_dirty_segments",),
    ),
)
