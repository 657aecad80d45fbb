"""Whether CPython, running a design, really computes a number of more than 64 bits."""

from __future__ import annotations

import ast
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tierproof.model.language import DesignError

LEAST, MOST = -(1 << 63), (1 << 63) - 1


class LargeNumbers:
    """Runs a module's functions with every result noted, for a moment."""

    def __init__(self, module: types.ModuleType) -> None:
        self.module = module
        self._met: list[int] = []
        self._codes: list[tuple[types.FunctionType, types.CodeType]] = []

    def are_met(self, run: Callable[[], Any]) -> bool:
        """Whether a number of more than 64 bits comes up while `run` runs, even if that raises."""
        self._met.clear()
        kept = [(function, function.__code__) for function, _ in self._noting()]
        try:
            for function, code in self._noting():
                function.__code__ = code
            run()
        except DesignError:
            pass
        finally:
            for function, code in kept:
                function.__code__ = code
        return bool(self._met)

    def _noting(self) -> list[tuple[types.FunctionType, types.CodeType]]:
        """The functions of the module with the code that notes what it computes."""
        if not self._codes:
            path = str(self.module.__file__)
            tree = _Noting().visit(ast.parse(Path(path).read_text(encoding="utf-8")))
            code = compile(ast.fix_missing_locations(tree), path, "exec")
            found = {one.co_name: one for one in code.co_consts if isinstance(one, types.CodeType)}
            functions = list(_functions_of(self.module))
            self._codes = [(one, found[one.__name__]) for one in functions]
            vars(self.module).update(_noted=self._noted, _noted_sum=self._noted_sum)
        return self._codes

    def _noted(self, value: Any) -> Any:
        if isinstance(value, int) and not LEAST <= value <= MOST:
            self._met.append(value)
        return value

    def _noted_sum(self, values: Any) -> int:
        total = 0
        for value in values:
            total = self._noted(total + value)
        return total


def _functions_of(module: types.ModuleType) -> Iterator[types.FunctionType]:
    for entry in vars(module).values():
        for one in (entry, getattr(entry, "function", None), getattr(entry, "effect", None)):
            if isinstance(one, types.FunctionType) and one.__module__ == module.__name__:
                yield one


class _Noting(ast.NodeTransformer):
    """Hands the result of every operator to `_noted`."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        return _call("_noted", self.generic_visit(node))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        return _call("_noted", self.generic_visit(node))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name == "sum":
            return _call("_noted_sum", node.args[0])
        return _call("_noted", node) if name == "abs" else node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        self.generic_visit(node)
        if not isinstance(node.target, ast.Name):
            return node  # no field can hold a large number: its domain refuses it
        noted = _call("_noted", ast.Name(node.target.id, ast.Load()))
        return [node, ast.copy_location(ast.Expr(noted), node)]


def _call(name: str, argument: Any) -> ast.Call:
    return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), [argument], []), argument)
