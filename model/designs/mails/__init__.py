"""What is sent of each finding, in a few hundred words: `mails/DESIGN/FINDING.md`.

A file is Markdown: paragraphs, quotes, lists. Its first line names the digest of the trace that it
tells (`Trace.digest`), and each numbered step names the steps of the trace behind it: a test
fails when the trace changes under the words. `tierproof.diagrams.finding_mail` reads it.

A last paragraph that begins with "In a review, with `FINDING`:" is for the review alone, which
tells the finding in the point of that other one. `DESIGN/REVIEW.md` has the words with which the
review of a document begins.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent


def text_of(design: str, finding: str) -> str:
    """The text of a finding's mail; empty where none is written."""
    return _read(design, finding)


def opening_of(design: str) -> str:
    """The words with which the review of a design's document begins; empty where none are."""
    return _read(design, "REVIEW")


def _read(design: str, name: str) -> str:
    path = FOLDER / design / f"{name}.md"
    return path.read_text("utf-8") if path.exists() else ""
