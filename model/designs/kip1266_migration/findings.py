"""What KIP-1266's migration permits that it should not: the register's written half."""

from model.language import Finding

FINDINGS = (
    Finding(
        name="migration_expires_live_segments",
        title="The finite retention of step 1 removes what describes live segments",
        claims=(
            "live_segments_stay_known",
            "leader_serves_what_is_within_retention",
            "compaction_changes_no_cache",
            "compaction_loses_no_object",
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
            "segment, and the object leaks. No upgraded broker is needed for it."
        ),
        repair="repair_backfill",
        scope="smoke",
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
            "them whatever they say, and old brokers' records are refused."
        ),
        scope="smoke",
        beside=("text_compaction_enabled_early",),
    ),
)
