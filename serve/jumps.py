"""Where to jump to: the traces of findings, of files in ITF, and of kept runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock, Timer
from typing import TYPE_CHECKING, Any

from tierproof.model.language.design import Design
from tierproof.model.language.errors import Misused, closest
from tierproof.model.language.interpreter import Steps
from tierproof.model.language.itf import trace_of_itf
from tierproof.model.language.itf_meta import META, said_of_trace
from tierproof.model.language.trace import Trace
from tierproof.register import json_file, traces
from tierproof.register.registers import FOLDER, register_of
from tierproof.serve.positions import BadLink, Position
from tierproof.serve.settings import Offered
from tierproof.serve.step_words import written
from tierproof.spark_explorer import engines
from tierproof.spark_explorer.question import Question

if TYPE_CHECKING:
    from tierproof.spark_explorer.kept.opening import KeptRun
    from tierproof.spark_explorer.kept.states import KeptStates

MOST_ROWS = 50
"""Rows of a run's states that a page shows."""
SECONDS_OF_SQL = 20.0
"""How long a query on a run's states may take."""
FILES = "*.itf.json"


def position_of(words: str, trace: Trace) -> Position:
    """The position at the end of a trace of the design that `words` name, with its edits."""
    design, steps = trace.design, Steps(trace.design, trace.scope)
    named = next((name for name, one in design.scopes.items() if one == trace.scope), None)
    question = Question(design=words)
    usual = dict(design.scope(question.scope_name_in(design)))
    bounds = [(name, value) for name, value in trace.scope if usual[name] != value]
    return Position(
        design=words,
        scope=named,
        bounds=() if named is not None else tuple(bounds),
        variants=design.chosen_variants,
        without=tuple(sorted(design.dropped_guards)),
        start=trace.initial,
        path=tuple(written(steps, step) for step in trace.steps),
        cycle=trace.cycle_start,
    )


# -- findings


def findings_of(design: Design) -> list[dict[str, str]]:
    """The findings and published bugs of a design whose traces are kept: name and title."""
    register = register_of(design)
    entries: list[traces.Entry] = [*register.findings, *register.published_bugs]
    kept = [one for one in entries if traces.path_of(design, one.name).exists()]
    return [{"name": one.name, "title": one.title} for one in kept]


def to_finding(words: str, design: Design, name: str) -> Position:
    """The end of a finding's trace. Raises UnknownName."""
    closest("finding", name, [one["name"] for one in findings_of(design)])
    kept = traces.kept_of(design, name)
    assert kept is not None
    return position_of(words, kept.trace(design))


def design_of_finding(name: str) -> str | None:
    """The design of ours that has a finding, or a published bug, of this name; None if none has.

    Raises BadLink if several have.
    """
    found = sorted(path.parent.name for path in FOLDER.glob(f"*/{name}.json"))
    if len(found) > 1:
        told = ", ".join(f"tierproof serve {design} {name}" for design in found)
        raise BadLink(f"several designs have a finding {name!r}: {told}")
    return found[0] if found else None


# -- files


def to_file(file: Path, words: str, offered: Offered) -> Position:
    """The end of a trace in ITF. Raises BadLink for a file that cannot be read, NoTrace."""
    try:
        found = json_file.decoded(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadLink(f"{file} cannot be read as JSON: {error}") from None
    ours = said_of_trace(found)
    question = Question(
        design=words,
        bounds=tuple(dict(ours.get("scope", {})).items()),
        variants=tuple(ours.get("variants", ())),
        without=tuple(ours.get("without", ())),
    )
    setting = offered.setting(question)
    return position_of(words, trace_of_itf(found, setting.design, setting.scope))


def design_of_file(file: Path) -> str | None:
    """The design that a trace in ITF says that it is of; None if it does not say."""
    try:
        found = json_file.decoded(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadLink(f"{file} cannot be read as JSON: {error}") from None
    meta = found.get(META) if isinstance(found, Mapping) else None
    source = meta.get("source") if isinstance(meta, Mapping) else None
    return source if isinstance(source, str) else None


# -- runs


class NoSuchState(Misused):
    """A run has no state of this id at this level."""


@dataclass
class ServedRun:
    """A kept run whose states are found by SQL. Its tables are read, and never written."""

    address: str
    run: KeptRun
    _states: KeptStates | None = None
    _lock: Lock = field(default_factory=Lock)

    @classmethod
    def open(cls, address: str) -> ServedRun:
        """The run at an address. Raises NotInstalled, NotKept."""
        engines.check_installed("a run that is kept", "runs", engines.OF_RUNS)
        from tierproof.spark_explorer.kept.opening import KeptRun

        return cls(address, KeptRun.open(address))

    @property
    def words(self) -> str:
        """Its design."""
        return self.run.manifest.question.design

    @property
    def position(self) -> Position:
        """Where it begins."""
        asked = self.run.manifest.question
        return Position(
            design=asked.design,
            scope=asked.scope,
            bounds=asked.bounds,
            variants=asked.variants,
            without=asked.without,
        )

    def states(self, where: str) -> list[dict[str, Any]]:
        """The first states, by level, of which a SQL condition is true.

        Raises BadSQL; BadLink after SECONDS_OF_SQL; Misused if the table of states is not written
        yet, or DuckDB is missing.
        """
        engines.check_installed("SQL on a run", "runs", engines.OF_QUERIES)
        from tierproof.spark_explorer.tables.opening import opened

        if not self._has_tables():
            raise Misused(
                f"the states of {self.address} are no table yet, and this page writes nothing: "
                f"tierproof query {self.address} writes it once"
            )
        sql = (
            f"SELECT level, id, violates, reaches FROM states WHERE (\n{where}\n) "
            f"ORDER BY level, id LIMIT {MOST_ROWS}"
        )
        with opened(self.run) as database:  # its own: no other question waits for this one
            clock = Timer(SECONDS_OF_SQL, database.interrupt)
            clock.start()
            try:
                return list(database.records(sql))
            except KeyboardInterrupt:  # never that of Ctrl-C, which the main thread alone gets
                raise BadLink(
                    f"the query was ended after {SECONDS_OF_SQL:g} seconds: ask for less, or ask "
                    f"it by tierproof query {self.address}"
                ) from None
            finally:
                clock.cancel()

    def _has_tables(self) -> bool:
        from tierproof.spark_explorer.tables.opening import FOLDER as TABLES
        from tierproof.spark_explorer.tables.writing import STATES, Manifest

        store = self.run.store.child(TABLES)
        return Manifest.read(store, self.run.manifest.digest).has(STATES, self.run.levels)

    def to_state(self, level: int, id: int) -> Position:
        """The end of a shortest trace to a state.

        Raises NoSuchRun for a level, NoSuchState; Unlike if the design has changed since.
        """
        from tierproof.spark_explorer.kept.states import KeptStates

        with self._lock:
            if self._states is None:
                self._states = KeptStates(self.run)
            if not self._states.has(level, id):
                raise NoSuchState(f"{self.address} has no state with the id {id} at level {level}")
            return position_of(self.words, self._states.trace(level, id))

    def to_claim(self, name: str) -> Position:
        """The end of the trace to what the run has violated or reached. Raises UnknownName."""
        result = self.run.result()
        known = result.traces
        trace = known[closest("property or witness", name, known)]
        if trace is None:
            raise BadLink(f"{self.address} has no trace to {name}: nothing violated or reached it")
        return position_of(self.words, trace)
