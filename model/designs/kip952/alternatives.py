"""The alternatives that KIP-952 rejects, and one that it does not name.

Each is a change of its own: of Kafka as shipped with producers, or of the proposal where it
makes a snapshot too.
"""

from tierproof.model.designs.kip405.copying import copy_task_chooses_segment
from tierproof.model.designs.kip405.missing_snapshots import copy_misses_snapshot
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip405_producers.enabling import user_enables_remote_storage
from tierproof.model.designs.kip405_producers.repairs import (
    copy_finds_no_batches,
    has_local_segment,
)
from tierproof.model.designs.kip405_producers.replicating import load_fetched_snapshot
from tierproof.model.designs.kip405_producers.snapshots import (
    copy_task_fails_again,
    shows_something_new,
    store_snapshot,
)
from tierproof.model.designs.kip405_producers.state import (
    ProducedPartition,
    ProducedTopic,
    ProducingBroker,
)
from tierproof.model.designs.kip952.making import copy_makes_snapshot, make_snapshot
from tierproof.model.kafka.leader_epoch_lineage import epoch_for_offset
from tierproof.model.kafka.local_segments import (
    first_base,
    largest_timestamp,
    next_base,
    segment_end,
)
from tierproof.model.kafka.producer_entries import (
    REMEMBERED_BATCHES,
    remember_sequences,
    remember_transaction,
)
from tierproof.model.kafka.producer_snapshots import register_empty_snapshot, write_snapshot
from tierproof.model.kafka.remote_metadata_cache import lookup
from tierproof.model.kafka.snapshot_copy import (
    Copying,
    has_registered_snapshot,
    has_snapshot_to_copy,
)
from tierproof.model.kafka.snapshot_replay import continue_newest_snapshot, replay_into_snapshot
from tierproof.model.language import NONE, Edit, Variant, fence, guard

# -- "Generate a correct producer snapshot prior to upload"


def regenerate_snapshot(state: ProducedTopic, segment: int, scope: ProducedPartition) -> None:
    """The producers of the local log from `replay_start` up to the segment's end."""
    copy = state.segment[segment]
    log, end = state.broker[copy.copier], copy.end_offset + 1
    register_empty_snapshot(log.snapshot[end])
    fill_snapshot(log, end, state.clock, scope)


def fill_snapshot(log: ProducingBroker, end: int, now: int, scope: ProducedPartition) -> None:
    """What the batches from `replay_start` on say of their producers."""
    first = replay_start(log, end, now, scope)
    replay_into_snapshot(log.snapshot[end].producer, log, first, end)


def replay_start(log: ProducingBroker, end: int, now: int, scope: ProducedPartition) -> int:
    """ "reply the log from the beginning": the first local segment."""
    return first_base(log)


REGENERATES = Edit(define={make_snapshot: regenerate_snapshot})


def fill_from_newest(log: ProducingBroker, end: int, now: int, scope: ProducedPartition) -> None:
    """What the newest snapshot says, and the batches after it."""
    continue_newest_snapshot(log, end, replay_start(log, end, now, scope))


FROM_NEWEST = Variant(
    name="repair_replay_from_the_newest_snapshot",
    because="an older segment may be removed locally; what it said is in the snapshot after it",
    define={fill_snapshot: fill_from_newest},
    fence={copy_makes_snapshot: has_local_segment},
    add_system=(copy_finds_no_batches,),
)


# -- regenerate, from the segments that producers may have written that have not expired


def first_young_base(log: ProducingBroker, end: int, now: int, scope: ProducedPartition) -> int:
    """The first segment whose last record is younger than producer.id.expiration.ms."""
    base = first_base(log)
    while base != NONE and base < end:
        latest = largest_timestamp(log.records, base, segment_end(log, base))
        if now - latest < scope.expiration_ms:
            return base
        base = next_base(log, base)
    return end


def first_local_base(log: ProducingBroker, end: int, now: int, scope: ProducedPartition) -> int:
    """The first local segment, however old its records are."""
    return first_base(log)


READ_WHOLE_LOG = Variant(
    name="repair_read_the_whole_log",
    because="a replay brings back producers that have expired, until they expire again",
    define={first_young_base: first_local_base},
)
REGENERATES_YOUNG = Edit(define={replay_start: first_young_base})
"""Changes `REGENERATES`."""


# -- "Make Kafka wait to upload segments"


def has_snapshots_only(log: ProducingBroker) -> bool:
    """Every rolled segment of the local log has a producer snapshot after it."""
    base = first_base(log)
    following = next_base(log, base)
    while following != NONE:
        if not has_registered_snapshot(log, following):
            return False
        following = next_base(log, following)
    return True


@fence(protects="inputs_exist_before_copy_is_published", scope="smoke")
def has_expired_old_segments(state: ProducedTopic, broker: Broker) -> bool:
    """No segment without a producer snapshot is left in the local log."""
    return has_snapshots_only(state.broker[broker])


WAITS = Edit(fence={copy_task_chooses_segment: has_expired_old_segments})


# -- "Do not allow a topic to have its tiering configuration set to true"


@fence(protects="inputs_exist_before_copy_is_published", scope="smoke")
def has_snapshots_everywhere(state: ProducedTopic) -> bool:
    """Every replica has a snapshot after each of its segments: the text's synchronisation."""
    return all(has_snapshots_only(log) for log in state.broker)


REFUSES = Edit(fence={user_enables_remote_storage: has_snapshots_everywhere})


@guard
def has_snapshots_at_leader(state: ProducedTopic) -> bool:
    """The elected leader has a snapshot after each of its segments; nobody asks the others."""
    return has_snapshots_only(state.broker[state.elected_leader])


ASKS_LEADER = Variant(
    name="text_only_the_leader_is_asked",
    because='"additional synchronisation will be required": without it, one broker decides',
    test={has_snapshots_everywhere: has_snapshots_at_leader},
)


# -- "Do not archive snapshot files"


NEVER_MISSED = (copy_misses_snapshot, copy_task_fails_again, shows_something_new)
"""What there is no more where a copy needs no snapshot."""


def has_all_inputs(state: Copying, segment: int) -> bool:
    """What is copied is there: a snapshot is not copied, or only if it is there."""
    return True


def store_no_snapshot(state: ProducedTopic, segment: int) -> None:
    """The object has no producer snapshot."""


def read_remote_log(state: ProducedTopic, follower: int, segment: int) -> None:
    """Producer state from the remote segments, read from the log start to the new local log.

    KIP-952: "snapshot files can be recreated by rereading the log".
    """
    log = state.broker[follower]
    for offset in range(log.log_start_offset, log.log_end_offset):
        epoch = epoch_for_offset(log.lineage, offset)
        found = NONE if epoch == NONE else lookup(log.cache, state.segment, epoch, offset)
        if found != NONE and state.segment[found].object_exists:
            batch = state.segment[found].batch[offset]
            if batch.producer != NONE:
                entry = log.producer[batch.producer]
                remember_sequences(entry, batch, offset, REMEMBERED_BATCHES)
                remember_transaction(entry, batch, offset)
    write_snapshot(log, log.log_end_offset)


SNAPSHOT_IS_OPTIONAL = "the text makes the snapshot no input of a copy, and asks for the others"

WITHOUT_SNAPSHOTS = Edit(
    drop=NEVER_MISSED,
    define={
        has_snapshot_to_copy: has_all_inputs,
        store_snapshot: store_no_snapshot,
        load_fetched_snapshot: read_remote_log,
    },
    redefines={has_snapshot_to_copy: SNAPSHOT_IS_OPTIONAL},
)


# -- "Create empty snapshot files on read if a snapshot file is not found"

CREATES_ON_READ = Edit(
    drop=NEVER_MISSED,
    define={has_snapshot_to_copy: has_all_inputs},
    redefines={has_snapshot_to_copy: SNAPSHOT_IS_OPTIONAL},
)
"""Copies take along the snapshot that is there; a follower reads a missing one as empty."""
