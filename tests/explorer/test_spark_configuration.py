"""What an operator has set in Spark stands; ours is the default."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tierproof.spark_explorer.spark import configuration, session
from tierproof.spark_explorer.spark.configuration import NoSpark

DEFAULTS = """# of this cluster
spark.master            spark://127.0.0.1:9
spark.driver.memory=8g
spark.executor.extraJavaOptions : -Dkey=value -XX:+UseZGC

spark.sql.adaptive.enabled true
"""


@pytest.fixture
def defaults(tmp_path, monkeypatch) -> Path:
    """A folder with spark-defaults.conf, and nothing else that sets anything."""
    for name in ("PYSPARK_SUBMIT_ARGS", configuration.SUBMITTED, "SPARK_REMOTE", "PYSPARK_PYTHON"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "spark-defaults.conf").write_text(DEFAULTS)
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    return tmp_path


def test_the_file_of_defaults_is_read_as_spark_reads_it(defaults):
    assert configuration.given() == {
        "spark.master": "spark://127.0.0.1:9",
        "spark.driver.memory": "8g",
        "spark.executor.extraJavaOptions": "-Dkey=value -XX:+UseZGC",
        "spark.sql.adaptive.enabled": "true",
    }


def test_arguments_of_the_launcher_come_before_the_file(defaults, monkeypatch):
    words = "--conf spark.driver.memory=4g --master 'local[3]' --packages a:b:c pyspark-shell"
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", words)
    found = configuration.given()
    assert (found["spark.driver.memory"], found["spark.master"]) == ("4g", "local[3]")


@pytest.mark.parametrize("master", ["local[2]", "spark://host:7077"])
def test_nothing_of_ours_takes_the_place_of_what_is_set(master):
    ours = configuration.ours(master, {})
    for name in ours:
        left = configuration.ours(master, {name: "the operator's"})
        assert left == {one: value for one, value in ours.items() if one != name}


def test_on_a_cluster_the_pages_of_spark_and_its_addresses_are_left_alone():
    ours = configuration.ours("spark://host:7077", {})
    assert not {"spark.ui.enabled", "spark.driver.host", "spark.local.dir"} & set(ours)


def test_the_python_of_executors_is_the_operators_and_on_this_machine_that_which_runs(
    defaults, monkeypatch
):
    cluster = "spark://host:7077"
    assert configuration.python_of(cluster, {}) == sys.executable
    operators = {"spark.pyspark.python": "/opt/python"}
    assert configuration.python_of(cluster, operators) == "/opt/python"
    monkeypatch.setenv("PYSPARK_PYTHON", "/usr/bin/python9")
    assert configuration.python_of(cluster, operators) == "/usr/bin/python9"
    assert configuration.python_of("local[2]", operators) == sys.executable


def test_up_to_how_many_states_the_driver_goes_is_a_setting_of_spark():
    assert configuration.on_driver({}) is None
    assert configuration.on_driver({configuration.ON_DRIVER: "0"}) == 0
    with pytest.raises(NoSpark, match="is a number of states"):
        configuration.on_driver({configuration.ON_DRIVER: "few"})


def test_the_master_is_that_of_the_command_or_else_the_operators(defaults):
    with pytest.raises(NoSpark, match=r"spark://127\.0\.0\.1:9 does not answer"):
        _ = session.Starting(None, lambda _: None)
    assert session.Starting("local[2]", lambda _: None).is_here


def test_spark_connect_is_refused_and_what_to_do_instead_is_said(defaults, monkeypatch):
    with pytest.raises(NoSpark, match=r"Spark Connect.*spark-submit"):
        session.Starting("sc://host:15002", lambda _: None)
    monkeypatch.setenv("SPARK_REMOTE", "sc://host:15002")
    with pytest.raises(NoSpark, match=r"Spark Connect.*spark-submit"):
        session.Starting(None, lambda _: None)


STARTED = """
import json
from tierproof.spark_explorer.spark.session import Starting
print(json.dumps(dict(Starting(None, lambda _: None).context.getConf().getAll())))
"""


@pytest.mark.slow
@pytest.mark.spark
def test_a_context_that_is_started_has_what_the_operator_has_set(defaults):
    settings = {
        "spark.master": "local[1]",
        "spark.app.name": "the operator's",
        "spark.driver.memory": "700m",
        "spark.log.level": "WARN",
        "spark.local.dir": str(defaults / "disk"),
    }
    lines = [f"{name} {value}\n" for name, value in settings.items()]
    (defaults / "spark-defaults.conf").write_text("".join(lines))
    done = subprocess.run(
        [sys.executable, "-c", STARTED],
        env=dict(os.environ),
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    found = json.loads(done.stdout)
    assert {name: found[name] for name in settings} == settings
    assert found["spark.speculation"] == "false"
