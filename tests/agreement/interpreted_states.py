"""CPython's results for single states, with which compiled code is compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from tierproof.model.language import DesignError, Interpreter, Property, PropertyKind, State
from tierproof.model.language.layout import SequenceNode
from tierproof.spark_explorer.compiler.entries import GOAL, PREMISE
from tierproof.spark_explorer.native.edges import BEYOND

Edge = tuple[int, tuple[int, ...]]
"""A label, and the leaves of the state that it leads to."""


@dataclass
class Interpreted:
    """What is found in a state and the steps out of it.

    `hits`: number of a check -> how often it hit, and the least label it hit at (-1 is the
    state itself). `successors`: label, state after, and whether that is within the bounds.
    """

    hits: dict[int, tuple[int, int]]
    premises: list[int]
    taken: list[int]
    edges: list[int]
    successors: list[tuple[int, State, bool]]

    def note(self, number: int, label: int) -> None:
        """Count an occurrence of a check."""
        count, least = self.hits.get(number, (0, label))
        self.hits[number] = count + 1, min(least, label)


class States:
    """States of a design in a scope, reached or drawn, and what the interpreter says of them."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter, self.design = interpreter, interpreter.design
        limits = {entry.name for entry in self.design.guards.values() if entry.is_limit}
        lifted = replace(self.design, dropped_guards=self.design.dropped_guards | limits)
        self.lifted = Interpreter(lifted, interpreter.scope)
        self.laws = list(dict.fromkeys(law for _, law in interpreter.lifecycle_leaves))
        self._expanded: dict[tuple[int, ...], Interpreted | DesignError] = {}

    # -- which states

    def reached(self, begin: list[State], most: int) -> list[State]:
        """The first states that a breadth-first search reaches."""
        found: dict[tuple[int, ...], State] = {}
        frontier = list({state.leaves: state for state in begin}.values())
        while frontier and len(found) < most:
            following: dict[tuple[int, ...], State] = {}
            for state in frontier[: most - len(found)]:
                found[state.leaves] = state
                expanded = self.expanded(state)
                if isinstance(expanded, Interpreted):
                    following |= {to.leaves: to for _, to, inside in expanded.successors if inside}
            frontier = [state for leaves, state in following.items() if leaves not in found]
        return list(found.values())

    def drawn(self, count: int, random: Random) -> list[State]:
        """States within the domains, drawn by chance, the limits of the domains more often."""
        layout = self.interpreter.layout
        domains = [placed.leaf.domain for placed in layout.leaves]

        def leaf(low: int, high: int) -> int:
            return random.choice([low, high, random.randint(low, high), random.randint(low, high)])

        def leaves() -> list[int]:
            found = [leaf(domain.low, domain.high) for domain in domains]
            for _, offset, node in layout.shown:  # what is not in use holds the lowest values
                if isinstance(node, SequenceNode):
                    end = offset + node.size
                    begin = offset + 1 + found[offset] * node.element.size
                    found[begin:end] = [domain.low for domain in domains[begin:end]]
            return found

        return [self.design.state.of_leaves(layout, leaves()) for _ in range(count)]

    # -- what is said of them

    def expanded(self, state: State) -> Interpreted | DesignError:
        """What is found in a state, or the error that it raises; computed once."""
        if state.leaves not in self._expanded:
            try:
                self._expanded[state.leaves] = self.expand(state)
            except DesignError as error:
                self._expanded[state.leaves] = error
        return self._expanded[state.leaves]

    def nothing(self) -> Interpreted:
        """Nothing found so far."""
        checks = len(self.design.checked) + len(self.laws)
        return Interpreted({}, [0] * checks, [0] * len(self.design.actions), [], [])

    def expand(self, state: State) -> Interpreted:
        """What is found in a state. Raises DesignError as the interpreter does."""
        interpreter, found = self.interpreter, self.nothing()
        self.check(found, state, -1)
        steps = interpreter.enabled(state)
        if not steps:
            for number in self._numbers(PropertyKind.DEADLOCK):
                found.note(number, -1)
        for step in steps:
            after = interpreter.take(state, step)
            label = interpreter.steps.label(step)
            found.taken[interpreter.steps.action_of(label)] += 1
            self._hold_to_laws(found, state, after, label)
            for entry in interpreter.violated_by(state, step, after):
                found.note(self.design.checked.index(entry), label)
            inside = interpreter.within_bounds(after)
            found.successors.append((label, after, inside))
            if not inside:
                self.check(found, after, label)
        return found

    def _numbers(self, kind: PropertyKind) -> Iterator[int]:
        return (n for n, entry in enumerate(self.design.checked) if entry.kind is kind)

    def check(self, found: Interpreted, state: State, label: int) -> None:
        """Note the invariants that a state violates, its premises, and the witnesses it is."""
        holds = self.interpreter.holds
        for number in self._numbers(PropertyKind.INVARIANT):
            entry: Property = self.design.checked[number]
            if entry.premise is not None:
                if not holds("premise", entry.premise, state):
                    continue
                found.premises[number] += 1
            if not holds("invariant", entry, state):
                found.note(number, label)
        for number in self._numbers(PropertyKind.WITNESS):
            if holds("witness", self.design.checked[number], state):
                found.note(number, label)

    def _hold_to_laws(self, found: Interpreted, state: State, after: State, label: int) -> None:
        bases, total = [], 0
        for law in self.laws:
            bases.append(total)
            total += len(law.values) ** 2
        edges = set(found.edges)
        for offset, law in self.interpreter.lifecycle_leaves:
            old, new = state.leaves[offset], after.leaves[offset]
            number = self.laws.index(law)
            if old != new:
                edges.add(bases[number] + old * len(law.values) + new)
            if not law.allows(old, new):
                found.note(len(self.design.checked) + number, label)
        found.edges = sorted(edges)

    def edges(self, state: State) -> tuple[list[int], list[Edge]] | DesignError:
        """The marks of a state, and its edges as if every step were fair.

        Where a limit refuses a step, or it leads out of the bounds, BEYOND stands for the
        leaves. The state is known to expand without an error.
        """
        try:
            marks, enabled = self.marks(state), self.lifted.enabled(state)
        except DesignError as error:
            return error
        expanded = self.expanded(state)
        assert isinstance(expanded, Interpreted)
        taken = {label for label, _, _ in expanded.successors}
        found = [
            (label, after.leaves if inside else (BEYOND,))
            for label, after, inside in expanded.successors
            if after.leaves != state.leaves
        ]
        refused = {self.interpreter.steps.label(step) for step in enabled} - taken
        return marks, sorted([*found, *((label, (BEYOND,)) for label in refused)])

    def marks(self, state: State) -> list[int]:
        """The mark of each liveness property."""
        return [self._mark(number, state) for number in self._numbers(PropertyKind.LIVENESS)]

    def _mark(self, number: int, state: State) -> int:
        entry: Property = self.design.checked[number]
        goal = self.interpreter.holds("goal", entry, state)
        premise = entry.premise is None or self.interpreter.holds("premise", entry.premise, state)
        return GOAL * goal | PREMISE * premise
