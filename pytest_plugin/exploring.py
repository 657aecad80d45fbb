"""The fixture `explore`: a search, and its verdicts compared with the expected ones."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tierproof.model.language import Design, Property, Scope, TierproofError, Variant
from tierproof.model.language.decimals import whole_number
from tierproof.model.language.errors import Misused
from tierproof.pytest_plugin.asking import Asked, ask
from tierproof.pytest_plugin.cases import Case, Options
from tierproof.pytest_plugin.judging import surprises, warn_of_nothing
from tierproof.pytest_plugin.telling import refused, told_surprises
from tierproof.spark_explorer.cuts import INTERRUPTED
from tierproof.spark_explorer.engines import ENGINES, OF_RUNS, check_installed, execution_for
from tierproof.spark_explorer.results import Result
from tierproof.spark_explorer.search import as_it_is
from tierproof.spark_explorer.search import explore as search

if TYPE_CHECKING:
    from tierproof.spark_explorer.kept.keeping import Keeping

MEMORY = "memory"
"""The engine of a test that names none."""


class Explorer:
    """Searches designs for one test; `case` and `options` are its defaults."""

    def __init__(self, case: Case, options: Options) -> None:
        self.case, self.options = case, options
        self.is_unused = True

    def __call__(
        self,
        design: Design | str | None = None,
        *,
        scope: Scope | str | None = None,
        properties: str | Property | Iterable[str | Property] | None = None,
        variants: str | Variant | Iterable[str | Variant] | None = None,
        without: str | Iterable[str] | None = None,
        expected: Mapping[str, str] | None = None,
        engine: str | None = None,
        max_states: int | None = None,
        allow_incomplete: bool = False,
        run: str | Path | None = None,
    ) -> Result:
        """Search `design` (or its import path); the test fails unless all is as expected.

        `scope` is a name or a Scope; without one it is that of --tierproof-scope, else `default`,
        else the design's first. `properties` are those that are judged, by default all with the
        laws of lifecycles; `variants` (repairs are variants) and `without` (guards) change the
        design. `expected` gives the verdict of a property, "HOLDS" if it is not named, or of a
        witness, "REACHED" or "NOT REACHED". A search that was cut, by `max_states` or for another
        reason, fails unless `expected` says INCOMPLETE or `allow_incomplete` is set; what it saw
        violated counts. A fault of the design, or a name that it does not have, fails the test.
        `run` (a folder of the project, or s3://...) keeps the search, or is the run of one that is
        not made again; so does a folder in that of --tierproof-runs. A run of another design, or
        of another search, is refused if it is named by `run`.
        """
        __tracebackhide__ = True
        self.is_unused = False
        try:
            asked = ask(
                self.case,
                self.options,
                design=design,
                scope=scope,
                properties=properties,
                variants=variants,
                without=without,
            )
            result = self._result(asked, engine or self.options.engine, max_states, run)
            wanted = dict(expected or {})
            found = surprises(result, wanted, allow_incomplete=allow_incomplete)
        except TierproofError as error:
            raise refused(error) from None
        if result.cut and result.cut.startswith(INTERRUPTED):
            raise KeyboardInterrupt(result.cut)
        if found:
            pytest.fail(told_surprises(result, found, self.options.module), pytrace=False)
        warn_of_nothing(result, wanted)
        return result

    def _result(
        self, asked: Asked, engine: str | None, max_states: int | None, run: str | Path | None
    ) -> Result:
        """The result of a search, or of the kept run of one."""
        if engine not in (None, *ENGINES):
            raise pytest.UsageError(f"no engine {engine!r}: choose of {', '.join(ENGINES)}")
        if run is None and self.options.runs is None:
            return _searched(asked, engine or MEMORY, max_states)
        check_installed("a run that is kept", "runs", OF_RUNS)
        from tierproof.spark_explorer.kept.reusing import Wanted, answered

        kind = engine if run is not None else engine or MEMORY
        question, design, scope = asked.question, asked.design, asked.scope
        wanted = Wanted(
            question=question, design=design, scope=scope, engine=kind, max_states=max_states
        )
        address = str(Path(str(self.options.runs)) / wanted.name) if run is None else str(run)
        if not address:
            raise Misused("run= takes a folder, or an address such as s3://bucket/run")
        result, use = answered(
            wanted,
            address if "://" in address else str(Path(self.options.folder) / address),
            lambda keeping: _searched(asked, engine or MEMORY, max_states, keeping),
            engine or MEMORY,
        )
        self.options.uses[str(use)] += 1
        return result


def _searched(
    asked: Asked, engine: str, max_states: int | None, keeping: Keeping | None = None
) -> Result:
    return search(
        asked.design,
        asked.scope,
        execution_for(asked.question, engine, keeping=keeping, threads=threads()),
        scope_name=asked.scope_title,
        only=asked.question.properties,
        max_states=max_states,
        keep=as_it_is if keeping is None else keeping.keep,
    )


def threads() -> int:
    """The threads of one search: the cores, divided among the workers of pytest-xdist."""
    workers: Any = os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")
    return max(1, (os.cpu_count() or 1) // whole_number(workers))
