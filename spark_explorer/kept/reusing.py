"""Reusing: a search that a kept run has made is not made again.

Processes of one machine that ask the same at the same time wait for the first of them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from tierproof.model.language import Design, Scope
from tierproof.model.language.errors import Misused
from tierproof.spark_explorer.cuts import limit_of
from tierproof.spark_explorer.engines import OF_RUNS, check_installed
from tierproof.spark_explorer.identity import Identity, Parts, digest_of, software
from tierproof.spark_explorer.kept.attempt import Begun, Busy
from tierproof.spark_explorer.kept.keeping import Keeping
from tierproof.spark_explorer.kept.manifest import FORMAT, NAME
from tierproof.spark_explorer.kept.opening import KeptRun
from tierproof.spark_explorer.kept.results import Reader
from tierproof.spark_explorer.kept.store import Store, store_at
from tierproof.spark_explorer.locking import lock
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.results import Result
from tierproof.spark_explorer.symmetry import why_unreduced


class Use(StrEnum):
    """How a result came about."""

    SEARCHED = "searched"
    RESUMED = "resumed"
    REUSED = "reused"


class AskedOtherwise(Misused):
    """A kept run is of the same design, and was asked something else; the message says what."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A search that a kept run may have made; the design and the scope are at hand.

    `engine` is None if a run of any engine will do.
    """

    question: Question
    design: Design
    scope: Scope
    engine: str | None
    max_states: int | None

    @cached_property
    def kernel(self) -> Kernel:
        """The design as it is compiled, to be compared; a search has one of its own."""
        asked = self.question
        why = why_unreduced(self.design, asked.properties, symmetry=asked.symmetry)
        return Kernel(self.design, self.scope, why, asked.fingerprint_bits)

    @property
    def name(self) -> str:
        """A name for its run, which is another one for whatever may give another result."""
        question = self.question
        parts = (
            FORMAT,
            _version(),
            Identity.of(self.kernel, question).design,
            self.kernel.initial(self.max_states).tobytes(),
            _asked(question),
            (self.engine, self.max_states),
        )
        title = f"{self.design.name}-{question.scope_title(self.design)}"
        return f"{re.sub(r'[^A-Za-z0-9_]+', '-', title)}-{digest_of(repr(parts).encode())}"

    def check(self, run: KeptRun) -> None:
        """Raise AskedOtherwise if a run is of another search, and Unlike if of another design."""
        there, here = _asked(run.manifest.question), _asked(self.question)
        there["the version"], here["the version"] = _version(run.manifest.software), _version()
        for what, one in there.items():
            if one != here[what]:
                raise AskedOtherwise(
                    f"{what} of {run.store}: {one}, and not {here[what]}: name another folder"
                )
        run.manifest.check(self.kernel, run.store, question=self.question)
        if run.levels:
            initial, _ = self.kernel.reducing.seeds(self.kernel.initial())
            run.run.check_first(initial)

    def is_answered_by(self, run: KeptRun) -> bool:
        """Whether a run has the result. Raises AskedOtherwise if it never will."""
        found = run.found
        if found is None:
            return False
        if not run.is_whole:
            return self.max_states is not None and found["cut"] == limit_of(self.max_states)
        if self.engine not in (None, found["engine"]):
            raise AskedOtherwise(
                f"{run.store} was explored on {found['engine']}, and not on {self.engine}: "
                "name another folder, or no engine"
            )
        if self.max_states is not None and found["distinct_states"] > self.max_states:
            raise AskedOtherwise(
                f"{run.store} has come to its end with {found['distinct_states']:,} states, above "
                f"{limit_of(self.max_states)}: name another folder, or no limit"
            )
        return True

    def result_of(self, run: KeptRun) -> Result:
        """The result of a run that has it, as a search would return it."""
        assert run.found is not None
        result = Reader(self.design, self.scope).result(run.found)
        return replace(result, scope=self.question.scope_title(self.design))


def answered(
    wanted: Wanted, address: str, search: Callable[[Keeping], Result], engine: str
) -> tuple[Result, Use]:
    """The result of the run at an address, or of `search`, which goes on with it or begins it.

    Raises NotInstalled, NotKept, Unlike and AskedOtherwise, and what the search raises.
    """
    check_installed("a run that is kept", "runs", OF_RUNS)
    store = store_at(address)
    while True:
        try:
            return _answered(wanted, store, search, engine)
        except (Busy, Begun):
            _wait_for(store)


def _answered(
    wanted: Wanted, store: Store, search: Callable[[Keeping], Result], engine: str
) -> tuple[Result, Use]:
    use = Use.SEARCHED
    if store.has(NAME):
        run, use = KeptRun.open(store.address), Use.RESUMED
        wanted.check(run)
        if wanted.is_answered_by(run):
            return wanted.result_of(run), Use.REUSED
    with closing(Keeping(store, wanted.question, engine, use is Use.RESUMED)) as keeping:
        return search(keeping), use


def _wait_for(store: Store) -> None:
    """Wait until no other process explores into a run of this machine."""
    if store.folder is not None:
        with suppress(FileNotFoundError):
            os.close(lock(store.folder, waits=True))


def _version(known: Parts | None = None) -> str:
    """The tierproof among these versions, those of this process by default."""
    return f"tierproof {dict(software() if known is None else known).get('tierproof')}"


def _asked(question: Question) -> dict[str, str]:
    """What a question asks beside the compiled design, in words."""
    return {
        "the variants": ", ".join(question.variants) or "none",
        "the ablated guards": ", ".join(question.without) or "none",
        "the properties": ", ".join(question.properties) or "all",
        "the symmetry": "used" if question.symmetry else "not used",
        "the bits of a fingerprint": str(question.fingerprint_bits),
    }
