"""The tables of a design in a scope, as an expansion reads them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tierproof.model.language.design import Design
from tierproof.model.language.errors import DesignError
from tierproof.model.language.interpreter import Interpreter, Steps
from tierproof.model.language.lifecycle import Lifecycle
from tierproof.model.language.properties import PropertyKind
from tierproof.spark_explorer.compiler.entries import MOST_PARAMETERS
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.expansion import Tables
from tierproof.spark_explorer.native.packing import Packing, bits_of


def tables_of(
    design: Design,
    interpreter: Interpreter,
    steps: Steps,
    laws: Sequence[Lifecycle],
    packing: Packing,
) -> Tables:
    """The tables. Raises DesignError for an action with too many parameters."""
    leaves = interpreter.lifecycle_leaves
    bases = np.cumsum([0, *(len(law.values) ** 2 for law in laws)])
    numbers = [laws.index(law) for _, law in leaves]
    dropped = [name in design.dropped_guards for name in design.guards]
    budgets = [interpreter.budgets.get(act.name, -1) for act in design.actions]
    return Tables(
        *_parameters(design, steps),
        np.array(steps.first_label, np.int64),
        np.array(dropped or [False]),
        np.array([design.may_stutter(act) for act in design.actions], np.bool_),
        np.array([offset for offset, _ in leaves], np.int64),
        np.array([bases[number] for number in numbers], np.int64),
        np.array([len(law.values) for _, law in leaves], np.int64),
        np.array([len(design.checked) + number for number in numbers], np.int64),
        _edges(laws, bases),
        bits_of([offset for offset, _ in leaves], packing),
        np.array(budgets, np.int64),
        _deadlock_number(design),
        any(entry.kind is PropertyKind.STEP for entry in design.properties),
        design.bounds is not None,
        _places([offset for offset, _ in leaves], len(packing.low)),
    )


def _places(chosen: Sequence[int], leaves: int) -> Array:
    """For each leaf its place among the chosen ones, or -1."""
    places = np.full(leaves, -1, np.int64)
    places[list(chosen)] = np.arange(len(chosen))
    return places


def _parameters(design: Design, steps: Steps) -> tuple[Array, Array]:
    """The least value of each parameter, and how many values it has."""
    low = np.zeros((len(design.actions), MOST_PARAMETERS), np.int64)
    count = np.zeros_like(low)
    for index, sizes in enumerate(steps.sized):
        if len(sizes) > MOST_PARAMETERS:
            raise DesignError(
                f"action {design.actions[index].name!r} has {len(sizes)} parameters, "
                f"at most {MOST_PARAMETERS} are compiled"
            )
        low[index, : len(sizes)] = [sized.low for sized in sizes]
        count[index, : len(sizes)] = [sized.size for sized in sizes]
    return low, count


def _edges(laws: Sequence[Lifecycle], bases: Array) -> Array:
    """The declared edges of the lifecycles, a matrix after the other."""
    edges = np.zeros(int(bases[-1]), np.bool_)
    for law, base in zip(laws, bases, strict=False):
        for source, target in law.legal:
            edges[base + source * len(law.values) + target] = True
    return edges


def _deadlock_number(design: Design) -> int:
    """The number of the deadlock property among `design.checked`, or -1 if it is not claimed."""
    kinds = [entry.kind for entry in design.checked]
    return kinds.index(PropertyKind.DEADLOCK) if PropertyKind.DEADLOCK in kinds else -1
