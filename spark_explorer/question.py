"""Question: what to explore, in words that another process can resolve, too.

A design is named, as it is installed, or given by import path (`my_module:DESIGN`) or file
(`path/file.py:DESIGN`, or `path/file.py` if that calls one DESIGN or has no other), a scope is
named and may have bounds changed; `resolve` turns the words into objects; for an unknown name its
error offers the closest ones.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

from tierproof.model.language.design import Design
from tierproof.model.language.errors import (
    NoSuchDesign,
    NothingAlike,
    UnfitFingerprint,
    UnknownName,
    closest,
)
from tierproof.model.language.scope import Scope
from tierproof.spark_explorer.own_variants import digest_of_file, is_own, with_own_variants
from tierproof.spark_explorer.registry import DESIGNS
from tierproof.spark_explorer.user_modules import imported_by, module_at, module_named


@dataclass(frozen=True, kw_only=True)
class Question:
    """A design, changed as asked, and a scope; asked in `folder`. Picklable and hashable.

    `variants` are those of the design, and edits in files (`path/file.py:NAME`, `module:NAME`).
    `properties` names the properties, witnesses and laws to report; empty means all. All are
    checked in any case, so that one compilation serves every question. Without `symmetry`, states
    that differ only in which of the alike things is which are all visited. `fingerprint_bits`,
    64 or 128, stand for a state.
    """

    design: str
    scope: str | None = None
    bounds: tuple[tuple[str, int], ...] = ()
    variants: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()
    symmetry: bool = True
    fingerprint_bits: int = 64
    folder: str = field(default_factory=os.getcwd)

    def resolve(self) -> tuple[Design, Scope]:
        """The design and the scope. Raises UnknownName, ScopeError or DesignError."""
        return self.put_to(find_design(self.design, Path(self.folder)))

    def put_to(self, design: Design) -> tuple[Design, Scope]:
        """The same of a design that is at hand, whatever its name."""
        if self.variants:
            design = with_own_variants(design, self.variants, Path(self.folder))
            design = design.with_variants(*self.variants)
        if self.without:
            design = design.without(*self.without)
        scope = design.scope(self.scope_name_in(design)).replace(**dict(self.bounds))
        laws = {law.law_name for law in design.laws(scope)}
        for name in self.properties:
            closest("property", name, {*laws, *(entry.name for entry in design.checked)})
        if not self.symmetry and not design.alike:
            raise NothingAlike(
                f"--no-symmetry would do nothing, as no Index of {design.name!r} says alike=True"
            )
        if self.fingerprint_bits != 64:
            self._check_fingerprint(design, scope)
        return design, scope

    def _check_fingerprint(self, design: Design, scope: Scope) -> None:
        """Raise UnfitFingerprint unless the search can have it and gains by it."""
        if self.fingerprint_bits != 128:
            bits = self.fingerprint_bits
            raise UnfitFingerprint(f"a fingerprint has 64 or 128 bits, and not {bits}")
        from tierproof.spark_explorer.native.packing import packing_of

        if packing_of(design.layout(scope)).words == 1:
            raise UnfitFingerprint(
                f"--fingerprint 128 would do nothing: a state of {design.name!r} fits 64 bits "
                "here, so that no fingerprint stands for two states"
            )

    @property
    def files_of_variants(self) -> tuple[tuple[str, str], ...]:
        """Each variant that is in a file, and a digest of the text of that file."""
        own = (words for words in self.variants if is_own(words))
        return tuple((words, digest_of_file(words, Path(self.folder))) for words in own)

    def scope_name_in(self, design: Design) -> str:
        """The named scope; if none is named, `default`, or the design's first scope."""
        if self.scope is not None:
            return self.scope
        return "default" if "default" in design.scopes else next(iter(design.scopes))

    def scope_title(self, design: Design) -> str:
        """The scope's name, with the bounds that were changed."""
        changed = [f"{name}={value}" for name, value in self.bounds]
        return ", ".join([self.scope_name_in(design), *changed])


def find_design(words: str, folder: Path) -> Design:
    """The design named `words`, at `module:attribute` or `path/file.py:attribute`, or in a file.

    Modules are looked for, and paths begin, in `folder`.
    """
    if words.endswith(".py"):
        return _only_design(module_at(folder / words), words)
    if ":" not in words:
        if words not in DESIGNS:
            raise UnknownName("design", words, DESIGNS)
        words = DESIGNS[words]
        folder = Path()
    module_name, _, attribute = words.rpartition(":")
    module = module_named(module_name, folder)
    if attribute not in vars(module):
        names = _designs_in(module, module_name)
        raise UnknownName(f"design in {module_name}", attribute, names)
    found = vars(module)[attribute]
    if not isinstance(found, Design):
        raise NoSuchDesign(f"{words} is a {type(found).__name__}, not a Design")
    return found


def _only_design(module: ModuleType, words: str) -> Design:
    """The design of a file that is named without the design: the one that it calls DESIGN.

    A DESIGN that the file imports is that of another file, which this one may only build on.
    """
    names = _designs_in(module, words)
    if len(names) > 1 and "DESIGN" in names and "DESIGN" not in imported_by(module):
        names = ["DESIGN"]
    if len(names) > 1:
        told = ", ".join(f"{words}:{name}" for name in names)
        raise NoSuchDesign(f"{words} has several designs: say which, {told}")
    found: Design = vars(module)[names[0]]
    return found


def _designs_in(module: ModuleType, words: str) -> list[str]:
    """The names of a module's designs; at least one, or NoSuchDesign is raised."""
    names = [name for name, value in vars(module).items() if isinstance(value, Design)]
    if not names:
        raise NoSuchDesign(f"{words} has no design: assign one, DESIGN = Design(...)")
    return names
