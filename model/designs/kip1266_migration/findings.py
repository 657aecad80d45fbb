"""What KIP-1266's migration permits that it should not: the register's written half."""

from tierproof.model.designs.kip1266_migration.findings_of_waiting import OF_WAITING
from tierproof.model.designs.kip1266_migration.findings_setting import (
    EXISTING,
    RISK,
)
from tierproof.model.language import Finding, Passage, Severity, Story

OF_RECORDS = (
    Finding(
        name="migration_expires_live_segments",
        title=(
            "Steps 1 and 3 expire the metadata of live segments, and a restarted leader moves "
            "logStartOffset past them"
        ),
        severity=Severity.LOSS,
        symptom=(
            "Step 1 removes the only description of a remote segment by its age, whether "
            "the segment is alive or not. A broker that restarts after that does not know "
            "the segment. Once it leads, as in the very upgrade that the plan describes, "
            "records that are only in the remote tier can never be read again, though "
            "they are within their topic's retention: fetches fail with "
            "OFFSET_OUT_OF_RANGE, and a consumer goes on at the log end "
            "(auto.offset.reset=latest, the default) or at the first record that is left "
            "(earliest). It does not heal: the new leader moves its log start past these "
            "records, and the objects stay in the store, even if the topic is deleted."
        ),
        needs=(
            "A user topic that is kept longer than the records of __remote_log_metadata; "
            "a restart after these have expired, and, with several replicas, the election "
            "of this broker. No fault. A higher retention.ms does not help a topic with "
            "retention.ms=-1. Nor does an infinite one: then compaction, the KIP's Step "
            "4, removes the same records, as they have no keys."
        ),
        tracker=(
            "KAFKA-20033; pull request 22459 (open; read in part, not run) has this step "
            "in a tool: compact,delete with a finite retention.ms (14 days by default), "
            "under which records of live segments expire, those with keys as well"
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
            Passage(
                "KIP-1266",
                "Step 1: Ensure finite retention",
                (
                    "This step bounds how far back the audit history can go and ensures that "
                    "legacy data will age out over time."
                ),
            ),
            Passage(
                "KIP-1266",
                "Step 3: Let retention prune legacy data",
                (
                    "Records older than retention.ms are removed according to the configured "
                    "retention policy."
                ),
            ),
            Passage(
                "KIP-1266",
                "Migration Verification",
                "Logical state (live segments, states) is unchanged.",
            ),
            RISK,
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
                    "Broker 1 restarts with the new version (Step 2), and begins to read the "
                    "metadata topic.",
                ),
                (
                    "3",
                    "The operator sets a finite retention.ms for the metadata topic (Step 1, "
                    '"Before or during the upgrade").',
                ),
                (
                    "4",
                    "The two records of id 0 are older than that. They are removed before "
                    "broker 1 has read them. (No race is needed: any later restart of any "
                    "broker has the same effect.)",
                ),
                (
                    "5-6",
                    "Broker 1 is elected, and learns it.",
                ),
                (
                    "7",
                    "Broker 1, the new leader, begins its copy task. It finds no remote "
                    "segment, and moves the log start to where its local log starts, offset "
                    "1.",
                ),
                (
                    "end",
                    "Offset 0 is within the retention of its topic and its object exists, but "
                    "the leader's log start is 1: nobody can read offset 0.",
                ),
                (
                    "beyond",
                    "All segments copied before the upgrade and older than retention.ms are "
                    "concerned, on each broker that restarts.",
                ),
            ),
        ),
        turning=4,
        fix=(
            "Strike Steps 1 and 3 and keep the retention infinite until a backfill is done, which "
            'Public Interfaces promises ("A backfill strategy to convert the current message") and '
            "no step has. Once all brokers write each record and tombstone of a segment with the "
            "key TopicIdPartition:UUID, the leader of each user partition publishes every segment "
            "that it knows once more, in full and with this key; a partition without a leader "
            "waits for one. (With another key for its deletion, the backfilled record would "
            "outlive the segment. The KIP's key would not do: legacy records have no "
            "BrokerLeaderEpoch, so two copies with the same end offset would share it, and "
            "compaction would keep one.) Until it has done so the leader copies and deletes "
            "nothing, also before it begins: what is kept begins at the first backfilled record of "
            "any user partition in the metadata partition, and an older state behind a newer one "
            "would supersede it. It publishes in the order of end offsets. Else a segment that "
            "another one has replaced can come last, and RemoteLogLeaderEpochState then hides the "
            "other one; so can a running cache that takes COPY_SEGMENT_FINISHED for a second time, "
            "and does not ignore it. Once every broker has read the new records, those before the "
            "first of them, of whatever user partition, in each metadata partition can be deleted "
            "(DeleteRecords, which needs cleanup.policy=delete, hence before Step 4). The model "
            "was tried with this, and with an operator who sees that all have read; in Kafka a "
            "feature level that is raised after the backfill, and a delay, can stand for that. The "
            "model has no segments that overlap: what is said of the order comes from the code. As "
            "it was tried beside a record of the highest copied offset, which another report has, "
            "the leader publishes that record once more, too. Without it, the highest offset of a "
            "leader epoch whose segments are all deleted is forgotten. A second topic for the "
            "keyed records, as in the Motivation, was not tried."
        ),
        costs=(
            "One record for each remote segment of the cluster, once. The retention stays "
            "infinite, and the topic as big as today, as long as a partition has no "
            "leader. Kafka has to know that the backfill is done, by a marker for each "
            "user partition or from an operator who waits."
        ),
        repair="repair_backfill",
        together_with=(
            "repair_refuse_compaction_of_keyless_records",
            "repair_feature_gates_writing",
            "repair_self_contained_values",
            "repair_tombstones_forget",
            "repair_tell_highest_offsets",
        ),
        proposal="proposal_backfill_in_the_order_of_end_offsets",
        shows="topic_was_migrated",
        scope="default",
    ),
    Finding(
        name="migration_compacts_keyless_records",
        title=(
            "Step 4 drops records without keys, and a restarted leader moves logStartOffset past "
            "live segments"
        ),
        severity=Severity.LOSS,
        symptom=(
            "The operator may do Step 4 while a live segment has only records without "
            "keys, which the log cleaner drops. Once a broker that has restarted leads, "
            "records that are only in the remote tier can never be read again, though "
            "they are within their topic's retention: fetches fail with "
            "OFFSET_OUT_OF_RANGE, and a consumer goes on at the log end "
            "(auto.offset.reset=latest, the default) or at the first record that is left "
            "(earliest). It does not heal: the leader moves its log start past these "
            "records, and the objects stay in the store, even if the topic is deleted."
        ),
        needs=(
            "An operator who sets cleanup.policy=compact while a live segment has only "
            'records without keys: the plan asks for a topic that is "mostly" populated '
            "with keyed ones; one run of the log cleaner; a restart, and, with several "
            "replicas, the election of this broker. No fault. To wait for another "
            "retention window does not help: the window removes the same records by their "
            "age (another report)."
        ),
        tracker=(
            "KAFKA-20033; pull request 22459 (open; read in part, not run) has a tool "
            "that looks for records without keys before it sets cleanup.policy=compact, "
            "and refuses if there are any, unless it is forced; the text has no such "
            "check"
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
                (
                    "After at least one retention window has passed (Step 3) and operators are "
                    "comfortable that the topic is mostly populated with new keyed records, they "
                    "should update the topic configuration to:"
                ),
            ),
            Passage(
                "KIP-1266",
                "Step 3: Let retention prune legacy data",
                (
                    "At the end of this period, most or all legacy records that do not follow the "
                    "new keyed/tombstone pattern will have expired."
                ),
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
                (
                    "start",
                    f"Brokers 0 and 1 have the old version, and broker 0 leads. {EXISTING}",
                ),
                (
                    "1",
                    "Local retention removes offset 0 from the disk of broker 1, as it is copied.",
                ),
                (
                    "2-4",
                    "Broker 1 is upgraded and restarts with an empty cache; it is elected; "
                    "then broker 0 is upgraded.",
                ),
                (
                    "5-6",
                    "The operator sets cleanup.policy=compact (Step 4), though the two "
                    "records without keys are still there. Broker 1 learns that it leads.",
                ),
                (
                    "7",
                    "The log cleaner removes COPY_SEGMENT_STARTED of id 0, which has no key.",
                ),
                (
                    "8",
                    "Broker 1, the new leader, reads COPY_SEGMENT_FINISHED of id 0. It is an "
                    "update of a segment that the cache does not know, and the cache drops "
                    "it.",
                ),
                (
                    "9",
                    "The new leader begins its copy task. It finds no remote segment, and "
                    "moves the log start to where its local log starts, offset 1.",
                ),
                (
                    "end",
                    "Offset 0 is within the retention of its topic and its object exists, but "
                    "the leader's log start is 1: nobody can read offset 0.",
                ),
                (
                    "beyond",
                    "COPY_SEGMENT_FINISHED of id 0 has no key either, and is removed, too. No "
                    "race is needed: any restart after that has the same effect.",
                ),
            ),
        ),
        turning=8,
        fix=(
            "Change Step 4: cleanup.policy=compact may follow only once every broker has the new "
            "version, each leader has since then published all its segments once more, in the "
            "order of end offsets, as complete records with the key TopicIdPartition:UUID (a "
            "backfill, which Public Interfaces promises and no step has) and logged the end of "
            "that, every consumer has read so far, and in each metadata partition the records "
            "before the first backfilled one are deleted with DeleteRecords. Steps 1 and 3 have to "
            "go (another report, which has the rules of the backfill). A tool that scans the "
            "topic, as in pull request 22459, is no substitute: after Step 3 it finds no record "
            "without a key, as they have expired, and without Step 3 and without DeleteRecords it "
            "always finds some. An operator who does not wait can be stopped by the controller "
            "only, for example by a feature level of its own. The model was tried with a check "
            "that sees the records, beside such a backfill; and with one that also looks for a "
            "record with a key of each segment that the leader knows, as a leader does that logs "
            "the end of its backfill."
        ),
        costs=(
            "The backfill, which is one record for each remote segment, and an operator who waits "
            "for its end (or a check in the controller and one feature level more). Until then the "
            "topic grows as it does today."
        ),
        repair="repair_refuse_compaction_of_keyless_records",
        together_with=(
            "repair_backfill",
            "repair_self_contained_values",
        ),
        searched="a check that sees the records",
        proposal="proposal_step_4_waits_for_keys_of_live_segments",
        shows="topic_was_migrated",
        scope="smoke",
    ),
)

FINDINGS = (*OF_RECORDS, *OF_WAITING)
