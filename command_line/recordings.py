"""Recordings made again from released classes: which files, of which releases, and the table."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Sequence
from pathlib import Path

from tierproof.command_line.confirming import jars
from tierproof.conformance import RECORDINGS
from tierproof.conformance.brokers import Release, class_path
from tierproof.conformance.recorders import RECORDERS, Recorded, compared, recorded
from tierproof.model.language.errors import closest
from tierproof.register import evidence, json_file

QUESTIONS = RECORDINGS


def record(
    folder: Path,
    versions: Sequence[str],
    questions: Path,
    *,
    files: Sequence[str] = (),
    tell: Callable[[str], None] = lambda line: None,
) -> Generator[Recorded]:
    """Record files from releases, one release after the other; results as they come.

    Several releases have a folder each within `folder`. Raises CannotRun and CannotRecord.
    """
    names = [closest("recording", name, RECORDERS) for name in dict.fromkeys(files)]
    releases = [Release(version) for version in dict.fromkeys(versions)]
    for release in releases:
        tell(f"Kafka {release.version}: resolving jars")
        path = class_path(release, jars())
        place = folder / release.version if len(releases) > 1 else folder
        yield from recorded(release, path, questions, place, files=names, tell=tell)


def update(made: Sequence[Recorded]) -> Path:
    """Keep the table of differences between releases. Returns its path."""
    text = json.dumps({"files": compared(made)}, indent=1)
    json_file.write(evidence.RELEASES, f"{text}\n")
    return evidence.RELEASES
