"""A batch of the cluster log is applied as its net change: the newest record of a kind counts."""

from types import SimpleNamespace

import pytest

from tierproof.model.kafka.cluster_log import ClusterRecordKind, last_in_batch
from tierproof.model.language import NONE

CONFIG, LEADERSHIP = ClusterRecordKind.CONFIG, ClusterRecordKind.LEADERSHIP
LOG = [SimpleNamespace(kind=kind) for kind in (CONFIG, LEADERSHIP, CONFIG)]


@pytest.mark.parametrize(
    ("position", "batch", "kind", "place"),
    [
        (0, 3, CONFIG, 2),
        (0, 2, CONFIG, 0),
        (0, 3, LEADERSHIP, 1),
        (2, 1, LEADERSHIP, NONE),
        (0, 0, CONFIG, NONE),
    ],
)
def test_the_newest_record_of_a_kind_in_the_batch_counts(position, batch, kind, place):
    assert last_in_batch(LOG, SimpleNamespace(position=position, batch=batch), kind) == place
