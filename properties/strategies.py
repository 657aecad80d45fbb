"""Strategies: scopes, walks and reachable states of a design, for your own tests."""

from __future__ import annotations

from typing import TypeVar

from hypothesis import assume
from hypothesis import strategies as st

from tierproof.model.language import Design, Scope, ScopeError, State, Trace
from tierproof.properties.walk import Ground, Walk

SomeScope = TypeVar("SomeScope", bound=Scope)


@st.composite
def scopes(draw: st.DrawFn, /, kind: type[SomeScope], **fixed: int) -> SomeScope:
    """Scopes of a class, every bound within its limits, those in `fixed` as given."""
    values = {
        name: draw(st.integers(one.low, one.high))
        for name, one in kind.bounds.items()
        if name not in fixed
    }
    try:
        return kind(**values, **fixed)
    except ScopeError:
        assume(False)
        raise


def traces(design: Design, scope: Scope, *, max_steps: int = 50) -> st.SearchStrategy[Trace]:
    """Behaviours of `design` in `scope`, as random walks find them; they shrink to short ones."""
    ground = Ground(design, scope)
    return _walks(ground, max_steps).map(lambda walk: walk.trace)


def reachable_states(
    design: Design, scope: Scope, *, max_steps: int = 50
) -> st.SearchStrategy[State]:
    """States that a random walk of at most `max_steps` steps reaches."""
    return _walks(Ground(design, scope), max_steps).map(lambda walk: walk.state)


@st.composite
def _walks(draw: st.DrawFn, /, ground: Ground, max_steps: int) -> Walk:
    walk = Walk(ground, draw)
    for _ in range(draw(st.integers(0, max_steps))):
        if walk.advance(draw) is None or walk.is_over:
            break
    return walk
