"""The README's design, and its first verdict, are what the README states."""

import re
from pathlib import Path

import pytest

from tierproof.model.language import Design
from tierproof.register import ledger
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


def test_the_first_verdict_is_the_one_of_the_ledger():
    known = ledger.read()["kip405"]["size_of_one"]
    text = README.read_text("utf-8")
    counts = "{distinct_states} distinct states, {generated_states} generated, depth {depth}"
    assert f"{known['verdict']}  {counts.format(**known)}" in text
    (name, steps), *_ = re.findall(r"^VIOLATED (\w+) after (\d+) steps", text, re.MULTILINE)
    assert known["steps"][name] == int(steps)
