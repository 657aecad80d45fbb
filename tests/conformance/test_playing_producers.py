"""What actions of `producer_state` ask of brokers, and what they read. No broker runs here."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from tests.conformance.test_playing import play_of
from tierproof.conformance.brokers import produce_requests, running, snapshot_actions
from tierproof.conformance.brokers.client import ActiveProducer
from tierproof.conformance.brokers.confirming import replicas
from tierproof.conformance.brokers.errors import Refused
from tierproof.conformance.brokers.looking import OFFLINE, Seen, has_no_log_directory
from tierproof.conformance.brokers.produce_requests import FIRST_ID, Answer, Batch
from tierproof.conformance.brokers.request_actions import (
    DAY_MS,
    batch_of,
    receive,
    receive_in_order,
    receive_of_now,
    send_what_is_late,
)
from tierproof.conformance.brokers.scenarios import SCENARIOS
from tierproof.conformance.brokers.snapshot_actions import (
    crash,
    lose_snapshot,
    place_empty_snapshot,
    roll,
)
from tierproof.conformance.brokers.stages import STAGES
from tierproof.conformance.brokers.stages import play as play_all
from tierproof.conformance.brokers.symptoms import later_batch_alone, readers_held_up
from tierproof.conformance.brokers.truncation_actions import truncate
from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.language import NONE

FINDINGS = [one for one in SCENARIOS if one.design == "producer_state"]
SEEN = Seen(leader=0, offsets={"latest": 2}, local={}, objects=[], metadata=[])


def of_design(finding, folder=None, client=None):
    """A play of that finding, on one broker with that folder."""
    play = play_of(finding, client or SimpleNamespace(jvm=None))
    play.cluster.brokers = [SimpleNamespace(port=9092, data=folder)]
    return play


def at(play, action):
    """The play, come to the last step of that action."""
    names = [step.action for step in play.trace.steps]
    play.number = len(names) - names[::-1].index(action)
    return play


@pytest.fixture
def sent(monkeypatch):
    """The batches that brokers get: they append what they do not know at the next offset."""
    running.begin()
    batches: list[Batch] = []

    def send(jvm, port, topic, batch, patience_ms=0):
        batches.append(batch)
        return Answer(batch, len(batches) - 1)

    monkeypatch.setattr(produce_requests, "send", send)
    return batches


def test_a_retry_is_the_very_batch_that_was_sent_before(sent):
    play = of_design("late_batch_of_an_expired_producer")
    for number in (3, 6):
        play.number = number
        receive(play)
    assert len(sent) == 2
    assert len(set(sent)) == 1


def test_the_record_of_an_expired_producer_is_a_day_old_and_that_of_the_control_is_of_now(sent):
    play = of_design("late_batch_of_an_expired_producer")
    play.number = 3
    receive(play)
    assert play.began_ms - sent[0].timestamp_ms == DAY_MS
    receive_of_now(play)
    assert sent[1] == replace(sent[0], timestamp_ms=None)


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda one: one.finding)
def test_no_record_of_a_trace_is_of_the_future(finding):
    play = of_design(finding.finding)
    arrivals = [n for n, s in enumerate(play.trace.steps, 1) if s.action == "leader_appends_batch"]
    for number in arrivals:
        play.number = number
        request = play.before.request[play.step.place]
        if request.kind == BatchKind.DATA:
            assert (batch_of(play, request).timestamp_ms or 0) <= play.began_ms
    assert arrivals


def test_the_second_batch_arrives_first_and_in_the_control_they_arrive_in_order(sent):
    play = of_design("unknown_producer_begins_anywhere")
    play.number = 3
    receive(play)
    send_what_is_late(play)
    assert [one.sequence for one in sent] == [1, 0]
    receive_in_order(play)
    assert [one.sequence for one in sent[2:]] == [0, 1]


def test_a_batch_has_the_id_of_the_trace_unless_the_cluster_gave_it_one():
    batch = Batch(1, 0, 0, b"a record")
    assert batch.producer_id == FIRST_ID + 1
    assert replace(batch, given_id=4).producer_id == 4
    assert str(Batch(NONE, NONE, NONE, b"")) == "a batch without a producer"


class Rolling:
    """A client of a broker whose settings are altered, and which knows a producer of its own."""

    jvm = None

    def __init__(self):
        self.altered: list[object] = []

    def alter_settings(self, topic, settings):
        self.altered += settings.values()

    def producers(self, topic):
        return [ActiveProducer(4, 3, 2)]


@pytest.mark.parametrize("knows", ["its batch", "its producer"])
def test_a_segment_rolls_as_a_batch_comes_that_the_log_has_already(sent, monkeypatch, knows):
    rolling = Rolling()
    play = at(of_design("empty_snapshot_hides_producers", client=rolling), "broker_rolls_segment")
    if knows == "its batch":
        play.answers = [Answer(Batch(0, 0, 0, b"a record", timestamp_ms=1), 0)]
    rolls_at_the_second = iter([[0], [0, 1]])
    monkeypatch.setattr(
        snapshot_actions, "local_segments", lambda *asked: next(rolls_at_the_second)
    )
    roll(play)
    assert rolling.altered == [1, 604_800_000]
    assert len(sent) == 2
    wanted = (FIRST_ID, 0, 0) if knows == "its batch" else (4, 3, 2)
    assert {(one.producer_id, one.epoch, one.sequence) for one in sent} == {wanted}
    assert all(one.timestamp_ms is None for one in sent), "it is later than segment.ms"
    assert len(play.answers) == (knows == "its batch")


class Crc:
    """java.util.zip.CRC32C, of bytes whose checksum is known."""

    def update(self, data, start, size):
        assert data[start:size] == bytes(4)

    def getValue(self):
        return 0x48674BC7


def test_an_empty_snapshot_takes_the_place_of_a_lost_one(tmp_path):
    running.begin()
    zipping = SimpleNamespace(zip=SimpleNamespace(CRC32C=Crc))
    classes = SimpleNamespace(java=SimpleNamespace(util=zipping))
    client = SimpleNamespace(jvm=SimpleNamespace(classes=classes))
    play = of_design("empty_snapshot_hides_producers", tmp_path, client)
    file = tmp_path / "tiered-0" / "00000000000000000001.snapshot"
    file.parent.mkdir()
    file.write_bytes(b"a producer")
    lose_snapshot(at(play, "snapshot_is_lost"))
    assert not file.exists()
    place_empty_snapshot(at(play, "operator_places_empty_snapshot"))
    assert file.read_bytes() == bytes.fromhex("0001 48674bc7 00000000")


def test_a_broker_is_killed_once_it_has_the_checkpoints_that_the_trace_recovers_from(tmp_path):
    running.begin()
    play = at(of_design("empty_snapshot_hides_producers", tmp_path), "broker_crashes")
    killed: list[object] = []
    play.cluster.crash = killed.append
    names = ("log-start-offset-checkpoint", "recovery-point-offset-checkpoint")
    for name in names:
        (tmp_path / name).write_text("0\n1\ntiered 0 1\n", "utf-8")
    crash(play)
    assert killed == play.cluster.brokers
    assert [name for name in names if any(name in line for line in play.said)] == list(names)


class Following:
    """A client of a cluster of two brokers, which notes who is elected."""

    def __init__(self):
        self.elected: list[int] = []

    def move(self, topic, replicas):
        self.elected.append(replicas[0])

    def elect_preferred(self, topic):
        pass

    def leader(self, topic):
        return self.elected[-1]

    def in_sync(self, topic):
        return {0, 1}


@pytest.mark.parametrize(
    ("finding", "leaders"),
    [
        ("truncation_reads_from_the_log_start", [1, 0]),
        ("lost_snapshot_takes_the_log_directory_offline", [1]),
    ],
)
def test_the_other_broker_leads_until_the_log_is_cut_off(monkeypatch, finding, leaders):
    running.begin()
    following = Following()
    play = at(of_design(finding, client=following), "follower_truncates")
    went_on: list[int] = []
    brokers = [SimpleNamespace(), SimpleNamespace(resume=lambda: went_on.append(1))]
    play.cluster.brokers, play.standing = brokers, {1}
    data = iter([[0, 1], [0]])
    module = "tierproof.conformance.brokers.truncation_actions"
    monkeypatch.setattr(f"{module}.local_data", lambda *asked: next(data))
    monkeypatch.setattr(f"{module}.FETCH_S", 0)
    truncate(play)
    play.release()
    assert following.elected == leaders
    assert went_on == [1]
    assert next(data, None) is None


@pytest.mark.parametrize("is_control", [False, True])
def test_a_broker_stands_still_in_the_control_too_if_that_is_not_the_cause(monkeypatch, is_control):
    running.begin()
    monkeypatch.setattr("tierproof.conformance.brokers.playing.FETCH_S", 0)
    play = of_design("truncation_reads_from_the_log_start")
    actions: Any = SimpleNamespace(begin=lambda play: None, actions={}, end=lambda play: None)
    monkeypatch.setitem(STAGES, "producer_state", actions)
    told: list[str] = []
    still = SimpleNamespace(pause=lambda: told.append("pause"), resume=lambda: told.append("on"))
    play.cluster.brokers.append(still)
    play_all(play, is_control=is_control)
    assert told == ["pause", "on"]


def test_the_topic_has_the_replicas_of_the_trace_or_those_that_the_scenario_names():
    for scenario in FINDINGS:
        trace = play_of(scenario.finding, None).trace
        truncates = any(step.action == "follower_truncates" for step in trace.steps)
        assert replicas(scenario, trace) == (2 if truncates else 1)


def test_a_broker_has_halted_if_it_has_ended_and_says_that_no_disk_is_left(tmp_path):
    log = tmp_path / "broker-0.log"
    log.write_text(f"FATAL {OFFLINE} /data have failed\n", "utf-8")
    ended = SimpleNamespace(poll=lambda: 1)
    runs = SimpleNamespace(poll=lambda: None)
    cluster: Any = SimpleNamespace(brokers=[SimpleNamespace(process=ended, log=log)])
    assert has_no_log_directory(cluster, 0)
    cluster.brokers[0].process = runs
    assert not has_no_log_directory(cluster, 0)
    cluster.brokers[0].process = ended
    log.write_text("INFO shut down completed\n", "utf-8")
    assert not has_no_log_directory(cluster, 0)


@pytest.mark.parametrize("sequence", [0, 1])
def test_a_batch_is_alone_if_the_first_one_is_not_taken(sequence):
    batch = Batch(0, 0, sequence, b"a record")
    client = SimpleNamespace(read_all=lambda topic, end: {0: b"a record"})
    play = of_design("unknown_producer_begins_anywhere", client=client)
    play.answers, play.refusals = [Answer(batch, 0)], ["OUT_OF_ORDER_SEQUENCE_NUMBER"]
    assert later_batch_alone(play, SEEN).is_there == (sequence == 1)


@pytest.mark.parametrize("is_read", [False, True])
def test_readers_are_held_up_if_they_do_not_get_a_record_after_the_last_transaction(is_read):
    client = SimpleNamespace(
        produce=lambda topic, values: [2],
        offset=lambda topic, name, is_stable: 3 if is_read else 0,
        committed=lambda topic: {2: (None, b"a record")} if is_read else {},
    )
    found = readers_held_up(of_design("truncation_opens_an_ended_transaction", client=client), SEEN)
    assert found.found == (
        "" if is_read else "the record at 2 is not read: the last stable offset is 0"
    )


def test_a_batch_that_brokers_refuse_is_kept_as_a_refusal(monkeypatch):
    running.begin()

    def refuse(*asked):
        raise Refused("OUT_OF_ORDER_SEQUENCE_NUMBER", "not appended")

    monkeypatch.setattr(produce_requests, "send", refuse)
    play = of_design("unknown_producer_begins_anywhere")
    play.number = 3
    receive(play)
    assert play.refusals == ["OUT_OF_ORDER_SEQUENCE_NUMBER"]
    assert not play.answers
