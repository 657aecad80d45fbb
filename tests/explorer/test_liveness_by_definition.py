"""Liveness of any small graph is judged as the definition does, in both of its forms."""

from collections.abc import Callable

import networkx as nx
import pytest

from tests.explorer import naive_liveness as naive
from tests.explorer.searched_pictures import NODES, drawn, nodes_of, searched
from tests.toys import fair_digraph as toy
from tests.toys.fair_digraph import STRONG, WEAK, Picture
from tierproof.model.language.replaying import why_no_lasso
from tierproof.spark_explorer.results import PropertyResult, Verdict


def check_lasso(picture: Picture, entry: PropertyResult) -> None:
    """The trace awaits the goal for ever, is fair, and comes to a nearest place to do so."""
    way, cycle = nodes_of(entry)
    nodes, goals = [*way, *cycle], set(picture.goal)
    fair = naive.fair_nodes(picture, NODES, sees_beyond=True)
    assert set(cycle) <= fair
    assert is_fairly_walked(picture, entry)
    begins = [n for n in range(len(way) + 1) if nodes[n] in picture.premise]
    assert any(not set(nodes[begin:]) & goals for begin in begins)
    nearest = naive.shortest_way(picture, NODES, fair)
    at_rest = naive.shortest_way(picture, NODES, naive.ends(picture, fair))
    assert nearest is not None
    assert nodes[nearest] in fair or len(nodes) - 1 == at_rest
    assert at_rest is None or len(nodes) - 1 <= at_rest


def is_fairly_walked(picture: Picture, entry: PropertyResult) -> bool:
    """By the definition, of the steps of the cycle itself."""
    assert entry.trace is not None
    (_, nodes), start = nodes_of(entry), entry.trace.cycle_start
    hows = dict(zip(("token_moves_weakly", "token_moves_strongly"), toy.HOWS, strict=False))
    taken = {
        (hows[step.action], step.arguments[0][1])
        for step in entry.trace.steps[start:]
        if step.action in hows
    }
    for how in (WEAK, STRONG):
        for colour in range(toy.COLOURS):
            able = [
                (node, how, colour) in naive.enabled(picture, node, sees_beyond=True)
                for node in nodes
            ]
            is_owed = any(able) if how == STRONG else all(able)
            if is_owed and (how, colour) not in taken:
                return False
    return True


@pytest.mark.parametrize("block", range(10))
def test_any_small_graph_is_judged_as_the_definition_does(block):
    for seed in range(50 * block, 50 * block + 50):
        picture = drawn(seed)
        reached, kept = searched(picture).properties[:2]
        if is_judged_as_defined(picture, reached, naive.fair_nodes, seed):
            check_lasso(picture, reached)
        if is_judged_as_defined(picture, kept, naive.unkept_nodes, seed):
            check_lasso_that_loses_the_goal(picture, kept)


def is_judged_as_defined(
    picture: Picture, entry: PropertyResult, nodes_by_definition: Callable[..., set[int]], seed: int
) -> bool:
    """Verdict and counts are those of the definition; whether the property is violated."""
    fair = nodes_by_definition(picture, NODES, sees_beyond=True)
    excused = nodes_by_definition(picture, NODES, sees_beyond=False) - fair
    assert entry.verdict is (Verdict.VIOLATED if fair else Verdict.HOLDS), seed
    assert (entry.occurrences, entry.limited_states) == (len(fair), len(excused)), seed
    return bool(fair)


def check_lasso_that_loses_the_goal(picture: Picture, entry: PropertyResult) -> None:
    """The cycle is fair, passes a node without the goal, and comes after the premise."""
    way, cycle = nodes_of(entry)
    assert set(cycle) <= naive.unkept_nodes(picture, NODES, sees_beyond=True)
    assert set(cycle) - set(picture.goal)
    assert set(way + cycle) & set(picture.premise)
    assert is_fairly_walked(picture, entry)
    assert entry.trace is not None
    assert why_no_lasso(entry.trace, toy.goal_is_kept) is None


def test_the_drawn_graphs_are_of_every_sort():
    found = {True: 0, False: 0}
    excused = divided = 0
    for seed in range(500):
        picture = drawn(seed)
        fair = naive.fair_nodes(picture, NODES, sees_beyond=True)
        found[bool(fair)] += 1
        excused += bool(naive.fair_nodes(picture, NODES, sees_beyond=False) - fair)
        components = nx.strongly_connected_components(
            naive.graph_of(picture, NODES).subgraph(naive.awaiting(picture, NODES))
        )
        divided += any(set() < fair & component < component for component in components)
    assert min(found.values()) > 50
    assert min(excused, divided) > 5
