"""Ten million states, in memory and on Spark: the counts that TLC and SPIN give."""

import pytest

from tierproof.spark_explorer import runs
from tierproof.spark_explorer.question import Question


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["memory", pytest.param("spark", marks=pytest.mark.spark)])
def test_nine_resource_managers_have_the_published_counts(engine):
    question = Question(design="tests.toys.two_phase_commit:DESIGN", scope="nine")
    result = runs.run(question, engine=engine, watched=False)
    assert result.verdict == "HOLDS"
    assert (result.distinct_states, result.generated_states) == (10_340_352, 123_558_402)
    assert result.depth == 28
