"""The trace that a command is about: in a file, of a finding, or of a kept run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tierproof.command_line import kept
from tierproof.command_line.options import question_of, refuse_idle

if TYPE_CHECKING:
    from tierproof.model.language import Trace
    from tierproof.register import Finding, PublishedBug
    from tierproof.spark_explorer.provenance import Resumed
    from tierproof.spark_explorer.question import Question

Owner = Annotated[str, typer.Argument(metavar="DESIGN|RUN", help="A design, or a kept run.")]
Named = Annotated[
    str,
    typer.Argument(
        metavar="FILE|FINDING|PROPERTY",
        help="A trace in ITF (.itf.json), a finding or published bug of the design, or what the "
        "run has violated or reached.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class Changes:
    """The options that change the design of a trace in a file."""

    scope: str | None = None
    bounds: Sequence[str] | None = None
    variant: Sequence[str] | None = None
    without: Sequence[str] | None = None

    def refuse(self, whose: str) -> None:
        """Raise BadParameter if one of them is given for a trace that has its own."""
        needed = f"a trace in a file: {whose} has its own"
        given = {"scope": self.scope, "set": self.bounds, "variant": self.variant}
        refuse_idle(needed, **given, without=self.without)


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """A trace, the record of the property that it violates or the witness, if any, and from where
    its run was resumed, if it was.
    """

    trace: Trace
    shown: Mapping[str, Any] | None
    resumed: Resumed | None = None


def chosen_trace(owner: str, name: str, changes: Changes) -> Chosen:
    """The trace that the words name.

    Raises BadParameter for a file that cannot be read and an option that would do nothing,
    NoTrace for one that is no trace of the design, UnknownName for a name of nothing.
    """
    if kept.is_run(owner):
        changes.refuse("a run")
        trace, shown, resumed = kept.shown_in(owner, name)
        return Chosen(trace=trace, shown=shown, resumed=resumed)
    if _is_file(name):
        return _of_file(owner, Path(name), changes)
    changes.refuse("a finding")
    return _of_finding(owner, name)


def _is_file(name: str) -> bool:
    return Path(name).is_file() or "/" in name or name.endswith(".json")


def _of_finding(owner: str, name: str) -> Chosen:
    from tierproof.model.language.errors import closest
    from tierproof.register import register_of, traces
    from tierproof.spark_explorer.question import Question

    design, _ = Question(design=owner).resolve()
    register = register_of(design)
    known: list[Finding | PublishedBug] = [*register.findings, *register.published_bugs]
    entries = {one.name: one for one in known}
    found = traces.shown(design, entries[closest("file or finding", name, entries)])
    return Chosen(trace=found.trace, shown=broken(found.trace, found.kept.claim))


def _of_file(owner: str, file: Path, changes: Changes) -> Chosen:
    from tierproof.model.language.itf import trace_of_itf
    from tierproof.model.language.itf_meta import said_of_trace

    found = _loaded(file)
    ours = said_of_trace(found)
    asked = question_of(
        owner, changes.scope, changes.bounds, changes.variant, changes.without, None
    )
    design, sized = _completed(asked, ours).resolve()
    replayed = trace_of_itf(found, design, sized)
    return Chosen(trace=replayed, shown=broken(replayed, str(ours.get("property", ""))))


def _loaded(file: Path) -> Any:
    from tierproof.register.json_file import decoded

    try:
        return decoded(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise typer.BadParameter(f"{file} cannot be read as JSON: {error}") from None


def _completed(question: Question, ours: Mapping[str, Any]) -> Question:
    """The question, with what the trace says where no option says it.

    Raises BadParameter for a variant in a file: what is imported is named by the user alone.
    """
    from dataclasses import replace

    from tierproof.spark_explorer.own_variants import is_own

    own = [words for words in ours.get("variants", ()) if is_own(str(words))]
    if own and not question.variants:
        options = " ".join(f"--variant {words}" for words in ours["variants"])
        raise typer.BadParameter(
            f"the trace is of variant {own[0]}, which is in a file: say that it may be imported, "
            f"{options}"
        )
    is_sized = question.scope is not None or question.bounds
    return replace(
        question,
        bounds=question.bounds if is_sized else tuple(dict(ours.get("scope", {})).items()),
        variants=question.variants or tuple(ours.get("variants", ())),
        without=question.without or tuple(ours.get("without", ())),
    )


def broken(trace: Trace, name: str) -> dict[str, Any] | None:
    """The record of the property of that name, if the trace violates it. Raises UnknownName."""
    from tierproof.model.language.errors import closest
    from tierproof.model.language.explaining import why_of
    from tierproof.model.language.replaying import replay

    if not name:
        return None
    design = trace.design
    closest("property", name, [*_laws(trace), *(one.name for one in design.checked)])
    claim = next((one for one in design.properties if one.name == name), None)
    if claim is None:
        return None
    found = replay(
        design,
        trace.scope,
        trace.steps,
        name,
        initial=trace.initial,
        cycle_start=trace.cycle_start,
    )
    if not found.is_violated:
        return None
    why = why_of(trace, name)
    shown = {"name": name, "kind": str(claim.kind), "statement": claim.statement}
    return {**shown, "is_shortest": False, "why": why and why.as_dict()}


def _laws(trace: Trace) -> list[str]:
    return [law.law_name for law in trace.design.laws(trace.scope)]
