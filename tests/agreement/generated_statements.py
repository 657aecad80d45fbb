"""Random bodies of functions, as text. Every variable has a value wherever it is read."""

from __future__ import annotations

from collections.abc import Callable

from tests.agreement.generated_collections import Collections
from tests.agreement.generated_kinds import (
    NUMBER,
    TRUTH,
    Crowd,
    Kind,
    Member,
    Number,
    Role,
    Row,
    Several,
    Truth,
    World,
    is_reference,
    is_scalar,
    like,
)


class Statements(Collections):
    """Writes the statements of one function into `lines`.

    `locals` are the variables that may be assigned, each to values of one kind for good;
    those that have a value for sure are among `variables`.
    """

    def __init__(self, world: World, variables: dict[str, Kind], role: Role) -> None:
        super().__init__(world, variables, role)
        self.result = role.result
        self.lines: list[str] = []
        self.locals: dict[str, Kind] = {
            name: kind for name, kind in variables.items() if kind == NUMBER
        }
        self._indent = 1
        self._kinds_of_loops: list[str] = []

    def body(self, count: int) -> None:
        """The whole body: it returns where it has to."""
        is_ended = self._block(count, 2) if count else False
        if not is_ended and self.result is not None:
            self._write(f"return {self.value(self.result, 3)}")

    def _write(self, line: str) -> None:
        self.lines.append("    " * self._indent + line)

    def _block(self, count: int, depth: int) -> bool:
        """Write statements; True where their end is never reached."""
        before = len(self.lines)
        is_ended = False
        while count > 0 and not is_ended:
            is_ended = self._statement(depth)
            count -= 1
        if len(self.lines) == before:
            self._write("pass")
        return is_ended

    def _statement(self, depth: int) -> bool:
        ways: list[tuple[int, Callable[[int], bool | None]]] = [
            (4, self._set_local),
            (2, self._change_local),
            (2, self._unpack),
            (1, self._set_people),
        ]
        if not self.is_pure:
            ways += [(8, self._store), (4, self._update), (2, self._copy), (2, self._swap)]
            ways += [(3, self._evaluate), (4, self._change)]
        if depth > 0:
            ways += [(6, self._if)]
        if depth > 0 and self.loops < 2:
            ways += [(3, self._for), (2, self._while)]
        if depth < 2:
            ways += [(2, self._leave)]
        if self.world.risk and not self.is_pure:
            ways += [(6, self._dare)]
        weights = [weight for weight, _ in ways]
        (way,) = self.random.choices([way for _, way in ways], weights)
        return bool(way(depth))

    def _dare(self, depth: int) -> None:
        """What fails in some states: each kind of fault as often as the others."""
        one, other, name = self.number(2), self.number(2), self.fresh("v")
        enum = self.random.choice(list(self.world.enums))
        ways = [f"{name} = {one} // {other}", f"{name} = {one} >> {other}"]
        ways += [f"{name} = {one} << ({other}) % 9 - 4", f"{name} = ({one} | 4) << 61"]
        ways += [f"{name} = {enum}({one})", f"{name} = {one} * {1 << 62}"]
        rows = self.path(_is_row_of_numbers), self.place(_is_row_of_numbers)
        if rows[0] and rows[1]:
            ways += [f"{name} = {rows[0][0]}[{other}]", f"{rows[1][0]} = {rows[0][0]}"]
        if place := self.place(is_scalar):
            ways += [f"{place[0]} = {one}"]
        self._write(f"if {self.number(1)}:")
        self._write(f"    {self.random.choice(ways)}")
        if "state" in self.variables:
            self._write(f"if {self.number(1)}:")
            self._write(f"    {self.random.choice(self.dares(one))}")

    def _change(self, depth: int) -> None:
        """A change of a set, a sequence or a bag."""
        if "state" not in self.variables:
            return self._set_local(depth)
        for line in self.changes(depth):
            self._write(line)
        return None

    def _set_people(self, depth: int) -> None:
        """A variable for a set."""
        if "state" not in self.variables:
            return self._set_local(depth)
        is_ordered = self.chance(0.5)
        text, name = self.ordered() if is_ordered else self.people(2), self.fresh("s")
        self.variables[name] = Crowd(is_ordered)
        return self._write(f"{name} = {text}")

    # -- local variables

    def _name_for(self, kind: Kind) -> str:
        """A variable for values of a kind: one that there is, or a new one."""
        known = [name for name, one in self.locals.items() if like(kind)(one)]
        if known and self.chance(0.5):
            return self.random.choice(known)
        return self.fresh("v")

    def _bind(self, name: str, kind: Kind) -> None:
        self.locals[name] = kind
        self.variables[name] = kind

    def _kind(self) -> Kind:
        """What a variable may hold."""
        found = self.path(is_reference) if self.chance(0.4) else None
        enum = self.random.choice(list(self.world.enums))
        plain: list[Kind] = [NUMBER, NUMBER, TRUTH, Member(enum), Several((NUMBER, TRUTH))]
        results = [one.result for one in self.world.helpers if isinstance(one.result, Several)]
        kind = self.random.choice([*plain, *results])
        if found:
            return found[1]
        return kind if self._is_at_hand(kind) else NUMBER

    def _set_local(self, depth: int) -> None:
        kind = self._kind()
        text, name = self.value(kind, 3), self._name_for(kind)
        self._bind(name, kind)
        if kind == NUMBER and self.chance(0.15):
            self._write(f"{name}: int = {text}")
        elif kind == NUMBER and self.chance(0.15):
            other = self._name_for(kind)
            self._bind(other, kind)
            self._write(f"{name} = {other} = {text}")
        else:
            self._write(f"{name} = {text}")

    def _change_local(self, depth: int) -> None:
        known = [n for n, kind in self.locals.items() if kind == NUMBER and n in self.variables]
        if not known:
            return self._set_local(depth)
        sign = self.random.choice(["+", "-", "*", "//", "%", "<<", ">>", "&", "|", "^"])
        name = self.random.choice(known)
        return self._write(f"{name} {sign}= {self.right(sign, 2)}")

    def _unpack(self, depth: int) -> None:
        """A tuple into variables, one of them perhaps for a tuple within."""
        kinds = [self._kind() for _ in range(self.random.randint(1, 3))]
        text = self.value(Several(tuple(kinds)), 3)
        targets = [self._target(kind) for kind in kinds]
        self._write(f"{', '.join(targets)}{',' if len(targets) == 1 else ''} = {text}")

    def _target(self, kind: Kind) -> str:
        """What a value of a kind is unpacked into."""
        if isinstance(kind, Several) and self.chance(0.5):
            return f"({' '.join(self._target(item) + ',' for item in kind.items)})"
        if (
            is_scalar(kind)
            and not self.is_pure
            and self.is_risky()
            and (found := self.place(is_scalar))
        ):
            return found[0]
        name = self._name_for(kind)
        self._bind(name, kind)
        return name

    # -- the state

    def _store(self, depth: int) -> None:
        found = self.place(is_scalar)
        if found is None:
            return self._set_local(depth)
        return self._write(f"{found[0]} = {self._fitting(found[1], 3)}")

    def _fitting(self, kind: Kind, depth: int) -> str:
        """A number for a place, mostly one of its domain."""
        if self.is_risky():
            return self.number(depth)
        if isinstance(kind, Truth):
            return self.boolean(depth) if self.chance(0.8) else f"{self.number(depth)} % 2"
        if isinstance(kind, Member):
            return self.member(kind.enum, depth)
        assert isinstance(kind, Number)
        assert kind.low is not None
        assert kind.high is not None
        low, high = kind.low, kind.high
        found = self.path(lambda one: isinstance(one, Number) and one.is_within(low, high))
        if found and self.chance(0.3):
            return found[0]
        if self.chance(0.4):
            return f"max({low}, min({self.number(depth)}, {high}))"
        if low <= 0 <= high and self.chance(0.3):
            return f"{self.number(depth)} % {high + 1}"
        return str(self.random.randint(low, high))

    def _update(self, depth: int) -> None:
        """Augmented assignment to a field or an element."""
        found = self.place(is_scalar)
        if found is None:
            return self._set_local(depth)
        text, kind = found
        if self.is_risky():
            sign = self.random.choice(["+", "-", "*", "//", "%", "<<", ">>", "&", "|", "^"])
            return self._write(f"{text} {sign}= {self.right(sign, 2)}")
        if isinstance(kind, Truth):
            return self._write(f"{text} {self.random.choice('&|^')}= {self.boolean(2)}")
        high = kind.high if isinstance(kind, Number) else 1
        low = kind.low if isinstance(kind, Number) else 0
        assert high is not None
        assert low is not None
        if low <= 0 <= high and self.chance(0.4):
            return self._write(f"{text} %= {self.random.randint(1, high + 1)}")
        if low == 0 and self.chance(0.5):
            return self._write(f"{text} &= {self.number(2)}")
        if self.chance(0.5):
            return self._write(f"{text} -= {text} > {low}")
        return self._write(f"{text} += 1 if {text} < {high} else 0")

    def _copy(self, depth: int) -> None:
        """A whole record, or a whole array; one array into another of other numbers."""
        found = self.place(is_reference)
        if found is None:
            return self._store(depth)
        text, kind = found
        given = self.value(kind, 2)
        return self._write(f"{text} = {given}")

    def _swap(self, depth: int) -> None:
        """Two places at once; records or arrays are exchanged, or rather are not."""
        one = self.place(is_reference) if self.chance(0.4) else None
        if one and (other := self.place(like(one[1]))):
            return self._write(f"{one[0]}, {other[0]} = {other[0]}, {one[0]}")
        first, second = self.place(is_scalar), self.place(is_scalar)
        if first is None or second is None:
            return self._set_local(depth)
        values = f"{self._fitting(first[1], 2)}, {self._fitting(second[1], 2)}"
        return self._write(f"{first[0]}, {second[0]} = {values}")

    def _evaluate(self, depth: int) -> None:
        fit = [one for one in self.world.helpers if not one.is_pure and self.may_call(one)]
        if not fit:
            return self._store(depth)
        return self._write(self.call(self.random.choice(fit), 2))

    # -- branches and loops

    def _if(self, depth: int) -> bool:
        before: dict[str, Kind] = dict(self.variables)
        ways: list[dict[str, Kind]] = []
        tests = [self.number(3) for _ in range(self.random.choice([1, 1, 2]))]
        for number, test in enumerate(tests):
            self._write(f"{'elif' if number else 'if'} {test}:")
            ways += self._branch(depth - 1)
            self.variables = dict(before)
        if self.chance(0.5):
            self._write("else:")
            ways += self._branch(depth - 1)
        else:
            ways.append(before)
        if ways:
            known = [name for name in ways[0] if all(name in one for one in ways)]
            self.variables = {name: ways[0][name] for name in known}
        return not ways

    def _branch(self, depth: int) -> list[dict[str, Kind]]:
        """Write a branch; the variables that have a value at its end, if that is reached."""
        self._indent += 1
        is_ended = self._block(self.random.randint(1, 2), depth)
        self._indent -= 1
        return [] if is_ended else [self.variables]

    def _loop(self, head: str, kind: str, first: tuple[str, ...], depth: int) -> None:
        """A loop: its head, statements that the body begins with, and the body."""
        self.is_light = False
        before = dict(self.variables)
        self.loops += 1
        self._kinds_of_loops.append(kind)
        self._write(head)
        self._indent += 1
        for line in first:
            self._write(line)
        self._block(self.random.randint(1, 3), depth - 1)
        self._indent -= 1
        self._kinds_of_loops.pop()
        self.loops -= 1
        self.variables = before

    def _for(self, depth: int) -> None:
        source, kind = self.source(2, lambda kind: True)
        before = dict(self.variables)
        known = [n for n, one in self.locals.items() if one == kind == NUMBER]
        is_known = bool(known) and self.chance(0.2)
        name = self.random.choice(known) if is_known else self.fresh("i")
        self.variables = {**before, name: kind}
        self._loop(f"for {name} in {source}:", "for", (), depth)
        self.variables = before

    def _while(self, depth: int) -> None:
        """A loop that counts down, whatever else ends it."""
        name = self.fresh("w")
        self._write(f"{name} = {self.random.randint(1, 3)}")
        before = dict(self.variables)
        self.variables[name] = NUMBER
        test = self.number(2)
        if self.chance(0.3):
            first = (f"{name} -= 1", f"if {name} < 0 or {test}:", "    break")
            self._loop(f"while {self.random.choice(['True', '1'])}:", "while", first, depth)
        else:
            more = self.random.choice(["", "", f" and {test}"])
            sign = self.random.choice(["", " > 0"])
            self._loop(f"while {name}{sign}{more}:", "while", (f"{name} -= 1",), depth)
        self.variables = {**before, name: NUMBER}

    def _leave(self, depth: int) -> bool:
        """Leave the loop, its turn, or the function."""
        if self.loops and self.chance(0.7):
            self._write(self.random.choice(["break", "continue"]))
        elif self.result is None:
            self._write(self.random.choice(["return", "return None"]))
        else:
            self._write(f"return {self.value(self.result, 2)}")
        return True


def _is_row_of_numbers(kind: Kind) -> bool:
    return isinstance(kind, Row) and is_scalar(kind.element)
