"""The executions of a search, by the name of their engine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tierproof.spark_explorer.question import Question

if TYPE_CHECKING:
    from collections.abc import Callable

    from tierproof.spark_explorer.execution import Execution
    from tierproof.spark_explorer.native.kernel import Kernel

ENGINES = ("memory", "spark")
"""The engines that search to the end."""


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
