"""Random sets, sequences, bags and records that are values, as text: every design has some.

Their fields have names of their own (FIELDS), so that nothing else chooses them.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.agreement.generated_expressions import Expressions
from tests.agreement.generated_kinds import Crowd, Kind, Member, Number, Wanted

DECLARATIONS = """
People = Annotated[set[int], Set(3)]


class Letter(Record):
    stamp: Annotated[int, Range(-1, 3)]
    to: People
    hue: Colour
"""
FIELDS = {
    "crowd": "People",
    "crowds": "Annotated[list[People], Array(2)]",
    "hues": "Annotated[set[Colour], Set(Colour)]",
    "queue": "Annotated[list[Annotated[int, Range(-1, 3)]], Sequence(2)]",
    "mail": "Annotated[list[Letter], Sequence(Sizes.width)]",
    "letter": "Letter",
    "purse": "Annotated[Counter[int], Bag(3, at_most=2)]",
}
STAMP, PERSON = Number(-1, 3), Number(0, 2)
Way = Callable[[int], str]


class Collections(Expressions):
    """Writes expressions with sets, sequences and bags in them, where there is a state."""

    # -- what others ask for

    def number(self, depth: int) -> str:
        """Any number; now and then one that a collection gives."""
        if depth > 0 and self._has_state() and self.chance(0.08):
            return self._any_of(self._numbers(), depth - 1)
        return super().number(depth)

    def boolean(self, depth: int) -> str:
        """True or False; now and then what a collection says."""
        if depth > 0 and self._has_state() and self.chance(0.12):
            return self._any_of(self._truths(), depth - 1)
        return super().boolean(depth)

    def source(self, depth: int, wanted: Wanted) -> tuple[str, Kind]:
        """What a loop runs over; now and then a collection or an enum."""
        if self._has_state() and self.chance(0.15):
            choice = self.random.randrange(5)
            if choice == 0:
                return "state.queue", STAMP
            if choice == 1:
                return "state.purse", PERSON
            if choice == 2 and wanted(Member("Colour")):
                return self.random.choice(["Colour", "state.hues"]), Member("Colour")
            if choice == 3:
                return f"sorted({self.people(depth)})", PERSON
            return self.ordered(), PERSON
        return super().source(depth, wanted)

    def value(self, kind: Kind, depth: int) -> str:
        """An expression of a kind."""
        return self.ordered() if isinstance(kind, Crowd) else super().value(kind, depth)

    def _has_state(self) -> bool:
        return "state" in self.variables

    # -- sets

    def ordered(self) -> str:
        """A set that is looped over in an order that is known."""
        known = [name for name, kind in self.variables.items() if kind == Crowd(True)]
        places = ["state.crowd", f"state.crowds[{self.random.choice([0, 1, -1])}]"]
        one = self.random.choice([*places, "state.letter.to", *known])
        if self.chance(0.3):
            return f"({one} {self._joins()} {self._few(0)})"
        return one

    def _joins(self) -> str:
        return self.random.choice(["|", "&", "-", "^"])

    def _person(self, depth: int) -> str:
        return self.random.choice(["0", "1", "2", f"({self.number(depth)}) % 3"])

    def _few(self, depth: int) -> str:
        """A set that is written down."""
        if self.chance(0.15):
            return "set()"
        items = [self._person(depth) for _ in range(self.random.choice([1, 1, 2]))]
        return f"{{{', '.join(items)}}}"

    def people(self, depth: int) -> str:
        """Any set of people."""
        known = [name for name, kind in self.variables.items() if isinstance(kind, Crowd)]
        if depth <= 0 or self.chance(0.3):
            return self.random.choice([self.ordered(), *known])
        ways: list[tuple[int, Way]] = [
            (3, self._few),
            (3, lambda d: f"({self.people(d)} {self._joins()} {self.people(d)})"),
            (1, lambda d: f"({self.people(d)} - {{{self.number(d)} + 0}})"),
            (1, lambda d: f"({self.people(d)} if {self.number(d)} else {self.people(d)})"),
            (
                1,
                lambda d: self.random.choice(
                    ["set(range(2))", "set(state.purse)", "set(range(3))"]
                ),
            ),
        ]
        if self.loops < 2:
            ways.append((2, self._comprehension))
        return self._any_of(ways, depth - 1)

    def _comprehension(self, depth: int) -> str:
        self.is_light = False
        name, source = self.fresh("q"), self.ordered()
        outer, self.variables = self.variables, {**self.variables, name: PERSON}
        self.loops += 1
        test = f" if {self.number(depth)}" if self.chance(0.5) else ""
        text = f"{{({name} + {self.number(0)}) % 3 for {name} in {source}{test}}}"
        self.variables, self.loops = outer, self.loops - 1
        return text

    # -- numbers and truths

    def _numbers(self) -> list[tuple[int, Way]]:
        return [
            (2, lambda d: f"len({self.people(d)})"),
            (1, lambda d: f"{self.random.choice(['min', 'max'])}({self.people(d)} | {{1}})"),
            (1, lambda d: "len(state.queue)"),
            (1, lambda d: "len(state.mail)"),
            (1, lambda d: "state.purse.total()"),
            (1, lambda d: f"state.purse[{self._person(d)}]"),
            (1, lambda d: f"(state.queue[0] if state.queue else {self.number(d)})"),
            (1, lambda d: f"(state.mail[len(state.mail) - 1].stamp if state.mail else {d})"),
            (1, lambda d: self.random.choice(["state.letter.stamp", "state.letter.hue"])),
            (1, lambda d: f"{self._letter(d)}.{self.random.choice(['stamp', 'hue'])}"),
            (1, lambda d: f"sum(one.stamp for one in state.mail if {self._person(0)} in one.to)"),
        ]

    def _truths(self) -> list[tuple[int, Way]]:
        signs = ["==", "!=", "<", "<=", ">", ">="]
        return [
            (3, lambda d: f"({self.number(d)} in {self.people(d)})"),
            (3, lambda d: f"({self.people(d)} {self.random.choice(signs)} {self.people(d)})"),
            (1, lambda d: f"(not {self.people(d)})"),
            (1, lambda d: f"bool({self.random.choice(['state.mail', 'state.purse'])})"),
            (1, lambda d: f"({self.number(d)} not in state.queue)"),
            (1, lambda d: f"({self.number(d)} in state.purse)"),
            (1, lambda d: f"({self._letter(d)} in state.mail)"),
            (1, lambda d: f"(state.letter {self.random.choice(['==', '!='])} {self._letter(d)})"),
            (1, lambda d: "(Colour.BLUE in state.hues)"),
        ]

    def _letter(self, depth: int) -> str:
        """A letter that is made: its fields in any order."""
        parts = [
            f"stamp={self._stamp(depth)}",
            f"to={self.people(depth)}",
            f"hue={self.member('Colour', depth)}",
        ]
        self.random.shuffle(parts)
        return f"Letter({', '.join(parts)})"

    def _stamp(self, depth: int) -> str:
        return f"({self.number(depth)}) % 4"

    # -- changes

    def changes(self, depth: int) -> tuple[str, ...]:
        """The lines of a statement that changes a collection and does not fail."""
        person, few = self.random.choice("012"), self.people(1)
        place = self.random.choice(["state.crowd", "state.crowds[1]", "state.letter.to"])
        ways: list[tuple[str, ...]] = [
            (f"{place}.add({person})",),
            (f"{place}.discard({self.number(1)})",),
            (f"{place} = {few}",),
            (f"{place} {self._joins()}= {few}",),
            (f"{place} &= {{{self.number(1)} + 0, 1}}",),
            (f"if {person} in {place}:", f"    {place} -= {{{person}}}"),
            (f"state.hues.add({self.member('Colour', 1)})",),
            ("if 1 in state.crowd:", "    state.crowd.remove(1)"),
            ("if len(state.queue) < 2:", f"    state.queue.append({self._stamp(1)})"),
            ("if state.queue:", f"    state.queue[0] = {self._stamp(1)}"),
            ("if state.queue:", "    state.letter.stamp = state.queue.pop(0)"),
            ("if state.queue:", "    state.queue.pop()"),
            (
                "if len(state.mail) < len(state.groups):",
                f"    state.mail.append({self._letter(1)})",
            ),
            ("if len(state.mail) < len(state.groups):", "    state.mail.append(state.letter)"),
            ("if state.mail:", "    state.letter = state.mail.pop(0)"),
            (f"state.letter = {self._letter(1)}",),
            (f"if state.purse[{person}] < 2:", f"    state.purse[{person}] += 1"),
            ("if 2 in state.purse:", "    state.purse[2] -= 1"),
            (self.random.choice(["state.purse", "state.queue", "state.mail", place]) + ".clear()",),
        ]
        return self.random.choice(ways)

    def dares(self, one: str) -> list[str]:
        """What fails in some states."""
        return [
            "state.queue.append(0)",
            "state.mail.append(state.letter)",
            "state.queue.pop(0)",
            f"state.crowd.remove({one})",
            "state.crowd.remove(2)",
            "state.flags = state.more_flags",
            f"state.crowd.add({one})",
            f"state.purse[{one}] += 1",
            f"state.queue[{one}] = 1",
            f"state.crowd = {{({one}) % 5}}",
            f"state.clock = max({self.people(0)})",
        ]
