"""Model and brokers driven together on the newest release of Kafka, where Maven has it."""

from __future__ import annotations

import pytest

from benchmarks.drawn_histories import draw
from tierproof.command_line import confirming
from tierproof.conformance.brokers import running
from tierproof.conformance.brokers.cluster import started
from tierproof.conformance.brokers.driven_design import variants_of
from tierproof.conformance.brokers.driving import Driver, broker_settings
from tierproof.conformance.brokers.errors import CannotRun
from tierproof.conformance.brokers.fitting import History, stops_of
from tierproof.conformance.brokers.histories import Done, model_of
from tierproof.conformance.brokers.jvm import Jvm
from tierproof.conformance.brokers.releases import NEWEST, Release, class_path

pytestmark = [pytest.mark.brokers, pytest.mark.slow]
BOUNDS = {"records": 3, "restarts": 1}


@pytest.fixture
def driver(tmp_path):
    """A driver of one broker of the newest release, which ends with the test."""
    release = Release(NEWEST)
    try:
        path = class_path(release, confirming.jars())
    except CannotRun as error:
        pytest.skip(f"no broker of {NEWEST} can be run here: {error}")
    settings = broker_settings(1)
    with Jvm(path) as jvm, started(release, path, jvm, tmp_path, settings=settings) as cluster:
        driver = Driver(cluster)
        driver.measure()
        yield driver
    assert not running.is_any()


def test_a_broker_shows_what_the_model_of_its_release_lets_be_seen(driver):
    model = model_of(BOUNDS, *variants_of(NEWEST))
    drawn: list[tuple[History, ...]] = []
    draw(model.scope, 3, 4, drawn.append)
    without_stops = (tuple(done for done in one if done not in stops_of(one)) for one in drawn[-1])
    histories = list(dict.fromkeys(without_stops))[:4]
    runs = driver.runs(model, histories)
    assert [run.difference for run in runs] == [None] * len(histories)
    assert sum(len(run.turns) for run in runs) > len(histories)


def test_a_broker_differs_from_the_model_of_a_release_before_its_fix(driver):
    """KAFKA-20977: 4.4.0 keeps the record that 4.3.1 counts twice, and removes."""
    history = (Done("produce", 2), Done("retain", 2))
    [run] = driver.runs(model_of(BOUNDS, *variants_of("4.3.1")), [history])
    assert run.difference is not None
    assert run.done == history
