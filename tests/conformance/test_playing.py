"""What actions ask of brokers and what they read from them. No broker runs here."""

import socket
import struct
import threading
from types import SimpleNamespace
from typing import Any

import pytest

from tests.conformance.test_scenarios import trace_of
from tierproof.conformance.brokers import produce_requests, running
from tierproof.conformance.brokers.broker_actions import (
    delete_records,
    deletion_begins,
    local_removal,
    log_start_raised,
)
from tierproof.conformance.brokers.cleaner_actions import (
    CLEANER_SETTINGS,
    ENTRY_BYTES,
    MAP_BYTES,
    begin_compacted,
    begin_pass,
    key_of,
    revived,
)
from tierproof.conformance.brokers.errors import Refused
from tierproof.conformance.brokers.looking import cleaner_checkpoint
from tierproof.conformance.brokers.playing import Play
from tierproof.conformance.brokers.produce_requests import Answer, Batch
from tierproof.conformance.brokers.producer_actions import duplicates
from tierproof.conformance.brokers.scenarios import SCENARIOS
from tierproof.model.kafka.local_retention import Reason

BATCH = Batch(producer=0, epoch=0, sequence=0, value=b"a record")


class Asked:
    """A client that notes the times of records and the settings that it is asked for."""

    def __init__(self, committed=None):
        self.times, self.altered, self._committed = [], {}, committed

    def create_topic(self, topic, replicas, settings):
        self.altered |= settings

    def produce(self, topic, values, times):
        self.times += times

    def alter_settings(self, topic, settings):
        self.altered |= settings

    def committed(self, topic):
        return self._committed


def play_of(finding, client):
    """A play of that finding whose cluster is this client."""
    scenario = next(one for one in SCENARIOS if one.finding == finding)
    trace, _ = trace_of(scenario)
    cluster: Any = SimpleNamespace(client=client, shut=lambda gate, says: None)
    return Play(trace, scenario, cluster, lambda line: None)


def test_a_record_that_is_past_retention_ms_in_the_trace_is_so_on_brokers():
    asked = Asked()
    play = play_of("old_local_segment_expires_the_remote_log", asked)
    play.begin()
    assert asked.altered["retention.ms"] == -1
    play.number = 1 + next(n for n, s in enumerate(play.trace.steps) if s.reason == Reason.TIME)
    play.is_free = True
    local_removal(play)
    ages = [play.began_ms - time for time in asked.times]
    assert ages[0] < asked.altered["retention.ms"] < ages[1]


def test_of_records_of_one_time_the_later_is_younger_so_that_the_time_index_fills():
    asked = Asked()
    play_of("two_copies_of_a_segment_both_count", asked).begin()
    assert asked.times == sorted(set(asked.times))


@pytest.mark.parametrize(
    "finding", [one.finding for one in SCENARIOS if one.design in ("kip405", "kip950")]
)
def test_no_record_is_of_the_future_as_brokers_refuse_those(finding):
    asked = Asked()
    play = play_of(finding, asked)
    play.begin()
    assert asked.times
    assert max(asked.times) < play.began_ms + 1_000


@pytest.fixture
def awaiting():
    """Something may be awaited: another test may have ended all that runs."""
    running.begin()


class Losing(Asked):
    """A cluster whose first request for a deletion goes to the broker that stands still."""

    def __init__(self, log):
        super().__init__()
        self.asked, self.log = 0, log

    def delete_unanswered(self, topic, before, patience_ms):
        self.asked += 1
        if self.asked > 1:
            reason = "client delete records request (kafka.log.UnifiedLog)"
            self.log.write_text(f"INFO Incremented log start offset to {before} due to {reason}\n")
        raise Refused("TimeoutException", "no answer")


@pytest.mark.usefixtures("awaiting")
def test_a_deletion_that_nobody_answers_is_asked_for_until_the_leader_has_it(tmp_path):
    log = tmp_path / "broker-0.log"
    log.write_text("INFO Incremented log start offset to 7 due to segment deletion\n")
    losing = Losing(log)
    play = play_of("unanswered_deletion_is_forgotten", losing)
    play.cluster.brokers = [SimpleNamespace(log=log)]
    play.number, play.standing = 1, {1}
    assert play.step.action == "user_deletes_records"
    delete_records(play)
    assert losing.asked == 2


@pytest.mark.usefixtures("awaiting")
@pytest.mark.parametrize("first", ["of the trace", "of the new leader"])
def test_the_deletion_of_the_copy_of_the_trace_is_awaited_in_whatever_order_they_come(first):
    play = play_of("deletion_overtakes_a_copy", Asked())
    passed, deletions = [], iter(dict.fromkeys([first, "of the trace"]))
    waiting = {"delete": next(deletions)}

    def let_pass(gate, broker, offset):
        passed.append((gate, waiting["delete"]))
        if gate == "delete_reply":
            waiting["delete"] = next(deletions)

    play.cluster.waiting_segment = lambda gate, broker, offset: waiting.get(gate, "")
    play.cluster.let_pass = let_pass
    actions = [step.action for step in play.trace.steps]
    play.number = 1 + actions.index("expiration_publishes_delete_started")
    play.ids[play.segment] = "of the trace"
    deletion_begins(play)
    assert waiting["delete"] == "of the trace"
    other = "of the new leader"
    through = [("delete", other), ("delete_reply", other)]
    assert passed == (through if first == other else [])


@pytest.mark.usefixtures("awaiting")
@pytest.mark.parametrize("segment", ["of the trace", "of the new leader"])
def test_a_copy_that_the_trace_does_not_have_goes_through_while_the_log_start_is_to_rise(segment):
    asked: Any = Asked()
    play = play_of("deletion_overtakes_a_copy", asked)
    passed: list[tuple[str, int, int]] = []
    play.cluster.waiting_segments = lambda gate, broker: {} if passed else {0: segment}
    play.cluster.waiting_segment = lambda gate, broker, offset: "" if passed else segment
    play.cluster.let_pass = lambda gate, broker, offset: passed.append((gate, broker, offset))
    actions = [step.action for step in play.trace.steps]
    play.number = 1 + actions.index("expiration_task_raises_log_start")
    play.ids[0] = "of the trace"
    asked.offset = lambda topic, name: play.after.broker[play.actor].log_start_offset
    log_start_raised(play)
    of_another = [("copy", play.actor, 0), ("copy_reply", play.actor, 0)]
    assert passed == ([] if segment == "of the trace" else of_another)


def test_a_batch_is_a_duplicate_if_it_is_acknowledged_at_two_offsets():
    play = play_of("follower_on_the_remote_tier_forgets_producers", Asked())
    play.answers = [Answer(BATCH, 0), Answer(BATCH, 0)]
    assert duplicates(play) == {}
    play.answers.append(Answer(BATCH, 2))
    assert duplicates(play) == {BATCH: [0, 2]}


@pytest.mark.parametrize(
    ("records", "found"),
    [
        ({0: (key_of(0), b"a value")}, {0: 0}),
        ({0: (key_of(0), b"a value"), 3: (key_of(0), None)}, {}),
        ({5: (b"another key", b"a value")}, {}),
    ],
    ids=["its tombstone is gone", "its tombstone is there", "both are gone"],
)
def test_a_deleted_key_is_back_if_its_last_record_is_a_value(records, found):
    play = play_of("deleted_key_comes_back", Asked(records))
    assert revived(play) == found


def test_the_offset_map_of_the_broker_has_as_much_room_as_that_of_the_trace():
    play = play_of("deleted_key_comes_back", Asked())
    slots = MAP_BYTES // ENTRY_BYTES
    room = int(slots * float(str(CLEANER_SETTINGS["log.cleaner.io.buffer.load.factor"])))
    assert room == play.trace.scope.map_keys


def test_a_pass_that_begins_at_a_checkpoint_is_held_back_until_the_trace_comes_to_it():
    asked = Asked()
    play = play_of("deleted_key_comes_back", asked)
    begin_compacted(play)
    without_a_checkpoint, with_one_inside_the_only_inactive_segment = 1.0, 0.5
    ratios = []
    for number, step in enumerate(play.trace.steps, 1):
        if step.action == "cleaner_fills_map":
            play.number = number
            begin_pass(play)
            ratios.append(asked.altered["min.cleanable.dirty.ratio"])
    first, second = ratios
    assert with_one_inside_the_only_inactive_segment < first < without_a_checkpoint
    assert second < with_one_inside_the_only_inactive_segment


def test_the_checkpoint_of_the_cleaner_is_that_of_the_topic(tmp_path):
    cluster: Any = SimpleNamespace(brokers=[SimpleNamespace(data=tmp_path)])
    assert cleaner_checkpoint(cluster, 0, "tiered") == 0
    (tmp_path / "cleaner-offset-checkpoint").write_text("0\n2\nother 0 9\ntiered 0 3\n", "utf-8")
    assert cleaner_checkpoint(cluster, 0, "tiered") == 3


def answering(answer):
    """The port of a broker that reads a request, answers so, and hangs up."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve():
        with server, server.accept()[0] as client:
            size = struct.unpack(">i", client.recv(4, socket.MSG_WAITALL))[0]
            client.recv(size, socket.MSG_WAITALL)
            client.sendall(answer)

    threading.Thread(target=serve, daemon=True).start()
    return server.getsockname()[1]


def answer_of(error, offset):
    topic = struct.pack(">h", 6) + b"tiered"
    partition = struct.pack(">iihqq", 1, 0, error, offset, -1)
    body = struct.pack(">ii", 0, 1) + topic + partition + struct.pack(">i", 0)
    return struct.pack(">i", len(body)) + body


@pytest.fixture
def jvm(monkeypatch):
    """A machine whose Kafka has one error, and batches that nobody reads."""
    monkeypatch.setattr(produce_requests, "_records", lambda jvm, batch: batch.value)
    errors = SimpleNamespace(forCode=lambda code: SimpleNamespace(name=lambda: f"ERROR_{code}"))
    protocol = SimpleNamespace(protocol=SimpleNamespace(Errors=errors))
    kafka = SimpleNamespace(kafka=SimpleNamespace(common=protocol))
    return SimpleNamespace(classes=SimpleNamespace(org=SimpleNamespace(apache=kafka)))


def test_the_answer_to_a_batch_is_its_offset(jvm):
    port = answering(answer_of(0, 7))
    assert produce_requests.send(jvm, port, "tiered", BATCH) == Answer(BATCH, 7)


def test_a_batch_that_is_not_appended_is_refused(jvm):
    with pytest.raises(Refused, match="ERROR_45"):
        produce_requests.send(jvm, answering(answer_of(45, -1)), "tiered", BATCH)
    with pytest.raises(Refused, match="closed the connection"):
        produce_requests.send(jvm, answering(b""), "tiered", BATCH)
