"""The fixture `replay`: the steps of a trace that once violated a property, taken again."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tierproof.model.language import Design, Scope, Step, TierproofError, Variant
from tierproof.model.language.replaying import Replay
from tierproof.model.language.replaying import replay as take_again
from tierproof.pytest_plugin.asking import ask
from tierproof.pytest_plugin.cases import Case, Options
from tierproof.pytest_plugin.telling import refused, told_replay


class Replayer:
    """Replays traces for one test."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.is_unused = True

    def __call__(
        self,
        design: Design | str,
        claim: str,
        *,
        steps: Iterable[Step],
        scope: Scope | str | None = None,
        variants: str | Variant | Iterable[str | Variant] | None = None,
        without: str | Iterable[str] | None = None,
        initial: int = 0,
        cycle_start: int | None = None,
    ) -> Replay:
        """Take `steps` again; the test fails while they violate the property `claim`.

        It passes once the design refuses a step, or keeps the property; the Replay says which.
        Nothing is searched: other steps may still violate the property. An action that the design
        no longer has fails the test, as it may have another name now.
        """
        __tracebackhide__ = True
        self.is_unused = False
        try:
            asked = ask(
                Case(),
                self.options,
                design=design,
                scope=scope,
                variants=variants,
                without=without,
            )
            found = take_again(
                asked.design,
                asked.scope,
                tuple(steps),
                claim,
                initial=initial,
                cycle_start=cycle_start,
            )
        except TierproofError as error:
            raise refused(error) from None
        if found.is_violated:
            pytest.fail(told_replay(found, claim), pytrace=False)
        return found
