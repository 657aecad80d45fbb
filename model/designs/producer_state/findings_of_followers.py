"""What a follower forgets: told in `kip405_producers`, where it follows and is elected.

Here one replica is the leader, then a follower, then the leader again: the same causes.
"""

from tierproof.model.language import Finding, Passage, Severity, Story

UNKNOWN = "ProducerAppendInfo#checkSequence, which accepts any sequence of an unknown producer"
RETRIED = "Producer 0, whose answer was lost, retries its batch. The request is late."
TWICE_READ = (
    "A batch of an idempotent producer is committed twice: consumers read it twice, nothing "
    "reports it, and the second one stays. A producer may have up to "
    "max.in.flight.requests.per.connection batches twice."
)
WINDOW = (
    "One answer is lost, and the retry arrives after the election: within delivery.timeout.ms, "
    "two minutes by default."
)

FOLLOWER_FORGETS = Finding(
    name="follower_on_the_remote_tier_forgets_producers",
    title=(
        "A follower that begins on the remote tier deletes the producer snapshot it has fetched, "
        "and later appends a retry"
    ),
    severity=Severity.WRONG,
    symptom=(
        f"{TWICE_READ} The follower deletes the producer snapshot that it has fetched before it "
        "reads it, and as a leader it accepts any sequence of a producer that it does not know."
    ),
    needs=(
        "Two replicas; a follower with an empty disk, or one that lags behind the leader's local "
        f"log; one election. {WINDOW} No crash of the leader, no fault of the store; the snapshot "
        "in the remote tier is right. Kafka 3.6 to 4.4, by the code."
    ),
    tracker=(
        "no issue is known to us; a comment in apache/kafka PR 14652 (KAFKA-14467, November "
        "2023) asks whether snapshots fetched from the remote tier may be cleaned"
    ),
    claims=(
        "each_batch_is_committed_once",
        "leader_knows_every_producer",
        "replicas_of_equal_logs_know_the_same_producers",
        "local_snapshots_are_right",
    ),
    passages=(
        Passage(
            "KIP-952",
            "Motivation",
            "To achieve this Kafka uploads segments, indecies, leader epochs and producer "
            "snapshots to remote storage.",
        ),
    ),
    permitted_by=(
        "TierStateMachine#buildRemoteLogAuxState: UnifiedLog#truncateFullyAndStartAt registers "
        "an empty producer snapshot at the new log end, "
        "TierStateMachine#buildProducerSnapshotFile moves the fetched one over that file, and "
        "ProducerStateManager#truncateFullyAndReloadSnapshots deletes every registered file; "
        f"{UNKNOWN}"
    ),
    story=Story(
        "9ab320",
        (
            (
                "start",
                "The topic has two replicas. Offset 0, a batch of producer 0, is in the remote "
                "tier only, with a producer snapshot that is right. Offset 1, a batch of producer "
                "1, is in the local log of both brokers. Broker 0 leads; producer 0 has no answer "
                "yet.",
            ),
            ("1", RETRIED),
            ("2", "Broker 1, a follower, comes back with an empty disk."),
            ("3-4", "Broker 1 reads in the metadata topic that offset 0 is in the remote tier."),
            (
                "5",
                "Broker 1 begins its log at offset 1, which writes an empty producer snapshot of "
                "that offset. It moves the fetched snapshot over that file, and deletes the file "
                "as it reloads its snapshots. It knows no producer.",
            ),
            ("6-7", "Broker 1 fetches offset 1, and the leader adds it to the ISR."),
            ("8-9", "The controller elects broker 1, and broker 1 learns that it leads."),
            (
                "10",
                "The retry of producer 0 arrives at broker 1, the new leader, which does not know "
                "producer 0 and appends the batch at offset 2.",
            ),
            (
                "11-13",
                "Broker 0, the old leader, follows and fetches offset 2, and the batch is "
                "committed.",
            ),
            ("end", "The batch of producer 0 is committed twice, at offsets 0 and 2."),
        ),
    ),
    turning=10,
    fix=(
        "TierStateMachine#buildProducerSnapshotFile unregisters the empty snapshot before it "
        "moves the fetched one into place; or "
        "ProducerStateManager#truncateFullyAndReloadSnapshots, which has no other caller, "
        "clears its map and reads the directory without deleting. The model was tried with the "
        "first. Either stands alone."
    ),
    costs="Some lines of code; no request, no file and no format changes.",
    repair="repair_followers_keep_the_snapshot",
    shows="leader_will_recognise_a_duplicate",
    scope="followers",
)
BEGINS_AT_LOG_START = Finding(
    name="follower_begins_at_the_log_start_without_producers",
    title=(
        "A follower that begins at its leader's log start gets no producer state at all, and "
        "later appends a retry"
    ),
    severity=Severity.WRONG,
    symptom=(
        "Consumers that have read a batch before its deletion read it again at a later offset, "
        "and nothing reports it; the second one stays. A producer may have up to "
        "max.in.flight.requests.per.connection batches twice. The leader keeps producers whose "
        "records are deleted; a follower that begins at its log start gets no producer state, "
        "and as a leader accepts any sequence of a producer that it does not know."
    ),
    needs=(
        "Two replicas; a follower with an empty disk, or one whose log ends below the leader's "
        f"log start; DeleteRecords or retention; one election. {WINDOW} Tiered storage has no "
        "part in it. Kafka 3.0 to 4.4, by the code."
    ),
    tracker=(
        "no issue is known to us; KAFKA-7190 (KIP-360) has a leader keep producers whose "
        "records are deleted, and leaves followers out"
    ),
    claims=(
        "each_batch_is_committed_once",
        "leader_knows_every_producer",
        "replicas_of_equal_logs_know_the_same_producers",
    ),
    permitted_by=(
        "AbstractFetcherThread#fetchOffsetAndTruncate, which asks the leader for its log start "
        "and nothing else; UnifiedLog#truncateFullyAndStartAt, after which no producer is known; "
        f"{UNKNOWN}"
    ),
    story=Story(
        "812493",
        (
            (
                "start",
                "The topic has two replicas. Offset 0 is a batch of producer 0, offset 1 a batch "
                "of producer 1; both brokers have both. Broker 0 leads; producer 0 has no answer "
                "yet.",
            ),
            ("1", RETRIED),
            ("2", "Broker 1, a follower, comes back with an empty disk."),
            ("3", "A user deletes the records below offset 2, which is the log end."),
            (
                "4",
                "Broker 1 fetches from offset 0, gets OFFSET_OUT_OF_RANGE, and begins its log at "
                "offset 2. The leader still knows both producers; broker 1 knows neither.",
            ),
            (
                "5",
                "The leader adds broker 1 to the ISR, as broker 1 has every record that is left.",
            ),
            ("6-7", "The controller elects broker 1, and broker 1 learns that it leads."),
            (
                "8",
                "The retry of producer 0 arrives at broker 1, the new leader, which does not know "
                "producer 0 and appends the batch at offset 2.",
            ),
            (
                "9-11",
                "Broker 0, the old leader, follows and fetches offset 2, and the batch is "
                "committed.",
            ),
            (
                "end",
                "The batch of producer 0 is committed twice: at offset 0, which is deleted, and "
                "at offset 2.",
            ),
            ("beyond", "A consumer that read offset 0 before its deletion reads the batch again."),
        ),
    ),
    turning=8,
    fix=(
        "A follower that begins at its leader's log start fetches with it the producers that "
        "the leader knows from below that offset, as it fetches a producer snapshot when it "
        "begins on the remote tier. No request of Kafka carries that today. DescribeProducers "
        "(KIP-664) has the last sequence of each producer, but neither the last offset nor the "
        "size of the last batch, by which a duplicate is told. So it takes a KIP: these two as "
        "new fields of that response, or a request of its own. With a leader of an older "
        "version all is as today."
    ),
    costs=(
        "One request more for a follower that begins anew, and one snapshot file more on that "
        "follower, at the log start."
    ),
    repair="repair_fetch_producers_with_the_log_start",
    shows="leader_will_recognise_a_duplicate",
    scope="deletions",
)
