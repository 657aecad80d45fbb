"""What Kafka as shipped makes of producers in tiered storage: the register's written half."""

from tierproof.model.language import Finding, Passage, Severity, Story

UNKNOWN = "ProducerAppendInfo#checkSequence, which accepts any sequence of an unknown producer"
RETRIED = "Producer A, whose answer was lost, retries its batch. The request is late."
MOTIVATION = Passage(
    "KIP-952",
    "Motivation",
    "Once they do this, however, they start seeing "
    "https://github.com/apache/kafka/blob/trunk/storage/api/src/main/java/org/apache/kafka/server/"
    "log/remote/storage/LogSegmentData.java#L61 and no data is uploaded to Tiered Storage.",
)

FOLLOWER_FORGETS = Finding(
    name="follower_on_the_remote_tier_forgets_producers",
    title="A follower that begins on the remote tier knows no producer, and appends a retry",
    severity=Severity.WRONG,
    needs=(
        "Two replicas; a follower with an empty disk, one election, one lost answer. No crash of "
        "the leader, no fault of the store; the snapshots are right. Kafka 3.6 to 4.4; the reload "
        "was recorded on 4.4.0."
    ),
    claims=(
        "each_batch_is_committed_once",
        "leader_knows_every_producer",
        "replicas_of_equal_logs_know_the_same_producers",
        "local_snapshots_are_right",
    ),
    permitted_by=(
        "TierStateMachine#buildRemoteLogAuxState: UnifiedLog#truncateFullyAndStartAt registers an "
        "empty producer snapshot at the new log end, the fetched snapshot is moved over that file, "
        "and ProducerStateManager#truncateFullyAndReloadSnapshots deletes every registered file; "
        f"{UNKNOWN}"
    ),
    story=Story(
        "9ab320",
        (
            (
                "start",
                "Offset 0, a batch of producer A, is in the remote tier only, with a producer "
                "snapshot that is right. Offset 1, of producer B, is local on both brokers. "
                "Broker 0 leads; A has no answer yet.",
            ),
            ("1", RETRIED),
            ("2", "Broker 1, a follower, comes back with an empty disk."),
            ("3-4", "Broker 1 reads in the metadata topic that offset 0 is in the remote tier."),
            (
                "5",
                "Broker 1 begins its log at offset 1, which writes an empty snapshot of that "
                "offset. It moves the fetched snapshot over the file, and deletes the file as it "
                "reloads its snapshots. It knows no producer.",
            ),
            ("6-7", "Broker 1 fetches offset 1, and the leader adds it to the ISR."),
            ("8-9", "The controller elects broker 1, and broker 1 learns of it."),
            (
                "10",
                "The retry arrives at the new leader, which does not know A, and appends the "
                "batch at offset 2.",
            ),
            (
                "11-13",
                "The old leader, broker 0, follows and fetches offset 2, and the batch is "
                "committed.",
            ),
            ("end", "A's batch is committed twice, at offsets 0 and 2."),
        ),
    ),
    turning=10,
    fix=(
        "TierStateMachine#buildProducerSnapshotFile unregisters the empty snapshot before it moves "
        "the fetched one into place, or the reload reads the directory and deletes nothing."
    ),
    costs="Nothing that we know of.",
    repair="repair_followers_keep_the_snapshot",
    shows="leader_will_recognise_a_duplicate",
    scope="followers",
)
BEGINS_AT_LOG_START = Finding(
    name="follower_begins_at_the_log_start_without_producers",
    title="A follower that begins at the log start does not know who wrote what is deleted",
    severity=Severity.WRONG,
    needs=(
        "Two replicas; a follower with an empty disk, DeleteRecords (or retention), one election, "
        "one lost answer. Tiering has no part in it. Kafka 3.0 to 4.4."
    ),
    claims=(
        "each_batch_is_committed_once",
        "leader_knows_every_producer",
        "replicas_of_equal_logs_know_the_same_producers",
    ),
    permitted_by=(
        "AbstractFetcherThread#fetchOffsetAndTruncate and UnifiedLog#truncateFullyAndStartAt, "
        f"which fetch no producer state with the log start; {UNKNOWN}"
    ),
    story=Story(
        "812493",
        (
            (
                "start",
                "Offset 0 is a batch of producer A, offset 1 one of producer B; both brokers have "
                "both. Broker 0 leads; A has no answer yet.",
            ),
            ("1", RETRIED),
            ("2", "Broker 1, a follower, comes back with an empty disk."),
            ("3", "A user deletes the records below offset 2, which is the log end."),
            (
                "4",
                "Broker 1 is told that its offset 0 is out of range, and begins its log at offset "
                "2. Nobody tells it of A and B, whom the leader still knows.",
            ),
            ("5", "The leader adds broker 1 to the ISR, as it has every record that is left."),
            ("6-7", "The controller elects broker 1, and broker 1 learns of it."),
            (
                "8",
                "The retry arrives at the new leader, which does not know A, and appends the "
                "batch at offset 2.",
            ),
            (
                "9-11",
                "The old leader, broker 0, follows and fetches offset 2, and the batch is "
                "committed.",
            ),
            ("end", "A's batch is committed twice; whoever read offset 0 in time reads it again."),
        ),
    ),
    turning=8,
    fix=(
        "A follower that begins at its leader's log start fetches the producer state of that "
        "offset with it, as it fetches a producer snapshot when it begins on the remote tier."
    ),
    costs="One request more for a follower that begins anew, and a snapshot at the log start.",
    repair="repair_fetch_producers_with_the_log_start",
    shows="leader_will_recognise_a_duplicate",
    scope="deletions",
)
GIVEN_UP = Finding(
    name="segment_is_given_up_without_a_snapshot",
    title="Retention gives up a segment that has no snapshot, and a crash forgets its producers",
    severity=Severity.WRONG,
    needs=(
        "One replica; one crash, one lost answer. A segment from before Kafka 2.8 whose producers "
        "still live when retention, or DeleteRecords, deletes it, or local retention removes it "
        "after it was copied. Kafka 2.8 to 4.4."
    ),
    claims=(
        "each_batch_is_committed_once",
        "leader_knows_every_producer",
        "copied_snapshots_are_right",
        "local_snapshots_are_right",
    ),
    permitted_by=(
        "UnifiedLog#deleteOldSegments and #maybeIncrementLogStartOffset, which ask for no producer "
        "snapshot; ProducerStateManager#truncateAndReload, which loads the newest one that is left"
    ),
    assumptions=("H10",),
    story=Story(
        "1f47eb",
        (
            (
                "start",
                "The topic is not tiered yet. Offset 0, a batch of producer A, is in a segment "
                "from before Kafka 2.8: there is no snapshot of offset 1. Offset 1, of producer B, "
                "is in the active segment. A has no answer yet.",
            ),
            ("1", RETRIED),
            ("2", "Time passes, and the segment of offset 0 breaches retention.ms."),
            (
                "3",
                "Retention raises the log start to 1, which is checkpointed, and is about to "
                "delete the segment. The leader knows A in memory; no snapshot does.",
            ),
            (
                "4",
                "The leader crashes before the segment is deleted, and leads again. It builds its "
                "producer state from the log start, offset 1, on, and does not know A.",
            ),
            ("5", "The retry arrives, from an unknown producer, and is appended at offset 2."),
            ("end", "A's batch is committed twice; whoever read offset 0 in time reads it again."),
        ),
    ),
    turning=4,
    fix=(
        "Before the log start or the local log start moves past a segment, the broker writes a "
        "producer snapshot at the base of the first segment that stays, if there is none: from "
        "the newest snapshot before it and the batches since. Every replica does so."
    ),
    costs="One read of each segment from before Kafka 2.8, when it is deleted.",
    repair="repair_snapshot_before_the_start_moves",
    shows="leader_will_recognise_a_duplicate",
    scope="old_deleted",
)
FOUND_OUT_LATE = Finding(
    name="missing_snapshot_is_found_out_late",
    title="Every attempt to copy a segment without a snapshot leaves COPY_SEGMENT_STARTED",
    severity=Severity.LEAK,
    needs=(
        "One replica; no crash, no fault. A segment from before Kafka 2.8 in a topic that is "
        "tiered. Kafka 3.6 to 4.4; recorded on 4.4.0."
    ),
    tracker="KIP-952",
    claims=("inputs_exist_before_copy_is_published", "rolled_segments_are_copied"),
    passages=(MOTIVATION,),
    permitted_by=(
        "RLMCopyTask#copyLogSegment, which looks the snapshot up, publishes COPY_SEGMENT_STARTED, "
        "and only then takes the path of a file that is null"
    ),
    assumptions=("H12",),
    story=Story(
        "bb7e7b",
        (
            (
                "start",
                "The topic is tiered. Offset 0 is in a segment from before Kafka 2.8: there is no "
                "producer snapshot of offset 1. Offset 1 is in the active segment.",
            ),
            ("1-2", "The copy task of the leader finds that nothing is copied yet."),
            ("3", "The copy task chooses the segment of offset 0."),
            (
                "4",
                "The copy task publishes COPY_SEGMENT_STARTED, under a new id, though it has "
                "looked for the snapshot and found none.",
            ),
            (
                "end",
                "The copy fails with a NullPointerException, and so does every later run, each "
                "under another new id: the metadata topic and the cache of every broker get one "
                "entry a run for a segment that is not there.",
            ),
        ),
    ),
    turning=4,
    fix=(
        "copyLogSegment asks ProducerStateManager#fetchSnapshot before it publishes "
        "COPY_SEGMENT_STARTED, and ends the run if there is no snapshot."
    ),
    costs=(
        "An expired segment without a snapshot then stays for ever, unless it is copied after "
        "all: as shipped, the leaked COPY_SEGMENT_STARTED counts as a segment for the expiration "
        "task, which moves the log start past it, and so lets the local segment be deleted."
    ),
    repair="repair_look_for_the_snapshot_first",
    apart=("repair_make_the_missing_snapshot",),
    shows="old_segment_is_copied",
    scope="smoke",
)
NEVER_COPIED = Finding(
    name="old_segment_is_never_copied",
    title="A segment without a producer snapshot is never copied, nor anything after it",
    severity=Severity.STALL,
    needs=(
        "One replica; no crash, no fault. A segment from before Kafka 2.8 in a topic that is "
        "tiered. Kafka 3.6 to 4.4."
    ),
    tracker="KIP-952",
    claims=("rolled_segments_are_copied",),
    passages=(MOTIVATION,),
    permitted_by=(
        "RLMCopyTask#copyLogSegmentsToRemote, which begins each run with the segment that failed; "
        "LogSegmentData, which requires the snapshot"
    ),
    story=Story(
        "2f7401",
        (
            (
                "start",
                "The topic is tiered. Offset 0 is in a segment from before Kafka 2.8: there is no "
                "producer snapshot of offset 1. Offset 1 is in the active segment.",
            ),
            ("1-2", "The copy task of the leader finds that nothing is copied yet."),
            (
                "3",
                "The copy task chooses the segment of offset 0, and finds no snapshot to copy "
                "with it.",
            ),
            ("4", "The leader answers the producer of offset 0; that has no part in it."),
            (
                "end",
                "Every later run begins with the same segment and fails in the same way. Nothing "
                "of the partition is ever copied.",
            ),
        ),
    ),
    turning=3,
    fix=(
        "The copy task makes the snapshot that is missing, and makes it right: from the newest "
        "snapshot before it, or from the start of the local log, which still has every segment "
        "that is not copied. KIP-952 proposes an empty one, which is worse than none (`kip952`)."
    ),
    costs="One read of each segment from before Kafka 2.8, when it is copied.",
    repair="repair_make_the_missing_snapshot",
    shows="old_segment_is_copied",
    scope="smoke",
)

FINDINGS = (FOLLOWER_FORGETS, BEGINS_AT_LOG_START, GIVEN_UP, FOUND_OUT_LATE, NEVER_COPIED)
