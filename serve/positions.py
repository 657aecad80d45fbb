"""Position: a place in a state space, written as a link that leads there again.

A step is written as its action and the integers of its parameters, `broker_copies.0.2`, a path as
steps with `~` between them. Edits rename no action, so a path means the same in every variant.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote, urlencode

from tierproof.model.language.decimals import whole_number
from tierproof.model.language.errors import Misused, closest
from tierproof.spark_explorer.question import Question

NAMES = ("design", "scope", "set", "variant", "without", "start", "path", "cycle", "beside")
"""The parameters of a link that say where it leads."""
REPEATED = ("set", "variant", "without", "beside")
BETWEEN = "~"
MOST_STEPS = 500
"""The longest path of a link."""
MOST_BESIDE = 4
"""The most branches that are kept beside a path."""

Path = tuple[str, ...]
"""Steps as a link has them."""


class BadLink(Misused):
    """A link that says nothing, or contradicts itself; the message names the parameter."""


@dataclass(frozen=True, kw_only=True)
class Position:
    """A design with its edits, a scope, and the steps taken from an initial state.

    `start` counts the initial states from 0. `cycle` is the state from which the steps repeat for
    ever, None if the path ends. `beside` are other paths from the same state.
    """

    design: str
    scope: str | None = None
    bounds: tuple[tuple[str, int], ...] = ()
    variants: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    start: int = 0
    path: Path = ()
    cycle: int | None = None
    beside: tuple[Path, ...] = ()

    @classmethod
    def of(cls, given: Sequence[tuple[str, str]]) -> Position:
        """The position of a link's parameters. Raises BadLink, UnknownName."""
        found = grouped(given)
        for name in found:
            closest("parameter of a link", name, NAMES)
        if "design" not in found:
            raise BadLink("the link names no design: add design=NAME")
        one = {name: values[0] for name, values in found.items()}
        if len(beside := found.get("beside", [])) > MOST_BESIDE:
            raise BadLink(f"{len(beside)} branches are kept beside, {MOST_BESIDE} at most")
        bounds = [_bound(words) for words in found.get("set", [])]
        if len(dict(bounds)) < len(bounds):
            raise BadLink("set gives a bound twice: choose one of its values")
        return cls(
            design=one["design"],
            scope=one.get("scope"),
            bounds=tuple(bounds),
            variants=tuple(dict.fromkeys(found.get("variant", []))),
            without=tuple(dict.fromkeys(found.get("without", []))),
            start=number("start", one.get("start", "0")),
            path=path_of(one.get("path", "")),
            cycle=number("cycle", one["cycle"]) if "cycle" in one else None,
            beside=tuple(map(path_of, beside)),
        )

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The parameters of its link; what is as usual is left out."""
        found = [("design", self.design)]
        found += [("scope", self.scope)] if self.scope is not None else []
        found += [("set", f"{name}={value}") for name, value in self.bounds]
        found += [("variant", name) for name in self.variants]
        found += [("without", name) for name in self.without]
        found += [("start", str(self.start))] if self.start else []
        found += [("path", BETWEEN.join(self.path))] if self.path else []
        found += [("cycle", str(self.cycle))] if self.cycle is not None else []
        return found + [("beside", BETWEEN.join(path)) for path in self.beside]

    @property
    def link(self) -> str:
        """Its link, from the page of the server on."""
        return link("walk", self.pairs)

    def at(self, path: Iterable[str]) -> Position:
        """The same at the end of another path."""
        return replace(self, path=tuple(path), cycle=None)

    def with_edits(self, variants: Iterable[str], without: Iterable[str]) -> Position:
        """The same with more variants, and more guards left out."""
        return replace(
            self,
            variants=tuple(dict.fromkeys([*self.variants, *variants])),
            without=tuple(dict.fromkeys([*self.without, *without])),
        )

    @property
    def question(self) -> Question:
        """What is explored, in words."""
        return Question(
            design=self.design,
            scope=self.scope,
            bounds=self.bounds,
            variants=self.variants,
            without=self.without,
        )


def link(page: str, pairs: Iterable[tuple[str, str]]) -> str:
    """A page with its parameters."""
    return f"{page}?{urlencode(list(pairs), quote_via=quote, safe='~:/,=')}"


def grouped(given: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The values of each parameter; those that are empty are not given.

    Raises BadLink for one that is given twice and has one value.
    """
    found: dict[str, list[str]] = {}
    for name, value in given:
        if value.strip():
            found.setdefault(name, []).append(value)
    for name, values in found.items():
        if len(values) > 1 and name not in REPEATED:
            raise BadLink(f"{name} is given {len(values)} times: give it once")
    return found


def number(name: str, words: str) -> int:
    """A whole number from 0 on. Raises BadLink."""
    try:
        found = whole_number(words)
    except ValueError as error:
        raise BadLink(f"{name}: {error}") from None
    if found < 0:
        raise BadLink(f"{name} is {found}: it counts from 0")
    return found


def _bound(words: str) -> tuple[str, int]:
    name, equals, value = words.partition("=")
    if not equals:
        raise BadLink(f"set takes bound=value, not {words!r}")
    return name, number(f"set {name}", value)


def path_of(words: str) -> Path:
    """The steps of a path. Raises BadLink."""
    found = tuple(words.split(BETWEEN)) if words else ()
    if len(found) > MOST_STEPS:
        raise BadLink(f"the path has {len(found)} steps, {MOST_STEPS} at most")
    return found
