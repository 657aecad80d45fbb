"""What Kafka as shipped makes of producers in tiered storage: the register's written half."""

from tierproof.model.language import Finding

FOLLOWER_CLAIMS = (
    "each_batch_is_committed_once",
    "leader_knows_every_producer",
    "replicas_of_equal_logs_know_the_same_producers",
    "local_snapshots_are_right",
)
FOLLOWER_PERMITTED_BY = (
    "TierStateMachine#buildRemoteLogAuxState: UnifiedLog#truncateFullyAndStartAt registers an "
    "empty producer snapshot at the new log end; the fetched snapshot is moved over that file; "
    "ProducerStateManager#truncateFullyAndReloadSnapshots then deletes every registered file"
)
FOLLOWER_PREVENTED_BY = "a reload that keeps the fetched snapshot"
LATE_RETRY = Finding(
    name="late_retry_of_an_expired_producer",
    title="A retry that arrives after its producer has expired is appended a second time",
    claims=("each_batch_is_committed_once",),
    permitted_by=(
        "ProducerStateManager#removeExpiredProducers; ProducerAppendInfo#checkSequence, which "
        "accepts any sequence of a producer that is not known"
    ),
    explanation=(
        "A client has sent a batch, which is committed, and retries it because the answer is "
        "late. The retry is delayed for longer than producer.id.expiration.ms. The leader has "
        "forgotten the producer, takes the batch for the first of an unknown producer, and "
        "appends it again. With default settings (a day against delivery.timeout.ms of two "
        "minutes) this takes a broker that is very slow."
    ),
    repair="repair_requests_die_before_expiry",
    prevented_by="expiry only after every request of the producer has died",
    scope="expiry",
)
DELETED_RECORDS = Finding(
    name="deleted_records_take_their_producer_along",
    title="A broker that restarts forgets the producers whose records are all deleted",
    claims=(
        "each_batch_is_committed_once",
        "leader_knows_every_producer",
        "local_snapshots_are_right",
    ),
    permitted_by=(
        "ProducerStateManager#truncateAndReload, which deletes the snapshots at or below the "
        "log start before it loads the newest one"
    ),
    explanation=(
        "Retention deletes every record of a producer that is still alive, and the log start "
        "moves to the base of the next segment. The leader crashes. On loading its log it "
        "deletes the snapshot of that very offset, which is the only one that knows the "
        "producer, and replays a log that no longer has its records. A client that still waits "
        "for its answer retries, and its batch is appended a second time. Readers see it once, "
        "as the first copy is deleted; a reader that had read the first copy sees it twice. "
        "Where retention is shorter than producer.id.expiration.ms, a restart and a lost answer "
        "suffice."
    ),
    repair="repair_snapshots_outlive_their_records",
    prevented_by="a load that still reads the snapshot of the log start",
    scope="retention",
)

FINDINGS = (
    Finding(
        name="follower_on_the_remote_tier_forgets_producers",
        title="A follower that begins on the remote tier knows no producer, and appends a retry",
        claims=FOLLOWER_CLAIMS,
        permitted_by=FOLLOWER_PERMITTED_BY,
        explanation=(
            "A follower comes back with an empty disk. The old segments are only in the remote "
            "tier, so that it begins its log after them and fetches the producer snapshot that "
            "is stored with the last one. The snapshot is right. The follower puts it in place, "
            "and deletes it in the next call, because a snapshot of that offset is registered "
            "since the log was emptied. It knows no producer whose last batch is in the remote "
            "tier. It gets in sync and is elected. A client whose answer was lost retries, the "
            "new leader does not know the producer, and the batch is committed twice. The "
            "snapshot that KIP-405 stores with every segment has no effect. Recorded on "
            "released Kafka (`rebuild` in producer_state.jsonl.gz)."
        ),
        repair="repair_followers_keep_the_snapshot",
        prevented_by=FOLLOWER_PREVENTED_BY,
        scope="followers",
    ),
    Finding(
        name="zombie_writes_to_a_leader_that_forgot",
        title="An older instance of a client writes after the newer one",
        claims=("committed_producer_epochs_never_decrease",),
        permitted_by=FOLLOWER_PERMITTED_BY,
        explanation=(
            "A client was restarted, and its new instance has written in a new epoch; a request "
            "of the old instance is still on its way. The records of the new epoch are only in "
            "the remote tier when a follower begins its log there. As it knows no producer "
            "(`follower_on_the_remote_tier_forgets_producers`), it accepts the old epoch once "
            "it leads: the zombie's batch stands behind those of its successor."
        ),
        repair="repair_followers_keep_the_snapshot",
        prevented_by=FOLLOWER_PREVENTED_BY,
        scope="zombies",
    ),
    Finding(
        name="marker_alone_refuses_the_next_batch",
        title="A marker makes a new leader refuse the next batch of a client that lost nothing",
        claims=("leader_accepts_the_next_batch",),
        permitted_by=(
            f"{FOLLOWER_PERMITTED_BY}; ProducerAppendInfo#checkSequence, which wants sequence 0 "
            "of a producer that is known by a marker alone"
        ),
        explanation=(
            "A follower has begun its log on the remote tier, knows no producer "
            "(`follower_on_the_remote_tier_forgets_producers`) and is elected. The transaction "
            "coordinator aborts a transaction: the marker makes the new leader know the "
            "producer by its epoch alone. All batches of the client are acknowledged. Its next "
            "one has the next sequence, the leader wants sequence 0, and answers "
            "OutOfOrderSequenceException."
        ),
        repair="repair_followers_keep_the_snapshot",
        prevented_by=FOLLOWER_PREVENTED_BY,
        scope="markers",
    ),
    Finding(
        name="follower_begins_at_the_log_start_without_producers",
        title="A follower that begins at the log start does not know who wrote what is deleted",
        claims=(
            "each_batch_is_committed_once",
            "leader_knows_every_producer",
            "replicas_of_equal_logs_know_the_same_producers",
        ),
        permitted_by=(
            "AbstractFetcherThread#fetchOffsetAndTruncate, UnifiedLog#truncateFullyAndStartAt: "
            "no producer state is fetched with the log start"
        ),
        explanation=(
            "A user deletes the first record. A follower with an empty disk is told to begin at "
            "the log start, and gets the records from there on. Nobody tells it which producers "
            "had written before; the leader still knows them. The follower is elected. A client "
            "whose batch is deleted, and whose answer was lost, retries: the batch is appended "
            "a second time. Local logs have this too; tiering has no part in it."
        ),
        repair="repair_fetch_producers_with_the_log_start",
        prevented_by="producer state that comes with the log start",
        scope="deletions",
    ),
    Finding(
        name="missing_snapshot_is_found_out_late",
        title="Every attempt to copy a segment without a snapshot leaves COPY_SEGMENT_STARTED",
        claims=("inputs_exist_before_copy_is_published",),
        permitted_by=(
            "RLMCopyTask#copyLogSegment, which looks the snapshot up, publishes "
            "COPY_SEGMENT_STARTED, and only then takes the path of a file that is null"
        ),
        explanation=(
            "A segment was written before Kafka 2.8 and has no producer snapshot. The copying "
            "thread of the leader publishes COPY_SEGMENT_STARTED under a new id, fails with a "
            "NullPointerException, and tries again at the next run: under another new id. Each "
            "run leaves one entry in the metadata topic, and in the cache of every broker, for a "
            "segment that is not there. Recorded on released Kafka (`dropsnap` in traces.jsonl.gz)."
        ),
        repair="repair_look_for_the_snapshot_first",
        prevented_by="a look for the snapshot before COPY_SEGMENT_STARTED",
        scope="smoke",
    ),
    Finding(
        name="old_segment_is_never_copied",
        title="A segment without a producer snapshot is never copied, nor what comes after it",
        claims=("rolled_segments_are_copied",),
        permitted_by=(
            "RLMCopyTask#copyLogSegmentsToRemote, which begins each run with the segment that "
            "failed; LogSegmentData, which requires the snapshot"
        ),
        explanation=(
            "The copy task of a leader begins every run with the first segment that is not "
            "copied. Where that one has no producer snapshot, every run fails there, for ever: "
            "no later segment is copied either. This is what KIP-952 is written against; its "
            "designs (`kip952` and those beside it) are the repairs."
        ),
        repair="repair_make_the_missing_snapshot",
        prevented_by="a snapshot, or a copy that does without one",
        scope="smoke",
    ),
    LATE_RETRY,
    Finding(
        name="second_batch_arrives_first",
        title="The second of two batches in flight is accepted before the first",
        claims=("committed_sequences_have_no_gap",),
        permitted_by=(
            "ProducerAppendInfo#checkSequence, which accepts any sequence of a producer that is "
            "not known (KIP-360)"
        ),
        explanation=(
            "A new client sends two batches at once. The first request is lost or late, the "
            "second arrives. The leader does not know the producer and accepts sequence 1 as "
            "its first. Sequence 0 is out of order from then on: the records are reordered or "
            "lost, though the client is idempotent and fewer than five requests are in flight."
        ),
        repair="repair_unknown_producers_begin_at_zero",
        prevented_by="sequence 0 for a producer that is not known",
        scope="requests",
    ),
    DELETED_RECORDS,
    Finding(
        name="forgotten_producers_are_copied",
        title="What a restarted leader has forgotten is then missing in the snapshots it copies",
        claims=("copied_snapshots_are_right",),
        permitted_by=DELETED_RECORDS.permitted_by,
        explanation=(
            "After a crash the leader no longer knows a producer whose records are deleted "
            "(`deleted_records_take_their_producer_along`). The next segment that it rolls and "
            "copies gets a producer snapshot without that producer, so that a follower which "
            "begins there does not know it either."
        ),
        repair="repair_snapshots_outlive_their_records",
        prevented_by="a load that still reads the snapshot of the log start",
        scope="retention",
    ),
)
