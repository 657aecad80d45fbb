"""Where compiled code is kept between runs."""

from __future__ import annotations

import os
from pathlib import Path


def folder() -> Path:
    """The cache folder: $TIERPROOF_CACHE, else tierproof's in the user's cache folder."""
    chosen = os.environ.get("TIERPROOF_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(chosen) if chosen else Path(base) / "tierproof"
