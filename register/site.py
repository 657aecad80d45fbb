"""The pages of the site that are built from the register: none of them is committed.

findings/DESIGN/NAME.md   each finding with its drawings, and findings/README.md, their index
assumptions.md            the assumption register
brokers.md, releases.md   what released brokers showed, and how releases differ
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from tierproof.conformance import brokers, recorders
from tierproof.model.language.design import Design
from tierproof.register import evidence, json_file, pictures, prose, register_of, traces
from tierproof.register.assumptions import assumptions
from tierproof.register.entries import Finding


def write_site(designs: Iterable[Design], folder: Path) -> None:
    """Write the pages below a folder of documentation."""
    chosen = list(designs)
    for design in chosen:
        for one in evidence.findings_with_text(design):
            _write_finding(design, one, folder / "findings" / design.name)
    _write(folder / "findings" / "README.md", _index(chosen))
    _write(folder / "assumptions.md", _assumptions())
    kept = json_file.read(evidence.BROKERS)
    table = brokers.as_markdown(kept["results"], kept["date"])
    _write(folder / "brokers.md", [_with_links(table, chosen)])
    _write(
        folder / "releases.md", [recorders.as_markdown(json_file.read(evidence.RELEASES)["files"])]
    )


def _write_finding(design: Design, one: Finding, folder: Path) -> None:
    shown = traces.shown(design, one)
    drawings = {f"{one.name}.svg": pictures.steps_as_svg(shown)}
    if offsets := pictures.offsets_of(shown):
        drawings[f"{one.name}.offsets.svg"] = offsets
    for name, text in drawings.items():
        _write(folder / name, [text])
    _write(folder / f"{one.name}.md", [prose.page_of(shown, tuple(drawings))])


def _index(designs: Iterable[Design]) -> Iterator[str]:
    yield "# What the designs permit and should not"
    yield ""
    yield "Each page is about one cause. The worst come first; the others are a line each."
    yield ""
    for design in designs:
        found = sorted(register_of(design).findings, key=lambda one: one.severity.rank)
        if found:
            yield f"## {design.title}"
            yield ""
        for one in found:
            words = f"[{one.title}]({design.name}/{one.name}.md)" if one.text else one.title
            yield f"- {one.severity}: {words}"
        yield ""


def _with_links(table: str, designs: Iterable[Design]) -> str:
    """The table of what brokers showed, with a link to each page that there is."""
    for design in designs:
        for one in evidence.findings_with_text(design):
            name = f"{design.name}/{one.name}"
            table = table.replace(f"| {name} |", f"| [{one.name}](findings/{name}.md) |")
    return table


def _assumptions() -> Iterator[str]:
    yield "# Assumption register"
    yield ""
    yield "Where a document is silent, contradicts itself, or differs from what Kafka ships, the"
    yield "choice that a design makes is written here. A choice that matters is a variant, so that"
    yield "both readings are explored. Published bugs are named that nothing can show while it is"
    yield "assumed. `tierproof assumptions DESIGN` has those of a design, which its results name."
    yield ""
    yield "| id | document | what it says, or does not | the choice | the other reading | hides |"
    yield "|---|---|---|---|---|---|"
    for one in assumptions().values():
        told = (one.name, one.document, one.text, one.choice, one.other, ", ".join(one.hides))
        yield f"| {' | '.join(told)} |"
    yield ""
    yield "## Questions to the authors"
    yield ""
    for one in assumptions().values():
        if one.asks:
            yield f"- {one.name}: {one.asks}"


def _write(path: Path, lines: Iterable[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", "utf-8")
