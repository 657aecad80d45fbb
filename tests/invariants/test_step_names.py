"""Properties speak of actions and parameters that designs have."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from tierproof.invariants import PROPERTIES
from tierproof.model.language import Design, Property
from tierproof.spark_explorer.question import find_design
from tierproof.spark_explorer.registry import DESIGNS

ASKING = {name: entry for name, entry in PROPERTIES.items() if "step" in entry.arguments}


@pytest.fixture(scope="module")
def designs() -> list[Design]:
    return [find_design(name, Path()) for name in DESIGNS]


def tree_of(entry: Property) -> ast.AST:
    """The syntax tree of a property."""
    return ast.parse(textwrap.dedent(inspect.getsource(entry.function)))


def actions_in(tree: ast.AST) -> Iterator[str]:
    """The names that `step.action` is compared with."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and ast.unparse(node.left) == "step.action":
            for part in ast.walk(node.comparators[0]):
                if isinstance(part, ast.Constant):
                    yield str(part.value)


def parameters_in(tree: ast.AST) -> Iterator[str]:
    """The parameters that the step is asked for."""
    for node in ast.walk(tree):
        is_asked = isinstance(node, ast.Attribute) and ast.unparse(node.value) == "step"
        if is_asked and isinstance(node, ast.Attribute) and node.attr != "action":
            yield node.attr


@pytest.mark.parametrize("name", ASKING)
def test_a_property_names_actions_that_a_design_has(name: str, designs: list[Design]) -> None:
    known = {act.name for design in designs for act in design.actions}
    assert set(actions_in(tree_of(ASKING[name]))) <= known


@pytest.mark.parametrize("name", ASKING)
def test_a_property_asks_for_parameters_that_its_actions_have(
    name: str, designs: list[Design]
) -> None:
    tree = tree_of(ASKING[name])
    named, asked = set(actions_in(tree)), set(parameters_in(tree))
    for design in [design for design in designs if ASKING[name] in design.properties]:
        has = {
            parameter
            for act in design.actions
            if act.name in named or name == "only_the_leader_deletes"
            for parameter in act.parameters
        }
        assert asked <= has


THREADS = ("copy_", "expiration_", "removal_", "store_loses_reply_of_")


def test_a_thread_that_deletes_names_its_broker_or_the_segment_that_it_copies(
    designs: list[Design],
) -> None:
    for design in designs:
        if ASKING["only_the_leader_deletes"] in design.properties:
            for act in design.actions:
                if act.name.startswith(THREADS):
                    is_of_copy = list(act.parameters) == ["segment"]
                    assert is_of_copy or "broker" in act.parameters, act.name


def test_actions_and_parameters_are_found() -> None:
    tree = tree_of(PROPERTIES["only_the_leader_deletes"])
    assert set(actions_in(tree)) == {"copy_publishes_delete_started"}
    assert set(parameters_in(tree)) == {"broker", "segment"}
