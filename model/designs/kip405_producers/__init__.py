"""KIP-405 as shipped, with idempotent producers: what becomes of their state in tiered storage.

`CHANGE` is the difference to KIP-405. Read in this order: `state`, `actors`, `producing`,
`snapshots`, `replicating`, `restarting`, `enabling`, `start`; then `repairs` and `proposals`.
How a broker validates batches, takes snapshots and recovers from them is in
`tierproof.model.kafka.producer_*`, the functions that replay recorded behaviour.

Modelled: clients with id, epoch and sequence, that retry and begin new epochs while requests are
in flight; the leader's validation; producer state of every replica, in memory, in snapshot
files, and with remote segments; segments without a snapshot; recovery after crashes, shutdowns,
truncations and on the remote tier; producers that expire; transactions as far as sequences,
epochs and the last stable offset need them.
Simplified: a batch is one record; the active segment alone is not flushed.
Not modelled: transaction verification (KIP-890), transactional offsets, several coordinators.
"""

from tierproof.invariants.histories import note_committed_records
from tierproof.invariants.liveness import (
    expired_local_segments_are_removed,
    rolled_segments_are_copied,
)
from tierproof.invariants.producer_ghosts import note_committed_batches
from tierproof.invariants.producer_idempotence import (
    acknowledged_batches_are_committed,
    committed_producer_epochs_never_decrease,
    committed_sequences_have_no_gap,
    each_batch_is_committed_once,
    leader_accepts_the_next_batch,
    leader_knows_every_producer,
    replicas_of_equal_logs_know_the_same_producers,
)
from tierproof.invariants.producer_snapshots import (
    copied_snapshots_are_right,
    every_object_has_its_snapshot,
    inputs_exist_before_copy_is_published,
    local_snapshots_are_right,
)
from tierproof.invariants.producer_witnesses import (
    follower_begins_after_a_snapshot,
    leader_will_fence_a_zombie,
    leader_will_recognise_a_duplicate,
    old_segment_is_copied,
    producer_is_forgotten,
    snapshot_is_stored_with_producers,
    topic_with_old_segments_is_tiered,
)
from tierproof.model.designs import kip405
from tierproof.model.designs.kip405.copying import (
    copy_stores_object,
    copy_task_chooses_segment,
    store_loses_reply_of_copy,
)
from tierproof.model.designs.kip405.local import leader_appends_record
from tierproof.model.designs.kip405.missing_snapshots import (
    NEEDS_SNAPSHOT,
    copy_misses_snapshot,
    has_snapshot_at_end,
)
from tierproof.model.designs.kip405.rebuilding import follower_builds_on_remote_tier
from tierproof.model.designs.kip405.redefined import DECIDED_BY_MARKERS
from tierproof.model.designs.kip405.replication import (
    begin_log,
    empty_log,
    follower_fetches,
    truncate_follower,
)
from tierproof.model.designs.kip405.restarting import load_log
from tierproof.model.designs.kip405.start import tiered_partition
from tierproof.model.designs.kip405_producers.enabling import (
    broker_learns_tiering,
    user_enables_remote_storage,
)
from tierproof.model.designs.kip405_producers.producing import (
    coordinator_ends_transaction,
    leader_acknowledges_batch,
    leader_receives_batch,
    producer_begins_epoch,
    producer_retries_batch,
    producer_sends_batch,
    stable_offset,
)
from tierproof.model.designs.kip405_producers.proposals import PROPOSALS
from tierproof.model.designs.kip405_producers.repairs import REPAIRS
from tierproof.model.designs.kip405_producers.replicating import (
    begin_log_without_producers,
    build_producers,
    fetch_batch,
    truncate_follower_and_producers,
)
from tierproof.model.designs.kip405_producers.restarting import (
    broker_expires_producers,
    broker_shuts_down,
    empty_log_and_producers,
    load_log_and_producers,
    lone_leader_shuts_down,
)
from tierproof.model.designs.kip405_producers.scopes import SCOPES
from tierproof.model.designs.kip405_producers.snapshots import (
    copy_task_fails_again,
    forget_records_and_batches,
    has_snapshot_of_producers,
    note_missing_snapshot,
    remove_segments_with_snapshots,
    roll_with_snapshot,
    shows_something_new,
    store_producers,
)
from tierproof.model.designs.kip405_producers.start import begin_with_producers
from tierproof.model.designs.kip405_producers.state import ProducedTopic
from tierproof.model.designs.pictures.producers import tiered_producers
from tierproof.model.kafka.copy_task import last_stable_offset
from tierproof.model.kafka.local_segments import forget_records, remove_segments, roll
from tierproof.model.language import Edit, history

CHANGE = Edit(
    # Records are batches of producers.
    drop=(leader_appends_record,),
    add_system=(
        leader_acknowledges_batch,
        broker_learns_tiering,
        # A segment without a producer snapshot cannot be copied.
        copy_misses_snapshot,
        copy_task_fails_again,
    ),
    add_environment=(
        producer_sends_batch,
        producer_retries_batch,
        producer_begins_epoch,
        leader_receives_batch,
        coordinator_ends_transaction,
        broker_expires_producers,
        broker_shuts_down,
        lone_leader_shuts_down,
        user_enables_remote_storage,
    ),
    define={
        # The log and its producers.
        roll: roll_with_snapshot,
        forget_records: forget_records_and_batches,
        remove_segments: remove_segments_with_snapshots,
        last_stable_offset: stable_offset,
        begin_log: begin_log_without_producers,
        truncate_follower: truncate_follower_and_producers,
        # Restarts.
        load_log: load_log_and_producers,
        empty_log: empty_log_and_producers,
        has_snapshot_at_end: has_snapshot_of_producers,
    },
    redefines={last_stable_offset: DECIDED_BY_MARKERS},
    fence={**NEEDS_SNAPSHOT, copy_task_chooses_segment: shows_something_new},
    first={follower_fetches: fetch_batch},
    also={
        tiered_partition: begin_with_producers,
        copy_stores_object: store_producers,
        store_loses_reply_of_copy: store_producers,
        copy_misses_snapshot: note_missing_snapshot,
        follower_builds_on_remote_tier: build_producers,
    },
)

PROPERTIES = (
    each_batch_is_committed_once,
    committed_sequences_have_no_gap,
    committed_producer_epochs_never_decrease,
    acknowledged_batches_are_committed,
    leader_knows_every_producer,
    leader_accepts_the_next_batch,
    replicas_of_equal_logs_know_the_same_producers,
    copied_snapshots_are_right,
    local_snapshots_are_right,
    every_object_has_its_snapshot,
    inputs_exist_before_copy_is_published,
    rolled_segments_are_copied,
    expired_local_segments_are_removed,
)
"""What producers are owed. What KIP-405 owes besides is checked in `kip405`, and broken there."""

WITNESSES = (
    leader_will_recognise_a_duplicate,
    leader_will_fence_a_zombie,
    producer_is_forgotten,
    old_segment_is_copied,
    topic_with_old_segments_is_tiered,
    snapshot_is_stored_with_producers,
    follower_begins_after_a_snapshot,
)

DESIGN = kip405.DESIGN.derive(
    name="kip405_producers",
    title="KIP-405 as shipped, with idempotent producers",
    picture=tiered_producers,
    document="KIP-405 and KIP-98; Apache Kafka 4.4.0",
    change=CHANGE,
    state=ProducedTopic,
    properties=PROPERTIES,
    witnesses=WITNESSES,
    variants=(*REPAIRS, *PROPOSALS),
    scopes=SCOPES,
).with_history(
    history(
        leader_receives_batch=note_committed_records,
        coordinator_ends_transaction=note_committed_records,
        lone_leader_shuts_down=note_committed_records,
    ),
    history(
        leader_receives_batch=note_committed_batches,
        coordinator_ends_transaction=note_committed_batches,
        follower_fetches=note_committed_batches,
        leader_shrinks_in_sync=note_committed_batches,
        broker_learns_leader=note_committed_batches,
        lone_leader_restarts=note_committed_batches,
        lone_leader_shuts_down=note_committed_batches,
    ),
)
