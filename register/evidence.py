"""What an entry of the register tells: its trace, in sentences and pictures; where it is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tierproof.conformance.brokers import in_words
from tierproof.model import designs
from tierproof.model.language.design import Design
from tierproof.model.language.errors import DesignError
from tierproof.model.language.offset_picture import OffsetPicture, pictures_of
from tierproof.model.language.replaying import replay
from tierproof.model.language.trace import Trace
from tierproof.register import json_file, prose, register_of
from tierproof.register.entries import Finding, PublishedBug
from tierproof.register.isolation import causes, closed, isolated
from tierproof.register.isolation import file as isolation_file
from tierproof.spark_explorer.question import Question

ASSUMPTIONS = Path(designs.__file__).resolve().parents[2] / "docs" / "assumptions.md"
"""The assumption register; an installed package has none."""


BROKERS = Path(designs.__file__).resolve().parents[2] / "docs" / "brokers.json"
"""What released brokers showed, as `tierproof confirm --update` keeps it."""


REPORTS = BROKERS.with_name("reports")
"""The reports to file, a page for each finding that has one."""


def told(
    design: Design,
    one: Finding | PublishedBug,
    scope: str,
    trace: Trace,
    in_force: Sequence[str] | None = None,
) -> dict[str, Any]:
    """The story of a finding, if it tells this trace, and where its repair holds.

    `in_force` are the repairs that the steps need, None if they have to be found.
    """
    if not isinstance(one, Finding) or not one.story:
        return {"told": None}
    if in_force is None:
        in_force = repairs_in_force(design, one, trace)
    sentences = one.story.told(len(trace)) if one.story.trace == trace.digest else ()
    found = _closed_in(design, one)
    return {
        "digest": trace.digest,
        "on_brokers": in_words(_on_brokers(), design.name, one.name),
        "steps_on_brokers": _section_of_report(one.name, "Steps"),
        "seen_on_brokers": _section_of_report(one.name, "Observed"),
        "told": [vars(sentence) for sentence in sentences],
        "in_force": [{"fix": fix, "title": _title(design, fix)} for fix in in_force],
        "closed_in": {
            name: known["distinct_states"]
            for name, known in found.items()
            if known and isolation_file.holds(known, one.claims)
        },
        "room": _room(one, found[scope]),
        "shows_that": _statement(design, one.shows),
        "panels": _panels(one, _with(design, one, trace, in_force)) if sentences else [],
    }


def _closed_in(design: Design, one: Finding) -> dict[str, Mapping[str, Any] | None]:
    """What is kept of the closed design, by scope."""
    explored, variants = kept(design), closed(design, one.beside)
    return {s: explored.get(isolation_file.key_of(s, variants)) for s in design.scopes}


def kept(design: Design) -> dict[isolation_file.Key, isolation_file.Explored]:
    """The explorations that are kept of a design; none of another that only has its name."""
    is_ours = design.name in designs.DESIGNS and Question(design=design.name).resolve()[0] == design
    return isolation_file.read(design.name) if is_ours else {}


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


def _breaks(design: Design, one: Finding, trace: Trace, variants: Sequence[str]) -> bool:
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


def _with(design: Design, one: Finding, trace: Trace, in_force: Sequence[str]) -> Trace:
    """The steps in the design with the fixes that they need and no other, as the mail tells."""
    needed = [name for name in isolated(design, one) if name in (*one.beside, *in_force)]
    changed = design.with_variants(*needed)
    return Trace(changed, trace.scope, trace.initial, trace.steps, trace.cycle_start)


def titles(design: Design, repairs: Sequence[str]) -> list[str]:
    """The titles of the findings that these repairs mend."""
    return [_title(design, repair) for repair in repairs]


def _title(design: Design, repair: str) -> str:
    """The title of the finding that a repair mends."""
    return next((one.title for one in causes(design) if one.repair == repair), "")


def _statement(design: Design, witness: str | None) -> str:
    return next((one.statement for one in design.witnesses if one.name == witness), "")


def _panels(one: Finding, trace: Trace) -> list[tuple[str, OffsetPicture]]:
    """The offsets at first, after the step where the harm is done, and in the end.

    Where the last step does the harm, before it.
    """
    if one.turning is None:
        return []
    last = len(trace)
    turning = one.turning if one.turning < last else last - 1
    captions = {turning: f"After step {turning}", 0: "At first", last: "In the end"}
    pictures = pictures_of(trace, sorted(captions))
    return [(captions[n], it) for n, it in zip(sorted(captions), pictures, strict=False)]


def on_the_same_document(design: Design) -> Iterator[Design]:
    """The design, and the others that take the same document apart: alternatives it rejects."""
    yield design
    if design.name in designs.DESIGNS:
        names = (name for name in designs.DESIGNS if name != design.name)
        others = (Question(design=name).resolve()[0] for name in names)
        yield from (one for one in others if one.document == design.document)


def told_with(design: Design, one: Finding) -> dict[str, str] | None:
    """The finding in whose report another one is told, and whose page has the text for a thread.

    None for a finding that has a mail of its own, or none. Raises DesignError for an aside to a
    finding that nobody has.
    """

    text = one.mail
    if not text or not isinstance(aside := prose.read_mail(text), prose.Aside):
        return None
    for other in on_the_same_document(design):
        for main in register_of(other).findings:
            if main.name == aside.told_with:
                return {"design": other.name, "name": main.name, "title": main.title}
    raise DesignError(f"{one.name!r} is told with {aside.told_with!r}, which nobody has")


def redefines(design: Design, one: Finding) -> dict[str, str]:
    """The helpers that a property calls and the repair defines anew, with the reason."""
    repair = next((entry for entry in design.variants if entry.name == one.repair), None)
    parts = repair.whole if repair else ()
    return {old.__name__: why for part in parts for old, why in part.redefines.items()}


def apart(design: Design, one: Finding) -> list[dict[str, Any]]:
    """The fixes that are left out beside the finding's own, and whether they build on it."""
    variants = {variant.name: variant for variant in design.variants}
    return [
        {"fix": name, "builds_on": one.repair in variants[name].foundations} for name in one.apart
    ]


def limits(trace: Trace, cut_off: Mapping[str, int]) -> list[dict[str, Any]]:
    """The limits that cut behaviours off, each with what it says and the first step after."""
    guards = trace.design.guards
    return [
        {"name": name, "step": step, "statement": guards[name].statement.rstrip(".")}
        for name, step in cut_off.items()
    ]


def _room(one: Finding, known: Mapping[str, Any] | None) -> bool | None:
    """Whether the closed design reaches the witness of room in the scope; None: not known."""
    if one.shows is None or known is None or "cut" in known:
        return None
    return one.shows not in known.get("not_reached", ())


def untold(entry: Mapping[str, Any]) -> str | None:
    """What is wrong with the words of an entry, None if they tell the trace that is shown."""
    if entry["told"] is None:
        return None
    if not entry["told"]:
        return f"{entry['name']}: no story yet of trace {entry['digest']!r}"

    mail = prose.read_mail(entry["mail"]) if entry["mail"] else None
    if isinstance(mail, prose.Mail) and mail.trace != entry["digest"]:
        return f"{entry['name']}: the mail tells trace {mail.trace!r}, not {entry['digest']!r}"
    return None


def _section_of_report(name: str, title: str) -> str:
    """A section of the report to file of a finding; empty without a report."""
    page = REPORTS / f"{name}.md"
    if not page.exists():
        return ""
    _, _, begun = page.read_text("utf-8").partition(f"\n## {title}\n")
    return begun.partition("\n## ")[0].strip()


@cache
def _on_brokers() -> list[dict[str, Any]]:
    if not BROKERS.exists():
        return []
    found: list[dict[str, Any]] = json_file.read(BROKERS)["results"]
    return found


def assumed(name: str) -> dict[str, Any]:
    """What an assumption ("B6") is about, and what it chooses; empty without a register.

    `is_of_a_kip`: it reads a KIP, in the same way on every page, so that a thread can be told.
    `asks` is the question to the authors; where the register has none, what the text says.
    """
    missing = {"question": "", "choice": "", "asks": "", "is_of_a_kip": False}
    return _choices().get(name, missing)


@cache
def _choices() -> dict[str, dict[str, Any]]:
    if not ASSUMPTIONS.exists():
        return {}
    lines = ASSUMPTIONS.read_text("utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    asked = {row[0]: row[1] for row in rows if len(row) == 2}
    return {
        row[0]: {
            "question": _sentence(row[2]),
            "choice": _sentence(row[3]),
            "asks": asked.get(row[0]) or _sentence(row[2]),
            "is_of_a_kip": row[1].startswith("KIP-") and " page " not in row[3],
        }
        for row in rows
        if len(row) == 5
    }


def _sentence(cell: str) -> str:
    return f"{cell.rstrip('.')}."
