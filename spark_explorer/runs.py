"""A question on an engine, with its progress shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tierproof.spark_explorer.engines import execution_for
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.results import Result
from tierproof.spark_explorer.search import explore
from tierproof.spark_explorer.simulation import simulate
from tierproof.spark_explorer.watching import Watching


def run(
    question: Question,
    *,
    engine: str,
    master: str | None = None,
    run_folder: Path | None = None,
    max_states: int | None = None,
    first: bool = False,
    watched: bool = True,
) -> Result:
    """Explore a question on `engine` ("memory" or "spark"), showing progress if `watched`.

    `run_folder` stores a run on Spark; on a cluster all executors share it.
    """
    with Watching(watched) as watching:
        return run_beside(
            question,
            watching,
            engine=engine,
            master=master,
            run_folder=run_folder,
            max_states=max_states,
            first=first,
        )


def walk(question: Question, *, watched: bool = True, **sampled: Any) -> Result:
    """Take random walks; `sampled` are the options of `simulate`, among them the seed."""
    design, scope = question.resolve()
    title = f"{design.name} {question.scope_title(design)}"
    with Watching(watched) as watching, watching.search(title) as watch:
        return simulate(
            design,
            scope,
            scope_name=question.scope_title(design),
            only=question.properties,
            watch=watch,
            **sampled,
        )


def run_beside(
    question: Question,
    watching: Watching,
    *,
    engine: str,
    master: str | None = None,
    run_folder: Path | None = None,
    max_states: int | None = None,
    until: tuple[str, ...] = (),
    first: bool = False,
    threads: int | None = None,
) -> Result:
    """As `run`, with a display shared by several runs; `threads` are those of the memory engine."""
    design, scope = question.resolve()
    with watching.search(f"{design.name} {question.scope_title(design)}") as watch:
        return explore(
            design,
            scope,
            execution_for(question, engine, master, run_folder, threads),
            scope_name=question.scope_title(design),
            only=question.properties,
            max_states=max_states,
            until=until,
            first=first,
            watch=watch,
            symmetry=question.symmetry,
        )
