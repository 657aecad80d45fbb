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

from tierproof.invariants.metadata_compaction import (
    brokers_that_have_read_all_know_the_truth,
    compacted_topic_has_keys_only,
    compaction_changes_no_cache,
    compaction_keeps_highest_offsets,
    compaction_loses_no_object,
    consumers_survive,
    deleted_segments_stay_dead,
    deletion_is_told_first,
    key_names_one_live_segment,
    latest_values_are_self_contained,
    leader_serves_what_is_within_retention,
    live_segments_stay_known,
    only_the_leader_writes_tombstones,
    partition_keys_are_their_own,
    segment_is_copied_by_two_leaders,
    segment_is_forgotten,
    tombstone_only_after_deletion,
    tombstoned_key_stays_dead,
    topic_is_compacted,
)
from tierproof.invariants.metadata_growth import (
    bootstrap_ends,
    deleted_segments_leave_no_record,
    expired_objects_go,
    topic_is_as_big_as_the_remote_tier,
)
from tierproof.model.designs.kip1266.clean_up import clean_up_publishes_tombstone
from tierproof.model.designs.kip1266.copying import (
    broker_removes_local_segment,
    copy_task_begins,
    copy_task_publishes_finished,
    copy_task_publishes_started,
    copy_task_stores_object,
    store_defers_copy,
    store_fails_copy,
)
from tierproof.model.designs.kip1266.deleting import (
    broker_publishes_tombstone,
    expiration_task_chooses_segment,
    retention_passes,
    task_deletes_object,
    task_publishes_delete_finished,
    task_publishes_delete_started,
)
from tierproof.model.designs.kip1266.ghosts import NOTES
from tierproof.model.designs.kip1266.key_words import key_in_words, value_in_words
from tierproof.model.designs.kip1266.leadership import (
    broker_learns_leader,
    broker_restarts,
    controller_elects_leader,
)
from tierproof.model.designs.kip1266.metadata import broker_reads_metadata, cleaner_cleans
from tierproof.model.designs.kip1266.partition import (
    leader_publishes_partition_finished,
    leader_publishes_partition_started,
    user_deletes_topic,
)
from tierproof.model.designs.kip1266.picture import metadata
from tierproof.model.designs.kip1266.proposals import PROPOSALS
from tierproof.model.designs.kip1266.readings import READINGS
from tierproof.model.designs.kip1266.repairs import REPAIRS
from tierproof.model.designs.kip1266.start import new_cluster
from tierproof.model.designs.kip1266.state import Kip1266, Topic
from tierproof.model.designs.kip1266.state_in_key import STATE_IN_KEY
from tierproof.model.language import Design

SYSTEM = (
    broker_reads_metadata,
    copy_task_begins,
    copy_task_publishes_started,
    copy_task_stores_object,
    copy_task_publishes_finished,
    broker_removes_local_segment,
    expiration_task_chooses_segment,
    task_publishes_delete_started,
    task_deletes_object,
    task_publishes_delete_finished,
    broker_publishes_tombstone,
    clean_up_publishes_tombstone,
    cleaner_cleans,
    broker_learns_leader,
    leader_publishes_partition_started,
    leader_publishes_partition_finished,
)
ENVIRONMENT = (
    controller_elects_leader,
    retention_passes,
    store_defers_copy,
    store_fails_copy,
    broker_restarts,
    user_deletes_topic,
)
PROPERTIES = (
    compaction_changes_no_cache,
    compaction_keeps_highest_offsets,
    brokers_that_have_read_all_know_the_truth,
    consumers_survive,
    key_names_one_live_segment,
    latest_values_are_self_contained,
    compacted_topic_has_keys_only,
    partition_keys_are_their_own,
    tombstone_only_after_deletion,
    tombstoned_key_stays_dead,
    only_the_leader_writes_tombstones,
    deletion_is_told_first,
    compaction_loses_no_object,
    live_segments_stay_known,
    deleted_segments_stay_dead,
    leader_serves_what_is_within_retention,
    bootstrap_ends,
    deleted_segments_leave_no_record,
    topic_is_as_big_as_the_remote_tier,
    expired_objects_go,
)
WITNESSES = (
    topic_is_compacted,
    segment_is_copied_by_two_leaders,
    segment_is_forgotten,
)

DESIGN = Design(
    name="kip1266",
    title="KIP-1266: a compacted metadata topic",
    picture=metadata,
    words={"metadata.record[*].key": key_in_words, "metadata.record[*].value": value_in_words},
    document="KIP-1266, Under Discussion",
    state=Topic,
    initial=(new_cluster,),
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
