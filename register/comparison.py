"""Several designs side by side, from what is known of each: searches, ledger and register.

The ledger maps design and scope to `verdict`, `properties` and, where it has them, `steps`
(property -> length of its counterexample). The register has the kept traces of findings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tierproof.diagrams.compared import (
    HOLDS,
    INCOMPLETE,
    LEDGER,
    NOT_STATED,
    REGISTER,
    REVIEW,
    VIOLATED,
    Cell,
    Column,
    GuardRow,
    Prevention,
    Row,
    Shortest,
    SideBySide,
)
from tierproof.diagrams.sequences import call_text
from tierproof.diagrams.verdicts import run_name
from tierproof.model.language import Comparison, Design, PropertyKind
from tierproof.register import Finding, register_of
from tierproof.register.traces import Kept

Records = Sequence[Mapping[str, Any]]
_SOURCES = (REVIEW, REGISTER, LEDGER)


def compare(
    comparison: Comparison,
    designs: Mapping[str, Design],
    ledger: Mapping[str, Mapping[str, Mapping[str, Any]]],
    results: Records = (),
    stored: Mapping[str, Mapping[str, Kept]] | None = None,
) -> SideBySide:
    """The designs of a comparison side by side.

    `results` are records of searches made now, `stored` are kept traces by design and finding.
    """
    known = [
        _Known(
            design=designs[name],
            ledger=ledger.get(name, {}),
            results=[one for one in results if one["design"] == name and _is_plain(one)],
            stored=(stored or {}).get(name, {}),
            equivalents=comparison.equivalents,
        )
        for name in comparison.designs
    ]
    stated: dict[str, tuple[str, str]] = {}
    for one in known:
        for name, told in one.stated.items():
            stated.setdefault(comparison.equivalents.get(name, name), told)
    rows = [
        Row(name=name, kind=kind, statement=text, cells=tuple(k.cell(name, text) for k in known))
        for name, (kind, text) in stated.items()
    ]
    rows.sort(key=lambda row: (not row.is_common, row.kind == PropertyKind.LAW))
    return SideBySide(
        name=comparison.name,
        title=comparison.title,
        introduction=comparison.introduction,
        columns=tuple(one.column for one in known),
        rows=tuple(rows),
        guards=_guards(rows),
    )


def _guards(rows: Iterable[Row]) -> tuple[GuardRow, ...]:
    """Every guard with the violations it would prevent, most violations first."""
    rows = [row for row in rows if row.is_violated]
    names = dict.fromkeys(guard for row in rows for cell in row.cells for guard in cell.guards)
    width = len(rows[0].cells) if rows else 0
    found = [
        GuardRow(
            guard=guard,
            prevents=tuple(
                tuple(row.name for row in rows if guard in row.cells[column].guards)
                for column in range(width)
            ),
        )
        for guard in names
    ]
    return tuple(sorted(found, key=lambda one: -sum(map(len, one.prevents))))


def _is_plain(result: Mapping[str, Any]) -> bool:
    return not result["variants"] and not result["without"]


@dataclass(frozen=True, kw_only=True)
class _Sighting:
    """The result for a property in one scope, from a search or the register (VIOLATED only)."""

    scope: str
    verdict: str
    is_vacuous: bool = False
    counterexample: Shortest | None = None


@dataclass(frozen=True, kw_only=True)
class _Known:
    """All known results of one design."""

    design: Design
    ledger: Mapping[str, Mapping[str, Any]]
    results: Records
    stored: Mapping[str, Kept]
    equivalents: Mapping[str, str]

    @property
    def column(self) -> Column:
        now = tuple(one["scope"] for one in self.results)
        return Column(
            design=self.design.name,
            title=self.design.title,
            document=self.design.document,
            reviewed=now,
            known=tuple(name for name in self.ledger if name not in now),
        )

    @property
    def stated(self) -> dict[str, tuple[str, str]]:
        """Property, or law of a lifecycle -> its kind and statement."""
        claims = {p.name: (str(p.kind), p.statement) for p in self.design.properties}
        for law in self.design.lifecycles.values():
            claims[law.law_name] = (str(PropertyKind.LAW), law.law_statement)
        return claims

    def cell(self, name: str, statement: str) -> Cell:
        """The cell of a property, or of its equivalent; `statement` is that of the row."""
        if name not in self.stated:
            own_names = [one for one in self.stated if self.equivalents.get(one) == name]
            return self.cell(own_names[0], statement) if own_names else Cell(verdict=NOT_STATED)
        found = list(self._sightings(name))
        own = self.stated[name][1]
        violated = _scopes(one for one in found if one.verdict == VIOLATED)
        held = _scopes(one for one in found if one.verdict == HOLDS)
        return Cell(
            verdict=VIOLATED if violated else HOLDS if held else INCOMPLETE,
            held=held,
            vacuous=_scopes(one for one in found if one.is_vacuous),
            violated=violated,
            cut=_scopes(one for one in found if one.verdict == INCOMPLETE),
            shortest=_shortest(found),
            preventions=_in_order(self._preventions(name)) if violated else (),
            statement="" if own == statement else own,
        )

    def _sightings(self, name: str) -> Iterator[_Sighting]:
        """The results of every search, this review's first; its scopes are not looked up again."""
        judged = set()
        for result in self.results:
            for entry in result["properties"]:
                if entry["name"] == name:
                    found = _of_search(result, entry)
                    judged |= {found.scope} if found.verdict != INCOMPLETE else set()
                    yield found
        yield from (one for one in self._of_register(name) if one.scope not in judged)
        for scope, entry in self.ledger.items():
            if name in entry["properties"] and scope not in judged:
                yield self._of_ledger(scope, entry, name)

    def _of_ledger(self, scope: str, entry: Mapping[str, Any], name: str) -> _Sighting:
        verdict, steps = entry["properties"][name], entry.get("steps", {}).get(name)
        found = None
        if verdict == VIOLATED and steps is not None:
            found = Shortest(
                scope=scope,
                steps=steps,
                cycle_start=None,
                source=LEDGER,
                command=f"tierproof explore {self.design.name} --scope {scope} --property {name}",
            )
        return _Sighting(scope=scope, verdict=verdict, counterexample=found)

    def _of_register(self, name: str) -> Iterator[_Sighting]:
        """Kept counterexamples of the design itself; those that need a variant are left out."""
        for kept in self.stored.values():
            claim = kept.claims.get(name)
            if claim is None or kept.variants:
                continue
            found = Shortest(
                scope=kept.scope,
                steps=claim.steps,
                cycle_start=claim.cycle_start,
                source=REGISTER,
                words=tuple(self._words(kept)) if kept.claim == name else (),
                command=f"tierproof explore {self.design.name} --scope {kept.scope} "
                f"--property {name}",
            )
            yield _Sighting(scope=kept.scope, verdict=VIOLATED, counterexample=found)

    def _words(self, kept: Kept) -> Iterator[str]:
        """The steps of a kept trace, with their actors as the design has them now."""
        actions = {act.name: act for act in self.design.actions}
        for name, given in kept.steps:
            act = actions.get(name)
            has_them = act is not None and set(act.parameters) == set(given)
            actor = act.actor.format(**given) if act and has_them else ""
            yield _word({"action": name, "arguments": given, "actor": actor})

    def _preventions(self, name: str) -> Iterator[Prevention]:
        for finding in register_of(self.design).findings:
            if name in finding.claims:
                kept = self.stored.get(finding.name)
                claim = kept.claims.get(name) if kept else None
                yield Prevention(
                    finding=finding.name,
                    title=finding.title,
                    guard=_guard(self.design, finding),
                    repair=finding.repair,
                    ended=claim.ended if claim else None,
                    steps=claim.steps if claim else None,
                )


def _guard(design: Design, finding: Finding) -> str | None:
    """The first sentence of what is proposed, or of what the repair does, to stand in a list."""
    proposed = finding.text.after("Proposal:") if finding.text else ""
    because = (one.because for one in design.variants if one.name == finding.repair)
    said = proposed or next(because, "")
    return said.split(". ")[0].rstrip(".") or None


def _of_search(result: Mapping[str, Any], entry: Mapping[str, Any]) -> _Sighting:
    """The verdict of a search; None for HOLDS in a search that was cut."""
    verdict, trace, found = str(entry["verdict"]), entry["trace"], None
    if result["cut"] and verdict == HOLDS:
        verdict = INCOMPLETE
    if verdict == VIOLATED and trace is not None:
        found = Shortest(
            scope=result["scope"],
            steps=len(trace["steps"]),
            cycle_start=trace.get("cycle_start"),
            source=REVIEW,
            words=tuple(_word(step) for step in trace["steps"]),
            anchor=f"{run_name(result)}-{entry['name']}",
        )
    return _Sighting(
        scope=result["scope"],
        verdict=verdict,
        is_vacuous=verdict == HOLDS and entry["premise_states"] == 0,
        counterexample=found,
    )


def _word(step: Mapping[str, Any]) -> str:
    actor = step["actor"]
    return f"{actor}: {call_text(step)}" if actor else call_text(step)


def _scopes(sightings: Iterable[_Sighting]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.scope for one in sightings))


def _in_order(preventions: Iterable[Prevention]) -> tuple[Prevention, ...]:
    """Sorts shorter counterexamples first."""
    return tuple(sorted(preventions, key=lambda one: (one.steps is None, one.steps or 0)))


def _shortest(sightings: Iterable[_Sighting]) -> Shortest | None:
    """The counterexample with the fewest steps; among equals, the most detailed one."""
    found = [one.counterexample for one in sightings if one.counterexample]
    return min(
        found, key=lambda one: (one.steps, not one.words, _SOURCES.index(one.source)), default=None
    )
