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

from tierproof.invariants import log_compaction
from tierproof.model.designs.log_cleaner import appending, cleaning
from tierproof.model.designs.log_cleaner.ghosts import NOTES
from tierproof.model.designs.log_cleaner.proposals import PROPOSALS
from tierproof.model.designs.log_cleaner.readings import READINGS
from tierproof.model.designs.log_cleaner.repairs import REPAIRS
from tierproof.model.designs.log_cleaner.state import CleanerScope, CompactedPartition
from tierproof.model.designs.pictures.cleaned_log import cleaned_log
from tierproof.model.language import Design

SYSTEM = cleaning.SYSTEM
ENVIRONMENT = (
    *appending.ENVIRONMENT,
    *cleaning.ENVIRONMENT,
)
PROPERTIES = (
    log_compaction.deleted_keys_stay_deleted,
    log_compaction.readers_see_the_last_value,
    log_compaction.aborted_records_are_not_read,
    log_compaction.aborted_records_are_not_mapped,
    log_compaction.cleaned_keys_have_one_record,
    log_compaction.checkpoint_is_stable,
    log_compaction.markers_stay_with_their_records,
    log_compaction.records_never_change,
    log_compaction.dirty_log_is_cleaned,
    log_compaction.expired_tombstones_are_removed,
)
WITNESSES = (
    log_compaction.checkpoint_lies_inside_a_segment,
    log_compaction.one_of_several_groups_is_cleaned,
    log_compaction.tombstone_is_removed,
    log_compaction.marker_is_stamped,
    log_compaction.empty_batch_is_retained,
)

DESIGN = Design(
    name="log_cleaner",
    title="Kafka's log cleaner",
    picture=cleaned_log,
    document="Kafka 4.4.0, Cleaner and LogCleanerManager",
    state=CompactedPartition,
    initial=(appending.new_log,),
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
