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
    title=("The KIP does not say how long waiting lasts: as long as retention, or for ever"),
    severity=Severity.TEXT,
    symptom=(
        "The topic is tiered, and nothing of the partition is copied: as today, but without the "
        "error that each run of the copy task logs today. Local disks fill. At best this ends "
        "once retention.ms or retention.bytes has deleted every segment from before Kafka 2.8. As "
        'Kafka is, retention keeps these, too: see our report "Waiting for segments without a '
        'snapshot to expire deadlocks, as retention waits for their copy". Then an operator has '
        "to end it, by DeleteRecords or remote.log.copy.disable (Kafka 3.9)."
    ),
    needs=(
        f"{ALTERNATIVE} One replica or more. A segment from before Kafka 2.8 that retention.ms and "
        "retention.bytes keep, for a long time or for ever. No crash, no fault."
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
            (
                "start",
                f"{OLD_AND_TIERED} Neither retention.ms nor retention.bytes reaches offset 0.",
            ),
            ("1-2", "The copy task of the leader finds that nothing is copied yet."),
            ("3", "The leader acknowledges the batch of producer 0, which plays no part."),
            (
                "end",
                "The copy task waits until the segment of offset 0 is deleted. No retention "
                "deletes it, so nothing is copied.",
            ),
        ),
    ),
    turning=2,
    unrepaired=(
        "waiting is what the alternative says, and operators tier a topic so that retention.ms "
        "can be long."
    ),
    fix=(
        "Do not wait: make the snapshot that is missing by a replay of the log before it. That is "
        "the first alternative, which the text rejects as expensive."
    ),
    scope="smoke",
)
RETENTION_WAITS = Finding(
    name="retention_waits_for_the_copy",
    title=(
        "Waiting for segments without a snapshot to expire deadlocks, as retention waits for "
        "their copy"
    ),
    severity=Severity.TEXT,
    symptom=(
        "The topic is tiered, no error is logged, and nothing of the partition is copied or "
        "deleted, however old its records get. Local disks fill. It stays so until an operator "
        "switches copying off (remote.log.copy.disable, Kafka 3.9), disables tiering, or deletes "
        "the records (DeleteRecords)."
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
        "UnifiedLog#isSegmentEligibleForDeletion, which keeps a segment above the log start that "
        "is not copied, however old, as long as copying is enabled"
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
            (
                "beyond",
                "Kafka has no such deadlock today: the failed copy leaves a COPY_SEGMENT_STARTED. "
                "The expiration task expires that entry by its largest timestamp, and moves the "
                "log start past the segment. A task that waits leaves no entry.",
            ),
        ),
    ),
    turning=4,
    fix=(
        "The leader moves the log start past a segment that breaches retention.ms or "
        "retention.bytes and that the copy task will never copy. The next alternative of the text "
        "avoids the deadlock, too: it refuses to enable tiering while there is such a segment."
    ),
    costs=(
        "One more rule for when a local segment may be deleted; a mistake in that rule would lose "
        "records. The copy task still waits for old segments that do not expire."
    ),
    repair="repair_retention_expires_what_waits",
    stands_alone=True,
    shows="snapshot_is_stored_with_producers",
    scope="enabling",
)
ANOTHER_REPLICA = Finding(
    name="another_replica_still_has_an_old_segment",
    title=("The check before tiering must also cover replicas outside the ISR and former leaders"),
    severity=Severity.TEXT,
    symptom=(
        "A copy fails with an error, as in Kafka today, and leaves a COPY_SEGMENT_STARTED in the "
        "metadata topic until the expiration task of the new leader deletes it. No record is "
        "lost, and no object is left. The text rejects this alternative because it has to hold "
        "across all brokers; these steps show that the authors are right."
    ),
    needs=(
        f"{ALTERNATIVE} Two replicas. Only if the leader alone is asked, and not all brokers, as "
        "the text says. An election just before an operator enables tiering, and an old leader "
        "that learns of the settings before it learns of the election: milliseconds, and only "
        "with ZooKeeper (Kafka to 3.9), as a KRaft broker applies the election first. With KRaft "
        "it takes an election after the enable, of a follower that still has the old segment: by "
        "the code, not in these steps. No crash, no fault."
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
        "1619a6",
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
                "The retention check of broker 1, the follower, deletes the segment of offset 0 "
                "and raises its log start to 1. That of broker 0 has not run yet.",
            ),
            (
                "3",
                "The controller elects broker 1. Broker 0, the old leader, has not learned of the "
                "election.",
            ),
            (
                "4",
                "An operator sets remote.storage.enable=true. Broker 1, the elected leader, has no "
                "old segment, and the change is accepted.",
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
        "Every replica is asked in one moment, those out of sync too, and nobody is elected "
        "meanwhile. The model was tried with that. The controller cannot do it as it is, so we "
        "agree with the rejection."
    ),
    costs=(
        "The controller asks every broker with a replica before it accepts the change, and elects "
        "nobody meanwhile: one round of requests, and a broker that is down blocks the change."
    ),
    repair="repair_every_replica_is_asked",
    shows="leader_will_recognise_a_duplicate",
    scope="followers",
    late=("controller_elects_leader",),
    beside=("text_only_the_leader_is_asked",),
)
OBJECT_WITHOUT = Finding(
    name="object_without_snapshot",
    title=(
        "Where a producer snapshot may be absent, metadata cannot tell an absent one from one "
        "that is lost"
    ),
    severity=Severity.TEXT,
    symptom=(
        "An operator, or a broker that reads the object later, cannot tell a segment that never "
        "had a snapshot from one whose snapshot is lost. Nothing fails by itself. The text says "
        "so, and discards its close second runner for it; one field in the metadata would settle "
        "it."
    ),
    needs=(
        "One of two rejected alternatives of KIP-952, never built: "
        '"Create empty snapshot files on read if a snapshot file is not found", or "Do not archive '
        'snapshot files" in a topic that has older objects with a snapshot. One replica or more. A '
        "segment from before Kafka 2.8 that is copied. No crash, no fault."
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
        "RemoteLogSegmentMetadata, which has no field that says whether a snapshot was stored"
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
                "The empty file that KIP-952 proposes shows that nothing is lost. But nobody can "
                "tell it from the right snapshot of a log without producers.",
            ),
        ),
    ),
    turning=6,
    unrepaired="the alternatives copy this segment without a snapshot; the field changes no step.",
    fix=(
        "RemoteLogSegmentMetadata says whether a snapshot was stored. Then one that should be "
        "there and is missing is a fault, and one that was never stored is not. It needs a tagged "
        "field in RemoteLogSegmentMetadataRecord and RemoteLogSegmentMetadataSnapshotRecord, as "
        "TxnIndexEmpty is, and a KIP; the update record needs none, as the flag is known before "
        "COPY_SEGMENT_STARTED. LogSegmentData must permit that there is no snapshot."
    ),
    scope="smoke",
)
READ_AS_EMPTY = Finding(
    name="missing_snapshot_is_read_as_empty",
    title=(
        "An empty snapshot on read hides producers from a follower, as an uploaded empty one does"
    ),
    severity=Severity.WRONG,
    symptom=(
        "A producer with enable.idempotence sends one batch, and consumers get it twice, at two "
        "offsets. Nobody gets an error. The second batch stays until retention deletes it. The "
        "empty file that KIP-952 uploads would do the same, as a follower reads it alike. By the "
        "code the follower also leaves a transaction out of its transaction index that was aborted "
        "after its first offset and began before it."
    ),
    needs=(
        f"{ALTERNATIVE} Two replicas. A segment from before Kafka 2.8 that is only in the remote "
        "tier, and a follower with an empty disk, which builds on it and is elected. A retry that "
        "arrives after the election: with the default delivery.timeout.ms all of this falls into 2 "
        "minutes. Today such a follower forgets all producers anyway, as it deletes the snapshot "
        "that it has fetched; in these steps it keeps that snapshot."
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
                "Local retention raises the leader's local log start to 1: offset 0 is only in the "
                "remote tier from now on.",
            ),
            ("13-14", "Broker 1 reads in the metadata topic that offset 0 is in the remote tier."),
            (
                "15",
                "Broker 1 begins its log at offset 1, the leader's local log start. id 0 has no "
                "producer snapshot, so broker 1 takes an empty one, and has no entry of producer "
                "0.",
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
        "A follower that finds no snapshot with the segment reads the remote log, from the log "
        "start on, and builds its producer state from the batches."
    ),
    costs=(
        "One read of the remote log up to the last old segment, by each follower that begins after "
        "one. LogSegmentData must permit a segment without a snapshot, in any case."
    ),
    repair="repair_read_the_remote_log_instead",
    shows="leader_will_recognise_a_duplicate",
    scope="followers",
)
