"""A folder of recordings of one release: its classes are asked what the committed files ask.

    for made in recorded(Release("4.4.0"), class_path, Path("conformance/recordings"), folder):
        made.file, len(made.rows), len(made.differing), len(made.not_modelled)

A file is written when all of its rows are answered, never in part.
"""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from py4j.protocol import Py4JError, Py4JJavaError

from tierproof.conformance import REPLAYERS
from tierproof.conformance.brokers import running
from tierproof.conformance.brokers.errors import CannotRun
from tierproof.conformance.brokers.jvm import Jvm
from tierproof.conformance.brokers.releases import Release
from tierproof.conformance.files import content_of
from tierproof.conformance.recorders import caches, lineages, settings
from tierproof.conformance.recorders.asking import Asked, Recorder
from tierproof.conformance.recorders.bridge import CannotRecord, Classes
from tierproof.conformance.rows import reading

RECORDERS: Mapping[str, Recorder] = {
    one.file: one
    for one in (
        settings.RECORDER,
        settings.COPY_LAG_RECORDER,
        caches.RECORDER,
        lineages.RECORDER,
    )
}
"""File name -> how it is recorded again."""

TOLD_EVERY = 10
"""Progress is told at each tenth of a file."""

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Recorded:
    """A file recorded from one release, beside the committed one that gave the questions."""

    recorder: Recorder
    release: str
    path: Path
    rows: Sequence[Asked]
    committed: Sequence[Asked]

    @property
    def file(self) -> str:
        """The name of the file."""
        return self.recorder.file

    @property
    def differing(self) -> list[int]:
        """The rows whose answer is not that of the committed file."""
        pairs = enumerate(zip(self.rows, self.committed, strict=True))
        return [number for number, (new, old) in pairs if new.answer != old.answer]

    @cached_property
    def not_modelled(self) -> frozenset[int]:
        """The rows that the model of this release does not reproduce, as `conform` sees them."""
        replayed = REPLAYERS[self.file](content_of(self.path))
        return frozenset(number for number, row in enumerate(replayed) if not row.agrees)

    def as_dict(self) -> dict[str, Any]:
        """Plain values, as `--json` prints them, with the first difference in full."""
        return {
            "release": self.release,
            "file": self.file,
            "path": str(self.path),
            "rows": len(self.rows),
            "differ_from_committed": len(self.differing),
            "not_reproduced_by_the_model": len(self.not_modelled),
            "first_difference": self._difference(self.differing[0]) if self.differing else None,
        }

    def _difference(self, row: int) -> dict[str, Any]:
        return {
            "row": row,
            "input": self.rows[row].question,
            "committed": self.committed[row].answer,
            "recorded": self.rows[row].answer,
        }


def recorded(
    release: Release,
    class_path: str,
    questions: Path,
    folder: Path,
    *,
    files: Sequence[str] = (),
    tell: Tell = lambda line: None,
) -> Iterator[Recorded]:
    """Record files again, or all that can be, from a release: each as soon as it is written.

    `questions` is the folder of the committed files. Raises CannotRun without Java, CannotRecord
    if a question cannot be asked exactly, and NotARecording for questions that are none.
    """
    chosen = [RECORDERS[name] for name in files] or list(RECORDERS.values())
    contents = [content_of(questions / one.file) for one in chosen]
    folder.mkdir(parents=True, exist_ok=True)
    with machine(class_path) as jvm:
        classes = Classes(jvm, release)
        for recorder, content in zip(chosen, contents, strict=True):
            with reading(recorder.file):
                committed = recorder.read(content)
            rows = _answered(recorder, classes, committed, tell)
            path = folder / recorder.file
            write(path, recorder.written(content, rows, release.version))
            yield Recorded(recorder, release.version, path, rows, committed)


def _answered(
    recorder: Recorder, classes: Classes, committed: Sequence[Asked], tell: Tell
) -> list[Asked]:
    what = f"Kafka {classes.release.version}, {recorder.file}"
    tell(f"{what}: asking {recorder.asked_of}, {len(committed):,} rows")
    with _named(what):
        answer = recorder.asker(classes)
    rows: list[Asked] = []
    step = max(1, len(committed) // TOLD_EVERY)
    for one in committed:
        with _named(f"{what}, row {len(rows)}"):
            rows.append(Asked(one.question, answer(one.question)))
        if len(rows) % step == 0:
            tell(f"{what}: {len(rows):,} of {len(committed):,} rows")
    return rows


@contextmanager
def _named(where: str) -> Iterator[None]:
    """What goes wrong here names the place: a question in no format, or a call that fails."""
    try:
        with reading(where):
            yield
    except CannotRecord as error:
        raise CannotRecord(f"{where}: {error}") from error
    except Py4JJavaError as error:
        raise CannotRecord(f"{where}: {error.java_exception.toString()}") from error
    except Py4JError as error:
        raise CannotRecord(f"{where}: {error}") from error


def machine(class_path: str) -> Jvm:
    """A machine with these classes. Raises CannotRun without Java."""
    if shutil.which("java") is None:
        raise CannotRun("there is no command 'java': classes of Kafka run in a JDK, 17 or later")
    running.begin()
    try:
        return Jvm(class_path)
    except (Py4JError, OSError, ValueError) as error:
        raise CannotRun(f"the Java virtual machine does not start: {error}") from error


def write(path: Path, content: Any) -> None:
    """Write a file of recordings as its name says; what is there is replaced when it is whole."""
    made = path.with_name(f"{path.name}.made")
    made.write_bytes(gzip.compress(_text(path, content).encode(), mtime=0))
    made.replace(path)


def _text(path: Path, content: Any) -> str:
    if ".jsonl" in path.suffixes:
        lines = (json.dumps(row, separators=(",", ":")) for row in content)
        return "".join(f"{line}\n" for line in lines)
    return f"{json.dumps(content)}\n"
