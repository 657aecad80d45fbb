"""Functions that the language generates, such as the guard of an edge, with their text.

The text is stored in Python's cache of source lines, so that
debuggers, tracebacks and the reader of designs find it like any other.
"""

from __future__ import annotations

import hashlib
import linecache
import types
from collections.abc import Callable, Mapping
from typing import Any


def function_of(text: str, names: Mapping[str, Any]) -> Callable[..., Any]:
    """The one function that `text` defines, with `names` as its globals."""
    file = f"<written {hashlib.sha256(text.encode()).hexdigest()[:16]}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    known: dict[str, Any] = {**names, "__name__": __name__}
    exec(compile(text, file, "exec", dont_inherit=True), known)
    made = (one for name, one in known.items() if name not in names)
    return next(one for one in made if isinstance(one, types.FunctionType))
