"""One function of the modelling language, compiled, to be called from a test."""

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from tierproof.model.language import Scope, State
from tierproof.model.language.layout import layout_of
from tierproof.model.language.reading import read_function
from tierproof.model.language.reading.types import BOOL, INT, NOTHING, TupleType, Type, state_type
from tierproof.spark_explorer.compiler.functions import Module
from tierproof.spark_explorer.compiler.loading import QUICK, THOROUGH, Source, load
from tierproof.spark_explorer.compiler.sizes import NOTES, parts_of
from tierproof.spark_explorer.compiler.writer import Writer


class Twin:
    """One valuation as CPython sees it (`state`) and as compiled code does (`flat`)."""

    def __init__(self, state: State, scope: Scope) -> None:
        leaves = layout_of(type(state), scope).leaves
        self.state = state
        self.flat = np.zeros((4, len(leaves)), np.int64)
        self.flat[1] = state.leaves
        self.flat[2] = [placed.leaf.domain.low for placed in leaves]
        spans = [placed.leaf.domain.high - placed.leaf.domain.low for placed in leaves]
        self.flat[3] = np.array(spans, np.uint64).view(np.int64)

    def agrees(self) -> bool:
        """Whether both see the same."""
        return tuple(self.flat[1]) == self.state.leaves


def compiled(
    function: Callable[..., Any],
    state: type[State],
    scope: Scope,
    given: tuple[Type, ...] = (),
    level: int = QUICK,
) -> Callable[..., Any]:
    """`function` of a state and of numbers of the types `given`, called with a Twin and integers.

    Returns an integer, a tuple of them, or None. A fault is an AssertionError.
    """
    layout = layout_of(state, scope)
    read = read_function(function, (state_type(layout), *given))
    module = Module(scope, len(layout.leaves))
    name, _ = module.compiled(read)
    module.texts.append(_entry(name, given, read.result))
    assert level in (QUICK, THOROUGH)
    address = load(Source.of(module.text, ("run",)), level).addresses["run"]
    entry = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)(address)
    context = np.array([0, *(value for _, value in scope), *([0] * NOTES), 0], np.int64)

    def call(twin: Twin, *numbers: int) -> Any:
        arguments, results = np.array([*numbers, 0], np.int64), np.zeros(16, np.int64)
        context[0] = 0
        pointers = (context, twin.flat[1], arguments, results)
        entry(*(array.ctypes.data for array in pointers))
        assert context[0] == 0, module.faults[context[0] - 1]
        if read.result == NOTHING:
            return None
        found = tuple(int(result) for result in results[: len(parts_of(read.result))])
        return found if isinstance(read.result, TupleType) else found[0]

    return call


def _entry(name: str, given: tuple[Type, ...], result: Type) -> str:
    """run(context, state, arguments, results): call the function, write down what it returns."""
    writer = Writer()
    operands = ["ptr %ctx", "ptr %state"]
    for number, kind in enumerate(given):
        loaded = writer.load(writer.ahead("%arguments", number))
        if kind == BOOL:
            loaded = writer.value(f"icmp ne i64 {loaded}, 0")
        operands.append(f"{parts_of(kind)[0]} {loaded}")
    parts = parts_of(result)
    whole = "void" if not parts else parts[0] if len(parts) == 1 else f"{{ {', '.join(parts)} }}"
    call = f"call {whole} @{name}({', '.join(operands)})"
    if not parts:
        writer.do(call)
    else:
        found = writer.value(call)
        for number, part in enumerate(parts):
            one = found
            if len(parts) > 1:
                one = writer.value(f"extractvalue {whole} {found}, {number}")
            if part == "i1":
                one = writer.value(f"zext i1 {one} to i64")
            writer.store(one, writer.ahead("%results", number))
    writer.give("void")
    return writer.text("define void @run(ptr %ctx, ptr %state, ptr %arguments, ptr %results)")


__all__ = ["BOOL", "INT", "Twin", "compiled"]
