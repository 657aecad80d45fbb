"""A story as a self-contained sequence diagram in SVG that can be read alone, light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from tierproof.diagrams.metrics import Font
from tierproof.diagrams.palette import SEQUENCE_CSS, variables
from tierproof.diagrams.records import Lifeline, Story
from tierproof.diagrams.story_layout import (
    BADGE,
    HEAD,
    LABEL,
    LARGE_BADGE,
    LARGE_LABEL,
    LEGEND_LINE,
    LINE,
    MARGIN,
    NOTE,
    PADDING,
    QUIET,
    TITLE,
    VALUE,
    PlacedPassage,
    PlacedStep,
    StoryLayout,
)
from tierproof.diagrams.strokes import arrow, loop, n, rect


def story_as_svg(story: Story, *, is_standalone: bool = True) -> str:
    """The story as an SVG element; a standalone one has its own style."""
    layout = StoryLayout(story)
    width, height = round(layout.width), round(layout.height)
    what = " ".join(layout.title) or "Sequence diagram"
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tp-sequence" role="img" '
        f'aria-label="{escape(what)}" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">'
    )
    told = f"<title>{escape(what)}</title>\n<desc>{escape(_described(story))}</desc>"
    style = f"<style>{variables('.tp-sequence')}{SEQUENCE_CSS}</style>" if is_standalone else ""
    parts = [opening, told, style, *_drawn(layout), "</svg>"]
    return "\n".join(part for part in parts if part) + "\n"


def _described(story: Story) -> str:
    """The story in words."""
    ending = story.ending
    said = [story.preparation, *(passage.sentence for passage in story.passages)]
    shows = f"{ending.word}: {ending.statement}" if ending else ""
    return " ".join(filter(None, [*said, shows]))


def _drawn(layout: StoryLayout) -> Iterator[str]:
    yield f'<rect class="paper" width="{n(layout.width)}" height="{n(layout.height)}"/>'
    for number, line in enumerate(layout.title):
        yield _text(MARGIN, MARGIN + 12 + (TITLE.size + 6) * number, line, "bold title", TITLE)
    for number, line in enumerate(layout.prepare):
        yield _text(MARGIN, layout.prepare_top + 12 + LINE * number, line, "faint prepare", QUIET)
    for passage in layout.passages:
        yield from _ground(layout, passage)
    for life in layout.story.lifelines:
        yield from _lifeline(layout, life)
    for passage in layout.passages:
        yield from _passage(layout, passage)
    yield from _cycle(layout)
    yield from _ending(layout)
    yield from _legend(layout)


def _ground(layout: StoryLayout, passage: PlacedPassage) -> Iterator[str]:
    """A rule above each passage, and the band behind that of the turning point."""
    left, width = MARGIN - 10, layout.room + 20
    if passage.is_turning:
        yield rect("turn", left, passage.top, width, passage.bottom - passage.top)
        yield rect("turn-edge", left, passage.top, 5, passage.bottom - passage.top)
    yield f'<path class="rule" d="M{n(left)},{n(passage.top)}h{n(width)}"/>'


def _lifeline(layout: StoryLayout, life: Lifeline) -> Iterator[str]:
    x, top = layout.life_x[life.name], layout.heads_top
    lines, height = layout.heads[life.name], layout.head_height
    yield f'<path class="life" d="M{n(x)},{n(top + height)}V{n(layout.end_top)}"/>'
    half = min(layout.life_gap / 2 - 4, 75.0)
    classes = "head outside" if life.is_environment else "head"
    yield rect(classes, x - half, top, half * 2, height, radius=6)
    first = top + height / 2 - 7.5 * len(lines) + 11.5
    for number, line in enumerate(lines):
        yield _text(x, first + 15 * number, line, "bold", HEAD, anchor="middle")


def _passage(layout: StoryLayout, passage: PlacedPassage) -> Iterator[str]:
    yield f'<g class="{"passage turning" if passage.is_turning else "passage"}">'
    for number, line in enumerate(passage.lines):
        y = passage.top + passage.font.size + 3 + passage.step * number
        yield _text(MARGIN, y, line, "bold said" if passage.is_turning else "said", passage.font)
    for step in passage.steps:
        yield from _step(layout, step)
    yield "</g>"


def _step(layout: StoryLayout, step: PlacedStep) -> Iterator[str]:
    message = step.message
    if step.note_top is not None:
        note = f"From here on {layout.story.repetition}."
        yield _text(MARGIN, step.note_top + 14, note, "bold repeated", NOTE)
    outside = " outside" if message.is_environment else ""
    yield f'<g class="step{" moment" if step.is_turning else ""}{outside}">'
    font = LARGE_LABEL if step.is_turning else LABEL
    y = step.top + font.size
    for line in step.label:
        yield _text(step.left, y, line, "label", font)
        y += step.step
    for line in step.values:
        yield _text(step.left, y, line, "after value", VALUE)
        y += LINE
    source, target = layout.life_x[message.source], layout.life_x[message.target]
    radius = LARGE_BADGE if step.is_turning else BADGE
    if source == target:
        yield from loop(source, step.y, radius, 15)
    else:
        yield from arrow(source, target, step.y, radius)
    yield f'<circle class="badge" cx="{n(source)}" cy="{n(step.y)}" r="{n(radius)}"/>'
    number = Font(radius + 0.5)
    yield _text(source, step.y + 4, str(message.number), "number", number, anchor="middle")
    yield "</g>"


def _cycle(layout: StoryLayout) -> Iterator[str]:
    """That nothing more happens, or an arrow from the last step that repeats to the first."""
    story = layout.story
    if story.is_at_rest:
        note = f"From here on {story.repetition}."
        yield _text(MARGIN, layout.rest_top + LINE, note, "bold repeated", NOTE)
    tops = [one.note_top for it in layout.passages for one in it.steps if one.note_top is not None]
    for top in tops:
        x, first, last = MARGIN - 14, top + 10, layout.end_top - 8
        yield f'<path class="cycle" d="M{n(x + 8)},{n(last)}H{n(x)}V{n(first)}h3"/>'
        yield f'<path class="cycle-tip" d="M{n(x + 10)},{n(first)}l-8,-4.5v9z"/>'


def _ending(layout: StoryLayout) -> Iterator[str]:
    ending = layout.story.ending
    if ending is None:
        return
    top, height = layout.end_top + 6, LINE * len(layout.ending) + 2 * PADDING
    yield rect(f"end {escape(ending.word)}", MARGIN - 10, top, layout.room + 20, height, 7)
    for number, (line, classes, font) in enumerate(layout.ending):
        yield _text(MARGIN, top + PADDING + 12 + LINE * number, line, classes, font)


def _legend(layout: StoryLayout) -> Iterator[str]:
    for number, (classes, meaning) in enumerate(layout.legend):
        y = layout.legend_top + LEGEND_LINE * (number + 0.5)
        yield f'<g class="key {classes}">{"".join(arrow(MARGIN - 2, MARGIN + 34, y, 0))}'
        yield f'<circle class="badge" cx="{n(MARGIN)}" cy="{n(y)}" r="7"/></g>'
        yield _text(MARGIN + 44, y + 4, meaning, "faint key", QUIET)


def _text(x: float, y: float, text: str, classes: str, font: Font, anchor: str = "start") -> str:
    placed = f' text-anchor="{anchor}"' if anchor != "start" else ""
    where = f'x="{n(x)}" y="{n(y)}" font-size="{n(font.size)}"{placed}'
    return f'<text {where} class="{escape(classes)}">{escape(text)}</text>'
