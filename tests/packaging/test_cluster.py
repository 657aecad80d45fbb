"""A search on a cluster, by spark-submit: workers that share nothing but a run in an object store.

tierproof comes with the application, as its wheel; a host that dies takes nothing with it.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.packaging.clusters import Cluster, packed, wait_for, with_dependencies_only
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
    own = ("engine", "shuffled", "resumed")
    return {
        name: one for name, one in found.items() if name not in own and not name.endswith("seconds")
    }


def test_a_host_that_dies_amid_a_search_changes_nothing_that_is_found(cluster):
    bounds = (("resource_managers", 7),)
    question = Question(design=DESIGN, without=("is_init",), scope="eight", bounds=bounds)
    asked = ("--scope", "eight", "--set", "resource_managers=7", "--without", "is_init", "--json")
    keep = ("--engine", "spark", "--run", cluster.run("lost"))
    with cluster.submitted("explore", DESIGN, *asked, *keep, **FROM_THE_FIRST_LEVELS) as driver:
        wait_for(lambda: named(cluster, f"level {AMID}"))
        cluster.workers[1].kill()
        found = json.loads(cluster.printed(driver))
    in_memory = runs.run(question, engine="memory", watched=False)
    assert compared(found) == compared(in_memory.as_dict())
    assert (found["engine"], found["verdict"], found["cut"]) == ("spark", "VIOLATED", None)
    assert cluster.hosts_with_tasks() == {worker.address for worker in cluster.workers}
    assert found["shuffled"]["states"] > 10_000


def named(cluster: Cluster, level: str) -> bool:
    """Whether Spark's pages have a job of this level, which names its design and scope."""
    jobs = cluster.asked("jobs") or []
    title = "two-phase-commit, eight, resource_managers=7: "
    return f"{title}{level}" in {job.get("description") for job in jobs}
