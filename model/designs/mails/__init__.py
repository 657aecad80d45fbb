"""What is sent of each finding, in a few hundred words: `mails/DESIGN/FINDING.md`.

A file is Markdown: paragraphs, quotes, lists. Its first line names the digest of the trace that it
tells (`Trace.digest`), and each numbered step names the steps of the trace behind it: a test
fails when the trace changes under the words. `tierproof.diagrams.finding_mail` reads it.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent


def text_of(design: str, finding: str) -> str:
    """The text of a finding's mail; empty where none is written."""
    path = FOLDER / design / f"{finding}.md"
    return path.read_text("utf-8") if path.exists() else ""
