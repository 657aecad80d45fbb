"""Reading files of recordings: JSON, gzipped JSON, and gzipped JSON lines."""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path
from typing import Any

from tierproof.conformance.rows import NotARecording


def content_of(path: Path) -> Any:
    """What a file holds; for JSON lines a list. Raises NotARecording with the reason."""
    try:
        text = _text_of(path)
    except (gzip.BadGzipFile, zlib.error, EOFError, UnicodeDecodeError) as error:
        raise NotARecording(f"{path} is not what its name says: {error}") from error
    except OSError as error:
        raise NotARecording(f"{path} cannot be read: {error.strerror or error}") from error
    try:
        if ".jsonl" in path.suffixes:
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        return json.loads(text)
    except ValueError as error:
        raise NotARecording(f"{path} is not what its name says: not JSON: {error}") from error


def _text_of(path: Path) -> str:
    if path.suffix == ".gz":
        with gzip.open(path, "rt", encoding="utf-8") as file:
            return file.read()
    return path.read_text(encoding="utf-8")
