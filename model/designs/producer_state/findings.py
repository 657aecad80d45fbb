"""What Kafka's producer state permits that it should not: the register's written half."""

from tierproof.model.language import Finding

LATE_BATCH = Finding(
    name="late_batch_of_an_expired_producer",
    title="t",
    claims=(
        "no_sequence_is_accepted_twice",
        "accepted_sequences_follow_each_other",
        "accepted_epochs_do_not_fall",
    ),
    permitted_by="p",
    explanation="e",
    repair="repair_requests_die_before_expiry",
    unrepaired="",
    scope="expired",
    apart=(),
    beside=(),
)

EMPTY_SNAPSHOT = Finding(
    name="empty_snapshot_hides_producers",
    title="t",
    claims=("no_sequence_is_accepted_twice",),
    permitted_by="p",
    explanation="e",
    repair="repair_skip_empty_snapshots",
    unrepaired="",
    scope="empty",
    apart=(),
    beside=(),
)

CLEAN_RESTART = Finding(
    name="clean_restart_without_snapshots",
    title="t",
    claims=("no_sequence_is_accepted_twice",),
    permitted_by="p",
    explanation="e",
    repair="repair_read_log_without_snapshots",
    unrepaired="",
    scope="clean",
    apart=(),
    beside=(),
)

DELETED_RECORDS = Finding(
    name="deleted_records_take_their_producers_along",
    title="t",
    claims=("no_sequence_is_accepted_twice",),
    permitted_by="p",
    explanation="e",
    repair="repair_snapshots_outlive_their_records",
    unrepaired="",
    scope="deleted",
    apart=(),
    beside=(),
)

BEGINS_ANYWHERE = Finding(
    name="unknown_producer_begins_anywhere",
    title="t",
    claims=("accepted_sequences_follow_each_other",),
    permitted_by="p",
    explanation="e",
    repair="repair_unknown_producers_begin_at_zero",
    unrepaired="",
    scope="in_flight",
    apart=(),
    beside=(),
)

LOST_SNAPSHOT = Finding(
    name="lost_snapshot_takes_the_log_directory_offline",
    title="t",
    claims=("log_directory_stays_online",),
    permitted_by="p",
    explanation="e",
    repair="repair_skip_lost_snapshots",
    unrepaired="",
    scope="gone",
    apart=(),
    beside=(),
)

EMPTIED_LOG = Finding(
    name="emptied_log_forgets_producers",
    title="t",
    claims=("no_sequence_is_accepted_twice",),
    permitted_by="p",
    explanation="e",
    repair="repair_fetch_producers_with_the_log_start",
    unrepaired="",
    scope="emptied",
    apart=(),
    beside=(),
)

FETCHED_SNAPSHOT = Finding(
    name="fetched_snapshot_is_removed",
    title="t",
    claims=("no_sequence_is_accepted_twice",),
    permitted_by="p",
    explanation="e",
    repair="repair_followers_keep_the_snapshot",
    unrepaired="",
    scope="rebuilt",
    apart=(),
    beside=(),
)

FINDINGS = (
    LATE_BATCH,
    EMPTY_SNAPSHOT,
    CLEAN_RESTART,
    DELETED_RECORDS,
    BEGINS_ANYWHERE,
    LOST_SNAPSHOT,
    EMPTIED_LOG,
    FETCHED_SNAPSHOT,
)
