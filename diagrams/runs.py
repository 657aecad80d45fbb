"""The runs of a review as plain records for the report."""

from __future__ import annotations

from dataclasses import dataclass

from tierproof.diagrams.records import ActionCard, Sequence


@dataclass(frozen=True, kw_only=True)
class Counterexample:
    """A trace as a sequence, and its length."""

    sequence: Sequence

    @property
    def length(self) -> int:
        """The number of steps."""
        return len(self.sequence.messages)


@dataclass(frozen=True, kw_only=True)
class PropertyRow:
    """The verdict on a property in one run, and the ledger's expected verdict, if it has one.

    `premise_states` is None if the property has no premise; 0 means that it was never tested.
    `reason`, `fairness` and `limited_states` are those of the search's record.
    """

    name: str
    kind: str
    verdict: str
    statement: str
    source: str
    occurrences: int
    premise_states: int | None
    expected: str | None
    counterexample: Counterexample | None
    reason: str = ""
    fairness: str = ""
    limited_states: int | None = None

    @property
    def is_vacuous(self) -> bool:
        """True if its premise held in no state."""
        return self.premise_states == 0

    @property
    def is_surprising(self) -> bool:
        """True if the verdict is not the expected one."""
        return self.expected not in (None, self.verdict)


@dataclass(frozen=True, kw_only=True)
class WitnessRow:
    """Whether a witness was reached; None if the search was cut before."""

    name: str
    statement: str
    reached: bool | None
    counterexample: Counterexample | None

    @property
    def word(self) -> str:
        """The answer in a word or two."""
        return reached_word(self.reached)


@dataclass(frozen=True, kw_only=True)
class ActionRow:
    """How often an action was taken; `card` describes it, if the design is available."""

    name: str
    taken: int
    card: ActionCard | None


@dataclass(frozen=True, kw_only=True)
class Run:
    """One exploration of a design in a scope, as the report shows it.

    `grounds` are the assumptions that it rests on, by id; what spends one of `zero_budgets` never
    happens. `resumed` says how often a kept run was gone on with, and from which level; empty if
    it was not.
    `differences` are sentences, one per deviation from the ledger; None if the ledger does not
    have the run.
    """

    name: str
    design: str
    scope: str
    bounds: tuple[tuple[str, int], ...]
    variants: tuple[str, ...]
    without: tuple[str, ...]
    engine: str
    verdict: str
    cut: str | None
    distinct_states: int
    generated_states: int
    depth: int
    seconds: float
    collision_probability: float
    symmetry: tuple[str, ...]
    resumed: str
    grounds: tuple[tuple[str, str], ...] = ()
    zero_budgets: tuple[str, ...] = ()
    properties: tuple[PropertyRow, ...]
    witnesses: tuple[WitnessRow, ...]
    actions: tuple[ActionRow, ...]
    untaken_edges: tuple[str, ...]
    differences: tuple[str, ...] | None

    @property
    def never_taken(self) -> tuple[str, ...]:
        """Actions that were never taken."""
        return tuple(action.name for action in self.actions if action.taken == 0)

    @property
    def vacuous(self) -> tuple[str, ...]:
        """Properties whose premise held in no state."""
        return tuple(row.name for row in self.properties if row.is_vacuous)

    @property
    def unreached(self) -> tuple[str, ...]:
        """Witnesses that were not reached."""
        return tuple(row.name for row in self.witnesses if not row.reached)


def reached_word(reached: bool | None) -> str:
    """Whether a witness was reached, in a word or two."""
    return {True: "REACHED", False: "NOT REACHED", None: "NOT YET"}[reached]
