"""The copiers that partitions share: a state in which each property holds, and one in which not."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tierproof.invariants.shared_copiers import (
    has_other_segment_to_copy,
    other_partition_is_copied,
    other_partitions_are_copied,
)
from tierproof.model.designs.kip405_faults.state import OtherCopy


def brokers(*copies: OtherCopy) -> SimpleNamespace:
    return SimpleNamespace(broker=[SimpleNamespace(other_copy=one) for one in copies])


@pytest.mark.parametrize("copy", [OtherCopy.WAITING, OtherCopy.RUNNING])
def test_another_partition_waits_until_its_copy_has_ended(copy: OtherCopy) -> None:
    state = brokers(OtherCopy.ENDED, copy)
    assert has_other_segment_to_copy.function(state)
    assert not other_partitions_are_copied.function(state)


@pytest.mark.parametrize("copy", [OtherCopy.NONE, OtherCopy.ENDED])
def test_no_other_partition_waits_where_it_has_no_segment_or_its_copy_has_ended(
    copy: OtherCopy,
) -> None:
    assert other_partitions_are_copied.function(brokers(OtherCopy.NONE, copy))


def test_another_partition_is_copied_where_its_copy_has_ended() -> None:
    assert other_partition_is_copied.function(brokers(OtherCopy.NONE, OtherCopy.ENDED))
    assert not other_partition_is_copied.function(brokers(OtherCopy.NONE, OtherCopy.RUNNING))
