"""The searches behind the traces of a register: each entry is explored, and what ends it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from tierproof.model.language import room
from tierproof.model.language.design import Design
from tierproof.model.language.errors import DesignError, closest
from tierproof.model.language.postponing import postponed
from tierproof.model.language.replaying import replay
from tierproof.model.language.trace import Trace
from tierproof.register import register_of
from tierproof.register.entries import Finding
from tierproof.register.isolation import isolated
from tierproof.register.traces import (
    Broken,
    Entry,
    Kept,
    Shown,
    ended_of,
    plain,
    proposal_of,
    variants_of,
)
from tierproof.spark_explorer import runs
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.results import PropertyResult


def explored(
    design: Design, words: str, *, only: Collection[str] = (), watched: bool = True
) -> Iterator[Shown]:
    """Findings, then published bugs, each with its trace, as they are found.

    `words` names the design as a Question does; `only` names the entries to explore, empty for
    all. Raises UnknownName, and DesignError for an entry that no search shows.
    """
    register = register_of(design)
    entries: list[Entry] = [*register.findings, *register.published_bugs]
    names = [one.name for one in entries]
    chosen = {closest("entry of the register", name, names) for name in only} or set(names)
    searches = _Searches(words, watched, {})
    for entry in entries:
        if entry.name in chosen:
            yield _explored(design, entry, searches)


def _explored(design: Design, entry: Entry, searches: _Searches) -> Shown:
    variants, proposal = variants_of(design, entry), proposal_of(design, entry)
    found = searches.verdicts(entry, variants)
    has_end = not isinstance(entry, Finding) or entry.repair is not None
    ended = searches.verdicts(entry, ended_of(design, entry)) if has_end else {}
    proposed = searches.verdicts(entry, proposal) if proposal is not None else {}
    shown = found[entry.claims[0]]
    if shown.trace is None:
        raise DesignError(f"{entry.name!r}: {entry.claims[0]} is {shown.verdict} in {entry.scope}")
    late = entry.late if isinstance(entry, Finding) else ()
    trace = postponed(shown.trace, late) if late else shown.trace
    kept = Kept(
        design=design.name,
        scope=entry.scope,
        variants=variants,
        claim=entry.claims[0],
        steps=tuple(map(plain, trace.steps)),
        cycle_start=trace.cycle_start,
        proposal=proposal,
        cut_off=room.cut_off(trace),
        claims={
            name: Broken(
                steps=len(found[name].trace or ()),
                cycle_start=getattr(found[name].trace, "cycle_start", None),
                ended=str(ended[name].verdict) if ended else None,
                proposed=str(proposed[name].verdict) if proposed else None,
            )
            for name in entry.claims
        },
    )
    if isinstance(entry, Finding):
        kept = replace(kept, in_force=tuple(repairs_in_force(design, entry, trace)))
    return Shown(design=design, entry=entry, kept=kept, trace=trace)


@dataclass(frozen=True)
class _Searches:
    """Explorations of a design, each made once."""

    words: str
    watched: bool
    made: dict[tuple[str, tuple[str, ...], tuple[str, ...]], Mapping[str, PropertyResult]]

    def verdicts(self, entry: Entry, variants: tuple[str, ...]) -> Mapping[str, PropertyResult]:
        """Claim of the entry -> what a search with the variants says of it."""
        key = (entry.scope, variants, entry.claims)
        if key not in self.made:
            question = Question(
                design=self.words, scope=entry.scope, variants=variants, properties=entry.claims
            )
            found = runs.run(question, engine="memory", watched=self.watched)
            self.made[key] = {one.name: one for one in found.properties}
        return self.made[key]


def repairs_in_force(design: Design, one: Finding, trace: Trace) -> list[str]:
    """The repairs of other findings without which the design does not take just these steps.

    No smaller part of them is enough; none is needed if the design as written takes the steps.
    """
    if _breaks(design, one, trace, one.beside):
        return []
    needed = isolated(design, one)
    for repair in [name for name in needed if name not in one.beside]:
        fewer = tuple(name for name in needed if name != repair)
        if _breaks(design, one, trace, fewer):
            needed = fewer
    return [name for name in needed if name not in one.beside]


def _breaks(design: Design, one: Finding, trace: Trace, variants: tuple[str, ...]) -> bool:
    """Whether these steps break the property in the design with the variants, too."""
    try:
        changed = design.with_variants(*variants)
    except DesignError:
        return False  # one of them builds on another that is left out
    if any(step.action not in {act.name for act in changed.actions} for step in trace.steps):
        return False
    name, begun, cycle = one.claims[0], trace.initial, trace.cycle_start
    return replay(
        changed, trace.scope, trace.steps, name, initial=begun, cycle_start=cycle
    ).is_violated
