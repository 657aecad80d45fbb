"""A plan that is not kept to, and the published code."""

from tierproof.model.designs.kip1266.state import Topic
from tierproof.model.designs.kip1266_migration.steps import (
    has_waited,
    is_upgraded,
    operator_enables_compaction,
    operator_sets_retention,
    retention_removes_metadata,
    retention_window_passes,
)
from tierproof.model.kafka.compacted_topic import CleanupPolicy
from tierproof.model.language import Variant

NO_RETENTION = (
    operator_sets_retention,
    retention_removes_metadata,
    retention_window_passes,
    has_waited,
)
"""Steps 1 and 3 of the plan, and that step 4 waits for them."""

COMPACTION_ENABLED_EARLY = Variant(
    name="text_compaction_enabled_early",
    because="nothing checks what the operator turns compaction on for",
    unfence={operator_enables_compaction: is_upgraded},
    drop=(has_waited,),
)
BACKFILL_LEFT_OUT = Variant(
    name="text_backfill_left_out",
    because="a backfill is promised and not there: what if nothing is to expire, either",
    drop=NO_RETENTION,
)


def enable_both_policies(state: Topic) -> None:
    """Set cleanup.policy=compact,delete: version 1 of the feature in pull request 22459."""
    state.policy = CleanupPolicy.COMPACT_DELETE


BOTH_POLICIES = Variant(
    name="pull_request_both_policies",
    because="version 1 of the pull request's feature is compact,delete",
    effect={operator_enables_compaction: enable_both_policies},
    drop=(has_waited,),
)

READINGS = (COMPACTION_ENABLED_EARLY, BACKFILL_LEFT_OUT, BOTH_POLICIES)
