"""Finding and PublishedBug: what a design permits and should not; bugs that it must find again.

These are the written halves of the register's entries. The other halves (the shortest
trace, what breaks in which scope, whether the repair or the fix holds) are generated from
runs, so they cannot become stale; a story names the trace that it tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tierproof.model.language.errors import DesignError

START, END, BEYOND, NOTE = "start", "end", "beyond", "note"
"""Places of sentences of a Story: the first state, the last one, what no step shows, and what is
said of the trace itself."""


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
    """A sentence about the steps `first` to `last`; both are 0 for the start, None for the end.

    `is_beyond`: it says what follows from the trace, and no step shows it. `is_note`: it is
    about the trace, for whoever reads or replays it, and not part of what is told of Kafka.
    """

    first: int | None
    last: int | None
    sentence: str
    is_beyond: bool = False
    is_note: bool = False


@dataclass(frozen=True)
class Story:
    """A trace in sentences for somebody who does not know the model.

    `trace` is the digest of the trace that is told (`Trace.digest`); `sentences` are pairs of a
    place and a sentence. A place is "start", a step "7", steps "1-6", "end", or, after the
    end, "beyond", a consequence that the trace does not show, and last "note", on the trace.
    """

    trace: str
    sentences: tuple[tuple[str, str], ...]

    def told(self, length: int) -> tuple[Told, ...]:
        """The sentences with their steps, for a trace of `length` steps.

        Raises DesignError unless they begin with the start, end with the end, and tell every
        step once, in order. After the end come sentences from beyond the trace, then notes.
        """
        shown = [pair for pair in self.sentences if pair[0] not in (BEYOND, NOTE)]
        after = [pair for kind in (BEYOND, NOTE) for pair in self.sentences if pair[0] == kind]
        places = [place for place, _ in shown]
        if places[:1] != [START] or places[-1:] != [END] or (*shown, *after) != self.sentences:
            raise DesignError(f"a story begins with {START!r} and ends with {END!r}, not {places}")
        steps = list(_steps(shown[1:-1]))
        following = 1
        for one in steps:
            if one.first != following or one.last is None or one.last < following:
                raise DesignError(f"{one.sentence!r} should begin with step {following}")
            following = one.last + 1
        if following != length + 1:
            raise DesignError(f"the story tells {following - 1} steps of a trace of {length}")
        return (
            Told(0, 0, shown[0][1]),
            *steps,
            Told(None, None, shown[-1][1]),
            *(
                Told(None, None, sentence, is_beyond=place == BEYOND, is_note=place == NOTE)
                for place, sentence in after
            ),
        )


def _steps(sentences: Sequence[tuple[str, str]]) -> Iterator[Told]:
    for place, sentence in sentences:
        first, _, last = place.partition("-")
        if not (first.isdigit() and (last or first).isdigit()):
            raise DesignError(f"{place!r} names no steps: write '7' or '1-6'")
        yield Told(int(first), int(last or first), sentence)


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A behaviour that the design permits and should not: one cause.

    `claims` are the properties and lifecycle laws that it breaks, in `scope`, in the design with
    every repair but its own (`isolation.py`); the first is the one whose trace is shown.
    `symptom` says what an operator or a client sees, how much of it, and how long.
    `needs` says what must come together (replicas, crashes, faults, a window, versions);
    `tracker` is the public issue or thread, if there is one; `passages` quote the document,
    `permitted_by` names the method of Kafka; `assumptions` are ids of the assumption register.
    `story` tells the trace; `turning` is the step after which the harm is done. Steps of the
    `late` actions are shown as late as they can go (`postponing.py`).
    `repair` names the variant of the `fix`, which `costs` something; `searched` says what it
    is where the fix proposes something else; a finding without a repair says why it is
    `unrepaired`. `proposal` names the variant of what the mail proposes, where that is another
    change; with it in place of the repair the claims hold in `scope`, too. `stands_alone`: they
    hold with what the mail proposes, be it that or the repair, and without the repair of any
    other finding; where it is not enough, `together_with` are the repairs that are, beside it
    (tests/slow explores both). `apart` are repairs of other findings that would cover
    this cause, too, and are left out with its own; `beside` are readings chosen with it.
    `shows` is a witness that the scope leaves room for what the repair makes happen.

    `mail` is what a thread or a ticket gets, in Markdown.

    A finding with an `explanation` and no story is shown in the design as written.
    """

    name: str
    title: str
    claims: tuple[str, ...]
    permitted_by: str
    severity: Severity | None = None
    symptom: str = ""
    needs: str = ""
    tracker: str | None = None
    passages: tuple[Passage, ...] = ()
    assumptions: tuple[str, ...] = ()
    story: Story | None = None
    turning: int | None = None
    late: tuple[str, ...] = ()
    fix: str = ""
    costs: str = ""
    repair: str | None = None
    searched: str = "the fix as it is modelled"
    stands_alone: bool = False
    together_with: tuple[str, ...] = ()
    proposal: str | None = None
    unrepaired: str = ""
    apart: tuple[str, ...] = ()
    shows: str | None = None
    scope: str | None = None
    beside: tuple[str, ...] = ()
    explanation: str = ""
    mail: str = ""


NOT_REPRODUCED = "We have not reproduced it on Kafka, as no release has the KIP."


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
