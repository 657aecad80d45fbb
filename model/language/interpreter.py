"""The interpreter: runs a design in CPython, one state at a time, with every check enabled.

Hypothesis drives it, traces are replayed with it, and a debugger steps through it.
The compiled execution must agree with it on every state (tests/agreement).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from tierproof.model.language.actions import SCOPE, STEP, Action, Guard, Predicate, Step
from tierproof.model.language.candidates import Candidates
from tierproof.model.language.design import Design
from tierproof.model.language.domains import Domain
from tierproof.model.language.errors import (
    DesignError,
    FunctionRaised,
    NoInitialState,
    NothingChanged,
    ScopeError,
    closest,
)
from tierproof.model.language.lifecycle import Lifecycle
from tierproof.model.language.properties import Property, PropertyKind
from tierproof.model.language.scope import Scope
from tierproof.model.language.state import State

MOST_SUBSETS = 1 << 16
"""The most values of an action's parameter that is a set: the subsets of 16 members."""


class Steps:
    """All steps that a design has in a scope, numbered by *label* in declaration order."""

    def __init__(self, design: Design, scope: Scope) -> None:
        self.actions = design.actions
        self.sized = [
            [domain.sized(scope) for domain in act.parameters.values()] for act in self.actions
        ]
        self.first_label: list[int] = []
        count = 0
        for act, sizes in zip(self.actions, self.sized, strict=True):
            self.first_label.append(count)
            width = 1
            for name, sized in zip(act.parameters, sizes, strict=True):
                if sized.is_set and sized.size > MOST_SUBSETS:
                    raise ScopeError(
                        f"action {act.name!r}: parameter {name!r} ranges over {sized.size} sets, "
                        f"{MOST_SUBSETS} at most ({scope})"
                    )
                width *= sized.size
            count += width
        self.count = count

    def action_of(self, label: int) -> int:
        """The index of the action that a label belongs to."""
        return max(i for i, first in enumerate(self.first_label) if first <= label)

    def raw(self, label: int) -> tuple[int, list[int]]:
        """The index of the action of a step, and its arguments as compiled code has them."""
        index = self.action_of(label)
        rest, found = label - self.first_label[index], []
        for sized in reversed(self.sized[index]):
            rest, digit = divmod(rest, sized.size)
            found.append(sized.low + digit)
        return index, found[::-1]

    def step(self, label: int) -> Step:
        """The step with this label."""
        index, raw = self.raw(label)
        values = (sized.value(one) for sized, one in zip(self.sized[index], raw, strict=True))
        names = self.actions[index].parameters
        return Step(self.actions[index].name, tuple(zip(names, values, strict=True)))

    def of_action(self, name: str) -> Iterator[Step]:
        """Every step of an action, in the order of labels. Raises UnknownName."""
        names = [act.name for act in self.actions]
        index = names.index(closest("action", name, names))
        ends = [*self.first_label[1:], self.count]
        return map(self.step, range(self.first_label[index], ends[index]))

    def label(self, step: Step) -> int:
        """The label of a step. Raises UnknownName or DesignError if no such step exists."""
        names = [act.name for act in self.actions]
        index = names.index(closest("action", step.action, names))
        offset, given = 0, dict(step.arguments)
        if set(given) != set(self.actions[index].parameters):
            raise DesignError(f"{step} does not give the parameters of {step.action!r}")
        for name, sized in zip(self.actions[index].parameters, self.sized[index], strict=True):
            value = given[name]  # JSON stores a set as a list
            raw = sized.raw(frozenset(value) if isinstance(value, list) else value)
            if raw is None:
                raise DesignError(f"{step}: {name} is outside {sized}")
            offset = offset * sized.size + raw - sized.low
        return self.first_label[index] + offset


class Interpreter:
    """A design in a scope, run by CPython. Raises DesignError subclasses naming the function."""

    def __init__(self, design: Design, scope: Scope) -> None:
        self.design, self.scope = design, scope
        self.layout = design.layout(scope)
        self.steps = Steps(design, scope)
        self._actions = {act.name: act for act in design.actions}

    # -- states

    def initial_states(self) -> list[State]:
        """Every initial state once, in declaration order. Raises NoInitialState."""
        found = list(self._initial_states())
        if not found:
            raise NoInitialState(
                f"design {self.design.name!r} has no initial state in {self.scope}"
            )
        return found

    def initial_state(self, number: int) -> State:
        """One initial state, by its number from 0; those behind it are not made.

        Raises DesignError if the design has no such initial state.
        """
        count = 0
        for state in self._initial_states():
            if count == number:
                return state
            count += 1
        raise DesignError(
            f"there is no initial state {number}, of which {self.design.name!r} has {count}"
        )

    def _initial_states(self) -> Iterator[State]:
        met: set[tuple[int, ...]] = set()
        for number in range(self.candidates.count):
            state = self.begin(number)
            if state.leaves not in met:
                met.add(state.leaves)
                yield state

    def begin(self, number: int) -> State:
        """The state that a candidate for an initial state gives, by the candidate's number."""
        entry, given = self.candidates.candidate(number)
        state = self.design.state.at_start(self.scope).copy_for(entry.name)
        for function, names in entry.parts:
            self._call("initial", entry.name, function, state, names, given)
        return state.frozen_for("a predicate")

    @cached_property
    def candidates(self) -> Candidates:
        """The candidates for initial states."""
        return Candidates(self.design.initial, self.scope)

    def within_bounds(self, state: State) -> bool:
        """False for a state that is checked but not expanded."""
        entry = self.design.bounds
        return entry is None or self.holds("within_bounds", entry, state, {})

    # -- steps

    def enabled(self, state: State) -> list[Step]:
        """The steps enabled in `state`, in declaration order."""
        return [step for act in self.design.actions for step in self.enabled_of(act, state)]

    def enabled_of(self, act: Action, state: State) -> Iterator[Step]:
        """The enabled steps of one action in declaration order, computed lazily."""
        if act.name not in self.budgets or state.leaves[self.budgets[act.name]] > 0:
            yield from self._extend(act, state, {})

    def _extend(self, act: Action, state: State, given: dict[str, Any]) -> Iterator[Step]:
        """The enabled steps that begin with `given`; guards prune as soon as they can."""
        values, guards = self._plans[act.name]
        dropped, depth = self.design.dropped_guards, len(given)
        for entry in guards[depth]:
            if entry.name not in dropped and not self.holds("guard", entry, state, given):
                return
        if depth == len(values):
            yield Step(act.name, tuple(given.items()))
            return
        name = list(act.parameters)[depth]
        for value in values[depth]:
            yield from self._extend(act, state, {**given, name: value})

    def is_enabled(self, state: State, step: Step) -> bool:
        """True if every guard that is not ablated holds, and the action's budget lasts."""
        act = self._action(step)
        if act.name in self.budgets and state.leaves[self.budgets[act.name]] == 0:
            return False
        return self.refusing(state, step) is None

    def refusing(self, state: State, step: Step) -> Guard | None:
        """The first guard of a step that is false in `state`; later ones may rely on it."""
        act, given = self._action(step), dict(step.arguments)
        for entry in act.guards:
            is_kept = entry.name not in self.design.dropped_guards
            if is_kept and not self.holds("guard", entry, state, given):
                return entry
        return None

    def take(self, state: State, step: Step) -> State:
        """The successor of `state` by `step`; the caller has checked the guards."""
        act, given = self._action(step), dict(step.arguments)
        after = state.copy_for(act.name)
        for function, arguments in act.parts:
            self._call("effect", act.name, function, after, arguments, given)
        if after.leaves == state.leaves and not self.design.may_stutter(act):
            raise NothingChanged(
                f"effect {act.name!r} changes nothing as {step} in the state\n{state.describe()}\n"
                "Give it a guard that is false there, or declare it with stutters=True."
            )
        if act.budget is not None:
            _spend(after, act.budget)
        return after.frozen_for("a predicate")

    def _action(self, step: Step) -> Action:
        return self._actions[closest("action", step.action, self._actions)]

    def successors(self, state: State) -> Iterator[tuple[Step, State]]:
        """(step, successor) for every enabled step, in declaration order."""
        return ((step, self.take(state, step)) for step in self.enabled(state))

    # -- properties

    def holds(
        self, role: str, entry: Predicate, state: State, given: dict[str, Any] | None = None
    ) -> bool:
        """Whether a predicate holds in one state."""
        closed = state.frozen_for(f"{role} {entry.name!r}")
        return bool(
            self._call(role, entry.name, entry.function, closed, entry.arguments, given or {})
        )

    def violated_in(self, state: State) -> list[Property]:
        """The invariants that do not hold in `state`."""
        return [
            entry
            for entry in self.design.properties
            if entry.kind is PropertyKind.INVARIANT
            and (entry.premise is None or self.holds("premise", entry.premise, state))
            and not self.holds("invariant", entry, state)
        ]

    def violated_by(self, before: State, step: Step, after: State) -> list[Property]:
        """The step properties that `step` from `before` to `after` violates."""
        given = {SCOPE: self.scope, STEP: step}
        found = []
        for entry in self.design.properties:
            if entry.kind is not PropertyKind.STEP:
                continue
            for state in (before, after):
                state.frozen_for(f"step property {entry.name!r}")
            arguments = (after, *(given[name] for name in entry.arguments))
            if not self._run("step property", entry.name, entry.function, before, arguments):
                found.append(entry)
        return found

    @cached_property
    def _plans(self) -> dict[str, tuple[list[list[Any]], tuple[tuple[Guard, ...], ...]]]:
        """Action -> the values of each parameter, and its guards by number of parameters."""
        return {
            act.name: (
                [_values(domain, self.scope) for domain in act.parameters.values()],
                act.guards_by_depth,
            )
            for act in self.design.actions
        }

    @cached_property
    def budgets(self) -> dict[str, int]:
        """Action -> the budget leaf that one occurrence spends."""
        offsets = {placed.path: placed.offset for placed in self.layout.leaves}
        return {act.name: offsets[act.budget] for act in self.design.actions if act.budget}

    @cached_property
    def lifecycle_leaves(self) -> list[tuple[int, Lifecycle]]:
        """(offset, lifecycle) of every leaf that obeys a lifecycle."""
        laws: Mapping[Any, Lifecycle] = self.design.lifecycles
        return [
            (placed.offset, laws[law.values])
            for placed in self.layout.leaves
            if (law := placed.lifecycle) is not None
        ]

    def unlawful_changes(self, before: State, after: State) -> list[str]:
        """A sentence for every lifecycle field that changed along an undeclared edge."""
        old, new = before.leaves, after.leaves
        return [
            f"{self.layout.leaves[offset].path}: {law.values(old[offset]).name} -> "
            f"{law.values(new[offset]).name} is no edge of {law.name}"
            for offset, law in self.lifecycle_leaves
            if not law.allows(old[offset], new[offset])
        ]

    # -- calling

    def _call(
        self,
        role: str,
        name: str,
        function: Callable[..., Any],
        state: State,
        arguments: Iterable[str],
        given: dict[str, Any],
    ) -> Any:
        values = [self.scope if argument == SCOPE else given[argument] for argument in arguments]
        return self._run(role, name, function, state, values)

    def _run(
        self, role: str, name: str, function: Callable[..., Any], state: State, rest: Iterable[Any]
    ) -> Any:
        given = state.leaves  # an effect that raises half way leaves a state that no step produces
        try:
            return function(state, *rest)
        except (DesignError, KeyboardInterrupt):
            raise
        except BaseException as error:  # a function that ends Python is at fault like any other
            shown = type(state).of_leaves(self.layout, list(given)).describe()
            raise FunctionRaised(role, name, error, shown) from error


def _spend(after: State, budget: str) -> None:
    target: Any = after
    *path, last = [int(p) if p.isdigit() else p for p in re.findall(r"\w+", budget)]
    for part in path:
        target = target[part] if isinstance(part, int) else getattr(target, part)
    if isinstance(last, int):
        target[last] -= 1
    else:
        setattr(target, last, getattr(target, last) - 1)


def _values(domain: Domain, scope: Scope) -> list[Any]:
    sized = domain.sized(scope)
    return [sized.value(raw) for raw in range(sized.low, sized.high + 1)]
