"""Shared terms of the properties, over the field names that designs share.

A state that has `broker[b]`, `segment[i]`, `serving[o]`, `settings` and `tiering` can be
asked all of this, whatever design it belongs to.
"""

from __future__ import annotations

from typing import Any

from model.kafka.fetch_routing import FetchRoute, fetch_route
from model.kafka.remote_segment import SegmentState
from model.kafka.replica import high_watermark, is_leading
from model.language import NONE, guard


def current_leader(state: Any) -> int:
    """The broker that leads and knows it, or NONE between an election and its discovery."""
    return int(state.elected_leader) if is_leading(state, state.elected_leader) else NONE


def route_at(state: Any, broker: int, offset: int) -> FetchRoute:
    """Where this broker sends a consumer's fetch."""
    replica = state.broker[broker]
    return fetch_route(
        replica.settings.remote_storage_enable,
        replica.log_start_offset,
        replica.local_log_start_offset,
        replica.log_end_offset,
        offset,
    )


def is_served_remotely(state: Any, offset: int) -> bool:
    """A lookup of the offset finds an id whose object exists."""
    segment = state.serving[offset]
    return bool(segment != NONE and state.segment[segment].object_exists)


def is_readable(state: Any, broker: int, offset: int) -> bool:
    """A consumer that asks this broker for the offset gets its record."""
    route = route_at(state, broker, offset)
    if route == FetchRoute.REMOTE:
        return is_served_remotely(state, offset)
    return bool(route == FetchRoute.LOCAL)


def removable_end(state: Any) -> int:
    """Offsets below may be gone: retention is over, or a disable with delete let go of them."""
    return int(max(state.expired_end, state.legal_end))


def has_applied_everything(state: Any) -> bool:
    """Every broker has applied the whole metadata log, with all that follows from it."""
    for b in range(len(state.broker)):
        if state.broker[b].batch > 0 or state.broker[b].position < state.metadata_end:
            return False
    return True


def has_thread_at_work(state: Any) -> bool:
    """Some thread copies a segment or deletes one."""
    for i in range(len(state.segment)):
        if state.segment[i].copier != NONE:
            return True
    for b in range(len(state.broker)):
        if state.broker[b].expiring != NONE:
            return True
    return False


def has_deletion_to_do(state: Any) -> bool:
    """An expiration task will find a segment that it may delete."""
    for b in range(len(state.broker)):
        if state.broker[b].expiration_task:
            for i in range(len(state.segment)):
                segment = state.segment[i]
                if segment.is_listed and (
                    segment.state == SegmentState.DELETE_SEGMENT_STARTED
                    or segment.offset < state.broker[b].log_start_offset
                ):
                    return True
    return False


@guard
def is_quiet(state: Any) -> bool:
    """Nothing is left to do for tiering: all applied, no thread at work, no deletion due."""
    return bool(
        has_applied_everything(state)
        and not has_thread_at_work(state)
        and not has_deletion_to_do(state)
    )


@guard
def is_led(state: Any) -> bool:
    """A broker leads and knows it."""
    return current_leader(state) != NONE


def committed_end(state: Any) -> int:
    """First offset that is not committed."""
    return high_watermark(state)
