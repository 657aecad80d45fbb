"""Cases: the values of the variables of a quantifier, and the names in a called function."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tierproof.model.language.explaining.frames import Frame, arguments_by_name


def called_frame(frame: Frame, node: ast.Call, function: Any) -> Frame:
    """The frame of a called function; an argument that is a number knows where it is from."""
    named = {one.arg: one.value for one in node.keywords if one.arg}
    written_as = arguments_by_name(function, list(node.args), named)
    given = {
        name: frame.value(one) if isinstance(one, ast.expr) else one
        for name, one in written_as.items()
    }
    inner = Frame.of_call(function, given)
    for name, one in written_as.items():
        if isinstance(one, ast.expr) and isinstance(given[name], int):
            inner.origins[name] = one, frame.now()
    return inner


@dataclass(frozen=True)
class Case:
    """One value of each variable of a quantifier, or of the first, up to a condition's refusal."""

    frame: Frame
    bindings: tuple[tuple[str, Any], ...]
    refused_by: ast.expr | None = None


def cases(
    frame: Frame, loops: list[ast.comprehension], bound: tuple[tuple[str, Any], ...]
) -> Iterator[Case]:
    """Each case of nested loops in a frame, behind the variables that are `bound` already."""
    if not loops:
        yield Case(frame, bound)
        return
    loop = loops[0]
    assert isinstance(loop.target, ast.Name)
    for value in frame.value(loop.iter):
        inner = frame.binding(loop.target.id, value)
        bindings = (*bound, (loop.target.id, value))
        refusing = next((test for test in loop.ifs if not inner.value(test)), None)
        if refusing is not None:
            yield Case(inner, bindings, refusing)
        else:
            yield from cases(inner, loops[1:], bindings)
