"""UnifiedLog's two start offsets, and which local segment retention may remove.

One offset stands for one rolled segment; the active segment is empty and never touched.
Left out: log start checkpoints that lag behind at a crash, and segments that lie below
the log start and are not removed yet (nobody can read them).
"""

from __future__ import annotations

from typing import Any


def first_local_offset(replica: Any) -> int:
    """The oldest offset that local retention may look at; the log end if there is none."""
    return max(replica.log_start_offset, replica.local_log_start_offset)


def increment_log_start(replica: Any, remote_enabled: bool, offset: int) -> None:
    """UnifiedLog#maybeIncrementLogStartOffset: never back; the local start follows if tiered."""
    if remote_enabled:
        replica.local_log_start_offset = max(replica.local_log_start_offset, offset)
    replica.log_start_offset = max(replica.log_start_offset, offset)


def open_log(replica: Any, remote_enabled: bool) -> None:
    """The constructor of UnifiedLog: without remote storage the log starts at its first segment."""
    replica.local_log_start_offset = first_local_offset(replica)
    if not remote_enabled:
        replica.log_start_offset = replica.local_log_start_offset


def is_past_local_retention(local_matches: bool, expired_end: int, offset: int) -> bool:
    """True if local retention may remove `offset`; a shorter one may at any moment."""
    return bool(offset < expired_end or not local_matches)
