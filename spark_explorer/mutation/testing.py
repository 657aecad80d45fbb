"""Mutation testing: the mutants of a request, each with its fate, and a score for each module."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tierproof.model.language.design import Design
from tierproof.model.language.mutation import Mutant
from tierproof.spark_explorer.mutation.fates import Fate, Outcome
from tierproof.spark_explorer.mutation.kept import KeptFates
from tierproof.spark_explorer.mutation.request import Request, modules_of
from tierproof.spark_explorer.mutation.working import judged


@dataclass(frozen=True, kw_only=True)
class Score:
    """How many mutants of a module have which fate."""

    killed: int = 0
    survived: int = 0
    incomplete: int = 0
    equivalent: int = 0
    not_covered: int = 0
    refused: int = 0

    @classmethod
    def of(cls, fates: Iterable[Fate]) -> Score:
        """The score of these fates."""
        counts = Counter(str(one.outcome).replace(" ", "_") for one in fates)
        return cls(**counts)

    @property
    def judged(self) -> int:
        """The mutants that somebody should notice: their graphs differ, or may differ."""
        return self.killed + self.survived + self.incomplete

    @property
    def percent(self) -> float | None:
        """How many of a hundred such mutants are killed; None if there are none."""
        return round(100 * self.killed / self.judged, 1) if self.judged else None

    def as_dict(self) -> dict[str, Any]:
        """It as plain values."""
        return {**vars(self), "percent": self.percent}


@dataclass
class MutationRun:
    """The run of a request; `fates` are by the number of the mutant, those found so far.

    The mutants are all `of` so many, or a sample.
    """

    request: Request
    design: Design
    mutants: list[Mutant]
    of: int
    kept: KeptFates | None = None
    fates: dict[int, Fate] = field(default_factory=dict)
    reused: int = 0

    @classmethod
    def begun(cls, request: Request, path: Path | None = None) -> MutationRun:
        """A run that keeps its fates in a file, and knows those that are there.

        Raises as `Question.resolve` and `KeptFates` do.
        """
        design = request.design()
        population = request.population(design)
        made = cls(request, design, request.sampled(population), len(population))
        if path is not None:
            made.kept = KeptFates(path, request.identity(design))
            for number, mutant in enumerate(made.mutants):
                found = made.kept.fate(mutant, request.seconds)
                if found is not None:
                    made.fates[number] = found
            made.reused = len(made.fates)
        return made

    @property
    def scopes(self) -> list[str]:
        """The titles of the scopes that are searched."""
        return [name for name, _ in self.request.scopes_of(self.design)]

    def run(self, processes: int | None = None) -> Generator[tuple[Mutant, Fate]]:
        """Judge what is not known yet; each fate is kept before it is given. Raises Faulty."""
        left = [number for number in range(len(self.mutants)) if number not in self.fates]
        for number, fate in judged(self.request, left, processes or os.cpu_count() or 1):
            self.fates[number] = fate
            if self.kept is not None:
                self.kept.keep(self.mutants[number], self.request.seconds, fate)
            yield self.mutants[number], fate

    @property
    def found(self) -> list[tuple[Mutant, Fate]]:
        """The mutants whose fate is known, by module and line."""
        return [(self.mutants[number], self.fates[number]) for number in sorted(self.fates)]

    @property
    def is_whole(self) -> bool:
        """Whether every mutant was judged, and none cut."""
        outcomes = [fate.outcome for fate in self.fates.values()]
        return len(outcomes) == len(self.mutants) and Outcome.INCOMPLETE not in outcomes

    @property
    def survivors(self) -> list[tuple[Mutant, Fate]]:
        """The mutants that nothing notices."""
        return [one for one in self.found if one[1].outcome is Outcome.SURVIVED]

    @property
    def scores(self) -> dict[str, Score]:
        """Module -> its score."""
        return {
            module: Score.of(fate for mutant, fate in self.found if mutant.place.module == module)
            for module in modules_of(self.mutants)
        }

    @property
    def score(self) -> Score:
        """The score of all."""
        return Score.of(self.fates.values())

    def as_dict(self) -> dict[str, Any]:
        """It as plain values, as `tierproof mutate --json` prints it."""
        request = self.request
        return {
            "design": self.design.name,
            "variants": list(self.design.chosen_variants),
            "scopes": self.scopes,
            "only": list(request.only),
            "sample": request.sample,
            "seed": request.seed if request.sample is not None else None,
            "seconds": request.seconds,
            "mutants": len(self.mutants),
            "is_whole": self.is_whole,
            "score": self.score.as_dict(),
            "modules": {name: score.as_dict() for name, score in self.scores.items()},
            "fates": [{**_told(mutant), **fate.as_dict()} for mutant, fate in self.found],
        }


def _told(mutant: Mutant) -> dict[str, Any]:
    return {
        "key": mutant.key,
        "module": mutant.place.module,
        "function": mutant.place.name,
        "where": mutant.where,
        "operator": mutant.operator,
        "before": list(mutant.before),
        "after": list(mutant.after),
        "diff": mutant.diff,
    }
