"""Own variants: edits of a user, in a file or a module of his, of a design that he does not own.

A variant in a file is named `path/file.py:NAME`, or `path/file.py` if that has one edit or calls
one VARIANT, and one in a module `module:NAME`. Under that name results tell it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tierproof.model.language.edits import Edit, Variant
from tierproof.model.language.errors import DesignError, Misused, UnknownName
from tierproof.spark_explorer.user_modules import imported_by, module_named, text_of

if TYPE_CHECKING:
    from tierproof.model.language.design import Design


class NoSuchVariant(DesignError, Misused):
    """There is no edit where one was looked for."""


def is_own(words: str) -> bool:
    """Whether words name a variant in a file or a module, and none of a design's own."""
    return ":" in words or words.endswith(".py")


def with_own_variants(design: Design, words: Iterable[str], folder: Path) -> Design:
    """A design that has, beside its variants, those of files and modules among the words.

    Files and modules are looked for in `folder`. Raises NoSuchVariant, UnknownName, and
    DesignError if an import fails.
    """
    found = {one: _edit(one, folder) for one in dict.fromkeys(words) if is_own(one)}
    named = _Named(found)
    return _with(design, tuple(map(named.variant, found))) if found else design


def digest_of_file(words: str, folder: Path) -> str:
    """A digest of the text, as it is now, of the file that has a variant."""
    module, _ = _module_of(words, folder)
    return hashlib.sha256(text_of(module)).hexdigest()[:16]


def _with(design: Design, own: tuple[Variant, ...]) -> Design:
    known = {one.name for one in design.variants}
    more = (*design.variants, *(one for one in own if one.name not in known))
    unvaried = design.unvaried and _with(design.unvaried, own)
    return replace(design, variants=more, unvaried=unvaried)


class _Named:
    """Edits under the words by which they are asked for, also where one comes `after` another."""

    def __init__(self, found: Mapping[str, Edit]) -> None:
        self.found = found
        self.words = {id(edit): words for words, edit in found.items()}

    def variant(self, words: str) -> Variant:
        """The edit that words name, as a variant of that name."""
        edit = self.found[words]
        if isinstance(edit, Variant):
            return self._renamed(edit)
        given: dict[str, Any] = {part.name: getattr(edit, part.name) for part in fields(Edit)}
        return Variant(name=words, because=f"the edit at {words}", **given)

    def _renamed(self, one: Variant) -> Variant:
        return replace(
            one,
            name=self.words.get(id(one), one.name),
            after=tuple(map(self._renamed, one.after)),
            parts=tuple(map(self._renamed, one.parts)),
        )


def _edit(words: str, folder: Path) -> Edit:
    """The edit that words name."""
    module, name = _module_of(words, folder)
    names = _edits_in(module)
    if not names:
        raise NoSuchVariant(f"{words} has no edit: assign one, {name or 'VARIANT'} = Edit(...)")
    name = name or _only(module, words, names)
    if name not in vars(module):
        raise UnknownName(f"edit in {words.rpartition(':')[0]}", name, names)
    found = vars(module)[name]
    if not isinstance(found, Edit):
        raise NoSuchVariant(f"{words} is a {type(found).__name__}, not an Edit or a Variant")
    if not getattr(found, "parts", ()) and all(
        not getattr(found, part.name) for part in fields(Edit)
    ):
        raise NoSuchVariant(f"{words} asks for nothing: it would change no design")
    return found


def _module_of(words: str, folder: Path) -> tuple[ModuleType, str]:
    """The module that has a variant, and the variant's name there, empty if it is not said."""
    if words.endswith(".py"):
        return module_named(words, folder), ""
    module_name, _, name = words.rpartition(":")
    return module_named(module_name, folder), name


def _edits_in(module: ModuleType) -> list[str]:
    return [name for name, value in vars(module).items() if isinstance(value, Edit)]


def _only(module: ModuleType, words: str, names: list[str]) -> str:
    """The one edit that a file has or calls VARIANT, but for those that it imports."""
    imported = imported_by(module)
    written = [name for name in names if name not in imported]
    chosen = ["VARIANT"] if "VARIANT" in written else written or names
    if len(chosen) > 1:
        told = ", ".join(f"{words}:{name}" for name in chosen)
        raise NoSuchVariant(f"{words} has several edits: say which, {told}")
    return chosen[0]
