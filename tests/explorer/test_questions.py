"""Questions: valid words resolve; an error for a wrong word has the closest names or the limits."""

from pathlib import Path

import pytest

from tests.toys import two_phase_commit
from tierproof.model.language import DesignError, ScopeError, UnknownName
from tierproof.model.language.interpreter import Interpreter
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.question import Question, find_design
from tierproof.spark_explorer.registry import DESIGNS
from tierproof.spark_explorer.search import explore
from tierproof.spark_explorer.simulation import simulate

TWO_PHASE = "tests.toys.two_phase_commit:DESIGN"

OWN_DESIGN = '''
from typing import Annotated
from tierproof.model.language import Design, Range, Scope, State, action, bound, initial

class Size(Scope):
    top: int = bound(1, 9, default=3)

class Cell(State):
    value: Annotated[int, Range(0, Size.top)]

@initial
def zero(state: Cell) -> None:
    """Nothing."""

@action()
def cell_flips(state: Cell, scope: Size) -> None:
    """To the other end."""
    state.value = scope.top - state.value

MINE = Design(name="mine", title="Mine", state=Cell, initial=(zero,),
              system=(cell_flips,), scopes={"only": Size()})
'''


def test_every_registered_design_is_found():
    for name in DESIGNS:
        assert find_design(name, Path.cwd()).name == name


def test_an_import_path_names_a_design_of_ones_own():
    design, scope = Question(design=TWO_PHASE, scope="five").resolve()
    assert design is two_phase_commit.DESIGN
    assert dict(scope) == {"resource_managers": 5}


def test_a_question_may_ask_for_a_law_and_takes_its_name_from_the_design(monkeypatch):
    def refuse(*given):
        raise AssertionError("a question is resolved before anything is interpreted")

    monkeypatch.setattr(Interpreter, "__init__", refuse)
    design, scope = two_phase_commit.DESIGN, two_phase_commit.DESIGN.scope("three")
    laws = tuple(law.law_name for law in design.laws(scope))
    assert len(laws) == 2
    assert Question(design=TWO_PHASE, scope="three", properties=laws).resolve() == (design, scope)
    with pytest.raises(UnknownName, match=f"did you mean .*{laws[0]}"):
        Question(design=TWO_PHASE, scope="three", properties=(laws[0][:-1],)).resolve()


def test_a_bound_is_changed_within_its_limits():
    _, scope = Question(
        design=TWO_PHASE, scope="three", bounds=(("resource_managers", 4),)
    ).resolve()
    assert dict(scope) == {"resource_managers": 4}


def test_without_a_scope_the_default_one_or_the_first_is_taken():
    question = Question(design=TWO_PHASE)
    assert question.scope_name_in(two_phase_commit.DESIGN) == "three"


@pytest.mark.parametrize(
    ("words", "closest"),
    [
        ({"design": "kip95"}, "kip950"),
        ({"design": TWO_PHASE, "scope": "thre"}, "three"),
        ({"design": TWO_PHASE, "bounds": (("resource_manager", 3),)}, "resource_managers"),
        ({"design": TWO_PHASE, "without": ("is_in",)}, "is_init"),
        ({"design": "tests.toys.locks:DESIGN", "variants": ("one_at_time",)}, "one_at_a_time"),
        ({"design": TWO_PHASE, "properties": ("no_commit_beside_abort",)}, "no_commit_beside_an"),
        ({"design": "tests.toys.locks:DESING"}, "DESIGN"),
    ],
)
def test_an_unknown_name_gets_the_closest(words, closest):
    with pytest.raises(UnknownName, match=closest):
        Question(**words).resolve()


def test_a_scope_out_of_range_names_the_bound_and_its_limits():
    with pytest.raises(ScopeError, match=r"resource_managers=40 .* limits are 1 to 12"):
        Question(design=TWO_PHASE, bounds=(("resource_managers", 40),)).resolve()


def test_what_is_no_design_is_said_not_to_be():
    with pytest.raises(DesignError, match="not a Design"):
        Question(design="tests.toys.two_phase_commit:TwoPhase").resolve()


def test_a_module_that_is_not_there_is_named():
    with pytest.raises(DesignError, match="no module 'nowhere_at_all'"):
        Question(design="nowhere_at_all:DESIGN").resolve()


def test_a_module_that_fails_to_import_says_why(tmp_path):
    tmp_path.joinpath("broken_module.py").write_text("1 / 0\n")
    with pytest.raises(DesignError, match="broken_module raised ZeroDivisionError"):
        Question(design="broken_module:DESIGN", folder=str(tmp_path)).resolve()


def test_a_users_module_is_found_from_the_folder_asked_in(tmp_path):
    tmp_path.joinpath("my_own_design.py").write_text(OWN_DESIGN)
    design, _ = Question(design="my_own_design:MINE", folder=str(tmp_path)).resolve()
    assert design.name == "mine"


@pytest.mark.parametrize(
    "ask",
    [
        lambda design, scope, only: explore(design, scope, MemoryExecution, only=only),
        lambda design, scope, only: simulate(design, scope, only=only, seed=1, walks=1),
    ],
)
def test_a_property_that_is_asked_for_is_one_that_the_design_has(ask):
    design = two_phase_commit.DESIGN
    with pytest.raises(UnknownName, match="unknown property 'no_commit_beside_abort'"):
        ask(design, design.scope("three"), ["no_commit_beside_abort"])
