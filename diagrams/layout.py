"""The layout of a sequence diagram: columns, rows, and every line of text.

Lifelines are on the left; each step is a row whose action and changes have a column
each, so that no text crosses a line or another text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from tierproof.diagrams.metrics import Font, wrap
from tierproof.diagrams.records import Change, Message, Sequence
from tierproof.diagrams.sequences import who_acts

TITLE, HEAD, BODY = Font(17, is_bold=True), Font(12, is_bold=True), Font(13)
NAME, CHANGE = Font(12.5, is_monospace=True), Font(12, is_monospace=True)
MARGIN, PADDING, LINE, LEAST_ROW = 24.0, 14.0, 18.0, 52.0
CYCLE_NOTE = 32.0
"""The height of the line that says which steps repeat for ever."""
LIFE_GAP, COLUMN_GAP, STEP_WIDTH, CHANGE_WIDTH = 98.0, 26.0, 320.0, 350.0

LEFT_OUT = "a field that is not named has the value with which it is declared"

Span = tuple[str, str]
"""A piece of text with the classes that style it."""
Line = tuple[Span, ...]


@dataclass(frozen=True)
class Row:
    """A step: its message, its lines of text in the two columns, and its position."""

    message: Message
    step: tuple[Line, ...]
    changes: tuple[Line, ...]
    top: float
    height: float


@dataclass(frozen=True)
class SequenceLayout:
    """The geometry of a sequence, in pixels. With `has_title` the property is above it."""

    sequence: Sequence
    has_title: bool = True

    @cached_property
    def life_gap(self) -> float:
        """The distance between lifelines: enough that no part of a name is cut."""
        names = " ".join(life.name for life in self.sequence.lifelines)
        words = re.findall(r"[^\s._-]+[._-]?", names)
        return max([min(HEAD.width(word) + 22, LIFE_GAP * 2) for word in words] + [LIFE_GAP])

    @cached_property
    def life_x(self) -> dict[str, float]:
        """The horizontal place of each lifeline."""
        lives = self.sequence.lifelines
        return {life.name: MARGIN + self.life_gap * (n + 0.5) for n, life in enumerate(lives)}

    @property
    def step_x(self) -> float:
        """The left edge of the column of actions."""
        return MARGIN + self.life_gap * len(self.life_x) + COLUMN_GAP

    @cached_property
    def change_x(self) -> float:
        """The left edge of the column of changes."""
        names = [NAME.width(m.text) for m in self.sequence.messages]
        notes = [BODY.width(m.note) for m in self.sequence.messages]
        needed = max([*names, *notes, STEP_WIDTH * 0.8])
        return self.step_x + min(STEP_WIDTH, needed) + COLUMN_GAP

    @cached_property
    def width(self) -> float:
        """The width of the drawing."""
        changes = [c for m in self.sequence.messages for c in m.changes]
        needed = max([CHANGE.width(_one_line(c)) for c in changes] + [CHANGE_WIDTH * 0.7])
        return round(self.change_x + min(CHANGE_WIDTH, needed) + MARGIN)

    @property
    def inner_width(self) -> float:
        """The room between the margins."""
        return self.width - 2 * MARGIN

    @cached_property
    def title(self) -> list[str]:
        """The lines of the heading."""
        ending = self.sequence.ending
        return wrap(ending.name, TITLE, self.inner_width) if ending and self.has_title else []

    @cached_property
    def heads(self) -> dict[str, list[str]]:
        """The lines in the head of each lifeline."""
        return {n: wrap(n, HEAD, self.life_gap - 20) for n in self.life_x}

    @property
    def heads_top(self) -> float:
        """The top of the lifelines' heads."""
        return MARGIN + (26.0 * len(self.title) + 8 if self.title else 0)

    @property
    def head_height(self) -> float:
        """The height of every head."""
        return LINE * max((len(lines) for lines in self.heads.values()), default=1) + 16

    @cached_property
    def initial(self) -> list[str]:
        """The lines of the first state."""
        told = self.sequence.initial
        said = ", ".join(f"{path}={value}" for path, value in told)
        return wrap(said, CHANGE, self.width - MARGIN - self.step_x)

    @property
    def initial_top(self) -> float:
        """The top of the first state."""
        return self.heads_top + self.head_height

    @property
    def steps_top(self) -> float:
        """The top of the first step."""
        return self.initial_top + PADDING * 2 + LINE * (len(self.initial) + 1)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The steps from top to bottom."""
        rows: list[Row] = []
        top = self.steps_top
        for number, message in enumerate(self.sequence.messages):
            top += CYCLE_NOTE if number == self.sequence.cycle_start else 0
            step = step_lines(message, self.change_x - COLUMN_GAP - self.step_x)
            room = self.width - MARGIN - self.change_x
            changes = tuple(line for c in message.changes for line in change_lines(c, room))
            lines = LINE * max(len(step), len(changes))
            height = max(LEAST_ROW, lines + 2 * PADDING)
            rows.append(Row(message, step, changes, top, height))
            top += height
        return tuple(rows)

    @property
    def cycle_top(self) -> float | None:
        """The top of the line that says which steps repeat for ever, if there is one."""
        start = self.sequence.cycle_start
        if start is None:
            return None
        if self.sequence.is_at_rest:
            return self.end_top - CYCLE_NOTE
        return self.rows[start].top - CYCLE_NOTE

    @property
    def end_top(self) -> float:
        """The bottom of the last step."""
        return self._steps_end + (CYCLE_NOTE if self.sequence.is_at_rest else 0)

    @property
    def _steps_end(self) -> float:
        if self.rows:
            return self.rows[-1].top + self.rows[-1].height
        return self.steps_top

    @cached_property
    def ending(self) -> tuple[Line, ...]:
        """The lines of the box that says what the trace shows."""
        ending = self.sequence.ending
        if ending is None:
            return ()
        room = self.inner_width - 2 * PADDING
        named = wrap(f"{ending.word}: {ending.name}, {ending.where}", HEAD, room)
        told = [ending.statement, " · ".join(filter(None, (ending.kind, ending.source)))]
        return (
            *(((line, f"bold {ending.word}"),) for line in named),
            *(((line, ""),) for text in told if text for line in wrap(text, BODY, room)),
        )

    @property
    def height(self) -> float:
        """The height of the drawing."""
        box = LINE * len(self.ending) + 2 * PADDING + 10 if self.ending else 0
        return round(self.end_top + box + MARGIN)


def step_lines(message: Message, room: float) -> tuple[Line, ...]:
    """The lines of an action: the call, then its actor and its statement."""
    style = "mono bold fault" if message.is_environment else "mono bold"
    call: list[Line] = [((line, style),) for line in wrap(message.text, NAME, room)]
    who = f"{who_acts(message)}:"
    first, *rest = wrap(f"{who} {message.note}", BODY, room)
    said = "fault" if message.is_environment else ""
    if not first.startswith(who):
        return (*call, *(((line, said),) for line in (first, *rest)))
    marked: Line = ((who, said), (first.removeprefix(who), "faint"))
    return (*call, marked, *(((line, "faint"),) for line in rest))


def change_lines(change: Change, room: float) -> tuple[Line, ...]:
    """A changed field on one line if it fits, else the path above its values."""
    values: Line = ((f"{change.before} → ", "mono faint"), (change.after, "mono after bold"))
    if CHANGE.width(_one_line(change)) <= room:
        return (((f"{change.path} ", "mono"), *values),)
    paths: list[Line] = [((line, "mono"),) for line in wrap(change.path, CHANGE, room)]
    if CHANGE.width(f"  {change.before} → {change.after}") <= room:
        return (*paths, (("  ", "mono"), *values))
    before = [((f"  {t}", "mono faint"),) for t in wrap(f"{change.before} →", CHANGE, room - 16)]
    after = [((f"  {t}", "mono after bold"),) for t in wrap(change.after, CHANGE, room - 16)]
    return (*paths, *before, *after)


def _one_line(change: Change) -> str:
    return f"{change.path} {change.before} → {change.after}"
