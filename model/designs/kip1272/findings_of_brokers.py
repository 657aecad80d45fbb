"""Which broker may act in KIP-1272: zombies, leaders that lag, brokers that are rolled back."""

from tierproof.model.language import Finding, Passage, Severity, Story

OFFSETS = "Persisting cleaner-offset-checkpoint to remote storage and Fencing off zombie broker"
SWAP = "Swap Old/New Log Segment Files"

DOWNGRADED = Finding(
    name="downgraded_broker_forgets_the_remote_log",
    title=(
        "A downgraded broker moves the log start offset of a compacted topic past its remote-only "
        "segments"
    ),
    severity=Severity.LOSS,
    symptom=(
        "After a roll-back and an election, consumers that read from the beginning never get "
        "offset 0, which is committed and copied, and no error says so. A consumer whose next "
        "offset is 0 gets OFFSET_OUT_OF_RANGE and resets. To a version without the KIP a compacted "
        "topic is not tiered, whatever remote.storage.enable says: its log starts at the first "
        "local segment, offset 1. Followers take this log start offset over, so that a later "
        "upgrade does not bring offset 0 back. The KIP says nothing of a downgrade."
    ),
    needs=(
        "Two replicas; one broker is rolled back to a version without the KIP, joins the ISR "
        "and is elected. A rolling downgrade of the cluster does this to every "
        "partition whose first segments are only remote. A rolling upgrade can do it, if "
        "compaction is enabled before the last broker is upgraded, and a broker of the older "
        "version restarts after that."
    ),
    claims=(
        "no_committed_record_lost",
        "log_start_passes_only_what_may_go",
        "latest_values_are_read",
    ),
    passages=(
        Passage(
            "KIP-1272",
            "Backward Compatibility",
            "The change is fully backward compatible. Existing topics using cleanup.policy=delete "
            "in tiered storage will continue to function as before",
        ),
        Passage(
            "KIP-1272",
            "Public Interfaces",
            "Configurations: This feature enables the combination of remote.storage.enable=true "
            "with cleanup.policy=compact. Previously, this combination would cause an exception to "
            "be thrown.",
        ),
    ),
    permitted_by=(
        "LogConfig#validate throws this exception where the controller checks a new or changed "
        "topic; a broker that loads the log does not call it. UnifiedLog#isRemoteLogEnabled is "
        "false where cleanup.policy contains compact, so that LogLoader#load begins the log at its "
        "first local segment, if that lies above the checkpointed log start offset"
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
                "Broker 1 restarts with an older version. To that version the topic "
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
                "Broker 0 follows, and takes log start offset 1 over "
                "(ReplicaFetcherThread#processPartitionData). Once a broker with the KIP leads "
                "again, RLMExpirationTask, as it is today, deletes the object of id 0, as it "
                "ends below the log start offset.",
            ),
        ),
    ),
    turning=2,
    fix=(
        "Tie the combination to a feature level: the controller accepts "
        "remote.storage.enable=true with cleanup.policy=compact only from a new metadata.version "
        "on, and refuses to lower it below that while a topic has both. A broker that does not "
        "support the finalized level cannot register. Say in the KIP that such a topic has no way "
        "back. The model was tried without brokers of an older version, which is what the level "
        "amounts to."
    ),
    costs=(
        "No downgrade below that level while a topic has both settings. To refuse it, the "
        "controller has to look at topic settings when a feature level is lowered, and "
        "ControllerConfigurationValidator has to know the level. Before a downgrade such a topic "
        "has to get cleanup.policy=delete, with retention.ms and retention.bytes -1, and local "
        "retention set. (Leaving tiered storage deletes its remote segments.)"
    ),
    repair="repair_feature_forbids_downgrade",
    searched="no broker of an older version",
    stands_alone=True,
    shows="follower_is_ahead_of_the_remote_tier",
    scope="downgrade",
)
LAGGING = Finding(
    name="new_leader_serves_a_deleted_version",
    title=(
        "The remote swap deletes a replaced object without a delay, and fetches that still use it "
        "fail"
    ),
    severity=Severity.COST,
    symptom=(
        "Consumers in a segment that was just compacted are held up: the new leader reads an "
        "object that the old leader has replaced and deleted, and answers their fetches with "
        "UNKNOWN_SERVER_ERROR, which they retry. The version that replaces it is in the store. "
        "They go on once the new leader has read the rest of __remote_log_metadata; if its "
        "ConsumerTask has ended after an exception, only after a restart of the broker."
    ),
    needs=(
        "Two replicas and one election. The new leader's consumer of __remote_log_metadata lags "
        "from COPY_SEGMENT_FINISHED of the new version until the old object is deleted. The "
        "expiration task, which deletes it, runs every 30 seconds by default, so the two may also "
        "be milliseconds apart, which is how much a healthy consumer lags. No crash, no fault. "
        "Consumers that fetch from a follower (KIP-392) need no election: a follower that lags "
        "reads the deleted object, too."
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
            SWAP,
            "RemoteLogMetadataManager updates its cache to route reads to the new segment",
        ),
        Passage(
            "KIP-1272",
            SWAP,
            "Unreferenced segments are asynchronously deleted by the retention thread after "
            "validation (similar to local storage as well)",
        ),
    ),
    permitted_by=(
        "RemotePartitionMetadataStore#remoteLogSegmentMetadata answers from what ConsumerTask of "
        "its broker has read so far, once a partition is initialized. The validation of the second "
        "quote looks at leader epochs, and the replaced segment is within them"
    ),
    story=Story(
        "bbbfa3",
        (
            (
                "start",
                "Broker 0 leads, broker 1 follows. Offsets 0 and 1 have the same key. They are "
                "copied, as id 0 and id 1, and only remote.",
            ),
            (
                "1-3",
                "The cleaner of broker 0 takes offset 0 as its first chunk, and writes the "
                "segment anew. Nothing is removed yet. It begins to copy the result as id 2.",
            ),
            ("4-8", "Broker 0 publishes and stores id 2, and reads that id 2 has finished."),
            (
                "9-12",
                "The expiration task of broker 0 finds id 0 unreferenced, and publishes "
                "DELETE_SEGMENT_STARTED of id 0, which broker 0 reads. (KAFKA-20932 is fixed "
                "here, without which the task does not list id 0.)",
            ),
            (
                "13-14",
                "The controller elects broker 1, which learns that it leads. Its consumer has "
                "read neither id 2 nor the deletion of id 0.",
            ),
            (
                "15",
                "Broker 0 deletes the object of id 0. The harm is the same if it does so before "
                "the election.",
            ),
            (
                "end",
                "The new leader sends a reader of offset 0 to id 0, whose object is gone.",
            ),
            (
                "beyond",
                "Without compaction a leader deletes only objects below its log start offset; "
                "with compaction also objects that consumers still need. "
                "The new leader also resolves the cleaner offset from this cache, gets an older "
                "one, and cleans again what is clean.",
            ),
        ),
    ),
    turning=14,
    late=("controller_elects_leader", "broker_learns_leader"),
    fix=(
        "Have a new leader ask for the end offset of its metadata partition after the election, "
        "and have it answer remote reads and resolve the cleaner offset only once its consumer has "
        "read so far. Today the cache is ready at the end offset of the assignment "
        "(ConsumerTask#maybeMarkUserPartitionsAsReady). This does not stop an old leader that "
        'publishes after that, which needs the fix of "A late segment of an old leader passes the '
        "cleaner-offset fence and displaces the new leader's version\"; and it does not help at "
        "followers. There a delay before the deletion, like file.delete.delay.ms of the local "
        "swap, makes the error rare."
    ),
    costs=(
        "One request for the end offset of a metadata partition at each election. Until the "
        "consumer has read so far, usually milliseconds, remote reads of the partition get a "
        "retriable error. If the metadata topic cannot be read, remote reads stay unavailable. "
        "Another RemoteLogMetadataManager has to give the same guarantee."
    ),
    repair="repair_new_leader_reads_to_the_end",
    searched="the request for the end offset",
    stands_alone=True,
    apart=("repair_delete_unfinished_copies", "repair_retention_and_cleaning_take_turns"),
    shows="cleaned_version_is_read_from_remote",
    scope="zombie",
)
ZOMBIE = Finding(
    name="comparison_of_offsets_fences_nobody",
    title=(
        "A late segment of an old leader passes the cleaner-offset fence and displaces the new "
        "leader's version"
    ),
    severity=Severity.WRONG,
    symptom=(
        "Records that the new leader has removed are back, and count as clean, if an upload of the "
        "old leader claims no more than the new leader took over (beyond these steps). In the "
        "steps below an "
        "old leader that has not heard of the election compacts on, and deletes an object that "
        "the new leader serves. Consumers are held up: the new leader answers their fetches with "
        "UNKNOWN_SERVER_ERROR, which they retry, until it has read the old leader's records. From "
        "then on it serves what the old leader wrote. The vector rejects nothing before the "
        "new leader's first compaction, and afterwards not a segment of the old leader that "
        "carries what a valid one carries. The validation before a deletion looks at leader "
        "epochs only."
    ),
    needs=(
        "Two replicas; one election, and a compaction cycle of the old leader, which acts until it "
        "hears of the election: milliseconds as a rule, longer for an unresponsive broker, as in "
        "the KIP's example. The error lasts as long as the new leader's consumer of "
        "__remote_log_metadata lags: milliseconds, too. No crash, no fault."
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
            "Similar Fencing protection also needs to happen to the remote log segment upload from "
            "the old broker as well as the deletion of the old remote log segment.",
        ),
        Passage(
            "KIP-1272",
            OFFSETS,
            "So the metadata manager will mark the remote log segment as to be deleted "
            "(RemoteLogState.DELETE_SEGMENT_STARTED), then validates them using "
            "isRemoteSegmentWithinLeaderEpochs() before actual deletion. This prevents zombie "
            "brokers from deleting segments still valid under the current leader.",
        ),
    ),
    permitted_by=(
        "TopicBasedRemoteLogMetadataManager#updateRemoteLogSegmentMetadata publishes for "
        "any broker. RemoteLogManager#isRemoteSegmentWithinLeaderEpochs takes the leader epochs of "
        "the broker that calls it, and is true for id 0 on both, as both have epoch 0 from offset "
        "0 on"
    ),
    assumptions=("F12",),
    story=Story(
        "f0286f",
        (
            (
                "start",
                "Broker 0 leads, broker 1 follows. Offsets 0 and 1 have the same key. They are "
                "copied, as id 0 and id 1, and only remote; the log is clean up to offset 1.",
            ),
            (
                "1-3",
                "The cleaner of broker 0 maps offset 1, cleans the segment of offset 0, and "
                "begins to copy the result as id 2.",
            ),
            (
                "4-5",
                "The controller elects broker 1, which learns that it leads, and has read the "
                "metadata topic to its end. Broker 0, the old leader, does not hear of it.",
            ),
            ("6-8", "The old leader publishes COPY_SEGMENT_STARTED of id 2 and stores the object."),
            (
                "9-10",
                "It publishes COPY_SEGMENT_FINISHED of id 2. Nothing rejects it: the new leader "
                "has published no cleaner offset yet.",
            ),
            (
                "11-13",
                "Its expiration task finds id 0 unreferenced, and publishes "
                "DELETE_SEGMENT_STARTED of id 0. (KAFKA-20932 is fixed here, without which the "
                "task does not list id 0.)",
            ),
            (
                "14-15",
                "The old leader reads its record, validates id 0 against its own leader epochs, "
                "and deletes the object.",
            ),
            (
                "end",
                "The new leader has not read the records of steps 6 to 13, and sends a reader of "
                "offset 0 to id 0, whose object is gone.",
            ),
            (
                "beyond",
                "The new leader then reads that id 2 has finished, and serves it. After its own "
                "compaction the KIP's table rejects a segment of the old leader only if it claims "
                "a higher cleaner offset for epoch 0 than the new leader took over (123 and 100 "
                "in the table). One that claims no more, as when the first segment of its cycle "
                "was published before the election, replaces a newer version of the new leader "
                "and brings back records that this one has removed.",
            ),
        ),
    ),
    turning=14,
    late=("controller_elects_leader",),
    fix=(
        "Have every metadata record of a compacted topic carry the leader epoch in which its "
        "publisher began the work. A new leader first publishes its epoch to the metadata topic, "
        "and acts once it has read that record; every consumer ignores records of an earlier epoch "
        "behind it. A publisher waits for its own consumer anyway, and deletes nothing if its "
        "record is ignored, but the object of its own upload if that is COPY_SEGMENT_FINISHED "
        "(not tried). The vector then only says how far the log is clean. The model was tried with "
        "a metadata topic that refuses records of an earlier epoch at append, and with the "
        "check in the consumers. With the latter no committed record is lost or unreadable, and"
        " no segment of a leader is rejected; what an old leader publishes before the record of"
        " the new one still counts. With the epoch that a publisher has when it publishes, a "
        "compaction that it began as leader counts as one of the new epoch, and replaces what "
        "the new leader has published."
    ),
    costs=(
        "One more field in the metadata records, a new kind of record, one round trip "
        "through the metadata topic at each election, and a feature level, as older brokers "
        "would not ignore such records. It is a new duty of every RemoteLogMetadataManager: the "
        "future of a refused record has to fail."
    ),
    repair="repair_fence_remote_metadata",
    searched="a metadata topic that refuses records of an old leader",
    stands_alone=True,
    apart=("repair_delete_unfinished_copies", "repair_retention_and_cleaning_take_turns"),
    shows="cleaned_version_is_read_from_remote",
    scope="rejected",
)

OF_BROKERS = (DOWNGRADED, LAGGING, ZOMBIE)
