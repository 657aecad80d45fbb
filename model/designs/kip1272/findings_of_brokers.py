"""Which broker may act in KIP-1272: zombies, leaders that lag, brokers that are rolled back."""

from tierproof.model.language import Finding, Passage, Severity, Story

OFFSETS = "Persisting cleaner-offset-checkpoint to remote storage and Fencing off zombie broker"

DOWNGRADED = Finding(
    name="downgraded_broker_forgets_the_remote_log",
    title="A broker that is rolled back begins the log at its first local segment",
    severity=Severity.LOSS,
    symptom=(
        "After a roll-back and an election, consumers that read from the beginning never get "
        "offset 0, which is committed and copied, and no error says so; a consumer whose next "
        "offset is 0 gets OFFSET_OUT_OF_RANGE and resets. An upgrade does not bring it back. To "
        "the older version a compacted topic is not tiered, so the log start offset becomes that "
        "of the first local segment, offset 1, and followers take it over."
    ),
    needs=(
        "Two replicas; one broker is rolled back to a version without the KIP, joins the ISR "
        "and is elected. A rolling downgrade does this to every "
        "partition whose first segments are only remote."
    ),
    claims=(
        "no_committed_record_lost",
        "log_start_passes_only_what_may_go",
        "latest_values_are_read",
    ),
    passages=(
        Passage("KIP-1272", "Backward Compatibility", "The change is fully backward compatible."),
    ),
    permitted_by=(
        "UnifiedLog#isRemoteLogEnabled, which is false where cleanup.policy contains compact, "
        "so that LogLoader#load begins the log at its first local segment, where that lies above "
        "the checkpointed log start offset"
    ),
    story=Story(
        "b35db6",
        (
            (
                "start",
                "Broker 0 leads, broker 1 follows. Offsets 0 and 1 are copied, as id 0 and "
                "id 1. Offset 0 is no longer local on either broker, offset 1 is.",
            ),
            (
                "1",
                "Broker 1 restarts with an older version. To that version a compacted topic "
                "is not tiered: the log of broker 1 starts at offset 1, the first local one.",
            ),
            ("2", "Broker 1 has caught up, and broker 0 adds it to the ISR."),
            ("3-4", "The controller elects broker 1, which learns that it leads."),
            (
                "end",
                "The leader's log start offset is 1. Offset 0 is committed, id 0 is still in "
                "the remote store, and the leader never looks there.",
            ),
            (
                "beyond",
                "Followers take the leader's log start offset over, so that an upgrade of "
                "broker 1 does not bring offset 0 back. RLMExpirationTask, as it is today, then "
                "deletes the object of id 0, as it ends below the log start offset.",
            ),
        ),
    ),
    turning=3,
    fix=(
        "Say that there is no way back, and tie the combination to a feature level: the "
        "controller accepts remote.storage.enable=true with cleanup.policy=compact only from a "
        "new metadata.version on, and refuses to lower it below that while a topic has both. A "
        "broker that does not support the finalized level cannot register."
    ),
    costs=(
        "No downgrade below that level while a topic has both settings. To refuse it, the "
        "controller has to look at topic settings when a feature level is lowered, and "
        "ControllerConfigurationValidator has to know the level."
    ),
    repair="repair_feature_forbids_downgrade",
    stands_alone=True,
    shows="follower_is_ahead_of_the_remote_tier",
    scope="downgrade",
)
LAGGING = Finding(
    name="new_leader_serves_a_deleted_version",
    title="A new leader that has read too little metadata sends consumers to a deleted object",
    severity=Severity.UNAVAILABLE,
    symptom=(
        "Consumers in a segment that was just compacted are held up: their fetches from the new "
        "leader get UNKNOWN_SERVER_ERROR, which they retry, as it reads an object that the old "
        "leader has replaced and deleted. The version that replaces it is in the store: they go on "
        "once the new leader has read the rest of __remote_log_metadata."
    ),
    needs=(
        "Two replicas and one election while the new leader's consumer of "
        "__remote_log_metadata lags: usually milliseconds, longer after a broker start or "
        "with many partitions. No crash, no fault."
    ),
    claims=(
        "no_committed_record_lost",
        "committed_records_stay_readable",
        "new_leader_reads_all_claims",
        "quiet_store_holds_finished_segments_only",
    ),
    passages=(
        Passage(
            "KIP-1272",
            OFFSETS,
            "It will look at the previous leaderEpoch and ask the "
            "RemoteStorageMetadataManager for the cleanerOffset for that epoch, this is very "
            "similar to how it currently resolves the highest offset for a leader epoch "
            "during leadership switch.",
        ),
        Passage(
            "KIP-1272",
            "Swap Old/New Log Segment Files",
            "RemoteLogMetadataManager updates its cache to route reads to the new segment",
        ),
    ),
    permitted_by=(
        "RemotePartitionMetadataStore#remoteLogSegmentMetadata, which answers from what "
        "ConsumerTask has read so far once a partition is initialized"
    ),
    story=Story(
        "aa84ec",
        (
            (
                "start",
                "Broker 0 leads, broker 1 follows. Offsets 0 and 1 have the same key. They are "
                "copied, as id 0 and id 1, and only remote.",
            ),
            (
                "1-3",
                "The cleaner of broker 0 cleans the segment of offset 0, and begins to copy "
                "the result as id 2.",
            ),
            ("4-8", "Broker 0 publishes and stores id 2, and reads that id 2 has finished."),
            (
                "9-11",
                "The expiration task of broker 0 finds id 0 unreferenced, and publishes "
                "DELETE_SEGMENT_STARTED of id 0. (We assume that KAFKA-20932 is fixed, so that "
                "the task lists id 0, and that it deletes what is unreferenced.)",
            ),
            (
                "12-13",
                "The controller elects broker 1, which learns that it leads. Its consumer has "
                "read neither id 2 nor the deletion of id 0.",
            ),
            ("14-15", "Broker 0, the old leader, reads its record and deletes the object."),
            (
                "end",
                "The new leader sends a reader of offset 0 to id 0, whose object is gone.",
            ),
            (
                "beyond",
                "Without compaction an object that readers use is deleted only once the "
                "log start offset of the leader that deletes it lies above it; with "
                "compaction it is deleted where readers still fetch. A new leader that "
                "resolves the cleaner offset from the same cache gets an older one, and "
                "cleans again what is clean.",
            ),
        ),
    ),
    turning=15,
    fix=(
        "Have a new leader ask for the end offset of its metadata partition after the "
        "election, and have it answer remote reads and resolve the cleaner offset only once "
        "its consumer has read so far. Today the cache is ready at the end offset of the "
        "assignment (ConsumerTask#maybeMarkUserPartitionsAsReady). This does not "
        "stop an old leader that publishes after that; that "
        'needs the fix of "An old leader replaces and deletes what the new one serves: the vector '
        'fences no writer".'
    ),
    costs=(
        "One request for the end offset of a metadata partition at each election. Until the "
        "consumer has read so far, usually milliseconds, remote reads of the partition get a "
        "retriable error. If the metadata topic cannot be read, remote reads stay unavailable. "
        "Another RemoteLogMetadataManager has to give the same guarantee."
    ),
    repair="repair_new_leader_reads_to_the_end",
    stands_alone=True,
    apart=("repair_delete_unfinished_copies",),
    shows="cleaned_version_is_read_from_remote",
    scope="zombie",
)
ZOMBIE = Finding(
    name="comparison_of_offsets_fences_nobody",
    title="An old leader replaces and deletes what the new one serves: the vector fences no writer",
    severity=Severity.UNAVAILABLE,
    symptom=(
        "Consumers are held up: their fetches from the new leader get UNKNOWN_SERVER_ERROR, which "
        "they retry, as the old leader, which has not heard of the election, has compacted on and "
        "deleted the object. They go on "
        "once the new leader has read the old leader's records, and from then on it serves what "
        "the old leader wrote. The vector does not prevent this: it rejects a cleaner offset only "
        "if a later epoch has published a lower one for the same epoch."
    ),
    needs=(
        "Two replicas; one election, of which the old leader hears late, and a compaction "
        "cycle of the old leader. The window is open until the old leader hears of the "
        "election: milliseconds as a rule, longer for a broker that is unresponsive. No crash, "
        "no fault."
    ),
    claims=(
        "committed_records_stay_readable",
        "no_committed_record_lost",
        "only_the_leader_publishes_copies",
        "only_the_leader_deletes",
        "accepted_claims_are_of_leaders",
        "leaders_claims_are_never_rejected",
    ),
    passages=(
        Passage(
            "KIP-1272",
            OFFSETS,
            "When the follower proceeds with compaction and publishes its new cleaner-offset it "
            "will use its new leader epoch and essentially makes any publishing from zombie old "
            "broker invalid.",
        ),
        Passage(
            "KIP-1272",
            OFFSETS,
            "This prevents zombie brokers from deleting segments still valid under the current "
            "leader.",
        ),
    ),
    permitted_by=(
        "TopicBasedRemoteLogMetadataManager#updateRemoteLogSegmentMetadata, which publishes for "
        "any broker; RemoteLogManager#isRemoteSegmentWithinLeaderEpochs, which the old leader "
        "evaluates with its own leader epochs"
    ),
    assumptions=("F12",),
    story=Story(
        "0eaae4",
        (
            (
                "start",
                "Broker 0 leads, broker 1 follows. Offsets 0 and 1 have the same key. They are "
                "copied, as id 0 and id 1, and only remote; the log is clean up to offset 1.",
            ),
            ("1", "The controller elects broker 1. Broker 0, the old leader, does not hear of it."),
            (
                "2-4",
                "The cleaner of the old leader maps offset 1, cleans the segment of offset 0, and "
                "begins to copy the result as id 2.",
            ),
            (
                "5",
                "Broker 1 learns that it leads. It has read the metadata topic to its end.",
            ),
            ("6-8", "The old leader publishes COPY_SEGMENT_STARTED of id 2 and stores the object."),
            (
                "9-10",
                "The old leader publishes COPY_SEGMENT_FINISHED of id 2. Nothing rejects it: the "
                "new leader has published no cleaner offset yet.",
            ),
            (
                "11-13",
                "The expiration task of the old leader finds id 0 unreferenced, and publishes "
                "DELETE_SEGMENT_STARTED of id 0. (We assume that KAFKA-20932 is fixed, so that "
                "the task lists id 0, and that it deletes what is unreferenced.)",
            ),
            (
                "14-15",
                "The old leader validates id 0 against its own leader epochs, and deletes the "
                "object.",
            ),
            (
                "end",
                "The new leader sends a reader of offset 0 to id 0, whose object the old leader "
                "has deleted.",
            ),
            (
                "beyond",
                "The new leader then reads that id 2 has finished, and serves it. The vector "
                "rejects id 2 only after a compaction of the new leader, and only if id 2 claims a "
                "higher cleaner offset for epoch 0 than the new leader took over.",
            ),
        ),
    ),
    turning=15,
    fix=(
        "Have every metadata record carry the leader epoch of the broker that publishes it, "
        "and refuse records of an earlier epoch than the current one. Without a check at "
        "append: each new leader publishes its epoch before it acts, and every consumer "
        "ignores records of an earlier epoch behind that. A publisher waits for its own "
        "consumer anyway, and stops before it deletes an object if its record is ignored. The "
        "vector then says how far each epoch was cleaned, and fences nothing. The model was "
        "tried with a topic that refuses such records; we have not explored the other way."
    ),
    costs=(
        "One more field in RemoteLogSegmentMetadata, RemoteLogSegmentMetadataUpdate and their "
        "records. With the check in the consumers also a new kind of record, one round trip "
        "through the metadata topic at each election, and a feature level, as older brokers "
        "would not ignore such records. It is a new duty of every RemoteLogMetadataManager: the "
        "future of a refused record has to fail."
    ),
    repair="repair_fence_remote_metadata",
    searched="a metadata topic that refuses records of an old leader",
    stands_alone=True,
    apart=("repair_delete_unfinished_copies",),
    shows="cleaned_version_is_read_from_remote",
    scope="rejected",
)

OF_BROKERS = (DOWNGRADED, LAGGING, ZOMBIE)
