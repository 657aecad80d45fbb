"""What Kafka's producer state permits that it should not: batches that are appended again."""

from tierproof.model.designs.producer_state.findings_of_files import (
    CLEAN_RESTART,
    EMPTY_SNAPSHOT,
    LAST_SNAPSHOT,
    LOST_SNAPSHOT,
)
from tierproof.model.designs.producer_state.findings_of_truncations import (
    OPENS_TRANSACTION,
    OUTLIVE,
    OUTLIVE_COSTS,
    READS_FROM_LOG_START,
)
from tierproof.model.language import Finding, Severity, Story

UNKNOWN = (
    "ProducerAppendInfo#checkSequence, which accepts sequence 0 of a producer without state on the "
    "partition and, since KIP-360 (2.5), any other (of a transactional one with transactions "
    "version 2 only sequence 0)"
)
SENT_TWICE = "An idempotent producer sends a batch, gets no answer in time, and sends it again."
APPENDED = "The leader appends the first request at offset 0. The second request is late."
NEW_LOG = (
    "The partition has one replica, with an empty log. The broker that has it acts as the leader."
)

LATE_BATCH = Finding(
    name="late_batch_of_an_expired_producer",
    title=(
        "Producers expire by record timestamp rather than append time, so retries of old records "
        "can be appended twice"
    ),
    severity=Severity.WRONG,
    symptom=(
        "Consumers read one batch of an idempotent producer twice, and nothing reports it: the "
        "leader appends both copies, and the second one stays. It happens with default settings "
        "to producers of records older than a day, such as a backfill, or Kafka Streams that "
        "reads old input again. A producer expires by the timestamps of its records. Such a "
        "producer has expired when its batch is appended, and the next check, every 10 minutes, "
        "removes it. A retry after that check counts as the first batch of a new producer: a "
        "leader accepts sequence 0 of an unknown producer and, since KIP-360 (2.5), any other. The "
        "steps below show the same with records of today and a short producer.id.expiration.ms; "
        "with old records we saw it on a broker."
    ),
    needs=(
        "One replica is enough; one answer that is lost or late, and the check for expired "
        "producers (producer.id.expiration.check.interval.ms, 10 minutes by default) between the "
        "batch and its retry. An idempotent producer without an open transaction, as a producer "
        "with one does not expire. Records that are older than producer.id.expiration.ms, a day by "
        "default, with message.timestamp.type=CreateTime, the default. For records of today, as in "
        "the steps, it takes a setting below delivery.timeout.ms, two minutes by default, of which "
        "the documentation of producer.id.expiration.ms warns. No crash, no fault. Kafka 0.11 to "
        "4.4, by the code, before 2.5 only for a producer's first batch (sequence 0); before "
        "KIP-854 (3.4) the setting was transactional.id.expiration.ms, seven days by default."
    ),
    tracker=(
        "no issue that notes the duplicate is known to us. KAFKA-9144 (PR 7687) is about early "
        "expiration, too: since then the timestamp of a transaction marker counts as well. "
        "KAFKA-14097 (KIP-854) added producer.id.expiration.ms"
    ),
    claims=(
        "no_sequence_is_accepted_twice",
        "accepted_sequences_follow_each_other",
        "accepted_epochs_do_not_fall",
    ),
    permitted_by=(
        "ProducerStateManager#isProducerExpired, which compares the broker's clock with the "
        "latest timestamp in the producer's last batch (ProducerAppendInfo#append), which the "
        "client sets, and not with the time of the append; "
        f"{UNKNOWN}"
    ),
    story=Story(
        "f9acdb",
        (
            ("start", f"{NEW_LOG} producer.id.expiration.ms is 1 ms."),
            ("1-2", SENT_TWICE),
            ("3", APPENDED),
            ("4", "1 ms passes: the producer has expired."),
            (
                "5",
                "The leader checks for expired producers, and removes this one from its producer "
                "state (ProducerStateManager#removeExpiredProducers).",
            ),
            (
                "6",
                "The second request arrives. The leader does not know the producer, takes the "
                "batch for the first of a new one, and appends it at offset 1.",
            ),
            ("end", "The batch is in the log twice, at offsets 0 and 1."),
            (
                "beyond",
                "With records older than producer.id.expiration.ms step 4 is not needed. We ran "
                "that by hand on a broker of 4.4.0 with default settings: a client wrote "
                "records of two days ago, and sent each batch again 20 seconds later, with the "
                "same sequence. The second copy that followed the check, 10 minutes after the "
                "topic was created, was appended again, and a consumer read the batch twice. A "
                "client with records of today, which did the same beside it, had no duplicate.",
            ),
            (
                "note",
                "The model stamps a batch with the time of its append (`leader_appends_batch`). "
                "`records_are_old` stamps it with an older one, so that a producer expires while "
                "it writes, and `proposal_producers_expire_by_their_append` is the fix for that.",
            ),
        ),
    ),
    turning=5,
    fix=(
        "For old records: ProducerStateEntry gets a new field, the broker's time of the append, "
        "and ProducerStateManager#isProducerExpired compares that. The timestamp of the records "
        "stays for DescribeProducers and for hanging transactions. ProducerAppendInfo#append has "
        "no clock; UnifiedLog, which has one, passes "
        "the time on. Snapshots have no such field: a producer that is loaded from one, or from "
        "the log, keeps the timestamp of its records, as today. The model was tried with it: no "
        "producer that retries in time expires, but after a restart or a truncation. For records "
        "of today: producer.id.expiration.ms has to exceed the time within which a client may "
        "retry; the search that is reported here is with that. A broker cannot enforce it, as "
        "delivery.timeout.ms is a setting of clients; it can log a warning below two minutes."
    ),
    costs=(
        "Of the first: producers of old records stay in memory for producer.id.expiration.ms "
        "after their last batch. A backfill with many short-lived producers needs that memory, and "
        "so does a follower that fetches an old log from its start. In a compacted topic the "
        "cleaner keeps their last batch as long. If that is too much, only the "
        "appends of clients set the new field; a follower then expires such producers as today, "
        "and a retry to a new leader is not protected. Until then producer.id.expiration.ms can be "
        "raised above the age of the records, for all producers of the broker; it is an int, at "
        "most 24 days. Of the second: a line in the log."
    ),
    repair="repair_requests_die_before_expiry",
    stands_alone=True,
    shows="retry_is_a_duplicate",
    scope="expired",
)
DELETED_RECORDS = Finding(
    name="deleted_records_take_their_producers_along",
    title=(
        "A restart forgets producers whose records are all deleted, and a retried batch is "
        "appended twice"
    ),
    severity=Severity.WRONG,
    symptom=(
        "Consumers that have read a batch before its deletion read it again at a later offset, "
        "and nothing reports it; the second one stays. A producer may have up to "
        "max.in.flight.requests.per.connection batches twice. It takes records that are deleted "
        "within two minutes, as by DeleteRecords behind a fast consumer. While it runs, a broker "
        "knows producers whose records are deleted (KAFKA-7190). But it keeps no producer "
        "snapshot at or below its log start. After a restart it does not know these producers. It "
        "accepts sequence 0 of theirs, which a new producer would send, and since KIP-360 (2.5) "
        "any other sequence, too."
    ),
    needs=(
        "One replica is enough (with more, the broker must lead again in time); one restart, clean "
        "or after a crash; one lost answer. DeleteRecords or retention deletes the last batch of a "
        "producer whose client still retries it, and no producer snapshot lies above the new log "
        "start: all within delivery.timeout.ms, two minutes by default. With a crash after "
        "DeleteRecords the new log start must be checkpointed by then "
        "(log.flush.start.offset.checkpoint.interval.ms, one minute by default); a clean shutdown "
        "writes it. Kafka 2.4 to 4.4, by the code, before 2.5 only for a producer's first batch "
        "(sequence 0). Before KAFKA-7190 (2.4) the deletion alone made a broker forget."
    ),
    tracker=(
        "no issue that notes the duplicate is known to us. KAFKA-7190 and KAFKA-9105 (PR 7388, "
        "PR 7599) chose to keep such producers in memory and to delete their snapshots. The "
        "comment at ProducerStateManager#truncateAndReload says that a crash or a failover loses "
        "them, and expects UNKNOWN_PRODUCER_ID then. No leader ever answered so to sequence 0, and "
        "since KIP-360 (2.5) none does to another sequence. The documentation of "
        "producer.id.expiration.ms says that a producer may expire sooner if retention deletes its "
        "last write, and nothing of a duplicate"
    ),
    claims=(
        "no_sequence_is_accepted_twice",
        "accepted_sequences_follow_each_other",
        "load_restores_producers",
    ),
    permitted_by=(
        "ProducerStateManager#truncateAndReload, which deletes the snapshots at or below the log "
        "start before it loads the newest one; #onLogStartOffsetIncremented, which sets "
        "lastSnapOffset to the log start where there is no snapshot, so that #takeSnapshot takes "
        f"none there; {UNKNOWN}"
    ),
    story=Story(
        "d53ee3",
        (
            ("start", NEW_LOG),
            ("1-2", SENT_TWICE),
            ("3", APPENDED),
            (
                "4",
                "A user deletes the records below offset 1, which is the log end "
                "(DeleteRecords). The new log start is checkpointed. No snapshot is taken.",
            ),
            (
                "5-6",
                "The broker crashes, and recovers the log. It reads the segment, offset 0 "
                "included, but takes no producer snapshot of offset 1, as offset 1 is not above "
                "the log start. Then it builds its producer state a second time, from the log "
                "start on. Nothing is there: it knows no producer, though none has expired.",
            ),
            (
                "7",
                "The second request arrives. The leader does not know the producer and appends "
                "the batch at offset 1.",
            ),
            (
                "end",
                "The batch was accepted twice: at offset 0, which is deleted, and at offset 1.",
            ),
            (
                "beyond",
                "A consumer that read offset 0 before its deletion reads the batch again. A clean "
                "restart ends in the same way: the shutdown takes no snapshot of offset 1 either. "
                "A snapshot that is there, as of a roll at offset 1, is deleted as the log loads.",
            ),
        ),
    ),
    turning=6,
    fix=OUTLIVE,
    costs=OUTLIVE_COSTS,
    repair="repair_snapshots_outlive_their_records",
    proposal="proposal_producers_outlive_their_records",
    stands_alone=True,
    apart=("repair_read_deleted_records",),
    shows="retry_is_a_duplicate",
    scope="deleted",
)
BEGINS_ANYWHERE = Finding(
    name="unknown_producer_begins_anywhere",
    title=(
        "A leader accepts any first sequence of an unknown producer, so a second batch can be "
        "appended without the first"
    ),
    severity=Severity.TEXT,
    symptom=(
        "Consumers read the second batch of a new idempotent producer without the first one, "
        "against the order that enable.idempotence promises. The leader refuses the first batch "
        "with OUT_OF_ORDER_SEQUENCE_NUMBER; the Java client retries it in vain until "
        "delivery.timeout.ms, and then fails the send with a TimeoutException. The leader accepts "
        "any sequence of a producer that it does not know. KIP-360 chose that. KAFKA-15591 takes "
        "it back for a partition that has never had a record, as in the steps below; for every "
        "other partition it remains, and this is to ask whether KAFKA-19880 shall close it."
    ),
    needs=(
        "One replica is enough; no crash, no fault. A new producer with two requests in flight of "
        "which the second is accepted first: the first is refused with NOT_LEADER_OR_FOLLOWER, as "
        "the broker has not yet applied the metadata by which it leads. The partition may be new "
        "(KAFKA-15591), or its leadership may move to the broker. Kafka 2.5 (KIP-360) to 4.4; in "
        "4.5 only on a partition that has had records."
    ),
    tracker=(
        "KAFKA-14359, KAFKA-14312, KAFKA-18202, KAFKA-14034, KAFKA-15591 (apache/kafka PR 23234, "
        "merged for 4.5) and KAFKA-19880 (PR 22619, open in June 2026)"
    ),
    claims=("accepted_sequences_follow_each_other",),
    permitted_by=UNKNOWN,
    story=Story(
        "f6ad2c",
        (
            ("start", f"{NEW_LOG} A new idempotent producer may have two requests in flight."),
            ("1", "The producer sends its first batch, with sequence 0."),
            ("2", "The producer sends its second batch, with sequence 1."),
            (
                "3",
                "The leader handles the second batch first; the first one was refused with a "
                "retriable error, and is to be sent again. The leader does not know the producer, "
                "accepts sequence 1, and appends the batch at offset 0.",
            ),
            (
                "end",
                "The log has sequence 1 at offset 0 and lacks sequence 0.",
            ),
            (
                "beyond",
                "When the first batch arrives, the leader refuses it with "
                "OUT_OF_ORDER_SEQUENCE_NUMBER: we replayed that step. It does so with every retry, "
                "as the leader expects sequence 2 from now on. The Java client does not raise its "
                "epoch for that, as a later batch is acknowledged (TransactionManager#canRetry).",
            ),
        ),
    ),
    turning=3,
    fix=(
        "ProducerAppendInfo#checkSequence demands sequence 0 of every producer that the leader "
        "does not know, as it does of one whose epoch is new, and of transactional ones with "
        "transactions version 2. KAFKA-19880 (PR 22619) proposes that. The second batch is then "
        "refused until the first is appended, and the client retries both in order."
    ),
    costs=(
        "A producer that has expired is refused once and has to begin a new epoch; clients "
        "without KIP-360 fail. So is each "
        "producer that a broker has forgotten by a restart or an election, as long as brokers "
        "forget some; a transactional producer then has to abort. KIP-360 gave this check up for "
        "that reason, so that it is a decision on KIP-360. KAFKA-15591 avoids the cost, as it "
        "checks only partitions that never had a record. It does not end duplicates: a batch that "
        "was appended before its producer was forgotten comes again as sequence 0, or under the "
        "epoch that the Java client begins then."
    ),
    repair="repair_unknown_producers_begin_at_zero",
    stands_alone=True,
    shows="retry_is_a_duplicate",
    scope="in_flight",
)
FINDINGS = (
    LATE_BATCH,
    DELETED_RECORDS,
    READS_FROM_LOG_START,
    OPENS_TRANSACTION,
    BEGINS_ANYWHERE,
    EMPTY_SNAPSHOT,
    CLEAN_RESTART,
    LOST_SNAPSHOT,
    LAST_SNAPSHOT,
)
