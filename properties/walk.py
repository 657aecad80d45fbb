"""Walks: random behaviours of a design, one enabled step after another.

A scope far beyond exhaustion has hundreds of steps, few of them enabled, and CPython needs
microseconds to test a guard. So a walk never lists all enabled steps: it draws an action that has
a step to take, then one of its steps, and tests as few guards as possible. A draw is the step
itself, not its rank among the enabled steps, so it keeps its meaning when Hypothesis shrinks a
walk by dropping earlier draws.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache
from typing import Any

from hypothesis import strategies as st

from tierproof.model.language import Action, Design, Interpreter, Scope, State, Step, Trace

Draw = Callable[[st.SearchStrategy[Any]], Any]
"""Hypothesis' `draw`: gives a value of a strategy."""


@dataclass(frozen=True)
class Plan:
    """An action and a strategy over all its steps in the scope, enabled or not."""

    action: Action
    steps: st.SearchStrategy[Step]


class Ground:
    """A design in a scope, prepared for walks; `height` of a state: how close to an aim it is."""

    def __init__(
        self, design: Design, scope: Scope, height: Callable[[Any], float] | None = None
    ) -> None:
        self.design, self.scope, self.height = design, scope, height
        self.interpreter = Interpreter(design, scope)
        self.initial_states = self.interpreter.initial_states()
        self.plans = [self._plan(index) for index in range(len(design.actions))]

    def _plan(self, index: int) -> Plan:
        act, steps = self.design.actions[index], self.interpreter.steps
        ends = [*steps.first_label, steps.count]
        labels = range(ends[index], ends[index + 1])
        return Plan(act, st.sampled_from([steps.step(label) for label in labels]))


class Walk:
    """One behaviour under construction; it prefers steps to states not yet visited.

    `muted` actions are taken only if no other action has a step; a walk that `returns` may
    visit a state again. Where there is an aim, half of the walks climb: they prefer steps to a
    state of greater height. The walk `is_over` once no step leads to another state.
    """

    def __init__(self, ground: Ground, draw: Draw, mute: Collection[int] = ()) -> None:
        self.ground = ground
        self.initial: int = draw(st.sampled_from(range(len(ground.initial_states))))
        self.returns: bool = draw(st.sampled_from((True, False, False, False)))
        self.climbs: bool = ground.height is not None and draw(st.booleans())
        self.muted = _muted(len(ground.plans), draw).union(mute)
        self.steps: list[Step] = []
        self.state = ground.initial_states[self.initial]
        self.visited = {self.state}
        self.is_over = False

    @property
    def trace(self) -> Trace:
        """The behaviour so far."""
        return Trace(self.ground.design, self.ground.scope, self.initial, tuple(self.steps))

    def advance(self, draw: Draw) -> State | None:
        """Draw a step and take it; returns the state before it, or None if there is no step."""
        before = self.state
        step = self._drawn(draw) if self.ground.interpreter.within_bounds(before) else None
        if step is not None:
            self.steps.append(step)
            self.state = self.ground.interpreter.take(before, step)
            self.visited.add(self.state)
        self.is_over = self.state == before
        return None if step is None else before

    def _drawn(self, draw: Draw) -> Step | None:
        """A step to an unvisited state, else to another state, else any step; muted ones last."""
        everything = range(len(self.ground.plans))
        ways = (self._leads_on, self._leads_away, self._is_possible)
        for accepts in (self._leads_up, *ways) if self.climbs else ways:
            for indexes in (set(everything) - self.muted, self.muted):
                has_step = _has_step(self.ground, self.state, indexes, accepts)
                if any(map(has_step, everything)):
                    index = draw(st.sampled_from(everything).filter(has_step))
                    return self._step_of(index, accepts, draw)
        return None

    def _step_of(self, index: int, accepts: Callable[[Step], bool], draw: Draw) -> Step:
        interpreter, state = self.ground.interpreter, self.state
        return draw(
            self.ground.plans[index].steps.filter(
                lambda step: interpreter.is_enabled(state, step) and accepts(step)
            )
        )

    def _leads_up(self, step: Step) -> bool:
        height, after = self.ground.height, self.ground.interpreter.take(self.state, step)
        return height is not None and height(after) > height(self.state)

    def _leads_on(self, step: Step) -> bool:
        after = self.ground.interpreter.take(self.state, step)
        return after != self.state and (self.returns or after not in self.visited)

    def _leads_away(self, step: Step) -> bool:
        return self.ground.interpreter.take(self.state, step) != self.state

    def _is_possible(self, step: Step) -> bool:
        return True


def _has_step(
    ground: Ground, state: State, indexes: set[int], accepts: Callable[[Step], bool]
) -> Callable[[int], bool]:
    """Whether the action of an index is among `indexes` and has an accepted step here."""

    @cache
    def has_step(index: int) -> bool:
        return index in indexes and any(
            map(accepts, ground.interpreter.enabled_of(ground.plans[index].action, state))
        )

    return has_step


def _muted(count: int, draw: Draw) -> set[int]:
    """Up to half of the actions ("swarm testing"): rare behaviours need others to be absent."""
    share = draw(st.sampled_from((0, 0, 1, 2, 4)))
    if share == 0:
        return set()
    return {index for index in range(count) if draw(st.integers(0, 7)) >= 8 - share}
