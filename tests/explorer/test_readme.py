"""The README's design gives the results that the README states."""

import re
from pathlib import Path

import pytest

from tierproof.model.language import Design
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.search import explore

README = Path(__file__).parents[2] / "README.md"


@pytest.fixture
def fencing(tmp_path) -> Design:
    (source,) = re.findall(r"```python\n(from typing.*?)```", README.read_text(), re.DOTALL)
    tmp_path.joinpath("fencing.py").write_text(source)
    return Question(design="fencing:DESIGN", folder=str(tmp_path)).resolve()[0]


def test_the_readmes_design_holds_and_its_fence_is_needed(fencing):
    text, scope = README.read_text(), fencing.scope("default")
    holds = explore(fencing, scope, MemoryExecution)
    assert holds.verdict == "HOLDS"
    assert f"{holds.distinct_states} distinct states, {holds.generated_states} generated" in text
    ablated = explore(fencing.without("epoch_is_current"), scope, MemoryExecution)
    (broken,) = ablated.properties
    assert broken.trace is not None
    for number, step in enumerate(broken.trace.steps, start=1):
        assert re.search(rf"^{number}\. .*{re.escape(str(step))}$", text, re.MULTILINE)
