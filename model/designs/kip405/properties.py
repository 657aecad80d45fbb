"""What KIP-405 promises, over offsets, lineages and what each broker has read.

The families are those of `invariants`; these are the forms for a state in which a segment
holds several records and each broker has a cache of its own.
"""

from typing import Any

from model.designs.kip405.state import RecordKind
from model.kafka.fetch_routing import FetchRoute, fetch_route
from model.kafka.leader_epoch_lineage import epoch_for_offset
from model.kafka.local_segments import bytes_between
from model.kafka.remote_metadata_cache import CachedState, lookup
from model.kafka.replica import is_leading
from model.language import NONE, guard, invariant, step_property, witness


@guard
def is_led(state: Any) -> bool:
    """The elected leader knows that it leads, and has read the metadata topic once."""
    leader = state.elected_leader
    return bool(is_leading(state, leader) and state.broker[leader].cache.is_initialized)


def route_of(state: Any, broker: int, offset: int) -> FetchRoute:
    """Where this broker sends a consumer's fetch."""
    me = state.broker[broker]
    return fetch_route(
        me.settings.remote_storage_enable,
        me.log_start_offset,
        me.local_log_start_offset,
        me.log_end_offset,
        offset,
    )


def serving_id(state: Any, broker: int, offset: int) -> int:
    """The id that this broker's cache names for the offset, or NONE."""
    me = state.broker[broker]
    epoch = epoch_for_offset(me.lineage, offset)
    if epoch == NONE:
        return NONE
    return int(lookup(me.cache, state.segment, epoch, offset))


def is_served(state: Any, broker: int, offset: int) -> bool:
    """A consumer that asks this broker for the offset gets its record."""
    route = route_of(state, broker, offset)
    if route == FetchRoute.REMOTE:
        id = serving_id(state, broker, offset)
        return bool(id != NONE and state.segment[id].object_exists)
    if route == FetchRoute.LOCAL:
        return has_locally(state, broker, offset)
    return False


def has_locally(state: Any, broker: int, offset: int) -> bool:
    """A local segment of this broker holds the offset."""
    me = state.broker[broker]
    for base in range(offset + 1):
        if me.starts_segment[base]:
            return bool(offset < me.log_end_offset)
    return False


def removable_end(state: Any) -> int:
    """Offsets below may be gone: by retention in time, in size, or by DeleteRecords.

    By size, an offset may go if what comes after it still has retention.bytes.
    """
    settings = state.broker[0].settings
    end, held = state.legal_end, committed_end(state)
    while end < held and state.committed[end].timestamp < state.clock - settings.retention_ms:
        if settings.retention_ms < 0:
            break
        end += 1
    if settings.retention_bytes >= 0:
        while end < held:
            if bytes_between(state.committed, end + 1, held) < settings.retention_bytes:
                break
            end += 1
    return int(end)


def committed_end(state: Any) -> int:
    """The first offset at which nothing is committed."""
    for offset in range(len(state.committed)):
        if state.committed[offset].epoch == NONE:
            return offset
    return len(state.committed)


@invariant(source="KIP-405: Cover", premise=is_led)
def committed_records_are_served(state: Any) -> bool:
    """Every committed offset from the log start on is readable at the leader.

    Suspended while the leader's cache is not initialized: the answer is a retriable error.
    Not checked: reads at followers.
    """
    leader = state.elected_leader
    for offset in range(state.broker[leader].log_start_offset, committed_end(state)):
        if not is_served(state, leader, offset):
            return False
    return True


@invariant(source="KIP-405: Cover, for records that nothing allows to go", premise=is_led)
def no_committed_record_lost(state: Any) -> bool:
    """Every committed offset that nothing allows to be removed is readable at the leader.

    Looks below the log start too, and leaves out what retention or a user lets go of.
    """
    for offset in range(removable_end(state), committed_end(state)):
        if not is_served(state, state.elected_leader, offset):
            return False
    return True


@step_property(source="KIP-405: NoEarlyDelete")
def log_start_passes_only_what_may_go(before: Any, after: Any) -> bool:
    """A log start moves only past offsets that retention or a user lets go of."""
    for b in range(len(after.broker)):
        start = after.broker[b].log_start_offset
        if start > before.broker[b].log_start_offset and start > removable_end(after):
            return False
    return True


@step_property(source="KIP-405: MonoStart, within a broker")
def log_start_never_moves_back(before: Any, after: Any) -> bool:
    """No step moves a log start back."""
    for b in range(len(after.broker)):
        if after.broker[b].log_start_offset < before.broker[b].log_start_offset:
            return False
    return True


@step_property(source="KIP-405: MetaFirst")
def metadata_comes_before_objects(before: Any, after: Any) -> bool:
    """An object is stored or deleted only after the metadata topic says so."""
    for i in range(len(after.segment)):
        if before.segment[i].object_exists != after.segment[i].object_exists:
            is_told = False
            for n in range(before.metadata_end):
                is_told = is_told or before.metadata_topic[n].segment == i
            if not is_told:
                return False
    return True


@witness(source="KIP-405")
def record_is_read_from_remote(state: Any) -> bool:
    """The leader serves an offset from the remote tier."""
    leader = state.elected_leader
    if not is_leading(state, leader):
        return False
    for offset in range(committed_end(state)):
        is_remote = route_of(state, leader, offset) == FetchRoute.REMOTE
        if is_remote and is_served(state, leader, offset):
            return True
    return False


@witness(source="RemoteLogManager.RLMCopyTask")
def zombie_works_on_a_copy(state: Any) -> bool:
    """A thread of a broker that was voted out copies a segment."""
    for i in range(len(state.segment)):
        copier = state.segment[i].copier
        if copier != NONE and copier != state.elected_leader:
            return True
    return False


@witness(source="RemoteLogManager.RLMExpirationTask")
def segment_is_expired(state: Any) -> bool:
    """A segment that was finished is deleted again."""
    for n in range(state.metadata_end):
        if state.metadata_topic[n].kind == RecordKind.DELETE_SEGMENT_FINISHED:
            return True
    return False


@witness(source="RemoteLogMetadataCache")
def brokers_know_different_things(state: Any) -> bool:
    """One broker has read that a copy is finished, another has not."""
    for i in range(len(state.segment)):
        for b in range(len(state.broker)):
            if (
                state.broker[0].cache.state[i] == CachedState.COPY_SEGMENT_FINISHED
                and state.broker[b].cache.state[i] == CachedState.UNKNOWN
            ):
                return True
    return False
