"""Functions as LLVM functions: one for each reading of a function, all in one module.

The first argument of every function is the context (the fault, then the bounds of the scope, then
whether to stop). If a call sets a fault, the caller returns at once, as with an exception.
"""

from __future__ import annotations

import re

from tierproof.model.language.reading.tree import Expression, Function, Spot
from tierproof.model.language.reading.types import NOTHING, Type
from tierproof.spark_explorer.compiler.expressions import number_of, value_of
from tierproof.spark_explorer.compiler.frame import Frame, Value, shaped
from tierproof.spark_explorer.compiler.module import ModuleText
from tierproof.spark_explorer.compiler.sizes import parts_of, result_of
from tierproof.spark_explorer.compiler.statements import compile_block, store_number, store_value
from tierproof.spark_explorer.compiler.values import coerced


class Module(ModuleText):
    """An LLVM module with each function that is asked for, and what it calls."""

    def compiled(self, function: Function) -> tuple[str, bool]:
        """The LLVM name of a function, and whether it may set a fault."""
        if function not in self.names:
            name = f"f{len(self.names)}_{re.sub(r'[^a-zA-Z0-9_]', '_', function.name)}"
            self.names[function] = name, False  # reserve its number
            frame = _Frame(self, function)
            frame.compile()
            self.names[function] = name, frame.may_fail
            self.texts.append(frame.text(name))
        return self.names[function]


class _Frame(Frame):
    """A Frame that knows how each construct is compiled."""

    def value(self, node: Expression) -> Value:
        """The value of an expression."""
        return value_of(self, node)

    def number(self, node: Expression) -> str:
        """The value of an expression as an i64."""
        return number_of(self, node)

    def set_variable(self, name: str, value: Value, kind: Type) -> None:
        """Assign a value of this type to a local variable, converted to the variable's type."""
        own = self.function.variables[name]
        self.put(self.rooms[name], own, coerced(self, value, kind, own))

    def store_number(self, place: str, kind: Type, value: Value, held: Type, spot: Spot) -> None:
        """Store a number or a set at its place if its domain contains it."""
        store_number(self, place, kind, value, held, spot)

    def store_value(self, place: str, kind: Type, value: Value, held: Type, spot: Spot) -> None:
        """Store a value of any type at its place if the domains contain it."""
        store_value(self, place, kind, value, held, spot)

    def compile(self) -> None:
        """Compile the body."""
        number = 0
        for name, kind in self.function.parameters:
            values = [f"%a{number + n}" for n in range(len(parts_of(kind)))]
            number += len(values)
            self.set_variable(name, shaped(kind, iter(values)), kind)
        compile_block(self, self.function.body)
        if not self.writer.is_ended:
            if self.function.result == NOTHING:
                self.writer.give("void")
            else:
                self.writer.do("unreachable")
                self.writer.is_ended = True
        if self.may_fail:
            self.writer.begin("fault")
            result = result_of(self.function.result)
            self.writer.give(*((result,) if result == "void" else (result, "zeroinitializer")))
