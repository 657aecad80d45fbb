"""What Kafka's producer state permits that it should not: what a truncation reads again."""

from tierproof.model.language import Finding, Severity, Story

UNKNOWN = (
    "ProducerAppendInfo#checkSequence, which accepts sequence 0 of a producer without state on the "
    "partition and, since KIP-360 (2.5), any other (of a transactional one with transactions "
    "version 2 only sequence 0)"
)
OUTLIVE = (
    "Three changes in one patch. UnifiedLog#rebuildProducerState passes to "
    "ProducerStateManager#truncateAndReload the base of the first segment in place of the log "
    "start, where that base is lower (the first local segment of a tiered log may begin above), "
    "and begins to read there. #truncateAndReload keeps the snapshot at the offset that it is "
    "given, and deletes those below it and above the log end: an older one is not safe, as a "
    "transaction that ended in between would be open again. Where there is no snapshot, "
    "#loadFromSnapshot and #onLogStartOffsetIncremented set lastSnapOffset to 0, and no longer to "
    "the log start, so that #takeSnapshot takes one there. LogLoader#load keeps that snapshot: "
    "ProducerStateManager#removeStraySnapshots spares the highest one. LogLoader#recoverSegment "
    "also runs while segments are loaded, when there may be no first segment yet: it begins at "
    "the log start then. Without the first change a truncation, and a crash with the log start "
    "inside a segment, still forget; without the others a restart at a log start that is the log "
    "end does."
)
OUTLIVE_COSTS = (
    "One snapshot file more for each partition, of some bytes for each producer. A truncation or "
    "a restart after DeleteRecords reads records that are deleted: up to the whole of the first "
    "segments that DeleteRecords has passed and retention has not deleted yet. Their producers "
    "stay in memory until they expire, as they do without a restart since KAFKA-7190. "
    "LogLoaderTest#testLoadProducersAfterDeleteRecordsOnSegment expects the loss. "
    "UnifiedLogTest#testProducerIdMapTruncateFullyAndStartAt expects no snapshot at the log start, "
    "and so do ProducerStateManagerTest#testReloadSnapshots and "
    "#testTruncateAndReloadRemovesOutOfRangeSnapshots."
)
TWO_LOGS = (
    "The partition has two replicas with empty logs. The broker that is shown leads; the other "
    "one has the same records, less what this broker truncates later."
)

READS_FROM_LOG_START = Finding(
    name="truncation_reads_from_the_log_start",
    title=(
        "A follower that truncates its log forgets producers whose records are deleted, and a "
        "retried batch is appended twice"
    ),
    severity=Severity.WRONG,
    symptom=(
        "Consumers that have read a batch before its deletion read it again at a later offset, "
        "and nothing reports it; the second one stays. A producer may have up to "
        "max.in.flight.requests.per.connection batches twice. Few will meet it: a DeleteRecords "
        "and two elections have to come between a batch and its retry. A truncation forgets all "
        "producers and reads the log again: from the newest producer snapshot above the log "
        "start or, without one, from the log start, and not from the start of the segment, which "
        "still has their batches."
    ),
    needs=(
        "Two replicas; an election after which the old leader has a batch to truncate, and "
        "another after which it leads again; a DeleteRecords request past the last batch of a "
        "producer whose client still retries it: all of it within delivery.timeout.ms, two "
        "minutes by default. The retry reaches no leader meanwhile: the other one would know the "
        "producer. No producer snapshot lies above the log start and at or below the cut, as a "
        "roll there would take one. No crash. Kafka 2.4 to 4.4, by the code, before 2.5 (KIP-360) "
        "only for a producer's first batch (sequence 0). Before KAFKA-7190 (2.4) the deletion "
        "alone made a broker forget."
    ),
    tracker=(
        "no issue is known to us; KAFKA-7190 has a broker keep producers whose records are "
        "deleted, and a truncation forgets them"
    ),
    claims=("no_sequence_is_accepted_twice", "accepted_sequences_follow_each_other"),
    permitted_by=(
        "UnifiedLog#rebuildProducerState, which reads no record below the log start, though the "
        "segment still has it; ProducerStateManager#truncateAndReload, which forgets every "
        "producer before it loads the newest snapshot that is not above the cut; "
        f"{UNKNOWN}"
    ),
    assumptions=("G9",),
    story=Story(
        "00f928",
        (
            ("start", TWO_LOGS),
            ("1-2", "An idempotent producer sends a batch, gets no answer, and sends it again."),
            ("3", "The leader appends the first request at offset 0. The second one is late."),
            ("4", "A user deletes the records below offset 1, which is the log end."),
            (
                "5-6",
                "The producer may have more requests in flight: it sends its next batch, which is "
                "appended at offset 1. The follower does not fetch it.",
            ),
            (
                "7",
                "The broker follows another leader, which does not have offset 1, and truncates "
                "its log to offset 1. It has no producer snapshot, and would read the log from "
                "the log start on. That is offset 1, the new log end: it reads nothing and knows "
                "no producer, though its segment still has offset 0.",
            ),
            (
                "8",
                "The broker leads again. The second request arrives. The broker does not know the "
                "producer and appends the batch at offset 1.",
            ),
            (
                "end",
                "The batch was accepted twice: at offset 0, which is deleted, and at offset 1.",
            ),
            (
                "beyond",
                "A consumer that read offset 0 before its deletion reads the batch again. A "
                "producer snapshot of offset 1, as of a roll there, would not help: the "
                "truncation deletes the snapshots at or below the log start.",
            ),
            (
                "note",
                "The other report: [a restart that forgets producers]"
                "(deleted_records_take_their_producers_along.md).",
            ),
        ),
    ),
    turning=7,
    fix=OUTLIVE,
    costs=OUTLIVE_COSTS,
    repair="repair_read_deleted_records",
    proposal="proposal_producers_outlive_their_records",
    apart=("repair_snapshots_outlive_their_records",),
    shows="retry_is_a_duplicate",
    scope="deleted_truncated",
)
OPENS_TRANSACTION = Finding(
    name="truncation_opens_an_ended_transaction",
    title=(
        "Truncation after all producers have expired reopens an ended transaction and holds back "
        "the last stable offset"
    ),
    severity=Severity.UNAVAILABLE,
    symptom=(
        "Consumers with isolation.level=read_committed read nothing from the first offset of a "
        "transaction on, though the log has the marker that ended it: the last stable offset "
        "stays there. It lasts, over clean restarts, until another replica leads, the producer "
        "ends another transaction on the partition, an operator aborts this one "
        "(kafka-transactions.sh), or the broker recovers from a crash. A truncation loads a "
        "producer snapshot in which the transaction is open, and does not read the marker after "
        "it if no producer was known before."
    ),
    needs=(
        "Two replicas; an election after which the old leader has a batch to truncate, of a client "
        "without enable.idempotence, and another after which it leads again. A transaction that "
        "began before the active segment and ended in it, so that the newest producer snapshot has "
        "it open; after it no idempotent producer writes for producer.id.expiration.ms (a day by "
        "default). No restart since the roll, as a shutdown takes a newer snapshot. No crash. "
        "Kafka 0.11 to 4.4, by the code (before KIP-854, 3.4, the setting is "
        "transactional.id.expiration.ms, seven days by default)."
    ),
    tracker="no issue notes it; KAFKA-20716 is about a missing marker",
    claims=("ended_transactions_hold_up_no_reader",),
    permitted_by=(
        "UnifiedLog#rebuildProducerState, which does not read the log after the snapshot if no "
        "producer was known before the truncation (isEmptyBeforeTruncation): a truncation, it "
        "says, does not change that; ProducerStateManager#loadFromSnapshot, which leaves expired "
        "producers out, but none whose transaction is open in the snapshot"
    ),
    assumptions=("G9",),
    story=Story(
        "2d3985",
        (
            ("start", f"{TWO_LOGS} producer.id.expiration.ms is 1 ms."),
            (
                "1-3",
                "A producer sends a batch of a transaction, which is appended at offset 0. The "
                "broker rolls the segment, and takes a producer snapshot of offset 1, in which the "
                "transaction is open.",
            ),
            (
                "4-5",
                "The coordinator aborts the transaction. Its marker is appended at offset 1, and "
                "replicated.",
            ),
            ("6", "A client that is not idempotent writes a batch, which is appended at offset 2."),
            (
                "7-8",
                "1 ms passes. The broker removes the producer, as it has expired. It knows no "
                "producer now.",
            ),
            (
                "9",
                "The broker follows another leader, which does not have offset 2, and truncates "
                "its log to offset 2. It loads the snapshot of offset 1, in which the transaction "
                "is open, and reads nothing after it, as it knew no producer before.",
            ),
            (
                "end",
                "The broker takes the transaction from offset 0 for open, though its log has the "
                "marker at offset 1.",
            ),
            (
                "beyond",
                "Where the broker leads again, its last stable offset is 0: consumers with "
                "read_committed read nothing from there on, and the copy task of a tiered topic "
                "copies nothing. A producer with an open transaction does not expire, and the "
                "truncation has written a snapshot that says the same, which a clean restart "
                "loads. A recovery after a crash reads the active segment with its marker again.",
            ),
        ),
    ),
    turning=9,
    fix=(
        "UnifiedLog#rebuildProducerState leaves out the log after the loaded snapshot only if the "
        "producer state is empty after ProducerStateManager#truncateAndReload, too, and not only "
        "before it. Logs that no idempotent producer writes, for which the shortcut was made, keep "
        "it. The model was tried with that, and with a truncation that always reads on. Neither "
        "heals a broker that has written the wrong snapshot already: elect another leader; an "
        "abort would hide the records of a committed transaction."
    ),
    costs=(
        "A truncation of a log that knows no producer, but whose newest snapshot has one, reads "
        "the log from that snapshot on, under the lock of the log: at most one segment; more where "
        "the last segments have no snapshot."
    ),
    repair="repair_truncation_reads_the_log_after_a_snapshot",
    proposal="proposal_truncation_reads_after_a_snapshot_with_producers",
    stands_alone=True,
    shows="retry_is_a_duplicate",
    scope="expired_truncated",
)
