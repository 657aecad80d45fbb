"""Each example of the page on the language runs, in CPython and compiled."""

import importlib.util
import re
import sys
from pathlib import Path

import pytest

from tierproof.model import language
from tierproof.model.language import Interpreter
from tierproof.model.language.errors import Asymmetric
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.results import Verdict
from tierproof.spark_explorer.search import explore

PAGE = Path(__file__).parents[2].joinpath("docs", "language.md").read_text("utf-8")
NOUNS = PAGE.partition("\n## Nouns\n")[2].partition("\n## ")[0]
EXAMPLES = {
    title: re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    for title, text in re.findall(r"^#### (.*?)\n(.*?)(?=^###|\Z)", NOUNS, re.DOTALL | re.MULTILINE)
}
ALIKE = PAGE.partition("\n## Alike things\n")[2].partition("\n## ")[0]
WRONG = dict(re.findall(r"^\| `(.*?)` \| (.*; .*) \|$", ALIKE, re.MULTILINE))
UNTOLD = {
    *("Action", "Comparison", "DesignError", "Fairness", "Finding", "Guard", "Initial", "Kind"),
    *("Predicate", "Property", "PropertyKind", "PublishedBug", "ScopeError", "Steps", "Passage"),
    *("TierproofError", "UnknownName", "GuardKind", "History", "Move", "history_before"),
    "Misused",
    *("Severity", "Story", "in_no_release"),
}
"""Names that nobody writes in a design, or that belong to the register of findings."""


@pytest.fixture(scope="module")
def post(tmp_path_factory):
    """The module that the examples are, read from top to bottom."""
    path = tmp_path_factory.mktemp("page") / "post.py"
    path.write_text("\n\n".join(re.findall(r"```python\n(.*?)```", NOUNS, re.DOTALL)), "utf-8")
    spec = importlib.util.spec_from_file_location("post", path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["post"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    del sys.modules["post"]


def test_every_noun_has_an_example():
    told = {name for title in EXAMPLES for name in title.split(", ")}
    assert set(language.__all__) - UNTOLD - {"NONE"} <= told
    assert "NONE" in NOUNS


@pytest.mark.parametrize("title", EXAMPLES)
def test_each_example_defines_something_that_the_design_is_made_of(post, title):
    assert EXAMPLES[title]
    for text in EXAMPLES[title]:
        names = re.findall(r"^(?:class |def )?(\w+)(?=\(| = )", text, re.MULTILINE)
        assert names
        assert all(hasattr(post, name) for name in names)


@pytest.mark.parametrize("scope", ["small", "alone"])
@pytest.mark.parametrize("name", ["DESIGN", "NIGHT"])
def test_a_design_of_the_page_is_the_same_in_cpython_and_compiled(post, name, scope):
    design = getattr(post, name)
    result = explore(design, design.scope(scope), MemoryExecution, scope_name=scope)
    interpreter = Interpreter(design, design.scope(scope))
    met = {state.leaves: state for state in interpreter.initial_states()}
    pending, generated = list(met.values()), len(met)
    while pending:
        for _, after in interpreter.successors(pending.pop()):
            generated += 1
            if after.leaves not in met:
                met[after.leaves] = after
                pending.append(after)
    assert (result.distinct_states, result.generated_states) == (len(met), generated)
    assert not any(interpreter.violated_in(state) for state in met.values())


def test_the_properties_of_the_page_hold(post):
    result = explore(post.DESIGN, post.Office(), MemoryExecution)
    verdicts = {entry.name: entry.verdict for entry in result.properties}
    assert set(verdicts.values()) == {Verdict.HOLDS}
    assert all(entry.reached for entry in result.witnesses)


def test_the_page_says_what_an_overflow_says(post):
    state = post.Post.at_start(post.Office()).copy_for("customer_posts")
    item = post.Item(kind=post.Kind.LETTER, to=0)
    state.line.append(item)
    state.line.append(item)
    with pytest.raises(language.DesignError) as caught:
        state.line.append(item)
    assert str(caught.value) in PAGE


WRONG_DESIGN = '''
from dataclasses import replace
from typing import Annotated

from post import *

AnyClerk = Annotated[int, Index(Office.clerks, alike=True)]

@action()
def wrong(state: Post, clerk: AnyClerk) -> None:
    """Tell clerks apart."""
    {line}

replace(DESIGN, system=(*DESIGN.system, wrong), properties=(), witnesses=())
'''


@pytest.mark.parametrize("line", WRONG)
def test_the_page_says_how_what_tells_alike_things_apart_is_refused(post, tmp_path, line):
    path = tmp_path / "wrong.py"
    path.write_text(WRONG_DESIGN.replace("{line}", line), "utf-8")
    spec = importlib.util.spec_from_file_location("wrong", path)
    assert spec is not None
    assert spec.loader is not None
    with pytest.raises(Asymmetric) as caught:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
    assert WRONG[line] in str(caught.value)


def test_the_page_refuses_five():
    assert len(WRONG) == 5
