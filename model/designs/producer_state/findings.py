"""What Kafka's producer state permits that it should not: batches that are appended again."""

from tierproof.model.designs.producer_state.findings_of_files import (
    CLEAN_RESTART,
    EMPTY_SNAPSHOT,
    FETCHED_SNAPSHOT,
    LOST_SNAPSHOT,
)
from tierproof.model.language import Finding, Severity, Story

UNKNOWN = (
    "ProducerAppendInfo#checkSequence, which accepts any epoch and any sequence of a producer "
    "that the leader does not know"
)
NEW_LOG = (
    "The partition has one replica, with an empty log. The broker that has it acts as the leader."
)

LATE_BATCH = Finding(
    name="late_batch_of_an_expired_producer",
    title="A late copy of a batch is appended again after its producer has expired",
    severity=Severity.WRONG,
    needs=(
        "One replica; no crash, no fault. A request that arrives later than "
        "producer.id.expiration.ms (a day by default) after the batch was appended, or a "
        "producer.id.expiration.ms that is shorter than the client's delivery.timeout.ms (two "
        "minutes). Kafka 3.0 to 4.4."
    ),
    claims=(
        "no_sequence_is_accepted_twice",
        "accepted_sequences_follow_each_other",
        "accepted_epochs_do_not_fall",
    ),
    permitted_by=f"ProducerStateManager#removeExpiredProducers; {UNKNOWN}",
    story=Story(
        "f9acdb",
        (
            ("start", f"{NEW_LOG} producer.id.expiration.ms is 1 ms."),
            ("1-2", "An idempotent producer sends a batch, gets no answer in time, and retries."),
            ("3", "The leader appends the first copy at offset 0. The second copy is delayed."),
            ("4", "1 ms passes, in which the producer writes nothing."),
            ("5", "The leader removes the producer from its producer state, as it has expired."),
            (
                "6",
                "The second copy arrives. The leader does not know the producer, takes the batch "
                "for the first of a new one, and appends it at offset 1.",
            ),
            ("end", "The batch is in the log twice, at offsets 0 and 1."),
        ),
    ),
    turning=5,
    fix=(
        "Refuse a producer.id.expiration.ms that does not exceed the longest time for which a "
        "request can be on its way, and say so in the documentation of delivery.timeout.ms."
    ),
    costs=(
        "Brokers remember idle producers for longer, which costs memory where clients come and go."
    ),
    repair="repair_requests_die_before_expiry",
    shows="retry_is_a_duplicate",
    scope="expired",
)
DELETED_RECORDS = Finding(
    name="deleted_records_take_their_producers_along",
    title="A restart forgets the producers whose records are all deleted, and appends a retry",
    severity=Severity.WRONG,
    needs=(
        "One replica; one restart, be it a crash or a clean one. DeleteRecords, or retention "
        "shorter than producer.id.expiration.ms, deletes the last batch of a producer whose "
        "client still waits for an answer. Kafka 3.0 to 4.4."
    ),
    claims=(
        "no_sequence_is_accepted_twice",
        "accepted_sequences_follow_each_other",
        "load_restores_producers",
    ),
    permitted_by=(
        "ProducerStateManager#truncateAndReload, which deletes the snapshots at or below the log "
        "start before it loads the newest one; #lastSnapOffset, which is the log start where there "
        f"is no snapshot, so that #takeSnapshot takes none there; {UNKNOWN}"
    ),
    story=Story(
        "d53ee3",
        (
            ("start", NEW_LOG),
            ("1-2", "An idempotent producer sends a batch, gets no answer in time, and retries."),
            ("3", "The leader appends the first copy at offset 0. The second copy is delayed."),
            ("4", "A user deletes the records below offset 1, which is the log end."),
            ("5", "The broker crashes."),
            (
                "6",
                "The broker recovers the log. It reads the segment, but takes no snapshot of "
                "offset 1, as that is not above the log start. Then it builds its producer state "
                "from the log start on, and knows no producer, though none has expired.",
            ),
            (
                "7",
                "The second copy arrives, from an unknown producer, and is appended at offset 1.",
            ),
            ("end", "The batch was accepted twice; whoever read offset 0 in time reads it again."),
        ),
    ),
    turning=6,
    fix=(
        "ProducerStateManager keeps, loads and takes a snapshot at the log start: it deletes only "
        "those below the first segment, or above the log end."
    ),
    costs=(
        "One snapshot file more for each partition; after a restart, producers whose records are "
        "deleted are remembered until they expire."
    ),
    repair="repair_snapshots_outlive_their_records",
    shows="retry_is_a_duplicate",
    scope="deleted",
)
BEGINS_ANYWHERE = Finding(
    name="unknown_producer_begins_anywhere",
    title="A producer that the leader does not know may begin with any sequence, and leaves a gap",
    severity=Severity.WRONG,
    needs=(
        "One replica; no crash, no fault. A new client with two requests in flight of which the "
        "second arrives first; or, with acks=1, a new leader that has truncated the only batch of "
        "the producer. Kafka 2.5 (KIP-360) to 4.4."
    ),
    claims=("accepted_sequences_follow_each_other",),
    permitted_by=UNKNOWN,
    story=Story(
        "f6ad2c",
        (
            ("start", f"{NEW_LOG} A new idempotent producer may have two requests in flight."),
            ("1", "The producer sends its first batch, with sequence 0. The request is late."),
            ("2", "The producer sends its second batch, with sequence 1."),
            (
                "3",
                "The second batch arrives first. The leader does not know the producer, accepts "
                "sequence 1, and appends the batch at offset 0.",
            ),
            (
                "end",
                "Sequence 0 is out of order from now on. The leader refuses the first batch "
                "however often the client retries it: it can be written in a later epoch only, "
                "behind the second.",
            ),
        ),
    ),
    turning=3,
    fix=(
        "The leader demands sequence 0 of a producer that it does not know, as it does of one "
        "whose epoch is new. With enable.idempotence the client then retries in order."
    ),
    costs=(
        "A producer that has expired, or whose records are deleted, is refused once, and has to "
        "begin a new epoch: KIP-360 gave this check up for that reason."
    ),
    repair="repair_unknown_producers_begin_at_zero",
    shows="retry_is_a_duplicate",
    scope="in_flight",
)
EMPTIED_LOG = Finding(
    name="emptied_log_forgets_producers",
    title="A follower that empties its log forgets producers that its leader still knows",
    severity=Severity.WRONG,
    needs=(
        "Two replicas (the one here is first the leader, then a follower, then the leader); no "
        "crash, no fault. The leader's records are deleted up to the follower's log end or "
        "beyond. Kafka 3.0 to 4.4."
    ),
    claims=("no_sequence_is_accepted_twice", "accepted_sequences_follow_each_other"),
    permitted_by=(
        "UnifiedLog#truncateFullyAndStartAt, after which no producer is known; "
        f"AbstractFetcherThread, which fetches no producer state with the log start; {UNKNOWN}"
    ),
    story=Story(
        "a5a34d",
        (
            ("start", NEW_LOG),
            ("1-2", "An idempotent producer sends a batch, gets no answer in time, and retries."),
            ("3", "The broker appends the first copy at offset 0. The second copy is delayed."),
            (
                "4",
                "The broker follows another leader, whose log start is 1, as its records are "
                "deleted. The broker empties its log and begins at offset 1, without a producer.",
            ),
            (
                "5",
                "The broker leads again. The second copy arrives, from an unknown producer, and "
                "is appended at offset 1.",
            ),
            ("end", "The batch was accepted twice, at offsets 0 and 1."),
        ),
    ),
    turning=4,
    fix=(
        "A follower that begins at its leader's log start fetches the producer state of that "
        "offset with it, as it fetches a producer snapshot when it begins on the remote tier."
    ),
    costs="One request more for a follower that begins anew, and a snapshot at the log start.",
    repair="repair_fetch_producers_with_the_log_start",
    shows="retry_is_a_duplicate",
    scope="emptied",
)

FINDINGS = (
    LATE_BATCH,
    DELETED_RECORDS,
    BEGINS_ANYWHERE,
    EMPTIED_LOG,
    FETCHED_SNAPSHOT,
    EMPTY_SNAPSHOT,
    CLEAN_RESTART,
    LOST_SNAPSHOT,
)
