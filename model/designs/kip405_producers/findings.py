"""What Kafka as shipped makes of producers in tiered storage: the register's written half."""

from tierproof.model.language import Finding

FOLLOWER_FORGETS = Finding(
    name="follower_on_the_remote_tier_forgets_producers",
    title="t",
    claims=("each_batch_is_committed_once",),
    permitted_by="p",
    explanation="e",
    repair="repair_followers_keep_the_snapshot",
    unrepaired="",
    scope="followers",
    apart=(),
    beside=(),
)

BEGINS_AT_LOG_START = Finding(
    name="follower_begins_at_the_log_start_without_producers",
    title="t",
    claims=("each_batch_is_committed_once",),
    permitted_by="p",
    explanation="e",
    repair="repair_fetch_producers_with_the_log_start",
    unrepaired="",
    scope="deletions",
    apart=(),
    beside=(),
)

NO_SNAPSHOT_AT_START = Finding(
    name="segment_is_given_up_without_a_snapshot",
    title="t",
    claims=("each_batch_is_committed_once",),
    permitted_by="p",
    explanation="e",
    repair="repair_snapshot_before_the_start_moves",
    unrepaired="",
    scope="old_deleted",
    apart=(),
    beside=(),
)

FOUND_OUT_LATE = Finding(
    name="missing_snapshot_is_found_out_late",
    title="t",
    claims=("inputs_exist_before_copy_is_published",),
    permitted_by="p",
    explanation="e",
    repair="repair_look_for_the_snapshot_first",
    unrepaired="",
    scope="smoke",
    apart=("repair_make_the_missing_snapshot",),
    beside=(),
)

NEVER_COPIED = Finding(
    name="old_segment_is_never_copied",
    title="t",
    claims=("rolled_segments_are_copied",),
    permitted_by="p",
    explanation="e",
    repair="repair_make_the_missing_snapshot",
    unrepaired="",
    scope="smoke",
    apart=(),
    beside=(),
)

FINDINGS = (
    FOLLOWER_FORGETS,
    BEGINS_AT_LOG_START,
    NO_SNAPSHOT_AT_START,
    FOUND_OUT_LATE,
    NEVER_COPIED,
)
