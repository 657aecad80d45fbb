"""What KIP-1266's migration permits that it should not: the register's written half."""

from tierproof.model.language import Finding, Passage, Severity, Story

FINDINGS = (
    Finding(
        name="migration_expires_live_segments",
        title="The finite retention of step 1 removes what describes live segments",
        severity=Severity.LOSS,
        needs=(
            "A user topic that is kept longer than the records of the metadata topic; one "
            "restart. No upgraded broker is needed. To leave the retention infinite does not "
            "help: then compaction drops these records in step 4, as they have no keys."
        ),
        tracker="KAFKA-20033",
        claims=(
            "leader_serves_what_is_within_retention",
            "live_segments_stay_known",
            "compaction_changes_no_cache",
            "compaction_loses_no_object",
            "compaction_keeps_highest_offsets",
            "latest_values_are_self_contained",
            "brokers_that_have_read_all_know_the_truth",
            "tombstone_only_after_deletion",
            "tombstoned_key_stays_dead",
            "expired_objects_go",
        ),
        passages=(
            Passage(
                "KIP-1266",
                "Step 1: Ensure finite retention",
                "This step bounds how far back the audit history can go and ensures that legacy "
                "data will age out over time.",
            ),
            Passage(
                "KIP-1266",
                "Public Interfaces",
                "A backfill strategy to convert the current message to the new message will be "
                "shared in the migration plan part to make sure there is no public visible changes "
                "to the Kafka users.",
            ),
        ),
        permitted_by=(
            "RLMCopyTask#copyLogSegment, which describes a segment once, when it is copied; "
            "RLMCopyTask#maybeUpdateLogStartOffsetOnBecomingLeader"
        ),
        assumptions=("C10", "C11"),
        story=Story(
            "8f1e0f",
            (
                (
                    "start",
                    "Brokers 0 and 1 have the old version, and broker 0 leads. Offset 0 is in the "
                    "remote tier; the metadata topic has its two records, without keys.",
                ),
                ("1", "Local retention removes offset 0 at broker 1, as it is copied."),
                (
                    "2",
                    "Broker 1 restarts with the new version (step 2) and begins to read the "
                    "metadata topic.",
                ),
                ("3", "The operator sets a finite retention.ms for it (step 1)."),
                (
                    "4",
                    "The two records of the segment are older than that, and are removed before "
                    "broker 1 has read them.",
                ),
                ("5-6", "Broker 1 is elected, and learns it."),
                (
                    "7",
                    "Its copy task finds no remote segment, and moves the log start past offset "
                    "0, to where its local log begins.",
                ),
                (
                    "end",
                    "Offset 0 is within the retention of its topic, its object exists, and no "
                    "broker serves it or will delete it.",
                ),
            ),
        ),
        turning=4,
        fix=(
            "Keep infinite retention until a backfill is done: the leader of each user partition "
            "publishes every segment that it knows once more, with a key and in full, and the "
            "highest copied offset; records without keys are deleted (DeleteRecords) when every "
            "broker has read them, and compaction may follow."
        ),
        costs="One record for each remote segment of the cluster, once.",
        repair="repair_backfill",
        shows="topic_was_migrated",
        scope="default",
    ),
    Finding(
        name="migration_compacts_keyless_records",
        title="Nothing keeps the operator from compacting records without keys",
        severity=Severity.LOSS,
        needs=(
            "An operator who turns compaction on while a record without a key is there, which the "
            "plan allows; no fault."
        ),
        claims=(
            "live_segments_stay_known",
            "compaction_changes_no_cache",
            "brokers_that_have_read_all_know_the_truth",
            "latest_values_are_self_contained",
            "compacted_topic_has_keys_only",
            "compaction_loses_no_object",
        ),
        passages=(
            Passage(
                "KIP-1266",
                "Step 4: Compaction configuration",
                "After at least one retention window has passed (Step 3) and operators are "
                "comfortable that the topic is mostly populated with new keyed records, they "
                "should update the topic configuration to:",
            ),
        ),
        permitted_by="Cleaner, which removes records without a key, whatever they say",
        assumptions=("C11",),
        story=Story(
            "e80498",
            (
                (
                    "start",
                    "Brokers 0 and 1 have the old version. Offset 0 is in the remote tier; the "
                    "metadata topic has its two records, without keys.",
                ),
                (
                    "1-4",
                    "Broker 1 is upgraded and elected, broker 0 is upgraded, and both get "
                    "the feature level (the repair of another finding).",
                ),
                ("5", "The operator sets cleanup.policy=compact; the two records are still there."),
                ("6", "Broker 1 learns that it leads."),
                ("7", "The log cleaner removes COPY_SEGMENT_STARTED, which has no key."),
                ("8-9", "Broker 1 reads COPY_SEGMENT_FINISHED, and its tasks begin."),
                (
                    "10",
                    "It begins its backfill with the highest copied offset (the repair of another "
                    "finding).",
                ),
                ("11", "The log cleaner removes COPY_SEGMENT_FINISHED, which has no key either."),
                (
                    "end",
                    "No record names the segment of offset 0, which is within its retention: the "
                    "next broker that reads the topic does not know it.",
                ),
            ),
        ),
        turning=7,
        fix=(
            "Refuse cleanup.policy=compact for __remote_log_metadata while a broker of the old "
            "version is registered or a record has no key."
        ),
        costs="A check in the controller, for which brokers report how far the backfill is.",
        repair="repair_refuse_compaction_of_keyless_records",
        shows="topic_was_migrated",
        scope="smoke",
    ),
    Finding(
        name="migration_kills_old_consumers",
        title="In a rolling upgrade the first tombstone ends the consumers of old brokers",
        severity=Severity.STALL,
        needs="Two brokers, of which one is upgraded and writes a tombstone; no fault.",
        tracker="KAFKA-20033; raised in the KIP's discussion thread",
        claims=("consumers_survive", "tombstone_only_after_deletion"),
        passages=(
            Passage(
                "KIP-1266",
                "Step 2: Rolling upgrade brokers",
                "They emit tombstones for segments and partitions when:",
            ),
            Passage(
                "KIP-1266",
                "Compatibility, Deprecation, and Migration Plan",
                "For the message compatibility in the remote metadata topic, since the new fields "
                "are tagged fields, there will be no forward compatibility issue.",
            ),
        ),
        permitted_by="RemoteLogMetadataSerde#deserialize, ConsumerTask#run of the old version",
        assumptions=("C12",),
        story=Story(
            "e51656",
            (
                (
                    "start",
                    "Brokers 0 and 1 have the old version, and broker 0 leads. Offset 0 is in the "
                    "remote tier; the metadata topic has its two records.",
                ),
                ("1", "Broker 1 is upgraded."),
                ("2-4", "Offset 0 passes its retention, and broker 1 is elected."),
                (
                    "5",
                    "The old leader, broker 0, has not heard of it; its expiration task chooses "
                    "the segment.",
                ),
                ("6-8", "The new leader reads the topic, and its tasks begin."),
                (
                    "9",
                    "It publishes the segment once more with a key (the backfill, the repair of "
                    "another finding).",
                ),
                (
                    "10-12",
                    "The old leader deletes the segment, up to DELETE_SEGMENT_FINISHED, with "
                    "records without keys.",
                ),
                ("13", "The clean-up scan of broker 1 tombstones the key of the segment."),
                (
                    "14",
                    "Broker 0 reads the tombstone: a null value is an exception that ends its "
                    "consumer.",
                ),
                (
                    "end",
                    "Broker 0 copies, expires and learns nothing of the remote tier until it is "
                    "upgraded.",
                ),
            ),
        ),
        turning=13,
        fix=(
            "Write keys and tombstones only once the feature level is raised, which needs every "
            "broker upgraded; the text has the level and does not tie the writing to it."
        ),
        costs="Two roll-outs instead of one: the code first, the level later.",
        repair="repair_feature_gates_writing",
        shows="topic_was_migrated",
        scope="default",
    ),
    Finding(
        name="migration_bootstrap_hangs",
        title="A broker waits for a record that has expired",
        severity=Severity.STALL,
        needs=(
            "A broker that reads the metadata topic while its retention empties the topic. It "
            "ends when somebody publishes; if that broker leads, nobody does."
        ),
        claims=(
            "bootstrap_ends",
            "compaction_changes_no_cache",
            "compaction_keeps_highest_offsets",
            "brokers_that_have_read_all_know_the_truth",
            "latest_values_are_self_contained",
            "compaction_loses_no_object",
            "live_segments_stay_known",
            "leader_serves_what_is_within_retention",
        ),
        passages=(
            Passage(
                "KIP-1266",
                "Step 3: Let retention prune legacy data",
                "Records older than retention.ms are removed according to the configured "
                "retention policy.",
            ),
        ),
        permitted_by=(
            "ConsumerTask#maybeMarkUserPartitionsAsReady, which compares the last record read "
            "with the end of the topic at the assignment"
        ),
        story=Story(
            "79b3ab",
            (
                (
                    "start",
                    "Brokers 0 and 1 have the old version. The metadata topic has two records.",
                ),
                ("1", "Local retention removes offset 0 at broker 0."),
                ("2", "The operator sets a finite retention.ms for the metadata topic."),
                ("3", "Broker 1 restarts with the new version, and is to read two records."),
                ("4", "Both records expire before it has read them."),
                (
                    "end",
                    "Broker 1 waits for a record that is gone, and its cache answers nothing. If "
                    "it is elected, its tasks wait for the cache, so that it publishes nothing.",
                ),
            ),
        ),
        turning=4,
        fix=(
            "Compare the consumer's position, which moves past what has expired, with the end, "
            "instead of the last record that it has read."
        ),
        costs="None.",
        repair="repair_ready_at_the_position",
        apart=("repair_backfill",),
        scope="smoke",
    ),
)
