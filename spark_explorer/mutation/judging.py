"""Judging one mutant: explored in the scopes, smallest first, until something notices it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from tierproof.model.language.actions import Step
from tierproof.model.language.design import Design
from tierproof.model.language.errors import DesignError, NonDeterministic, TierproofError
from tierproof.model.language.mutation import Mutant, mutated
from tierproof.model.language.scope import Scope
from tierproof.model.language.state import State
from tierproof.spark_explorer.compiler.loading import passing
from tierproof.spark_explorer.mutation.exploring import Explored, Limits, late
from tierproof.spark_explorer.mutation.fates import Fate, Outcome
from tierproof.spark_explorer.mutation.graphs import Difference, first_difference
from tierproof.spark_explorer.native.graph import TooManyInterpreted
from tierproof.spark_explorer.native.numbering import Collision

GROWTH = 4
"""A mutant may have so many times the states of its design; beyond them it is not judged."""
ROOM = 1_000
"""States that every mutant may have."""
MOST_DIFFERENCES = 6
"""Steps that are told of where two graphs differ."""

Noticed = Callable[[Mutant], str]
"""A check of a mutant beside the search: the name of what notices it, or nothing."""


class Faulty(TierproofError):
    """The design itself cannot be judged, so that no mutant of it can be."""


class Judge:
    """The design in each scope, and what a mutant is compared with.

    `seconds` are those that a mutant may take in one scope. `notices` checks what no property has
    noticed, such as recordings of the real thing. Raises Faulty if the design was not explored to
    its end.
    """

    def __init__(
        self,
        design: Design,
        scopes: Sequence[tuple[str, Scope]],
        seconds: float,
        notices: Noticed | None = None,
    ) -> None:
        self.design, self.scopes = design, scopes
        self.seconds, self.notices = seconds, notices
        self.whole: list[Explored] = []
        self.excused: list[set[str]] = []
        for name, scope in scopes:
            found = _whole(design, name, scope)
            self.excused.append(set(found.violated))
            self.whole.append(found)

    @property
    def taken(self) -> set[str]:
        """The actions that take a step in some scope."""
        return {name for one in self.whole for name in one.taken}

    def fate(self, mutant: Mutant) -> Fate:
        """What becomes of a mutant."""
        began = time.monotonic()
        try:
            with passing():
                found = self._fate(mutant)
            is_open = found.outcome not in (Outcome.KILLED, Outcome.REFUSED)
            if is_open and self.notices is not None and (name := self.notices(mutant)):
                found = Fate(outcome=Outcome.KILLED, by="recording", names=(name,))
        finally:
            mutant.forget()
        return replace(found, seconds=round(time.monotonic() - began, 2))

    def _fate(self, mutant: Mutant) -> Fate:
        place = mutant.place
        if not place.is_tested and not place.actions & self.taken:
            names = ", ".join(name for name, _ in self.scopes)
            return Fate(outcome=Outcome.NOT_COVERED, scope=names)
        try:
            changed = mutated(self.design, mutant)
        except DesignError as error:
            return Fate(outcome=Outcome.REFUSED, why=_first_line(error))
        found = Fate(outcome=Outcome.EQUIVALENT)
        for number in range(len(self.scopes)):
            here = self._in_scope(changed, number)
            if here.outcome in (Outcome.KILLED, Outcome.REFUSED):
                return here
            found = max(found, here, key=lambda one: _RANKS[one.outcome])
            if here.why == late(self.seconds):
                break  # a loop that does not end takes as long in every scope
        return found

    def _in_scope(self, changed: Design, number: int) -> Fate:
        (name, scope), whole = self.scopes[number], self.whole[number]
        limits = Limits(states=max(GROWTH * whole.distinct, ROOM), seconds=self.seconds)
        try:
            made = Explored(changed, scope, limits, self.excused[number])
        except DesignError as error:
            return Fate(outcome=Outcome.REFUSED, scope=name, why=_first_line(error))
        try:
            found = _compared(whole, made)
        except DesignError as error:
            found = _killed("error", (type(error).__name__,), None, _first_line(error))
        except (Collision, TooManyInterpreted, NonDeterministic, MemoryError) as error:
            found = Fate(outcome=Outcome.INCOMPLETE, why=str(error) or "no more memory")
        finally:
            made.close()
        return replace(found, scope=name, states=made.distinct, generated=made.generated)

    def close(self) -> None:
        """Let go of the design's own searches."""
        for one in self.whole:
            one.close()


_RANKS = {Outcome.EQUIVALENT: 0, Outcome.INCOMPLETE: 1, Outcome.SURVIVED: 2}
"""What is said of a mutant that scopes tell apart: a difference in one is one."""


def _whole(design: Design, name: str, scope: Scope) -> Explored:
    """The design in a scope. Raises Faulty if its search does not come to its end."""
    everything = [one.name for one in design.checked]
    everything += [law.law_name for law in design.laws(scope)]
    found = Explored(design, scope, Limits(states=None, seconds=3600), everything)
    if found.error is not None or found.search.cut:
        why = _first_line(found.error) if found.error is not None else found.search.cut
        raise Faulty(f"{design.name!r} cannot be mutated in scope {name!r}: {why}")
    found.excused = set()
    try:
        found.sketch  # noqa: B018  # now, so that no mutant waits until the engine is compiled
    except (Collision, NonDeterministic, MemoryError) as error:
        raise Faulty(f"{design.name!r} cannot be mutated in scope {name!r}: {error}") from None
    return found


def _killed(by: str, names: Sequence[str], steps: int | None, why: str = "") -> Fate:
    return Fate(outcome=Outcome.KILLED, by=by, names=tuple(names), steps=steps, why=why)


def _compared(whole: Explored, made: Explored) -> Fate:
    """What becomes of a mutant in a scope. Raises as `Explored.sketch` does."""
    if made.error is not None:
        steps = len(made.error.trace) if made.error.trace is not None else None
        return _killed("error", (type(made.error).__name__,), steps, _first_line(made.error))
    if violated := made.violated:
        steps = min(violated.values())
        names = [name for name, count in violated.items() if count == steps]
        return _killed(made.kind_of(names[0]), names, steps)
    if made.cut:
        return Fate(outcome=Outcome.INCOMPLETE, why=_cut(made))
    for by, missing in (
        ("witness", whole.reached - made.reached),
        ("premise", whole.tested - made.tested),
    ):
        if missing:
            return _killed(by, sorted(missing), None)
    difference = first_difference(whole.sketch, made.sketch)
    if difference is None:
        return Fate(outcome=Outcome.EQUIVALENT)
    way = whole.way_to(difference.level, difference.state)
    return Fate(
        outcome=Outcome.SURVIVED,
        way=tuple(map(str, way.steps)),
        differs=tuple(_differences(whole, made, difference, way.states[-1])),
    )


def _cut(made: Explored) -> str:
    if made.limits.states is not None and made.distinct > made.limits.states:
        return f"its graph differs, and is not judged beyond {made.limits.states:,} states"
    return made.cut


def _differences(whole: Explored, made: Explored, at: Difference, before: State) -> Iterator[str]:
    """How the steps from a state, `before`, differ, in lines."""
    here = whole.sketch.steps_of(at.number)
    there = made.sketch.steps_of(at.number_in_other)
    labels = [label for label in sorted({*here, *there}) if here.get(label) != there.get(label)]
    for label in labels[:MOST_DIFFERENCES]:
        step = whole.kernel.steps.step(label)
        if label not in there:
            yield f"only the design has {step}"
        elif label not in here:
            yield f"only the mutant has {step}"
        else:
            yield f"{step} leads elsewhere: {_elsewhere(whole, made, before, step)}"
    if len(labels) > MOST_DIFFERENCES:
        yield f"and {len(labels) - MOST_DIFFERENCES} more steps"


def _elsewhere(whole: Explored, made: Explored, before: State, step: Step) -> str:
    """What a step does in the design, and in the mutant, as CPython runs both."""
    one = whole.kernel.interpreter.take(before, step)
    other = made.kernel.interpreter.take(before, step)
    told = [f"{path} is {new!r} and not {old!r}" for path, old, new in one.changes_to(other)]
    return ", ".join(told)


def _first_line(error: BaseException) -> str:
    found = ""
    with suppress(IndexError):
        found = str(error).splitlines()[0]
    return found
