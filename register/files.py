"""Reading the register: one Markdown file a finding, and an index of each design.

    findings/DESIGN/NAME.md       front matter in YAML, then what is sent, detail, report
    findings/DESIGN/NAME.json     its trace, and what was explored (`traces.py`)
    findings/DESIGN/index.yaml    the order of its findings, those that are a line, what it
                                  inherits, published bugs

What is sent begins with a paragraph; a numbered step says in a comment, `<!-- 3-5 -->`, which
steps of the trace it tells; a quote ends with its document and section. `## Detail` and
`## Report` come last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import yaml

from tierproof.model.language.errors import DesignError, TierproofError, closest
from tierproof.register.entries import Finding, Passage, PublishedBug, Severity, Text, Told
from tierproof.register.paragraphs import Block, Figure, Paragraph, Points, Quote

SEARCHED = {
    "repair": "repair",
    "proposed": "proposed",
    "alone": "stands_alone",
    "together_with": "together_with",
    "apart": "apart",
    "beside": "beside",
}
"""Key of the table `searched` -> the field of a Finding."""
PLAIN = ("title", "claims", "scope", "shows", "late", "told_with", "assumptions", "unrepaired")
NEEDED = ("title", "severity", "claims", "scope", "trace", "turning")
OF_A_FILE, OF_A_LINE = ("trace", "turning", "letters"), ("says",)
LISTS = ("claims", "late", "assumptions", "together_with", "apart", "beside")
DETAIL, REPORT = "Detail", "Report"

_FILE = re.compile(r"---\n(.*?)\n---\n\n(.*)", re.DOTALL)
_PART = re.compile(r"^## (.*)\n", re.MULTILINE)
_ITEM = re.compile(r"(?:-|\d+\.) +(?:<!-- (\d+)(?:-(\d+))? --> )?")
_LEAD = re.compile(r"\*\*([^*]+)\*\* ?")
_SOURCE = re.compile(
    r'(?P<document>KIP-\d+[^"]*), section "(?P<section>[^"]+)"(?: of "(?P<within>[^"]+)")?'
)


def read_finding(path: Path) -> Finding:
    """The finding of a file. Raises DesignError, with the file, for what is not as it should be."""
    found = _FILE.fullmatch(path.read_text("utf-8"))
    if found is None:
        raise DesignError(f"{path} does not begin with front matter between two lines `---`")
    with_text = (*PLAIN, *OF_A_FILE)
    try:
        text = _text(found[2])
        front = _front(yaml.safe_load(found[1]), with_text)
        if missing := [key for key in NEEDED if key not in front]:
            raise DesignError(f"the front matter lacks {', '.join(missing)}")
        return Finding(name=path.stem, text=text, says=text.opening, **front)
    except (ValueError, TypeError, AttributeError, yaml.YAMLError, TierproofError) as error:
        raise DesignError(f"{path}: {error}") from error


def read_line(name: str, given: Mapping[str, Any]) -> Finding:
    """A finding that is a line of an index. Raises DesignError."""
    try:
        return Finding(name=name, **_front(given, (*PLAIN, *OF_A_LINE)))
    except (ValueError, TypeError, AttributeError) as error:
        raise DesignError(f"{name}: {error}") from error


def read_bug(name: str, given: Mapping[str, Any]) -> PublishedBug:
    """A published bug of an index."""
    known = [field.name for field in fields(PublishedBug)]
    values = {closest("key", key, known): value for key, value in given.items()}
    for key in ("claims", "beside"):
        values[key] = tuple(values.get(key, ()))
    return PublishedBug(name=name, **values)


def inherited(finding: Finding, changed: Mapping[str, Any]) -> Finding:
    """A finding as another design has it: with what differs there."""
    return replace(finding, **_searched(changed))


def blocks_of(text: str) -> list[Block]:
    """The blocks of words that are written by hand: blank lines stand between them."""
    return [_block(part.strip("\n")) for part in text.split("\n\n") if part.strip("\n")]


def _front(given: Mapping[str, Any], known: Iterable[str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in given.items():
        if key == "severity":
            values[key] = Severity(closest("severity", value, list(Severity)))
        elif key == "searched":
            values |= _searched(value)
        else:
            values[closest("key", key, (*known, "severity", "searched"))] = value
    return values | {name: tuple(values[name]) for name in LISTS if name in values}


def _searched(given: Mapping[str, Any]) -> dict[str, Any]:
    return {
        SEARCHED[closest("key", key, SEARCHED)]: tuple(value) if isinstance(value, list) else value
        for key, value in given.items()
    }


def _text(body: str) -> Text:
    sent, *parts = _PART.split(body)
    found = dict(zip(parts[::2], (part.strip() for part in parts[1::2]), strict=True))
    for title in found:
        closest("section", title, (DETAIL, REPORT))
    blocks, detail = blocks_of(sent), found.get(DETAIL, "")
    if not blocks or not isinstance(blocks[0], Paragraph) or blocks[0].lead:
        raise DesignError("it does not begin with a paragraph that says what happens")
    return Text(
        blocks=tuple(blocks),
        steps=tuple(_steps(sent)),
        passages=tuple(_passages([*blocks, *blocks_of(detail)])),
        detail=detail,
        report=found.get(REPORT, ""),
    )


def _block(part: str) -> Block:
    lines = part.splitlines()
    if part.startswith("```"):
        return Figure(tuple(lines[1:-1]))
    if part.startswith(">"):
        said = "\n".join(line.removeprefix(">").strip() for line in lines).split("\n\n")
        source = said.pop() if _SOURCE.match(said[-1]) else ""
        return Quote("\n".join(" ".join(one.split()) for one in said), source)
    if _ITEM.match(part):
        items = [_ITEM.sub("", item, count=1) for item in re.split(r"\n(?=-|\d+\.)", part)]
        return Points(tuple(map(_paragraph, items)), is_numbered=not part.startswith("-"))
    return _paragraph(part)


def _paragraph(text: str) -> Paragraph:
    joined = " ".join(text.split())
    lead = _LEAD.match(joined)
    return Paragraph(_LEAD.sub("", joined, count=1), lead[1] if lead else "")


def _steps(sent: str) -> Iterator[Told]:
    """The numbered steps that say which steps of the trace they tell: all of them, in order."""
    following = 0
    for part in re.split(r"\n(?=-|\d+\. )|\n\n", sent):
        begun = _ITEM.match(part)
        if begun is None or begun[1] is None:
            continue
        first, last = int(begun[1]), int(begun[2] or begun[1])
        if (first != following and (first, following) != (1, 0)) or last < first:
            raise DesignError(f"{begun[0].strip()!r} should begin with step {following}")
        following = last + 1
        yield Told(first, last, " ".join(_ITEM.sub("", part, count=1).split()))


def _passages(blocks: Iterable[Block]) -> Iterator[Passage]:
    """The quotes; one without a source has that of the next."""
    source = None
    for block in reversed(list(blocks)):
        if isinstance(block, Quote):
            source = _SOURCE.match(block.source) or source
            if source is None:
                raise DesignError(
                    f'the quote {block.text[:40]!r} does not end with `KIP-N, section "TITLE"`'
                )
            yield Passage(source["document"], source["section"], block.text, source["within"] or "")
