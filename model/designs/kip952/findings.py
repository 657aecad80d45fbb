"""What KIP-952 and its alternatives permit and should not: the register's written half."""

from tierproof.model.language import Finding

EMPTY = Finding(
    name="empty_snapshot_denies_producers",
    title="t",
    claims=("each_batch_is_committed_once",),
    permitted_by="p",
    explanation="e",
    repair="repair_regenerate_the_snapshot",
    unrepaired="",
    scope="restart",
    apart=(),
    beside=(),
)

SECOND = Finding(
    name="second_snapshot_lacks_the_first_segment",
    title="t",
    claims=("each_batch_is_committed_once",),
    permitted_by="p",
    explanation="e",
    repair="repair_replay_from_the_newest_snapshot",
    unrepaired="",
    scope="two_old",
    apart=(),
    beside=(),
)

EXPIRED = Finding(
    name="regenerated_snapshot_lacks_the_expired",
    title="t",
    claims=("making_a_snapshot_changes_no_recovery",),
    permitted_by="p",
    explanation="e",
    repair="repair_read_the_whole_log",
    unrepaired="",
    scope="expiry",
    apart=(),
    beside=(),
)

NEVER_ENDS = Finding(
    name="waiting_never_ends",
    title="t",
    claims=("rolled_segments_are_copied",),
    permitted_by="p",
    explanation="e",
    repair=None,
    unrepaired="idea",
    scope="smoke",
    apart=(),
    beside=(),
)

RETENTION_WAITS = Finding(
    name="retention_waits_for_the_copy",
    title="t",
    claims=("expired_local_segments_are_removed", "rolled_segments_are_copied"),
    permitted_by="p",
    explanation="e",
    repair="repair_retention_expires_what_waits",
    unrepaired="",
    scope="enabling",
    apart=(),
    beside=(),
)

ANOTHER_REPLICA = Finding(
    name="another_replica_still_has_an_old_segment",
    title="t",
    claims=("inputs_exist_before_copy_is_published",),
    permitted_by="p",
    explanation="e",
    repair="repair_every_replica_is_asked",
    unrepaired="",
    scope="followers",
    apart=(),
    beside=("text_only_the_leader_is_asked",),
)

OBJECT_WITHOUT = Finding(
    name="object_without_snapshot",
    title="t",
    claims=("every_object_has_its_snapshot",),
    permitted_by="p",
    explanation="e",
    repair=None,
    unrepaired="idea",
    scope="smoke",
    apart=(),
    beside=(),
)

READ_AS_EMPTY = Finding(
    name="missing_snapshot_is_read_as_empty",
    title="t",
    claims=("each_batch_is_committed_once", "every_object_has_its_snapshot"),
    permitted_by="p",
    explanation="e",
    repair="repair_read_the_remote_log_instead",
    unrepaired="",
    scope="followers",
    apart=(),
    beside=(),
)
