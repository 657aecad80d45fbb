"""What the alternatives of KIP-952 that make no snapshot permit: the register's written half."""

from tierproof.model.language import Finding, Passage, Severity, Story

REJECTED = "Rejected Alternatives"
UNDER_DISCUSSION = "KIP-952, Under Discussion"
WAIT = Passage(
    "KIP-952",
    REJECTED,
    "- Make Kafka wait to upload segments until it has expired all segments lacking a producer "
    "snapshot - we think this is just as counter-intuitive (especially if customers aren't "
    "well-aware of what producer snapshots are used for) and requiring niche knowledge as what the "
    "current approach is.",
)
OLD_AND_TIERED = (
    "The topic is tiered. Offset 0, a batch of producer A, is in a segment from before Kafka 2.8: "
    "there is no producer snapshot of offset 1. Offset 1, of producer B, is in the active segment."
)

NEVER_ENDS = Finding(
    name="waiting_never_ends",
    title="Old segments that never expire are waited for for ever, and nothing is copied",
    severity=Severity.STALL,
    needs=(
        "One replica; no crash, no fault. A segment from before Kafka 2.8 in a topic whose "
        "retention keeps it: retention.ms and retention.bytes are long, or unlimited."
    ),
    tracker=UNDER_DISCUSSION,
    claims=("rolled_segments_are_copied",),
    passages=(WAIT,),
    permitted_by="RLMCopyTask, which would choose no segment while an old one is local",
    assumptions=("H6",),
    story=Story(
        "1dfc3c",
        (
            ("start", OLD_AND_TIERED),
            ("1-2", "The copy task of the leader finds that nothing is copied yet."),
            ("3", "The leader answers A; that has no part in it."),
            (
                "end",
                "The copy task waits until the segment of offset 0 has expired, and retention "
                "does not expire it. Nothing of the partition is ever copied.",
            ),
        ),
    ),
    turning=2,
    unrepaired=(
        "it is what the alternative says. A wait ends only as retention.ms does, and a topic is "
        "tiered so that retention.ms can be long."
    ),
    fix="Make the snapshot that is missing, instead of waiting.",
    scope="smoke",
)
RETENTION_WAITS = Finding(
    name="retention_waits_for_the_copy",
    title="An expired segment waits for its copy, and the copy waits for retention to delete it",
    severity=Severity.STALL,
    needs=(
        "One replica; no crash, no fault. A segment from before Kafka 2.8 that has expired when "
        "the topic becomes tiered, or expires later."
    ),
    tracker=UNDER_DISCUSSION,
    claims=("expired_local_segments_are_removed",),
    passages=(WAIT,),
    permitted_by=(
        "UnifiedLog#isSegmentEligibleForDeletion, which is false for a segment that is not copied "
        "while copying is enabled"
    ),
    assumptions=("H6", "H18"),
    story=Story(
        "dc98dd",
        (
            (
                "start",
                "The topic is not tiered yet. Offset 0, a batch of producer A, is in a segment "
                "from before Kafka 2.8: there is no producer snapshot of offset 1. Offset 1, of "
                "producer B, is in the active segment.",
            ),
            ("1", "The leader answers A; that has no part in it."),
            ("2", "Time passes, and both segments breach retention.ms."),
            ("3", "A user sets remote.storage.enable, before retention has deleted anything."),
            ("4", "The leader applies it, and starts its copy task."),
            ("5-6", "The copy task finds that nothing is copied yet."),
            (
                "end",
                "The copy task waits until retention has deleted the segment of offset 0. "
                "Retention keeps it until it is copied. Nothing is copied, and nothing is "
                "deleted, however old it gets.",
            ),
        ),
    ),
    turning=4,
    fix=(
        "The leader moves the log start past a segment that breaches retention.ms or "
        "retention.bytes and that the copy task will never copy. Waiting before tiering is "
        "enabled does the same (the next alternative of the text)."
    ),
    costs=(
        "A rule more for when a local segment may be deleted. Old segments that do not expire are "
        "waited for all the same."
    ),
    repair="repair_retention_expires_what_waits",
    shows="snapshot_is_stored_with_producers",
    scope="enabling",
)
ANOTHER_REPLICA = Finding(
    name="another_replica_still_has_an_old_segment",
    title="The leader alone is asked, and the old leader copies a segment without a snapshot",
    severity=Severity.LEAK,
    needs=(
        "Two replicas; one election while tiering is enabled. No crash, no fault. Only if the "
        "leader alone is asked for old segments, which the text advises against."
    ),
    tracker=UNDER_DISCUSSION,
    claims=("inputs_exist_before_copy_is_published",),
    passages=(
        Passage(
            "KIP-952",
            REJECTED,
            "- Do not allow a topic to have its tiering configuration set to true until all of its "
            "segments have an associated producer snapshot - the limitation here is that this "
            "condition needs to hold true across all brokers and additional synchronisation will "
            "be required.",
        ),
    ),
    permitted_by="RLMCopyTask#copyLogSegment, which fails as `kip405_producers` shows",
    assumptions=("H7",),
    story=Story(
        "11a17f",
        (
            (
                "start",
                "The topic is not tiered yet. Broker 0 leads. On both brokers offset 0 is in a "
                "segment from before Kafka 2.8, without a producer snapshot of offset 1.",
            ),
            ("1", "Time passes, and the segment of offset 0 breaches retention.ms."),
            ("2", "The controller elects broker 1. Broker 0 does not know yet."),
            ("3", "Broker 1 moves its log start past offset 0. It has no old segment any more."),
            (
                "4",
                "A user sets remote.storage.enable. The leader, broker 1, is asked, and tiering "
                "is allowed.",
            ),
            ("5", "Broker 0, which still takes itself for the leader, starts its copy task."),
            ("6-7", "The copy task of broker 0 finds that nothing is copied yet."),
            ("8", "It chooses the segment of offset 0, which broker 0 still has."),
            ("9", "It publishes COPY_SEGMENT_STARTED, and there is no snapshot to copy."),
            ("end", "The copy fails, and leaves its entry behind, as without the KIP."),
        ),
    ),
    turning=9,
    fix="Ask every replica, those out of sync too, and hold up their elections meanwhile.",
    costs="The synchronisation that the text names, across all brokers with a replica.",
    repair="repair_every_replica_is_asked",
    shows="leader_will_recognise_a_duplicate",
    scope="followers",
    beside=("text_only_the_leader_is_asked",),
)
OBJECT_WITHOUT = Finding(
    name="object_without_snapshot",
    title="Of an object without a producer snapshot nobody can tell whether it is damaged",
    severity=Severity.TEXT,
    needs="One replica; no crash, no fault. A segment from before Kafka 2.8 that is copied.",
    tracker=UNDER_DISCUSSION,
    claims=("every_object_has_its_snapshot",),
    passages=(
        Passage(
            "KIP-952",
            REJECTED,
            "It would not be immediately obvious whether a snapshot is not presented because of an "
            "upgrade of Kafka version, because there is a bug in the plugin implementation or "
            "because the remote storage itself has been tampered with - if we explicitly write an "
            "empty file we reduce some of this ambiguity.",
        ),
    ),
    permitted_by="RLMCopyTask#copyLogSegment, which would copy a segment without a snapshot",
    assumptions=("H8", "H9"),
    story=Story(
        "77c49d",
        (
            ("start", OLD_AND_TIERED),
            ("1-3", "The copy task of the leader chooses the segment of offset 0."),
            ("4-5", "It publishes COPY_SEGMENT_STARTED, and reads it back."),
            ("6", "It stores the object, without a producer snapshot."),
            (
                "end",
                "Whoever reads the object later cannot tell an old segment from a fault of the "
                "store or of its plugin. An empty file, as proposed, only moves the question: it "
                "cannot be told from the right snapshot of a log without producers.",
            ),
        ),
    ),
    turning=6,
    unrepaired="to store no snapshot is what the alternative says.",
    fix=(
        "Say in RemoteLogSegmentMetadata whether a snapshot was stored: then one that is missing "
        "is a fault."
    ),
    scope="smoke",
)
READ_AS_EMPTY = Finding(
    name="missing_snapshot_is_read_as_empty",
    title="A follower takes a missing snapshot for an empty one, is elected, and appends a retry",
    severity=Severity.WRONG,
    needs=(
        "Two replicas; a follower with an empty disk, one election, one lost answer. A segment "
        "from before Kafka 2.8 that is only in the remote tier, and the repair of what a follower "
        "does with a snapshot that it fetches (`kip405_producers`), without which it forgets all."
    ),
    tracker=UNDER_DISCUSSION,
    claims=(
        "each_batch_is_committed_once",
        "leader_knows_every_producer",
        "replicas_of_equal_logs_know_the_same_producers",
        "local_snapshots_are_right",
    ),
    passages=(
        Passage(
            "KIP-952",
            REJECTED,
            "- Create empty snapshot files on read if a snapshot file is not found - this is a "
            "close second runner, but we chose to discard it.",
        ),
    ),
    permitted_by=(
        "TierStateMachine#buildProducerSnapshotFile, which would go on where there is no snapshot"
    ),
    assumptions=("H9",),
    story=Story(
        "bf6f86",
        (
            ("start", f"{OLD_AND_TIERED} Broker 0 leads, broker 1 follows. A has no answer yet."),
            ("1", "A, whose answer was lost, retries its batch. The request is late."),
            ("2", "Broker 1 comes back with an empty disk."),
            ("3-10", "The leader copies the segment of offset 0 without a producer snapshot."),
            (
                "11-12",
                "An expiration run finds nothing to do. Local retention of the leader gives up "
                "the segment of offset 0, which is only in the remote tier from now on.",
            ),
            ("13-14", "Broker 1 reads in the metadata topic that offset 0 is in the remote tier."),
            (
                "15",
                "Broker 1 begins its log at offset 1. There is no snapshot with the segment, so it "
                "takes an empty one, and does not know A.",
            ),
            ("16-17", "Broker 1 fetches offset 1, and the leader adds it to the ISR."),
            ("18-19", "The controller elects broker 1, and broker 1 learns of it."),
            ("20", "The retry arrives at the new leader, which appends the batch at offset 2."),
            (
                "21-23",
                "The old leader, broker 0, follows and fetches offset 2, and the batch is "
                "committed.",
            ),
            ("end", "A's batch is committed twice, at offsets 0 and 2."),
        ),
    ),
    turning=20,
    fix=(
        "A follower that finds no snapshot with the segment reads the remote log instead, from "
        "the log start on, and builds its producer state from the batches."
    ),
    costs="One read of the remote log by each follower that begins after an old segment.",
    repair="repair_read_the_remote_log_instead",
    shows="leader_will_recognise_a_duplicate",
    scope="followers",
)
