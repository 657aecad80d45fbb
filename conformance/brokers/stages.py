"""How each design is played: how its traces begin on brokers, and what its steps are there."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tierproof.conformance.brokers.broker_actions import BROKER_ACTIONS, OTHERWISE, BrokerAction
from tierproof.conformance.brokers.cleaner_actions import (
    CLEANER_ACTIONS,
    CLEANER_SETTINGS,
    begin_compacted,
    roll_with_an_ample_map,
)
from tierproof.conformance.brokers.playing import Play
from tierproof.conformance.brokers.producer_actions import (
    PRODUCER_ACTIONS,
    begin_with_producers,
    keep_disk,
)
from tierproof.conformance.brokers.request_actions import (
    REQUEST_ACTIONS,
    SETTINGS,
    begin_empty,
    receive_in_order,
    receive_of_now,
    send_what_is_late,
)


@dataclass(frozen=True, kw_only=True)
class Stage:
    """How traces of a design are played: their beginning, their actions, the brokers' settings.

    `end` is what still comes after the last step.
    """

    begin: Callable[[Play], None]
    actions: Mapping[str, BrokerAction]
    end: Callable[[Play], None] = Play.catch_up
    settings: Mapping[str, object] = field(default_factory=dict)


TIERED = Stage(begin=Play.begin, actions=BROKER_ACTIONS)
STAGES = {
    "kip405": TIERED,
    "kip950": TIERED,
    "kip405_producers": Stage(
        begin=begin_with_producers, actions=BROKER_ACTIONS | PRODUCER_ACTIONS
    ),
    "producer_state": Stage(
        begin=begin_empty, actions=REQUEST_ACTIONS, end=send_what_is_late, settings=SETTINGS
    ),
    "log_cleaner": Stage(begin=begin_compacted, actions=CLEANER_ACTIONS, settings=CLEANER_SETTINGS),
}
"""Design -> how it is played."""

CONTROLS = OTHERWISE | {
    "keep_disk": keep_disk,
    "roll_with_an_ample_map": roll_with_an_ample_map,
    "receive_of_now": receive_of_now,
    "receive_in_order": receive_in_order,
}
"""What controls do in place of a step."""


def play(one: Play, *, is_control: bool) -> None:
    """Play a trace, or its control, to the end: the gates are still shut then.

    Raises NotSeen or Refused where brokers do otherwise.
    """
    stage = STAGES[one.scenario.design]
    stands_still = not is_control or one.scenario.controls_stand_still
    stage.begin(one)
    for number in in_order(len(one.trace), one.scenario.put_off):
        one.number = number
        if stands_still:
            one.hold()
        action = stage.actions.get(one.step.action)
        if is_control and number in one.scenario.otherwise:
            name = one.scenario.otherwise[number]
            one.note(f"control: {one.scenario.control}")
            one.has_left = True
            action = CONTROLS[name or "nothing"]
        if action is not None:
            action(one)
        if stands_still:
            one.release()
        if one.is_free:
            time.sleep(0.2)
    stage.end(one)
    one.note("the trace is at its end")


def in_order(count: int, put_off: Mapping[int, int]) -> list[int]:
    """The numbers of the steps, those that are put off after the step that they follow."""
    return sorted(range(1, count + 1), key=lambda n: (put_off.get(n, n), n in put_off))
