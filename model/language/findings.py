"""Finding and PublishedBug: what a design violates, and published bugs that it must find again.

These are the written halves of the register's entries. The other halves (the shortest
trace, the smallest scope, whether the repair or the fix holds) are generated from runs, so
that they cannot grow stale.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What the design permits that it should not.

    `claims` are the properties and lifecycle laws it breaks; `permitted_by` is the passage
    of the document or the method of Kafka; `repair` names a variant, if one is known;
    `prevented_by` says in a short noun phrase which guard that is (or, without a repair,
    which one it would take: an argument, as no search bears it out);
    `scope` is where its trace is the shortest one, if not the smallest scope that shows it;
    `beside` are variants that it is shown with, such as repairs of what would hide it.
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
    the issue; `beside` are variants that stand in both, such as repairs of other findings.
    """

    name: str
    title: str
    claims: tuple[str, ...]
    published: str
    explanation: str
    variant: str
    scope: str
    beside: tuple[str, ...] = ()
