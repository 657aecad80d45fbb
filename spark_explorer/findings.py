"""The register of a design: its findings and its regressions, joined with what runs show.

A finding is shown in the smallest committed scope in which the ledger knows it (or in the
scope it names), and its repair, a variant, is explored in the same scope. A regression is
shown with its fix switched off, and compared with the fix on.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.language.design import Design
from model.language.errors import DesignError, closest
from model.language.findings import Finding, Regression
from spark_explorer import ledger, running
from spark_explorer.question import Question
from spark_explorer.results import Result

Runs = dict[tuple[str, tuple[str, ...], tuple[str, ...]], Result]
"""What was explored already, by scope, variants and claims."""


def register(
    design: Design, words: str, *, only: Collection[str] = (), watched: bool = True
) -> list[dict[str, Any]]:
    """Findings, then regressions, as plain values: each with its trace and what ends it.

    `words` names the design as a Question does; `only` names the entries that are wanted, none
    means all. Raises UnknownName, and DesignError for an entry that no run shows.
    """
    names = [one.name for one in design.findings] + [one.name for one in design.regressions]
    chosen = {closest("entry of the register", name, names) for name in only} or set(names)
    runs: Runs = {}
    found = [
        _finding(design, words, one, runs, watched) for one in design.findings if one.name in chosen
    ]
    return found + [
        _regression(design, words, one, runs, watched)
        for one in design.regressions
        if one.name in chosen
    ]


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
    """One Markdown file an entry; beside it its sequence diagram, and its trace to be replayed."""
    import diagrams

    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for entry in entries:
        diagrams.draw_trace(entry["trace"], folder, entry["name"], entry["shown"], ("svg",))
        paths.append(folder / f"{entry['name']}.md")
        paths[-1].write_text(diagrams.finding_as_markdown(entry))
        trace = json.dumps(entry["replay"], indent=1)
        paths[-1].with_suffix(".json").write_text(f"{trace}\n")
    return paths


def _finding(
    design: Design, words: str, finding: Finding, runs: Runs, watched: bool
) -> dict[str, Any]:
    scope = finding.scope or _smallest_scope(design, finding)
    asked = _Asked(words, scope, finding.claims, runs, watched)
    found = asked.verdicts(finding.beside)
    ended: dict[str, dict[str, Any]] = {}
    if finding.repair:
        ended = asked.verdicts((*finding.beside, finding.repair))
    return {
        "kind": "finding",
        "permitted_by": finding.permitted_by,
        "repair": finding.repair,
        **_entry(design, finding, scope, finding.beside, found, ended),
    }


def _regression(
    design: Design, words: str, regression: Regression, runs: Runs, watched: bool
) -> dict[str, Any]:
    variants = (*regression.beside, regression.variant)
    asked = _Asked(words, regression.scope, regression.claims, runs, watched)
    found, ended = asked.verdicts(variants), asked.verdicts(regression.beside)
    return {
        "kind": "regression",
        "published": regression.published,
        "variant": regression.variant,
        **_entry(design, regression, regression.scope, variants, found, ended),
    }


def _entry(
    design: Design,
    one: Finding | Regression,
    scope: str,
    variants: tuple[str, ...],
    found: Mapping[str, Mapping[str, Any]],
    ended: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    shown = found[one.claims[0]]
    if shown["trace"] is None:
        raise DesignError(f"{one.name!r}: {one.claims[0]} is {shown['verdict']} in {scope}")
    return {
        "design": design.name,
        "name": one.name,
        "title": one.title,
        "explanation": one.explanation,
        "scope": scope,
        "bounds": dict(design.scope(scope)),
        "beside": list(one.beside),
        "claims": {
            claim: {
                "statement": found[claim]["statement"],
                "steps": found[claim]["trace_length"],
                "cycle_start": (found[claim]["trace"] or {}).get("cycle_start"),
                "ended": ended[claim]["verdict"] if ended else None,
            }
            for claim in one.claims
        },
        "replay": {
            "design": design.name,
            "scope": scope,
            "variants": list(variants),
            "property": one.claims[0],
            "steps": shown["steps"],
            "cycle_start": shown["trace"]["cycle_start"],
        },
        "shown": {name: value for name, value in shown.items() if name not in ("trace", "steps")},
        "trace": shown["trace"],
    }


@dataclass(frozen=True)
class _Asked:
    """What an entry claims of a design in a scope, asked under one set of variants or more."""

    words: str
    scope: str
    claims: tuple[str, ...]
    runs: Runs
    watched: bool

    def verdicts(self, variants: tuple[str, ...]) -> dict[str, dict[str, Any]]:
        """Property -> its record, of an exploration that is made once."""
        key = (self.scope, variants, self.claims)
        if key not in self.runs:
            question = Question(
                design=self.words, scope=self.scope, variants=variants, properties=self.claims
            )
            self.runs[key] = running.run(question, engine="memory", watched=self.watched)
        found = self.runs[key]
        records = {entry["name"]: entry for entry in found.as_dict()["properties"]}
        for entry in found.properties:
            if entry.trace is not None:
                records[entry.name]["steps"] = [
                    [step.action, {name: int(value) for name, value in step.arguments}]
                    for step in entry.trace.steps
                ]
        return records


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
