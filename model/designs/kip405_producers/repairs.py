"""Repairs of ours, each for one cause; those of the local log are shared with `producer_state`."""

from tierproof.model.designs.kip405.actors import COPIER
from tierproof.model.designs.kip405.copying import copy_publishes_started, release
from tierproof.model.designs.kip405.missing_snapshots import has_no_snapshot, has_snapshot
from tierproof.model.designs.kip405.rebuilding import follower_begins_at_log_start
from tierproof.model.designs.kip405.repairs.offsets import DELETE_EVERYWHERE, WRITE_THROUGH
from tierproof.model.designs.kip405.state import AttemptStep, Broker
from tierproof.model.designs.kip405_producers.restarting import broker_expires_producers
from tierproof.model.designs.kip405_producers.state import ProducedTopic, ProducingBroker
from tierproof.model.designs.producer_state.repairs import (
    BEGIN_AT_ZERO,
    FOLLOWERS_KEEP,
    is_beyond_end,
    last_file_offset,
)
from tierproof.model.kafka.leader_epoch_lineage import epoch_for_offset
from tierproof.model.kafka.local_retention import raise_log_start, raise_start_to_delete
from tierproof.model.kafka.local_segments import first_base, next_base
from tierproof.model.kafka.producer_recovery import is_out_of_range, take_over_producers
from tierproof.model.kafka.producer_snapshots import (
    last_snapshot_offset,
    register_empty_snapshot,
)
from tierproof.model.kafka.remote_metadata_cache import lookup
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.kafka.snapshot_replay import (
    continue_newest_snapshot,
    newest_snapshot_before,
    replay_batches,
)
from tierproof.model.language import NONE, Variant, guard

# -- a follower that begins at the log start


def take_producers_of_leader(state: ProducedTopic, follower: int) -> None:
    """The leader sends, with its log start, the producer state of what lies before."""
    log = state.broker[follower]
    take_over_producers(log, state.broker[log.presumed_leader], log.log_end_offset)


FETCH_PRODUCERS = Variant(
    name="repair_fetch_producers_with_the_log_start",
    because="the records before the log start are gone, and their producers are not",
    also={follower_begins_at_log_start: take_producers_of_leader},
)


# -- producers that expire


def has_request_under_way(state: ProducedTopic, producer: int) -> bool:
    """A request of the producer may still arrive, or its client may still retry one."""
    client = state.client[producer]
    return client.acknowledged_end < client.sent_end or any(
        count > 0 for epoch in state.in_flight[producer] for count in epoch
    )


@guard
def has_no_request_under_way(state: ProducedTopic, broker: Broker) -> bool:
    """Requests die long before a producer expires: delivery.timeout.ms is the shorter by far."""
    return not any(has_request_under_way(state, p) for p in range(len(state.client)))


REQUESTS_DIE_FIRST = Variant(
    name="repair_requests_die_before_expiry",
    because="producer.id.expiration.ms has to exceed what a request may take",
    fence={broker_expires_producers: has_no_request_under_way},
)

# -- producers whose records are deleted


SNAPSHOTS_OUTLIVE_RECORDS = Variant(
    name="repair_snapshots_outlive_their_records",
    because="a producer lives until it expires, whatever becomes of its records",
    define={is_out_of_range: is_beyond_end, last_snapshot_offset: last_file_offset},
    redefines={
        is_out_of_range: "the property asks whether a snapshot changes what *this* recovery keeps"
    },
)


# -- segments that retention removes


def keep_producers_below(log: ProducingBroker, offset: int) -> None:
    """The first segment that stays gets a snapshot at its base, if it has none.

    The active segment stays wherever the offset lies in it: a recovery reads it as a whole, and
    knows of what lies before it what its snapshot says.
    """
    base = first_base(log)
    while base < offset and next_base(log, base) != NONE:
        base = next_base(log, base)
    if base > first_base(log) and not log.snapshot[base].is_registered:
        register_empty_snapshot(log.snapshot[base])
        continue_newest_snapshot(log, base, first_base(log))


def raise_log_start_after_snapshot(log: ProducingBroker, offset: int) -> None:
    """What the log start leaves behind is read once more, if no snapshot says what it says."""
    if offset > log.log_start_offset:
        keep_producers_below(log, offset)
    raise_log_start(log, offset)


def raise_start_after_snapshot(log: ProducingBroker, first_kept: int, rolls: bool) -> None:
    """The same for the local log start; a segment that is rolled for it has its snapshot."""
    if first_kept != NONE:
        keep_producers_below(log, first_kept)
    raise_start_to_delete(log, first_kept, rolls)


SNAPSHOT_BEFORE_START_MOVES = Variant(
    name="repair_snapshot_before_the_start_moves",
    because="a broker that gives up a segment keeps what only that segment said of producers",
    define={
        raise_log_start: raise_log_start_after_snapshot,
        raise_start_to_delete: raise_start_after_snapshot,
    },
)


# -- a snapshot that is missing


def remote_segment_before(state: ProducedTopic, broker: int) -> int:
    """The remote segment that ends where the local log begins, above the log start, or NONE."""
    log = state.broker[broker]
    before = first_base(log) - 1
    if before < log.log_start_offset:
        return NONE
    epoch = epoch_for_offset(log.lineage, before)
    return NONE if epoch == NONE else lookup(log.cache, state.segment, epoch, before)


def build_snapshot(state: ProducedTopic, segment: int) -> None:
    """What the log says up to the end of a segment is in the log directory; later ones stay.

    From the newest earlier snapshot and the batches since. Without one, from the first local
    segment on, and, where the log begins before that, from the snapshot that is stored with the
    remote segment before it: another leader has built that one.
    """
    copy = state.segment[segment]
    log, end = state.broker[copy.copier], copy.end_offset + 1
    stored = remote_segment_before(state, copy.copier)
    register_empty_snapshot(log.snapshot[end])
    if newest_snapshot_before(log, end) == NONE and stored != NONE:
        log.snapshot[end].producer = state.segment[stored].snapshot
        replay_batches(log.snapshot[end].producer, log, first_base(log), end)
    else:
        continue_newest_snapshot(log, end, first_base(log))


def is_still_local(state: ProducedTopic, segment: int) -> bool:
    """The broker that copies the segment has it in its local log, which may be deleted by now."""
    copy = state.segment[segment]
    log = state.broker[copy.copier]
    return first_base(log) <= copy.start_offset and copy.end_offset < log.log_end_offset


@guard
def has_local_segment(state: ProducedTopic, segment: SegmentId) -> bool:
    """The segment is still in the local log."""
    return is_still_local(state, segment)


@guard
def has_no_local_segment(state: ProducedTopic, segment: SegmentId) -> bool:
    """Retention, a user or the topic's deletion has removed the segment since it was chosen."""
    return not is_still_local(state, segment)


@COPIER.action(AttemptStep.CHOSEN, guards=[has_no_snapshot, has_local_segment])
def copy_builds_snapshot(state: ProducedTopic, segment: SegmentId) -> None:
    """Build the snapshot that the segment lacks, in a directory of its own, and register it.

    Nothing is published before.

    Kafka: ours: RLMCopyTask#copyLogSegment, where fetchSnapshot answers an empty Optional.
    Left out: that the log changes while it is read.
    """
    build_snapshot(state, segment)


@COPIER.action(AttemptStep.CHOSEN, AttemptStep.IDLE, guards=[has_no_snapshot, has_no_local_segment])
def copy_finds_no_batches(state: ProducedTopic, segment: SegmentId) -> None:
    """End the run: there is nothing to build the snapshot from, and nothing to copy."""
    release(state, segment)


BUILD_BEFORE_PUBLISHING = Variant(
    name="repair_build_the_snapshot_before_publishing",
    because="the local log has every old segment that is not copied, and says who wrote it",
    fence={copy_publishes_started: has_snapshot},
    add_system=(copy_builds_snapshot, copy_finds_no_batches),
)
"""`has_snapshot` is the order of the two within copyLogSegment, and no test of the code."""

OF_SHIPPED = (
    FOLLOWERS_KEEP,
    FETCH_PRODUCERS,
    BEGIN_AT_ZERO,
    REQUESTS_DIE_FIRST,
    SNAPSHOTS_OUTLIVE_RECORDS,
    SNAPSHOT_BEFORE_START_MOVES,
    WRITE_THROUGH,
    DELETE_EVERYWHERE,
)
"""Repairs of Kafka as shipped that do not depend on what is done about old segments."""
REPAIR_ALL = Variant(
    name="repair_all",
    because="each closes one cause",
    parts=(*OF_SHIPPED, BUILD_BEFORE_PUBLISHING),
)
REPAIRS = (*REPAIR_ALL.parts, REPAIR_ALL)
