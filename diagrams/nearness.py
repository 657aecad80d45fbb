"""How near states come to what none of them reaches, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tierproof.diagrams.explanations import explanation_lines


def nearest_lines(told: Mapping[str, Any], *, is_full: bool = False) -> Iterator[str]:
    """Each condition with the states in which it is true, the rarest first; the nearest state."""
    walked, states = told["walked"], told["states"]
    where = f"{states:,} states of random walks ({walked['steps']:,} steps, seed {walked['seed']})"
    what = told["asked"] if told["is_witness"] else f"The premise of {told['asked']}"
    yield f"{what} is true in {'some' if told['is_reached'] else 'none'} of {where}."
    if told["is_reached"]:
        return
    yield "Each of its conditions, for some value of its variables, is true in"
    width = len(f"{states:,}")
    for text, count in sorted(told["conditions"].items(), key=lambda one: one[1]):
        yield f"    {count:>{width},}  {text}"
    yield "In a state in which the most are true:"
    yield from (f"    {line}" for line in explanation_lines(told["nearest"], is_full=is_full))
