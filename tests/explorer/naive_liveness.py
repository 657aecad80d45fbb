"""Liveness by definition: try every set of nodes of a small graph. Independent of the engine."""

from collections.abc import Iterator
from itertools import combinations

import networkx as nx

from tests.toys.fair_digraph import FREE, STRONG, Edge, Picture


def enabled(picture: Picture, node: int, *, sees_beyond: bool) -> dict[Edge, int | None]:
    """The edges out of a node that change something; None leads out of the scope."""
    found: dict[Edge, int | None] = {}
    for edge, target in picture.edges.items():
        if edge[0] != node:
            continue
        if edge in picture.refused or (target != node and target in picture.outside):
            if sees_beyond and edge[1] != FREE:
                found[edge] = None
        elif target != node:
            found[edge] = target
    return found


def graph_of(picture: Picture, nodes: int) -> "nx.DiGraph[int]":
    """The steps within the scope."""
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(nodes))
    for node in range(nodes):
        steps = enabled(picture, node, sees_beyond=False).values()
        graph.add_edges_from((node, target) for target in steps if target is not None)
    return graph


def awaiting(picture: Picture, nodes: int) -> set[int]:
    """The nodes in which the goal is awaited."""
    graph = graph_of(picture, nodes)
    starts = (nx.descendants(graph, 0) | {0}) & set(picture.premise) - set(picture.goal)
    waiting = graph.subgraph(set(graph) - set(picture.goal))
    return starts.union(*(nx.descendants(waiting, start) for start in starts))


def shortest_way(picture: Picture, nodes: int, goals: set[int]) -> int | None:
    """The fewest steps after which the goal is awaited in one of `goals`."""
    graph = graph_of(picture, nodes)
    layers: nx.DiGraph[tuple[int, bool]] = nx.DiGraph()
    layers.add_nodes_from((node, is_waiting) for node in graph for is_waiting in (False, True))
    for a, b in graph.edges:
        layers.add_edge((a, False), (b, False), steps=1)
        if not {a, b} & set(picture.goal):
            layers.add_edge((a, True), (b, True), steps=1)
    for node in set(picture.premise) - set(picture.goal):
        layers.add_edge((node, False), (node, True), steps=0)
    away = nx.single_source_dijkstra_path_length(layers, (0, False), weight="steps")
    return min((int(away[node, True]) for node in goals if (node, True) in away), default=None)


def ends(picture: Picture, among: set[int]) -> set[int]:
    """The nodes in which no fair edge is enabled."""
    return {
        node
        for node in among
        if all(edge[1] == FREE for edge in enabled(picture, node, sees_beyond=True))
    }


def is_fair(picture: Picture, nodes: tuple[int, ...], *, sees_beyond: bool) -> bool:
    """Whether a behaviour that visits exactly these nodes for ever treats each edge fairly."""
    steps = {node: enabled(picture, node, sees_beyond=sees_beyond) for node in nodes}
    kinds = {edge[1:] for found in steps.values() for edge in found if edge[1] != FREE}
    for kind in kinds:
        able = [node for node in nodes if (node, *kind) in steps[node]]
        if any(steps[node][node, *kind] in nodes for node in able):
            continue
        if kind[0] == STRONG or len(able) == len(nodes):
            return False
    return True


def fair_nodes(picture: Picture, nodes: int, *, sees_beyond: bool) -> set[int]:
    """The nodes of all sets in which a behaviour can await the goal for ever."""
    waiting, graph = awaiting(picture, nodes), graph_of(picture, nodes)
    found = set()
    for chosen in subsets(waiting):
        is_one = len(chosen) == 1 or nx.is_strongly_connected(graph.subgraph(chosen))
        if is_one and is_fair(picture, chosen, sees_beyond=sees_beyond):
            found |= set(chosen)
    return found


def unkept_nodes(picture: Picture, nodes: int, *, sees_beyond: bool) -> set[int]:
    """The nodes of all sets in which a behaviour can stay for ever, and lose the goal again."""
    graph, goals = graph_of(picture, nodes), set(picture.goal)
    starts = (nx.descendants(graph, 0) | {0}) & set(picture.premise)
    after = starts.union(*(nx.descendants(graph, start) for start in starts))
    found = set()
    for chosen in subsets(after):
        is_one = len(chosen) == 1 or nx.is_strongly_connected(graph.subgraph(chosen))
        lacks = set(chosen) - goals
        if is_one and lacks and is_fair(picture, chosen, sees_beyond=sees_beyond):
            found |= set(chosen)
    return found


def subsets(nodes: set[int]) -> Iterator[tuple[int, ...]]:
    """Every set of nodes but the empty one."""
    for size in range(1, len(nodes) + 1):
        yield from combinations(sorted(nodes), size)
