"""The fixture `drive`: Hypothesis walks a design at scopes that no search completes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from hypothesis import settings as Settings

from tierproof.model.language import Design, Scope, TierproofError, Variant
from tierproof.properties import Driven, check
from tierproof.pytest_plugin.asking import ask
from tierproof.pytest_plugin.cases import Case, Options
from tierproof.pytest_plugin.telling import refused


class Driver:
    """Drives designs for one test; `case` and `options` are its defaults."""

    def __init__(self, case: Case, options: Options) -> None:
        self.case, self.options = case, options
        self.is_unused = True

    def __call__(
        self,
        design: Design | str | None = None,
        *,
        scope: Scope | str | None = None,
        variants: str | Variant | Iterable[str | Variant] | None = None,
        without: str | Iterable[str] | None = None,
        expected_violations: Collection[str] = (),
        settings: Settings | str | None = None,
        towards: Callable[[Any], float] | None = None,
    ) -> Driven:
        """Walk `design` in `scope`; a violation fails the test with its shrunk trace.

        Without `settings` they are those of --tierproof-profile. Walks prove nothing: a test that
        passes has found nothing, and the Driven says what the walks covered. Properties in
        `expected_violations` are not checked. `towards` gives a number for a state: half of the
        walks prefer steps to a greater one.
        """
        __tracebackhide__ = True
        self.is_unused = False
        try:
            asked = ask(
                self.case,
                self.options,
                design=design,
                scope=scope,
                variants=variants,
                without=without,
            )
            return check(
                asked.design,
                asked.scope,
                expected_violations=expected_violations,
                settings=settings or self.options.profile,
                towards=towards,
            )
        except TierproofError as error:
            raise refused(error) from None
