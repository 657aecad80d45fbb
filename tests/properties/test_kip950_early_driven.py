"""KIP-950 with DISABLING, driven beyond what can be explored: three brokers, two controllers."""

import pytest

from tests.properties.walks import idle_share, in_proportion, of_walks, steady
from tierproof.model.designs.kip950_early import KRAFT, ZOOKEEPER
from tierproof.model.designs.kip950_early.state import EarlyTopic
from tierproof.model.designs.kip950_zookeeper import DESIGN as APPENDIX
from tierproof.model.language import Design
from tierproof.properties import check

LARGE = EarlyTopic(
    brokers=3,
    controllers=2,
    offsets=4,
    appends=2,
    segment_bytes=2,
    segment_ids=5,
    leader_epochs=6,
    metadata_records=40,
    planned_deletions=12,
    retention_bytes=1,
    clock_ms=2,
    unapplied_records=3,
    config_changes=5,
    policy_changes=2,
    controller_elections=2,
    requests=5,
    lost_requests=1,
    duplicate_requests=2,
    removed_brokers=1,
    fetches=3,
    elections=3,
    shrinks=2,
    restarts=2,
    lost_disks=1,
    failed_copies=2,
    failed_deletes=2,
)


@pytest.mark.parametrize(
    "design",
    [
        KRAFT,
        APPENDIX,
        # Its repairs are those of KRAFT, and its requests those of the appendix.
        pytest.param(ZOOKEEPER, marks=pytest.mark.slow),
    ],
    ids=lambda design: design.name,
)
@of_walks(3, 100)
def test_every_property_holds_at_large_once_the_design_is_closed(design: Design, walks: int):
    """No property is masked: what still breaks is a cause without a repair."""
    closed = design.with_variants("repair_all")
    driven = check(closed, LARGE, settings=steady(walks, steps=60))
    assert driven.distinct_states > in_proportion(300, walks, 10)
    assert len(driven.never_taken) < len(design.actions) * idle_share(walks, 10)
