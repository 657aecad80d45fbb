"""Setting: a design with its edits in a scope, ready to be walked; made once, used by all links."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from tierproof.model.language.actions import Step
from tierproof.model.language.design import Design
from tierproof.model.language.errors import UnknownName
from tierproof.model.language.interpreter import Interpreter
from tierproof.model.language.scope import Scope
from tierproof.serve.freshness import Imported
from tierproof.serve.step_words import written
from tierproof.spark_explorer.own_variants import NoSuchVariant, is_own, with_own_variants
from tierproof.spark_explorer.question import Question, find_design
from tierproof.spark_explorer.registry import DESIGNS

MOST_LISTED = 3000
"""Steps of a design that are looked through for those that cannot be taken."""
KEPT_WALKS = 2000
"""Ends of paths that a setting keeps: those on the way of some tens of links."""


@dataclass(frozen=True, eq=False)
class Setting:
    """What a question asks about; `plain` is its design before variants and ablations."""

    question: Question
    plain: Design
    design: Design
    scope: Scope
    kept: OrderedDict[tuple[int, tuple[str, ...]], Any] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=Lock)

    @cached_property
    def interpreter(self) -> Interpreter:
        """What takes the steps."""
        return Interpreter(self.design, self.scope)

    @cached_property
    def words(self) -> dict[Step, str]:
        """The first MOST_LISTED steps that there are, in order of declaration, as links have them.

        An action whose parameter is a set may have very many.
        """
        steps = self.interpreter.steps
        listed = range(min(steps.count, MOST_LISTED))
        return {one: written(steps, one) for one in map(steps.step, listed)}

    def keep(self, start: int, path: tuple[str, ...], made: Any) -> None:
        """Keep the end of a path for the links that go on from it."""
        with self.lock:
            self.kept[start, path] = made
            while len(self.kept) > KEPT_WALKS:
                self.kept.popitem(last=False)

    def known(self, start: int, path: tuple[str, ...]) -> Any | None:
        """What is kept of the end of a path, or None."""
        with self.lock:
            if (start, path) in self.kept:
                self.kept.move_to_end((start, path))
            return self.kept.get((start, path))


class Offered:
    """The designs that links may name: those installed, and those the server was started with.

    A link imports nothing else, whatever it says; of the edits in files it may name those among
    `variants`. Files and modules are looked for in `folder`, and imported again once one of them
    was saved. With `has_files`, a design in a file below it may be named, too.
    """

    def __init__(
        self,
        *words: str,
        folder: str | None = None,
        has_files: bool = False,
        variants: Iterable[str] = (),
    ) -> None:
        self.has_files = has_files
        self.files = tuple(filter(is_own, variants))
        self.folder = folder or os.getcwd()
        self.words = tuple(dict.fromkeys([*words, *DESIGNS]))
        self._lock = Lock()
        self._imported = Imported(Path(self.folder))
        self._own: dict[Question, Setting] = {}

    def setting(self, question: Question) -> Setting:
        """The setting of a question. Raises UnknownName for a design that is not offered.

        Raises what `Question.resolve` does.
        """
        if not self._is_offered(question.design):
            raise UnknownName("design", question.design, self.words)
        self._check_variants(question.variants)
        asked = replace(question, folder=self.folder)
        with self._lock:  # imports of two threads meet half-made modules
            if question.design in DESIGNS and not any(map(is_own, question.variants)):
                return _installed(asked)
            return self._of_ones_own(asked)

    def _check_variants(self, variants: Iterable[str]) -> None:
        """Raise NoSuchVariant for a variant in a file that was not named when this was started."""
        for words in variants:
            if is_own(words) and words not in self.files:
                raise NoSuchVariant(
                    f"variant {words!r} is in a file, and a link imports none: name it at the "
                    f"start, tierproof serve DESIGN --variant {words}"
                )

    def _of_ones_own(self, asked: Question) -> Setting:
        if self._imported.forget_if_saved() or len(self._own) > MOST_SETTINGS:
            self._own.clear()
        if asked not in self._own:
            try:
                self._own[asked] = _made(asked)
            finally:
                self._imported.note()
        return self._own[asked]

    def _is_offered(self, words: str) -> bool:
        """Whether links may name a design; one of one's own may also be a file below the folder."""
        if words in self.words or not self.has_files:
            return words in self.words
        named, folder = words.partition(":")[0], Path(self.folder).resolve()
        file = named if named.endswith(".py") else f"{named.replace('.', '/')}.py"
        found = (folder / file).resolve()
        return found.is_relative_to(folder) and found.is_file()


def _made(question: Question) -> Setting:
    folder = Path(question.folder)
    plain = with_own_variants(find_design(question.design, folder), question.variants, folder)
    design, scope = question.put_to(plain)
    return Setting(question, plain, design, scope)


MOST_SETTINGS = 32
_installed = lru_cache(maxsize=MOST_SETTINGS)(_made)
"""Designs that are installed do not change while they are served."""
