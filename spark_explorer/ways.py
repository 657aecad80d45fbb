"""Ways: from the origins that were found backwards to the steps that lead to a state, forwards."""

from __future__ import annotations

from collections.abc import Sequence

from tierproof.model.language.actions import Step
from tierproof.model.language.errors import NonDeterministic
from tierproof.model.language.trace import Trace
from tierproof.spark_explorer.execution import STATE_ITSELF, FirstOccurrence
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.seeking import Origins


def labels_to(origins: Origins, occurrence: FirstOccurrence) -> tuple[int, list[int]]:
    """The number of the initial state, and the labels of the steps from it to an occurrence."""
    labels = [] if occurrence.label == STATE_ITSELF else [occurrence.label]
    origin = origins[occurrence.level, occurrence.where]
    for level in range(occurrence.level - 1, -1, -1):
        labels.append(origin.label)
        origin = origins[level, origin.parent]
    return origin.label, labels[::-1]


def way_to(kernel: Kernel, origins: Origins, occurrence: FirstOccurrence) -> Trace:
    """The trace to an occurrence. Raises NonDeterministic if it leads elsewhere on replay."""
    number, labels = labels_to(origins, occurrence)
    steps = _steps_from(kernel, number, labels)
    trace = kernel.trace(number, steps)
    last = trace.states[-1 if occurrence.label == STATE_ITSELF else -2]
    if kernel.fingerprint(last) != occurrence.where:
        raise NonDeterministic(f"the trace of {len(steps)} steps leads elsewhere on replay")
    return trace


def _steps_from(kernel: Kernel, number: int, labels: Sequence[int]) -> tuple[Step, ...]:
    """Steps from an initial state, by the labels of those of the canonical states."""
    found = list(map(kernel.steps.step, labels))
    if kernel.reducing.is_on:
        state = kernel.beginnings.first(number)
        for place, step in enumerate(found):
            found[place] = kernel.reducing.step_of(step, kernel.pack(state))
            state = kernel.interpreter.take(state, found[place])
    return tuple(found)
