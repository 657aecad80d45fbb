"""What can be wrong with a design, a scope or a question, and what to do about it.

Every error of tierproof derives from `TierproofError`: the command line prints its
text and nothing else. Errors carry names and states as text, never engine frames.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Protocol


class TierproofError(Exception):
    """Base of every error that is written for the user."""


class Misused(TierproofError):
    """What is asked for does not exist or contradicts itself: the question is at fault.

    A command ends with the exit status of bad usage for it, and with that of a fault for any
    other error.
    """


class UnknownName(Misused):
    """A name that does not exist; the message offers the closest names."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(known)
        close = closest_to(name, names) or names[:8]
        hint = f"did you mean {', '.join(close)}?" if close else f"there is no {kind} at all"
        super().__init__(f"unknown {kind} {name!r}: {hint}")
        self.kind, self.name, self.close = kind, name, tuple(close)


class ScopeError(Misused):
    """A bound outside its limits, or bounds that contradict each other."""


class Named(Protocol):
    """What has a name; a `Design` is one."""

    @property
    def name(self) -> str:
        """Its name."""


class Way(Protocol):
    """A trace, as an error has it: a `Trace` is one, and is not known here."""

    @property
    def design(self) -> Named:
        """The design whose trace it is."""

    @property
    def steps(self) -> Sequence[object]:
        """The steps, each of which is shown as text."""

    def __len__(self) -> int:
        """The number of steps."""


class DesignError(TierproofError):
    """The design is wrong; the message names the function and, if there is one, the state.

    An exploration that ends by the error says how the state is reached: `trace` leads to it, and
    `step` is taken in it (None: the error is of the state itself). `found` is the exploration's
    result until then.
    """

    trace: Way | None = None
    step: object = None
    found: object = None


class NoSuchDesign(DesignError, Misused):
    """There is no design where one was looked for."""


class NoTrace(DesignError, Misused):
    """A file that was to be a trace is none, or none of the design."""


class ContradictingEdits(DesignError, Misused):
    """Two edits that were chosen together cannot both do what they say."""


class LostVariant(DesignError, Misused):
    """A variant of the base that does not apply to the design that is derived from it."""


class NoFence(DesignError, Misused):
    """A guard that was to be ablated limits the scope or tests where a thread is."""


class OutOfDomain(DesignError):
    """A value assigned outside the finite domain of its field."""

    def __init__(self, field: str, value: object, domain: str, action: str | None = None) -> None:
        by = f"action {action!r} assigned" if action else "assigned"
        super().__init__(f"{by} {value!r} to {field}, whose domain is {domain}")
        self.field, self.value, self.domain, self.action = field, value, domain, action


class SequenceFull(DesignError):
    """An element appended to a Sequence that is full."""

    def __init__(self, field: str, count: int, bound: str, action: str | None = None) -> None:
        by = f"action {action!r} appends" if action else "something appends"
        is_bound = bound.isidentifier()
        holds = f"{bound}={count}" if is_bound else bound
        most = f"scope.{bound}" if is_bound else bound
        super().__init__(
            f"{by} to {field}, which holds at most {count} elements ({holds}): add a @limit "
            f"that is false while len(state.{field}) == {most}"
        )
        self.field, self.action = field, action


class OutsideLanguage(DesignError):
    """A function uses a construct outside the modelling language, or an unknown name."""


class Asymmetric(DesignError):
    """A function distinguishes things that are declared alike, or its symmetry is undecided."""


class NothingAlike(DesignError, Misused):
    """Symmetry is to be switched off in a design that declares nothing alike."""


class UnfitFingerprint(DesignError, Misused):
    """Fingerprints are to have so many bits as there are none of, or as would do nothing."""


class AssignmentInPredicate(DesignError):
    """A guard or a property assigns; only effects may."""


class NothingChanged(DesignError):
    """An action was taken and left the state unchanged."""


class NoInitialState(DesignError):
    """The design has no initial state in this scope."""


class FunctionRaised(DesignError):
    """A guard, an effect or a property raised an exception."""

    def __init__(self, role: str, name: str, error: BaseException, state: str) -> None:
        super().__init__(
            f"{role} {name!r} raised {type(error).__name__}: {error}\nin the state\n{state}"
        )
        self.role, self.name = role, name


class NonDeterministic(DesignError):
    """A trace does not replay: the design depends on something that is not in its state."""

    CAUSE = (
        "A guard or an effect depends on something outside the state and its parameters "
        "(a random number, the clock, a global that changes, the order of a set), "
        "or behaves differently in CPython and in compiled code."
    )

    def __init__(self, what: str) -> None:
        super().__init__(f"the design is not deterministic: {what}. Likely cause: {self.CAUSE}")


def closest_to(name: str, names: Sequence[str]) -> list[str]:
    """Up to three of `names` that resemble `name`, the closest first."""
    return difflib.get_close_matches(name, names, n=3, cutoff=0.5)


def closest(kind: str, name: str, known: Iterable[str]) -> str:
    """Return `name` if it is among `known`, else raise `UnknownName`."""
    names = tuple(known)
    if name not in names:
        raise UnknownName(kind, name, names)
    return name
