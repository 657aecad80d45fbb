"""Finding: a property that a design violates, and why; the written half of its register entry.

The other half (the shortest trace, the smallest scope, whether the repair holds) is
generated from a run, so that it cannot grow stale.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What the design permits that it should not.

    `claims` are the properties and lifecycle laws it breaks; `permitted_by` is the passage
    of the document or the method of Kafka; `repair` names a variant, if one is known;
    `scope` is where its trace is the shortest one, if not the smallest scope that shows it.
    """

    name: str
    title: str
    claims: tuple[str, ...]
    permitted_by: str
    explanation: str
    repair: str | None = None
    scope: str | None = None
