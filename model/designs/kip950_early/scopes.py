"""The named scopes of the three designs with DISABLING."""

from tierproof.model.designs.kip950_early.state import EarlyTopic

SMOKE = EarlyTopic(
    brokers=1,
    offsets=2,
    segment_ids=1,
    leader_epochs=1,
    metadata_records=4,
    planned_deletions=2,
    retention_bytes=1,
    config_changes=2,
    requests=2,
    duplicate_requests=1,
)
ONCE = SMOKE.replace(config_changes=1, requests=1, duplicate_requests=0)
SCOPES = {
    # A broker alone: disabled and enabled again, with a request that comes twice.
    "smoke": SMOKE,
    # A controller that is voted out, the one that takes its queue over, a request that is lost.
    "default": ONCE.replace(controllers=2, controller_elections=1, requests=2, lost_requests=1),
    # Two brokers, each asked and each told.
    "brokers": ONCE.replace(brokers=2),
    # A broker that is removed while the topic is disabled.
    "removal": ONCE.replace(brokers=2, removed_brokers=1),
    # A leader that crashes, and comes back into the newest settings.
    "restart": SMOKE.replace(restarts=1, leader_epochs=2, requests=1, duplicate_requests=0),
    # The policy changes, with tiering or alone.
    "policy": SMOKE.replace(policy_changes=1, requests=1, duplicate_requests=0),
    # Records expire, and a consumer reads what is remote.
    "retention": ONCE.replace(clock_ms=1, fetches=1),
    # A second attempt to copy, after the topic is tiered again.
    "again": SMOKE.replace(segment_ids=2, metadata_records=6, requests=1, duplicate_requests=0),
    # A leader change alone: what KIP-405 has, stays.
    "elections": ONCE.replace(
        brokers=2, elections=1, leader_epochs=2, config_changes=0, clock_ms=1
    ),
    # A leader change while the topic is disabled; a copy can begin, and no more.
    "leaders": ONCE.replace(brokers=2, elections=1, leader_epochs=2, metadata_records=1),
    # Two brokers, and a request that comes twice.
    "deep": ONCE.replace(brokers=2, requests=2, duplicate_requests=1),
}
ELECTED = ONCE.replace(brokers=2, elections=1, leader_epochs=2)
"""Two brokers and a leader change while the topic is disabled: `deep`, where watches do less."""
THRICE = SMOKE.replace(config_changes=3, metadata_records=1)
"""Disabled, enabled and disabled again, with a request that comes twice; a copy can begin."""
IN_SYNC = ELECTED.replace(
    config_changes=0, metadata_records=1, appends=1, shrinks=1, record_deletions=1
)
"""A follower falls behind, a user deletes records, and the follower comes back."""
