"""What differs between releases: rows of the same question whose answers are not the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tierproof.conformance.recorders.asking import Asked
from tierproof.conformance.recorders.recording import Recorded


@dataclass(frozen=True)
class Difference:
    """Rows to which releases give the same different answers: how many, and the first of them.

    Of a sequence of operations it tells the first to which the releases answer differently.
    `not_modelled`: the releases for which the model does not reproduce each of these rows.
    """

    rows: int
    example: Any
    answers: dict[str, str]
    not_modelled: list[str]

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return vars(self)


def compared(made: Sequence[Recorded]) -> list[dict[str, Any]]:
    """One entry for each file, as plain values: rows, releases, differences between releases."""
    names = dict.fromkeys(one.file for one in made)
    return [_of_a_file([one for one in made if one.file == name]) for name in names]


def _of_a_file(made: Sequence[Recorded]) -> dict[str, Any]:
    return {
        "file": made[0].file,
        "title": made[0].recorder.title,
        "asked_of": made[0].recorder.asked_of,
        "rows": len(made[0].rows),
        "releases": {one.release: _counts(one) for one in made},
        "differences": [one.as_dict() for one in differences(made)],
    }


def _counts(one: Recorded) -> dict[str, int]:
    return {
        "differ_from_committed": len(one.differing),
        "reproduced_by_the_model": len(one.rows) - len(one.not_modelled),
    }


def differences(made: Sequence[Recorded]) -> list[Difference]:
    """The differences between recordings of one file, the most frequent first."""
    groups: dict[tuple[str, ...], list[tuple[int, Any]]] = {}
    for number, rows in enumerate(zip(*(one.rows for one in made), strict=True)):
        answers, example = _first_that_differs(rows)
        if len(set(answers)) > 1:
            groups.setdefault(answers, []).append((number, example))
    found = [
        Difference(
            rows=len(group),
            example=group[0][1],
            answers=dict(zip((one.release for one in made), answers, strict=True)),
            not_modelled=[
                one.release
                for one in made
                if any(number in one.not_modelled for number, _ in group)
            ],
        )
        for answers, group in groups.items()
    ]
    return sorted(found, key=lambda one: -one.rows)


def _first_that_differs(rows: Sequence[Asked]) -> tuple[tuple[str, ...], Any]:
    """The answers of the releases to a row, and its question."""
    question, answers = rows[0].question, [row.answer for row in rows]
    if isinstance(answers[0], str):
        return tuple(map(str, answers)), question
    for number, each in enumerate(zip(*answers, strict=True)):
        if len(set(each)) > 1:
            return each, question[: number + 1]
    return (), question
