"""What Kafka's producer state permits that it should not: snapshot files that are not right."""

from tierproof.model.language import Finding, Passage, Severity, Story

UNKNOWN = "ProducerAppendInfo#checkSequence, which accepts any sequence of an unknown producer"
NEW_LOG = (
    "The partition has one replica, with an empty log. The broker that has it acts as the leader."
)
SENT_TWICE = "An idempotent producer sends a batch, gets no answer in time, and retries."
APPENDED = "The leader appends the first copy at offset 0. The second copy is delayed."
AGAIN = "The second copy arrives, from an unknown producer, and is appended at offset 1."
TWICE = "The batch is in the log twice, at offsets 0 and 1."

EMPTY_SNAPSHOT = Finding(
    name="empty_snapshot_hides_producers",
    title="After a crash an empty snapshot hides the producers of the log before it",
    severity=Severity.WRONG,
    needs=(
        "One replica; one crash. The newest snapshot is missing, as those of segments from before "
        "Kafka 2.8 are, and somebody puts an empty one in its place. Kafka 3.0 to 4.4."
    ),
    claims=(
        "no_sequence_is_accepted_twice",
        "accepted_sequences_follow_each_other",
        "recovery_restores_producers",
    ),
    passages=(
        Passage(
            "KIP-952",
            "Motivation",
            "To provide a smooth upgrade experience we propose to change Kafka to create an empty "
            "producer snapshot file and upload it whenever a segment is due to be archived and "
            "lacks one.",
        ),
    ),
    permitted_by=(
        "ProducerStateManager#loadFromSnapshot, which takes the newest snapshot for everything "
        f"before it; {UNKNOWN}"
    ),
    assumptions=("H3",),
    story=Story(
        "a7ea74",
        (
            ("start", NEW_LOG),
            ("1-2", SENT_TWICE),
            ("3", APPENDED),
            ("4", "The broker rolls the segment, and takes a producer snapshot of offset 1."),
            ("5", "The file of that snapshot is lost."),
            ("6", "An operator puts an empty snapshot in its place, so that it can be copied."),
            ("7", "The broker crashes."),
            (
                "8",
                "The broker recovers the log. It loads the empty snapshot of offset 1, reads only "
                "what comes after it, and knows no producer. Without any file it would have read "
                "the log from offset 0.",
            ),
            ("9", AGAIN),
            ("end", TWICE),
        ),
    ),
    turning=8,
    fix=(
        "Recovery does not rely on a snapshot without producers, but goes on to an older one, or "
        "reads the log; better, nobody makes one."
    ),
    costs="A log that no idempotent producer writes is read from its start after a crash.",
    repair="repair_skip_empty_snapshots",
    shows="retry_is_a_duplicate",
    scope="empty",
)
CLEAN_RESTART = Finding(
    name="clean_restart_without_snapshots",
    title="A clean restart that finds no snapshot forgets every producer",
    severity=Severity.WRONG,
    needs=(
        "One replica; one clean restart. No snapshot file is left, as after an upgrade from a "
        "version without them, or after somebody cleaned the directory. Kafka 3.0 to 4.4."
    ),
    claims=(
        "no_sequence_is_accepted_twice",
        "accepted_sequences_follow_each_other",
        "load_restores_producers",
    ),
    permitted_by=(
        "UnifiedLog#rebuildProducerState, which reads nothing where there is no snapshot and the "
        f"shutdown was clean; {UNKNOWN}"
    ),
    story=Story(
        "a58919",
        (
            ("start", NEW_LOG),
            ("1-2", SENT_TWICE),
            ("3", APPENDED),
            ("4", "The broker shuts down cleanly, with a producer snapshot of offset 1."),
            ("5", "The file of that snapshot is lost."),
            (
                "6",
                "The broker starts. It takes the missing snapshot for a log that never had "
                "producers, writes an empty one, and reads nothing.",
            ),
            ("7", AGAIN),
            ("end", TWICE),
        ),
    ),
    turning=6,
    fix="A start that finds no snapshot reads the log, after a clean shutdown as after a crash.",
    costs=(
        "The first start after an upgrade from before 0.11 reads every log from its start; the "
        "shortcut was made for that start."
    ),
    repair="repair_read_log_without_snapshots",
    shows="retry_is_a_duplicate",
    scope="clean",
)
LOST_SNAPSHOT = Finding(
    name="lost_snapshot_takes_the_log_directory_offline",
    title="A snapshot file that vanishes takes the log directory offline at the next truncation",
    severity=Severity.UNAVAILABLE,
    needs=(
        "Two replicas (the one here is first the leader, then a follower that truncates); one "
        "snapshot file that vanishes while the broker runs. Kafka 3.0 to 4.4."
    ),
    claims=("log_directory_stays_online",),
    permitted_by=(
        "ProducerStateManager#loadFromSnapshot, which goes on to an older snapshot after a "
        "CorruptSnapshotException, and not after a NoSuchFileException"
    ),
    story=Story(
        "f62685",
        (
            ("start", NEW_LOG),
            ("1-2", "An idempotent producer sends a batch, which is appended at offset 0."),
            ("3", "The broker rolls the segment, and takes a producer snapshot of offset 1."),
            ("4", "The file of that snapshot is lost. The running broker does not notice."),
            ("5-6", "The producer sends its next batch, which is appended at offset 1."),
            (
                "7",
                "The broker follows another leader and truncates its log to offset 1. It loads "
                "the snapshot that it knows of, and gets a NoSuchFileException.",
            ),
            (
                "end",
                "The log directory is offline, with every partition in it. A file that could not "
                "be read would have been skipped.",
            ),
        ),
    ),
    turning=7,
    fix="loadFromSnapshot treats a file that is gone like one that is corrupt.",
    costs="A lost file is no longer noticed at once; the log says so.",
    repair="repair_skip_lost_snapshots",
    shows="retry_is_a_duplicate",
    scope="gone",
)
FETCHED_SNAPSHOT = Finding(
    name="fetched_snapshot_is_removed",
    title="A follower that begins on the remote tier removes the snapshot that it has fetched",
    severity=Severity.WRONG,
    needs=(
        "Two replicas (the one here is first the leader, then a follower, then the leader); no "
        "crash, no fault. A follower begins its log after segments that are only in the remote "
        "tier. Kafka 3.6 to 4.4; recorded on 4.4.0."
    ),
    claims=(
        "no_sequence_is_accepted_twice",
        "accepted_sequences_follow_each_other",
        "fetched_producers_are_known",
    ),
    permitted_by=(
        "TierStateMachine#buildRemoteLogAuxState: UnifiedLog#truncateFullyAndStartAt registers an "
        "empty snapshot of the same offset, the fetched file is moved over it, and "
        "ProducerStateManager#truncateFullyAndReloadSnapshots deletes every registered file; "
        f"{UNKNOWN}"
    ),
    story=Story(
        "7246a6",
        (
            ("start", f"{NEW_LOG} The topic is tiered."),
            ("1-2", SENT_TWICE),
            ("3", APPENDED),
            ("4", "The segment is copied, with a producer snapshot of offset 1 that is right."),
            (
                "5",
                "The broker follows a leader whose local log begins at 1. It empties its log, "
                "which writes an empty snapshot of offset 1, moves the fetched snapshot over that "
                "file, and deletes the file as it reloads its snapshots: it knows no producer.",
            ),
            ("6", "The broker leads again. The second copy arrives, and is appended at offset 1."),
            (
                "end",
                "The batch is in the log twice: at offset 0 in the remote tier, and at offset 1.",
            ),
        ),
    ),
    turning=5,
    fix=(
        "TierStateMachine#buildProducerSnapshotFile unregisters the empty snapshot before it moves "
        "the fetched one into place, or the reload reads the directory and deletes nothing."
    ),
    costs="Nothing that we know of.",
    repair="repair_followers_keep_the_snapshot",
    shows="retry_is_a_duplicate",
    scope="rebuilt",
)
