"""The layout of a story: title, what prepares, lifelines, and each arrow with its label above it.

The lifelines share the width with the words, so that a phone can show the drawing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from tierproof.diagrams.metrics import Font, wrap
from tierproof.diagrams.records import Message, Passage, Story

TITLE, HEAD, QUIET = Font(18, is_bold=True), Font(11.5, is_bold=True), Font(12)
SAID, LABEL, VALUE = Font(13), Font(12), Font(12)
NOTE = Font(13, is_bold=True)
LARGE_SAID, LARGE_LABEL = Font(16, is_bold=True), Font(14.5, is_bold=True)
LEAST_WIDTH, MARGIN, PADDING, LINE = 600.0, 20.0, 10.0, 17.0
WIDEST_LABEL = 400.0
SYSTEM = "a step of the design"
OUTSIDE = "a step of the environment: a user, a client, the clock, an election or a fault"
TURNING = "the turning point: after this step the harm is done"
LEGEND_LINE = 24.0
ARROW = 26.0
"""The height of an arrow below its label."""
BADGE, LARGE_BADGE = 10.5, 14.0
"""The radius of a step's number."""
LOOP = 38.0
"""The height of an arrow from a lifeline to itself."""


@dataclass(frozen=True)
class PlacedStep:
    """A step: the lines of its label above its arrow, which is at `y`; `left` is that of the label.

    `note_top` is the line that says which steps repeat for ever, above the first of them.
    """

    message: Message
    is_turning: bool
    left: float
    top: float
    label: tuple[str, ...]
    values: tuple[str, ...]
    y: float
    bottom: float
    note_top: float | None

    @property
    def step(self) -> float:
        """The height of a line of the label."""
        return LINE + 3 if self.is_turning else LINE


@dataclass(frozen=True)
class PlacedPassage:
    """A sentence, in lines, above its steps."""

    passage: Passage
    top: float
    bottom: float
    lines: tuple[str, ...]
    steps: tuple[PlacedStep, ...]

    @property
    def is_turning(self) -> bool:
        """True for the passage of the turning point."""
        return self.passage.turning is not None

    @property
    def font(self) -> Font:
        """The letters of the sentence."""
        return LARGE_SAID if self.is_turning else SAID

    @property
    def step(self) -> float:
        """The height of a line of the sentence."""
        return self.font.size + 5


@dataclass(frozen=True)
class StoryLayout:
    """The geometry of a story, in pixels."""

    story: Story

    @cached_property
    def life_gap(self) -> float:
        """The distance between lifelines: enough that no part of a name is cut."""
        names = " ".join(life.name for life in self.story.lifelines)
        words = re.findall(r"[^\s._-]+[._-]?", names)
        share = (LEAST_WIDTH - 2 * MARGIN) / max(len(self.story.lifelines), 1)
        return max([HEAD.width(word) + 16 for word in words] + [share])

    @cached_property
    def width(self) -> float:
        """The width of the drawing."""
        return max(LEAST_WIDTH, 2 * MARGIN + self.life_gap * len(self.story.lifelines))

    @property
    def room(self) -> float:
        """The width between the margins."""
        return self.width - 2 * MARGIN

    @cached_property
    def life_x(self) -> dict[str, float]:
        """The horizontal place of each lifeline."""
        lives = self.story.lifelines
        return {life.name: MARGIN + self.life_gap * (n + 0.5) for n, life in enumerate(lives)}

    @cached_property
    def title(self) -> list[str]:
        """The lines of the heading: without a title, what the trace shows."""
        ending = self.story.ending
        title = self.story.title or (ending.statement if ending else "")
        return wrap(title, TITLE, self.room) if title else []

    @cached_property
    def prepare(self) -> list[str]:
        """The lines that say what the steps do that are not drawn."""
        last, said = self.story.prepared, self.story.preparation
        if not last:
            return []
        before = "Step 1 prepares" if last == 1 else f"Steps 1 to {last} prepare"
        return wrap(f"{before}: {said}" if said else f"{before}.", QUIET, self.room)

    @property
    def prepare_top(self) -> float:
        """The top of what prepares."""
        return MARGIN + (TITLE.size + 6) * len(self.title)

    @cached_property
    def heads(self) -> dict[str, list[str]]:
        """The lines in the head of each lifeline."""
        return {n: wrap(n, HEAD, self.life_gap - 12) for n in self.life_x}

    @property
    def heads_top(self) -> float:
        """The top of the lifelines' heads."""
        return self.prepare_top + 6 + (LINE * len(self.prepare) + 8 if self.prepare else 0)

    @property
    def head_height(self) -> float:
        """The height of every head."""
        return 15.0 * max((len(lines) for lines in self.heads.values()), default=1) + 14

    @cached_property
    def passages(self) -> tuple[PlacedPassage, ...]:
        """The passages from top to bottom."""
        placed: list[PlacedPassage] = []
        top = self.heads_top + self.head_height + PADDING
        for passage in self.story.passages:
            placed.append(self._passage(passage, top))
            top = placed[-1].bottom
        return tuple(placed)

    def _passage(self, passage: Passage, top: float) -> PlacedPassage:
        font = LARGE_SAID if passage.turning is not None else SAID
        lines = wrap(passage.sentence, font, self.room) if passage.sentence else []
        at = top + 4 + (font.size + 5) * len(lines) + 4
        steps: list[PlacedStep] = []
        for message in passage.messages:
            steps.append(self._step(message, at, message.number == passage.turning))
            at = steps[-1].bottom
        return PlacedPassage(passage, top, at + 4, tuple(lines), tuple(steps))

    def _step(self, message: Message, top: float, is_turning: bool) -> PlacedStep:
        note_top = top if message.number - 1 == self.story.cycle_start else None
        top += LINE + 4 if note_top is not None else 0
        font = LARGE_LABEL if is_turning else LABEL
        room = min(WIDEST_LABEL, self.room)
        label = wrap(message.text, font, room)
        values = wrap(message.note, VALUE, room) if message.note else []
        widths = [*map(font.width, label), *map(VALUE.width, values)]
        beside = min(self.life_x[message.source], self.life_x[message.target]) + 16
        left = max(MARGIN, min(beside, self.width - MARGIN - max(widths)))
        step = LINE + 3 if is_turning else LINE
        radius = LARGE_BADGE if is_turning else BADGE
        y = top + step * len(label) + LINE * len(values) + radius + 4
        below = LOOP if message.source == message.target else ARROW
        return PlacedStep(
            message,
            is_turning,
            left,
            top,
            tuple(label),
            tuple(values),
            y,
            y + below - 12,
            note_top,
        )

    @property
    def rest_top(self) -> float:
        """The bottom of the last passage."""
        return self.passages[-1].bottom if self.passages else self.heads_top + self.head_height

    @property
    def end_top(self) -> float:
        """The end of the lifelines."""
        return self.rest_top + (LINE + 10 if self.story.is_at_rest else 4)

    @cached_property
    def ending(self) -> tuple[tuple[str, str, Font], ...]:
        """The lines of the box that says what the trace shows: text, classes, letters."""
        ending = self.story.ending
        if ending is None:
            return ()
        room = self.room - 2 * PADDING
        where = f"{ending.where[:1].upper()}{ending.where[1:]}"
        about = " · ".join(filter(None, (ending.name, ending.kind, ending.source)))
        return (
            *((it, f"bold {ending.word}", NOTE) for it in wrap(f"{where}:", NOTE, room)),
            *((it, "bold", NOTE) for it in wrap(ending.statement, NOTE, room)),
            *((it, "faint", QUIET) for it in wrap(about, QUIET, room)),
        )

    @property
    def legend_top(self) -> float:
        """The bottom of the box at the end."""
        box = LINE * len(self.ending) + 2 * PADDING + 6 if self.ending else 0
        return self.end_top + box + 10

    @cached_property
    def legend(self) -> tuple[tuple[str, str], ...]:
        """(classes, meaning) of how steps are drawn, of what this story has."""
        steps = [one for passage in self.passages for one in passage.steps]
        found = {
            ("step", SYSTEM): any(not one.message.is_environment for one in steps),
            ("step outside", OUTSIDE): any(one.message.is_environment for one in steps),
            ("step moment", TURNING): any(one.is_turning for one in steps),
        }
        return tuple(one for one, is_drawn in found.items() if is_drawn)

    @property
    def height(self) -> float:
        """The height of the drawing."""
        return self.legend_top + LEGEND_LINE * len(self.legend) + MARGIN / 2
