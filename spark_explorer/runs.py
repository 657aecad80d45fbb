"""A question on an engine, with its progress shown."""

from __future__ import annotations

from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

from tierproof.spark_explorer.engines import execution_for
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.results import Result
from tierproof.spark_explorer.search import as_it_is, explore
from tierproof.spark_explorer.simulation import simulate
from tierproof.spark_explorer.watching import Watching

if TYPE_CHECKING:
    from tierproof.spark_explorer.kept.keeping import Keeping


def run(
    question: Question,
    *,
    engine: str,
    master: str | None = None,
    keeping: Keeping | None = None,
    max_states: int | None = None,
    first: bool = False,
    watched: bool = True,
) -> Result:
    """Explore a question on `engine` ("memory" or "spark"), showing progress if `watched`.

    `keeping` keeps it as a run, or goes on with one.
    """
    with Watching(watched) as watching:
        return run_beside(
            question,
            watching,
            engine=engine,
            master=master,
            keeping=keeping,
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
    keeping: Keeping | None = None,
    max_states: int | None = None,
    until: tuple[str, ...] = (),
    first: bool = False,
    threads: int | None = None,
) -> Result:
    """As `run`, with a display shared by several runs; `threads` are those of the memory engine."""
    design, scope = question.resolve()
    with ExitStack() as stack:
        title = f"{design.name} {question.scope_title(design)}"
        watch = stack.enter_context(watching.search(title))
        if keeping is not None:
            stack.enter_context(closing(keeping))
        return explore(
            design,
            scope,
            execution_for(question, engine, master, keeping, threads),
            scope_name=question.scope_title(design),
            only=question.properties,
            max_states=max_states,
            until=until,
            first=first,
            watch=watch,
            symmetry=question.symmetry,
            fingerprint_bits=question.fingerprint_bits,
            keep=as_it_is if keeping is None else keeping.keep,
        )
