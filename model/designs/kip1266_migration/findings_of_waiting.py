"""Which brokers KIP-1266's migration brings to a halt: the register, continued."""

from tierproof.model.designs.kip1266_migration.findings_setting import EXISTING, FUNCTIONAL
from tierproof.model.language import Finding, Passage, Severity, Story

OF_WAITING = (
    Finding(
        name="migration_kills_old_consumers",
        title=(
            "In Step 2, upgraded brokers write records that end ConsumerTask on brokers of the "
            "old version"
        ),
        severity=Severity.STALL,
        symptom=(
            "If brokers write tombstones as soon as they are upgraded, as Step 2 says, "
            "the brokers that are not yet upgraded neither copy nor expire any more, for "
            "all topics, until they are upgraded. The thread that reads the metadata "
            "topic ends at the first tombstone, with a NullPointerException in the log, "
            "and each later publication waits for it and times out. Local disks fill "
            "meanwhile, as local retention removes only what the broker knows to be copied. "
            "(So it has all other records on its disk, and an election loses none.) If the "
            "new fields come with version 1, as Public Interfaces has it, the first record "
            "of a new broker ends the thread as well."
        ),
        needs=(
            "Two brokers of which one is upgraded, and one remote segment that is deleted "
            "meanwhile: in a cluster that deletes segments every day, every rolling "
            "upgrade. No crash and no fault. The KIP also has a feature level, which is "
            "disabled by default; if tombstones and new fields wait for it, nothing of "
            "this happens."
        ),
        tracker=(
            "KAFKA-20033; raised in the KIP's discussion thread, January 2026, where the "
            "author answered that tombstones and new fields wait for the metadata "
            "version, and that the text will say so; its Step 2 does not"
        ),
        claims=("consumers_survive", "tombstone_only_after_deletion"),
        passages=(
            Passage(
                "KIP-1266",
                "Step 2: Rolling upgrade brokers",
                "They emit tombstones for segments and partitions when:",
            ),
            FUNCTIONAL,
            Passage(
                "KIP-1266",
                "Compatibility, Deprecation, and Migration Plan",
                (
                    "For the feature compatibility wise, the remote.log.metadata.compaction "
                    "feature is disabled by default and can be enabled by upgrading the feature "
                    "level using:"
                ),
            ),
            Passage(
                "KIP-1266",
                "Compatibility, Deprecation, and Migration Plan",
                (
                    "For the message compatibility in the remote metadata topic, since the new "
                    "fields are tagged fields, there will be no forward compatibility issue."
                ),
            ),
        ),
        permitted_by=(
            "RemoteLogMetadataSerde#deserialize of the old version, which takes no null value "
            "and no version above 0 (RemoteLogSegmentIdEntry#read throws "
            "UnsupportedVersionException, which AbstractApiMessageSerde#read wraps into a "
            "MetadataParseException; we gave both to the classes of 3.9.2, 4.3.1 and 4.4.0); "
            "ConsumerTask#ingestRecords, which ends the thread at an exception that is not "
            "retriable"
        ),
        assumptions=("C12",),
        story=Story(
            "e51656",
            (
                (
                    "start",
                    f"Brokers 0 and 1 have the old version, and broker 0 leads. {EXISTING} In "
                    "these steps the new version writes records that the old one can read.",
                ),
                (
                    "1",
                    "Broker 1 is upgraded to the new version.",
                ),
                (
                    "2-4",
                    "Offset 0 passes its retention. Broker 1 is elected, and learns it.",
                ),
                (
                    "5",
                    "Broker 0, the old leader, has not heard of the election. Its expiration "
                    "task chooses id 0 for deletion. (No old leader is needed: the tombstone "
                    "of any segment that the new leader deletes does what step 13 does.)",
                ),
                (
                    "6-9",
                    "Broker 1, the new leader, reads the topic, and its copy task begins. It "
                    "publishes id 0 once more with a key (the backfill that Public Interfaces "
                    "promises).",
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
                    "The old leader reads the tombstone. A null value cannot be deserialized, "
                    "and the exception ends its consumer's thread.",
                ),
                (
                    "end",
                    "The metadata consumer of the old leader is dead.",
                ),
                (
                    "beyond",
                    "A restart in the old version reads the tombstone again. If this broker "
                    "is elected for another partition, no record is lost: it has deleted "
                    "nothing locally that it does not know to be copied "
                    "(UnifiedLog#isSegmentEligibleForDeletion).",
                ),
            ),
        ),
        turning=13,
        fix=(
            "Write keys, tombstones and the new fields only once the feature level is raised, "
            "which needs every broker upgraded. The text has the level, and Step 2 writes "
            "without it: change Step 2. A new cluster below the level needs a topic with "
            "cleanup.policy=delete, as a compacted one rejects records without keys; this was "
            "not tried. The model was also tried with brokers that learn of the "
            "level one by one, and change to keys in the middle of a copy or a deletion. "
            "Beside values that say everything, such a deletion can make a segment known again "
            "that another broker has deleted meanwhile; the scan may tombstone its record early, "
            "and again after DELETE_SEGMENT_FINISHED. "
            "Besides, the new fields can be tagged fields of "
            "version 0, which older brokers skip; tag 0 of RemoteLogSegmentMetadataRecord is "
            "no longer free (TxnIndexEmpty)."
        ),
        costs=(
            "Two steps instead of one: the new version first, the feature level afterwards. "
            "Until then the topic gets no keys, so that the wait of Step 3 begins later. The "
            "level cannot be lowered, as the text says already."
        ),
        repair="repair_feature_gates_writing",
        searched="brokers that all learn of the level at once",
        stands_alone=True,
        proposal="proposal_brokers_wait_for_the_feature_level",
        shows="topic_was_migrated",
        scope="default",
    ),
    Finding(
        name="migration_bootstrap_hangs",
        title=(
            "With the finite retention of Step 1, ConsumerTask can wait for a metadata record "
            "that has expired"
        ),
        severity=Severity.STALL,
        symptom=(
            "A broker that has restarted neither copies nor expires the partitions of one "
            "metadata partition, and where it leads it answers remote fetches with "
            "REPLICA_NOT_AVAILABLE, on which consumers retry. It waits for a record that has "
            "expired. It ends when any broker publishes the next record to the same metadata "
            "partition, when a user partition is added to the broker or removed from it (the end "
            "offset is then fetched again), or at another restart."
        ),
        needs=(
            "Two brokers; a restart, as in a rolling upgrade; the metadata partition is emptied "
            "by its retention after the broker has asked for its end offset, and before the "
            "broker has read it. No fault; the window is the first read of the metadata "
            "partition. ConsumerTask of today is the same: a finite retention, by default "
            "infinite, is what Step 1 adds."
        ),
        tracker="KAFKA-20033",
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
                "Step 1: Ensure finite retention",
                (
                    "Before or during the upgrade, operators must ensure that "
                    "__remote_log_metadata has finite retention, so that very old records can "
                    "eventually be removed:"
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
            FUNCTIONAL,
        ),
        permitted_by=(
            "ConsumerTask#maybeMarkUserPartitionsAsReady, which compares the last record read "
            "with the end offset at the last change of the assignment, and takes an empty topic "
            "into account only as it was then"
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
                    "Broker 1 restarts with the new version (Step 2), asks for the end offset "
                    "of the metadata partition, and is to read its two records.",
                ),
                ("4", "Retention removes both records before broker 1 has read them."),
                (
                    "end",
                    "Broker 1 waits for a record that is gone. Its cache is not ready, and no "
                    "broker has anything to publish.",
                ),
                (
                    "beyond",
                    "If broker 1 is elected, its tasks wait for the cache, so that it publishes "
                    "nothing itself, and nothing ends the wait but records of other partitions or "
                    "a restart. That it does not know id 0 then is the defect of Step 1, which we "
                    "report apart.",
                ),
            ),
        ),
        turning=4,
        fix=(
            "Have ConsumerTask#maybeMarkUserPartitionsAsReady compare the consumer's position "
            "with the end offset. The position moves past what has expired, as this consumer "
            "resets to earliest. The last record read does not."
        ),
        costs=(
            "One call of Consumer#position for each metadata partition until it is ready. If the "
            "retention stays infinite until there are new records with keys, as we propose apart, "
            "the case cannot happen in the migration; then this is a safeguard."
        ),
        repair="repair_ready_at_the_position",
        # A topic without retention, as the backfill has it, removes nothing under a reader.
        apart=("repair_backfill",),
        scope="smoke",
    ),
)
