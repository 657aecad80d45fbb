"""Each part of a leader's validation of markers holds a property of transactions."""

import pytest

from tierproof.model.designs.producer_state import DESIGN
from tierproof.model.kafka.producer_state import ProducerLog
from tierproof.model.kafka.producer_validation import AppendAnswer, is_fenced, validate_marker
from tierproof.model.language import Edit
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.results import Verdict
from tierproof.spark_explorer.search import explore

SCOPE = DESIGN.scope("bumped_markers").replace(offsets=3, crashes=0)
"""Transactions of version 2, one bump of the epoch, and a marker that is sent twice."""


def accepts_its_own_epoch(
    log: ProducerLog, producer: int, epoch: int, coordinator_epoch: int, transaction_version: int
) -> AppendAnswer:
    """Without the fix of KAFKA-19446: a marker may have the epoch of the data."""
    if is_fenced(log.producer[producer], epoch):
        return AppendAnswer.INVALID_PRODUCER_EPOCH
    return AppendAnswer.APPENDED


def accepts_higher_epochs_only(
    log: ProducerLog, producer: int, epoch: int, coordinator_epoch: int, transaction_version: int
) -> AppendAnswer:
    """Without the fix of KAFKA-19999: the second copy of a marker is refused like a zombie's."""
    entry = log.producer[producer]
    if is_fenced(entry, epoch) or epoch == entry.epoch:
        return AppendAnswer.INVALID_PRODUCER_EPOCH
    return AppendAnswer.APPENDED


def accepts_none(
    log: ProducerLog, producer: int, epoch: int, coordinator_epoch: int, transaction_version: int
) -> AppendAnswer:
    """No transaction ever ends."""
    return AppendAnswer.TRANSACTION_COORDINATOR_FENCED


def explored(new):
    """Properties that are violated, and witnesses that are not reached."""
    change = Edit(define={validate_marker: new})
    design = DESIGN.derive(name="ablated", title="Without a part", change=change)
    result = explore(design, SCOPE, MemoryExecution)
    broken = {one.name for one in result.properties if one.verdict is Verdict.VIOLATED}
    return broken, {one.name for one in result.witnesses if not one.reached}


@pytest.mark.parametrize(
    ("new", "name"),
    [
        (accepts_its_own_epoch, "markers_end_transactions_of_earlier_epochs"),
        (accepts_higher_epochs_only, "markers_of_the_log_are_not_refused"),
    ],
)
def test_without_a_rule_its_property_breaks(new, name):
    broken, _ = explored(new)
    assert broken == {name}


def test_if_no_marker_is_accepted_no_transaction_is_seen_to_end():
    broken, unreached = explored(accepts_none)
    assert broken == set()
    assert "transaction_has_ended" in unreached
