"""What KIP-1266's migration permits that it should not: the register's written half."""

from tierproof.model.designs.kip1266.findings import explained
from tierproof.model.language import Finding

FINDINGS = explained(
    Finding(
        name="migration_expires_live_segments",
        title="The finite retention of step 1 removes what describes live segments",
        claims=(
            "live_segments_stay_known",
            "leader_serves_what_is_within_retention",
            "compaction_changes_no_cache",
            "compaction_loses_no_object",
            "compaction_keeps_highest_offsets",
            "latest_values_are_self_contained",
            "brokers_that_have_read_all_know_the_truth",
            "expired_objects_go",
        ),
        permitted_by=(
            'KIP-1266, Migration Plan, step 1: "very old records can eventually be removed", step '
            '3: "Records older than retention.ms are removed"; a backfill is promised under Public '
            "Interfaces, and there is none"
        ),
        explanation=(
            "A segment is described once, when it is copied. If the user's topic is kept for "
            "longer than the metadata topic's records, the description of a live segment expires. "
            "The next broker that reads the topic does not know it: its log start moves past the "
            "segment, and the object leaks. No upgraded broker is needed for it. The repair keeps "
            "everything until the leader has told each segment once more, with a key and in full, "
            "and the highest offset; records without keys go when every broker has read them."
        ),
        repair="repair_backfill",
        scope="default",
    ),
    Finding(
        name="migration_bootstrap_hangs",
        title="A broker waits for a record that has expired",
        claims=("bootstrap_ends",),
        permitted_by=(
            "KIP-1266, Migration Plan, step 1; ConsumerTask#maybeMarkUserPartitionsAsReady, which "
            "compares what was read with the end as it was at the assignment"
        ),
        explanation=(
            "A broker begins to read, and the topic is emptied by its retention before it has read "
            "to the end that it waits for. Until somebody publishes, its cache is not initialized: "
            "if it leads, nobody does, since its own tasks wait for the cache."
        ),
        repair="repair_backfill",
        scope="smoke",
    ),
    Finding(
        name="migration_kills_old_consumers",
        title="In a rolling upgrade the first tombstone ends the consumers of old brokers",
        claims=("consumers_survive",),
        permitted_by=(
            'KIP-1266, Migration Plan, step 2: upgraded brokers "emit tombstones"; "since the new '
            'fields are tagged fields, there will be no forward compatibility issue"'
        ),
        explanation=(
            "Brokers of the old version take every value for a message. A tombstone that an "
            "upgraded leader publishes ends their consumers, and with it their tiered storage."
        ),
        repair="repair_feature_gates_writing",
        scope="default",
    ),
    Finding(
        name="migration_compacts_keyless_records",
        title="Nothing keeps the operator from compacting records without keys",
        claims=("compacted_topic_has_keys_only",),
        permitted_by=(
            'KIP-1266, Migration Plan, step 4: "operators are comfortable that the topic is mostly '
            'populated with new keyed records"; Cleaner, which drops records without a key'
        ),
        explanation=(
            "Where compaction is on while records without keys are there, the next cleaning drops "
            "them whatever they say, and old brokers' records are refused. The repair has the "
            "configuration refused while a broker is old or a record has no key."
        ),
        repair="repair_refuse_compaction_of_keyless_records",
        scope="smoke",
        beside=("text_compaction_enabled_early",),
    ),
    Finding(
        name="migration_has_no_backfill",
        title="Without a backfill the cleaner drops live segments, also if nothing expires",
        claims=(
            "live_segments_stay_known",
            "compaction_loses_no_object",
            "compacted_topic_has_keys_only",
        ),
        permitted_by=(
            'KIP-1266, Public Interfaces: "A backfill strategy to convert the current message to '
            'the new message will be shared in the migration plan part", which has none'
        ),
        explanation=(
            "Say the operator sets no finite retention, since live segments expire with it. Then "
            "their records have no keys when compaction is turned on, and the cleaner drops them."
        ),
        repair="repair_backfill",
        scope="smoke",
        beside=("text_backfill_left_out",),
    ),
    Finding(
        name="migration_scans_everywhere",
        title="Upgraded brokers write tombstones whether they lead or not",
        claims=("only_the_leader_writes_tombstones",),
        permitted_by=(
            "KIP-1266, Broker Write Path: RemoteMetadataCleanupManager, of which the text does not "
            "say where it runs, beside leaders of the old version"
        ),
        explanation=(
            "As in a new cluster; here the leader may be of the old version, and its consumer dies "
            "of the tombstone that another broker writes."
        ),
        repair="repair_backfill",
        scope="default",
    ),
    Finding(
        name="migration_inherits_the_keys",
        title="As in a new cluster, one key serves two copies, and tombstones hit live ones",
        claims=(
            "key_names_one_live_segment",
            "tombstone_only_after_deletion",
            "tombstoned_key_stays_dead",
        ),
        permitted_by='KIP-1266, Message Key and Value: "retries or updates share the same key"',
        explanation=(
            "Once brokers write keys, what `kip1266` finds of them applies here, too. In the "
            "shortest trace the history of a segment has expired for the upgraded leader, which "
            "copies the range again, and then tells the deletion of the first copy under the key "
            "of the second."
        ),
        repair="repair_backfill",
        scope="deep",
    ),
)
