"""Which tier answers a fetch."""

import pytest

from tierproof.model.kafka.fetch_routing import FetchRoute, fetch_route


@pytest.mark.parametrize(
    ("remote_enabled", "offset", "route"),
    [
        (True, 0, FetchRoute.OUT_OF_RANGE),
        (True, 1, FetchRoute.REMOTE),
        (True, 3, FetchRoute.LOCAL),
        (True, 5, FetchRoute.OUT_OF_RANGE),
        (False, 1, FetchRoute.OUT_OF_RANGE),
        (False, 3, FetchRoute.LOCAL),
    ],
)
def test_a_log_from_1_with_local_segments_from_3_to_5(remote_enabled, offset, route):
    assert fetch_route(remote_enabled, 1, 3, 5, offset) == route
