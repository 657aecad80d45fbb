"""Reads the source code: files, imports, identifiers, as plain data for the rules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = (
    "model",
    "invariants",
    "properties",
    "spark_explorer",
    "diagrams",
    "conformance",
    "register",
    "serve",
    "command_line",
    "pytest_plugin",
)
"""What is installed. `tests` and `benchmarks` stand around it."""

Named = tuple[int, str]
"""A line number and what stands there."""


@cache
def files_of(folder: str) -> tuple[Path, ...]:
    """The Python files below a folder of the repository; none where there is no such folder."""
    return tuple(sorted((ROOT / folder).rglob("*.py")))


@cache
def tree_of(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def shown(path: Path) -> str:
    """A path as a message names it."""
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name


def module_of(path: Path) -> str:
    """The dotted name of a file from the repository's root on."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_in(tree: ast.Module, module: str, *, is_package: bool = False) -> Iterator[Named]:
    """Dotted names that a module imports, wherever in it, relative ones resolved."""
    here = module.split(".") if is_package else module.split(".")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, short_name(alias.name)) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = here[: len(here) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                whole = f"{base}.{alias.name}"
                yield node.lineno, short_name(whole if _is_module(whole) else base)


def imports_of(path: Path) -> Iterator[Named]:
    """Dotted names that a file imports."""
    yield from imports_in(tree_of(path), module_of(path), is_package=path.name == "__init__.py")


def short_name(name: str) -> str:
    """A module's name from the repository's root on: `model.language` of `tierproof.model...`."""
    return name.removeprefix("tierproof.")


def _is_module(name: str) -> bool:
    place = ROOT.joinpath(*short_name(name).split("."))
    return place.is_dir() or place.with_suffix(".py").is_file()


def identifiers_in(tree: ast.Module) -> Iterator[Named]:
    """Names that a module gives: to variables, fields, parameters, functions and classes."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr


def calls_in(tree: ast.Module) -> Iterator[Named]:
    """Plain names that a module calls."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.lineno, node.func.id


def functions_in(tree: ast.Module) -> Iterator[tuple[Named, int]]:
    """Every function with the number of lines that it takes."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield (node.lineno, node.name), (node.end_lineno or node.lineno) - node.lineno + 1


def undocumented_in(tree: ast.Module) -> Iterator[Named]:
    """The module itself, its public classes and its public functions that lack a docstring."""
    if ast.get_docstring(tree) is None:
        yield 1, "the module"
    for node in tree.body:
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        if not isinstance(node, kinds) or node.name.startswith("_"):
            continue
        if ast.get_docstring(node) is None:
            yield node.lineno, node.name
