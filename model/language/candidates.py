"""Candidates: what may give an initial state of a design, numbered without a list of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from tierproof.model.language.initial import Initial
from tierproof.model.language.scope import Scope


class Candidates:
    """The candidates of initial assignments in a scope, numbered from 0 in declaration order.

    A candidate is an `@initial` function with a value for each of its parameters; the last
    parameter varies fastest. Two candidates may give the same state.
    """

    def __init__(self, entries: Sequence[Initial], scope: Scope) -> None:
        self.entries = entries
        self.sized = [
            [domain.sized(scope) for domain in entry.parameters.values()] for entry in self.entries
        ]
        self.counts = [prod(sized.size for sized in sizes) for sizes in self.sized]
        self.count = sum(self.counts)

    def place(self, number: int) -> tuple[int, list[int], int]:
        """The index of a candidate's function, its raw values, and how many follow up to the last.

        The candidate itself counts among those that follow. Raises IndexError.
        """
        for index, count in enumerate(self.counts):
            if number < count:
                rest, raws = number, []
                for sized in reversed(self.sized[index]):
                    rest, digit = divmod(rest, sized.size)
                    raws.append(sized.low + digit)
                return index, raws[::-1], count - number
            number -= count
        raise IndexError(f"there are {self.count} candidates for initial states")

    def candidate(self, number: int) -> tuple[Initial, dict[str, Any]]:
        """The function of a candidate, and its arguments. Raises IndexError."""
        index, raws, _ = self.place(number)
        entry, sizes = self.entries[index], self.sized[index]
        values = (sized.value(raw) for sized, raw in zip(sizes, raws, strict=True))
        return entry, dict(zip(entry.parameters, values, strict=True))
