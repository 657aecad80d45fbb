"""Which tier answers a fetch: a pure function of what one broker knows.

ReplicaManager#readFromLog and #handleOffsetOutOfRangeError. Left out: throttling,
remote reads in flight while the settings change, reads by timestamp.
"""

from __future__ import annotations

from enum import IntEnum


class FetchRoute(IntEnum):
    """Which tier answers a consumer's fetch."""

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
    """The route of a fetch at `offset`; only with remote storage enabled may it be REMOTE.

    Without remote storage an offset below the first local segment is out of range, even where
    it is not below the log start.
    """
    if offset < log_start_offset or offset >= log_end_offset:
        return FetchRoute.OUT_OF_RANGE
    if offset >= local_log_start_offset:
        return FetchRoute.LOCAL
    return FetchRoute.REMOTE if remote_enabled else FetchRoute.OUT_OF_RANGE
