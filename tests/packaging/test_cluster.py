"""A search on a cluster, by spark-submit: workers that share nothing but a run in an object store.

tierproof comes with the application, as its wheel; a host that dies takes nothing with it.
"""

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.explorer.commands import tierproof
from tests.explorer.test_documents import DOCS, blocks_of, commands_in, not_shown
from tests.packaging.clusters import (
    KEYS,
    SPARK,
    Cluster,
    Host,
    answers,
    ended,
    packed,
    started,
    wait_for,
    with_dependencies_only,
)
from tests.packaging.conftest import ROOT
from tierproof.spark_explorer import runs
from tierproof.spark_explorer.question import Question

pytestmark = [pytest.mark.slow, pytest.mark.spark]

TOYS = ("tests/__init__.py", "tests/toys/__init__.py", "tests/toys/alike.py")
TWO_PHASE = "tests/toys/two_phase_commit.py"
DESIGN = "tests.toys.two_phase_commit:DESIGN"
FROM_THE_FIRST_LEVELS = {"spark.tierproof.onDriver": "100"}
AMID = 7
"""The level during which a host dies."""


@pytest.fixture
def cluster(wheel, tmp_path) -> Iterator[Cluster]:
    """Two workers that have Python and what tierproof needs, and a driver that sends the rest."""
    sent = Path(shutil.copy(wheel, tmp_path / "tierproof.zip"))
    toys = packed(ROOT, *TOYS, TWO_PHASE, into=tmp_path / "toys.zip")
    python = with_dependencies_only(tmp_path / "python")
    with Cluster(tmp_path / "cluster", python, [sent, toys]) as made:
        yield made
    assert not (tmp_path / "cluster").exists()


def compared(found: dict[str, Any]) -> dict[str, Any]:
    """A result without times, and what the execution alone decides."""
    own = ("engine", "on_spark", "resumed")
    return {
        name: one for name, one in found.items() if name not in own and not name.endswith("seconds")
    }


def test_a_host_that_dies_amid_a_search_changes_nothing_that_is_found(cluster):
    bounds = (("resource_managers", 7),)
    question = Question(design=DESIGN, without=("is_init",), scope="eight", bounds=bounds)
    asked = ("--scope", "eight", "--set", "resource_managers=7", "--without", "is_init", "--json")
    keep = ("--engine", "spark", "--run", cluster.run("lost"))
    with cluster.submitted("explore", DESIGN, *asked, *keep, **FROM_THE_FIRST_LEVELS) as driver:
        wait_for(lambda: driver.poll() is not None or named(cluster, f"level {AMID}"))
        assert driver.poll() is None
        cluster.workers[1].kill()
        found = json.loads(cluster.printed(driver))
    in_memory = runs.run(question, engine="memory", watched=False)
    assert compared(found) == compared(in_memory.as_dict())
    assert (found["engine"], found["verdict"], found["cut"]) == ("spark", "VIOLATED", None)
    assert cluster.hosts_with_tasks() == {worker.address for worker in cluster.workers}
    assert found["on_spark"]["states"] > 10_000


def named(cluster: Cluster, level: str) -> bool:
    """Whether Spark's pages have a job of this level, which names its design and scope."""
    jobs = cluster.asked("jobs") or []
    title = "two-phase-commit, eight, resource_managers=7: "
    return f"{title}{level}" in {job.get("description") for job in jobs}


# -- the page


@pytest.fixture
def session(wheel, tmp_path) -> Iterator["Session"]:
    python = with_dependencies_only(tmp_path / "python")
    with Cluster(tmp_path / "cluster", python, [], is_empty=True) as made:
        yield Session(made, wheel.parent / "checkout")


class Session:
    """A page's commands, in the driver's folder: what they name is on this machine, and free."""

    def __init__(self, cluster: Cluster, checkout: Path) -> None:
        self.cluster, self.folder = cluster, cluster.driver.folder / "work"
        self.names = {
            "PATH/TO/CHECKOUT": str(checkout),
            "s3://bucket/tiering": cluster.run("tiering"),
            "7077": str(cluster.port),
            "host": "127.0.0.1",
        }

    def printed(self, command: str) -> str:
        """What a command prints; what it starts goes on until the end."""
        program, *words = shlex.split(re.sub(r"\\\n", " ", command))
        for name, here in self.names.items():
            words = [re.sub(rf"(?<![\w-]){re.escape(name)}(?!\w)", here, word) for word in words]
        if program == "spark-class":
            self._start(words)
            return ""
        if program == "tierproof":
            return tierproof(*words, folder=self.folder, **KEYS).stdout
        if program == "pip":
            program, words = sys.executable, ["-m", "pip", *words, "--no-build-isolation"]
        elif program == "cp":
            words = [*map(str, self.folder.glob(words[0])), *words[1:]]
        elif program == "spark-submit":
            program = str(SPARK / "bin" / "spark-submit")
        done = subprocess.run(
            [program, *words],
            cwd=self.folder,
            env=self.cluster.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}: {done.stderr}"
        return done.stdout

    def _start(self, words: list[str]) -> None:
        host = Host(self.cluster.folder / words[0].rpartition(".")[2])
        self.cluster.stack.callback(ended, started(*words, host=host))
        wait_for(lambda: answers(self.cluster.port))


def test_the_page_on_spark_takes_a_design_from_a_laptop_to_a_cluster(session):
    ran = 0
    for above, language, text in blocks_of(DOCS / "how-to" / "spark.md"):
        if above.startswith("file: "):
            (session.folder / above.removeprefix("file: ")).write_text(text, "utf-8")
        if language == "console":
            for command, shown in commands_in(text):
                assert not_shown(session.printed(command), shown) == [], command
                ran += 1
    assert ran >= 9
