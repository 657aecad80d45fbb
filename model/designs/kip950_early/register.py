"""Which findings each of the three designs shows, and by which properties.

One fault breaks different properties in different designs, and sooner or later.
"""

from dataclasses import replace

from tierproof.model.designs.kip950_early.findings import (
    DELETED_COPIES,
    ELECTED,
    EQUATION,
    LATE_REQUEST,
    MISSED,
    NEVER_EXPIRE,
    NO_BARRIER,
    ORPHAN,
    POLICY,
    REMOVED,
    RESTART,
    RETAINED_LOST,
    SETTINGS_FIRST,
    STALE_POLICY,
    TORN_WRITE,
    UNHEARD,
    ZOMBIE_CONTROLLER,
    ZOMBIE_LEADER,
)
from tierproof.model.language import Finding


def of(finding: Finding, *claims: str, scope: str | None = None) -> Finding:
    """The finding as one design shows it: by its own claims, in its own scope."""
    return replace(finding, claims=claims, scope=scope or finding.scope)


_LOST = (
    "no_committed_record_lost",
    "committed_records_stay_readable",
    "remote_and_local_parts_are_contiguous",
    "highest_remote_offset_is_sound",
    "copied_offset_is_sound",
    "local_segment_removed_only_once_copied",
    "new_leader_knows_the_log_start",
    "log_start_passes_only_what_may_go",
    "records_become_readable",
)
_ORPHANED = (
    "every_object_is_tracked",
    "disabled_state_leaves_no_objects",
    "disabled_topic_is_emptied",
    "settled_topic_holds_finished_segments_only",
)
_UNTIMELY = (
    "disabled_topic_serves_no_remote_read",
    "disabled_state_lets_every_replica_take_over",
    "disabling_twice_is_disabling_once",
)
_BARRIER = (
    "cancelled_copy_never_finishes",
    "disabled_state_copies_nothing_new",
    "disabled_topic_finishes_no_older_copy",
)
_NOT_COPIED = ("rolled_segments_are_copied", "enabled_topic_is_copied")
_EXPIRED_LOCALLY = "expired_local_segments_are_removed"
COMMON = (
    of(STALE_POLICY, *_UNTIMELY),
    of(DELETED_COPIES, *_LOST),
    of(NO_BARRIER, *_BARRIER),
    of(ORPHAN, *_ORPHANED),
    UNHEARD,
    SETTINGS_FIRST,
    ZOMBIE_CONTROLLER,
    ZOMBIE_LEADER,
    REMOVED,
    EQUATION,
)
"""What all three designs permit, with the same claims."""

KRAFT = (
    of(
        LATE_REQUEST,
        "request_acts_in_its_own_tiered_epoch",
        *_NOT_COPIED,
        "object_deleted_only_when_not_needed",
    ),
    *COMMON,
    of(RESTART, *RESTART.claims, _EXPIRED_LOCALLY),
    of(POLICY, *POLICY.claims, "older_tiered_epochs_are_invisible"),
    RETAINED_LOST,
    of(NEVER_EXPIRE, *NEVER_EXPIRE.claims, scope="retention"),
)
ZOOKEEPER = (
    of(
        LATE_REQUEST,
        "request_acts_in_its_own_tiered_epoch",
        "object_deleted_only_when_not_needed",
        "served_segment_has_its_object",
    ),
    of(MISSED, *_NOT_COPIED, "older_tiered_epochs_are_invisible"),
    TORN_WRITE,
    ELECTED,
    *COMMON,
    of(RESTART, *RESTART.claims, _EXPIRED_LOCALLY),
    POLICY,
    of(RETAINED_LOST, *RETAINED_LOST.claims, "read_only_topic_is_emptied"),
    NEVER_EXPIRE,
)
APPENDIX = (
    *(one for one in ZOOKEEPER if one.name not in (RESTART.name, NEVER_EXPIRE.name)),
    RESTART,
    of(NEVER_EXPIRE, *NEVER_EXPIRE.claims, _EXPIRED_LOCALLY),
)
