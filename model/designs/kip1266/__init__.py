"""KIP-1266: keys, tombstones and compaction for the topic that says what is in remote storage.

Read in this order: `state`, `keys`, `metadata`, `copying`, `deleting`, `leadership`,
`clean_up`, `partition`; `ghosts` note what the properties compare. Then `readings` of the text
where it says two things, `repairs`, and the text's own `scenarios`. `kip1266_migration` takes an
existing topic there.

Modelled: the topic and its cleaner, which may run on any prefix at any moment; leaders and
zombies, each with a copy task and an expiration task; tombstones that come later; a scan on
every broker; consumers that lag and that begin anew; the remote store; each replica's log
start and local log start.
Simplified: closed segments of one offset, written in one epoch, cut alike by every broker; a
publishing thread's own consumer is quick; a follower has the leader's log start at once.
Not modelled: `min.cleanable.dirty.ratio`, replicas of the metadata topic that are cleaned
differently, retention by size.
"""

from tierproof.invariants import metadata_compaction, metadata_growth
from tierproof.model.designs.kip1266 import (
    clean_up,
    copying,
    deleting,
    key_words,
    leadership,
    metadata,
    partition,
    picture,
    start,
)
from tierproof.model.designs.kip1266.ghosts import NOTES
from tierproof.model.designs.kip1266.proposals import PROPOSALS
from tierproof.model.designs.kip1266.readings import READINGS
from tierproof.model.designs.kip1266.repairs import REPAIRS
from tierproof.model.designs.kip1266.state import Kip1266, Topic
from tierproof.model.designs.kip1266.state_in_key import STATE_IN_KEY
from tierproof.model.language import Design

SYSTEM = (
    metadata.broker_reads_metadata,
    *copying.SYSTEM,
    *deleting.SYSTEM,
    clean_up.clean_up_publishes_tombstone,
    metadata.cleaner_cleans,
    leadership.broker_learns_leader,
    *partition.SYSTEM,
)
ENVIRONMENT = (
    leadership.controller_elects_leader,
    deleting.retention_passes,
    *copying.ENVIRONMENT,
    leadership.broker_restarts,
    partition.user_deletes_topic,
)
PROPERTIES = (
    metadata_compaction.compaction_changes_no_cache,
    metadata_compaction.compaction_keeps_highest_offsets,
    metadata_compaction.brokers_that_have_read_all_know_the_truth,
    metadata_compaction.consumers_survive,
    metadata_compaction.key_names_one_live_segment,
    metadata_compaction.latest_values_are_self_contained,
    metadata_compaction.compacted_topic_has_keys_only,
    metadata_compaction.partition_keys_are_their_own,
    metadata_compaction.tombstone_only_after_deletion,
    metadata_compaction.tombstoned_key_stays_dead,
    metadata_compaction.only_the_leader_writes_tombstones,
    metadata_compaction.deletion_is_told_first,
    metadata_compaction.compaction_loses_no_object,
    metadata_compaction.live_segments_stay_known,
    metadata_compaction.deleted_segments_stay_dead,
    metadata_compaction.leader_serves_what_is_within_retention,
    metadata_growth.bootstrap_ends,
    metadata_growth.deleted_segments_leave_no_record,
    metadata_growth.topic_is_as_big_as_the_remote_tier,
    metadata_growth.expired_objects_go,
)
WITNESSES = (
    metadata_compaction.topic_is_compacted,
    metadata_compaction.segment_is_copied_by_two_leaders,
    metadata_compaction.segment_is_forgotten,
)

DESIGN = Design(
    name="kip1266",
    title="KIP-1266: a compacted metadata topic",
    picture=picture.metadata,
    words={
        "metadata.record[*].key": key_words.key_in_words,
        "metadata.record[*].value": key_words.value_in_words,
    },
    document="KIP-1266, Under Discussion",
    state=Topic,
    initial=(start.new_cluster,),
    system=SYSTEM,
    environment=ENVIRONMENT,
    properties=PROPERTIES,
    witnesses=WITNESSES,
    variants=READINGS + STATE_IN_KEY + REPAIRS + PROPOSALS,
    scopes={
        # A broker alone that crashes: two segments, attempts that fail, everything compacted.
        "smoke": Kip1266(
            brokers=1,
            offsets=2,
            leader_epochs=1,
            segment_ids=2,
            elections=1,
            restarts=1,
            failed_copies=1,
            topic_records=5,
        ),
        # Two brokers, one segment and one copy of it, a zombie, and a consumer that lags.
        "zombie": Kip1266(offsets=1, leader_epochs=1, segment_ids=1, topic_records=5),
        # Two leaders that each copy the one segment.
        "two_copies": Kip1266(offsets=1, leader_epochs=1, segment_ids=2, topic_records=3),
        # Two brokers, two segments, a crash and an election; records lie close.
        "default": Kip1266(offsets=2, leader_epochs=1, segment_ids=2, restarts=1, topic_records=3),
        # The same, with an attempt that fails, and time for both segments to expire.
        "deep": Kip1266(
            offsets=2,
            leader_epochs=1,
            segment_ids=2,
            restarts=1,
            failed_copies=1,
            expirations=2,
            topic_records=3,
        ),
        # One leader, one segment, one copy of it, and room for all of its records.
        "alone": Kip1266(
            brokers=1,
            offsets=1,
            leader_epochs=1,
            segment_ids=1,
            elections=0,
            restarts=1,
            topic_records=10,
        ),
        # Attempts that fail, and retries, one leader; the topic has room.
        "retried": Kip1266(
            brokers=1,
            offsets=1,
            leader_epochs=1,
            segment_ids=3,
            elections=0,
            failed_copies=2,
            topic_records=7,
        ),
        # Two brokers and one leader; the other's consumer lags by more than delete.retention.ms.
        "lagging": Kip1266(
            offsets=2,
            leader_epochs=1,
            segment_ids=2,
            elections=0,
            topic_records=8,
            lagging=1,
        ),
        # The topic is deleted, and its partition's markers are published.
        "deletion": Kip1266(
            brokers=1,
            offsets=1,
            leader_epochs=1,
            segment_ids=1,
            elections=1,
            restarts=1,
            expirations=0,
            deletions=1,
            topic_records=5,
        ),
        # The same with two segments, of which one may still be copied; no crash.
        "deletion_of_two": Kip1266(
            brokers=1,
            offsets=2,
            leader_epochs=1,
            segment_ids=2,
            elections=0,
            expirations=0,
            deletions=1,
            topic_records=6,
        ),
    },
).with_history(NOTES)
