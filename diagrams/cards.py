"""What a review begins with: the findings of each design, the worst first, and what holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Card:
    """A finding on one screen: how bad, what happens in the end, and what mends it.

    `steps` is the length of its trace, `page` the link to its page (empty: there is none here),
    `picture` the offsets before, at the turning point and after; `holds_in` counts the
    scopes in which the repair holds, of `scopes`. Without a repair `unrepaired` says why.
    """

    name: str
    title: str
    severity: str
    needs: str
    tracker: str | None
    in_short: str
    fix: str
    costs: str
    repair: str | None
    unrepaired: str
    holds_in: int
    scopes: int
    steps: int
    scope: str
    page: str
    picture: str | None = None

    @property
    def status(self) -> str:
        """What mends it, and how sure that is."""
        if self.repair is None:
            return f"open: {self.unrepaired}" if self.unrepaired else "open"
        if not self.holds_in:
            return "a repair, not yet explored beside the others"
        return f"mended in {self.holds_in} of {self.scopes} scopes, beside all other repairs"


@dataclass(frozen=True, kw_only=True)
class Shared:
    """A finding whose page is that of another design, which has the same cause."""

    title: str
    severity: str
    design: str
    page: str


@dataclass(frozen=True, kw_only=True)
class Holding:
    """A scope: how many properties hold there as written, and in the closed design.

    `closed` is "HOLDS", "VIOLATED", "INCOMPLETE", or empty if it was not explored.
    """

    scope: str
    distinct: int
    holds: int
    violated: int
    closed: str
    closed_distinct: int


@dataclass(frozen=True, kw_only=True)
class Register:
    """The findings of one design, those that it inherits, and what holds in which scopes."""

    design: str
    title: str
    document: str
    cards: tuple[Card, ...]
    inherited: tuple[Shared, ...]
    holdings: tuple[Holding, ...]

    @property
    def tally(self) -> str:
        """How many findings there are of each severity, the worst first."""
        found = [card.severity for card in self.cards]
        return ", ".join(f"{found.count(one)} × {one}" for one in dict.fromkeys(found))


def registers_as_markdown(registers: Sequence[Register]) -> str:
    """The findings as Markdown, for a discussion thread."""
    return "\n".join(line for one in registers for line in _register(one))


def register_as_text(register: Register) -> Iterator[str]:
    """The findings in a terminal, a few lines each; no line is cut."""
    yield f"{register.design}: {register.tally or 'no findings of its own'}"
    for card in register.cards:
        yield f"  {card.severity}: {card.title}"
        yield f"      {card.status}"
    if register.inherited:
        designs = ", ".join(dict.fromkeys(one.design for one in register.inherited))
        yield f"  and {len(register.inherited)} causes that it shares with {designs}"


def _register(register: Register) -> Iterator[str]:
    yield f"## {register.title}"
    yield ""
    yield f"{register.document}. {register.tally or 'No findings of its own'}."
    yield ""
    for card in register.cards:
        yield from _card(card)
    if register.inherited:
        yield "Also here, told elsewhere:"
        yield ""
        for one in register.inherited:
            yield f"- {_link(one.title, one.page)} ({one.severity}; {one.design})"
        yield ""


def _card(card: Card) -> Iterator[str]:
    yield f"### {card.title}"
    yield ""
    yield f"**{card.severity[:1].upper()}{card.severity[1:]}.** {card.needs}"
    yield ""
    yield card.in_short
    yield ""
    if card.repair:
        yield f"**Fix.** {card.fix} *Its price:* {card.costs}"
        yield ""
    tracker = f"{card.tracker}. " if card.tracker else ""
    told = _link("All of it, with the passage", card.page)
    yield f"{tracker}{told}: {card.steps} steps in scope `{card.scope}`; {card.status}."
    yield ""


def _link(words: str, page: str) -> str:
    return f"[{words}]({page})" if page else words
