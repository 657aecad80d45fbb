"""Repairs, which are ours: what a broker makes of producers and snapshots that it lacks."""

from collections.abc import Sequence

from tierproof.model.designs.producer_state.state import ProducerPartition
from tierproof.model.designs.producer_state.storing import (
    empty_log,
    follower_truncates_fully,
    time_passes,
)
from tierproof.model.kafka.local_segments import first_base
from tierproof.model.kafka.producer_entries import (
    NEVER_MS,
    REMEMBERED_BATCHES,
    forget_entries,
)
from tierproof.model.kafka.producer_recovery import (
    Rebuilt,
    is_corrupt,
    is_out_of_range,
    is_unusable,
    knows_nobody,
    load_producers_after_shutdown,
    rebuild_on_remote_tier,
    rebuild_on_remote_tier_as_intended,
    rebuild_producer_state,
)
from tierproof.model.kafka.producer_snapshots import (
    last_snapshot_offset,
    latest_snapshot,
    remove_all_snapshots,
    remove_stray_snapshots,
    write_snapshot,
)
from tierproof.model.kafka.producer_state import (
    ProducerEntry,
    ProducerLog,
    ProducerSnapshot,
    SnapshotEntry,
    SnapshotFile,
)
from tierproof.model.kafka.producer_validation import is_next_sequence
from tierproof.model.kafka.scope import Offset
from tierproof.model.language import Variant, guard


def is_next_or_first_sequence(entry: ProducerEntry, epoch: int, first_sequence: int) -> bool:
    """A producer that is not known begins with 0, as in a new epoch."""
    if not entry.is_known:
        return first_sequence == 0
    return is_next_sequence(entry, epoch, first_sequence)


BEGIN_AT_ZERO = Variant(
    name="repair_unknown_producers_begin_at_zero",
    because="a producer that is not known may have had batches before, or may have them still",
    define={is_next_sequence: is_next_or_first_sequence},
    redefines={
        is_next_sequence: "the properties ask what a broker answers to a batch, which this changes"
    },
)


def load_from_the_log(log: ProducerLog, remembered: int, now: int, expiration_ms: int) -> Rebuilt:
    """A clean start without snapshots reads the log, as one after a crash does."""
    forget_entries(log)
    log.producer_map_end = 0
    remove_stray_snapshots(log)
    return rebuild_producer_state(
        log, log.log_start_offset, log.log_end_offset, remembered, now, expiration_ms
    )


READ_LOG_WITHOUT_SNAPSHOTS = Variant(
    name="repair_read_log_without_snapshots",
    because="that there is no snapshot does not say that there are no producers",
    define={load_producers_after_shutdown: load_from_the_log},
)


def is_corrupt_or_empty(snapshot: ProducerSnapshot) -> bool:
    """A snapshot without producers is no reason to leave out the log before it."""
    return is_unusable(snapshot) or (
        snapshot.file == SnapshotFile.READABLE
        and not any(written.is_known for written in snapshot.producer)
    )


SKIP_EMPTY_SNAPSHOTS = Variant(
    name="repair_skip_empty_snapshots",
    because="a snapshot without producers may have been put in place of one that was missing",
    define={is_unusable: is_corrupt_or_empty},
)


def is_corrupt_or_gone(snapshot: ProducerSnapshot) -> bool:
    """A snapshot whose file is gone is no better than one that cannot be read."""
    return is_corrupt(snapshot) or snapshot.file == SnapshotFile.ABSENT


SKIP_LOST_SNAPSHOTS = Variant(
    name="repair_skip_lost_snapshots",
    because="an older snapshot and the log have what the lost one had",
    define={is_corrupt: is_corrupt_or_gone},
)


def rebuild_with_fetched(
    log: ProducerLog,
    offset: int,
    fetched: Sequence[SnapshotEntry],
    remembered: int = REMEMBERED_BATCHES,
    now: int = 0,
    expiration_ms: int = NEVER_MS,
) -> Rebuilt:
    """The snapshot that emptying the log has registered is gone before the fetched one comes."""
    return rebuild_on_remote_tier_as_intended(log, offset, fetched, remembered, now, expiration_ms)


FOLLOWERS_KEEP = Variant(
    name="repair_followers_keep_the_snapshot",
    because="truncateFullyAndReloadSnapshots deletes what is registered, the fetched file too",
    define={rebuild_on_remote_tier: rebuild_with_fetched},
)


def empty_log_of_known_producers(
    state: ProducerPartition, offset: Offset, log_start: Offset
) -> None:
    """The leader, which has the same producer state, sends it with its log start."""
    empty_log(state.log, offset, log_start)
    remove_all_snapshots(state.log)
    state.log.producer_map_end = offset
    write_snapshot(state.log, offset)


FETCH_PRODUCERS = Variant(
    name="repair_fetch_producers_with_the_log_start",
    because="the records before the log start are gone, and their producers are not",
    effect={follower_truncates_fully: empty_log_of_known_producers},
)


@guard
def has_no_request_under_way(state: ProducerPartition) -> bool:
    """Every copy of a batch arrives within the unit of time in which it was sent."""
    return len(state.request) == 0


REQUESTS_DIE_FIRST = Variant(
    name="repair_requests_die_before_expiry",
    because="producer.id.expiration.ms has to exceed what a request may take",
    fence={time_passes: has_no_request_under_way},
)


def is_beyond_end(offset: int, log_start_offset: int, last_offset: int) -> bool:
    """A snapshot of the log start, or of less, still says who had written what is deleted."""
    return offset > last_offset


def last_file_offset(log: ProducerLog, log_start_offset: int) -> int:
    """A log start is no snapshot."""
    return max(latest_snapshot(log), 0)


SNAPSHOTS_OUTLIVE_RECORDS = Variant(
    name="repair_snapshots_outlive_their_records",
    because="a producer lives until it expires, whatever becomes of its records",
    define={is_out_of_range: is_beyond_end, last_snapshot_offset: last_file_offset},
)


def rebuild_from_first_segment(
    log: ProducerLog,
    log_start_offset: int,
    last_offset: int,
    remembered: int,
    now: int,
    expiration_ms: int,
) -> Rebuilt:
    """Records below the log start are read as well, as long as their segment is there."""
    start = min(log_start_offset, first_base(log))
    return rebuild_producer_state(log, start, last_offset, remembered, now, expiration_ms)


READ_DELETED_RECORDS = Variant(
    name="repair_read_deleted_records",
    because="the first segment still says who wrote the records below the log start",
    define={rebuild_producer_state: rebuild_from_first_segment},
)


def is_never_sure(log: ProducerLog) -> bool:
    """That no producer was known before does not say that none is in the log."""
    return False


READ_AFTER_SNAPSHOT = Variant(
    name="repair_truncation_reads_the_log_after_a_snapshot",
    because="a snapshot may have producers that have expired since, with their transactions open",
    define={knows_nobody: is_never_sure},
)

EACH = (
    REQUESTS_DIE_FIRST,
    SNAPSHOTS_OUTLIVE_RECORDS,
    BEGIN_AT_ZERO,
    READ_LOG_WITHOUT_SNAPSHOTS,
    SKIP_EMPTY_SNAPSHOTS,
    SKIP_LOST_SNAPSHOTS,
    FOLLOWERS_KEEP,
    FETCH_PRODUCERS,
    READ_DELETED_RECORDS,
    READ_AFTER_SNAPSHOT,
)
REPAIR_ALL = Variant(
    name="repair_all", because="the repairs of producer state together", parts=EACH
)
REPAIRS = (*EACH, REPAIR_ALL)
