"""The result of a run as it is kept: all of it, so that it can be shown as it was printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from tierproof.model.language.actions import Step
from tierproof.model.language.design import Design
from tierproof.model.language.interpreter import Steps
from tierproof.model.language.members import as_json
from tierproof.model.language.scope import Scope
from tierproof.model.language.trace import Trace
from tierproof.spark_explorer.provenance import OnSpark, Resumed
from tierproof.spark_explorer.results import (
    Fault,
    PropertyResult,
    Result,
    Verdict,
    WitnessResult,
)
from tierproof.spark_explorer.symmetry import Symmetry

PARTS = {"symmetry": Symmetry, "resumed": Resumed, "on_spark": OnSpark}
"""What a result has perhaps, made of its own fields alone."""


def as_kept(value: Any) -> Any:
    """A result, or a part of it, as plain values."""
    if isinstance(value, Trace):
        return {
            "initial": value.initial,
            "steps": [as_kept(step) for step in value.steps],
            "cycle_start": value.cycle_start,
        }
    if isinstance(value, Step):
        return [value.action, {name: as_json(given) for name, given in value.arguments}]
    if isinstance(value, Result):
        return {"verdict": str(value.verdict), **_of_fields(value)}
    if is_dataclass(value):
        return _of_fields(value)
    if isinstance(value, Enum):
        return str(value)
    if isinstance(value, Mapping):
        return {name: as_kept(one) for name, one in value.items()}
    return [as_kept(one) for one in value] if isinstance(value, tuple) else value


def _of_fields(value: Any) -> dict[str, Any]:
    return {one.name: as_kept(getattr(value, one.name)) for one in fields(value)}


class Reader:
    """Makes a result of what was kept; the design and the scope are those of the run.

    What the design says in words of itself and of its properties is said as it says it now.
    """

    def __init__(self, design: Design, scope: Scope) -> None:
        self.design, self.scope = design, scope
        self.steps = Steps(design, scope)
        self.words = _words(design, scope)

    def result(self, found: Mapping[str, Any]) -> Result:
        """The result."""
        made = {
            "properties": tuple(map(self._property, found["properties"])),
            "witnesses": tuple(map(self._witness, found["witnesses"])),
            "fault": self._fault(found["fault"]),
            **{
                name: None if found.get(name) is None else kind(**found[name])
                for name, kind in PARTS.items()
            },
        }
        lists = {name: tuple(one) for name, one in found.items() if isinstance(one, list)}
        given = {name: one for name, one in found.items() if name != "verdict"}
        design = self.design
        words = {"title": design.title, "document": design.document, "redefines": design.moved}
        return Result(**{**given, **lists, **made, **words})

    def _property(self, found: Mapping[str, Any]) -> PropertyResult:
        verdict = Verdict(found["verdict"])
        words, trace = self.words.get(found["name"], {}), self._trace(found["trace"])
        return PropertyResult(**{**found, **words, "verdict": verdict, "trace": trace})

    def _witness(self, found: Mapping[str, Any]) -> WitnessResult:
        statement = self.words.get(found["name"], found)["statement"]
        trace = self._trace(found["trace"])
        return WitnessResult(**{**found, "statement": statement, "trace": trace})

    def _fault(self, found: Mapping[str, Any] | None) -> Fault | None:
        if found is None:
            return None
        trace = self._trace(found["trace"])
        assert trace is not None
        step = None if found["step"] is None else self._step(found["step"])
        return Fault(**{**found, "trace": trace, "step": step})

    def _trace(self, found: Mapping[str, Any] | None) -> Trace | None:
        if found is None:
            return None
        steps = tuple(map(self._step, found["steps"]))
        return Trace(self.design, self.scope, found["initial"], steps, found["cycle_start"])

    def _step(self, found: tuple[str, Mapping[str, Any]]) -> Step:
        action, given = found
        return self.steps.step(self.steps.label(Step(action, tuple(given.items()))))


def _words(design: Design, scope: Scope) -> dict[str, dict[str, str]]:
    """What each property, witness and law says, and where that stands."""
    claims = {
        entry.name: {"statement": entry.statement, "source": entry.source}
        for entry in design.checked
    }
    laws = {
        law.law_name: {"statement": law.law_statement, "source": law.source}
        for law in design.laws(scope)
    }
    return claims | laws
