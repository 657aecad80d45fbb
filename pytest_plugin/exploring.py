"""The fixture `explore`: a search, and its verdicts compared with the expected ones."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from tierproof.model.language import Design, Property, Scope, TierproofError, Variant
from tierproof.model.language.decimals import whole_number
from tierproof.pytest_plugin.asking import Asked, ask
from tierproof.pytest_plugin.cases import Case, Options
from tierproof.pytest_plugin.judging import surprises, warn_of_nothing
from tierproof.pytest_plugin.telling import refused, told_surprises
from tierproof.spark_explorer.engines import ENGINES, execution_for
from tierproof.spark_explorer.results import Result
from tierproof.spark_explorer.search import INTERRUPTED
from tierproof.spark_explorer.search import explore as search


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
    ) -> Result:
        """Search `design` (or its import path); the test fails unless all is as expected.

        `scope` is a name or a Scope; without one it is that of --tierproof-scope, else `default`,
        else the design's first. `properties` are those that are judged, by default all with the
        laws of lifecycles; `variants` (repairs are variants) and `without` (guards) change the
        design. `expected` gives the verdict of a property, "HOLDS" if it is not named, or of a
        witness, "REACHED" or "NOT REACHED". A search that was cut, by `max_states` or for another
        reason, fails unless `expected` says INCOMPLETE or `allow_incomplete` is set; what it saw
        violated counts. A fault of the design, or a name that it does not have, fails the test.
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
            result = self._search(asked, engine or self.options.engine, max_states)
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

    def _search(self, asked: Asked, engine: str, max_states: int | None) -> Result:
        if engine not in ENGINES:
            raise pytest.UsageError(f"no engine {engine!r}: choose of {', '.join(ENGINES)}")
        return search(
            asked.design,
            asked.scope,
            execution_for(asked.question, engine, threads=threads()),
            scope_name=asked.scope_title,
            only=asked.question.properties,
            max_states=max_states,
        )


def threads() -> int:
    """The threads of one search: the cores, divided among the workers of pytest-xdist."""
    workers: Any = os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")
    return max(1, (os.cpu_count() or 1) // whole_number(workers))
