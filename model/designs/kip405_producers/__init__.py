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

from tierproof.invariants import (
    histories,
    liveness,
    producer_ghosts,
    producer_idempotence,
    producer_snapshots,
    producer_witnesses,
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
from tierproof.model.designs.kip405_producers import (
    enabling,
    producing,
    replicating,
    restarting,
    snapshots,
    start,
)
from tierproof.model.designs.kip405_producers.proposals import PROPOSALS
from tierproof.model.designs.kip405_producers.repairs import REPAIRS
from tierproof.model.designs.kip405_producers.scopes import SCOPES
from tierproof.model.designs.kip405_producers.state import ProducedTopic
from tierproof.model.designs.pictures.producers import tiered_producers
from tierproof.model.kafka.copy_task import last_stable_offset
from tierproof.model.kafka.local_segments import forget_records, remove_segments, roll
from tierproof.model.language import Edit, history

CHANGE = Edit(
    # Records are batches of producers.
    drop=(leader_appends_record,),
    add_system=(
        producing.leader_acknowledges_batch,
        enabling.broker_learns_tiering,
        # A segment without a producer snapshot cannot be copied.
        copy_misses_snapshot,
        snapshots.copy_task_fails_again,
    ),
    add_environment=(
        *producing.ENVIRONMENT,
        *restarting.ENVIRONMENT,
        enabling.user_enables_remote_storage,
    ),
    define={
        # The log and its producers.
        roll: snapshots.roll_with_snapshot,
        forget_records: snapshots.forget_records_and_batches,
        remove_segments: snapshots.remove_segments_with_snapshots,
        last_stable_offset: producing.stable_offset,
        begin_log: replicating.begin_log_without_producers,
        truncate_follower: replicating.truncate_follower_and_producers,
        # Restarts.
        load_log: restarting.load_log_and_producers,
        empty_log: restarting.empty_log_and_producers,
        has_snapshot_at_end: snapshots.has_snapshot_of_producers,
    },
    redefines={last_stable_offset: DECIDED_BY_MARKERS},
    fence={**NEEDS_SNAPSHOT, copy_task_chooses_segment: snapshots.shows_something_new},
    first={follower_fetches: replicating.fetch_batch},
    also={
        tiered_partition: start.begin_with_producers,
        copy_stores_object: snapshots.store_producers,
        store_loses_reply_of_copy: snapshots.store_producers,
        copy_misses_snapshot: snapshots.note_missing_snapshot,
        follower_builds_on_remote_tier: replicating.build_producers,
    },
)

PROPERTIES = (
    producer_idempotence.each_batch_is_committed_once,
    producer_idempotence.committed_sequences_have_no_gap,
    producer_idempotence.committed_producer_epochs_never_decrease,
    producer_idempotence.acknowledged_batches_are_committed,
    producer_idempotence.leader_knows_every_producer,
    producer_idempotence.leader_accepts_the_next_batch,
    producer_idempotence.replicas_of_equal_logs_know_the_same_producers,
    producer_snapshots.copied_snapshots_are_right,
    producer_snapshots.local_snapshots_are_right,
    producer_snapshots.every_object_has_its_snapshot,
    producer_snapshots.inputs_exist_before_copy_is_published,
    liveness.rolled_segments_are_copied,
    liveness.expired_local_segments_are_removed,
)
"""What producers are owed. What KIP-405 owes besides is checked in `kip405`, and broken there."""

WITNESSES = (
    producer_witnesses.leader_will_recognise_a_duplicate,
    producer_witnesses.leader_will_fence_a_zombie,
    producer_witnesses.producer_is_forgotten,
    producer_witnesses.old_segment_is_copied,
    producer_witnesses.topic_with_old_segments_is_tiered,
    producer_witnesses.snapshot_is_stored_with_producers,
    producer_witnesses.follower_begins_after_a_snapshot,
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
        leader_receives_batch=histories.note_committed_records,
        coordinator_ends_transaction=histories.note_committed_records,
        lone_leader_shuts_down=histories.note_committed_records,
    ),
    history(
        leader_receives_batch=producer_ghosts.note_committed_batches,
        coordinator_ends_transaction=producer_ghosts.note_committed_batches,
        follower_fetches=producer_ghosts.note_committed_batches,
        leader_shrinks_in_sync=producer_ghosts.note_committed_batches,
        broker_learns_leader=producer_ghosts.note_committed_batches,
        lone_leader_restarts=producer_ghosts.note_committed_batches,
        lone_leader_shuts_down=producer_ghosts.note_committed_batches,
    ),
)
