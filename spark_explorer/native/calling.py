"""Calls of a design's compiled functions, by address, from the engine's own."""

from __future__ import annotations

from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


class Code(NamedTuple):
    """The addresses of a design's entry points (`compiler/entries.py`, `concrete.py`)."""

    enabled: int
    apply: int
    check_state: int
    check_step: int
    mark_state: int
    within_bounds: int
    enabled_here: int


@intrinsic
def call(typing_context: Any, address: Any, arguments: Any) -> Any:
    """Call the function at `address` with a tuple of arrays (as pointers) and integers -> int64."""
    kinds = list(arguments)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        word = ir.IntType(64)
        pointer, packed = values
        operands = []
        for number, kind in enumerate(kinds):
            value = builder.extract_value(packed, number)
            if isinstance(kind, types.Array):
                value = context.make_array(kind)(context, builder, value).data
                value = builder.ptrtoint(value, word)
            operands.append(value)
        function = ir.FunctionType(word, [word] * len(operands))
        target = builder.inttoptr(pointer, function.as_pointer())
        return builder.call(target, operands)

    return types.int64(address, arguments), generate
