"""Finding and PublishedBug: what a design violates, and published bugs that it must reproduce.

These are the written halves of the register's entries. The other halves (the shortest
trace, the smallest scope, whether the repair or the fix holds) are generated from runs, so
they cannot become stale.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Passage:
    """Sentences of a document, to the letter, and the title of the section that has them."""

    document: str
    section: str
    quote: str


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A behaviour that the design permits and should not.

    `claims` are the properties and lifecycle laws it breaks; `permitted_by` is the passage
    of the document or the method of Kafka; `repair` names a variant, if one is known;
    `prevented_by` names the guard of that repair in a short noun phrase (without a repair, the
    guard that would be needed: an argument that no search confirms);
    `scope` is the scope of the shown trace, if not the smallest that violates the claim;
    `beside` are variants chosen with it, such as repairs of other findings that would hide it.
    """

    name: str
    title: str
    claims: tuple[str, ...]
    permitted_by: str
    explanation: str
    repair: str | None = None
    prevented_by: str | None = None
    scope: str | None = None
    beside: tuple[str, ...] = ()


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
