"""A hand-written bisimulation in CPython: what the engine's own is compared with.

It knows the states of a toy by their leaves, sees a state by the checks that report on it, and
compares sets of steps, where the engine adds numbers up.
"""

from __future__ import annotations

from typing import Any

from tierproof.model.language import Design, State
from tierproof.model.language.errors import FunctionRaised
from tierproof.model.language.interpreter import Interpreter
from tierproof.model.language.properties import Fairness, PropertyKind
from tierproof.model.language.scope import Scope

Leaves = tuple[int, ...]
OUTSIDE, REFUSED = "outside", "refused"


class NaiveBisimulation:
    """The states of a design in a scope, and the block of each."""

    def __init__(self, design: Design, scope: Scope) -> None:
        self.design, self.run = design, Interpreter(design, scope)
        self.claims = [one for one in design.checked if one.kind is PropertyKind.LIVENESS]
        self.states: dict[Leaves, State] = {}
        self.steps: dict[Leaves, set[tuple[Any, ...]]] = {}
        frontier = self.run.initial_states()
        while frontier:
            state = frontier.pop()
            if tuple(state.leaves) not in self.states:
                self.states[tuple(state.leaves)] = state
                frontier += self._expand(state)
        self.block = self._blocks()

    def stale(self, leaves: tuple[int, ...]) -> float:
        """The stale factor of a part of the state."""
        rest = {
            (block, tuple(held for at, held in enumerate(state) if at not in leaves))
            for state, block in self.block.items()
        }
        return len(self.block) / len(rest)

    def _expand(self, state: State) -> list[State]:
        """Note the steps of a state; returns the states that they lead to."""
        found = self.steps[tuple(state.leaves)] = set()
        enabled, inside = self.run.enabled(state), []
        for step in enabled:
            after = self.run.take(state, step)
            broken = self._names(self.run.violated_by(state, step, after))
            broken += tuple(self.run.unlawful_changes(state, after))
            if after.leaves == state.leaves:
                continue
            if self.run.within_bounds(after):
                found.add((str(step), broken, tuple(after.leaves)))
                inside.append(after)
            else:
                found.add((str(step), broken, (OUTSIDE, *self._seen(after))))
        try:
            found |= {(REFUSED, str(step)) for step in self._refused(state) if step not in enabled}
        except FunctionRaised:  # behind a limit: nobody knows, so that no state is like this one
            found.add((REFUSED, tuple(state.leaves)))
        return inside

    def _refused(self, state: State) -> list[Any]:
        """Fair steps that only a limit refuses."""
        every = map(self.run.steps.step, range(self.run.steps.count))
        return [
            step
            for step in every
            if self._is_fair(step.action)
            and all(
                guard.is_limit or self.run.holds("guard", guard, state, dict(step.arguments))
                for guard in self.design.action(step.action).guards
            )
        ]

    def _is_fair(self, action: str) -> bool:
        system = {act.name for act in self.design.system}
        fairness = [one.fairness or Fairness() for one in self.claims]
        return any(
            action in one.strong or action in (system if one.weak is None else one.weak)
            for one in fairness
        )

    def _seen(self, state: State) -> tuple[str, ...]:
        """What is seen of a state without its steps."""
        seen = self._names(self.run.violated_in(state))
        for entry in self.design.checked:
            if entry.kind in (PropertyKind.WITNESS, PropertyKind.LIVENESS):
                seen += (entry.name,) * self.run.holds("witness", entry, state)
            if entry.premise is not None:
                seen += (f"premise {entry.name}",) * self.run.holds("premise", entry.premise, state)
        return seen

    def _names(self, properties: list[Any]) -> tuple[str, ...]:
        return tuple(entry.name for entry in properties)

    def _blocks(self) -> dict[Leaves, int]:
        """Divide the states until no block is divided."""
        numbers: dict[Any, int] = {}
        block = {
            one: numbers.setdefault((self._seen(state), not self.run.enabled(state)), len(numbers))
            for one, state in self.states.items()
        }
        while True:
            before, numbers = len(set(block.values())), {}
            block = {
                one: numbers.setdefault((block[one], self._signature(one, block)), len(numbers))
                for one in self.states
            }
            if len(numbers) == before:
                return block

    def _signature(self, state: Leaves, block: dict[Leaves, int]) -> frozenset[Any]:
        return frozenset((*way, block.get(to, to)) for *way, to in self.steps[state])
