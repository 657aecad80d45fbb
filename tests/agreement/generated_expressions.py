"""Random expressions of the modelling language, as text. The reader accepts all of them."""

from __future__ import annotations

from collections.abc import Callable

from tests.agreement.generated_calls import WEIGHED, Calls
from tests.agreement.generated_kinds import (
    NUMBER,
    TRUTH,
    Group,
    Kind,
    Member,
    Row,
    Several,
    essence,
    is_of_numbers,
    is_reference,
    is_scalar,
    like,
)

Way = Callable[[int], str]
"""Writes an expression of a depth."""


class Expressions(Calls):
    """Writes expressions over the variables of one function.

    A number may be of any size, but nothing that a loop can make larger stands to the right of
    `*` or `<<`, lest it fill the memory.
    """

    # -- numbers

    def number(self, depth: int) -> str:
        """Any expression that is one number: a boolean or a member too."""
        if depth <= 0 or self.chance(0.15):
            return self._atom()
        ways: list[tuple[int, Way]] = [
            (6, self._arithmetic),
            (2, self._unary),
            (2, self._extreme),
            (2, lambda d: self._choice(self.number, d)),
            (1, lambda d: f"int({self.number(d)})"),
            (2, lambda d: f"({self.number(d)} {self._word()} {self.number(d)})"),
            (2 if self.is_pure else 5, lambda d: self.called(is_scalar, d) or self._atom()),
            (2, self._picked),
            (3, self._of_constants),
            (1, self._length),
            (1, lambda d: f"{self.member(self._enum(), d)}.value"),
            (1, self._through),
            (2, self.boolean),
            (1, lambda d: self.member(self._enum(), d)),
        ]
        if not self.is_pure:
            ways.append((2, lambda d: self.call(WEIGHED, d)))
        if self.loops < 2:
            ways.append((2, lambda d: self.quantified("sum", d)))
        return self._any_of(ways, depth - 1)

    def _any_of(self, ways: list[tuple[int, Way]], depth: int) -> str:
        weights = [weight for weight, _ in ways]
        (way,) = self.random.choices([way for _, way in ways], weights)
        return way(depth)

    def _word(self) -> str:
        return self.random.choice(["and", "or"])

    def _enum(self) -> str:
        return self.random.choice(list(self.world.enums))

    def _atom(self) -> str:
        found = self.path(is_scalar) if self.chance(0.85) else None
        return found[0] if found else self.steady()

    def steady(self) -> str:
        """A number that is the same wherever it stands."""
        if self.is_risky():
            return str((1 << self.random.randint(30, 63)) - self.random.randint(1, 3))
        choice = self.random.randrange(8)
        if choice == 0:
            return self._of_constants(0)
        if choice == 1:
            return f"len({self._enum()})"
        if choice == 2:
            return self._name_of_member(self._enum())
        if choice in (3, 4) and "scope" in self.variables:
            return f"scope.{self.random.choice(list(self.world.bounds))}"
        return self.random.choice(["True", "False", *map(str, range(-3, 10))])

    def _of_constants(self, depth: int) -> str:
        """A number from a constant of the module, by places that are written or computed."""
        text, kind = self.random.choice(list(self.world.constants.items()))
        while isinstance(kind, Several):
            count = len(kind.items)
            place = self.random.randrange(count)
            if depth and len({essence(item) for item in kind.items}) == 1 and self.chance(0.7):
                index = self._place(count, depth)
            else:
                index = str(place - self.random.choice([0, count]))
            text, kind = f"{text}[{index}]", kind.items[place]
        return text

    def _arithmetic(self, depth: int) -> str:
        sign = self.random.choice(["+", "-", "+", "-", "*", "//", "%", "<<", ">>", "&", "|", "^"])
        return f"({self.number(depth)} {sign} {self.right(sign, depth)})"

    def right(self, sign: str, depth: int) -> str:
        """What may stand to the right of an operator."""
        one = self.number(depth)
        if sign == "*":
            return self.steady()
        if sign in ("//", "%") and not self.is_risky():
            divisor = str(self.random.choice([-4, -3, -1, 1, 2, 3, 5]))
            return self.random.choice([divisor, f"max(1, {one})", f"({one} | 1)"])
        if sign in ("<<", ">>"):
            if self.is_risky():
                return self.random.choice(["-1", "62", "63", "64", f"max(-2, min({one}, 70))"])
            return self.random.choice([str(self.random.randint(0, 3)), f"({one} & 3)"])
        return one

    def _unary(self, depth: int) -> str:
        sign = self.random.choice(["-", "~", "+", "abs"])
        one = self.number(depth)
        return f"abs({one})" if sign == "abs" else f"({sign}{one})"

    def _extreme(self, depth: int) -> str:
        some = [self.number(depth) for _ in range(self.random.choice([2, 2, 3]))]
        return f"{self.random.choice(['min', 'max'])}({', '.join(some)})"

    def _choice(self, branch: Way, depth: int) -> str:
        return f"({branch(depth)} if {self.number(depth)} else {branch(depth)})"

    def _picked(self, depth: int) -> str:
        """An item of a tuple, by a place that is written down or computed."""
        found = self.called(is_of_numbers, depth) if self.chance(0.3) else None
        if found:
            return f"{found}[{self.random.choice(['0', '-1'])}]"
        count = self.random.randint(2, 3)
        whole = f"({', '.join(self.number(depth) for _ in range(count))})"
        if self.chance(0.4):
            return f"{whole}[{self.random.randint(-count, count - 1)}]"
        return f"{whole}[{self._place(count, depth)}]"

    def _place(self, count: int, depth: int) -> str:
        """A computed index into a tuple: the reader refuses one outside that is written down."""
        number = self.number(depth)
        return f"{number} - ONE" if self.is_risky() else f"{number} % {count}"

    def _length(self, depth: int) -> str:
        """The length of an array, or of a tuple that is made to be counted."""
        row = self.path(lambda kind: isinstance(kind, Row))
        kind = row[1] if row and self.chance(0.5) else Several((NUMBER, TRUTH))
        call = self.called(is_of_numbers, depth) if self.chance(0.5) else None
        return f"len({call or self.value(kind, depth)})"

    def _through(self, depth: int) -> str:
        """A field of a record that an expression leads to."""
        found = self.path(lambda kind: isinstance(kind, Group))
        if found is None:
            return self._atom()
        ways = [way for way, to in self._ways(found[1]) if is_scalar(to)]
        return f"{self.value(found[1], depth)}{self.random.choice(ways)}" if ways else self._atom()

    # -- members and booleans, which the reader knows as such

    def _name_of_member(self, enum: str) -> str:
        return f"{enum}.{self.random.choice(self.world.enums[enum])}"

    def member(self, enum: str, depth: int) -> str:
        """A member of an enum."""
        found = self.path(like(Member(enum))) if self.chance(0.5) else None
        if found or depth <= 0:
            return found[0] if found else self._name_of_member(enum)
        one: Way = lambda d: self.member(enum, d)  # noqa: E731
        ways: list[tuple[int, Way]] = [
            (3, lambda d: self._name_of_member(enum)),
            (2, lambda d: self._choice(one, d)),
            (1, lambda d: f"min({one(d)}, {one(d)})"),
            (1, lambda d: f"({one(d)} {self._word()} {one(d)})"),
            (2, lambda d: self.called(like(Member(enum)), d) or self._name_of_member(enum)),
            (2, lambda d: self._numbered(enum, d)),
        ]
        return self._any_of(ways, depth - 1)

    def _numbered(self, enum: str, depth: int) -> str:
        """The member that has a number. That of `Code` are not in a row."""
        if self.is_risky():
            return f"{enum}({self.number(depth)})"
        if enum == "Code":
            return f"Code({self.member(enum, depth)} + 0)"
        return f"{enum}({self.number(depth)} % {len(self.world.enums[enum])})"

    def boolean(self, depth: int) -> str:
        """True or False."""
        if depth <= 0:
            found = self.path(like(TRUTH)) if self.chance(0.6) else None
            return found[0] if found else f"({self._atom()} {self._sign()} {self.steady()})"
        ways: list[tuple[int, Way]] = [
            (6, self._comparison),
            (2, lambda d: f"(not {self.number(d)})"),
            (3, lambda d: f"({self.boolean(d)} {self._joining()} {self.boolean(d)})"),
            (1, lambda d: f"bool({self.number(d)})"),
            (2, self._membership),
            (1, self._identity),
            (2, self._same),
            (1, lambda d: self._choice(self.boolean, d)),
            (2, lambda d: self.called(like(TRUTH), d) or self._comparison(d)),
        ]
        if self.loops < 2:
            ways.append((3, lambda d: self.quantified(self.random.choice(["any", "all"]), d)))
        return self._any_of(ways, depth - 1)

    def _sign(self) -> str:
        return self.random.choice(["==", "!=", "<", "<=", ">", ">="])

    def _joining(self) -> str:
        return self.random.choice(["and", "or", "and", "or", "&", "|", "^", "is", "is not", "=="])

    def _comparison(self, depth: int) -> str:
        parts = [self.number(depth)]
        for _ in range(self.random.choice([1, 1, 1, 2, 3])):
            parts += [self._sign(), self.number(depth)]
        return f"({' '.join(parts)})"

    def _identity(self, depth: int) -> str:
        enum, sign = self._enum(), self.random.choice(["is", "is not", "==", "!="])
        return f"({self.member(enum, depth)} {sign} {self.member(enum, depth)})"

    def _same(self, depth: int) -> str:
        """Whether two records, arrays or tuples are equal."""
        kind: Kind = Several((TRUTH, TRUTH))
        if (found := self.path(is_reference)) and self.chance(0.7):
            kind = found[1]
        elif self.chance(0.7):
            known = [one.result for one in self.world.helpers if isinstance(one.result, Several)]
            kind = self.random.choice([kind, *known])
        if not self._is_at_hand(kind):
            return self._comparison(depth)
        sign, one, other = self.random.choice(["==", "!="]), kind, self.value(kind, depth)
        if isinstance(one, Row) and (found := self.path(lambda row: _are_alike(one, row))):
            other = found[0]
        return f"({self.value(kind, depth)} {sign} {other})"

    def _is_at_hand(self, kind: Kind) -> bool:
        """Whether every reference within a kind can be written here."""
        if isinstance(kind, Several):
            return all(map(self._is_at_hand, kind.items))
        given = self.variables.values()
        return is_scalar(kind) or any(self.world.leads(one, like(kind)) for one in given)

    def _membership(self, depth: int) -> str:
        sign, item = self.random.choice(["in", "not in"]), self.number(depth)
        if self.chance(0.3):
            return f"({item} {sign} range({self.narrow()}, {self.narrow()}))"
        source = self.source(depth, is_scalar)[0]
        if source in self.world.enums or source.startswith("sorted("):
            source = "state.queue"
        if source.startswith("range("):
            source = f"range({self.narrow()})"
        return f"({item} {sign} {source})"


def _are_alike(one: Row, other: Kind) -> bool:
    """Whether two arrays have one type for the reader, which knows no limits of numbers."""
    if not isinstance(other, Row) or one.count != other.count:
        return False
    return like(one.element)(other.element)
