"""Results of a search, as data. Others print and draw them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import Enum, StrEnum
from functools import cached_property
from typing import Any

from tierproof.model.language.actions import Step
from tierproof.model.language.errors import DesignError
from tierproof.model.language.explaining import Part, why_of
from tierproof.model.language.layout import layout_of
from tierproof.model.language.members import shown
from tierproof.model.language.state import State
from tierproof.model.language.trace import Trace
from tierproof.spark_explorer.provenance import OnSpark, Resumed
from tierproof.spark_explorer.symmetry import Symmetry


class Verdict(StrEnum):
    """The verdict on a property. A search that was cut never reports HOLDS."""

    HOLDS = "HOLDS"
    VIOLATED = "VIOLATED"
    INCOMPLETE = "INCOMPLETE"


@dataclass(frozen=True, kw_only=True)
class PropertyResult:
    """The verdict on one property, with the shortest counterexample if it is violated.

    `occurrences` counts states (or steps) that violate it; `premise_states` counts the
    states in which its premise held, None if it has no premise. `reason` says why it is
    INCOMPLETE if the search as a whole is not. `fairness` and `limited_states` are for liveness:
    the assumption, and the number of states in which the goal could be awaited for ever if the
    scope did not hide successors of fair steps; these are no violations. If it `is_walked`, random
    walks found it: `occurrences` and `premise_states` count visits, and the trace need not be
    shortest.
    """

    name: str
    kind: str
    verdict: Verdict
    statement: str
    source: str = ""
    occurrences: int = 0
    premise_states: int | None = None
    trace: Trace | None = None
    reason: str = ""
    fairness: str = ""
    limited_states: int | None = None
    is_walked: bool = False

    @property
    def is_shortest(self) -> bool:
        """True if no trace to a violation has fewer steps; of a lasso that is not known."""
        return not self.is_walked and self.trace is not None and self.trace.cycle_start is None

    @cached_property
    def why(self) -> Part | None:
        """Which parts of the property are false at the end of its trace, or on its cycle."""
        if self.trace is None:
            return None
        try:
            return why_of(self.trace, self.name)
        except Exception:  # hours of search are not lost for want of an explanation
            return Part(self.name, "False", False)

    @property
    def is_vacuous(self) -> bool:
        """True if the property was never tested: its premise held in no state."""
        return self.premise_states == 0


@dataclass(frozen=True, kw_only=True)
class WitnessResult:
    """Whether a witness was reached, with a shortest trace to it; None: not reached, search cut.

    If it `is_walked`, `occurrences` counts visits, and the trace need not be shortest.
    """

    name: str
    statement: str
    reached: bool | None
    occurrences: int = 0
    trace: Trace | None = None
    is_walked: bool = False

    @property
    def is_shortest(self) -> bool:
        """True if no trace to the witness has fewer steps."""
        return not self.is_walked and self.trace is not None


@dataclass(frozen=True, kw_only=True)
class Sample:
    """The random walks behind a result: what they are, and how they ended.

    `walks` of at most `depth_limit` steps, by `seed`: the same three take the same walks again.
    `steps` in all; `at_depth` walks ended at the greatest depth, `at_rest` in a state without a
    successor, `outside_bounds` in a state that the design does not expand. `ended_by` says what
    ended the walks.
    """

    seed: int
    walks: int
    depth_limit: int
    steps: int
    at_depth: int
    at_rest: int
    outside_bounds: int
    ended_by: str


@dataclass(frozen=True, kw_only=True)
class Fault:
    """An error of the design that ended an exploration, and how it is reached.

    `trace` leads to the state, a shortest one unless random walks found it; `step` is the step in
    which a function failed, None if it failed in the state itself.
    """

    message: str
    trace: Trace
    step: Step | None = None
    is_shortest: bool = True

    @property
    def where(self) -> str:
        """Where a function failed, in words."""
        state = (
            "the initial state"
            if not len(self.trace)
            else f"the state after step {len(self.trace)}"
        )
        return f"in {state}" if self.step is None else f"by {self.step} in {state}"


@dataclass(frozen=True, kw_only=True)
class Result:
    """The result of one exploration of a design in a scope.

    `distinct_states`, `generated_states` and `depth` (in steps) count as TLC does;
    `cut` says why the search ended early, None if it did not; `seconds` counts from the first
    initial state on and leaves compilation and liveness out, `set_up_seconds` is compilation and
    the start of the engine, `liveness_seconds` the second phase. Of the set-up, the design's own
    code took `compile_seconds` where it had to be compiled, `load_seconds` where it was kept;
    beside the search, better code took `optimise_seconds`.

    `redefines` are the helpers that a property calls and the design, or a variant, defines anew,
    with the reason. `zero_budgets` are those of which the scope leaves nothing, so that what
    spends them never happens. `initial_states` of the distinct states are initial;
    `initial_refusal` says why CPython made them although their candidates are many, empty if it
    did not.

    A `fault` of the design ended the exploration; the rest is what was found until then.
    `symmetry` says of which things one state stands for all permutations, and of which it does not
    and why; None if nothing is declared alike.
    Of the engine `spark`, `on_spark` says what Spark did.
    If a kept run was `resumed`, `seconds` are those of all attempts that committed a level.
    With a `sample`, random walks found it: `distinct_states` is an estimate, `generated_states`
    are the steps taken, and no verdict can be HOLDS.
    """

    design: str
    title: str
    document: str
    scope: str
    bounds: Mapping[str, int]
    variants: tuple[str, ...]
    dropped_guards: tuple[str, ...]
    engine: str
    distinct_states: int
    generated_states: int
    depth: int
    frontier_sizes: tuple[int, ...]
    seconds: float
    set_up_seconds: float
    collision_probability: float
    cut: str | None
    properties: tuple[PropertyResult, ...]
    witnesses: tuple[WitnessResult, ...]
    actions: Mapping[str, int]
    untaken_edges: tuple[str, ...]
    initial_states: int = 0
    initial_refusal: str = ""
    redefines: Mapping[str, str] = field(default_factory=dict)
    zero_budgets: tuple[str, ...] = ()
    liveness_seconds: float = 0.0
    compile_seconds: float = 0.0
    load_seconds: float = 0.0
    optimise_seconds: float = 0.0
    sample: Sample | None = None
    fault: Fault | None = None
    symmetry: Symmetry | None = None
    resumed: Resumed | None = None
    on_spark: OnSpark | None = None

    def __post_init__(self) -> None:
        """Raise ValueError if HOLDS is said on the ground of a sample, or in spite of a fault."""
        if self.fault is not None and not self.cut:
            raise ValueError("a fault cuts an exploration")
        if self.sample is not None and self.verdict is Verdict.HOLDS:
            raise ValueError("random walks do not show that a design holds")
        for entry in self.properties:
            if self.sample is not None and entry.verdict is Verdict.HOLDS:
                raise ValueError(f"random walks do not show that {entry.name} holds")

    @property
    def verdict(self) -> Verdict:
        """VIOLATED if any property is, else INCOMPLETE if any is or the search was cut."""
        verdicts = {entry.verdict for entry in self.properties}
        if Verdict.VIOLATED in verdicts:
            return Verdict.VIOLATED
        is_whole = not self.cut and Verdict.INCOMPLETE not in verdicts
        return Verdict.HOLDS if is_whole else Verdict.INCOMPLETE

    @property
    def traces(self) -> dict[str, Trace | None]:
        """Name -> the trace to a violation, or to a witness; None if there is none."""
        return {
            **{one.name: one.trace for one in self.properties},
            **{one.name: one.trace for one in self.witnesses},
        }

    @property
    def never_taken(self) -> tuple[str, ...]:
        """Actions that were never enabled."""
        return tuple(name for name, count in self.actions.items() if count == 0)

    def as_dict(self) -> dict[str, Any]:
        """The result as plain values, as `tierproof explore --json` prints it."""
        return {
            "design": self.design,
            "scope": self.scope,
            "bounds": dict(self.bounds),
            "variants": list(self.variants),
            "without": list(self.dropped_guards),
            "redefines": dict(self.redefines),
            "zero_budgets": list(self.zero_budgets),
            "engine": self.engine,
            "verdict": str(self.verdict),
            "cut": self.cut,
            "on_spark": None if self.on_spark is None else asdict(self.on_spark),
            "resumed": None if self.resumed is None else self.resumed.as_dict(),
            "symmetry": None if self.symmetry is None else self.symmetry.as_dict(),
            "distinct_states": self.distinct_states,
            "generated_states": self.generated_states,
            "depth": self.depth,
            "initial_states": self.initial_states,
            "initial_refusal": self.initial_refusal,
            "seconds": round(self.seconds, 3),
            "set_up_seconds": round(self.set_up_seconds, 3),
            "liveness_seconds": round(self.liveness_seconds, 3),
            "collision_probability": self.collision_probability,
            "sample": None if self.sample is None else asdict(self.sample),
            "fault": None if self.fault is None else _fault(self.fault),
            "properties": [_property(entry) for entry in self.properties],
            "witnesses": [_witness(entry) for entry in self.witnesses],
            "actions": dict(self.actions),
            "never_taken": list(self.never_taken),
            "untaken_edges": list(self.untaken_edges),
        }


def returned(result: Result, error: DesignError | None, *, is_shortest: bool = True) -> Result:
    """The result; raises the error, if there is one, with the result as what was `found`."""
    if error is None:
        return result
    trace, step = error.trace, error.step
    if isinstance(trace, Trace):
        assert step is None or isinstance(step, Step)
        fault = Fault(message=str(error), trace=trace, step=step, is_shortest=is_shortest)
        error.found = replace(result, fault=fault)
    raise error


def _fault(fault: Fault) -> dict[str, Any]:
    return {
        "message": fault.message,
        "where": fault.where,
        "step": None if fault.step is None else str(fault.step),
        "trace_length": len(fault.trace),
        "is_shortest": fault.is_shortest,
        "trace": trace_as_dict(fault.trace),
    }


def _property(entry: PropertyResult) -> dict[str, Any]:
    return {
        "name": entry.name,
        "kind": entry.kind,
        "verdict": str(entry.verdict),
        "statement": entry.statement,
        "source": entry.source,
        "trace_length": None if entry.trace is None else len(entry.trace),
        "is_shortest": entry.is_shortest,
        "occurrences": entry.occurrences,
        "premise_states": entry.premise_states,
        "reason": entry.reason,
        "fairness": entry.fairness,
        "limited_states": entry.limited_states,
        "why": None if entry.why is None else entry.why.as_dict(),
        "trace": None if entry.trace is None else trace_as_dict(entry.trace),
    }


def _witness(entry: WitnessResult) -> dict[str, Any]:
    return {
        "name": entry.name,
        "statement": entry.statement,
        "reached": entry.reached,
        "occurrences": entry.occurrences,
        "is_shortest": entry.is_shortest,
        "trace_length": None if entry.trace is None else len(entry.trace),
        "trace": None if entry.trace is None else trace_as_dict(entry.trace),
    }


def trace_as_dict(trace: Trace) -> dict[str, Any]:
    """A trace as plain values: the initial fields, then each step with what it changed.

    `start` are the values with which the fields are declared: what equals them says little.
    `bookkeeping` are the fields that no broker has: ghosts, and budgets of the environment.
    `cycle_start` is how many steps come before those that repeat for ever (if it is all of
    them, no further step happens), None for a trace that ends.
    """
    first = trace.states[0]
    start = type(first).at_start(trace.scope)
    return {
        "initial": {path: in_words(trace, path, it) for path, it in first.fields().items()},
        "start": {path: in_words(trace, path, it) for path, it in start.fields().items()},
        "bookkeeping": list(layout_of(trace.design.state, trace.scope).bookkeeping),
        "steps": [step_as_dict(trace, *move) for move in trace.moves()],
        "cycle_start": trace.cycle_start,
        "python": trace.as_python(),
    }


def step_as_dict(trace: Trace, step: Step, before: State, after: State) -> dict[str, Any]:
    """A step of a trace as plain values: who acts, and what it changed."""
    act, given = trace.design.action(step.action), dict(step.arguments)
    return {
        "action": step.action,
        "arguments": {name: plain(value) for name, value in given.items()},
        "actor": act.actor.format(**given),
        "to": act.to.format(**given),
        "statement": act.statement,
        "is_environment": act in trace.design.environment,
        "changes": {
            path: [in_words(trace, path, old), in_words(trace, path, new)]
            for path, old, new in before.changes_to(after)
        },
    }


def in_words(trace: Trace, path: str, value: Any) -> Any:
    """The value of a field, in the words that the design has for its numbers, if any."""
    words = trace.design.words.get(re.sub(r"\[\d+\]", "[*]", path))
    return plain(value) if words is None else words(trace.design, trace.scope, value)


def plain(value: Any) -> Any:
    """An enum member by its name; sets, sequences and bags as text; a number as it is."""
    return value if isinstance(value, int) and not isinstance(value, Enum) else shown(value)
