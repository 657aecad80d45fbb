"""The table of differences between releases, as Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

INTRODUCTION = """# Differences between releases

The published classes of these releases of Kafka answered the questions of the recordings that the
package has. Those were made from trunk (4.5.0-SNAPSHOT, d79bd502ec), the settings of
KIP-1241 from 4.4.0. A row is a question and its answer: settings, or a sequence of operations on
one cache, or a segment and a lineage.
"""
MEANINGS = """- **differs**: rows whose answer is not that of the committed recording.
- **reproduced**: rows of the recording of this release that `tierproof conform` reproduces; for
  settings it takes the model's version of the release (`KafkaVersion`).

Recordings of whole replicas, of the log cleaner and of producers, and the named cases, are not
recorded again by the project.
"""


def as_markdown(files: Sequence[dict[str, Any]]) -> str:
    """The page, from the plain values of `differences.compared`."""
    return "\n".join(_page(files)) + "\n"


def _page(files: Sequence[dict[str, Any]]) -> Iterator[str]:
    releases = list(files[0]["releases"])
    told = " ".join(f"--kafka {release}" for release in releases)
    yield INTRODUCTION
    yield f"Made by `tierproof record build/recordings {told} --update`."
    yield ""
    yield MEANINGS
    yield "| recording | asked | rows | release | differs | reproduced |"
    yield "|---|---|--:|---|--:|--:|"
    for file in files:
        for release, counts in file["releases"].items():
            cells = (
                f"`{file['file']}`",
                f"`{file['asked_of']}`",
                f"{file['rows']:,}",
                release,
                f"{counts['differ_from_committed']:,}",
                f"{counts['reproduced_by_the_model']:,}",
            )
            yield _line(cells)
    for file in files:
        yield ""
        yield f"## {file['title']}"
        yield ""
        yield from _differences(file, releases)


def _differences(file: dict[str, Any], releases: Sequence[str]) -> Iterator[str]:
    found = file["differences"]
    if not found:
        yield f"No difference between {_listed(releases)}: {file['rows']:,} rows compared."
        return
    differing = sum(one["rows"] for one in found)
    yield f"{differing:,} of {file['rows']:,} rows differ between {_listed(releases)}."
    yield ""
    yield f"| rows | {' | '.join(releases)} | the first of them | in the model |"
    yield f"|--:|{'---|' * (len(releases) + 2)}"
    for one in found:
        answers = [one["answers"][release] for release in releases]
        unlike = one["not_modelled"]
        told = f"not for {_listed(unlike)}" if unlike else "yes, by `KafkaVersion`"
        yield _line((f"{one['rows']:,}", *answers, f"`{json.dumps(one['example'])}`", told))


def _listed(releases: Sequence[str]) -> str:
    *first, last = releases
    return f"{', '.join(first)} and {last}" if first else last


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
