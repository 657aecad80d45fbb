"""What is asked of mutation testing: a design, scopes, which mutants, the time of each."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tierproof.model.language.design import Design
from tierproof.model.language.errors import closest
from tierproof.model.language.mutation import Mutant, mutants_of, places_of
from tierproof.model.language.scope import Scope
from tierproof.spark_explorer.mutation.judging import Judge, Noticed
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.question import Question

FORMAT = 1
"""Of what is kept: fates that were found otherwise are not those of today."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """Mutants of a design, to be judged in scopes; picklable.

    `only` names modules or functions, empty: all. Of their mutants, `sample` are taken at random
    by `seed`, None: all. Each may take `seconds` in a scope. `notices` checks what no property
    notices; it is a function that another process can import.
    """

    question: Question
    scopes: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    sample: int | None = None
    seed: int = 0
    seconds: float = 30.0
    notices: Noticed | None = None

    def design(self) -> Design:
        """The design. Raises as `Question.resolve` does."""
        return self.question.resolve()[0]

    def scopes_of(self, design: Design) -> list[tuple[str, Scope]]:
        """Each scope to search, with its title; `smoke`, or that of the question, if none is named.

        Raises UnknownName.
        """
        chosen = self.scopes or (_smallest(self.question, design),)
        asked = [replace(self.question, scope=name) for name in dict.fromkeys(chosen)]
        bounds = dict(self.question.bounds)
        return [
            (one.scope_title(design), design.scope(str(one.scope)).replace(**bounds))
            for one in asked
        ]

    def mutants(self, design: Design) -> list[Mutant]:
        """The mutants that are asked for, by module and line. Raises UnknownName."""
        return self.sampled(self.population(design))

    def sampled(self, population: list[Mutant]) -> list[Mutant]:
        """Of a population those that are asked for, in its order."""
        if self.sample is None or self.sample >= len(population):
            return population
        chosen = random.Random(self.seed).sample(range(len(population)), self.sample)
        return [population[number] for number in sorted(chosen)]

    def population(self, design: Design) -> list[Mutant]:
        """The mutants that a sample is taken from."""
        places = places_of(design)
        for name in self.only:
            known = {one.name for one in places} | {one.module for one in places}
            known |= {one.module.rpartition(".")[2] for one in places}
            closest("module or function", name, known)
        wanted = set(self.only)
        return [
            mutant
            for place in places
            if not wanted or wanted & {place.name, place.module, place.module.rpartition(".")[2]}
            for mutant in mutants_of(place)
        ]

    def judge(self, design: Design) -> Judge:
        """What judges them. Raises Faulty."""
        return Judge(design, self.scopes_of(design), self.seconds, self.notices)

    def identity(self, design: Design) -> str:
        """A digest of all that a fate depends on, but for the mutant and the seconds."""
        told = [str(FORMAT), f"{getattr(self.notices, '__module__', None)}"]
        told += [Kernel(design, scope).identity for _, scope in self.scopes_of(design)]
        return hashlib.sha256("\0".join(told).encode()).hexdigest()[:16]


def _smallest(question: Question, design: Design) -> str:
    if question.scope is None and "smoke" in design.scopes:
        return "smoke"
    return question.scope_name_in(design)


def modules_of(mutants: Sequence[Mutant]) -> list[str]:
    """The modules of mutants, each once."""
    return list(dict.fromkeys(one.place.module for one in mutants))
