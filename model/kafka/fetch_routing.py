"""Which tier answers a fetch: a pure function of what one broker knows.

ReplicaManager#readFromLog and #handleOffsetOutOfRangeError. Left out: throttling,
remote reads in flight while the settings change, reads by timestamp.
"""

from __future__ import annotations

from enum import IntEnum


class FetchRoute(IntEnum):
    """Where a consumer's fetch goes."""

    LOCAL = 0
    REMOTE = 1
    OUT_OF_RANGE = 2


def fetch_route(
    remote_enabled: bool,
    log_start_offset: int,
    local_log_start_offset: int,
    log_end_offset: int,
    offset: int,
) -> FetchRoute:
    """The route of a fetch at `offset`. The remote tier is asked only where it is enabled.

    Without remote storage an offset below the first local segment is out of range even
    if the log start says that it is there.
    """
    if offset < log_start_offset or offset >= log_end_offset:
        return FetchRoute.OUT_OF_RANGE
    if offset >= local_log_start_offset:
        return FetchRoute.LOCAL
    return FetchRoute.REMOTE if remote_enabled else FetchRoute.OUT_OF_RANGE
