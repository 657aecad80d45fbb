"""A token on a directed graph: the search is held against networkx on graphs of any shape."""

from collections.abc import Collection
from typing import Annotated

from tierproof.model.language import (
    Design,
    Index,
    Range,
    Scope,
    State,
    action,
    bound,
    guard,
    initial,
    invariant,
    within_bounds,
)


class Size(Scope):
    nodes: int = bound(1, 64)
    farthest: int = bound(0, 64, default=64)


Node = Annotated[int, Index(Size.nodes)]


class Token(State):
    at: Annotated[int, Range(0, Size.nodes - 1)]


def digraph(nodes: int, edges: Collection[tuple[int, int]], *, farthest: int = 64) -> Design:
    """A design whose states are the nodes reachable from node 0, and whose steps are the edges.

    Nodes above `farthest` lie outside the bounds: they are checked and not expanded.
    """
    matrix = tuple(tuple((a, b) in edges for b in range(nodes)) for a in range(nodes))

    @initial
    def at_node_0(state: Token) -> None:
        """The token starts at node 0."""

    @guard
    def has_edge(state: Token, to: Node) -> bool:
        """An edge leads there."""
        return matrix[state.at][to]

    @action(guards=[has_edge], stutters=True)
    def token_moves(state: Token, to: Node) -> None:
        """Follow an edge."""
        state.at = to

    @within_bounds
    def is_near(state: Token, scope: Size) -> bool:
        """The node is not too far."""
        return state.at <= scope.farthest

    @invariant()
    def last_node_unreached(state: Token, scope: Size) -> bool:
        """The last node is not reached."""
        return state.at != scope.nodes - 1

    return Design(
        name="digraph",
        title="A token on a directed graph",
        state=Token,
        initial=(at_node_0,),
        system=(token_moves,),
        properties=(last_node_unreached,),
        bounds=is_near,
        scopes={"graph": Size(nodes=nodes, farthest=farthest)},
    )
