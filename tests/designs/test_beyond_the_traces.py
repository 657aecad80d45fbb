"""What pages of KIP-405 say of their traces is replayed.

Their traces begin with local.retention.ms=-1 beside retention.ms=0, which Kafka refuses: each page
says that the same steps have the same end with a setting that Kafka accepts.
"""

from dataclasses import replace

import pytest

from tests.designs.stored_traces import (
    STORED,
    trace_of,
)
from tierproof.model.designs import kip405
from tierproof.model.designs.kip405.start import tiered_partition
from tierproof.model.designs.kip405.state import Partition
from tierproof.model.language import Interpreter, Variant
from tierproof.model.language.replaying import liveness_of, where_broken, why_no_lasso
from tierproof.register import register_of

LIMITED = [
    one.name
    for one in register_of(kip405.DESIGN).findings
    if trace_of(STORED[f"kip405/{one.name}"]).states[0].broker[0].settings.retention_ms >= 0
]
"""Their traces begin with local.retention.ms=-1 (no limit) beside a retention.ms, which Kafka
refuses."""


def retain_no_longer_locally(state: Partition) -> None:
    """local.retention.ms is retention.ms, the most that Kafka accepts."""
    for replica in state.broker:
        replica.settings.local_retention_ms = replica.settings.retention_ms


ACCEPTED = Variant(
    name="kafka_accepts_the_settings",
    because="local.retention.ms must not exceed retention.ms",
    also={tiered_partition: retain_no_longer_locally},
)


@pytest.mark.parametrize("name", LIMITED)
def test_with_settings_that_kafka_accepts_the_same_steps_have_the_same_end(name):
    stored = STORED[f"kip405/{name}"]
    trace = trace_of(stored)
    accepted = replace(kip405.DESIGN, variants=(*kip405.DESIGN.variants, ACCEPTED))
    design = accepted.with_variants(*stored.variants, ACCEPTED.name)
    states, stop = trace.follow_in(design)
    assert stop is None
    if claim := liveness_of(design, stored.claim):
        assert why_no_lasso(replace(trace, design=design), claim) is None
    else:
        broken = where_broken(Interpreter(design, trace.scope), states, trace.steps, stored.claim)
        assert broken == [len(trace)]
