"""What becomes of a fetch from the remote tier that begins before a disable, and ends after it."""

import pytest

from tests.designs.kip950_reading import DESIGN
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.results import Verdict
from tierproof.spark_explorer.search import explore


def broken(design):
    found = explore(design, design.scope("alone_again"), MemoryExecution)
    return {one.name for one in found.properties if one.verdict is Verdict.VIOLATED}


@pytest.fixture(scope="module")
def of_closed():
    return broken(DESIGN.with_variant("repair_all"))


def test_a_fetch_in_flight_may_outlive_the_disable_and_fail_in_the_store(of_closed):
    assert {"no_fetch_outlives_the_disable", "no_fetch_fails_in_the_store"} <= of_closed


def test_with_every_repair_a_fetch_fails_only_below_the_log_start(of_closed):
    assert "failed_fetch_is_below_the_log_start" not in of_closed
    assert of_closed <= {"no_fetch_outlives_the_disable", "no_fetch_fails_in_the_store"}


def test_as_written_a_fetch_fails_of_an_offset_that_the_log_start_promises():
    assert "failed_fetch_is_below_the_log_start" in broken(DESIGN)
