"""KIP-950 with DISABLING in small scopes: what each fence of the text is for."""

from functools import cache

import pytest

from tierproof.model.designs.kip950_early import KRAFT
from tierproof.model.designs.kip950_early.scopes import ONCE, SMOKE
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.results import Verdict
from tierproof.spark_explorer.search import explore

AGAIN = SMOKE.replace(requests=1, duplicate_requests=0, metadata_records=1)
EXPIRING = ONCE.replace(clock_ms=1)


@cache
def violated(scope, *without):
    result = explore(KRAFT.without(*without), scope, MemoryExecution, max_states=300_000)
    return {entry.name for entry in result.properties if entry.verdict is Verdict.VIOLATED}


@pytest.mark.parametrize(
    ("guard", "claim", "scope"),
    [
        # TIERED_STORAGE_DISABLEMENT_IN_PROGRESS.
        ("is_acceptable", "TieredState_lifecycle", AGAIN),
        # "Once the controller receives responses from all brokers".
        ("has_all_answers", "disabled_state_is_true_of_every_broker", AGAIN),
        # "Local logs are only expired if there is no data in remote storage".
        (
            "has_no_remote_log_to_expire_first",
            "local_log_expires_after_the_remote_log",
            EXPIRING,
        ),
    ],
)
def test_a_fence_protects_its_property(guard, claim, scope):
    assert claim not in violated(scope)
    assert claim in violated(scope, guard)
