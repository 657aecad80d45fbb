"""The findings register of a design: written explanations, joined with what a run shows.

A finding is shown in the smallest committed scope in which the ledger knows it (or in the
scope it names), and its repair, a variant, is explored in the same scope.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from model.language.design import Design
from model.language.errors import DesignError
from model.language.findings import Finding
from spark_explorer import ledger, running
from spark_explorer.question import Question
from spark_explorer.results import Result


def register(design: Design, words: str, *, watched: bool = True) -> list[dict[str, Any]]:
    """The findings of a design as plain values, each with its trace and what its repair does.

    `words` names the design as a Question does. Raises DesignError for a finding that no
    committed scope shows.
    """
    runs: dict[tuple[str, str | None], Result] = {}
    return [_entry(design, words, one, runs, watched) for one in design.findings]


def unexplained(design: Design, known: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Properties that some committed scope violates and no finding speaks of."""
    explained = {claim for finding in design.findings for claim in finding.claims}
    violated = {
        name
        for entry in known.values()
        for name, verdict in entry["properties"].items()
        if verdict == "VIOLATED"
    }
    return sorted(violated - explained)


def write(entries: list[dict[str, Any]], folder: Path) -> list[Path]:
    """One Markdown file a finding, and its sequence diagram beside it."""
    import diagrams

    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for entry in entries:
        diagrams.draw_trace(entry["trace"], folder, entry["name"], entry["shown"], ("svg",))
        paths.append(folder / f"{entry['name']}.md")
        paths[-1].write_text(diagrams.finding_as_markdown(entry))
    return paths


def _entry(
    design: Design,
    words: str,
    finding: Finding,
    runs: dict[tuple[str, str | None], Result],
    watched: bool,
) -> dict[str, Any]:
    scope = finding.scope or _smallest_scope(design, finding)
    found = _verdicts(words, scope, None, runs, watched)
    repaired = _verdicts(words, scope, finding.repair, runs, watched) if finding.repair else {}
    shown = found[finding.claims[0]]
    return {
        "design": design.name,
        "name": finding.name,
        "title": finding.title,
        "permitted_by": finding.permitted_by,
        "explanation": finding.explanation,
        "scope": scope,
        "bounds": dict(design.scope(scope)),
        "claims": {
            claim: {
                "statement": found[claim]["statement"],
                "steps": found[claim]["trace_length"],
                "repaired": repaired[claim]["verdict"] if repaired else None,
            }
            for claim in finding.claims
        },
        "repair": finding.repair,
        "shown": {name: value for name, value in shown.items() if name != "trace"},
        "trace": shown["trace"],
    }


def _verdicts(
    words: str,
    scope: str,
    variant: str | None,
    runs: dict[tuple[str, str | None], Result],
    watched: bool,
) -> dict[str, dict[str, Any]]:
    """Property -> its record, of an exploration that is made once."""
    if (scope, variant) not in runs:
        question = Question(design=words, scope=scope, variants=(variant,) if variant else ())
        runs[scope, variant] = running.run(question, engine="memory", watched=watched)
    return {entry["name"]: entry for entry in runs[scope, variant].as_dict()["properties"]}


def _smallest_scope(design: Design, finding: Finding) -> str:
    known = ledger.read().get(design.name, {})
    shows = {
        name: entry["distinct_states"]
        for name, entry in known.items()
        if all(entry["properties"].get(claim) == "VIOLATED" for claim in finding.claims)
    }
    if not shows:
        raise DesignError(f"no committed scope shows the finding {finding.name!r}")
    return min(shows, key=lambda name: shows[name])
