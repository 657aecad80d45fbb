"""A difference shrinks to a shortest history within a bound, by tries that fit together."""

from __future__ import annotations

from collections.abc import Sequence

from tierproof.conformance.brokers.driven_design import variants_of
from tierproof.conformance.brokers.fitting import History, stops_of, within
from tierproof.conformance.brokers.histories import Done, Model, model_of
from tierproof.conformance.brokers.shrinking import shrunk

BOUNDS = {"records": 3, "restarts": 1}
OLD, NEW = model_of(BOUNDS, *variants_of("4.3.1")), model_of(BOUNDS, *variants_of("4.4.0"))
LONG = (
    Done("produce", 2),
    Done("disable_without_delete"),
    Done("keep_little_locally"),
    Done("keep_all_locally"),
    Done("retain", 3),
    Done("kill"),
    Done("produce", 1),
    Done("read_only"),
    Done("retain", 2),
    Done("retain", 1),
)


class InPlaceOfBrokers:
    """A model that answers in place of brokers, to another model that is held against it."""

    def __init__(self, broker: Model, model: Model) -> None:
        self.broker, self.model = broker, model
        self.asked: list[Sequence[History]] = []

    def differ(self, histories: Sequence[History]) -> list[History]:
        self.asked.append(histories)
        return [begun for one in histories if (begun := self.beginning(one))]

    def beginning(self, history: History) -> History:
        """The history up to its first difference, empty without one."""
        shown, allowed = self.broker.beginning().states, self.model.beginning().states
        for number, done in enumerate(history, 1):
            answer = self.broker.after(shown, done)
            seen = answer.observations[0]
            shown = answer.seen(seen)
            allowed = self.model.after(allowed, done).seen(seen)
            if not allowed:
                return history[:number]
        return ()


def test_a_release_with_kafka_20977_differs_from_one_without_by_two_actions():
    brokers = InPlaceOfBrokers(OLD, NEW)
    first = brokers.beginning(within(NEW.scope, LONG))
    assert len(first) > 2
    assert shrunk(first, brokers.differ, NEW.scope) == (Done("produce", 2), Done("retain", 2))


def test_histories_that_are_tried_side_by_side_stop_the_same_brokers():
    brokers = InPlaceOfBrokers(OLD, NEW)
    shrunk(brokers.beginning(within(NEW.scope, LONG)), brokers.differ, NEW.scope)
    assert all(len({stops_of(one) for one in several}) == 1 for several in brokers.asked)


def test_a_history_is_tried_once_and_no_more_than_is_allowed():
    brokers = InPlaceOfBrokers(OLD, NEW)
    first = brokers.beginning(within(NEW.scope, LONG))
    shrunk(first, brokers.differ, NEW.scope, most=5)
    tried = [one for several in brokers.asked for one in several]
    assert len(tried) == len({*tried}) == 4


def test_what_is_shortest_already_stays():
    shortest = (Done("produce", 2), Done("retain", 2))
    assert shrunk(shortest, InPlaceOfBrokers(OLD, NEW).differ, NEW.scope) == shortest
