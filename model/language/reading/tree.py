"""Typed trees: a design's functions as read, with names resolved and types known.

Every expression has a `type`; one that can fail has a `spot`, its place in the source. The meaning
is CPython's: operands are evaluated once, from left to right.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tierproof.model.language.reading.asked import StepArgument, StepIs
from tierproof.model.language.reading.collected import Collected, Collecting
from tierproof.model.language.reading.types import BOOL, INT, Type


@dataclass(frozen=True)
class Spot:
    """A place in a source file."""

    file: str
    line: int
    text: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


# -- expressions


@dataclass(frozen=True, slots=True)
class Constant:
    """An integer; a bool or a member of an enum by its type."""

    type: Type
    value: int


@dataclass(frozen=True, slots=True)
class Local:
    """A parameter or local variable."""

    type: Type
    name: str


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a record: its value, or a reference to it."""

    type: Type
    record: Expression
    name: str


@dataclass(frozen=True, slots=True)
class Element:
    """An element of an array; indexes below 0 count from the end."""

    type: Type
    array: Expression
    index: Expression
    spot: Spot


@dataclass(frozen=True, slots=True)
class Length:
    """The length of an array or a tuple."""

    whole: Expression
    type: Type = INT


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound of the scope."""

    name: str
    type: Type = INT


@dataclass(frozen=True, slots=True)
class Unary:
    """`sign` is one of - ~ + abs."""

    sign: str
    operand: Expression
    spot: Spot
    type: Type = INT


@dataclass(frozen=True, slots=True)
class Binary:
    """`sign` is one of + - * // % << >> & | ^."""

    type: Type
    sign: str
    left: Expression
    right: Expression
    spot: Spot


@dataclass(frozen=True, slots=True)
class Comparison:
    """A chain: each operand is evaluated once, and none after the first pair that is false."""

    first: Expression
    rest: tuple[tuple[str, Expression], ...]
    type: Type = BOOL
    spot: Spot | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Membership:
    """Whether `item` equals one of the values, or is in the set or bag."""

    item: Expression
    source: Iteration
    is_negated: bool
    type: Type = BOOL
    spot: Spot | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Logical:
    """`and` or `or`: the first operand that decides, or the last."""

    type: Type
    is_and: bool
    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """True where the operand is false or 0."""

    operand: Expression
    type: Type = BOOL


@dataclass(frozen=True, slots=True)
class Choice:
    """`then if test else otherwise`."""

    type: Type
    test: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Conversion:
    """`int(...)` or `bool(...)`, by its type."""

    type: Type
    operand: Expression


@dataclass(frozen=True, slots=True)
class Member:
    """The member of an enum with a given number; a number without a member is an error."""

    type: Type
    operand: Expression
    spot: Spot


@dataclass(frozen=True, slots=True)
class Extreme:
    """`min(...)` or `max(...)` of two or more numbers."""

    type: Type
    is_min: bool
    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class TupleOf:
    """A tuple of values."""

    type: Type
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """The item of a tuple at a constant index."""

    type: Type
    whole: Expression
    place: int


@dataclass(frozen=True, slots=True)
class Pick:
    """The item at a computed index: of a tuple of numbers, or of a table."""

    type: Type
    whole: Expression
    index: Expression
    spot: Spot


@dataclass(frozen=True, slots=True)
class Call:
    """A call of another function of the design.

    `arguments` are in the order of its parameters; `order` is their order of evaluation.
    """

    function: Function
    arguments: tuple[Expression, ...]
    order: tuple[int, ...]

    @property
    def type(self) -> Type:
        """What the function returns."""
        return self.function.result


@dataclass(frozen=True, slots=True)
class Quantified:
    """`any`, `all`, `sum` or `set` (`how`) of a value over nested loops with conditions."""

    type: Type
    how: str
    loops: tuple[tuple[str, Iteration, tuple[Expression, ...]], ...]
    value: Expression
    spot: Spot


Expression = (
    Constant
    | Local
    | Field
    | Element
    | Length
    | Bound
    | Unary
    | Binary
    | Comparison
    | Membership
    | Logical
    | Not
    | Choice
    | Conversion
    | Member
    | Extreme
    | TupleOf
    | Item
    | Pick
    | Call
    | Quantified
    | StepIs
    | StepArgument
    | Collected
)


# -- what a loop runs over


@dataclass(frozen=True, slots=True)
class Count:
    """`range(start, stop, step)`; the step is a constant and not 0."""

    start: Expression
    stop: Expression
    step: int
    spot: Spot
    type: Type = INT


@dataclass(frozen=True, slots=True)
class Over:
    """The elements of an array, each read at its iteration."""

    type: Type
    array: Expression


@dataclass(frozen=True, slots=True)
class Each:
    """The items of a tuple, which is evaluated before the first iteration."""

    type: Type
    whole: Expression


Iteration = Count | Over | Each | Collecting


# -- statements


@dataclass(frozen=True, slots=True)
class SetLocal:
    """Assign a value to a local variable."""

    name: str
    value: Expression
    spot: Spot | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Store:
    """Assign to a field or an element: one number, a whole record or a whole array."""

    place: Field | Element
    value: Expression
    spot: Spot


@dataclass(frozen=True, slots=True)
class Update:
    """An augmented assignment to a field or an element; the place is evaluated once."""

    place: Field | Element
    sign: str
    value: Expression
    spot: Spot


@dataclass(frozen=True, slots=True)
class If:
    """Run one branch or the other."""

    test: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]
    spot: Spot | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class While:
    """Run the body as long as the test is true."""

    test: Expression
    body: tuple[Statement, ...]
    spot: Spot


@dataclass(frozen=True, slots=True)
class For:
    """Run the body for each value of the source."""

    name: str
    source: Iteration
    body: tuple[Statement, ...]
    spot: Spot | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Break:
    """Leave the innermost loop."""


@dataclass(frozen=True, slots=True)
class Continue:
    """Continue with the next iteration of the innermost loop."""


@dataclass(frozen=True, slots=True)
class Return:
    """End the function, with a value or none."""

    value: Expression | None
    spot: Spot | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Evaluate:
    """Evaluate an expression for its side effect."""

    value: Expression
    spot: Spot | None = field(default=None, compare=False)


Statement = SetLocal | Store | Update | If | While | For | Break | Continue | Return | Evaluate


@dataclass(eq=False)
class Function:
    """A function read for arguments of given types. `variables` includes its parameters.

    `assigns` is the place at which it, or a function it calls, assigns to the state, if any.
    """

    name: str
    source: Callable[..., Any]
    parameters: tuple[tuple[str, Type], ...]
    variables: dict[str, Type] = field(default_factory=dict)
    body: tuple[Statement, ...] = ()
    result: Type = INT
    assigns: Spot | None = None
