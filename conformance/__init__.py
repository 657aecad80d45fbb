"""Conformance: compare the model with recorded behaviour of the real Kafka classes.

    for result in conform(RECORDINGS):
        result.file, result.agreed, result.total, result.first_disagreement

There is one module for each kind of file; it computes the model's answers to recorded rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from tierproof.conformance.files import content_of, recordings_in, stem_of
from tierproof.conformance.rows import NOT_REPLAYED, FileResult, NotARecording, Replayer, Row

__all__ = [
    "RECORDINGS",
    "REPLAYERS",
    "FileResult",
    "NotARecording",
    "Row",
    "conform",
    "conform_file",
]


RECORDINGS = Path(__file__).parent / "recordings"
"""The recordings that the package has."""


def _replayer(module: str, function: str = "replay") -> Replayer:
    """That of a module, which is imported once it is called: most load a design of Kafka."""

    def replay(content: Any) -> Iterator[Row]:
        found: Replayer = getattr(import_module(f"{__name__}.{module}"), function)
        return found(content)

    return replay


REPLAYERS: dict[str, Replayer] = {
    "cases.json": _replayer("cases"),
    "cleaner.jsonl.gz": _replayer("cleaner"),
    "config_validation.json.gz": _replayer("config"),
    "copy_lag_validation.json.gz": _replayer("config"),
    "metadata_cache.jsonl.gz": _replayer("cache"),
    "producer_state.jsonl.gz": _replayer("producers"),
    "scenarios.json": _replayer("traces", "replay_scenarios"),
    "traces.jsonl.gz": _replayer("traces", "replay_traces"),
    "within_leader_epochs.json.gz": _replayer("lineage"),
}
"""File name -> its replayer. `cleaner_more.jsonl.gz` has more rows of `cleaner.jsonl.gz`."""


def kind_of(path: Path) -> str | None:
    """The name in REPLAYERS whose replayer reads a file, None if there is none."""
    stem = stem_of(path)
    for name in REPLAYERS:
        known = stem_of(Path(name))
        is_more = stem.startswith(f"{known}_") and path.name.endswith(name.removeprefix(known))
        if path.name == name or is_more:
            return name
    return None


def conform(folder: Path) -> list[FileResult]:
    """One result for each file of recordings in `folder`, by name. Raises NotARecording.

    A file that has the ending of a recording and no replayer does not agree.
    """
    if not folder.is_dir():
        raise NotARecording(f"there is no folder {folder}")
    found = recordings_in(folder)
    if not any(map(kind_of, found)):
        raise NotARecording(
            f"{folder} holds no recording: none of {', '.join(sorted(REPLAYERS))} is in it"
        )
    return [conform_file(path) for path in found]


def conform_file(path: Path) -> FileResult:
    """The result of one file; its name selects the replayer. Raises NotARecording."""
    kind = kind_of(path)
    if kind is None:
        unknown = f"{NOT_REPLAYED}: no replayer reads a file of this name"
        return FileResult(path.name, 0, 1, Row(path.name, None, None, unknown))
    content = content_of(path)
    try:
        rows = list(REPLAYERS[kind](content))
    except NotARecording as error:
        raise NotARecording(f"{path} is not what its name says: {error}") from error
    if not rows:
        raise NotARecording(f"{path} is not what its name says: it holds no row")
    disagreeing = [row for row in rows if not row.agrees]
    unread = tuple(row for row in rows if row.is_unread)
    first = next((row for row in disagreeing if not row.is_unread), (*unread, None)[0])
    return FileResult(path.name, len(rows) - len(disagreeing), len(rows), first, unread)
