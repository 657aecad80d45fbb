"""What `tierproof mail` prints: a finding, or all findings of a design as one review."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tierproof.model.language.design import Design
from tierproof.model.language.errors import DesignError, closest
from tierproof.register import evidence, pages, prose, register_of
from tierproof.register.entries import Severity
from tierproof.register.isolation import closed, proposals, proposes_otherwise
from tierproof.register.isolation import file as isolation_file

ROW = re.compile(r"^Row \d+: ")
"""How some statements begin: with the row of the table that they stand for."""


def one(design: Design, finding: str, folder: Path | None = None) -> dict[str, Any]:
    """The mail of a finding. Raises UnknownName for one that the design does not tell."""
    (entry,) = _entries(design, folder, closest("finding", finding, _told(design)))
    text = prose.finding_as_mail(entry)
    return {
        "design": design.name,
        "finding": entry["name"],
        "title": entry["title"],
        "text": text,
    }


def review(design: Design, folder: Path | None = None) -> dict[str, Any]:
    """All findings on the design's document as one mail, those of rejected alternatives, too.

    Raises DesignError if none is told.
    """
    about = list(evidence.on_the_same_document(design))
    entries = [
        entry for one in about if (names := _told(one)) for entry in _entries(one, folder, *names)
    ]
    entries.sort(key=lambda entry: Severity(entry["severity"]).rank)
    if not entries:
        raise DesignError(f"{design.name} tells no finding of its own: there is nothing to review")
    title = f"Review of {design.title}"
    points = prose.points_of(entries)
    searches = [search for one in about for search in _searches(one)]
    words = next((words for one in about if (words := register_of(one).opening)), "")
    text = prose.review_as_mail(title, points, searches, words)
    return {"design": design.name, "points": _names(points), "title": title, "text": text}


def _names(points: Sequence[prose.Point]) -> list[list[str]]:
    return [[entry["name"] for entry in one.entries] for one in points]


def _searches(design: Design) -> Iterator[prose.Search]:
    """The searches that ran to their end: of the closed design, and with all proposals."""
    explored, says = evidence.kept(design), _statements(design)
    ways = [closed(design), *([proposals(design)] if proposes_otherwise(design) else [])]
    for is_of_proposals, variants in enumerate(ways):
        for scope in design.scopes:
            one = explored.get(isolation_file.key_of(scope, variants))
            if one and not isolation_file.unfinished(one):
                yield prose.Search(
                    design.name,
                    one["distinct_states"],
                    tuple(says[name] for name in one["violated"]),
                    is_of_proposals=bool(is_of_proposals),
                )


def _statements(design: Design) -> dict[str, str]:
    """Property, or law -> what it says, in a sentence that has no number of a row of ours."""
    claims = {one.name: ROW.sub("", one.statement) for one in design.properties}
    laws = {law.law_name: law.law_statement for law in design.lifecycles.values()}
    return {name: f"{said[0].upper()}{said[1:]}" for name, said in (laws | claims).items()}


def _told(design: Design) -> list[str]:
    return [finding.name for finding in register_of(design).findings if finding.story]


def _entries(design: Design, folder: Path | None, *names: str) -> list[dict[str, Any]]:
    return pages.rewritten(design, (folder or pages.REGISTER) / design.name, only=names)
