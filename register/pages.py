"""The register of a design: its findings and published bugs, joined with results of runs.

A finding is shown isolated, in its scope: in the design with every repair but its own; beside it
the closed design. A published bug is shown with its fix switched off, and compared with its fix
switched on.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tierproof.model import designs
from tierproof.model.language import room
from tierproof.model.language.actions import Step
from tierproof.model.language.design import Design
from tierproof.model.language.errors import DesignError, closest
from tierproof.model.language.interpreter import Interpreter, Steps
from tierproof.model.language.members import as_json
from tierproof.model.language.postponing import postponed
from tierproof.model.language.properties import PropertyKind
from tierproof.model.language.trace import Trace
from tierproof.register import evidence, json_file, ledger, prose, register_of
from tierproof.register.entries import Finding, PublishedBug
from tierproof.register.isolation import causes, closed, explorations, isolated, mended, proposed
from tierproof.spark_explorer import runs
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.results import Result, trace_as_dict

REGISTER = Path(designs.__file__).resolve().parents[2] / "docs" / "findings"
"""The committed register; an installed package has none."""

PLAIN = ["symptom", "needs", "tracker", "turning", "fix", "costs", "unrepaired", "shows"]
PLAIN += ["searched", "stands_alone", "proposal"]
"""Fields of a Finding that its entry has as they are."""

Runs = dict[tuple[str, tuple[str, ...], tuple[str, ...]], Result]
"""Explorations already made, by scope, variants and claims."""


def register(
    design: Design, words: str, *, only: Collection[str] = (), watched: bool = True
) -> list[dict[str, Any]]:
    """Findings, then published bugs, as plain values: each with its trace and its repair or fix.

    `words` names the design as a Question does; `only` names the entries to return,
    empty for all. Raises UnknownName, and DesignError for an entry that no run shows.
    """
    runs: Runs = {}
    return [
        _finding(design, words, one, runs, watched)
        if isinstance(one, Finding)
        else _published_bug(design, words, one, runs, watched)
        for one in _chosen(design, only)
    ]


def _chosen(design: Design, only: Collection[str]) -> list[Finding | PublishedBug]:
    """The entries of that name, or all; findings come first. Raises UnknownName."""
    entries: list[Finding | PublishedBug] = [
        *register_of(design).findings,
        *register_of(design).published_bugs,
    ]
    names = [one.name for one in entries]
    chosen = {closest("entry of the register", name, names) for name in only} or set(names)
    return [one for one in entries if one.name in chosen]


def stored(name: str, seen_from: Path, register: Path = REGISTER) -> list[dict[str, Any]]:
    """The stored traces of a design, each with its path relative to a folder."""
    found = []
    for path in sorted((register / name).glob("*.json")):
        beside = {"page": path.with_suffix(".md"), "drawing": path.with_suffix(".svg")}
        links = {
            what: Path(os.path.relpath(file, seen_from.resolve())).as_posix()
            for what, file in beside.items()
        }
        found.append({"name": path.stem, **json_file.read(path), **links})
    return found


def rewritten(design: Design, folder: Path, *, only: Collection[str] = ()) -> list[dict[str, Any]]:
    """The entries with traces stored in `folder`, replayed without a search, for changed words.

    Raises DesignError for an entry whose claims changed after its trace was stored.
    """
    chosen = _chosen(design, only)
    return [_rewritten(design, one, folder / f"{one.name}.json") for one in chosen]


def unexplained(design: Design, known: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Properties that some committed scope violates and no finding claims, or breaks isolated."""
    explained = {claim for finding in causes(design) for claim in finding.claims}
    for told in explorations.known(design).accounts.values():
        explained |= {name for name, by in told.items() if by}
    violated = {
        name
        for entry in known.values()
        for name, verdict in entry["properties"].items()
        if verdict == "VIOLATED"
    }
    return sorted(violated - explained)


def files_of(entry: Mapping[str, Any]) -> dict[str, str]:
    """File name -> text: the entry's page, the drawing of its trace, the trace to be replayed."""

    name, offsets = entry["name"], prose.finding_offsets(entry)
    return {
        f"{name}.md": prose.finding_as_markdown(entry),
        f"{name}.svg": prose.finding_as_svg(entry),
        f"{name}.json": f"{json.dumps(entry['replay'], indent=1)}\n",
    } | ({f"{name}.offsets.svg": offsets} if offsets else {})


def write(entries: list[dict[str, Any]], folder: Path) -> list[Path]:
    """Write the files of each entry into `folder`; returns the pages."""
    folder.mkdir(parents=True, exist_ok=True)
    for entry in entries:
        for name, text in files_of(entry).items():
            (folder / name).write_text(text, encoding="utf-8")
    return [folder / f"{entry['name']}.md" for entry in entries]


def _finding(
    design: Design, words: str, finding: Finding, runs: Runs, watched: bool
) -> dict[str, Any]:
    scope = finding.scope or _smallest_scope(design, finding)
    asked = _Asked(words, scope, finding.claims, runs, watched)
    found = asked.verdicts(_variants(design, finding))
    with_repair = asked.verdicts(_ended(design, finding)) if finding.repair else {}
    with_proposal = asked.verdicts(proposed(design, finding)) if finding.proposal else {}
    return _entry(design, finding, scope, found, {"ended": with_repair, "proposed": with_proposal})


def _published_bug(
    design: Design, words: str, bug: PublishedBug, runs: Runs, watched: bool
) -> dict[str, Any]:
    asked = _Asked(words, bug.scope, bug.claims, runs, watched)
    found, ended = asked.verdicts(_variants(design, bug)), asked.verdicts(bug.beside)
    return _entry(design, bug, bug.scope, found, {"ended": ended})


def _variants(design: Design, one: Finding | PublishedBug) -> tuple[str, ...]:
    """The variants with which an entry is shown."""
    if isinstance(one, PublishedBug):
        return (*one.beside, one.variant)
    return isolated(design, one) if one.story else one.beside


def _ended(design: Design, one: Finding | PublishedBug) -> tuple[str, ...]:
    """The variants with which an entry is over: its fix is on, or its repair in place."""
    if isinstance(one, PublishedBug):
        return one.beside
    if one.story:
        return closed(design, one.beside)
    return (*one.beside, *((one.repair,) if one.repair else ()))


def _proposed(design: Design, one: Finding | PublishedBug) -> list[str] | None:
    """The variants with which another change than the repair was explored; None without one."""
    if isinstance(one, PublishedBug) or not one.proposal:
        return None
    return list(proposed(design, one))


def _written(design: Design, one: Finding | PublishedBug) -> dict[str, Any]:
    """The hand-written part of an entry, from its design."""
    told: dict[str, Any] = {"kind": "published bug"}
    if isinstance(one, Finding):
        told = {"kind": "finding", "permitted_by": one.permitted_by, "repair": one.repair}
        told |= {name: getattr(one, name) for name in PLAIN}
        told["severity"] = str(one.severity) if one.severity else None
        told["passages"] = [vars(passage) for passage in one.passages]
        told["apart"] = evidence.apart(design, one)
        told["redefines"] = evidence.redefines(design, one)
        told["together_with"] = evidence.titles(design, one.together_with)
        told["mail"] = one.mail
        told["told_with"] = evidence.told_with(design, one)
        told["assumptions"] = {name: evidence.assumed(name) for name in one.assumptions}
    else:
        told |= {"published": one.published, "variant": one.variant}
    common = {"name": one.name, "title": one.title, "explanation": one.explanation}
    return {**told, **common, "beside": list(one.beside)}


def _entry(
    design: Design,
    one: Finding | PublishedBug,
    scope: str,
    found: Mapping[str, Mapping[str, Any]],
    mends: Mapping[str, Mapping[str, Mapping[str, Any]]],
    kept: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """`mends` has the records with each change; `kept` is what the register has of the trace."""
    kept = kept or {}
    shown = found[one.claims[0]]
    claims = _claims(one, found, mends)
    if shown["trace"] is None:
        raise DesignError(f"{one.name!r}: {one.claims[0]} is {shown['verdict']} in {scope}")
    variants = _variants(design, one)
    trace = _shown_trace(design, one, scope, shown)
    shown = dict(shown) | {"steps": _plain_steps(trace), "trace": trace_as_dict(trace)}
    told = evidence.told(design, one, scope, trace, kept.get("in_force"))
    seen: dict[str, Any] = {}
    if told["told"] is not None:
        seen["cut_off"] = _cut_off(trace, kept)
        seen["in_force"] = [fix["fix"] for fix in told["in_force"]]
    return {
        **_written(design, one),
        **told,
        "limits": evidence.limits(trace, seen.get("cut_off", {})),
        "design": design.name,
        "design_title": design.title,
        "scope": scope,
        "bounds": dict(design.scope(scope)),
        "claims": claims,
        "stopped": _stopped(design, one, trace),
        "replay": {
            "design": design.name,
            "scope": scope,
            "variants": list(variants),
            "property": one.claims[0],
            **({"proposal": change} if (change := _proposed(design, one)) else {}),
            "steps": shown["steps"],
            "cycle_start": shown["trace"]["cycle_start"],
            **seen,
            "claims": {
                claim: {name: it for name, it in told.items() if name != "statement"}
                for claim, told in claims.items()
            },
        },
        "shown": {name: value for name, value in shown.items() if name not in ("trace", "steps")},
        "trace": shown["trace"],
    }


def _claims(
    one: Finding | PublishedBug,
    found: Mapping[str, Mapping[str, Any]],
    mends: Mapping[str, Mapping[str, Mapping[str, Any]]],
) -> dict[str, dict[str, Any]]:
    """Each claim: how it is broken, and its verdict with each change that was explored."""
    return {
        claim: {
            "statement": found[claim]["statement"],
            "steps": found[claim]["trace_length"],
            "cycle_start": (found[claim]["trace"] or {}).get("cycle_start"),
            "ended": None,
        }
        | {change: told[claim]["verdict"] for change, told in mends.items() if told}
        for claim in one.claims
    }


def _shown_trace(
    design: Design, one: Finding | PublishedBug, scope: str, shown: Mapping[str, Any]
) -> Trace:
    """The trace of an entry, with the steps that read better later as late as they can go."""
    replay = {"variants": _variants(design, one), "scope": scope, "steps": shown["steps"]}
    trace = stored_trace(design, replay | {"cycle_start": shown["trace"]["cycle_start"]})
    return postponed(trace, one.late) if isinstance(one, Finding) and one.late else trace


def _plain_steps(trace: Trace) -> list[list[Any]]:
    """The steps as a file of the register keeps them."""
    return [
        [step.action, {name: as_json(value) for name, value in step.arguments}]
        for step in trace.steps
    ]


def _rewritten(design: Design, one: Finding | PublishedBug, path: Path) -> dict[str, Any]:
    if not path.exists():
        raise DesignError(f"{one.name!r} has no trace in {path.parent}: explore it first")
    kept = json_file.read(path)
    claims = kept.get("claims", {})
    if (tuple(claims), tuple(kept["variants"])) != (one.claims, _variants(design, one)):
        raise DesignError(f"{one.name!r} has changed since its trace was kept: explore it anew")
    if kept.get("proposal") != _proposed(design, one):
        raise DesignError(f"{one.name!r} proposes another change than was explored: explore it")
    trace = stored_trace(design, kept)
    found = {name: _record(trace, name, told) for name, told in claims.items()}
    shown = found[one.claims[0]]
    shown["steps"] = kept["steps"]
    is_kept = _plain_steps(_shown_trace(design, one, kept["scope"], shown)) == kept["steps"]
    mends = {change: _kept_verdicts(claims, change) for change in ("ended", "proposed")}
    return _entry(design, one, kept["scope"], found, mends, kept if is_kept else None)


def _kept_verdicts(claims: Mapping[str, Any], change: str) -> dict[str, dict[str, Any]]:
    """The verdicts with a change, as the register keeps them; empty if it has none."""
    return {name: {"verdict": told[change]} for name, told in claims.items() if told.get(change)}


def _cut_off(trace: Trace, kept: Mapping[str, Any]) -> Mapping[str, int]:
    """The limits that cut behaviours off along the trace; they are kept with it."""
    found: Mapping[str, int] = kept["cut_off"] if "cut_off" in kept else room.cut_off(trace)
    return found


def stored_trace(design: Design, kept: Mapping[str, Any]) -> Trace:
    """The trace that a file of the register keeps, of the design with the file's variants."""
    changed = design.with_variants(*kept["variants"])
    scope = changed.scope(kept["scope"])
    named = Steps(changed, scope)
    labels = [named.label(Step(name, tuple(given.items()))) for name, given in kept["steps"]]
    return Trace(changed, scope, 0, tuple(map(named.step, labels)), kept["cycle_start"])


def _stopped(design: Design, one: Finding | PublishedBug, trace: Trace) -> dict[str, Any] | None:
    """The step at which the repair or the fix stops the trace, None if there is none."""
    if isinstance(one, Finding) and one.repair is None:
        return None
    own = mended(design, one) if isinstance(one, Finding) and one.story else _ended(design, one)
    stop = trace.stop_in(design.with_variants(*own))
    if stop is None:
        return None
    return {"number": stop.number, "step": str(stop.step), "by": stop.refused_by}


def _record(trace: Trace, name: str, told: Mapping[str, Any]) -> dict[str, Any]:
    """A violated property or law as a search records it, without the number of occurrences."""
    laws = {law.law_name: law for _, law in Interpreter(trace.design, trace.scope).lifecycle_leaves}
    claims = {claim.name: claim for claim in trace.design.properties}
    kind, source, fairness = str(PropertyKind.LAW), "", ""
    if name in claims:
        statement, source = claims[name].statement, claims[name].source
        kind, fair = str(claims[name].kind), claims[name].fairness
        fairness = fair.statement if fair else ""
    else:
        law = laws[closest("property", name, laws)]
        statement, source = law.law_statement, law.source
    return {
        "name": name,
        "kind": kind,
        "verdict": "VIOLATED",
        "statement": statement,
        "source": source,
        "fairness": fairness,
        "trace_length": told["steps"],
        "trace": {"cycle_start": told["cycle_start"]},
    }


@dataclass(frozen=True)
class _Asked:
    """The claims of an entry about a design in a scope, explored under sets of variants."""

    words: str
    scope: str
    claims: tuple[str, ...]
    runs: Runs
    watched: bool

    def verdicts(self, variants: tuple[str, ...]) -> dict[str, dict[str, Any]]:
        """Property -> its record; each exploration is made once."""
        key = (self.scope, variants, self.claims)
        if key not in self.runs:
            question = Question(
                design=self.words, scope=self.scope, variants=variants, properties=self.claims
            )
            self.runs[key] = runs.run(question, engine="memory", watched=self.watched)
        found = self.runs[key]
        records = {entry["name"]: entry for entry in found.as_dict()["properties"]}
        for entry in found.properties:
            if entry.trace is not None:
                records[entry.name]["steps"] = [
                    [step.action, {name: as_json(value) for name, value in step.arguments}]
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
