"""What a follower forgets: told in `kip405_producers`, where it follows and is elected.

Here one replica is the leader, then a follower, then the leader again: the same causes.
"""

from tierproof.model.language import Finding, Passage, Severity, Story

UNKNOWN = (
    "ProducerAppendInfo#checkSequence, which accepts sequence 0 of a producer without state on the "
    "partition and, since KIP-360 (2.5), any other (of a transactional one with transactions "
    "version 2 only sequence 0)"
)
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
        "Building follower state from the remote tier deletes the fetched producer snapshot: a "
        "retried batch is appended twice, aborted records are returned"
    ),
    severity=Severity.WRONG,
    symptom=(
        f"{TWICE_READ} It takes a topic whose local retention deletes a batch within "
        "delivery.timeout.ms. The follower builds its state from the remote tier and fetches the "
        "leader's local log. It knows the producers of the local log only: it deletes the producer "
        "snapshot that it has fetched before it loads it. As a leader it takes the others for new "
        "ones, and accepts any sequence of theirs. By the code it does not know a transaction "
        "either that began below its local log and was aborted in it: its transaction index lacks "
        "it, and consumers with read_committed get the records, without any retry."
    ),
    needs=(
        "Two replicas; a follower with an empty disk, or one that lags behind the leader's local "
        f"log; one election. {WINDOW} By then the segment of the batch is rolled, copied, and "
        "deleted by local retention, and the producer has written nothing since. No crash of the "
        "leader, no fault of the store. Kafka 3.6 to 4.4, by the code."
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
            (
                "2-4",
                "Broker 1, a follower, comes back with an empty disk, and reads in the metadata "
                "topic that offset 0 is in the remote tier.",
            ),
            (
                "5",
                "Broker 1 begins its log at offset 1, which writes an empty producer snapshot of "
                "that offset. It moves the fetched snapshot over that file, and deletes the file "
                "as it reloads its snapshots. It knows no producer.",
            ),
            (
                "6-9",
                "Broker 1 fetches offset 1, the leader adds it to the ISR, the controller elects "
                "broker 1, and broker 1 learns that it leads.",
            ),
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
        "TierStateMachine#buildProducerSnapshotFile calls "
        "ProducerStateManager#deleteSnapshotsBefore(nextOffset + 1), which deletes and unregisters "
        "the empty snapshot, before it moves the fetched one into place. "
        "#truncateFullyAndReloadSnapshots then has nothing to delete and registers the fetched "
        "file, and UnifiedLog#loadProducerState loads it, as its offset is the log end and above "
        "the log start. That #truncateFullyAndReloadSnapshots deletes nothing would do, too, but "
        "ProducerStateManagerTest#testReloadSnapshots demands that it deletes."
    ),
    costs=(
        "One call; no request and no format changes. Not closed: a follower that crashes between "
        "the truncation and the move begins at that offset without producers, as today, and does "
        "not fetch the snapshot again."
    ),
    repair="repair_followers_keep_the_snapshot",
    stands_alone=True,
    shows="leader_will_recognise_a_duplicate",
    scope="followers",
)
BEGINS_AT_LOG_START = Finding(
    name="follower_begins_at_the_log_start_without_producers",
    title=(
        "A follower that starts at the leader's log start lacks producers of deleted records, and "
        "a retried batch is appended twice"
    ),
    severity=Severity.WRONG,
    symptom=(
        "Consumers that have read a batch before its deletion read it again at a later offset, "
        "and nothing reports it; the second one stays. A producer may have up to "
        "max.in.flight.requests.per.connection batches twice. It takes records that are deleted "
        "within two minutes, as by DeleteRecords behind a fast consumer. The leader keeps "
        "producers whose records are deleted. A follower that begins at the leader's log start "
        "learns nothing of them. As a leader it accepts sequence 0 of theirs, which a new producer "
        "would send, and since KIP-360 (2.5) any other sequence, too."
    ),
    needs=(
        "Two replicas; a follower with an empty disk, or one whose log ends below the leader's "
        "log start; DeleteRecords or retention past the last batch of a producer; one election. "
        f"{WINDOW} Tiered storage has no part in it. Kafka 2.4 to 4.4, by the code, before "
        "2.5 only for a producer's first batch (sequence 0). Before KAFKA-7190 (2.4) the deletion "
        "alone made every broker forget."
    ),
    tracker=(
        "no issue is known to us; KAFKA-7190 (2.4) has a broker keep producers whose records are "
        "deleted, if it has appended them; the comment at "
        "ProducerStateManager#truncateAndReload says that a failover may lose them, and expects "
        "UNKNOWN_PRODUCER_ID then. No leader ever answered so to sequence 0, and since KIP-360 "
        "(2.5) none does to another sequence"
    ),
    claims=(
        "each_batch_is_committed_once",
        "leader_knows_every_producer",
        "replicas_of_equal_logs_know_the_same_producers",
    ),
    permitted_by=(
        "AbstractFetcherThread#fetchOffsetAndTruncate, which asks the leader for its log end and "
        "its log start, and for no producers; UnifiedLog#truncateFullyAndStartAt, after which no "
        "producer is known; "
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
            (
                "2-3",
                "Broker 1, a follower, comes back with an empty disk. A user deletes the records "
                "below offset 2, which is the log end.",
            ),
            (
                "4",
                "Broker 1 fetches from offset 0, gets OFFSET_OUT_OF_RANGE, and begins its log at "
                "offset 2. The leader still knows both producers; broker 1 knows neither.",
            ),
            (
                "5-7",
                "The leader adds broker 1 to the ISR, as broker 1 has every record that is left. "
                "The controller elects broker 1, and broker 1 learns that it leads.",
            ),
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
        "This is a known limitation, of which the comment at "
        "ProducerStateManager#truncateAndReload expects less harm: it should say that a leader "
        "then appends retried batches again. To close it takes a KIP, as no request between "
        "brokers carries the state today. A follower that "
        "begins at its leader's log start asks the leader for the producers whose last batch lies "
        "below that offset, and writes them to a producer snapshot there; those of later batches "
        "it learns by fetching. The response of DescribeProducers (KIP-664) has all fields of a "
        "snapshot but LastOffset and OffsetDelta, by which the leader recognises a duplicate; "
        "they could be added. ProducerStateManager#truncateAndReload must then keep a snapshot at "
        "the log start, which it deletes today, or the next restart or truncation forgets these "
        "producers again. With a leader of an older version all is as today."
    ),
    costs=(
        "A new version of a request, one request for each partition where a follower begins anew, "
        "and one snapshot file there. If that file is lost before the next snapshot is taken, a "
        "restart forgets these producers again. A snapshot has the last batch of a producer only: "
        "the retry of an earlier one is refused with OUT_OF_ORDER_SEQUENCE_NUMBER, as after any "
        "restart."
    ),
    repair="repair_fetch_producers_with_the_log_start",
    stands_alone=True,
    shows="leader_will_recognise_a_duplicate",
    scope="deletions",
)
