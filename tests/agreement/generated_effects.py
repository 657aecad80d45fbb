"""Random effects on a pack of alike dogs, as the text of a Python module.

They loop, count, end early, and store wherever the language lets them: most tell dogs apart.
"""

from __future__ import annotations

from random import Random

HEAD = '''"""Generated effects."""

from collections import Counter
from enum import IntEnum
from typing import Annotated

from tierproof.model.language import (
    NONE, Array, Bag, Index, Range, Record, Scope, Sequence, Set, State, bound, initial,
)


class Yard(Scope):
    dogs: int = bound(1, 6, default=3)


Dog = Annotated[int, Index(Yard.dogs, alike=True)]
MaybeDog = Annotated[int, Index(Yard.dogs, optional=True)]
Count = Annotated[int, Range(0, 2)]


class Home(Record):
    eaten: Count
    friend: MaybeDog


class Pack(State):
    eaten: Annotated[list[Count], Array(Yard.dogs)]
    friend: Annotated[list[MaybeDog], Array(Yard.dogs)]
    home: Annotated[list[Home], Array(Yard.dogs)]
    table: Annotated[list[list[Count]], Array(Yard.dogs, Yard.dogs)]
    bag: Annotated[Counter[int], Bag(Yard.dogs, at_most=2)]
    inside: Annotated[set[int], Set(Yard.dogs)]
    queue: Annotated[list[Dog], Sequence(2)]
    leader: MaybeDog
    count: Annotated[int, Range(0, 3)]
    flag: bool


@initial
def begins(state: Pack) -> None:
    """Nothing is said of a dog."""


def forgets(state: Pack) -> bool:
    state.leader = NONE
    return state.flag


def is_hungry(state: Pack, dog: int) -> bool:
    return state.eaten[dog] == 0


def row_of(state, dog):
    return state.table[dog]


def home_of(state, dog):
    return state.home[dog]


def cell(row, dog):
    return row[dog]


def first_eater(state, scope):
    for dog in range(scope.dogs):
        if state.eaten[dog] > 0:
            return 1
    return 0
'''

SOURCES = {
    "range(scope.dogs)": "dog",
    "range(len(state.eaten))": "dog",
    "state.inside": "dog",
    "state.bag": "dog",
    "state.queue": "dog",
    "state.eaten": "number",
    "state.home": "home",
    "state.table": "row",
    "range(2)": "number",
}
FIELDS = ["eaten", "friend", "home", "table", "bag", "inside", "queue", "leader", "count", "flag"]
FEW = 3
Known = dict[str, list[str]]
"""Kind of value -> the variables that have one."""


class Writer:
    """Writes the effects of a seed."""

    def __init__(self, seed: int) -> None:
        self.random, self.count = Random(seed), 0
        self.avoided: list[str] = []

    def module(self, effects: int) -> str:
        """The whole module."""
        return "\n\n".join([HEAD, *(self.effect(number) for number in range(effects))])

    def effect(self, number: int) -> str:
        """One effect."""
        self.avoided = self.random.sample(FIELDS, len(FIELDS) - FEW)
        known: Known = {"dog": ["dog"], "number": ["found"], "home": [], "row": []}
        lines = ["    found = 0", *self.block(known, 3, "    ", in_loop=False)]
        lines.append("    state.count = min(max(found, 0), 3)")
        head = f"def effect_{number}(state: Pack, dog: Dog, scope: Yard) -> None:"
        return "\n".join([head, *lines, ""])

    def fresh(self, kind: str) -> str:
        """A name that no variable has."""
        self.count += 1
        return f"{kind}_{self.count}"

    def one_of(self, choices: list[str]) -> str:
        """One of several texts: an effect has few fields, so that it reads what it stores."""
        kept = [text for text in choices if not any(f".{one}" in text for one in self.avoided)]
        return self.random.choice(kept or choices)

    def chance(self, share: float) -> bool:
        """Whether something happens that happens so often."""
        return self.random.random() < share

    def dog(self, known: Known) -> str:
        """An index."""
        if self.chance(0.05):
            return self.random.choice(["state.leader", "state.queue[0]", "0", "min(state.inside)"])
        return self.random.choice([known["dog"][-1], *known["dog"]])

    def maybe(self, known: Known) -> str:
        """An index, or none."""
        one = self.dog(known)
        return self.one_of([one, one, "NONE", "state.leader", f"state.friend[{one}]"])

    def row(self, known: Known) -> str:
        """An array of numbers."""
        return self.random.choice([*known["row"], f"state.table[{self.dog(known)}]"])

    def home(self, known: Known) -> str:
        """A record."""
        return self.random.choice([*known["home"], f"state.home[{self.dog(known)}]"])

    def number(self, known: Known, *, deep: bool = True) -> str:
        """A number."""
        one = self.dog(known)
        choices = [
            f"state.eaten[{one}]",
            f"{self.row(known)}[{one}]",
            f"{self.home(known)}.eaten",
            f"state.bag[{one}]",
            "len(state.inside)",
            f"cell({self.row(known)}, {one})",
            f"home_of(state, {one}).eaten",
            f"row_of(state, {one})[{self.dog(known)}]",
            "first_eater(state, scope)",
            "state.count",
            self.random.choice(["0", "1", "1"]),
            *known["number"][1:],
        ]
        if deep and self.chance(0.08):
            test, other = self.test(known, deep=False), self.number(known, deep=False)
            return f"({self.number(known, deep=False)} if {test} else {other})"
        if deep and self.chance(0.15):
            source, name = self.random.choice(["state.inside", "range(scope.dogs)"]), "other"
            more = {**known, "dog": [*known["dog"], name]}
            how = self.random.choice(["any", "all", "sum"])
            return f"{how}({self.test(more, deep=False)} for {name} in {source})"
        return self.one_of(choices)

    def test(self, known: Known, *, deep: bool = True) -> str:
        """A condition."""
        choices = [
            f"{self.number(known, deep=deep)} == {self.number(known, deep=deep)}",
            f"{self.maybe(known)} == {self.maybe(known)}",
            f"{self.maybe(known)} != NONE",
            f"{self.dog(known)} in state.inside",
            f"{self.home(known)}.friend == {self.maybe(known)}",
            f"is_hungry(state, {self.dog(known)})",
        ]
        if deep and self.chance(0.03):
            choices = ["forgets(state)"]
        text = self.one_of(choices)
        if deep and self.chance(0.25):
            sign = self.random.choice(["and", "or"])
            return f"({text}) {sign} ({self.test(known)})"
        return text

    def block(self, known: Known, depth: int, indent: str, *, in_loop: bool) -> list[str]:
        """Statements that follow each other."""
        lines: list[str] = []
        known = {kind: list(names) for kind, names in known.items()}
        for _ in range(self.random.randint(1, 2)):
            kind = self.random.choice(["store", "store", "if", "for", "for"][: 2 + 3 * (depth > 0)])
            if kind == "store":
                lines += self.store(known, indent)
            elif kind == "if":
                lines.append(f"{indent}if {self.test(known)}:")
                lines += self.block(known, depth - 1, indent + "    ", in_loop=in_loop)
            else:
                lines += self.loop(known, depth - 1, indent)
        if in_loop and self.chance(0.08):
            lines.append(indent + self.random.choice(["break", "return", "continue"]))
        return lines

    def loop(self, known: Known, depth: int, indent: str) -> list[str]:
        """A loop."""
        source = self.one_of([*SOURCES, "range(scope.dogs)", "range(scope.dogs)"])
        kind = SOURCES[source]
        name = self.fresh(kind)
        more = {**known, kind: [*known[kind], name]}
        body = self.block(more, depth, indent + "    ", in_loop=True)
        return [f"{indent}for {name} in {source}:", *body]

    def store(self, known: Known, indent: str) -> list[str]:
        """An assignment, or what is like it."""
        one, sign = self.dog(known), self.random.choice(["+", "+", "-"])
        how, step = self.random.choice(["add", "discard"]), self.random.choice(["1", "True"])
        text = self.one_of(
            [
                f"state.eaten[{one}] = {self.number(known)}",
                f"state.eaten[{one}] {sign}= {step}",
                f"state.friend[{one}] = {self.maybe(known)}",
                f"{self.home(known)}.eaten = {self.number(known)}",
                f"{self.home(known)}.friend = {self.maybe(known)}",
                f"{self.row(known)}[{one}] = {self.number(known)}",
                f"state.bag[{one}] = {self.number(known)}",
                f"state.inside.{how}({one})",
                f"state.leader = {self.maybe(known)}",
                f"state.count {sign}= {step}",
                f"state.flag = {self.test(known)}",
                f"state.flag |= {self.test(known)}",
                f"found {sign}= {self.number(known)}",
                f"found = max(found, {self.number(known)})",
                f"found = {self.random.randint(0, 2)}",
                f"home_of(state, {one}).eaten {sign}= {step}",
                f"state.table[{one}] = {self.row(known)}",
                f"state.home[{one}] = {self.home(known)}",
                "row",
            ]
        )
        if text == "row":
            kind = self.random.choice(["row", "home"])
            name = self.fresh(kind)
            text = f"{name} = {self.row(known) if kind == 'row' else self.home(known)}"
            known[kind].append(name)
        return [indent + text]
