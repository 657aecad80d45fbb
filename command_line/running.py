"""Run a question on an engine, show progress, and write the result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tierproof.command_line.writing import written_to
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.results import Result
from tierproof.spark_explorer.search import explore
from tierproof.spark_explorer.simulation import simulate
from tierproof.spark_explorer.watching import Watching

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierproof.spark_explorer.execution import Execution
    from tierproof.spark_explorer.native.kernel import Kernel


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
        )


def execution_for(
    question: Question,
    engine: str,
    master: str | None = None,
    run_folder: Path | None = None,
    threads: int | None = None,
) -> Callable[[Kernel], Execution]:
    """A function that makes the engine's execution for a kernel."""
    if engine == "memory":
        from tierproof.spark_explorer.memory import MemoryExecution

        return lambda kernel: MemoryExecution(kernel, threads)
    from tierproof.spark_explorer.spark.execution import SparkExecution

    return lambda kernel: SparkExecution(kernel, question, master=master, folder=run_folder)


def write(result: Result, folder: Path) -> None:
    """Write `result.json`, and text and drawings of every counterexample, into `folder`.

    Raises NotWritten, which names the folder.
    """
    from tierproof import diagrams

    found = result.as_dict()
    with written_to(folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "result.json").write_text(json.dumps(found, indent=2) + "\n")
        for entry in found["properties"]:
            if entry["trace"] is not None:
                text = diagrams.trace_as_text(entry["trace"], entry)
                (folder / f"{entry['name']}.txt").write_text(text + "\n")
                diagrams.draw_trace(entry["trace"], folder, entry["name"], entry)
