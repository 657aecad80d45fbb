"""Ablate a design: explore it without each part, beside the design that has it."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock

from tierproof.diagrams import AblationCell, AblationMatrix, AblationRow, counted
from tierproof.model.language.design import Design
from tierproof.model.language.errors import DesignError
from tierproof.model.language.scope import Scope
from tierproof.register import ledger
from tierproof.register.ablation import Part, Setting, guards_of, parts_of
from tierproof.spark_explorer.cuts import INTERRUPTED
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.registry import DESIGNS
from tierproof.spark_explorer.results import PropertyResult, Result, trace_as_dict
from tierproof.spark_explorer.search import explore
from tierproof.spark_explorer.watching import Watching

Baseline = Mapping[str, str]
"""Property -> its verdict with the part."""


def no_ledger(setting: Setting, scope: str) -> Baseline | None:
    """Nothing is known: every setting is explored with its parts, too."""
    return None


def from_ledger(setting: Setting, scope: str) -> Baseline | None:
    """The verdicts of the ledger, for a design as written in one of its scopes."""
    if setting.variants or setting.change or setting.guards:
        return None
    entry = ledger.read().get(setting.design.name, {}).get(scope)
    return None if entry is None else dict(entry["properties"])


def known_before(design: Design) -> set[str]:
    """The guards of the design that it changes, which are ablated there."""
    base = design.base
    while base is not None and base.name not in DESIGNS:
        base = base.base
    return set() if base is None else guards_of(base)


@dataclass
class Ablating:
    """The explorations for an ablation matrix of `design`, in parallel.

    Each part is left out in its own scope, else in `scope`, else in the first of the design's;
    `scope` given, in that one. `is_brief` ends a search as soon as all that a fence names is
    violated. `known` has verdicts that need no exploration. `tell` gets each row when it is
    there. A fence that breaks nothing in its first setting is tried in the others.
    """

    design: Design
    scope: str | None = None
    bounds: tuple[tuple[str, int], ...] = ()
    is_brief: bool = False
    max_states: int | None = None
    known: Callable[[Setting, str], Baseline | None] = no_ledger
    tell: Callable[[AblationRow], None] = lambda row: None
    is_interrupted: bool = field(init=False, default=False)
    statements: dict[str, str] = field(init=False, default_factory=dict)
    baselines: dict[object, Baseline] = field(init=False, default_factory=dict)
    exploring: defaultdict[object, Lock] = field(
        init=False, default_factory=lambda: defaultdict(Lock)
    )
    telling: Lock = field(init=False, default_factory=Lock)

    def run(self, parts: Sequence[Part], *, watched: bool) -> AblationMatrix:
        """The matrix of these parts; after Ctrl-C, what is known until then."""
        rows: list[AblationRow | None] = [None] * len(parts)
        with Watching(watched) as watching, ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            futures = [pool.submit(self._row, part, watching) for part in parts]
            try:
                for future in futures:
                    future.result()
            except KeyboardInterrupt:
                self.is_interrupted = True
                watching.interrupt()
                pool.shutdown(cancel_futures=True)
            except BaseException:
                watching.interrupt()
                pool.shutdown(cancel_futures=True)
                raise
        rows = [_ended(future) for future in futures]
        return AblationMatrix(
            design=self.design.name,
            title=f"Ablation of {self.design.name}",
            rows=tuple(
                row or self._blank(part, part.settings[0][0], cut=INTERRUPTED)
                for row, part in zip(rows, parts, strict=True)
            ),
            statements=dict(self._stated()),
        )

    def _stated(self) -> Iterator[tuple[str, str]]:
        """Every property that was judged, those of the design first and in its order."""
        for entry in self.design.properties:
            yield entry.name, entry.statement
        yield from self.statements.items()

    def scope_of(self, part: Part) -> str:
        """The named scope in which a part is left out."""
        if self.scope is None and part.scope in self.design.scopes:
            return part.scope
        if self.scope is None and "smoke" in self.design.scopes:
            return "smoke"
        return Question(design=self.design.name, scope=self.scope).scope_name_in(self.design)

    def _row(self, part: Part, watching: Watching) -> AblationRow:
        """The first setting in which the part is needed, else the first setting."""
        made = []
        for before, after in part.settings if part.protects else part.settings[:1]:
            made.append(self._tried(part, before, after, watching))
            if made[-1].is_needed or made[-1].cut == INTERRUPTED:
                break
        row = next((one for one in made if one.is_needed), made[0])
        with self.telling:
            self.tell(row)
        return row

    def _tried(
        self, part: Part, before: Setting, after: Setting, watching: Watching
    ) -> AblationRow:
        until = part.protects if self.is_brief else ()
        try:
            kept = self._baseline(before, part, watching)
            try:
                found = self._explored(after, part, watching, until, f" without {part.name}")
            except DesignError as error:
                after_steps = f", after {counted(len(error.trace), 'step')}" if error.trace else ""
                return self._blank(part, before, fault=f"{error}{after_steps}")
        except KeyboardInterrupt:
            return self._blank(part, before, cut=INTERRUPTED)
        cells = tuple(_cell(one, kept, part) for one in found.properties)
        self.statements |= {one.name: one.statement for one in found.properties}
        is_cut = found.cut is not None and not (until and _all_violated(found, until))
        return self._blank(
            part,
            before,
            cells=cells,
            cut=found.cut if is_cut else None,
            distinct_states=found.distinct_states,
        )

    def _blank(
        self,
        part: Part,
        setting: Setting,
        *,
        cells: tuple[AblationCell, ...] = (),
        cut: str | None = None,
        fault: str = "",
        distinct_states: int = 0,
    ) -> AblationRow:
        return AblationRow(
            name=part.name,
            kind=str(part.kind),
            statement=part.statement,
            variants=setting.variants,
            setting=setting.title,
            scope=self._title(part),
            protects=part.protects,
            stays=part.stays,
            cells=cells,
            cut=cut,
            fault=fault,
            distinct_states=distinct_states,
            is_its_scope=self._title(part) == part.scope or not (self.scope or self.bounds),
        )

    def _title(self, part: Part) -> str:
        changed = [f"{name}={value}" for name, value in self.bounds]
        return ", ".join([self.scope_of(part), *changed])

    def _baseline(self, setting: Setting, part: Part, watching: Watching) -> Baseline:
        """The verdicts with the part, explored once for all parts of a setting and scope."""
        key = (setting.key, self._title(part))
        with self.exploring[key]:
            if key not in self.baselines:
                kept = self.known(setting, self._title(part))
                if kept is None:
                    found = self._explored(setting, part, watching)
                    kept = {one.name: str(one.verdict) for one in found.properties}
                self.baselines[key] = kept
            return self.baselines[key]

    def _explored(
        self,
        setting: Setting,
        part: Part,
        watching: Watching,
        until: Sequence[str] = (),
        less: str = "",
    ) -> Result:
        if watching.is_interrupted:
            raise KeyboardInterrupt
        design = setting.resolved
        scope: Scope = design.scope(self.scope_of(part)).replace(**dict(self.bounds))
        with watching.search(f"{design.name} {self._title(part)}{less}") as watch:
            return explore(
                design,
                scope,
                lambda kernel: MemoryExecution(kernel, 1),
                scope_name=self._title(part),
                max_states=self.max_states,
                until=until,
                watch=watch,
            )


def reviewed(designs: Iterable[Design], *, watched: bool) -> tuple[AblationMatrix, ...]:
    """The matrices of designs for a report: each search ends when what a fence names is violated.

    Verdicts of a design as written are the ledger's. Raises KeyboardInterrupt after Ctrl-C.
    """
    made = []
    for design in designs:
        run = Ablating(design, is_brief=True, known=from_ledger)
        parts = [one for one in parts_of(design, known=known_before(design)) if one.protects]
        made.append(run.run(parts, watched=watched))
        if run.is_interrupted:
            raise KeyboardInterrupt
    return tuple(one for one in made if one.rows)


def _ended(future: Future[AblationRow]) -> AblationRow | None:
    """What a task found; nothing if it had not begun."""
    if future.cancelled():
        return None
    return future.result()


def _all_violated(result: Result, names: Sequence[str]) -> bool:
    broken = {one.name for one in result.properties if one.trace is not None}
    return set(names) <= broken


def _cell(entry: PropertyResult, baseline: Baseline, part: Part) -> AblationCell:
    before = baseline.get(entry.name, "INCOMPLETE")
    return AblationCell(
        name=entry.name,
        verdict=str(entry.verdict),
        before=before,
        steps=None if entry.trace is None else len(entry.trace),
        is_protected=entry.name in part.protects,
        trace=None if entry.trace is None or before == "VIOLATED" else trace_as_dict(entry.trace),
    )
