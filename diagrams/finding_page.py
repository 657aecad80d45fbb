"""The page of a finding that is told: for somebody who has never seen the model.

In this order: severity and what it needs, the passage, what happens, the picture, the fix, how
to reproduce it. The trace, step by step, stands in a fold at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tierproof.diagrams.sequences import of_brokers
from tierproof.diagrams.text import trace_as_text

KAFKA = "trunk at d79bd502ec, August 2026"
"""The commit whose code the models follow."""

MEANING = {"text only": ": no record, object or client is harmed"}
"""What a severity means, where its name does not say it."""

MOST_ROWS = 3
"""So many broken properties stand open on a page; the others are in a fold."""

Entry = Mapping[str, Any]


def told_page(entry: Entry) -> Iterator[str]:
    """The lines of the page, below its first heading."""
    yield from _severity(entry)
    yield from _passages(entry)
    yield from _story(entry)
    yield from _picture(entry)
    yield from _fix(entry)
    yield from _reproduce(entry)
    yield from _fold(entry)


def _severity(entry: Entry) -> Iterator[str]:
    severity = str(entry["severity"])
    grade = f"{severity[0].upper()}{severity[1:]}{MEANING.get(severity, '')}"
    yield f"**{grade}.** {entry['symptom']}".rstrip()
    yield ""
    yield f"**Needs:** {entry['needs']}"
    yield ""
    yield f"**Tracker:** {entry['tracker'] or 'no issue or thread is known to us'}."
    yield ""
    if entry["on_brokers"]:
        yield f"**On released brokers** ([what was seen](../../brokers.md)): {entry['on_brokers']}."
        yield ""


def _passages(entry: Entry) -> Iterator[str]:
    yield "## The passage"
    yield ""
    for one in entry["passages"]:
        yield from (f"> {line}" for line in one["quote"].splitlines())
        yield ">"
        yield f"> {one['document']}, section *{one['section']}*"
        yield ""
    if not entry["passages"]:
        yield "No document speaks of it."
        yield ""
    read_at = f" (modelled after Kafka's {KAFKA})" if "#" in entry["permitted_by"] else ""
    yield f"What permits it{read_at}: {entry['permitted_by']}."
    yield ""
    if entry["assumptions"]:
        yield "What document and code leave open, and how it is taken here:"
        yield ""
        for name, (question, choice) in entry["assumptions"].items():
            yield f"- [{name}](../../assumptions.md) *{question}* Here: {choice}"
        yield ""


def _story(entry: Entry) -> Iterator[str]:
    yield "## What happens"
    yield ""
    if not entry["told"]:
        yield "Nobody has told this trace yet."
        yield ""
        return
    for one in entry["told"]:
        yield f"- {_place(one)}{one['sentence']}"
    yield ""
    yield f"The last step breaks this property: *{entry['shown']['statement']}*"
    yield ""


def _place(one: Mapping[str, Any]) -> str:
    """The steps that a sentence tells."""
    if one["is_beyond"]:
        return "**Beyond the trace:** "
    if one["last"] is None:
        return "**In the end:** "
    if not one["last"]:
        return "**At first:** "
    steps = str(one["first"]) if one["first"] == one["last"] else f"{one['first']} to {one['last']}"
    return f"**{steps}:** "


def _picture(entry: Entry) -> Iterator[str]:
    yield "## The picture"
    yield ""
    yield f"![who does what, step by step]({entry['name']}.svg)"
    yield ""
    if entry.get("panels"):
        yield f"![the offsets before, at the turning point, and after]({entry['name']}.offsets.svg)"
        yield ""


def _fix(entry: Entry) -> Iterator[str]:
    yield "## The fix"
    yield ""
    if entry["repair"] is None:
        yield f"We have none: {entry['unrepaired']}"
        yield ""
        if entry["fix"]:
            yield entry["fix"]
            yield ""
    else:
        yield entry["fix"]
        yield ""
        yield f"**Costs:** {entry['costs']}"
        yield ""
        yield from _explored(entry)
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


def _explored(entry: Entry) -> Iterator[str]:
    is_clean = all(told["ended"] == "HOLDS" for told in entry["claims"].values())
    yield (
        f"We explored every interleaving with this fix (`{entry['repair']}`) and the fixes of all "
        f"other findings of the design: "
        f"{'no property below breaks' if is_clean else 'not every property below holds'} then."
    )
    yield ""
    yield from _closed_in(entry["closed_in"])
    for one in entry["apart"]:
        why = "it builds on this fix" if one["builds_on"] else "with it the cause stays hidden"
        yield f"To show this cause the fix `{one['fix']}` was left out, too: {why}."
        yield ""
    if entry["room"]:
        yield (
            "The fixed design still does its work in this scope; this happens: "
            f"*{entry['shows_that'].rstrip('.')}* (`{entry['shows']}`)."
        )
        yield ""
    yield from stopping(entry)


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


def _reproduce(entry: Entry) -> Iterator[str]:
    bounds = " ".join(f"{name}={value}" for name, value in entry["bounds"].items() if value)
    yield "## Reproduce"
    yield ""
    yield "Found by tierproof, a model checker that takes every interleaving within bounds. In a"
    yield "clone of it, after `make setup`:"
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
