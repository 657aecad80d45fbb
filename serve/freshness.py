"""Freshness: a design's files that were saved since they were imported are imported anew.

Who writes a design reloads the page, or asks again, and sees the design as it is then.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

OURS = "tierproof"


class Imported:
    """The modules of a user that lie below a folder, and when their files were saved."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.saved: dict[str, int] = {}

    def note(self) -> None:
        """Remember the files as they are now: they are imported so."""
        self.saved = dict(self._saved())

    def forget_if_saved(self) -> bool:
        """Forget all of the modules if a file of one was saved since; whether it was."""
        now = dict(self._saved())
        if all(now.get(name) == when for name, when in self.saved.items()):
            return False
        for name in self.saved:
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        self.saved = {}
        return True

    def _saved(self) -> Iterator[tuple[str, int]]:
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None)
            if file is None or name.partition(".")[0] == OURS:
                continue
            path = Path(file)
            if path.is_relative_to(self.folder) and "site-packages" not in path.parts:
                with suppress(OSError):
                    yield name, path.stat().st_mtime_ns
