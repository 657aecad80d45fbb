"""The syntax tree of a function and its place in the file; refusals name both.

The text is read from the file that the function was imported from, and compiled again to check that
it is unchanged: the explored function must be the one that CPython runs.
"""

from __future__ import annotations
import __future__

import ast
import builtins
import copy
import linecache
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tierproof.model.language.errors import OutsideLanguage, closest_to
from tierproof.model.language.purity import shown_path
from tierproof.model.language.reading.tree import Spot

_MODULES: dict[str, tuple[list[str], dict[int, ast.FunctionDef]]] = {}


class Source:
    """One function as a syntax tree. Raises OutsideLanguage where it cannot be read."""

    def __init__(self, function: types.FunctionType) -> None:
        self.function, self.code = function, function.__code__
        self.file = shown_path(self.code.co_filename)
        found = definition_of(function)
        if found is None:
            raise OutsideLanguage(
                f"{self.file}:{self.code.co_firstlineno}: the source of {self.name!r} is not "
                f"there; write it with `def`, in a file that does not change afterwards"
            )
        self.tree = found

    @property
    def name(self) -> str:
        """The function's name."""
        return self.function.__name__

    def spot(self, node: ast.AST) -> Spot:
        """The place of a node."""
        line = getattr(node, "lineno", self.code.co_firstlineno)
        return Spot(self.file, line, "" if node is self.tree else _text(node))

    def refuse(self, node: ast.AST, what: str, instead: str) -> OutsideLanguage:
        """An error that names the place, the construct, why it is refused, and what to write."""
        spot = self.spot(node)
        shown = f"`{spot.text}` {what}" if spot.text else what
        return OutsideLanguage(f"{spot}: in {self.name!r}, {shown}; {instead}")

    def refuse_name(self, node: ast.AST, what: str, name: str, known: Iterable[str]) -> Exception:
        """The error for a name that does not exist, with the closest names."""
        close = closest_to(name, sorted(known))
        hint = f"did you mean {' or '.join(close)}?" if close else "define it first"
        return self.refuse(node, what, hint)

    def check_unchanged(self) -> None:
        """Raise OutsideLanguage unless the text in the file is what was imported."""
        wanted = _essence(self.code)
        if not any(_essence(found) == wanted for found in _recompiled(self.tree, self.code)):
            raise OutsideLanguage(
                f"{self.file}:{self.code.co_firstlineno}: {self.name!r} is not what the file says: "
                f"the file was changed after it was imported, or something rewrote the function; "
                f"start again with the new text"
            )


def definition_of(function: types.FunctionType) -> ast.FunctionDef | None:
    """The definition of a function in the text of its file; None if it is not there."""
    found = _functions_of(function).get(function.__code__.co_firstlineno)
    return found if found is not None and found.name == function.__code__.co_name else None


def lines_of(function: types.FunctionType) -> list[str]:
    """The lines of the file that holds a function."""
    name = function.__code__.co_filename
    linecache.checkcache(name)
    return linecache.getlines(name, function.__globals__)


def _functions_of(function: types.FunctionType) -> dict[int, ast.FunctionDef]:
    """First line -> definition, of the file that holds `function`; parsed once."""
    name, lines = function.__code__.co_filename, lines_of(function)
    known = _MODULES.get(name)
    if known is None or known[0] is not lines:
        try:
            tree = ast.parse("".join(lines))
        except SyntaxError:
            tree = ast.Module([], [])
        found = {_first_line(node): node for node in _definitions(tree)}
        known = _MODULES[name] = (lines, found)
    return known[1]


def _definitions(node: ast.AST) -> Iterator[ast.FunctionDef]:
    """The functions defined in a module, a class, a function, a branch or a loop."""
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        for child in getattr(node, part, ()):
            if isinstance(child, ast.FunctionDef):
                yield child
            yield from _definitions(child)


def _first_line(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _recompiled(tree: ast.FunctionDef, code: types.CodeType) -> Iterator[types.CodeType]:
    """The code of the definition: compiled alone, which is fast, then as part of its file."""
    bare = copy.copy(tree)
    bare.decorator_list, bare.returns = [], None
    bare.args = copy.copy(tree.args)
    bare.args.defaults, bare.args.kw_defaults = [], [None for _ in tree.args.kwonlyargs]
    for kind in ("posonlyargs", "args", "kwonlyargs"):
        plain = [ast.copy_location(ast.arg(one.arg), one) for one in getattr(tree.args, kind)]
        setattr(bare.args, kind, plain)
    module = ast.parse(f"def around({', '.join(code.co_freevars)}): pass")
    around: Any = module.body[0]
    if code.co_freevars:
        around.body = [bare]
    else:
        module.body = [bare]
    yield _compiled(module, code, tree.lineno)
    whole = ast.parse("".join(linecache.getlines(code.co_filename)))
    yield _compiled(whole, code, code.co_firstlineno)


def _compiled(module: ast.Module, code: types.CodeType, line: int) -> types.CodeType:
    """The code of the function in `module` that has the name of `code` and begins at `line`."""
    flags = code.co_flags & __future__.annotations.compiler_flag
    compiled = compile(module, code.co_filename, "exec", flags, dont_inherit=True)
    pending = [compiled]
    while pending:
        found = pending.pop()
        if (found.co_name, found.co_firstlineno) == (code.co_name, line):
            return found
        pending.extend(one for one in found.co_consts if isinstance(one, types.CodeType))
    return compiled


def _essence(code: types.CodeType) -> tuple[Any, ...]:
    """The code without line numbers and file."""
    constants = tuple(
        _essence(one) if isinstance(one, types.CodeType) else (type(one), one)
        for one in code.co_consts
    )
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, constants


def spot_of(function: Callable[..., Any]) -> Spot:
    """The first line of a function."""
    code = function.__code__
    return Spot(shown_path(code.co_filename), code.co_firstlineno)


def _text(node: ast.AST) -> str:
    """The first line of a construct, shortened."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return f"{'def' if isinstance(node, ast.FunctionDef) else 'class'} {node.name}"
    text = ast.unparse(node).partition("\n")[0]
    return text if len(text) <= 60 else text[:57] + "..."


MISSING = object()
"""The meaning of an undefined name."""


@dataclass(frozen=True, eq=False)
class Use:
    """The meaning of a name when it was read, from a closure's cell or a module's names."""

    holder: types.CellType | Mapping[str, Any]
    name: str
    value: Any

    @property
    def is_current(self) -> bool:
        """Whether the name still has the same meaning."""
        return use_in(self.holder, self.name).value is self.value


def use_in(holder: types.CellType | Mapping[str, Any], name: str) -> Use:
    """The current meaning of a name, MISSING if it is undefined."""
    if isinstance(holder, types.CellType):
        is_empty = holder == types.CellType()
        return Use(holder, name, MISSING if is_empty else holder.cell_contents)
    return Use(holder, name, holder.get(name, getattr(builtins, name, MISSING)))


def use_of_name(function: types.FunctionType, name: str) -> Use:
    """The meaning in `function` of a name that is not a local variable."""
    free = function.__code__.co_freevars
    if name in free and function.__closure__:
        return use_in(function.__closure__[free.index(name)], name)
    return use_in(function.__globals__, name)
