"""What KIP-1266's migration permits that it should not: the register's written half."""

from tierproof.model.designs.kip1266_migration.findings_setting import (
    EXISTING,
    FUNCTIONAL,
    RISK,
)
from tierproof.model.language import Finding, Passage, Severity, Story

FINDINGS = (
    Finding(
        name="migration_expires_live_segments",
        title="The KIP's Step 1 removes the metadata of segments that are alive, and the next "
        "leader loses their records",
        severity=Severity.LOSS,
        symptom=(
            "After an election committed records cannot be read: fetches of offset 0 fail with "
            "OFFSET_OUT_OF_RANGE, though the record is within its topic's retention. It does not "
            "heal by itself: no record names the segment any more, and its object stays in the "
            "store. The KIP's Step 1 removes the only description of a segment by its age."
        ),
        needs=(
            "A user topic that is kept longer than the records of __remote_log_metadata; two "
            "replicas; a restart after the records have expired, and an election, as in any "
            "rolling upgrade. No fault. A higher retention.ms does not help: no finite value "
            "serves a topic with retention.ms=-1. Nor does an infinite one: then compaction, the "
            "KIP's Step 4, removes the same records, as they have no keys."
        ),
        claims=(
            "leader_serves_what_is_within_retention",
            "live_segments_stay_known",
            "compaction_changes_no_cache",
            "compaction_loses_no_object",
            "compaction_keeps_highest_offsets",
            "latest_values_are_self_contained",
            "brokers_that_have_read_all_know_the_truth",
            "expired_objects_go",
        ),
        passages=(
            RISK,
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
            Passage(
                "KIP-1266", "Migration Verification", "All expected remote segments are present."
            ),
        ),
        permitted_by=(
            "RLMCopyTask#copyLogSegment, which describes a segment once, when it is copied; "
            "RLMCopyTask#maybeUpdateLogStartOffsetOnBecomingLeader, which moves the log start to "
            "the local log if the cache has no segment"
        ),
        assumptions=("C10", "C11"),
        story=Story(
            "8f1e0f",
            (
                (
                    "start",
                    f"Brokers 0 and 1 have the old version, and broker 0 leads. {EXISTING}",
                ),
                (
                    "1",
                    "Local retention removes offset 0 from the disk of broker 1, as it is copied.",
                ),
                (
                    "2",
                    "Broker 1 restarts with the new version (the KIP's Step 2), and begins to read "
                    "the metadata topic.",
                ),
                (
                    "3",
                    "The operator sets a finite retention.ms for the metadata topic (the KIP's "
                    "Step 1).",
                ),
                (
                    "4",
                    "The two records of id 0 are older than that. They are removed before broker "
                    "1 has read them.",
                ),
                ("5-6", "Broker 1 is elected, and learns it."),
                (
                    "7",
                    "Broker 1, the new leader, begins its copy task. It finds no remote segment, "
                    "and moves the log start to where its local log starts, offset 1.",
                ),
                (
                    "end",
                    "Offset 0 is within the retention of its topic and its object exists, but the "
                    "leader's log start is 1: nobody can read offset 0.",
                ),
                (
                    "beyond",
                    "No broker that reads the topic learns of id 0 any more, so nobody deletes its "
                    "object. Any broker that restarts after the records have expired does the "
                    "same, with or without the new version.",
                ),
            ),
        ),
        turning=4,
        fix=(
            "Keep the retention infinite until a backfill is done: the leader of each user "
            "partition publishes every segment that it knows once more, in full and with a key, "
            "and its highest copied offset; a partition without a leader waits for one. The model "
            "was tried with records without keys that are deleted (DeleteRecords) when every "
            "broker has read the new ones. Kafka has no report of that: a feature level that is "
            "raised after the backfill, and a delay, can stand for it. We have not explored a "
            "second topic for the keyed records, as the Motivation has it."
        ),
        costs=(
            "One record for each remote segment of the cluster and one for each leader epoch, "
            "once. The retention stays infinite as long as a partition has no leader."
        ),
        repair="repair_backfill",
        shows="topic_was_migrated",
        scope="default",
    ),
    Finding(
        name="migration_compacts_keyless_records",
        title="Nothing keeps the operator from compacting records without keys, and the next "
        "leader loses the records of live segments",
        severity=Severity.LOSS,
        symptom=(
            "After an election committed records cannot be read: fetches of offset 0 fail with "
            "OFFSET_OUT_OF_RANGE, though the record is within its topic's retention. This does not "
            "heal once the log cleaner, which drops records without a key, has removed both "
            "records of the segment; its object stays in the store."
        ),
        needs=(
            "An operator who sets cleanup.policy=compact while a record without a key is in the "
            "topic, which the plan allows; one run of the log cleaner; the restart and the "
            "election of a rolling upgrade. No fault."
        ),
        claims=(
            "leader_serves_what_is_within_retention",
            "live_segments_stay_known",
            "compaction_changes_no_cache",
            "compaction_keeps_highest_offsets",
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
            Passage(
                "KIP-1266",
                "Migration Verification",
                "Logical state (live segments, states) is unchanged.",
            ),
        ),
        permitted_by=(
            "Cleaner#shouldRetainRecord, which drops records without a key, whatever they say; "
            "LogValidator, which refuses such records only when they are appended to a compacted "
            "topic; RLMCopyTask#maybeUpdateLogStartOffsetOnBecomingLeader, which moves the log "
            "start to the local log if the cache has no segment"
        ),
        assumptions=("C11",),
        story=Story(
            "4d5899",
            (
                ("start", f"Brokers 0 and 1 have the old version, and broker 0 leads. {EXISTING}"),
                (
                    "1",
                    "Local retention removes offset 0 from the disk of broker 1, as it is copied.",
                ),
                (
                    "2-4",
                    "Broker 1 is upgraded and elected, then broker 0 is upgraded.",
                ),
                (
                    "5",
                    "The operator sets cleanup.policy=compact (the KIP's Step 4). The two records "
                    "without keys are still there.",
                ),
                ("6", "Broker 1 learns that it leads."),
                ("7", "The log cleaner removes COPY_SEGMENT_STARTED of id 0, which has no key."),
                (
                    "8",
                    "Broker 1, the new leader, reads COPY_SEGMENT_FINISHED of id 0. It is an "
                    "update of a segment that the cache does not know, and the cache drops it.",
                ),
                (
                    "9",
                    "The new leader begins its copy task. It finds no remote segment, and moves "
                    "the log start to where its local log starts, offset 1.",
                ),
                (
                    "end",
                    "Offset 0 is within the retention of its topic and its object exists, but the "
                    "leader's log start is 1: nobody can read offset 0.",
                ),
                (
                    "beyond",
                    "The log cleaner removes COPY_SEGMENT_FINISHED of id 0, too, as it has no key "
                    "either. No broker that reads the topic learns of id 0 any more, so nobody "
                    "deletes its object.",
                ),
            ),
        ),
        turning=7,
        fix=(
            "Have the controller refuse cleanup.policy=compact for __remote_log_metadata until "
            "every broker has the new version and no record without a key is left. The controller "
            "does not see the records: it has to be told, for example by a feature level that is "
            "raised after the backfill. The model was tried with a check that sees them."
        ),
        costs=(
            "A check in the controller at this one change of a setting, for which somebody has to "
            "know that the backfill is done."
        ),
        repair="repair_refuse_compaction_of_keyless_records",
        shows="topic_was_migrated",
        scope="smoke",
    ),
    Finding(
        name="migration_kills_old_consumers",
        title="In a rolling upgrade the first tombstone ends the metadata consumers of the old "
        "brokers",
        severity=Severity.STALL,
        symptom=(
            "Each broker of the old version that reads the first tombstone copies and expires "
            "nothing until it is upgraded. The thread that reads its metadata topic ends with a "
            "NullPointerException in the broker's log, and each later publication waits for it and "
            "times out."
        ),
        needs=(
            "Two brokers of which one is upgraded, and one remote segment that is deleted "
            "meanwhile: in a cluster with retention, every rolling upgrade. No crash and no fault. "
            "The window is the time of the rolling upgrade, hours."
        ),
        tracker="raised in the KIP's discussion thread",
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
            FUNCTIONAL,
        ),
        permitted_by=(
            "RemoteLogMetadataSerde#deserialize of the old version, which takes no null value; "
            "ConsumerTask#ingestRecords, which ends the thread at an exception that is not "
            "retriable"
        ),
        assumptions=("C12",),
        story=Story(
            "e51656",
            (
                ("start", f"Brokers 0 and 1 have the old version, and broker 0 leads. {EXISTING}"),
                ("1", "Broker 1 is upgraded to the new version."),
                ("2-4", "Offset 0 passes its retention. Broker 1 is elected, and learns it."),
                (
                    "5",
                    "Broker 0, the old leader, has not heard of the election. Its expiration task "
                    "chooses id 0 for deletion.",
                ),
                ("6-8", "Broker 1, the new leader, reads the topic, and its copy task begins."),
                (
                    "9",
                    "The new leader publishes id 0 once more with a key (the backfill that the "
                    "KIP promises).",
                ),
                (
                    "10-12",
                    "The old leader deletes id 0, up to DELETE_SEGMENT_FINISHED, with records "
                    "without keys.",
                ),
                (
                    "13",
                    "The clean-up scan of the new leader finds DELETE_SEGMENT_FINISHED, and "
                    "writes a tombstone for the key of id 0.",
                ),
                (
                    "14",
                    "The old leader reads the tombstone. A null value cannot be deserialized, and "
                    "the exception ends its consumer's thread.",
                ),
                ("end", "The metadata consumer of the old leader is dead."),
                (
                    "beyond",
                    "Every later publication of this broker, for any topic, waits for its dead "
                    "consumer and times out, and it learns of no remote segment of the topics "
                    "that it follows.",
                ),
            ),
        ),
        turning=13,
        fix=(
            "Write keys and tombstones only once the feature level is raised, which needs every "
            "broker upgraded. The text has the level, and does not tie the writing to it."
        ),
        costs="Two roll-outs instead of one: the new version first, the feature level afterwards.",
        repair="repair_feature_gates_writing",
        shows="topic_was_migrated",
        scope="default",
    ),
    Finding(
        name="migration_bootstrap_hangs",
        title="A broker waits for a record that has expired, and its metadata is never ready",
        severity=Severity.STALL,
        symptom=(
            "A broker that has restarted answers remote fetches with REPLICA_NOT_AVAILABLE and "
            "neither copies nor expires. It ends when a broker publishes the next record to the "
            "same metadata partition; if the waiting broker leads, it publishes none."
        ),
        needs=(
            "Two brokers; a restart, as in a rolling upgrade; the metadata partition is emptied by "
            "its retention after the broker has asked for its end offset, and before the broker "
            "has read it. No fault; the window is the first read of the topic, seconds."
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
            FUNCTIONAL,
        ),
        permitted_by=(
            "ConsumerTask#maybeMarkUserPartitionsAsReady, which compares the last record read with "
            "the end offset at the assignment, and takes an empty topic into account only as it "
            "was then"
        ),
        story=Story(
            "79b3ab",
            (
                ("start", f"Brokers 0 and 1 have the old version, and broker 0 leads. {EXISTING}"),
                (
                    "1",
                    "Local retention removes offset 0 from the disk of broker 0, as it is copied.",
                ),
                ("2", "The operator sets a finite retention.ms for the metadata topic (Step 1)."),
                (
                    "3",
                    "Broker 1 restarts with the new version (Step 2), and is to read the two "
                    "records of the topic.",
                ),
                ("4", "Retention removes both records before broker 1 has read them."),
                (
                    "end",
                    "Broker 1 waits for a record that is gone. Its cache is not ready, and no "
                    "broker has anything to publish.",
                ),
                (
                    "beyond",
                    "If broker 1 is elected, its tasks wait for the cache, so that nothing is "
                    "published and nothing ends the wait but records of other partitions.",
                ),
            ),
        ),
        turning=4,
        fix=(
            "Have ConsumerTask#maybeMarkUserPartitionsAsReady compare the consumer's position, "
            "which moves past what has expired, with the end offset."
        ),
        costs=(
            "One call of Consumer#position for each metadata partition until it is ready. The call "
            "may block, so that it has to stay outside assignPartitionsLock."
        ),
        repair="repair_ready_at_the_position",
        # A topic without retention, as the backfill has it, removes nothing under a reader.
        apart=("repair_backfill",),
        scope="smoke",
    ),
)
