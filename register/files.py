"""Reading the register: one Markdown file a finding, and an index of each design.

    findings/DESIGN/NAME.md       front matter in YAML, then sections of text
    findings/DESIGN/index.yaml    the order of its findings, what it inherits, published bugs

A section is a heading `## ...` and paragraphs, whose lines are joined. `Steps` is a list of places
in the trace, each with a sentence; `In the document` quotes, each with its section. `Mail` comes
last and is Markdown as it is sent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import yaml

from tierproof.model.language.errors import DesignError, TierproofError, closest
from tierproof.register.entries import Finding, Passage, PublishedBug, Severity, Story

SECTIONS = {
    "What a user sees": "symptom",
    "Needs": "needs",
    "Permitted by": "permitted_by",
    "In the document": "passages",
    "Steps": "story",
    "Explanation": "explanation",
    "Fix": "fix",
    "Costs": "costs",
    "Not repaired": "unrepaired",
    "Mail": "mail",
}
"""Heading -> the field of a Finding."""
SEARCHED = {
    "repair": "repair",
    "is": "searched",
    "alone": "stands_alone",
    "together_with": "together_with",
    "proposal": "proposal",
    "apart": "apart",
    "beside": "beside",
}
"""Key of the table `searched` -> the field of a Finding."""
PLAIN = ("title", "claims", "scope", "shows", "turning", "late", "tracker", "assumptions")
LISTS = ("claims", "late", "assumptions", "together_with", "apart", "beside")
BREAK = " // "
"""Stands in a quote for the end of a line of the document."""

_FILE = re.compile(r"---\n(.*?)\n---\n\n(.*)", re.DOTALL)
_SOURCE = re.compile(r"— (?P<document>[^*]+), \*(?P<section>[^*]+)\*(?: in \*(?P<within>[^*]+)\*)?")
_PLACE = re.compile(r"- \*\*(?P<place>[^*]+)\*\* (?P<sentence>.*)")


def read_finding(path: Path) -> Finding:
    """The finding of a file. Raises DesignError, with the file, for what is not as it should be."""
    found = _FILE.fullmatch(path.read_text("utf-8"))
    if found is None:
        raise DesignError(f"{path} does not begin with front matter between two lines `---`")
    try:
        return _finding(path.stem, yaml.safe_load(found[1]), _sections(found[2]))
    except KeyError as error:
        raise DesignError(f"{path} has no {error.args[0]!r}") from error
    except (ValueError, TypeError, AttributeError, yaml.YAMLError, TierproofError) as error:
        raise DesignError(f"{path}: {error}") from error


def _finding(name: str, front: Mapping[str, Any], sections: Mapping[str, str]) -> Finding:
    values: dict[str, Any] = {"name": name, "permitted_by": ""}
    for key, value in front.items():
        if key == "severity":
            values[key] = Severity(value)
        elif key == "searched":
            values |= {SEARCHED[closest("key", k, SEARCHED)]: it for k, it in value.items()}
        elif key != "trace":
            values[closest("key", key, (*PLAIN, "severity", "searched", "trace"))] = value
    for heading, text in sections.items():
        values[SECTIONS[closest("section", heading, SECTIONS)]] = text
    for field in LISTS:
        values[field] = tuple(values.get(field, ()))
    values["passages"] = tuple(map(_passage, _blocks(values.get("passages", ""))))
    if "story" in values:
        values["story"] = Story(front["trace"], tuple(map(_place, _blocks(values["story"]))))
    return Finding(**values)


def _sections(body: str) -> dict[str, str]:
    """Heading -> text; what follows `## Mail` is one text, as it stands."""
    before, _, mail = body.partition("\n## Mail\n\n")
    found = {}
    for part in re.split(r"^## ", before, flags=re.MULTILINE)[1:]:
        heading, _, text = part.partition("\n")
        found[heading.strip()] = text.strip()
    for heading in found.keys() - {"Steps", "In the document"}:
        found[heading] = _joined(found[heading])
    return {**found, **({"Mail": mail} if mail else {})}


def _joined(text: str) -> str:
    return " ".join(text.split())


def _blocks(text: str) -> list[str]:
    """Items of a list, or quotes with their source: each begins with `- ` or `> `."""
    items = re.split(r"\n(?=- )|\n\n(?=> )", text) if text else []
    return [_joined(re.sub(r"^>(?: |$)", "", item, flags=re.MULTILINE)) for item in items]


def _passage(block: str) -> Passage:
    quote, _, source = block.rpartition(" — ")
    found = _SOURCE.fullmatch(f"— {source}")
    if found is None:
        raise DesignError(f"the quote {block[:40]!r} does not end with `— DOCUMENT, *SECTION*`")
    return Passage(
        found["document"], found["section"], quote.replace(BREAK, "\n"), found["within"] or ""
    )


def _place(item: str) -> tuple[str, str]:
    found = _PLACE.fullmatch(item)
    if found is None:
        raise DesignError(f"the step {item[:40]!r} does not begin with `- **PLACE** `")
    return found["place"], found["sentence"]


def read_bug(name: str, given: Mapping[str, Any]) -> PublishedBug:
    """A published bug of an index."""
    known = [field.name for field in fields(PublishedBug)]
    values = {closest("key", key, known): value for key, value in given.items()}
    for key in ("claims", "beside"):
        values[key] = tuple(values.get(key, ()))
    return PublishedBug(name=name, **values)


def inherited(finding: Finding, changed: Mapping[str, Any]) -> Finding:
    """A finding as another design has it: with what differs there."""
    values: dict[str, Any] = {
        SEARCHED[closest("key", key, SEARCHED)]: tuple(value) if isinstance(value, list) else value
        for key, value in changed.items()
    }
    return replace(finding, **values)
