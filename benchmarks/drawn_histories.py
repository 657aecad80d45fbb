"""Hypothesis draws histories of actions that model and broker are driven through together."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tierproof.conformance.brokers.fitting import History, within
from tierproof.conformance.brokers.histories import SETTINGS, STOPS, Done
from tierproof.model.designs.kip950.state import TieredTopic

MOST_ACTIONS, FEWEST_TOPICS, MOST_TOPICS = 5, 4, 8


@st.composite
def histories(draw: st.DrawFn, scope: TieredTopic) -> tuple[History, ...]:
    """Histories side by side that a scope has room for.

    A broker stops in all of them at once, after as many phases.
    """
    records, broker = scope.offsets, st.integers(0, scope.brokers - 1)
    actions = [
        st.builds(Done, st.sampled_from(sorted(SETTINGS))),
        st.builds(Done, st.just("produce"), st.integers(1, 2)),
        st.builds(Done, st.just("retain"), st.integers(1, records)),
        st.just(Done("retain_all")),
        st.builds(Done, st.just("delete_records"), st.integers(0, records)),
    ]
    if scope.brokers > 1:
        actions.append(st.builds(Done, st.just("elect"), broker))
    stop = st.builds(Done, st.sampled_from(STOPS), broker)
    stops = draw(st.lists(stop, max_size=scope.restarts))
    phase = st.lists(st.one_of(actions), min_size=2, max_size=MOST_ACTIONS)

    def one() -> History:
        found = [Done("produce", draw(st.integers(1, 3))), *draw(phase)]
        for stop in stops:
            found += [stop, *draw(phase)]
        return within(scope, found)

    return tuple(one() for _ in range(draw(st.integers(FEWEST_TOPICS, MOST_TOPICS))))


def draw(
    scope: TieredTopic, number: int, count: int, drive: Callable[[tuple[History, ...]], None]
) -> None:
    """Drive so many draws of the seed `number`. What differs is shrunk by others."""

    @seed(number)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(histories(scope))
    def driven(asked: tuple[History, ...]) -> None:
        drive(asked)

    driven()
