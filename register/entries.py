"""Finding and PublishedBug: what a design permits and should not; bugs that it must find again.

These are the written halves of the register's entries. The other halves (the shortest trace, what
breaks in which scope, whether the repair or the fix holds) come from runs, so that they cannot
become stale; the words of a finding name the trace that they tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from tierproof.register.paragraphs import Block, Paragraph


class Severity(StrEnum):
    """The worst harm that a finding does; the worst comes first."""

    LOSS = "loss of committed records"
    WRONG = "wrong records"
    UNAVAILABLE = "unavailable records"
    LEAK = "leak"
    STALL = "stall"
    COST = "cost"
    TEXT = "text only"

    @property
    def rank(self) -> int:
        """0 for the worst."""
        return list(Severity).index(self)

    @property
    def is_minor(self) -> bool:
        """It harms little or nothing: a point of a review, not a mail of its own."""
        return self in (Severity.COST, Severity.TEXT)

    @property
    def words(self) -> str:
        """As a sentence begins with it."""
        return "Minor" if self.is_minor else f"{self[0].upper()}{self[1:]}"


@dataclass(frozen=True)
class Passage:
    """Sentences of a document, to the letter, and the title of the section that has them.

    `within` is the title above, where two sections have the same.
    """

    document: str
    section: str
    quote: str
    within: str = ""


@dataclass(frozen=True)
class Told:
    """What is told of the steps `first` to `last` of a trace; step 0 is its first state."""

    first: int
    last: int
    sentence: str


@dataclass(frozen=True, kw_only=True)
class Text:
    """The words of a finding, as its file has them.

    `blocks` are what is sent to a thread or a ticket: the harm and its bound, what it needs, the
    cause, the steps, the proposal. `steps` are its steps with their places in the trace,
    `passages` its quotes. `detail` is what a committer would miss there, and `report` the commands
    that show it on released brokers, with what was observed: Markdown both.
    """

    blocks: tuple[Block, ...]
    steps: tuple[Told, ...]
    passages: tuple[Passage, ...] = ()
    detail: str = ""
    report: str = ""

    @property
    def opening(self) -> str:
        """The harm, and its bound."""
        first = self.blocks[0]
        assert isinstance(first, Paragraph)
        return first.text

    def after(self, lead: str) -> str:
        """The paragraph that begins with a lead such as `Proposal:`; empty if there is none."""
        found = (one.text for one in self.blocks if isinstance(one, Paragraph) and one.lead == lead)
        return next(found, "")


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A behaviour that the design permits and should not: one cause.

    `claims` are the properties and lifecycle laws that it breaks, in `scope`, in the design with
    every repair but its own (`isolation`); the first is the one whose trace is shown. `says` is
    what happens, in a sentence or two. A finding that somebody would act on has a `text`, which
    tells the trace with the digest `trace` (`Trace.digest`); the harm is done after the step
    `turning`, and `letters` names remote segments, by their ids, as the text does. The others are
    a line in the table of their design; they may be `told_with` a finding that has a text.
    Steps of the `late` actions are shown as late as they can go (`postponing.py`).
    `assumptions` are ids of the assumption register.

    `repair` names the variant that ends it; a finding without one says why it is `unrepaired`.
    `proposed` names the variant that models what the text proposes: the repair, or another, None
    if that is not modelled. `stands_alone`: the claims hold in `scope` with what is proposed,
    be it that or the repair, and without the repair of any other finding; where it is not enough,
    `together_with` are the repairs that are, beside it (tests/slow explores both). `apart` are
    repairs of other findings that would cover this cause, too, and are left out with its own;
    `beside` are readings chosen with it. `shows` is a witness that the scope leaves room for what
    the repair makes happen.
    """

    name: str
    title: str
    severity: Severity
    claims: tuple[str, ...]
    scope: str
    says: str = ""
    text: Text | None = None
    told_with: str | None = None
    trace: str = ""
    turning: int | None = None
    letters: Mapping[int, str] = field(default_factory=dict)
    late: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    repair: str | None = None
    proposed: str | None = None
    stands_alone: bool = False
    together_with: tuple[str, ...] = ()
    unrepaired: str = ""
    apart: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    shows: str | None = None

    @property
    def proposal(self) -> str | None:
        """The variant that is proposed in place of the repair, if that is another change."""
        return self.proposed if self.proposed != self.repair else None


@dataclass(frozen=True, kw_only=True)
class PublishedBug:
    """A published bug, as a `variant` that switches its fix off.

    `claims` are violated in `scope` with the variant, and HOLD without it; `published` names
    the issue; `beside` are variants chosen in both, such as repairs of other findings.
    """

    name: str
    title: str
    claims: tuple[str, ...]
    published: str
    explanation: str
    variant: str
    scope: str
    beside: tuple[str, ...] = ()
