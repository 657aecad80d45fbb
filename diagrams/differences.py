"""The difference of two designs: as text for a terminal, as Markdown for a thread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tierproof.model.language.difference import Change, Difference

SIGNS = {"dropped": "-", "edited": "~", "added": "+"}


def difference_as_text(found: Difference) -> str:
    """A line for each change, with a sign in front, and its edits below it."""
    lines = [f"{found.old} -> {found.new}"]
    for title, changes in _groups(found):
        lines += ["", f"{title}: {_counted(changes)}"]
        for one in changes:
            lines.append(f"  {SIGNS[one.how]} {one.name}{_says(one)}")
            lines += [f"      {edit}" for edit in one.edits]
    lines += ["", f"{found.unchanged} actions are as they were."]
    return "\n".join(lines)


def difference_as_markdown(found: Difference) -> str:
    """A Markdown table for each kind of change."""
    lines = [f"# `{found.new}`: what it changes of `{found.old}`"]
    for title, changes in _groups(found):
        lines += ["", f"## {title}: {_counted(changes)}", "", "| | name | |", "|---|---|---|"]
        for one in changes:
            edits = "".join(f"<br>{_escaped(edit)}" for edit in one.edits)
            lines.append(f"| {one.how} | `{one.name}` | {_escaped(one.statement)}{edits} |")
    lines += ["", f"{found.unchanged} actions are as they were.", ""]
    return "\n".join(lines)


def _groups(found: Difference) -> Iterator[tuple[str, Sequence[Change]]]:
    groups: dict[str, Sequence[Change]] = {
        "Actions": found.actions,
        "Initial states": found.initial,
        "Fences": found.fences,
        "Fields": found.fields,
        "Properties": found.properties,
        "Helpers": found.helpers,
    }
    return ((title, changes) for title, changes in groups.items() if changes)


def _counted(changes: Sequence[Change]) -> str:
    counts = {how: sum(1 for one in changes if one.how == how) for how in SIGNS}
    return ", ".join(f"{count} {how}" for how, count in counts.items() if count)


def _says(one: Change) -> str:
    return f": {one.statement}" if one.statement and one.how != "dropped" else ""


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
