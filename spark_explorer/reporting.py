"""Turns occurrences of checks into results: the same for a search and for random walks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from tierproof.model.language.actions import Step
from tierproof.model.language.domains import Kind
from tierproof.model.language.layout import Layout
from tierproof.model.language.properties import Property, PropertyKind
from tierproof.model.language.trace import Trace
from tierproof.spark_explorer.execution import Occurrences
from tierproof.spark_explorer.liveness import Judgement
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.provenance import OnSpark
from tierproof.spark_explorer.results import (
    PropertyResult,
    Result,
    Sample,
    Verdict,
    WitnessResult,
)
from tierproof.spark_explorer.symmetry import Symmetry

MOST_TOLD = 40
"""Steps that a sentence has room for."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """All that was found, to report on.

    `unseen` is the verdict on what no state and no step violated; `trace` rebuilds the trace to
    the first occurrence of a check, by its number; `judgement` is that on a liveness property.
    `only` names what to report on; empty: everything.
    """

    kernel: Kernel
    total: Occurrences
    unseen: Verdict
    trace: Callable[[int], Trace | None]
    judgement: Callable[[Property], Judgement]
    only: Collection[str] = ()
    is_walked: bool = False

    def verdict(self, number: int) -> Verdict:
        """The verdict on check `number`."""
        return Verdict.VIOLATED if self.total.hits[number] else self.unseen

    def wants(self, name: str) -> bool:
        """Whether to report on this property, witness or law."""
        return not self.only or name in self.only


@dataclass(frozen=True, kw_only=True)
class Effort:
    """What an exploration did, as its result says it: see `Result`."""

    scope: str
    engine: str
    distinct_states: int
    generated_states: int
    depth: int
    seconds: float
    set_up_seconds: float
    cut: str | None
    frontier_sizes: tuple[int, ...] = ()
    collision_probability: float = 0.0
    liveness_seconds: float = 0.0
    sample: Sample | None = None
    symmetry: Symmetry | None = None
    on_spark: OnSpark | None = None


def result_of(found: Found, effort: Effort) -> Result:
    """The result of an exploration: what was found, and what it did."""
    kernel, design = found.kernel, found.kernel.design
    names = [act.name for act in design.actions]
    return Result(
        design=design.name,
        title=design.title,
        document=design.document,
        bounds=dict(kernel.scope),
        variants=design.chosen_variants,
        dropped_guards=tuple(sorted(design.dropped_guards)),
        redefines=design.moved,
        zero_budgets=budgets_of_zero(kernel.layout),
        initial_states=len(kernel.beginnings.words),
        initial_refusal=kernel.beginnings.refusal,
        properties=tuple(properties_of(found)),
        witnesses=tuple(witnesses_of(found)),
        actions=dict(zip(names, found.total.taken, strict=True)),
        untaken_edges=tuple(untaken_edges(found)),
        compile_seconds=kernel.compile_seconds,
        load_seconds=kernel.load_seconds,
        optimise_seconds=kernel.optimise_seconds,
        **vars(effort),
    )


def budgets_of_zero(layout: Layout) -> tuple[str, ...]:
    """The budgets of which a scope leaves nothing: what spends them never happens."""
    placed = (one for one in layout.leaves if one.leaf.kind is Kind.BUDGET)
    return tuple(dict.fromkeys(one.path for one in placed if one.leaf.domain.high == 0))


def properties_of(found: Found) -> list[PropertyResult]:
    """The verdict on each claimed property, then on each lifecycle law."""
    checked = found.kernel.design.checked
    claimed = [
        _property(found, number, entry)
        for number, entry in enumerate(checked)
        if entry.kind is not PropertyKind.WITNESS and found.wants(entry.name)
    ]
    laws = [
        PropertyResult(
            name=law.law_name,
            kind=str(PropertyKind.LAW),
            verdict=found.verdict(number),
            statement=law.law_statement,
            source=law.source,
            occurrences=found.total.hits[number],
            trace=found.trace(number),
            is_walked=found.is_walked,
        )
        for number, law in enumerate(found.kernel.laws, start=len(checked))
        if found.wants(law.law_name)
    ]
    return claimed + laws


def _property(found: Found, number: int, entry: Property) -> PropertyResult:
    if entry.kind is PropertyKind.LIVENESS:
        return _liveness(found.judgement(entry), entry)
    return PropertyResult(
        name=entry.name,
        kind=str(entry.kind),
        verdict=found.verdict(number),
        statement=entry.statement,
        source=entry.source,
        occurrences=found.total.hits[number],
        premise_states=None if entry.premise is None else found.total.premises[number],
        trace=found.trace(number),
        is_walked=found.is_walked,
    )


def _liveness(judgement: Judgement, entry: Property) -> PropertyResult:
    return PropertyResult(
        name=entry.name,
        kind=str(entry.kind),
        statement=entry.statement,
        source=entry.source,
        fairness=entry.fairness.statement if entry.fairness else "",
        **vars(judgement),
    )


def witnesses_of(found: Found) -> list[WitnessResult]:
    """Whether each witness was reached."""
    return [
        _witness(found, number, entry)
        for number, entry in enumerate(found.kernel.design.checked)
        if entry.kind is PropertyKind.WITNESS and found.wants(entry.name)
    ]


def _witness(found: Found, number: int, entry: Property) -> WitnessResult:
    times = found.total.hits[number]
    is_settled = times or found.unseen is Verdict.HOLDS
    return WitnessResult(
        name=entry.name,
        statement=entry.statement,
        reached=bool(times) if is_settled else None,
        occurrences=times,
        trace=found.trace(number),
        is_walked=found.is_walked,
    )


def untaken_edges(found: Found) -> list[str]:
    """Declared lifecycle edges that no step took."""
    untaken, base = [], 0
    for law in found.kernel.laws:
        size = len(law.values)
        for edge in law.edges:
            if not found.total.edges[base + int(edge.source) * size + int(edge.target)]:
                untaken.append(f"{law.name}: {edge.source.name} -> {edge.target.name}")
        base += size * size
    return list(dict.fromkeys(untaken))


def reached(steps: Sequence[Step]) -> str:
    """The steps to a state, in a sentence."""
    if not steps:
        return "in an initial state"
    left_out = f"{len(steps) - MOST_TOLD} steps; " if len(steps) > MOST_TOLD else ""
    return f"reached by {left_out}{'; '.join(map(str, steps[-MOST_TOLD:]))}"
