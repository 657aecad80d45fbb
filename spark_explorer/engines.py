"""The executions of a search, by the name of their engine."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from tierproof.model.language.errors import TierproofError
from tierproof.spark_explorer.question import Question

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tierproof.spark_explorer.execution import Execution
    from tierproof.spark_explorer.kept.attempt import Attempt
    from tierproof.spark_explorer.kept.keeping import Keeping
    from tierproof.spark_explorer.native.kernel import Kernel

ENGINES = ("memory", "spark")
"""The engines that search to the end."""

OF_SPARK = ("pandas", "pyarrow", "pyspark")
"""The packages that the engine `spark` needs: those of the extra of the same name."""


class NotInstalled(TierproofError):
    """A package that an engine needs is not here; the message says how to install it."""


OF_RUNS = ("pyarrow",)
"""Those of a run that is kept."""

OF_QUERIES = ("duckdb", "pyarrow")
"""Those of SQL on a run."""

OF_QUERIES_ON_SPARK = (*OF_QUERIES, *OF_SPARK)
"""Those of SQL on a run that Spark answers: DuckDB checks the steps that are written."""


def execution_for(
    question: Question,
    engine: str,
    master: str | None = None,
    keeping: Keeping | None = None,
    threads: int | None = None,
) -> Callable[[Kernel], Execution]:
    """A function that makes the engine's execution for a kernel. Raises NotInstalled."""

    def attempt_of(kernel: Kernel) -> Attempt | None:
        return None if keeping is None else keeping.attempt_of(kernel)

    if engine == "memory":
        from tierproof.spark_explorer.memory import MemoryExecution

        return lambda kernel: MemoryExecution(kernel, threads, attempt_of(kernel))
    check_installed("the engine spark", "spark", OF_SPARK, "--engine memory needs no Spark")
    from tierproof.spark_explorer.spark.execution import SparkExecution

    return lambda kernel: SparkExecution(
        kernel, question, master=master, attempt=attempt_of(kernel)
    )


def check_installed(what: str, extra: str, packages: Sequence[str], instead: str = "") -> None:
    """Raise NotInstalled if a package is missing that `what` needs; the extra has them all."""
    if missing := [name for name in packages if find_spec(name) is None]:
        told = f"{what} needs {', '.join(missing)}: pip install 'tierproof[{extra}]'"
        raise NotInstalled("; ".join(filter(None, [told, instead])))
