"""Runs opened for questions: their tables are written where they are missing, then read.

Tables stay beside the run. Where nothing can be written there, they are made in a folder that is
removed in the end.
"""

from __future__ import annotations

import errno
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from itertools import pairwise
from typing import Any, Protocol, TypeVar

from tierproof.model.language.errors import NonDeterministic
from tierproof.spark_explorer.kept.opening import KeptRun
from tierproof.spark_explorer.kept.store import NoSuchRun, Store, store_at
from tierproof.spark_explorer.tables.database import MAIN, Database
from tierproof.spark_explorer.tables.writing import STATES, STEPS, Manifest, Tables

FOLDER = "tables"
REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS)
"""What a store says to which nothing may be written."""


class Asked(Protocol):
    """What answers questions on the tables of runs: DuckDB, or Spark; see `Database`."""

    def add(
        self,
        manifest: Manifest,
        store: Store,
        found: Mapping[str, Any] | None,
        steps: Sequence[int],
        name: str = MAIN,
    ) -> None:
        """Add the tables of a run under a name."""

    def close_to_others(self) -> None:
        """All tables are added."""

    def close(self) -> None:
        """Forget the tables."""


Made = TypeVar("Made", bound=Asked)


@contextmanager
def opened(
    run: KeptRun,
    others: Mapping[str, KeptRun] | None = None,
    *,
    steps: bool = False,
    tell: Callable[[str], None] = lambda _: None,
) -> Iterator[Database]:
    """A database of a run, and of others by their names: see `opened_in`."""
    with opened_in(Database, run, others, steps=steps, tell=tell) as database:
        yield database


@contextmanager
def opened_in(
    make: Callable[[], Made],
    run: KeptRun,
    others: Mapping[str, KeptRun] | None = None,
    *,
    steps: bool = False,
    tell: Callable[[str], None] = lambda _: None,
) -> Iterator[Made]:
    """The tables of a run, and of others by their names; with steps if asked, or written before.

    `make` makes what answers questions on them.

    `tell` is called before tables are written, and where ids of two runs say nothing of each other.
    The design is imported only where something has to be written. Raises NoSuchRun, OSError, and
    NonDeterministic if a step leads where the search has not been.
    """
    with ExitStack() as stack:
        database, layouts = make(), dict[str, str]()
        stack.callback(database.close)
        for name, one in {MAIN: run, **(others or {})}.items():
            found, store = _written(one, steps, tell, stack)
            database.add(found, store, one.found, _steps(one), name)
            layouts[name] = found.layout
            if found.layout != layouts[MAIN]:
                tell(
                    f"states of {name} have other fields, bounds or symmetry: its ids say nothing "
                    "of those of the first run; compare fields"
                )
        database.close_to_others()
        yield database


def _written(
    run: KeptRun, steps: bool, tell: Callable[[str], None], stack: ExitStack
) -> tuple[Manifest, Store]:
    """The tables that have every level of a run, once what is missing is written; their store."""
    if not run.levels:
        raise NoSuchRun(f"{run.store} has no states yet: tierproof resume {run.store}")
    store, digest = run.store.child(FOLDER), run.manifest.digest
    found = Manifest.read(store, digest)
    wanted = [STATES, STEPS] if steps else [STATES]
    if missing := [table for table in wanted if not found.has(table, run.levels)]:
        if not _may_be_written(store):
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="tierproof-tables-"))
            store, missing = store_at(folder), wanted
            found = Manifest.read(store, digest)
            tell(f"{run.store} cannot be written to: tables are made for this query alone")
        with closing(run.kernel()) as kernel:
            tables = Tables(kernel, run, store, found)
            for table in missing:
                tell(f"writing the table of {table} of {run.store}, which is done once")
                tables.add(
                    table, (lambda made: _check(run, store, made)) if table == STEPS else _no
                )
        found = tables.manifest
    files = {name: of for name, of in found.files.items() if found.has(name, run.levels)}
    return replace(found, files=files), store


def _no(made: Manifest) -> None:
    """Nothing is to be checked."""


def _may_be_written(store: Store) -> bool:
    """Whether a store takes files."""
    try:
        store.put("trial", b"")
        store.remove("trial")
    except OSError as error:
        if error.errno in REFUSED or isinstance(error, PermissionError):
            return False
        raise
    return True


def _check(run: KeptRun, store: Store, made: Manifest) -> None:
    """Raise NonDeterministic if a step leads to a state that a whole search never visited."""
    if not run.is_whole or run.found is None:
        return
    database = Database()
    try:
        database.add(made, store, run.found, [])
        database.check_steps()
        counted = dict(database.rows("SELECT action, count(*) FROM steps GROUP BY action"))
    finally:
        database.close()
    for action, count in run.found["actions"].items():
        if counted.get(action, 0) != count:
            raise NonDeterministic(
                f"{action}, taken again in every state, is taken {counted.get(action, 0):,} times, "
                f"and the search counted {count:,}"
            )


def _steps(run: KeptRun) -> list[int]:
    """The steps out of each level, as the search counted them; not of a last one that it left."""
    generated = [run.run.told(level)["generated"] for level in range(run.levels)]
    return [after - before for before, after in pairwise(generated)]
