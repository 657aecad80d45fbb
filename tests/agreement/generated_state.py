"""The declarations of a generated design, as text: its enums, its scope and its state."""

from __future__ import annotations

from random import Random

from tests.agreement.generated_collections import DECLARATIONS, FIELDS
from tests.agreement.generated_kinds import (
    NUMBER,
    TRUTH,
    Group,
    Kind,
    Member,
    Number,
    Row,
    Several,
    World,
)

HEAD = '''"""A design made from seed {seed}: it means nothing."""

from collections import Counter
from enum import IntEnum
from typing import Annotated

from tierproof.model import language
from tierproof.model.language import (
    GHOST,
    Array,
    Bag,
    Budget,
    Design,
    Index,
    Lifecycle,
    Range,
    Record,
    Scope,
    Sequence,
    Set,
    State,
    Subset,
    action,
    bound,
    deadlock_free,
    guard,
    initial,
    invariant,
    limit,
    liveness,
    step_property,
    within_bounds,
    witness,
)


class Colour(IntEnum):
    RED = 0
    GREEN = 1
    BLUE = 2


class Mode(IntEnum):
    OFF = 0
    ON = 1


class Code(IntEnum):
    LOW = -3
    MIDDLE = 5
    HIGH = 1 << 40


LIFE = Lifecycle(Mode, [("start", Mode.OFF, Mode.ON)])
ONE = {one}
TABLE = ({table})
PAIR = (True, Colour.BLUE)
NESTED = ((1, -2), (ONE, 4), (5, 6))
MIXED = (7, (8, Colour.RED), ((9, 3), (True, -4)), False)


class Sizes(Scope):
    width: int = bound(1, 4)
    top: int = bound(0, 9)
'''
ENUMS = {
    "Colour": ["RED", "GREEN", "BLUE"],
    "Mode": ["OFF", "ON"],
    "Code": ["LOW", "MIDDLE", "HIGH"],
}
TWO = Several((NUMBER, NUMBER))
CONSTANTS: dict[str, Kind] = {
    "ONE": NUMBER,
    "language.NONE": NUMBER,
    "TABLE": Several((NUMBER, NUMBER, NUMBER)),
    "PAIR": Several((TRUTH, Member("Colour"))),
    "NESTED": Several((TWO, TWO, TWO)),
    "MIXED": Several((NUMBER, Several((NUMBER, Member("Colour"))), Several((TWO, TWO)), TRUTH)),
}
RISKS = (0.0, 0.0, 0.01, 0.03, 0.08)


class Declarations:
    """The first sections of a module, up to the state; `world` is what they declare."""

    def __init__(self, seed: int) -> None:
        self.seed, self.random = seed, Random(seed)
        risk = self.random.choice(RISKS)
        self.world = World(self.random, risk, enums=ENUMS, constants=CONSTANTS, ghosts={"ghost"})
        self.world.bounds = {"width": self.random.randint(1, 3), "top": self.random.randint(0, 4)}
        self.is_wide = self.world.chance(0.25)
        self.sections: list[str] = []
        self.budgets: list[str] = []

    def declare(self) -> None:
        """Write what stands above the functions."""
        table = ", ".join(str(self.random.randint(-5, 9)) for _ in range(3))
        one = self.random.randint(-9, 99)
        self.sections.append(HEAD.format(seed=self.seed, one=one, table=table))
        self.sections.append(DECLARATIONS)
        self._records()

    def _leaf(self) -> tuple[str, Kind]:
        """The annotation of a field that holds one number, and its kind."""
        width, top = self.world.bounds["width"], self.world.bounds["top"]
        low, high = self.random.randint(-4, 1), self.random.randint(1, 5)
        start = self.random.randint(low, high)
        wide = self.random.choice([(0, 1 << 62), (-(1 << 61), 1 << 61), (-9, 1 << 33)])
        ways: list[tuple[str, Kind]] = [
            (f"Annotated[int, Range({low}, {high})]", Number(low, high)),
            (f"Annotated[int, Range({low}, {high}, {start})]", Number(low, high)),
            ("Annotated[int, Range(0, Sizes.top)]", Number(0, top)),
            (f"Annotated[int, Range(-2, Sizes.width * 2 - {low})]", Number(-2, width * 2 - low)),
            (f"Annotated[int, Range({high}, {high})]", Number(high, high)),
            ("Annotated[int, Index(Sizes.width)]", Number(0, width - 1)),
            ("Annotated[int, Index(2, optional=True)]", Number(-1, 1)),
            ("Annotated[int, Subset(3)]", Number(0, 7)),
            ("bool", TRUTH),
            ("bool", TRUTH),
            ("Colour", Member("Colour")),
            ("Mode", Member("Mode")),
        ]
        if self.is_wide and self.world.chance(0.5):
            return f"Annotated[int, Range({wide[0]}, {wide[1]})]", Number(*wide)
        return self.random.choice(ways)

    def _field(self, records: list[str]) -> tuple[str, Kind]:
        """The annotation and the kind of any field."""
        if records and self.world.chance(0.3):
            name = self.random.choice(records)
            inside: tuple[str, Kind] = (name, Group(name))
        else:
            inside = self._leaf()
        counts = {"2": 2, "3": 3, "Sizes.width": self.world.bounds["width"]}
        names = [
            self.random.choice(list(counts)) for _ in range(self.random.choice([0, 0, 0, 1, 1, 2]))
        ]
        text, kind = inside
        for name in reversed(names):
            text, kind = f"list[{text}]", Row(kind, name, counts[name])
        return f"Annotated[{text}, Array({', '.join(names)})]" if names else text, kind

    def _class(self, name: str, base: str, fields: dict[str, tuple[str, Kind]]) -> None:
        self.world.records[name] = {field: kind for field, (_, kind) in fields.items()}
        shown = {field: text for field, (text, _) in fields.items()}
        if base == "State":
            shown |= FIELDS
        lines = [f"    {field}: {text}" for field, text in shown.items()]
        self.sections.append("\n".join([f"class {name}({base}):", *lines]) + "\n")

    def _records(self) -> None:
        known: list[str] = []
        for name in ("Cell", "Box"):
            count = self.random.randint(1, 3)
            fields = {f"{name.lower()}_{n}": self._field(known) for n in range(count)}
            self._class(name, "Record", fields)
            known.append(name)
        fields = {f"f{n}": self._field(known) for n in range(self.random.randint(3, 6))}
        row = self._field([])
        fields |= {"row": row, "other": row}
        name = self.random.choice(known)
        fields["group"] = name, Group(name)
        fields["groups"] = (
            f"Annotated[list[{name}], Array(Sizes.width)]",
            Row(Group(name), "Sizes.width", self.world.bounds["width"]),
        )
        fields["flags"] = "Annotated[list[bool], Array(2)]", Row(TRUTH, "2", 2)
        fields["more_flags"] = "Annotated[list[bool], Array(4)]", Row(TRUTH, "4", 4)
        fields["clock"] = "Annotated[int, Range(0, 3)]", Number(0, 3)
        fields["ghost"] = "Annotated[int, Range(-2, 2, 0), GHOST]", Number(-2, 2)
        if self.world.chance(0.5):
            fields["spare"] = "Annotated[int, Budget(2)]", Number(0, 2)
            self.budgets.append("spare")
            fields["spares"] = (
                "Annotated[list[Annotated[int, Budget(1)]], Array(2)]",
                Row(Number(0, 1), "2", 2),
            )
            self.budgets.append("spares[1]")
        shuffled = list(fields.items())
        self.random.shuffle(shuffled)
        self._class("Whole", "State", dict(shuffled))
