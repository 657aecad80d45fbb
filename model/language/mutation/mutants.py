"""Mutants: functions with one change, as text, as a diff, and as what CPython runs.

The text of a mutant is that of its whole file, with as many lines: places stay right, and the
reader of designs and CPython take the same text. It stands in Python's cache of source lines under
a name of its own; nothing on disk is changed.
"""

from __future__ import annotations
import __future__

import ast
import difflib
import hashlib
import linecache
import types
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tierproof.model.language.mutation.operators import Change, changes_in
from tierproof.model.language.mutation.places import DROPPED_GUARD, Place
from tierproof.model.language.purity import shown_path


@dataclass(frozen=True)
class Mutant:
    """One change at a place: what is done, the line (from 1), and the lines before and after it.

    `before` and `after` are the source lines of the changed piece; the guard that is dropped from
    an action is named in `guard`, and nothing of the text changes.
    """

    place: Place
    operator: str
    line: int
    before: tuple[str, ...]
    after: tuple[str, ...]
    text: str = ""
    guard: str = ""

    @property
    def where(self) -> str:
        """The place, as file:line."""
        return f"{shown_path(self.place.file)}:{self.line}"

    @cached_property
    def key(self) -> str:
        """A digest of what is changed; lines that move elsewhere in the file do not change it."""
        first = self.place.function.__code__.co_firstlineno
        told = (self.place.module, self.place.name, self.operator, self.line - first)
        words = repr((*told, self.before, self.after, self.guard, self.place.text))
        return hashlib.sha256(words.encode()).hexdigest()[:16]

    @property
    def diff(self) -> str:
        """The change as a unified diff of the design's own text."""
        name = shown_path(self.place.file)
        start = f"@@ line {self.line}, {self.place.name}: {self.operator} @@"
        kept = difflib.ndiff(self.before, self.after)
        lines = [f"{line[0]}{line[2:]}" for line in kept if line[0] in "-+ "]
        return "\n".join([f"--- {name}", f"+++ {name}", start, *lines])

    @cached_property
    def code(self) -> types.CodeType:
        """The code of the changed function."""
        original = self.place.function.__code__
        file = f"{original.co_filename} (mutant {self.key[:8]})"
        lines = self.text.splitlines(keepends=True)
        linecache.cache[file] = (len(self.text), None, lines, file)
        flags = original.co_flags & __future__.annotations.compiler_flag
        pending: list[types.CodeType] = [compile(self.text, file, "exec", flags, dont_inherit=True)]
        while pending:
            found = pending.pop()
            same = (found.co_name, found.co_firstlineno)
            if same == (original.co_name, original.co_firstlineno):
                return found
            pending.extend(one for one in found.co_consts if isinstance(one, types.CodeType))
        raise AssertionError(f"{self.where}: a mutant has lost its function")

    def forget(self) -> None:
        """Take the text out of Python's cache of source lines."""
        linecache.cache.pop(f"{self.place.file} (mutant {self.key[:8]})", None)


def mutants_of(place: Place) -> Iterator[Mutant]:
    """Every mutant of a place, each text once, in text order."""
    if place.kind == DROPPED_GUARD:
        yield _without_guard(place)
        return
    known = {ast.dump(ast.parse(place.own_text(place.lines)))}
    for change in changes_in(place.tree, place.names):
        made = _mutant(place, change)
        try:
            shown = ast.dump(ast.parse(place.own_text(made.text.splitlines(keepends=True))))
        except SyntaxError:
            continue
        if shown not in known:
            known.add(shown)
            yield made


def _mutant(place: Place, change: Change) -> Mutant:
    """The mutant of a change, whose text Python may refuse."""
    node = change.node
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    head = place.lines[first].encode()[: node.col_offset].decode()
    tail = place.lines[last].encode()[node.end_col_offset :].decode()
    text, spare = change.text, "\n" * (last - first)
    written = f"{text}{spare}"  # as many lines as before: those below keep their numbers
    if isinstance(node, ast.expr):
        if _needs_brackets(text, node):
            text = f"({text})"
        written = f"({text}{spare})" if spare else text
    lines = [*place.lines[:first], f"{head}{written}{tail}", *place.lines[last + 1 :]]
    before = tuple(line.rstrip("\n") for line in place.lines[first : last + 1])
    after = (f"{head}{text}{tail}".rstrip("\n"),)
    return Mutant(place, change.operator, node.lineno, before, after, "".join(lines))


def _needs_brackets(text: str, place: ast.expr) -> bool:
    """Whether `text`, in the place of an expression, could be read with what stands beside it."""
    made = ast.parse(text, mode="eval").body
    is_set = isinstance(made, ast.BinOp) and isinstance(made.op, ast.BitOr)
    is_alike = _binding(made) == _binding(place) and not is_set
    return not (is_alike or _binding(made) > _binding(place) or _is_in_brackets(text))


def _binding(node: ast.expr) -> int:
    """How tightly an expression binds its parts."""
    if isinstance(node, ast.BoolOp):
        return 1 if isinstance(node.op, ast.Or) else 2
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return 3
    return next((rank for kind, rank in _BINDINGS.items() if isinstance(node, kind)), 6)


_BINDINGS: dict[type[ast.expr], int] = {ast.IfExp: 0, ast.Compare: 4, ast.BinOp: 5}


def _is_in_brackets(text: str) -> bool:
    """Whether the first bracket of a text closes at its end."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0:
            return letter == ")" and at == len(text) - 1
    return False


def _without_guard(place: Place) -> Mutant:
    line = place.function.__code__.co_firstlineno
    before = (f"guard {place.guard} of {place.name}",)
    return Mutant(place, "drop a guard", line, before, ("no such guard",), guard=place.guard)
