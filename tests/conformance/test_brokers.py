"""One finding and its control, on the newest release of Kafka, where Maven has it."""

import pytest

from tierproof.command_line import confirming
from tierproof.conformance.brokers import running
from tierproof.conformance.brokers.confirming import Outcome
from tierproof.conformance.brokers.errors import CannotRun
from tierproof.conformance.brokers.releases import NEWEST, Release, class_path

pytestmark = pytest.mark.brokers


@pytest.fixture(scope="module")
def newest():
    """The newest release, its jars resolved."""
    try:
        class_path(Release(NEWEST), confirming.jars())
    except CannotRun as error:
        pytest.skip(f"no broker of {NEWEST} can be run here: {error}")
    return NEWEST


def test_a_broker_loses_committed_records_and_its_control_does_not(newest, tmp_path):
    results = list(confirming.confirmed(["deleted_copies_still_count"], [newest], tmp_path))
    assert [(one.is_control, one.outcome) for one in results] == [
        (False, Outcome.CONFIRMED),
        (True, Outcome.CLEAN),
    ]
    assert "0 of 2 unreadable" in results[0].found


def test_a_broker_without_its_producer_snapshot_appends_a_retry(newest, tmp_path):
    found, control = confirming.confirmed(["clean_restart_without_snapshots"], [newest], tmp_path)
    assert (found.outcome, control.outcome) == (Outcome.CONFIRMED, Outcome.CLEAN)
    assert found.found.endswith("is acknowledged at 0 and 1, and read at 0 and 1")


def test_when_a_run_is_given_up_no_broker_is_left(newest, tmp_path):
    run = confirming.confirmed(["disabled_to_read_only"], [newest], tmp_path)
    next(run)
    run.close()
    assert not running.is_any()
