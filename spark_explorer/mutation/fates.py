"""What becomes of a mutant, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Outcome(StrEnum):
    """What became of a mutant; only of a search that came to its end it is said to live."""

    KILLED = "killed"
    """A property, a recording or an error tells it from the design."""
    SURVIVED = "survived"
    """Its graph differs in the scopes searched, and nothing notices."""
    EQUIVALENT = "equivalent"
    """Its graph is that of the design in the scopes searched."""
    INCOMPLETE = "incomplete"
    """A limit cut its search before anything noticed it."""
    NOT_COVERED = "not covered"
    """No step of the scopes searched runs what is changed."""
    REFUSED = "refused"
    """The modelling language refuses its text: it is no mutant."""


@dataclass(frozen=True, kw_only=True)
class Fate:
    """What became of one mutant.

    A killed one: `by` is the kind of what noticed it (invariant, step property, law, liveness,
    witness, premise, error, recording), `names` what noticed it, and `steps` how far from an
    initial state (None: not a matter of steps). `scope` is where, or the last one searched; `why`
    says of an error what it is, of others what cut the search or how the text is refused. A
    survivor: `way` are the steps to the first state where the graphs differ, and `differs` says
    how, a line for each step. `states` and `generated` count those of the last search.
    """

    outcome: Outcome
    scope: str = ""
    by: str = ""
    names: tuple[str, ...] = ()
    steps: int | None = None
    why: str = ""
    way: tuple[str, ...] = ()
    differs: tuple[str, ...] = ()
    states: int = 0
    generated: int = 0
    seconds: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        """It as plain values."""
        return {**asdict(self), "outcome": str(self.outcome)}

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> Fate:
        """The fate that `as_dict` has written."""
        lists = {name: tuple(found[name]) for name in ("names", "way", "differs")}
        return cls(**{**found, **lists, "outcome": Outcome(found["outcome"])})

    @property
    def in_words(self) -> str:
        """It in a line."""
        if self.outcome is Outcome.KILLED:
            steps = "" if self.steps is None else f" in {self.steps} steps"
            told = self.why if self.by == "error" else ", ".join(self.names)
            return f"killed by {self.by} {told}{steps} ({self.scope})"
        where = f" in {self.scope}" if self.scope else ""
        return f"{self.outcome}{where}" + (f": {self.why}" if self.why else "")
