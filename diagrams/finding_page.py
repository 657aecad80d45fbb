"""The page of a finding that is told: for somebody who has never seen the model.

In this order: severity and what it needs, the passage, what happens, the picture, the fix, how
to reproduce it. The trace, step by step, stands in a fold at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tierproof.diagrams.text import trace_as_text

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
    yield f"**{severity[0].upper()}{severity[1:]}.** {entry['needs']}"
    yield ""
    yield f"Tracker: {entry['tracker'] or 'no issue or thread is known to us'}."
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
    yield f"The code that permits it: {entry['permitted_by']}."
    yield ""
    if entry["assumptions"]:
        ids = ", ".join(f"[{name}](../../assumptions.md)" for name in entry["assumptions"])
        yield f"It rests on what the text leaves open: {ids}."
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
    yield f"In short: *{entry['shown']['statement']}* This is broken."
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
    if entry.get("panels"):
        yield f"![the offsets before, at the turning point, and after]({entry['name']}.offsets.svg)"
        yield ""
    yield f"![who does what, step by step]({entry['name']}.svg)"
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
        yield f"{entry['fix']} Its price: {entry['costs']}"
        yield ""
        yield from _explored(entry)
    yield f"| property | what it says | shortest trace | {_ending(entry)} |"
    yield "|---|---|--:|---|"
    for claim, told in entry["claims"].items():
        ended = told["ended"] or "-"
        yield f"| `{claim}` | {told['statement']} | {length(told)} | {ended} |"
    yield ""


def _explored(entry: Entry) -> Iterator[str]:
    held = ", ".join(f"`{scope}` ({count:,})" for scope, count in entry["closed_in"].items())
    where = f" It holds in the scopes (with distinct states) {held}." if held else ""
    yield f"The fix is the variant `{entry['repair']}`, explored beside all other repairs.{where}"
    yield ""
    if entry["apart"]:
        names = " and ".join(f"`{name}`" for name in entry["apart"])
        yield f"{names} would cover this cause, too, and is left out with it here."
        yield ""
    if entry["room"]:
        yield f"With the fix the scope has room to go on: it reaches `{entry['shows']}`."
        yield ""
    yield from stopping(entry)


def stopping(entry: Entry) -> Iterator[str]:
    """The step at which the same trace stops with the repair or the fix."""
    what = "the fix"
    if (stop := entry["stopped"]) is None:
        yield f"With {what} the same steps can be taken, and break nothing."
    else:
        by = f": `{stop['by']}` is false there" if stop["by"] else ""
        yield f"With {what} the trace ends before step {stop['number']}, `{stop['step']}`{by}."
    yield ""


def _reproduce(entry: Entry) -> Iterator[str]:
    bounds = " ".join(f"{name}={value}" for name, value in entry["bounds"].items() if value)
    yield "## Reproduce"
    yield ""
    yield "```"
    yield f"tierproof explore {entry['design']} --finding {entry['name']}"
    yield "```"
    yield ""
    beside = "".join(f", with the reading `{name}`" for name in entry["beside"])
    yield f"Design `{entry['design']}`, scope `{entry['scope']}`{beside}: {bounds}."
    if entry["cut_off"]:
        limits = ", ".join(f"`{name}` (after step {n})" for name, n in entry["cut_off"].items())
        yield f"On the way the scope, and nothing else, kept steps from happening: {limits}."
    yield ""


def _fold(entry: Entry) -> Iterator[str]:
    yield "<details>"
    yield f"<summary>The trace, step by step: {length(entry['claims'][entry['shown']['name']])}"
    yield "steps</summary>"
    yield ""
    yield "```"
    yield trace_as_text(entry["trace"], entry["shown"])
    yield "```"
    yield ""
    yield "</details>"
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
