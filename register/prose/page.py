"""The page of a finding: its file, with drawings, and what runs say of it in folds.

The page is built, never kept: `tierproof review` and `make site` write it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tierproof.diagrams.sequences import of_brokers
from tierproof.diagrams.text import trace_as_text
from tierproof.model.language.explaining import why_of
from tierproof.register import evidence
from tierproof.register.assumptions import assumptions
from tierproof.register.entries import Finding
from tierproof.register.paragraphs import as_markdown, listed
from tierproof.register.prose.mail import fixes_of, is_mended, sent
from tierproof.register.traces import Broken, Kept, Shown
from tierproof.spark_explorer.results import trace_as_dict


def page_of(shown: Shown, drawings: tuple[str, ...] = ()) -> str:
    """A finding as Markdown; `drawings` are links to its pictures."""
    one = shown.entry
    assert isinstance(one, Finding)
    assert one.text is not None
    lines = [f"# {one.title}", "", *as_markdown(sent(shown))]
    for drawing in drawings:
        lines += [f"![{one.title}]({drawing})", ""]
    for title, text in (("Detail", one.text.detail), ("On released brokers", one.text.report)):
        lines += [f"## {title}", "", text, ""] if text else []
    return "\n".join([*lines, "## What was explored", "", *explored(shown), ""])


def explored(shown: Shown) -> Iterator[str]:
    """What runs say of a finding: lines of Markdown."""
    design, one = shown.design, shown.entry
    assert isinstance(one, Finding)
    yield from _needed(shown)
    yield from _ended(shown, one)
    yield from _fold(
        "What breaks", _table(shown.kept.claims, evidence.statements_of(shown.trace.design))
    )
    counts = evidence.closed_in(design, one)
    if counts:
        rows = [f"- `{name}`: {count:,} states" for name, count in counts.items()]
        yield from _fold(f"With all fixes nothing of it breaks in {len(counts)} scopes", rows)
    if one.assumptions:
        yield from _fold("What is assumed", _assumed(one))
    if shown.kept.cut_off:
        guards = design.with_variants(*shown.kept.variants).guards
        rows = [
            f"- from step {step + 1} on: {guards[name].statement} (`{name}`)"
            for name, step in shown.kept.cut_off.items()
        ]
        yield from _fold("Steps that only the bounds of the search forbade", rows)
    yield from _fold("The trace, step by step", ["```", text_of(shown), "```"])
    yield f"To repeat it: `{shown.command}`"


def text_of(shown: Shown) -> str:
    """The steps of the trace as text, without fields that no broker has."""
    record = of_brokers(trace_as_dict(shown.trace))
    name = shown.kept.claim
    found: dict[str, Any] = {
        "name": name,
        "statement": evidence.statements_of(shown.trace.design)[name],
        "kind": "",
    }
    if (why := why_of(shown.trace, name)) is not None:
        found["why"] = why.as_dict()
    return trace_as_text(record, found)


def _needed(shown: Shown) -> Iterator[str]:
    """The fixes without which the design does not take the steps."""
    if shown.kept.in_force:
        fixes = fixes_of(shown.design, shown.kept.in_force)
        are = "is" if len(shown.kept.in_force) == 1 else "are"
        yield f"In these steps {fixes} {are} in force, so that they show this defect alone."
        yield ""


def _ended(shown: Shown, one: Finding) -> Iterator[str]:
    """What becomes of it with the repair and with the proposal."""
    design = shown.design
    if one.repair is None:
        yield f"No change of the design was tried: {one.unrepaired}"
        yield ""
        return
    is_clean = all(told.ended == "HOLDS" for told in shown.kept.claims.values())
    breaks = "none of it breaks" if is_clean else "not all of it holds"
    yield (
        f"With the repair that was searched (`{one.repair}`) and those of all other findings of "
        f"the design, {breaks}. {evidence.stopped_by(shown, one)}"
    )
    yield ""
    if one.proposal:
        where = "alone" if one.stands_alone else "in its place"
        if one.together_with:
            titles = [f"*{evidence.title_of(design, name)}*" for name in one.together_with]
            where = f"and the fixes of {listed(titles)}, and no other"
        ends = "none of it breaks" if is_mended(one, shown.kept) else "not all of it holds"
        yield f"With what is proposed (`{one.proposal}`) {where}, {ends}."
        yield ""
    elif one.proposed is None:
        yield "What is proposed is another change, which was not searched."
        yield ""
    for helper, reason in evidence.redefined(design, one).items():
        yield f"Properties ask `{helper}` as the repair redefines it: {reason}."
        yield ""
    variants = {variant.name: variant for variant in design.variants}
    for name in one.apart:
        builds = one.repair in variants[name].foundations
        why = "it builds on this one" if builds else "with it the cause is hidden or shows later"
        yield f"The repair `{name}` is left out, too: {why}."
        yield ""
    if room := evidence.leaves_room(design, one):
        yield f"The closed design still does its work in this scope: *{room.rstrip('.')}*."
        yield ""


def _table(claims: Mapping[str, Broken], says: Mapping[str, str]) -> list[str]:
    rows = [
        f"| {says[name]} (`{name}`) | {told.length} | {told.ended or '-'} |"
        for name, told in claims.items()
    ]
    return ["| property | steps | with the repair |", "|---|--:|---|", *rows]


def _assumed(one: Finding) -> Iterator[str]:
    for name in one.assumptions:
        it = assumptions()[name]
        yield f"- {name}: {it.asks or it.text}. Here: {it.choice}."


def _fold(summary: str, lines: Iterator[str] | list[str]) -> Iterator[str]:
    yield f"<details><summary>{summary}</summary>"
    yield ""
    yield from lines
    yield ""
    yield "</details>"
    yield ""


def summary_of(kept: Kept) -> str:
    """The length of the trace in words."""
    return f"{kept.claims[kept.claim].length} steps"
