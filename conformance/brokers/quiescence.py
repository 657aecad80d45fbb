"""Where a design comes to rest: what may be so once every step that it takes by itself is taken.

All system steps are taken in every order. Tasks run again and again, so that rest is no state but
a bottom component: states that lead to each other, and to no other. What is seen of them is
what may be seen at rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Generic, TypeVar, cast

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from tierproof.model.language import Design, Interpreter, Scope, State, Step
from tierproof.model.language.actions import Action
from tierproof.model.language.layout import PlacedLeaf

EnvironmentSteps = Iterable[Iterable[Step]]
"""What the environment does: one after the other, with system steps in between; the steps of one
group are taken at once, those that are not enabled are passed over."""

SomeState = TypeVar("SomeState", bound=State)
MOST_STATES = 200_000


class OutOfScope(Exception):
    """The scope is too small to say what follows; the message names the limit."""


@dataclass(frozen=True)
class QuiescentStates(Generic[SomeState]):
    """The states at rest, and how many states led to them."""

    states: tuple[SomeState, ...]
    passed: int


class Quiescence(Generic[SomeState]):
    """A design in a scope, which is let come to rest after each action."""

    def __init__(
        self,
        design: Design,
        scope: Scope,
        normal_form: Callable[[SomeState], SomeState] = lambda state: state,
    ) -> None:
        """`normal_form` of a state stands for all states that nothing tells apart from it."""
        self.interpreter = Interpreter(design, scope)
        self.system = design.system
        self._normal_form = normal_form

    def beginning(self) -> QuiescentStates[SomeState]:
        """The states at rest that the initial ones come to. Raises OutOfScope."""
        first = cast(list[SomeState], self.interpreter.initial_states())
        return self.after(first, ())

    def after(
        self, states: Collection[SomeState], action: EnvironmentSteps
    ) -> QuiescentStates[SomeState]:
        """The states at rest that come of an action in any of these. Raises OutOfScope."""
        groups = [tuple(group) for group in action]
        graph = _Graph[SomeState]([(0, self._normal_form(state)) for state in states])
        graph.complete(lambda node: self._successors(node, groups))
        at_end = [node for node in graph.bottom if node[0] == len(groups)]
        return QuiescentStates(tuple(state for _, state in at_end), len(graph.nodes))

    def enables(self, state: State, step: Step) -> bool:
        """Whether a step of the environment is enabled. Raises OutOfScope if a limit forbids it."""
        if self.interpreter.is_enabled(state, step):
            return True
        refusing = self.interpreter.refusing(state, step)
        if refusing is None or refusing.is_limit:
            limit = refusing.name if refusing else "its budget is spent"
            raise OutOfScope(f"{step.action}: {limit}")
        return False

    def _successors(
        self, node: tuple[int, SomeState], groups: list[tuple[Step, ...]]
    ) -> Iterator[tuple[int, SomeState]]:
        position, state = node
        leaves = state.leaves
        for act in self.system:
            places, sources = self._threads.get(act.name, ((), ()))
            if places and not any(leaves[place] in sources for place in places):
                continue
            for step in self._enabled(act, state):
                yield position, self._normal_form(self._taken(state, step))
        if position < len(groups):
            for step in groups[position]:
                if self.enables(state, step):
                    state = self._taken(state, step)
            yield position + 1, self._normal_form(state)

    def _taken(self, state: SomeState, step: Step) -> SomeState:
        return cast(SomeState, self.interpreter.take(state, step))

    @cached_property
    def _threads(self) -> dict[str, tuple[list[int], tuple[int, ...]]]:
        """Action of a thread -> the leaves of its program counters, and where it may stand."""
        paths = [(re.sub(r"\[\d+\]", "[]", leaf.path), leaf.offset) for leaf in self._leaves]
        found = {}
        for act in self.system:
            if act.move is not None and act.move.sources:
                at = re.sub(r"\[\w+\]", "[]", act.move.at)
                places = [offset for path, offset in paths if path == at]
                found[act.name] = (places, tuple(int(one) for one in act.move.sources))
        return found

    @property
    def _leaves(self) -> Sequence[PlacedLeaf]:
        return self.interpreter.layout.leaves

    def _enabled(self, act: Action, state: State) -> Iterator[Step]:
        """The enabled steps. Raises OutOfScope if nothing but a limit keeps one from being so."""
        if act.name not in self._free:
            yield from self.interpreter.enabled_of(act, state)
            return
        for step in self._unlimited.enabled_of(self._free[act.name], state):
            refusing = self.interpreter.refusing(state, step)
            if refusing is not None:
                raise OutOfScope(f"{act.name}: {refusing.name}")
            yield step

    @cached_property
    def _unlimited(self) -> Interpreter:
        """The design without limits, whose steps are asked for and never taken."""
        limits = {entry.name for act in self.system for entry in act.guards if entry.is_limit}
        design = replace(self.interpreter.design, dropped_guards=frozenset(limits))
        return Interpreter(design, self.interpreter.scope)

    @cached_property
    def _free(self) -> dict[str, Action]:
        """The system's actions that a limit may keep from being taken."""
        return {act.name: act for act in self.system if any(g.is_limit for g in act.guards)}


class _Graph(Generic[SomeState]):
    """States by number, and the edges between them."""

    def __init__(self, nodes: list[tuple[int, SomeState]]) -> None:
        self.nodes = list(dict.fromkeys(nodes))
        self.number = {node: n for n, node in enumerate(self.nodes)}
        self.sources: list[int] = []
        self.targets: list[int] = []

    def complete(
        self, successors: Callable[[tuple[int, SomeState]], Iterable[tuple[int, SomeState]]]
    ) -> None:
        """Add what can be reached. Raises OutOfScope for more than MOST_STATES."""
        for source, node in enumerate(self.nodes):  # grows meanwhile
            for target in successors(node):
                if target not in self.number:
                    self.number[target] = len(self.nodes)
                    self.nodes.append(target)
                self.sources.append(source)
                self.targets.append(self.number[target])
            if len(self.nodes) > MOST_STATES:
                raise OutOfScope(f"more than {MOST_STATES} states lead to rest")

    @property
    def bottom(self) -> Iterator[tuple[int, SomeState]]:
        """The nodes of components that no edge leaves."""
        size = len(self.nodes)
        edges = (np.ones(len(self.sources), bool), (self.sources, self.targets))
        _, component = connected_components(
            coo_matrix(edges, shape=(size, size)), directed=True, connection="strong"
        )
        is_left = np.zeros(size, bool)
        for source, target in zip(self.sources, self.targets, strict=True):
            if component[source] != component[target]:
                is_left[component[source]] = True
        return (node for n, node in enumerate(self.nodes) if not is_left[component[n]])
