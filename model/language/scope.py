"""Scope: the bounds within which a design is explored.

A Scope class declares bounds with their limits; an instance gives each a value.
On the class a bound is an *expression* (so that domains can say
`Index(Cluster.brokers)` or `Range(0, Cluster.segments * 2)`), on an instance an int.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, dataclass_transform

from tierproof.model.language.errors import ScopeError, closest

Size = Any  # an int, or an Expression over the bounds of a Scope


class Expression:
    """An integer computed from a Scope: a bound, or arithmetic over bounds."""

    def __init__(self, evaluate: Callable[[Scope], int], text: str) -> None:
        self.evaluate, self.text = evaluate, text

    def _combine(self, other: Size, operate: Callable[[int, int], int], sign: str) -> Expression:
        return Expression(
            lambda scope: operate(size_in(self, scope), size_in(other, scope)),
            f"({self.text} {sign} {other.text if isinstance(other, Expression) else other})",
        )

    def __add__(self, other: Size) -> Expression:
        return self._combine(other, lambda a, b: a + b, "+")

    def __sub__(self, other: Size) -> Expression:
        return self._combine(other, lambda a, b: a - b, "-")

    def __rsub__(self, other: Size) -> Expression:
        return Expression(
            lambda scope: size_in(other, scope) - size_in(self, scope), f"({other} - {self.text})"
        )

    def __mul__(self, other: Size) -> Expression:
        return self._combine(other, lambda a, b: a * b, "*")

    __radd__ = __add__
    __rmul__ = __mul__

    def __repr__(self) -> str:
        return self.text


def size_in(size: Size, scope: Scope | None) -> int:
    """The value of a size in `scope`; a plain int is its own value."""
    if isinstance(size, Expression):
        if scope is None:
            raise ScopeError(f"the size {size.text} needs a scope")
        return size.evaluate(scope)
    return int(size)


class _Bound:
    """Descriptor behind `bound()`: an Expression on the class, an int on an instance."""

    def __init__(self, low: int, high: int, default: int | None, unit: str) -> None:
        self.low, self.high, self.default, self.unit = low, high, default, unit
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
        self.expression = Expression(self.value_in, name)

    def value_in(self, scope: Scope) -> int:
        """The bound's value in `scope`; raises ScopeError if the scope has no such bound."""
        if scope.bounds.get(self.name) is not self:
            raise ScopeError(f"{type(scope).__name__} does not declare the bound {self.name}")
        return int(scope.__dict__[self.name])

    def __get__(self, scope: Scope | None, owner: type) -> Any:
        return self.expression if scope is None else scope.__dict__[self.name]

    def check(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise ScopeError(f"bound {self.name} takes a whole number, not {value!r}")
        if not self.low <= value <= self.high:
            raise ScopeError(
                f"bound {self.name}={value} is out of range: "
                f"its limits are {self.low} to {self.high}"
            )
        return value


def bound(low: int, high: int, *, default: int | None = None, unit: str = "") -> Any:
    """Declare a bound of a Scope with its inclusive limits, an optional default and its unit."""
    return _Bound(low, high, default, unit)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(bound,))
class Scope:
    """Bounds of an exploration: frozen, keyword-only, validated.

    Subclasses declare `name: int = bound(low, high)`; a scope of several bases has the bounds
    of all. Override `inconsistency` to reject bounds that contradict each other.
    """

    bounds: ClassVar[dict[str, _Bound]] = {}

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        own = {name: value for name, value in vars(cls).items() if isinstance(value, _Bound)}
        for name in own:
            if hasattr(Scope, name) or name == "keys":
                raise ScopeError(f"a bound cannot be named {name}: every scope has that already")
        inherited = [base.bounds for base in reversed(cls.__bases__) if issubclass(base, Scope)]
        cls.bounds = {name: value for part in (*inherited, own) for name, value in part.items()}

    def __init__(self, **values: int) -> None:
        for name in values:
            closest("bound", name, self.bounds)
        for name, declared in self.bounds.items():
            value = values.get(name, declared.default)
            if value is None:
                raise ScopeError(
                    f"bound {name} has no value: it takes {declared.low} to {declared.high}"
                )
            self.__dict__[name] = declared.check(value)
        problem = self.inconsistency()
        if problem:
            raise ScopeError(problem)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Scope is frozen: use replace({name}={value})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Scope is frozen: {name} cannot be deleted")

    def inconsistency(self) -> str | None:
        """A sentence that names the bounds that contradict each other, or None."""
        return None

    def replace(self, **values: int) -> Scope:
        """A copy with some bounds changed, validated anew."""
        return type(self)(**{**dict(self), **values})

    def __iter__(self) -> Iterator[tuple[str, int]]:
        return iter([(name, self.__dict__[name]) for name in self.bounds])

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and dict(self) == dict(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v}' for k, v in self)})"

    def __str__(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self) or "no bounds"
