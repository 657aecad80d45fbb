"""What an election does in KIP-1272: the register, the worst first."""

from tierproof.model.language import Finding, Passage, Severity, Story

OFFSETS = "Persisting cleaner-offset-checkpoint to remote storage and Fencing off zombie broker"

OF_LEADERS = (
    Finding(
        name="election_removes_what_is_only_local",
        title="A new leader removes local segments that were never copied",
        severity=Severity.LOSS,
        needs="Two replicas; an election while a segment is not copied yet. No crash, no fault.",
        claims=(
            "no_committed_record_lost",
            "committed_records_stay_readable",
            "remote_and_local_parts_are_contiguous",
            "latest_values_are_read",
            "cleaner_offset_is_remote",
        ),
        passages=(
            Passage(
                "KIP-1272",
                OFFSETS,
                "The follower also needs to remove its local log segments before the "
                "cleaner-offset-checkpoint to make its local content consistent with the remote "
                "storage.",
            ),
        ),
        permitted_by="the text: no sentence bounds the cleaner offset by what is copied",
        assumptions=("F1",),
        story=Story(
            "ddf370",
            (
                (
                    "start",
                    "Broker 0 leads, broker 1 follows. Offsets 0 and 1 have the same key, a "
                    "segment each; offset 0 is copied and clean, offset 1 is only local.",
                ),
                (
                    "1-2",
                    "The leader's cleaner maps the keys up to offset 1 and cleans offset 0: its "
                    "value is superseded by that at offset 1.",
                ),
                (
                    "3-6",
                    "It copies the cleaned segment of offset 0 under a new id. The metadata claim "
                    "that epoch 0 is clean up to offset 2, the end of the pass.",
                ),
                ("7", "It publishes COPY_SEGMENT_FINISHED of the new id."),
                ("8-9", "Broker 1 is elected, and learns it."),
                ("10-11", "The new leader reads the metadata topic to its end."),
                (
                    "12",
                    "It takes the cleaner offset 2 over and removes its local segments below it, "
                    "as the text asks: that of offset 1 is among them.",
                ),
                (
                    "end",
                    "Offset 1, the only value of its key, is committed; no object has it, and "
                    "the leader's local log begins at offset 2.",
                ),
            ),
        ),
        turning=12,
        fix=(
            "Let the uncleanable region begin at the first offset that is not copied, so that no "
            "cleaner offset lies above the end of the remote log."
        ),
        costs="A segment is cleaned only after it was copied, and is then copied twice.",
        repair="repair_clean_only_what_is_copied",
        apart=("repair_claim_with_the_last_segment",),
        shows="cleaned_version_is_read_from_remote",
        scope="copying",
    ),
    Finding(
        name="downgraded_broker_forgets_the_remote_log",
        title="A broker that is rolled back begins the log at its first local segment",
        severity=Severity.LOSS,
        needs="Two replicas; a roll-back of one broker and an election.",
        claims=(
            "no_committed_record_lost",
            "log_start_passes_only_what_may_go",
            "latest_values_are_read",
        ),
        passages=(
            Passage(
                "KIP-1272", "Backward Compatibility", "The change is fully backward compatible."
            ),
        ),
        permitted_by=(
            "UnifiedLog#isRemoteLogEnabled, which is false where cleanup.policy contains compact"
        ),
        story=Story(
            "b35db6",
            (
                (
                    "start",
                    "Broker 0 leads, broker 1 follows. Offsets 0 and 1 are copied; offset 0 is no "
                    "longer local.",
                ),
                (
                    "1",
                    "Broker 1 comes back with a version that knows nothing of the KIP. To it a "
                    "compacted topic is not tiered: its log starts at offset 1, the first local "
                    "one.",
                ),
                ("2", "It is in sync again."),
                ("3-4", "It is elected, and learns it."),
                (
                    "end",
                    "The leader's log start is offset 1. Offset 0 is committed, is in the remote "
                    "tier, and no reader gets it; followers take the log start over.",
                ),
            ),
        ),
        turning=3,
        fix=(
            "Tie tiered compacted topics to a feature level, which a broker of an older version "
            "does not have and cannot join with."
        ),
        costs="No roll-back once a topic uses the feature.",
        repair="repair_feature_forbids_downgrade",
        shows="follower_is_ahead_of_the_remote_tier",
        scope="downgrade",
    ),
    Finding(
        name="follower_removes_the_tombstone",
        title="A follower's cleaner removes a tombstone, and after an election the key is back",
        severity=Severity.WRONG,
        needs=(
            "Two replicas; an election; a value that is only remote, and a tombstone that is "
            "still local. No crash, no fault."
        ),
        claims=("no_deleted_key_comes_back", "tombstones_outlive_what_they_delete"),
        passages=(
            Passage(
                "KIP-1272",
                "Compaction on the follower broker",
                "Instead the follower broker will only do log cleaning/compaction on its local "
                "log segment files.",
            ),
        ),
        permitted_by="Cleaner#cleanSegments, which removes a tombstone once its horizon is over",
        story=Story(
            "7ab66e",
            (
                (
                    "start",
                    "Broker 0 leads, broker 1 follows. Offset 0 has a value of a key, offset 1 "
                    "its tombstone, offset 2 another key. All are copied; offset 0 is no longer "
                    "local, the others are.",
                ),
                ("1", "Broker 1 is elected, and does not know it yet."),
                (
                    "2-5",
                    "As a follower it cleans its local segments: the tombstone gets its delete "
                    "horizon.",
                ),
                ("6", "delete.retention.ms is over when its next pass begins."),
                (
                    "7-8",
                    "This pass removes the tombstone from the local log: nothing older of the key "
                    "is there.",
                ),
                ("9", "Broker 1 learns that it leads."),
                (
                    "end",
                    "A reader gets the value at offset 0 from the remote tier and no tombstone "
                    "from the local log: the deleted key is back. The new leader cleans with its "
                    "local segments, so that the value stays until the key is written again.",
                ),
            ),
        ),
        turning=8,
        fix=(
            "Have a follower's cleaner keep tombstones and transaction markers: it does not see "
            "the remote tier, which may have what they delete."
        ),
        costs="Tombstones and markers stay in a follower's local log until local retention.",
        repair="repair_followers_keep_tombstones",
        shows="follower_is_ahead_of_the_remote_tier",
        scope="followers",
    ),
    Finding(
        name="claim_comes_before_the_work",
        title="The first segment of a pass claims what the others have still to do",
        severity=Severity.COST,
        needs=(
            "Two replicas; an election after the first of several segments of a pass is copied. "
            "If the newer record is a tombstone, the key would come back once that is removed."
        ),
        claims=("cleaned_keys_are_unique",),
        passages=(
            Passage(
                "KIP-1272",
                OFFSETS,
                "The leader broker will publish out this list of cleanOffsets for each log "
                "segment it is uploading to remote storage.",
            ),
        ),
        permitted_by="the text, which elsewhere persists the checkpoint at the end of a cycle",
        assumptions=("F1",),
        story=Story(
            "359679",
            (
                (
                    "start",
                    "Broker 0 leads, broker 1 follows. Offset 0 has one key, offsets 1 and 2 "
                    "have another. All are copied and only remote; the log is clean up to offset "
                    "2.",
                ),
                ("1", "The leader's cleaner maps the key of offset 2."),
                (
                    "2-3",
                    "It cleans the segment of offset 0 first, and begins to copy it under a new "
                    "id.",
                ),
                (
                    "4-7",
                    "The metadata of the new id claim that epoch 0 is clean up to offset 3, the "
                    "end of the pass. It publishes COPY_SEGMENT_FINISHED.",
                ),
                ("8-9", "Broker 1 is elected, and learns it."),
                ("10-11", "It reads the metadata topic to its end."),
                ("12", "It resolves the cleaner offset: offset 3."),
                (
                    "end",
                    "The new leader takes offsets 1 and 2 for clean, though both records of the "
                    "key are there. No later pass maps this key, so that the old one stays.",
                ),
            ),
        ),
        turning=12,
        fix="Claim the new cleaner offset with the last segment of a pass only.",
        costs="A pass that is interrupted is done again from its beginning.",
        repair="repair_claim_with_the_last_segment",
        shows="cleaned_version_is_read_from_remote",
        scope="claims",
    ),
    Finding(
        name="new_leader_serves_a_deleted_version",
        title="A new leader acts on metadata that it has not read to the end",
        severity=Severity.UNAVAILABLE,
        needs=(
            "Two replicas; an election while the new leader's consumer lags. Reads succeed again "
            "once it has read on; a cleaner offset that it resolved too early stays wrong, and "
            "its vector then rejects the old leader's segments."
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
        ),
        permitted_by=(
            "TopicBasedRemoteLogMetadataManager, which answers from what its consumer has read"
        ),
        story=Story(
            "aa84ec",
            (
                (
                    "start",
                    "Broker 0 leads, broker 1 follows. Offsets 0 and 1 have the same key; both "
                    "are copied and only remote.",
                ),
                ("1-3", "The leader's cleaner cleans offset 0, and begins to copy the result."),
                ("4-8", "The new version of offset 0 is copied and finished; the leader reads so."),
                (
                    "9-11",
                    "The leader's expiration task plans the old version, which is unreferenced, "
                    "and publishes DELETE_SEGMENT_STARTED of it.",
                ),
                (
                    "12-13",
                    "Broker 1 is elected and learns it. It has read neither the new version nor "
                    "the deletion.",
                ),
                ("14-15", "The old leader reads its record and deletes the object."),
                (
                    "end",
                    "The new leader sends a reader of offset 0 to an object that is gone. Without "
                    "compaction only what lies below the log start is deleted, so that this "
                    "cannot happen.",
                ),
            ),
        ),
        turning=15,
        fix=(
            "Have a new leader read the metadata topic to the end that it has after the election "
            "before it answers remote reads and resolves the cleaner offset."
        ),
        costs="Remote reads wait for the consumer after each election.",
        repair="repair_new_leader_reads_to_the_end",
        apart=("repair_delete_unfinished_copies",),
        shows="cleaned_version_is_read_from_remote",
        scope="zombie",
    ),
)
