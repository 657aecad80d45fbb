"""The content of drawings as plain records: extracted once, rendered in several forms.

A Chart is a lifecycle, an Overview shows which actor assigns to which fields, a Sequence
is a trace.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class ChartEdge:
    """A change of a lifecycle value. `taken` is None if no search covers it.

    `legal` is False for an edge that a search took and the lifecycle does not declare.
    """

    trigger: str
    source: str
    target: str
    taken: bool | None = None
    legal: bool = True


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A lifecycle: its values, its initial value, its edges, and the fields that obey it."""

    name: str
    states: tuple[str, ...]
    initial: str
    edges: tuple[ChartEdge, ...]
    fields: tuple[str, ...] = ()
    source: str = ""

    @property
    def never_taken(self) -> tuple[ChartEdge, ...]:
        """The declared edges that the searches never took."""
        return tuple(edge for edge in self.edges if edge.taken is False)


@dataclass(frozen=True, kw_only=True)
class ActionCard:
    """An action at a glance: who acts, under which guards, assigning to which fields."""

    name: str
    actor: str
    statement: str
    guards: tuple[str, ...]
    writes: tuple[str, ...]
    is_environment: bool
    budget: str | None = None


@dataclass(frozen=True, kw_only=True)
class Field:
    """A top-level field of the state; `kind` is protocol, budget or ghost."""

    name: str
    kind: str


@dataclass(frozen=True, kw_only=True)
class Role:
    """An actor with its actions; an actor's environment actions form a separate role."""

    name: str
    is_environment: bool
    actions: tuple[ActionCard, ...]

    @property
    def writes(self) -> frozenset[str]:
        """The fields that its actions assign to."""
        return frozenset(name for action in self.actions for name in action.writes)


@dataclass(frozen=True, kw_only=True)
class Overview:
    """A design at a glance: roles, their actions, and the fields that these assign to."""

    name: str
    roles: tuple[Role, ...]
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Change:
    """A field that a step changed; one of our bookkeeping is in no broker."""

    path: str
    before: str
    after: str
    is_bookkeeping: bool = False

    def __str__(self) -> str:
        return f"{self.path}: {self.before} → {self.after}"


@dataclass(frozen=True, kw_only=True)
class Lifeline:
    """A participant of a sequence diagram."""

    name: str
    is_environment: bool = False


@dataclass(frozen=True, kw_only=True)
class Message:
    """A step of a trace, numbered from 1, from one lifeline to another (or to itself)."""

    number: int
    source: str
    target: str
    text: str
    note: str
    changes: tuple[Change, ...]
    is_environment: bool = False


@dataclass(frozen=True, kw_only=True)
class Ending:
    """What a trace shows: the property, the word for it (VIOLATED, REACHED), and where.

    `is_shortest` is False if it is not known that no trace has fewer steps. `why` are the lines
    that say which parts of the property are false.
    """

    name: str
    kind: str
    word: str
    statement: str
    where: str
    source: str = ""
    is_shortest: bool = True
    why: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Sequence:
    """A trace as a sequence diagram. `initial` lists the first state, equal elements gathered.

    `cycle_start` is how many messages come before those that repeat for ever (if it is all of
    them, no further step happens), None if the trace ends.
    """

    lifelines: tuple[Lifeline, ...]
    messages: tuple[Message, ...]
    initial: tuple[tuple[str, str], ...]
    ending: Ending | None = None
    cycle_start: int | None = None

    @property
    def is_at_rest(self) -> bool:
        """True if no step happens after the last message."""
        return self.cycle_start == len(self.messages)

    @property
    def repetition(self) -> str:
        """The steps that repeat for ever, in words; empty if the trace ends."""
        if self.cycle_start is None:
            return ""
        if self.is_at_rest:
            return "nothing more need ever happen"
        first, last = self.cycle_start + 1, len(self.messages)
        return (
            f"step {last} repeats for ever"
            if first == last
            else (f"steps {first} to {last} repeat for ever")
        )


@dataclass(frozen=True, kw_only=True)
class Passage:
    """The steps that a sentence tells. A message's text says what it carries, its note the values.

    After the step `turning` of the passage the harm is done.
    """

    sentence: str
    messages: tuple[Message, ...]
    turning: int | None = None


@dataclass(frozen=True, kw_only=True)
class Story(Sequence):
    """A trace as its finding tells it, in passages, and what prepares them in words.

    The steps up to `prepared` (0: none) are in no passage; `lifelines` are those of the passages.
    """

    title: str
    passages: tuple[Passage, ...]
    prepared: int = 0
    preparation: str = ""
