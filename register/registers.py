"""The register of a design: its findings, those that it inherits, and bugs that it finds again.

The designs of tierproof have theirs in `findings/` here. A design of anybody else has it in
`findings/NAME/` beside the file that declares its state.
"""

from __future__ import annotations

import inspect
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import yaml

from tierproof.model.language.design import Design
from tierproof.model.language.errors import DesignError, closest
from tierproof.model.language.vocabulary import Vocabulary
from tierproof.register import files
from tierproof.register.entries import Finding, PublishedBug

FOLDER = Path(__file__).parent / "findings"
INDEX, OPENING = "index.yaml", "REVIEW.md"


@dataclass(frozen=True, kw_only=True)
class Register:
    """What was found of a design.

    `inherited` are findings of other designs that hold here, too. `opening` are the words with
    which the review of the design's document begins.
    """

    findings: tuple[Finding, ...] = ()
    inherited: tuple[Finding, ...] = ()
    published_bugs: tuple[PublishedBug, ...] = ()
    opening: str = ""

    def finding(self, name: str) -> Finding:
        """The finding of that name, of this design or inherited. Raises UnknownName."""
        by_name = {one.name: one for one in self.causes}
        return by_name[closest("finding", name, by_name)]

    @property
    def causes(self) -> tuple[Finding, ...]:
        """Every finding that holds in the design."""
        return (*self.findings, *self.inherited)


_CHECKED: WeakValueDictionary[tuple[int, int], Design] = WeakValueDictionary()
"""The designs whose names were looked up, by their identity (a Design has no hash) and that of the
register."""


def register_of(design: Design) -> Register:
    """The register of a design; empty if it has none.

    Raises DesignError for a file that cannot be read, UnknownName for a variant, property, action
    or scope that the design does not have.
    """
    found = read(folder_of(design))
    if _CHECKED.get((id(design), id(found))) is not design:
        _check(design, found)
        _CHECKED[id(design), id(found)] = design
    return found


def folder_of(design: Design) -> Path:
    """Where the register of a design is kept, if it has one."""
    module = design.state.__module__
    if module.startswith("tierproof.model.designs"):
        return FOLDER / design.name
    file = getattr(sys.modules.get(module), "__file__", None) or inspect.getfile(design.state)
    return Path(file).parent / "findings" / design.name


@cache
def read(folder: Path) -> Register:
    """The register in a folder; empty if there is no such folder. Raises DesignError."""
    if not folder.is_dir():
        return Register()
    index = _index(folder / INDEX)
    with_file = sorted(path.stem for path in folder.glob("*.md") if path.name != OPENING)
    names = [*with_file, *index.get("lines", {})]
    order = [closest("finding", name, names) for name in index.get("findings", ())]
    opening = folder / OPENING
    return Register(
        findings=tuple(_finding(folder, name) for name in dict.fromkeys([*order, *names])),
        inherited=tuple(
            files.inherited(_finding(folder.parent / where, name), changed or {})
            for path, changed in index.get("inherited", {}).items()
            for where, _, name in [path.partition("/")]
        ),
        published_bugs=tuple(
            files.read_bug(name, given) for name, given in index.get("published_bugs", {}).items()
        ),
        opening=opening.read_text("utf-8") if opening.exists() else "",
    )


@cache
def _finding(folder: Path, name: str) -> Finding:
    """A finding with a file of its own, or a line of the index. Raises UnknownName."""
    if (path := folder / f"{name}.md").exists():
        return files.read_finding(path)
    lines = _index(folder / INDEX).get("lines", {})
    return files.read_line(name, lines[closest("finding", name, lines)])


@cache
def _index(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        found = yaml.safe_load(path.read_text("utf-8"))
    except yaml.YAMLError as error:
        raise DesignError(f"{path}: {error}") from error
    known = ("findings", "lines", "inherited", "published_bugs")
    if not isinstance(found, dict):
        raise DesignError(f"{path} holds no mapping with the keys {', '.join(known)}")
    for key in found:
        closest(f"key of {path.name}", key, known)
    return found


# -- the names in a register are of things that the design has


def _check(design: Design, register: Register) -> None:
    for what, entries in (("finding", register.causes), ("bug", register.published_bugs)):
        for name, times in Counter(one.name for one in entries).items():
            if times > 1:
                raise DesignError(f"{what} {name!r} is told twice of {design.name!r}")
    variants = [entry.name for entry in design.variants]
    repairs = [one.repair for one in register.causes if one.repair]
    for finding in register.causes:
        repair = [finding.repair] if finding.repair else []
        _known("variant", (*finding.beside, *finding.apart, *repair), variants)
    for finding in register.findings:  # the others speak of the design where they are told
        _known("variant", [finding.proposed] if finding.proposed else (), variants)
        _known("repair of a finding", finding.together_with, repairs)
        if finding.told_with:
            closest("finding", finding.told_with, _with_text(design))
        _check_told(finding, design.vocabulary)
    for bug in register.published_bugs:
        _known("variant", (*bug.beside, bug.variant), variants)
        _known(f"claim of published bug {bug.name!r}", bug.claims, design.vocabulary.properties)
        closest("scope", bug.scope, design.scopes)


def _with_text(design: Design) -> list[str]:
    """The findings with a file of their own, of the design and of those beside it."""
    beside = folder_of(design).parent.glob("*/*.md")
    return [path.stem for path in beside if path.name != OPENING]


def _known(what: str, names: Iterable[str], known: Iterable[str]) -> None:
    for name in names:
        closest(what, name, known)


def _check_told(finding: Finding, known: Vocabulary) -> None:
    shows: Sequence[str] = (finding.shows,) if finding.shows else ()
    _known(f"claim of finding {finding.name!r}", (*finding.claims, *shows), known.properties)
    _known(f"late action of finding {finding.name!r}", finding.late, known.actions)
    closest(f"scope of finding {finding.name!r}", finding.scope, known.scopes)
