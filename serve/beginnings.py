"""What a server begins with, from the words of its command: a design, a trace, a finding, a run."""

from __future__ import annotations

from pathlib import Path

from tierproof.model.language.errors import UnknownName
from tierproof.serve import jumps
from tierproof.serve.application import Served
from tierproof.serve.jumps import FILES, ServedRun
from tierproof.serve.positions import BadLink, Position
from tierproof.serve.settings import Offered
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.registry import DESIGNS

Begun = tuple[Served, str]
"""What is served, and the page that the first link leads to."""


def of_nothing() -> Begun:
    """The designs that are installed."""
    return Served(Offered()), "designs"


def of_design(question: Question) -> Begun:
    """A design with its edits, in a scope. Raises what `Question.resolve` does."""
    offered = Offered(question.design, variants=question.variants)
    offered.setting(question)
    position = Position(
        design=question.design,
        scope=question.scope,
        bounds=question.bounds,
        variants=question.variants,
        without=question.without,
    )
    return Served(offered, question.design), position.link


def of_trace(design: str, words: str) -> Begun:
    """A trace of a design: a file in ITF, a folder of such files, or a finding.

    Raises UnknownName for what is none of these, NoTrace, BadLink.
    """
    offered, files = Offered(design), _files(Path(words))
    if files:
        position = jumps.to_file(files[0], design, offered)
    else:
        plain = offered.setting(Question(design=design)).plain
        position = jumps.to_finding(design, plain, words)
    return Served(offered, design, files), position.link


def of_run(address: str, claim: str | None) -> Begun:
    """A kept run, at its beginning or at the end of the trace to a property or witness."""
    run = ServedRun.open(address)
    asked = run.run.manifest.question
    offered = Offered(run.words, folder=asked.folder, variants=asked.variants)
    position = run.position if claim is None else run.to_claim(claim)
    offered.setting(position.question)
    return Served(offered, run.words, run=run), position.link


def design_of(words: str) -> str:
    """The design of a trace in ITF, or of a finding, that is named alone.

    Raises BadLink where it does not say its design, UnknownName for what is nothing here.
    """
    if _files(path := Path(words)):
        found = jumps.design_of_file(_files(path)[0])
        if found not in DESIGNS:
            raise BadLink(f"say which design {words} is a trace of: tierproof serve DESIGN {words}")
        return str(found)
    found = jumps.design_of_finding(words)
    if found is None:
        raise UnknownName("design, trace, finding or run", words, DESIGNS)
    return found


def _files(path: Path) -> tuple[Path, ...]:
    """The traces at a path: itself, or those in the folder; none if it is neither."""
    if path.is_dir():
        return tuple(sorted(path.glob(FILES)))
    return (path,) if path.is_file() and path.suffix == ".json" else ()
