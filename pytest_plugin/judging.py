"""Verdicts compared with those that a test expects, both ways."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass

from tierproof.model.language.errors import Misused, closest
from tierproof.spark_explorer.results import PropertyResult, Result, Verdict, WitnessResult

REACHED, NOT_REACHED = "REACHED", "NOT REACHED"
WORDS = {True: REACHED, False: NOT_REACHED, None: str(Verdict.INCOMPLETE)}
"""Of a witness: whether it was reached, in words; None if the search was cut."""


class NothingTested(UserWarning):
    """A test passes, and part of it tested nothing in this scope."""


@dataclass(frozen=True)
class Surprise:
    """A verdict that is not the expected one; `entry` is None if it is that of the whole search."""

    name: str
    found: str
    wanted: str
    entry: PropertyResult | WitnessResult | None = None


def surprises(
    result: Result, expected: Mapping[str, str], *, allow_incomplete: bool
) -> list[Surprise]:
    """Every verdict that is not as expected. A property that is not named is expected to HOLD.

    A witness is judged if it is named. INCOMPLETE is as expected where it is named so, or where it
    is allowed and nothing else is named. Raises UnknownName, and Misused for a word that is no
    verdict.
    """
    _check(result, expected)
    found: list[Surprise] = []
    for entry in result.properties:
        verdict, wanted = str(entry.verdict), expected.get(entry.name, str(Verdict.HOLDS))
        is_allowed = (
            allow_incomplete and verdict == Verdict.INCOMPLETE and entry.name not in expected
        )
        if verdict != wanted and not is_allowed:
            found.append(Surprise(entry.name, verdict, wanted, entry))
    for one in result.witnesses:
        if one.name in expected and WORDS[one.reached] != expected[one.name]:
            found.append(Surprise(one.name, WORDS[one.reached], expected[one.name], one))
    if result.cut and not result.properties and not allow_incomplete and not expected:
        found.append(Surprise("the search", str(Verdict.INCOMPLETE), "an end"))
    return found


def _check(result: Result, expected: Mapping[str, str]) -> None:
    verdicts = {entry.name: [str(one) for one in Verdict] for entry in result.properties}
    words = {entry.name: list(WORDS.values()) for entry in result.witnesses}
    for name, word in expected.items():
        known = {**verdicts, **words}
        if word not in known[closest("property", name, known)]:
            raise Misused(f"{name} is expected to be {word!r}: write {', '.join(known[name])}")


def warn_of_nothing(result: Result, expected: Mapping[str, str]) -> None:
    """Warn of properties that hold vacuously, witnesses that were not reached, and no property."""
    where = f"{result.design} in scope {result.scope}"
    told = [
        f"{entry.name} HOLDS vacuously in {where}: its premise holds in no state"
        for entry in result.properties
        if entry.is_vacuous and entry.verdict is Verdict.HOLDS
    ]
    told += [
        f"the witness {entry.name} is not reached in {where}"
        for entry in result.witnesses
        if entry.reached is False and entry.name not in expected
    ]
    if not result.properties and not result.witnesses:
        told.append(f"{where} claims no property: only faults of the design were looked for")
    for words in told:
        warnings.warn(NothingTested(words), stacklevel=3)
