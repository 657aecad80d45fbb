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
    "The topic is tiered. Offsets 0, 1 and 2 are in a segment each, and offset 2 is in the active "
    "one. The segment of offset 0, a batch of producer 0, is from before Kafka 2.8: there is no "
    "producer snapshot of offset 1."
)
ALTERNATIVE = "A rejected alternative of KIP-952, never built."

NEVER_ENDS = Finding(
    name="waiting_never_ends",
    title="The copy task waits for old segments that retention keeps, and copies nothing",
    severity=Severity.STALL,
    symptom=(
        "The topic is tiered, no error is logged, and nothing of the partition is copied. Local "
        "disks fill as without tiering. It stays so until retention.ms or retention.bytes has "
        "deleted every segment from before Kafka 2.8, or a user has (DeleteRecords). With "
        "unlimited retention only that ends it."
    ),
    needs=(
        f"{ALTERNATIVE} One replica or more. A segment from before Kafka 2.8 in a topic whose "
        "retention.ms and retention.bytes keep the segment. No crash, no fault."
    ),
    tracker=UNDER_DISCUSSION,
    claims=("rolled_segments_are_copied",),
    passages=(WAIT,),
    permitted_by=(
        "the sentence, which sets no bound to the wait: retention.ms and retention.bytes may be as "
        "large as one likes, or unlimited"
    ),
    assumptions=("H6",),
    story=Story(
        "1dfc3c",
        (
            ("start", OLD_AND_TIERED),
            ("1-2", "The copy task of the leader finds that nothing is copied yet."),
            ("3", "The leader acknowledges the batch of producer 0, which plays no part."),
            (
                "end",
                "The copy task waits until the segment of offset 0 is deleted, and no retention "
                "deletes that segment: nothing is copied.",
            ),
        ),
    ),
    turning=2,
    unrepaired=(
        "waiting is what the alternative says. The wait ends with retention.ms, and operators tier "
        "a topic so that retention.ms can be long."
    ),
    fix=(
        "Make the snapshot that is missing, by a replay of the log before it, instead of waiting. "
        "The text rejects that as expensive."
    ),
    scope="smoke",
)
RETENTION_WAITS = Finding(
    name="retention_waits_for_the_copy",
    title="An expired segment waits for its copy, and the copy waits for retention to delete it",
    severity=Severity.STALL,
    symptom=(
        "The topic is tiered, no error is logged, and nothing of the partition is copied or "
        "deleted, however old its records get. Local disks fill. It stays so until an operator "
        "disables copying or tiering, or deletes the records."
    ),
    needs=(
        f"{ALTERNATIVE} One replica or more. A segment from before Kafka 2.8 that has reached "
        "retention.ms or retention.bytes when the topic becomes tiered, or reaches it later. No "
        "crash, no fault."
    ),
    tracker=UNDER_DISCUSSION,
    claims=("expired_local_segments_are_removed",),
    passages=(WAIT,),
    permitted_by=(
        "the sentence, which has the copy wait for retention; UnifiedLog#deletableSegments, which "
        "keeps a segment above the log start that is not copied, as long as copying is enabled"
    ),
    assumptions=("H6", "H18"),
    story=Story(
        "dc98dd",
        (
            (
                "start",
                "The topic is not tiered yet. Offset 0, a batch of producer 0, is in a segment "
                "from before Kafka 2.8: there is no producer snapshot of offset 1. Offset 1, of "
                "producer 1, is in the active segment.",
            ),
            ("1", "The leader acknowledges the batch of producer 0, which plays no part."),
            ("2", "Time passes, and both segments reach retention.ms."),
            (
                "3",
                "An operator sets remote.storage.enable=true, before retention has deleted "
                "anything.",
            ),
            ("4", "The leader applies the change and schedules its copy task."),
            ("5-6", "The copy task finds that nothing is copied yet."),
            (
                "end",
                "The copy task waits until retention has deleted the segment of offset 0. "
                "Retention keeps the segment of offset 0 until it is copied.",
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
        "One more rule for when a local segment may be deleted; a mistake in that rule would lose "
        "records. The copy task still waits for old segments that do not expire."
    ),
    repair="repair_retention_expires_what_waits",
    shows="snapshot_is_stored_with_producers",
    scope="enabling",
)
ANOTHER_REPLICA = Finding(
    name="another_replica_still_has_an_old_segment",
    title="The leader alone is asked, and the old leader begins a copy without a snapshot",
    severity=Severity.COST,
    symptom=(
        "The metadata topic has a COPY_SEGMENT_STARTED whose copy fails with an error, as in "
        "Kafka today, and which stays until the expiration task of the new leader deletes it. No "
        "record and no object is lost or left."
    ),
    needs=(
        f"{ALTERNATIVE} Two replicas. Only if the leader alone is asked for old segments: the text "
        "asks all brokers, and this page says why that is needed. One election just before an "
        "operator enables tiering, and an old leader that does not know of the election: "
        "milliseconds. Only with ZooKeeper "
        "(Kafka to 3.9) can a broker learn of the settings first: with KRaft, it applies the "
        "election before them. There, by the code, a follower does the same that is elected after "
        "step 4, before it has fetched the new log start. No crash, no fault."
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
    permitted_by=(
        "RLMCopyTask#copyLogSegment, which publishes COPY_SEGMENT_STARTED before it opens the "
        "producer snapshot, and fails where there is none"
    ),
    assumptions=("H7",),
    story=Story(
        "11a17f",
        (
            (
                "start",
                "The topic is not tiered yet. Broker 0 leads, broker 1 follows. On both brokers "
                "offset 0 is in a segment from before Kafka 2.8, without a producer snapshot of "
                "offset 1.",
            ),
            ("1", "Time passes, and the segment of offset 0 reaches retention.ms."),
            (
                "2",
                "The controller elects broker 1. Broker 0, the old leader, has not learned of the "
                "election.",
            ),
            (
                "3",
                "Retention of broker 1, the new leader, raises its log start past offset 0. The "
                "new leader has no old segment any more.",
            ),
            (
                "4",
                "An operator sets remote.storage.enable=true. The new leader has no old segment, "
                "and the change is accepted.",
            ),
            (
                "5",
                "The old leader, which still takes itself for the leader, schedules its copy task.",
            ),
            ("6-7", "The copy task of the old leader finds that nothing is copied yet."),
            (
                "8",
                "The copy task chooses the segment of offset 0, which the old leader still has.",
            ),
            ("9", "The copy task publishes COPY_SEGMENT_STARTED of id 0."),
            (
                "end",
                "id 0 is in COPY_SEGMENT_STARTED, and there is no producer snapshot to copy.",
            ),
            ("beyond", "The copy fails, as without the KIP, and leaves COPY_SEGMENT_STARTED."),
        ),
    ),
    turning=9,
    fix=(
        "The text rejects this alternative, and rightly: to close it, every replica has to be "
        "asked, those out of sync too, and none of them may be elected meanwhile. The model "
        "was tried with that. The controller cannot do it as it is."
    ),
    costs=(
        "The controller asks every broker with a replica before it accepts the change, and elects "
        "nobody meanwhile: one round of requests, and a broker that is down blocks the change."
    ),
    repair="repair_every_replica_is_asked",
    shows="leader_will_recognise_a_duplicate",
    scope="followers",
    beside=("text_only_the_leader_is_asked",),
)
OBJECT_WITHOUT = Finding(
    name="object_without_snapshot",
    title="Of an object without a producer snapshot nobody can tell whether it is damaged",
    severity=Severity.TEXT,
    symptom=(
        "An operator, or a broker that reads the object later, cannot tell an old segment from a "
        "lost snapshot. Nothing fails by itself."
    ),
    needs=(
        f"{ALTERNATIVE} One replica or more. A segment from before Kafka 2.8 that is copied. No "
        "crash, no fault."
    ),
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
    permitted_by=(
        "the alternative, which stores no snapshots; RemoteLogSegmentMetadata has no field "
        "that says whether one was stored"
    ),
    story=Story(
        "77c49d",
        (
            ("start", OLD_AND_TIERED),
            ("1-3", "The copy task of the leader chooses the segment of offset 0."),
            ("4-5", "The copy task publishes COPY_SEGMENT_STARTED of id 0, and reads it back."),
            ("6", "The copy task stores the object of id 0, without a producer snapshot."),
            (
                "end",
                "The object of id 0 has no producer snapshot, and its metadata do not say whether "
                "it should have one.",
            ),
            (
                "beyond",
                "An empty file, as KIP-952 proposes, only moves the question: nobody can tell it "
                "from the right snapshot of a log without producers.",
            ),
        ),
    ),
    turning=6,
    unrepaired="storing no snapshot is what the alternative says.",
    fix=(
        "Say in RemoteLogSegmentMetadata whether a snapshot was stored: then one that should "
        "be there and is missing is a fault. It needs a tagged field in the record, as "
        "TxnIndexEmpty is, and a KIP. LogSegmentData must permit that there is no snapshot."
    ),
    scope="smoke",
)
READ_AS_EMPTY = Finding(
    name="missing_snapshot_is_read_as_empty",
    title="A follower takes a missing snapshot for an empty one, is elected, and appends a retry",
    severity=Severity.WRONG,
    symptom=(
        "A producer with enable.idempotence sends one batch, and consumers get it twice, at two "
        "offsets. Nobody gets an error. The second batch stays until retention deletes it."
    ),
    needs=(
        f"{ALTERNATIVE} Two replicas. A segment from before Kafka 2.8 that is only in the remote "
        "tier; a follower with an empty disk, the election of that follower, and a retry that "
        "arrives after the election, within delivery.timeout.ms (2 minutes by default). Today such "
        "a follower forgets all producers anyway, as it deletes the snapshot that it has fetched; "
        "in these steps that is mended."
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
        "the sentence: a file that is not found is read as an empty one, so that a follower takes "
        "every producer before it for unknown"
    ),
    assumptions=("H9",),
    story=Story(
        "bf6f86",
        (
            (
                "start",
                "The topic is tiered. Offset 0, a batch of producer 0, is in a segment from before "
                "Kafka 2.8: there is no producer snapshot of offset 1. Offset 1, of producer 1, is "
                "in the active segment. Broker 0 leads, broker 1 follows. Producer 0 has no answer "
                "yet.",
            ),
            ("1", "Producer 0, whose answer was lost, retries its batch. The request is late."),
            ("2", "Broker 1 comes back with an empty disk."),
            (
                "3-10",
                "The leader copies the segment of offset 0 as id 0, without a producer snapshot.",
            ),
            (
                "11-12",
                "An expiration run finds nothing to do. Local retention raises the leader's local "
                "log start to 1: offset 0 is only in the remote tier from now on.",
            ),
            ("13-14", "Broker 1 reads in the metadata topic that offset 0 is in the remote tier."),
            (
                "15",
                "Broker 1 begins its log at offset 1. id 0 has no producer snapshot, so broker 1 "
                "takes an empty one, and has no entry of producer 0.",
            ),
            ("16-17", "Broker 1 fetches offset 1, and the leader adds it to the ISR."),
            ("18-19", "The controller elects broker 1, and broker 1 learns of it."),
            (
                "20",
                "The retry arrives at broker 1, the new leader, which appends the batch at offset "
                "2.",
            ),
            (
                "21-23",
                "Broker 0, the old leader, follows and fetches offset 2, and the batch is "
                "committed.",
            ),
            ("end", "The batch of producer 0 is committed twice, at offsets 0 and 2."),
        ),
    ),
    turning=20,
    fix=(
        "A follower that finds no snapshot with the segment reads the remote log instead, from "
        "the log start on, and builds its producer state from the batches."
    ),
    costs=(
        "One read of the remote log up to the last old segment, by each follower that begins after "
        "one. LogSegmentData must permit a segment without a snapshot, in any case."
    ),
    repair="repair_read_the_remote_log_instead",
    shows="leader_will_recognise_a_duplicate",
    scope="followers",
)
