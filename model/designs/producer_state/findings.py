"""What Kafka's producer state permits that it should not: the register's written half."""

from tierproof.model.language import Finding

ACCEPTED = ("no_sequence_is_accepted_twice", "accepted_sequences_follow_each_other")
UNKNOWN = (
    "ProducerAppendInfo#checkSequence, which accepts any epoch and any sequence of a producer "
    "without an entry"
)

FINDINGS = (
    Finding(
        name="late_batch_of_an_expired_producer",
        title="A late copy of a batch is accepted after its producer has expired",
        claims=(*ACCEPTED, "accepted_epochs_do_not_fall"),
        permitted_by=f"ProducerStateManager#removeExpiredProducers; {UNKNOWN}",
        explanation=(
            "A producer sends a batch twice, as the first answer is late. One copy is appended. "
            "The producer is idle for producer.id.expiration.ms and forgotten. The other copy "
            "arrives, from a client that no longer waits for it: it is the first batch of a "
            "producer that nobody knows, and is appended. If the producer has bumped its epoch "
            "in between, the epoch falls back, too: the zombie is no longer fenced."
        ),
        repair="repair_requests_die_before_expiry",
        prevented_by="a memory of the producer that is as long as the longest delay of a request",
        scope="expired",
    ),
    Finding(
        name="empty_snapshot_hides_producers",
        title="After a crash an empty snapshot hides the producers before it",
        claims=("recovery_restores_producers", *ACCEPTED),
        permitted_by="KIP-952: an empty snapshot for a segment that has none; "
        "ProducerStateManager#loadFromSnapshot, which takes the newest snapshot for the whole "
        f"state before it; {UNKNOWN}",
        explanation=(
            "The snapshot of the newest segment is missing, as those of segments from before "
            "producer snapshots are. The broker would still recover: it reads the log from an "
            "older snapshot, or from the start (scope `lost`, in which every property holds). "
            "With an empty snapshot in place of the missing one, recovery begins there, and the "
            "producers whose batches lie before it are unknown: a late copy is appended again."
        ),
        repair="repair_skip_empty_snapshots",
        prevented_by="recovery that goes on to an older snapshot",
        scope="empty",
    ),
    Finding(
        name="clean_restart_without_snapshots",
        title="A clean restart without any snapshot forgets every producer",
        claims=("load_restores_producers", *ACCEPTED),
        permitted_by="UnifiedLog#rebuildProducerState, which reads nothing where no snapshot is "
        f"there and the shutdown was clean; {UNKNOWN}",
        explanation=(
            "The broker shuts down cleanly, and its snapshots are gone when it starts, as after "
            "an upgrade from a version without them. It takes that for a log without producers, "
            "writes empty snapshots, and reads nothing. A late copy is appended again. One "
            "empty snapshot that somebody put in place prevents this: it switches the shortcut "
            "off, and the log after it is read (scope `clean_empty`)."
        ),
        repair="repair_read_log_without_snapshots",
        prevented_by="a start that reads the log where no snapshot is there",
        scope="clean",
    ),
    Finding(
        name="deleted_records_take_their_producers_along",
        title="DeleteRecords and a restart forget producers, even after a clean shutdown",
        claims=("load_restores_producers", *ACCEPTED),
        permitted_by="ProducerStateManager#onLogStartOffsetIncremented, by which the log start is "
        "the last snapshot; #takeSnapshot, which then takes none at the same offset; "
        f"#truncateAndReload, which removes snapshots up to the log start; {UNKNOWN}",
        explanation=(
            "DeleteRecords raises the log start to the log end. The shutdown takes no snapshot, "
            "as the map ends at the log start. After the restart no producer is known, though "
            "none has expired, and a late copy of its last batch is appended again, at a new "
            "offset. After a crash it is the same, and a snapshot at the log start would be "
            "removed."
        ),
        repair="repair_snapshots_outlive_their_records",
        prevented_by="a snapshot that is taken at the log start, too, and kept there",
        scope="deleted",
    ),
    Finding(
        name="second_batch_arrives_first",
        title="The second batch of a new producer is accepted before the first",
        claims=("accepted_sequences_follow_each_other",),
        permitted_by=f"{UNKNOWN}; max.in.flight.requests.per.connection above 1",
        explanation=(
            "A new producer has two batches in flight, and the first is lost on its way. The "
            "second arrives: nobody knows the producer, and sequence 1 is appended. The retry "
            "of sequence 0 is out of order, and that batch can never be written in this epoch."
        ),
        repair="repair_unknown_producers_begin_at_zero",
        prevented_by="a first sequence of 0 that is asked of unknown producers",
        scope="in_flight",
    ),
    Finding(
        name="truncation_leaves_a_gap",
        title="After a truncation of all of a producer's batches the next one leaves a gap",
        claims=("accepted_sequences_follow_each_other",),
        permitted_by=f"UnifiedLog#truncateTo; {UNKNOWN}",
        explanation=(
            "A follower truncates the only batch of a producer, to which the old leader had "
            "answered (acks=1, or an unclean election), and leads then. The producer is unknown, "
            "and its next sequence, 1, is appended: the loss is not told to the client. With "
            "another batch left in the log it would be, as out of order."
        ),
        repair="repair_unknown_producers_begin_at_zero",
        prevented_by="a first sequence of 0 that is asked of unknown producers",
        scope="truncated",
    ),
    Finding(
        name="lost_snapshot_takes_the_log_directory_offline",
        title="A snapshot that is lost takes the log directory offline at the next truncation",
        claims=("log_directory_stays_online",),
        permitted_by="ProducerStateManager#loadFromSnapshot, which goes on to an older snapshot "
        "after a CorruptSnapshotException, and not after a NoSuchFileException",
        explanation=(
            "The file of a snapshot vanishes while the broker runs, which still knows of it. The "
            "next truncation loads it: KafkaStorageException, and with it all partitions of "
            "the log directory are offline. A corrupt file would have been skipped."
        ),
        repair="repair_skip_lost_snapshots",
        prevented_by="a manager that goes on to an older snapshot",
        scope="gone",
    ),
    Finding(
        name="emptied_log_forgets_producers",
        title="A follower that empties its log forgets producers that the leader knows",
        claims=ACCEPTED,
        permitted_by=f"UnifiedLog#truncateFullyAndStartAt; {UNKNOWN}",
        explanation=(
            "The leader's records are deleted up to the end of the follower's log. The follower "
            "empties its log and begins at the leader's log start, with no producer. The leader "
            "still knows them. Once the follower leads, a late copy is appended again."
        ),
        repair="repair_fetch_producers_with_the_log_start",
        prevented_by="producer state that a follower fetches with the log start",
        scope="emptied",
    ),
    Finding(
        name="fetched_snapshot_is_removed",
        title="A follower that begins on the remote tier removes the snapshot that it has fetched",
        claims=("fetched_producers_are_known", *ACCEPTED),
        permitted_by="UnifiedLog#truncateFullyAndStartAt, which registers an empty snapshot of "
        "the same offset; ProducerStateManager#truncateFullyAndReloadSnapshots, which deletes "
        f"every registered file before it reads the directory; {UNKNOWN}",
        explanation=(
            "The follower empties its log, and thereby takes an empty snapshot at the new log "
            "end. The fetched snapshot takes the place of that file, and is deleted with it when "
            "the snapshots are reloaded. No producer is known in the end, whatever was fetched: "
            "once the follower leads, a late copy is appended again. Recorded on released Kafka "
            "(`rebuild` in producer_state.jsonl.gz)."
        ),
        repair="repair_followers_keep_the_snapshot",
        prevented_by="a reload that finds the fetched file registered by nobody",
        scope="rebuilt",
    ),
)
