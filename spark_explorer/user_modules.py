"""Modules of a user: imported by path or by name, with errors that name the line in his files."""

from __future__ import annotations

import ast
import importlib
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from tierproof.model.language.errors import DesignError, NoSuchDesign, TierproofError

FOLDERS = set[str]()
"""What was put first on Python's path here: a process that begins would find a user's `json.py`
before Python's own."""


@contextmanager
def without_folders() -> Iterator[None]:
    """Python's path as it was: a process that is started here finds its own modules first."""
    here = list(sys.path)
    sys.path[:] = [one for one in here if one not in FOLDERS]
    try:
        yield
    finally:
        sys.path[:] = here


def module_named(words: str, folder: Path) -> ModuleType:
    """The module called `words`, or in the file `words`; both are looked for in `folder`.

    Raises NoSuchDesign if there is none, DesignError if its import fails.
    """
    return module_at(folder / words) if words.endswith(".py") else _module(words, folder)


def module_at(path: Path) -> ModuleType:
    """Import a user's file, by the name that it has in the packages that hold it."""
    path = path.resolve()
    if not path.is_file():
        raise NoSuchDesign(f"there is no file {path}")
    root, names = path.parent, [path.stem]
    while (root / "__init__.py").exists():
        root, names = root.parent, [root.name, *names]
    module = _module(".".join(names), root)
    there = getattr(module, "__file__", None)
    if there is None or not path.samefile(there):
        raise NoSuchDesign(
            f"{path} cannot be imported, as Python has another module {module.__name__} "
            f"({there or 'its own'}): give the file another name"
        )
    return module


def imported_by(module: ModuleType) -> set[str]:
    """The names that a module's lines import."""
    tree = ast.parse(text_of(module))
    lines = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    return {one.asname or one.name for line in lines for one in line.names}


def text_of(module: ModuleType) -> bytes:
    """The text of a module's file as it is now, also where that is in a zip."""
    file = str(module.__file__)
    loader = getattr(module, "__loader__", None)
    read = getattr(loader, "get_data", None)
    return bytes(read(file)) if read else Path(file).read_bytes()


def _module(name: str, folder: Path) -> ModuleType:
    """Import a user's module, with `folder` first on Python's path."""
    try:
        if str(folder) not in (*sys.path, "."):
            sys.path.insert(0, str(folder))
            FOLDERS.add(str(folder))
        return importlib.import_module(name)
    except DesignError:
        raise
    except ModuleNotFoundError as error:
        raise NoSuchDesign(
            f"there is no module {error.name!r} (looking for {name!r} from {folder}); "
            "what is yours is named module:ATTRIBUTE or path/to/file.py:ATTRIBUTE"
        ) from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a module that ends Python ends its import, and no more
        told = (
            str(error) if isinstance(error, TierproofError) else f"{type(error).__name__}: {error}"
        )
        raise DesignError(f"importing {name} raised {told}{_line_of(error)}") from error


def _line_of(error: BaseException) -> str:
    """The last line of the user's own files that an error of an import came through."""
    others = (Path(__file__).resolve().parents[1], sys.prefix, sys.base_prefix)
    lines = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith("<")
        and not any(Path(frame.filename).is_relative_to(folder) for folder in others)
    ]
    return f" ({lines[-1].filename}, line {lines[-1].lineno})" if lines else ""
