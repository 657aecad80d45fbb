"""A failed Spark job reports the error that its task raised."""

import traceback

import pytest

from tierproof.model.language.errors import DesignError, NonDeterministic
from tierproof.spark_explorer.spark.session import NoSpark, plain_errors


def said_by_spark(error: Exception) -> str:
    """The text of a failed job, as PySpark 4 gives it: the task's traceback, then the JVM's."""
    lines = "".join(traceback.format_exception(error))
    return f"Job aborted due to stage failure:\n{lines}\n\tat org.apache.spark.api.Runner.run()\n"


def test_the_error_of_a_design_is_raised_again_without_the_tracebacks():
    error = NonDeterministic("broker_fails gave two states")
    with pytest.raises(DesignError, match="broker_fails gave two states") as raised, plain_errors():
        raise RuntimeError(said_by_spark(error))
    assert "org.apache" not in str(raised.value)


def test_any_other_failure_is_told_in_a_sentence():
    with pytest.raises(NoSpark, match="a Spark job failed") as raised, plain_errors():
        raise RuntimeError(said_by_spark(KeyError("lost")))
    assert "\n" not in str(raised.value)
