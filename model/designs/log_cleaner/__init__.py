"""Kafka's log cleaner as released (4.4.0): one compacted partition on one replica.

Read in this order: `state`, `appending`, `cleaning`; `ghosts` note what was committed. Then
`readings`, `repairs` and `proposals`. The
mechanisms (`tierproof.model.kafka.offset_map`, `log_cleaner`, `cleaner_transactions`, `keyed_log`)
are those that replay recorded behaviour of the real classes.

Modelled: clients and transactional producers, values and tombstones, COMMIT and ABORT markers,
rolls; passes with a small offset map, in steps between which anything is appended; groups of
segments; delete horizons; crashes between two steps of a pass.
Simplified: batches of one record and one byte; delete horizons are ahead or over; every append
is replicated at once.
Not modelled: DeleteRecords and retention, followers, truncation, expired producers, compaction
lags, `min.cleanable.dirty.ratio` (it is 0).
"""

from tierproof.invariants.log_compaction import (
    aborted_records_are_not_mapped,
    aborted_records_are_not_read,
    checkpoint_is_stable,
    checkpoint_lies_inside_a_segment,
    cleaned_keys_have_one_record,
    deleted_keys_stay_deleted,
    dirty_log_is_cleaned,
    empty_batch_is_retained,
    expired_tombstones_are_removed,
    marker_is_stamped,
    markers_stay_with_their_records,
    one_of_several_groups_is_cleaned,
    readers_see_the_last_value,
    records_never_change,
    tombstone_is_removed,
)
from tierproof.model.designs.log_cleaner.appending import (
    broker_rolls_segment,
    client_appends_record,
    coordinator_ends_transaction,
    new_log,
    producer_appends_record,
)
from tierproof.model.designs.log_cleaner.cleaning import (
    broker_crashes,
    cleaner_cleans_group,
    cleaner_fills_map,
    cleaner_writes_checkpoint,
    delete_retention_passes,
)
from tierproof.model.designs.log_cleaner.ghosts import NOTES
from tierproof.model.designs.log_cleaner.proposals import PROPOSALS
from tierproof.model.designs.log_cleaner.readings import READINGS
from tierproof.model.designs.log_cleaner.repairs import REPAIRS
from tierproof.model.designs.log_cleaner.state import CleanerScope, CompactedPartition
from tierproof.model.designs.pictures.cleaned_log import cleaned_log
from tierproof.model.language import Design

SYSTEM = (cleaner_fills_map, cleaner_cleans_group, cleaner_writes_checkpoint)
ENVIRONMENT = (
    client_appends_record,
    producer_appends_record,
    coordinator_ends_transaction,
    broker_rolls_segment,
    delete_retention_passes,
    broker_crashes,
)
PROPERTIES = (
    deleted_keys_stay_deleted,
    readers_see_the_last_value,
    aborted_records_are_not_read,
    aborted_records_are_not_mapped,
    cleaned_keys_have_one_record,
    checkpoint_is_stable,
    markers_stay_with_their_records,
    records_never_change,
    dirty_log_is_cleaned,
    expired_tombstones_are_removed,
)
WITNESSES = (
    checkpoint_lies_inside_a_segment,
    one_of_several_groups_is_cleaned,
    tombstone_is_removed,
    marker_is_stamped,
    empty_batch_is_retained,
)

DESIGN = Design(
    name="log_cleaner",
    title="Kafka's log cleaner",
    picture=cleaned_log,
    document="Kafka 4.4.0, Cleaner and LogCleanerManager",
    state=CompactedPartition,
    initial=(new_log,),
    system=SYSTEM,
    environment=ENVIRONMENT,
    properties=PROPERTIES,
    witnesses=WITNESSES,
    variants=READINGS + REPAIRS + PROPOSALS,
    scopes={
        # One key, one producer, and an offset map for one key: passes are partial.
        "smoke": CleanerScope(offsets=5, log_keys=1, log_values=1),
        # The map takes every key and one more: no pass is partial.
        "ample": CleanerScope(offsets=4, log_keys=1, log_values=1, map_keys=2),
        # No pass is partial, and the broker crashes.
        "crash": CleanerScope(offsets=5, log_keys=1, log_values=1, map_keys=2, crashes=1),
        # Passes of several groups, and a crash between them.
        "groups": CleanerScope(offsets=5, log_keys=1, log_values=1, segment_records=2, crashes=1),
        # Two producers, partial passes, and a crash.
        "default": CleanerScope(offsets=5, log_keys=1, log_values=1, producers=2, crashes=1),
        # Two keys, of which the map takes one.
        "two_keys": CleanerScope(offsets=5, log_keys=2, log_values=1),
        # A longer log, passes of several groups, none of them partial, and one that ends early.
        "aborts": CleanerScope(
            offsets=6, log_keys=1, log_values=1, map_keys=2, segment_records=3, crashes=1
        ),
        # A longer log, partial passes, and a crash.
        "deep": CleanerScope(offsets=6, log_keys=1, log_values=1, crashes=1),
    },
).with_history(NOTES)
