"""Reading files of recordings: JSON, gzipped JSON, and gzipped JSON lines; which are there."""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path
from typing import Any

from tierproof.conformance.row_reading import Lines, NotJson
from tierproof.conformance.rows import NotARecording

SUFFIXES = (".jsonl.gz", ".json.gz", ".json")
"""The endings of files of recordings."""


def recordings_in(folder: Path) -> list[Path]:
    """The files of a folder that are recordings by their endings, by name."""
    return sorted(path for path in folder.iterdir() if stem_of(path) and path.is_file())


def stem_of(path: Path) -> str:
    """The name of a file of recordings without its ending; empty for another file."""
    ending = next((ending for ending in SUFFIXES if path.name.endswith(ending)), None)
    return path.name.removesuffix(ending) if ending else ""


def content_of(path: Path) -> Any:
    """What a file holds; for JSON lines a list, in which a line may be NotJson.

    Raises NotARecording with the reason.
    """
    try:
        text = _text_of(path)
    except (gzip.BadGzipFile, zlib.error, EOFError, UnicodeDecodeError) as error:
        raise NotARecording(f"{path} is not what its name says: {error}") from error
    except OSError as error:
        raise NotARecording(f"{path} cannot be read: {error.strerror or error}") from error
    found = _lines_of(text) if ".jsonl" in path.suffixes else _value_of(text)
    refused = found if isinstance(found, NotJson) else _only_refused(found)
    if refused is not None:
        raise NotARecording(f"{path} is not what its name says: not JSON: {refused}")
    return found


def _lines_of(text: str) -> Lines:
    numbered = enumerate(text.splitlines(), start=1)
    return Lines({number: _value_of(line) for number, line in numbered if line.strip()})


def _value_of(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        return NotJson(error)


def _only_refused(found: Any) -> NotJson | None:
    """Why the first line is not JSON, if no line of a file is; then it holds no rows at all."""
    if isinstance(found, Lines) and found and all(isinstance(one, NotJson) for one in found):
        return found[0]
    return None


def _text_of(path: Path) -> str:
    if path.suffix == ".gz":
        with gzip.open(path, "rt", encoding="utf-8") as file:
            return file.read()
    return path.read_text(encoding="utf-8")
