"""A trace as a self-contained sequence diagram in SVG, light and dark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from tierproof.diagrams.layout import (
    BODY,
    HEAD,
    LEFT_OUT,
    LINE,
    MARGIN,
    NAME,
    PADDING,
    TITLE,
    Line,
    Row,
    SequenceLayout,
)
from tierproof.diagrams.metrics import Font
from tierproof.diagrams.palette import SEQUENCE_CSS, variables
from tierproof.diagrams.records import Lifeline, Sequence, Story
from tierproof.diagrams.story import story_as_svg
from tierproof.diagrams.strokes import arrow, loop, n, rect

BADGE = 11.0
"""The radius of a step's number."""


def sequence_as_svg(sequence: Sequence, *, is_standalone: bool = True) -> str:
    """The sequence as an SVG element; a standalone one has a title and its own style.

    A Story is drawn as such: with its words, and without the states.
    """
    if isinstance(sequence, Story):
        return story_as_svg(sequence, is_standalone=is_standalone)
    layout = SequenceLayout(sequence, has_title=is_standalone)
    name = sequence.ending.name if sequence.ending else "trace"
    width, height = round(layout.width), round(layout.height)
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tp-sequence" role="img" '
        f'aria-label="Sequence diagram: {escape(name)}" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">'
    )
    style = f"<style>{variables('.tp-sequence')}{SEQUENCE_CSS}</style>" if is_standalone else ""
    parts = [opening, style, *_drawn(layout), "</svg>"]
    return "\n".join(part for part in parts if part) + "\n"


def _drawn(layout: SequenceLayout) -> Iterator[str]:
    yield f'<rect class="paper" width="{n(layout.width)}" height="{n(layout.height)}"/>'
    for number, line in enumerate(layout.title):
        yield _text(MARGIN, MARGIN + 18 + 26 * number, ((line, "bold"),), TITLE)
    for row in layout.rows:
        yield from _ground(layout, row)
    for life in layout.sequence.lifelines:
        yield from _lifeline(layout, life)
    yield from _initial(layout)
    for row in layout.rows:
        yield from _step(layout, row)
    yield from _cycle(layout)
    yield from _ending(layout)


def _ground(layout: SequenceLayout, row: Row) -> Iterator[str]:
    """The band behind a step of the environment, and the rule above every step."""
    left, width = MARGIN - 8, layout.width - 2 * MARGIN + 16
    if row.message.is_environment:
        yield rect("band", left, row.top, width, row.height)
    right = left + width
    yield f'<path class="rule" d="M{n(left)},{n(row.top)}H{n(right)}"/>'


def _lifeline(layout: SequenceLayout, life: Lifeline) -> Iterator[str]:
    x, top = layout.life_x[life.name], layout.heads_top
    lines, height = layout.heads[life.name], layout.head_height
    yield f'<path class="life" d="M{n(x)},{n(top + height)}V{n(layout.end_top)}"/>'
    half = layout.life_gap / 2 - 8
    classes = "head outside" if life.is_environment else "head"
    yield rect(classes, x - half, top, half * 2, height, radius=7)
    first = top + height / 2 - LINE * len(lines) / 2 + 13.5
    for number, line in enumerate(lines):
        spans: Line = ((line, "bold"),)
        yield _text(x, first + LINE * number, spans, HEAD, anchor="middle")


def _initial(layout: SequenceLayout) -> Iterator[str]:
    top = layout.initial_top + PADDING + 13
    left_out = f"({LEFT_OUT})"
    yield _text(layout.step_x, top, (("Initially ", "bold"), (left_out, "faint")), BODY)
    lines: list[Line] = [((line, "mono faint"),) for line in layout.initial]
    yield from _block(layout.step_x, top + LINE, lines, Font(12))


def _step(layout: SequenceLayout, row: Row) -> Iterator[str]:
    message = row.message
    first = row.top + PADDING + 12.5
    yield f'<g class="step{" outside" if message.is_environment else ""}">'
    source, target = layout.life_x[message.source], layout.life_x[message.target]
    y = first - 4.5
    if source == target:
        yield from loop(source, y, BADGE, 17)
    else:
        yield from arrow(source, target, y, BADGE)
    yield f'<circle class="badge" cx="{n(source)}" cy="{n(y)}" r="{n(BADGE)}"/>'
    number = ((str(message.number), "number"),)
    yield _text(source, y + 4, number, Font(11), anchor="middle")
    yield "</g>"
    yield from _block(layout.step_x, first, row.step, NAME)
    yield from _block(layout.change_x, first, row.changes, Font(12))


def _cycle(layout: SequenceLayout) -> Iterator[str]:
    """The repetition in words, and an arrow from its last step to its first."""
    top = layout.cycle_top
    if top is None:
        return
    note = ((f"From here on {layout.sequence.repetition}.", "bold repeated"),)
    yield _text(layout.step_x, top + 21, note, BODY)
    if not layout.sequence.is_at_rest:
        x, first, last = MARGIN - 15, top + 16, layout.end_top - 8
        yield f'<path class="cycle" d="M{n(x + 7)},{n(last)}H{n(x)}V{n(first)}h4"/>'
        yield f'<path class="cycle-tip" d="M{n(x + 11)},{n(first)}l-8,-4.5v9z"/>'


def _ending(layout: SequenceLayout) -> Iterator[str]:
    ending = layout.sequence.ending
    if ending is None:
        return
    top, height = layout.end_top + 10, LINE * len(layout.ending) + 2 * PADDING
    yield rect(f"end {escape(ending.word)}", MARGIN - 8, top, layout.inner_width + 16, height, 7)
    yield from _block(MARGIN + PADDING, top + PADDING + 13, layout.ending, BODY)


def _block(x: float, first: float, lines: Iterable[Line], font: Font) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield _text(x, first + LINE * number, line, font)


def _text(x: float, y: float, line: Line, font: Font, anchor: str = "start") -> str:
    where = f'x="{n(x)}" y="{n(y)}" font-size="{n(font.size)}"'
    placed = f' text-anchor="{anchor}"' if anchor != "start" else ""
    if len(line) == 1:
        ((text, classes),) = line
        classed = f' class="{escape(classes)}"' if classes else ""
        return f"<text {where}{placed}{classed}>{escape(text)}</text>"
    spans = "".join(f'<tspan class="{escape(c)}">{escape(text)}</tspan>' for text, c in line)
    return f"<text {where}{placed}>{spans}</text>"
