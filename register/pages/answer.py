"""The answer of a review as a picture: documents, and the harm of what was found in each."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from tierproof.register.entries import Severity
from tierproof.register.pages.records import Card, Document

LEFT, TOP, ROW, SIDE, GAP = 340, 34, 34, 16, 4
COLOURS = {
    Severity.LOSS: "bad",
    Severity.WRONG: "bad",
    Severity.UNAVAILABLE: "open",
    Severity.LEAK: "open",
    Severity.STALL: "open",
    Severity.COST: "faint",
    Severity.TEXT: "faint",
}


def answer_as_svg(documents: Sequence[Document]) -> str:
    """A row for each document, a square for each finding, the worst on the left.

    A filled square was seen on released brokers.
    """
    most = max((len(one.cards) for one in documents), default=0)
    width = max(LEFT + most * (SIDE + GAP) + 20, 720)
    height = TOP + ROW * len(documents) + 40
    title = "What was found, by document and harm"
    rows = "".join(_row(number, one) for number, one in enumerate(documents))
    return (
        f'<svg class="tp-answer" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{title}"><title>{title}</title>'
        f'<text x="0" y="18" class="bold">{title}</text>{rows}{_legend(height - 12)}</svg>'
    )


def _row(number: int, one: Document) -> str:
    y = TOP + ROW * number
    squares = "".join(_square(LEFT + n * (SIDE + GAP), y, it) for n, it in enumerate(one.cards))
    return (
        f'<text x="0" y="{y + 13}">{escape(one.name)}'
        f'<tspan class="faint" dx="8">{escape(one.about)}</tspan></text>{squares}'
    )


def _square(x: int, y: int, card: Card) -> str:
    colour = COLOURS[card.severity]
    fill = f"var(--{colour})" if card.seen else f"var(--{colour}-soft, none)"
    return (
        f'<rect x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" rx="3" fill="{fill}" '
        f'stroke="var(--{colour})"><title>{escape(f"{card.severity}: {card.title}")}</title></rect>'
    )


def _legend(y: int) -> str:
    told = (
        ("bad", True, "loss or wrong records"),
        ("open", True, "unavailable records, leak, stall"),
        ("faint", True, "cost, text"),
        ("bad", False, "not seen on brokers"),
    )
    parts, x = [], 0
    for colour, is_seen, words in told:
        fill = f"var(--{colour})" if is_seen else f"var(--{colour}-soft)"
        parts.append(
            f'<rect x="{x}" y="{y - 11}" width="12" height="12" rx="2" fill="{fill}" '
            f'stroke="var(--{colour})"/><text x="{x + 18}" y="{y}" class="faint">{words}</text>'
        )
        x += 40 + 7 * len(words)
    return "".join(parts)
