"""A quotient of the graph: states that agree on some fields are one place, with the steps between.

It is a projection: where steps lead from place to place one after the other, no single state need
allow that. What cannot be reached in it cannot be reached at all.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass
from typing import Any

from tierproof.model.language.errors import Misused
from tierproof.spark_explorer.tables.database import Database

MOST_PLACES = 20_000
"""More are no projection: the graph as it is has its own table."""


class NoQuotient(Misused):
    """Fields by which nothing can be shown; the message says what to do."""


@dataclass(frozen=True)
class Place:
    """The states with these values of the fields: how many, from which level on, what they violate.

    `is_initial` if one of them is initial.
    """

    values: tuple[str, ...]
    states: int
    level: int
    violates: tuple[str, ...]

    @property
    def is_initial(self) -> bool:
        """Whether an initial state is among them."""
        return self.level == 0


@dataclass(frozen=True)
class Way:
    """The steps from one place to another, by their numbers; `actions` counts them."""

    source: int
    target: int
    actions: dict[str, int]


@dataclass(frozen=True)
class Quotient:
    """Places, the ways between them, and how many steps stay in their place."""

    fields: tuple[str, ...]
    places: tuple[Place, ...]
    ways: tuple[Way, ...]
    inner_steps: int

    def as_dict(self) -> dict[str, Any]:
        """It as plain values."""
        return asdict(self)


def quotient(database: Database, fields: str) -> Quotient:
    """The quotient on fields, which are written as after SELECT, with commas.

    Raises BadSQL and NoQuotient.
    """
    names = [name for name, _ in database.columns(f"SELECT {fields} FROM states")]
    columns = [f"f{number}" for number in range(len(names))]
    texts = ", ".join(f"coalesce({one}::VARCHAR, 'NULL')" for one in columns)
    chosen = (
        f"SELECT id, level, violates, [{texts}] AS place FROM "
        f"(SELECT id, level, violates, {fields}\n FROM states) "
        f"AS chosen(id, level, violates, {', '.join(columns)})"
    )
    with database.held("placed", chosen):
        places = _places(database)
        numbers = {place.values: number for number, place in enumerate(places)}
        ways: defaultdict[tuple[int, int], dict[str, int]] = defaultdict(dict)
        inner = 0
        for source, target, action, steps in database.rows(STEPS_BETWEEN):
            if source == target:
                inner += steps
            else:
                ways[numbers[tuple(source)], numbers[tuple(target)]][action] = steps
    made = tuple(Way(*ends, actions) for ends, actions in sorted(ways.items()))
    return Quotient(tuple(names), places, made, inner)


def _places(database: Database) -> tuple[Place, ...]:
    count = database.count("SELECT DISTINCT place FROM placed")
    if count > MOST_PLACES:
        raise NoQuotient(
            f"{count:,} places are too many for a quotient, {MOST_PLACES:,} at most: name fewer "
            "fields, or coarser ones (`len(in_sync)`, `log_end_offset > 0`)"
        )
    return tuple(
        Place(tuple(values), states, level, tuple(violates))
        for values, states, level, violates in database.rows(EVERY_PLACE)
    )


EVERY_PLACE = """
SELECT place, count(*), min(level) AS first_level,
       list_sort(list_distinct(flatten(list(violates))))
FROM placed GROUP BY place ORDER BY first_level, place
"""
STEPS_BETWEEN = """
SELECT a.place AS source, b.place AS target, action, count(*)
FROM steps JOIN placed a ON source = a.id JOIN placed b ON target = b.id
WHERE is_inside GROUP BY ALL ORDER BY ALL
"""
