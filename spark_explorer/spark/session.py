"""Spark for exploration, embedded or on a cluster; one sentence when there is none."""

from __future__ import annotations

import atexit
import logging
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tierproof.model.language.errors import DesignError
from tierproof.spark_explorer import folders
from tierproof.spark_explorer.execution import LevelLost, Unlike
from tierproof.spark_explorer.kept.run import DISK_FULL
from tierproof.spark_explorer.spark import configuration
from tierproof.spark_explorer.spark.configuration import NoSpark, is_here

OLDEST_JAVA = 17
SECONDS_TO_ANSWER = 5
FOR_LITTLE_WORK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Options of a JVM that hands work to others: with them it takes half the CPU to start."""
PARALLELISM = "spark.default.parallelism"
"""How many parts the states have on a cluster, if the operator has set it."""
SECONDS_FOR_ANOTHER = 3
"""How long after an executor has come another one may follow."""
SECONDS_FOR_EXECUTORS = 60
SECONDS_BETWEEN = 0.2
ATTEMPTS = 4
"""How often a task is tried on this machine: a worker that is killed does not end the run."""


class Starting:
    """A SparkContext on `master` that another thread starts.

    None: the master that the operator has set, or every core of this machine.

    It does so from `begin` on, or when somebody first waits for it. `make_ready` is called with it
    on that thread; that it fails is seen in the first job, too. Raises NoSpark where it is known
    at once that there will be none.
    """

    def __init__(self, master: str | None, make_ready: Callable[[Any], None]) -> None:
        see_to_java()
        self.operators = configuration.given()
        connect = os.environ.get("SPARK_REMOTE")
        named = master or connect or self.operators.get(configuration.MASTER)
        self.address = named or f"local[*,{ATTEMPTS}]"
        _check_answer(self.address)
        self.make_ready = make_ready
        self.started: Any = None
        self.failure: Exception | None = None
        self.thread: threading.Thread | None = None

    def begin(self) -> None:
        """Start it, if that has not begun."""
        if self.thread is None:
            self.thread = threading.Thread(target=self._start, daemon=True)
            self.thread.start()

    @property
    def is_over(self) -> bool:
        """Whether Spark is ready. Raises NoSpark if it could not be started."""
        if self.failure is not None:
            raise self.failure
        return self.thread is not None and not self.thread.is_alive()

    @property
    def context(self) -> Any:
        """The context; waits until it is ready. Raises NoSpark if it could not be started."""
        self.begin()
        assert self.thread is not None
        self.thread.join()
        assert self.is_over
        return self.started

    @property
    def is_here(self) -> bool:
        """Whether Spark runs on this machine, on the cores of the search."""
        return is_here(self.address)

    @property
    def threads(self) -> int | None:
        """The cores of this machine that Spark is to use; None for all, and for a cluster."""
        found = re.match(r"local(?:\[(\d+)|$)", self.address)
        return int(found[1] or 1) if found else None

    def _start(self) -> None:
        try:
            with _ONE_AT_A_TIME:
                self.started = _context(self.address, self.operators)
                if not self.is_here and PARALLELISM not in self.operators:
                    _wait_for_executors(self.started)
        except Exception as error:
            self.failure = error
            return
        with suppress(Exception):
            self.make_ready(self.started)


_ONE_AT_A_TIME = threading.Lock()
"""A process has one context."""


def _wait_for_executors(context: Any) -> None:
    """Wait until the executors of a cluster are there: each core has a part of the states."""
    came = began = time.monotonic()
    known = 0
    while not known or time.monotonic() - came < SECONDS_FOR_ANOTHER:
        if time.monotonic() - began > SECONDS_FOR_EXECUTORS:
            return
        time.sleep(SECONDS_BETWEEN)
        found = len(context._jsc.sc().statusTracker().getExecutorInfos()) - 1  # the driver is one
        if found != known:
            known, came = found, time.monotonic()


def _context(address: str, operators: Mapping[str, str]) -> Any:
    """The SparkContext of this process. Raises NoSpark."""
    os.environ["PYSPARK_PYTHON"] = configuration.python_of(address, operators)
    os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    from pyspark import SparkConf, SparkContext

    logging.getLogger("py4j").setLevel(logging.CRITICAL)  # a JVM that ends is told in a sentence
    logging.getLogger().addFilter(_is_not_of_py4j)  # which logs an interrupt as the root's
    settings = configuration.ours(address, operators) | _own_folder(address, operators)
    settings[configuration.MASTER] = address
    conf = SparkConf(loadDefaults=False).setAll(list(settings.items()))
    try:
        with _whole_start():
            _launch(conf)
            context = SparkContext.getOrCreate(SparkConf().setAll(list(settings.items())))
        _end_without_traceback()
    except Exception as error:
        raise NoSpark(
            f"Spark did not start on {address}: {str(error).splitlines()[0]}; "
            "--engine memory needs no Spark"
        ) from error
    return context


def frames(context: Any) -> Any:
    """The SparkSession of a context: what a search on this machine can do without starts late."""
    from pyspark.sql import SparkSession

    return SparkSession.builder.config(conf=context.getConf()).getOrCreate()


def _launch(conf: Any) -> None:
    """Start the JVM, if there is none, with a standard error other than the user's terminal.

    Its messages at start and stop are of no use here; errors come as exceptions.
    """
    from pyspark import SparkContext
    from pyspark.java_gateway import launch_gateway

    if SparkContext._gateway is None:
        gateway = launch_gateway(conf, {"stderr": subprocess.DEVNULL})
        SparkContext._ensure_initialized(gateway=gateway)


def _is_not_of_py4j(record: logging.LogRecord) -> bool:
    return "py4j" not in Path(record.pathname).parts


def _end_without_traceback() -> None:
    """Keep PySpark's server of accumulators quiet when the JVM closes its connection.

    That the JVM has ended is told in a sentence, where it matters.
    """
    from pyspark import SparkContext

    server: Any = getattr(SparkContext._active_spark_context, "_accumulatorServer", None)
    if server is not None:
        server.handle_error = lambda request, address: None


def _own_folder(address: str, operators: Mapping[str, str]) -> dict[str, str]:
    """Spark's temporary files on this machine, in a folder that a later run sweeps if need be."""
    from pyspark import SparkContext

    if not address.startswith("local") or SparkContext._active_spark_context is not None:
        return {}
    folders.sweep()
    folder = folders.make(folders.temporary())
    atexit.register(_end, folder)
    settings = {
        "spark.local.dir": str(folder),
        "spark.driver.extraJavaOptions": f"-Djava.io.tmpdir={folder} {FOR_LITTLE_WORK}",
    }
    return {name: value for name, value in settings.items() if name not in operators}


def _end(folder: Path) -> None:
    """End the JVM, as the end of this process would, and remove what it leaves."""
    from pyspark import SparkContext

    process = getattr(SparkContext._gateway, "proc", None)
    if process is None:
        _kill(_virtual_machines())  # amid its start
    else:
        with suppress(OSError, subprocess.TimeoutExpired):
            process.stdin.close()
            process.wait(SECONDS_TO_ANSWER)
    folders.remove(folder)


def see_to_java() -> None:
    """Point JAVA_HOME at the JDK that the set-up installed, and check that there is one."""
    installed = Path(sys.prefix) / "java_home"
    if installed.exists() and not os.environ.get("JAVA_HOME"):
        os.environ["JAVA_HOME"] = installed.read_text().strip()
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if java is None or not Path(java).exists():
        raise NoSpark(
            "Spark needs Java 17 or newer: install openjdk-17-jre-headless "
            "(or newer) or set JAVA_HOME; --engine memory needs no Java"
        )
    version = _java_version(java)
    if version is not None and version < OLDEST_JAVA:
        raise NoSpark(
            f"Spark needs Java {OLDEST_JAVA} or newer and {java} is Java {version}: "
            "set JAVA_HOME to a newer one; --engine memory needs no Java"
        )


def _java_version(java: str) -> int | None:
    said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    match = re.search(r'version "(?:1\.)?(\d+)', said)
    return int(match[1]) if match else None


def _check_answer(address: str) -> None:
    """Raise at once, not after Spark's long timeout, if a master does not answer."""
    if address.startswith("sc://"):
        raise NoSpark(
            f"{address} is Spark Connect, which tells a client nothing of cores and jobs: explore "
            "with spark-submit, or with --master spark://HOST:7077"
        )
    reason = "it names no host and port"
    for host, port in re.findall(r"([^,/:]+):([0-9]+)", address.partition("//")[2]):
        try:
            with socket.create_connection((host, int(port)), SECONDS_TO_ANSWER):
                return
        except OSError as error:
            reason = error.strerror or str(error)
    if address.startswith("spark://"):
        raise NoSpark(f"the Spark master {address} does not answer: {reason}")


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn the message of a failed job into the error that its task raised, or into LevelLost."""
    try:
        yield
    except Exception as error:
        text = str(error)
        if unlike := _raised(text, rf"{re.escape(Unlike.__module__)}\.{Unlike.__name__}"):
            raise Unlike(unlike[-1]) from error
        if raised := _raised(text, rf"{re.escape(DesignError.__module__)}\.\w+"):
            raise DesignError(raised[-1]) from error
        lost = re.findall(rf"^{re.escape(LevelLost.__module__)}\.LevelLost: (.*)$", text, re.M)
        raise LevelLost(lost[-1] if lost else _reason(text)) from error


def _raised(text: str, name: str) -> list[str]:
    """The messages of errors of this name in the text of a failed job."""
    return re.findall(rf"^{name}: (.*?)(?=\n\n|\n\tat |\Z)", text, re.M | re.S)


def _reason(text: str) -> str:
    """Why a job failed, in a sentence."""
    if "No space left on device" in text:
        return DISK_FULL
    if re.search(r"^MemoryError\b", text, re.M):
        return "the machine, or its container, has no more memory for visited states"
    if _has_ended():
        forget()
        return "Spark's Java virtual machine has ended"
    if "Python worker exited unexpectedly" in text:
        return "Spark's Python workers have ended"
    return f"a Spark job failed: {['no reason given', *text.strip().splitlines()][-1]}"


def _has_ended() -> bool:
    """Whether the JVM that this process started is no more."""
    from pyspark import SparkContext

    gateway = SparkContext._gateway
    process = getattr(gateway, "proc", None)
    if process is None:
        return False
    try:
        process.wait(SECONDS_TO_ANSWER / 5)
    except subprocess.TimeoutExpired:
        return False
    return True


def forget() -> None:
    """Forget the session of a JVM that has ended, so that the next one starts another."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    SparkContext._gateway = SparkContext._jvm = SparkContext._active_spark_context = None
    SparkSession._instantiatedSession = None


def _virtual_machines() -> set[int]:
    """The Java virtual machines that this process has started for PySpark."""
    lists = Path("/proc/self/task").glob("*/children")
    children = {int(number) for one in lists for number in one.read_text().split()}
    return {number for number in children if b"pyspark-shell" in _command(number)}


def _command(process: int) -> bytes:
    """The command line of a process; empty if it has ended."""
    with suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_bytes()
    return b""


@contextmanager
def _whole_start() -> Iterator[None]:
    """End the JVM if its start does not come to its end."""
    before = _virtual_machines()
    try:
        yield
    except BaseException:
        _kill(_virtual_machines() - before)
        forget()
        raise


def _kill(processes: set[int]) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
