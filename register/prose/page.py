"""The page of a finding that is told: for somebody who has never seen the model.

First what is pasted into a discussion thread or a ticket (`finding_mail`), then a rule; the
pictures; the same in all detail (`finding_detail`); and the evidence: explorations, assumptions,
how to reproduce it, and, in a fold, the trace. A finding that is told in the report of another has
no text to paste: its page begins with where that is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tierproof.diagrams.paragraphs import as_markdown, listed
from tierproof.diagrams.sequences import of_brokers
from tierproof.diagrams.text import trace_as_text
from tierproof.register.entries import Severity
from tierproof.register.prose.detail import ON_A_PAGE, detail_of
from tierproof.register.prose.mail import mail_of

MOST_ROWS = 3
"""So many broken properties stand open on a page; the others are in a fold."""

Entry = Mapping[str, Any]


def told_page(entry: Entry) -> Iterator[str]:
    """The lines of the page, below its first heading: what is pasted, then the evidence."""
    if entry["told_with"]:
        yield _where_it_is_told(entry["told_with"])
        yield ""
    else:
        yield from as_markdown(mail_of(entry, ON_A_PAGE))
        yield "---"
        yield ""
        yield _how_to_send(entry)
        yield ""
    yield from _pictures(entry)
    if entry["mail"]:
        yield "## In detail"
        yield ""
        yield from as_markdown(detail_of(entry))
    yield "## Evidence"
    yield ""
    yield from _explored(entry)
    yield from _sources(entry)
    yield from _reproduce(entry)
    yield from _fold(entry)


def _where_it_is_told(other: Mapping[str, str]) -> str:
    page = f"../{other['design']}/{other['name']}.md"
    return (
        f"**No report of its own:** it is told with [{other['title']}]({page}), which has the text "
        "for a thread. Here is what that rests on."
    )


def _how_to_send(entry: Entry) -> str:
    """The commands that print what stands above: alone, and as a point of a review."""
    review = f"`tierproof mail {entry['design']}`"
    alone = f"`tierproof mail {entry['design']} {entry['name']}`"
    if Severity(entry["severity"]).is_minor:
        return (
            f"A minor point, for a review rather than a mail of its own: {review}; alone: {alone}."
        )
    return f"The text above stands by itself: {alone} prints it for a mail; all points: {review}."


def _pictures(entry: Entry) -> Iterator[str]:
    yield "## In pictures"
    yield ""
    yield f"![who does what, step by step]({entry['name']}.svg)"
    yield ""
    if entry["panels"]:
        yield f"![the offsets before, at the turning point, and after]({entry['name']}.offsets.svg)"
        yield ""


def _explored(entry: Entry) -> Iterator[str]:
    """What breaks, and what becomes of it with the fix."""
    yield "### What was explored"
    yield ""
    if entry["told"]:
        yield f"The last step breaks this property: *{entry['shown']['statement']}*"
        yield ""
    if entry["repair"] is not None:
        yield from _with_the_fix(entry)
    rows = [
        f"| {told['statement']} (`{claim}`) | {length(told)} | {told['ended'] or '-'} |"
        for claim, told in entry["claims"].items()
    ]
    yield from _table(entry, rows[:MOST_ROWS])
    if further := rows[MOST_ROWS:]:
        yield f"<details><summary>{len(further)} more properties break</summary>"
        yield ""
        yield from _table(entry, further)
        yield "</details>"
        yield ""


def _table(entry: Entry, rows: list[str]) -> Iterator[str]:
    yield f"| what breaks | steps | {_ending(entry)} |"
    yield "|---|--:|---|"
    yield from rows
    yield ""


def _with_the_fix(entry: Entry) -> Iterator[str]:
    is_clean = all(told["ended"] == "HOLDS" for told in entry["claims"].values())
    yield (
        f"We explored every interleaving with this fix (`{entry['repair']}`) and the fixes of all "
        f"other findings of the design: "
        f"{'no property below breaks' if is_clean else 'not every property below holds'} then."
    )
    yield ""
    for helper, reason in entry["redefines"].items():
        yield f"Properties ask `{helper}` as this fix redefines it: {reason}."
        yield ""
    yield from _with_the_proposal(entry)
    yield from _closed_in(entry["closed_in"])
    for one in entry["apart"]:
        why = (
            "it builds on this fix"
            if one["builds_on"]
            else "with it the cause stays hidden, or shows later"
        )
        yield f"To show this cause the fix `{one['fix']}` was left out, too: {why}."
        yield ""
    if entry["room"]:
        yield (
            "The fixed design still does its work in this scope; this happens: "
            f"*{entry['shows_that'].rstrip('.')}* (`{entry['shows']}`)."
        )
        yield ""
    yield from stopping(entry)


def _with_the_proposal(entry: Entry) -> Iterator[str]:
    """What becomes of the claims with the change of the mail, where that is another."""
    if entry["proposal"]:
        is_clean = all(told["proposed"] == "HOLDS" for told in entry["claims"].values())
        where = "alone" if entry["stands_alone"] else "in place of this fix"
        if beside := entry["together_with"]:
            where = f"and the fixes of {listed([f'*{title}*' for title in beside])}, and no other"
        yield (
            f"The mail proposes another change. With that (`{entry['proposal']}`) {where}, the "
            f"search of this scope ran to its end, too: "
            f"{'no property below breaks' if is_clean else 'not every property below holds'}."
        )
        yield ""


def _closed_in(counts: Mapping[str, int]) -> Iterator[str]:
    """In how many scopes the fixed design was explored to the end; each of them in a fold."""
    if not counts:
        return
    scopes = "1 scope" if len(counts) == 1 else f"{len(counts)} scopes"
    yield (
        f"<details><summary>Explored to the end in {scopes}, up to {max(counts.values()):,} "
        "states</summary>"
    )
    yield ""
    yield from (f"- `{name}`: {count:,} states" for name, count in counts.items())
    yield ""
    yield "</details>"
    yield ""


def stopping(entry: Entry) -> Iterator[str]:
    """The step at which the same trace stops with the repair or the fix."""
    if (stop := entry["stopped"]) is None:
        yield "The fix forbids no step of this trace: it changes what a step does; nothing breaks."
    else:
        by = f": `{stop['by']}` is false there" if stop["by"] else ""
        yield f"The fix stops this trace before step {stop['number']}, `{stop['step']}`{by}."
    yield ""


def _sources(entry: Entry) -> Iterator[str]:
    """The assumptions that the model makes here, and what brokers showed."""
    if entry["assumptions"]:
        yield "The model assumes:"
        yield ""
        for name, one in entry["assumptions"].items():
            yield f"- [{name}](../../assumptions.md): {one['question']} Here: {one['choice']}"
        yield ""
    if entry["on_brokers"]:
        yield "[What was seen on released brokers](../../brokers.md)."
        yield ""
    if entry["steps_on_brokers"]:
        yield f"[The report to file, with the commands](../../reports/{entry['name']}.md)."
        yield ""


def _reproduce(entry: Entry) -> Iterator[str]:
    bounds = " ".join(f"{name}={value}" for name, value in entry["bounds"].items() if value)
    yield "### Reproduce"
    yield ""
    yield "In a clone of tierproof, after `make setup`:"
    yield ""
    yield "```"
    yield f"tierproof explore {entry['design']} --finding {entry['name']}"
    yield "```"
    yield ""
    beside = "".join(f", with the reading `{name}`" for name in entry["beside"])
    yield f"Design `{entry['design']}`, scope `{entry['scope']}`{beside}: {bounds}."
    yield ""
    if entry["limits"]:
        yield "An exploration is finite. Along this trace only its limits forbade some steps:"
        yield ""
        for one in entry["limits"]:
            yield f"- from step {one['step'] + 1} on, *{one['statement']}* (`{one['name']}`)"
        yield ""


def _fold(entry: Entry) -> Iterator[str]:
    if notes := [one["sentence"] for one in entry["told"] if one["is_note"]]:
        yield "Notes:"
        yield ""
        yield from (f"- {sentence}" for sentence in notes)
        yield ""
    yield "<details>"
    yield f"<summary>The trace, step by step: {length(entry['claims'][entry['shown']['name']])}"
    yield "steps</summary>"
    yield ""
    yield "```"
    yield trace_as_text(of_brokers(entry["trace"]), entry["shown"])
    yield "```"
    yield ""
    yield "</details>"
    yield ""
    yield "Times, sizes and keys are small stand-ins. Fields that no broker has are left out."
    yield ""
    yield "Generated by `tierproof findings`; the sentences are written by hand in the design."
    yield ""


def _ending(entry: Entry) -> str:
    return "with the fix" if entry["repair"] else "repaired"


def length(told: Mapping[str, Any]) -> str:
    """The number of steps of the trace, and how many of them repeat for ever."""
    start = told.get("cycle_start")
    if start is None or start == told["steps"]:
        return str(told["steps"])
    return f"{start} and a cycle of {told['steps'] - start}"
