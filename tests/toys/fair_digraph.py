"""A token on a directed graph whose edges have colours, some of them fair: for liveness.

Three actions of two colours each move the token: one weakly fair, one strongly fair, one
free. Each (node, how, colour) has one edge at most; a limit may refuse it, and nodes may lie
outside the bounds. The graph is part of the state, and only the initial state knows which
one it is, so that all graphs share one compilation.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Annotated

from tierproof.model.language import (
    Array,
    Design,
    Index,
    Range,
    Scope,
    State,
    action,
    bound,
    guard,
    initial,
    limit,
    liveness,
    within_bounds,
)

COLOURS = 2
WEAK, STRONG, FREE = HOWS = ("weak", "strong", "free")
Edge = tuple[int, str, int]
"""Where an edge begins, how fair it is, and its colour."""


class Size(Scope):
    nodes: int = bound(1, 9, default=6)


Colour = Annotated[int, Index(COLOURS)]
Targets = Annotated[list[Annotated[int, Range(-1, Size.nodes - 1)]], Array(Size.nodes * COLOURS)]
Flags = Annotated[list[bool], Array(Size.nodes)]
EdgeFlags = Annotated[list[bool], Array(Size.nodes * COLOURS)]


class Token(State):
    """Where the token is; the rest is the graph, which never changes (a target of -1: none)."""

    at: Annotated[int, Range(0, Size.nodes - 1)]
    weak: Targets
    strong: Targets
    free: Targets
    weak_refused: EdgeFlags
    strong_refused: EdgeFlags
    is_goal: Flags
    is_premise: Flags
    is_outside: Flags


@dataclass(frozen=True)
class Picture:
    """A graph: edges to their targets, and what is special about nodes and edges."""

    edges: Mapping[Edge, int]
    goal: Collection[int]
    premise: Collection[int]
    refused: Collection[Edge] = ()
    outside: Collection[int] = ()


@guard
def has_weak_edge(state: Token, colour: Colour) -> bool:
    """A weakly fair edge leads on."""
    return state.weak[state.at * COLOURS + colour] >= 0


@guard
def has_strong_edge(state: Token, colour: Colour) -> bool:
    """A strongly fair edge leads on."""
    return state.strong[state.at * COLOURS + colour] >= 0


@guard
def has_free_edge(state: Token, colour: Colour) -> bool:
    """An edge leads on that need never be taken."""
    return state.free[state.at * COLOURS + colour] >= 0


@limit
def weak_edge_is_in_scope(state: Token, colour: Colour) -> bool:
    """The scope has this edge."""
    return not state.weak_refused[state.at * COLOURS + colour]


@limit
def strong_edge_is_in_scope(state: Token, colour: Colour) -> bool:
    """The scope has this edge."""
    return not state.strong_refused[state.at * COLOURS + colour]


@action(guards=[weak_edge_is_in_scope, has_weak_edge], stutters=True)
def token_moves_weakly(state: Token, colour: Colour) -> None:
    """Follow a weakly fair edge."""
    state.at = state.weak[state.at * COLOURS + colour]


@action(guards=[strong_edge_is_in_scope, has_strong_edge], stutters=True)
def token_moves_strongly(state: Token, colour: Colour) -> None:
    """Follow a strongly fair edge."""
    state.at = state.strong[state.at * COLOURS + colour]


@action(guards=[has_free_edge], stutters=True)
def somebody_moves_token(state: Token, colour: Colour) -> None:
    """Follow any other edge."""
    state.at = state.free[state.at * COLOURS + colour]


@within_bounds
def is_inside(state: Token) -> bool:
    """The node is in the scope."""
    return not state.is_outside[state.at]


@guard
def at_premise(state: Token) -> bool:
    """The token is where the goal begins to be awaited."""
    return state.is_premise[state.at]


@liveness(premise=at_premise, strong=[token_moves_strongly])
def goal_is_reached(state: Token) -> bool:
    """From a premise node the token comes to a goal node."""
    return state.is_goal[state.at]


@liveness(premise=at_premise, strong=[token_moves_strongly], stays=True)
def goal_is_kept(state: Token) -> bool:
    """After a premise node the token comes to goal nodes, and leaves them no more."""
    return state.is_goal[state.at]


def fair_digraph(picture: Picture) -> Design:
    """A design that claims that the token, which begins in node 0, comes to a goal."""

    @initial
    def at_node_0(state: Token) -> None:
        """The token starts at node 0."""
        for node in range(len(state.is_goal)):
            state.is_goal[node] = node in picture.goal
            state.is_premise[node] = node in picture.premise
            state.is_outside[node] = node in picture.outside
            for colour in range(COLOURS):
                at = node * COLOURS + colour
                state.weak[at] = picture.edges.get((node, WEAK, colour), -1)
                state.strong[at] = picture.edges.get((node, STRONG, colour), -1)
                state.free[at] = picture.edges.get((node, FREE, colour), -1)
                state.weak_refused[at] = (node, WEAK, colour) in picture.refused
                state.strong_refused[at] = (node, STRONG, colour) in picture.refused

    return Design(
        name="fair-digraph",
        title="A token on a directed graph with fair edges",
        state=Token,
        initial=(at_node_0,),
        system=(token_moves_weakly, token_moves_strongly),
        environment=(somebody_moves_token,),
        properties=(goal_is_reached, goal_is_kept),
        bounds=is_inside,
        scopes={"graph": Size()},
    )
