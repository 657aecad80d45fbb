"""The executions of a search, by the name of their engine."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from tierproof.model.language.errors import TierproofError
from tierproof.spark_explorer.question import Question

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierproof.spark_explorer.execution import Execution
    from tierproof.spark_explorer.native.kernel import Kernel

ENGINES = ("memory", "spark")
"""The engines that search to the end."""

OF_SPARK = ("pandas", "pyarrow", "pyspark")
"""The packages that the engine `spark` needs: those of the extra of the same name."""


class NotInstalled(TierproofError):
    """A package that an engine needs is not here; the message says how to install it."""


def execution_for(
    question: Question,
    engine: str,
    master: str | None = None,
    run_folder: Path | None = None,
    threads: int | None = None,
) -> Callable[[Kernel], Execution]:
    """A function that makes the engine's execution for a kernel. Raises NotInstalled."""
    if engine == "memory":
        from tierproof.spark_explorer.memory import MemoryExecution

        return lambda kernel: MemoryExecution(kernel, threads)
    if missing := [name for name in OF_SPARK if find_spec(name) is None]:
        raise NotInstalled(
            f"the engine spark needs {', '.join(missing)}: pip install 'tierproof[spark]'; "
            "--engine memory needs no Spark"
        )
    from tierproof.spark_explorer.spark.execution import SparkExecution

    return lambda kernel: SparkExecution(kernel, question, master=master, folder=run_folder)
