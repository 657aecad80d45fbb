"""Spark's configuration: what the operator has set stands, and ours where nothing is set.

An operator sets Spark as for any other application: options of spark-submit, spark-defaults.conf in
$SPARK_CONF_DIR (or in `conf` of $SPARK_HOME), $PYSPARK_SUBMIT_ARGS, $PYSPARK_PYTHON.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tierproof.model.language.errors import TierproofError

MASTER = "spark.master"
ON_DRIVER = "spark.tierproof.onDriver"
"""The one setting of ours: frontiers up to so many states are expanded on the driver."""
SUBMITTED = "PYSPARK_GATEWAY_PORT"
"""What a driver has in its environment that spark-submit has started."""
LINE = re.compile(r"\s*([^\s=:#!][^\s=:]*)(?:\s*[=:]\s*|\s+)(\S.*?)\s*$")
"""A line of a properties file."""


class NoSpark(TierproofError):
    """Spark cannot be started; the message is one sentence that says what to do."""


def is_here(master: str) -> bool:
    """Whether a master is this machine, and its tasks run in one virtual machine."""
    return re.match(r"local(\[|$)", master) is not None


def given() -> dict[str, str]:
    """What the operator has set, by Spark's names."""
    if SUBMITTED in os.environ:
        from pyspark import SparkConf, SparkContext

        SparkContext._ensure_initialized()
        return dict(SparkConf().getAll())
    return {**_defaults(), **_arguments()}


def ours(master: str, operators: Mapping[str, str]) -> dict[str, str]:
    """What a search on this master needs, and the operator has not set."""
    wanted = {
        "spark.app.name": "tierproof",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
        "spark.speculation": "false",  # two attempts at a partition would only wait in turn
        "spark.python.worker.reuse": "true",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "64",
        "spark.driver.memory": os.environ.get("SPARK_DRIVER_MEMORY", "2g"),
        # A task that runs where its partition's table is saves making it again from the run.
        "spark.shuffle.reduceLocality.enabled": "false",
        "spark.locality.wait": "30s",
    }
    if master.startswith("local"):
        wanted |= {
            "spark.ui.enabled": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
        }
    return {name: value for name, value in wanted.items() if name not in operators}


def python_of(master: str, operators: Mapping[str, str]) -> str:
    """The Python of the workers: on this machine that which runs this, as it has tierproof."""
    if is_here(master):
        return sys.executable
    chosen = os.environ.get("PYSPARK_PYTHON") or operators.get("spark.pyspark.python")
    return chosen or sys.executable


def on_driver(operators: Mapping[str, str]) -> int | None:
    """Up to how many states of a frontier the driver expands; None where nothing is set."""
    value = operators.get(ON_DRIVER)
    if value is None:
        return None
    if not re.fullmatch(r"\d+", value):
        raise NoSpark(f"{ON_DRIVER} is a number of states, as in --conf {ON_DRIVER}=1000000")
    return int(value)


def _defaults() -> dict[str, str]:
    """spark-defaults.conf, as the launcher of the virtual machine reads it."""
    path = _folder() / "spark-defaults.conf"
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    return {found[1]: found[2] for found in map(LINE.match, lines) if found}


def _folder() -> Path:
    if os.environ.get("SPARK_CONF_DIR"):
        return Path(os.environ["SPARK_CONF_DIR"])
    from pyspark.find_spark_home import _find_spark_home

    return Path(_find_spark_home()) / "conf"


def _arguments() -> dict[str, str]:
    """$PYSPARK_SUBMIT_ARGS, with which a driver that is no child of spark-submit starts it."""
    return dict(_told(shlex.split(os.environ.get("PYSPARK_SUBMIT_ARGS", ""))))


def _told(words: list[str]) -> Iterator[tuple[str, str]]:
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--conf", "-c", action="append", default=[])
    for option in OPTIONS:
        parser.add_argument(option)
    found: dict[str, Any] = vars(parser.parse_known_args(words)[0])
    for setting in found["conf"]:
        name, _, value = setting.partition("=")
        yield name, value
    for option, name in OPTIONS.items():
        if value := found[option.lstrip("-").replace("-", "_")]:
            yield name, value


OPTIONS = {
    "--master": MASTER,
    "--name": "spark.app.name",
    "--driver-memory": "spark.driver.memory",
    "--driver-java-options": "spark.driver.extraJavaOptions",
}
"""Options of spark-submit that set what we would."""
