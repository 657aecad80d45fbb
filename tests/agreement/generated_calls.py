"""Random places, loops and calls of the modelling language, as text: the parts of expressions."""

from __future__ import annotations

from tests.agreement.generated_kinds import (
    NUMBER,
    Bounds,
    Helper,
    Kind,
    Member,
    Number,
    Role,
    Row,
    Several,
    Truth,
    Wanted,
    World,
    is_of_numbers,
    is_reference,
    is_scalar,
    like,
)

EDGES = (
    "range(9223372036854775800, 9223372036854775807, 3)",
    "range(-9223372036854775800, -9223372036854775807, -4)",
    "range(9223372036854775806, 9223372036854775807)",
)
"""Ranges that end where 64 bits do."""
PAIR = Several((NUMBER, NUMBER))
WEIGHED = Helper(
    "weighed",
    (("a", NUMBER, "both"), ("b", NUMBER, "both"), ("c", NUMBER, "name")),
    NUMBER,
    True,
    True,
)
"""A helper whose result shows the order of its arguments; every design has it."""
WHOLE = ("state", "before")
"""Variables that are named for what lies within them, and seldom for themselves."""


class Calls:
    """Finds places among the variables of one function, and writes loops over them and calls.

    `is_light`: no loop was written yet. Within `loops` only light functions are called, lest a
    step take for ever.
    """

    def __init__(self, world: World, variables: dict[str, Kind], role: Role) -> None:
        self.world, self.random, self.chance = world, world.random, world.chance
        self.variables = dict(variables)
        self.is_pure, self.reads_ghosts = role.is_pure, role.reads_ghosts
        self.is_light, self.loops = True, 0
        self._names = self._indexes = 0

    def number(self, depth: int) -> str:
        """Any expression that is one number."""
        raise NotImplementedError

    def boolean(self, depth: int) -> str:
        """True or False."""
        raise NotImplementedError

    def member(self, enum: str, depth: int) -> str:
        """A member of an enum."""
        raise NotImplementedError

    def fresh(self, letter: str) -> str:
        """A name that the function has not used."""
        self._names += 1
        return f"{letter}{self._names}"

    def is_risky(self) -> bool:
        """True where something may fail for once; seldom in predicates, which every state asks."""
        return self.chance(self.world.risk * (0.25 if self.is_pure else 1))

    # -- places

    def path(self, wanted: Wanted) -> tuple[str, Kind] | None:
        """A variable, or a place within one, that is wanted."""
        leads = self.world.leads
        starts = [(name, kind) for name, kind in self.variables.items() if leads(kind, wanted)]
        if not starts:
            return None
        text, kind = self.random.choice(starts)
        while True:
            ways = [(way, to) for way, to in self._ways(kind) if leads(to, wanted)]
            is_whole = text in WHOLE
            if wanted(kind) and (not ways or self.chance(0.1 if is_whole else 0.6)):
                return text, kind
            if not ways:
                return None
            way, to = self.random.choice(ways)
            text, kind = self._on(text, kind, way), to

    def _ways(self, kind: Kind) -> list[tuple[str, Kind]]:
        ways = self.world.children(kind)
        return [(w, to) for w, to in ways if self.reads_ghosts or w[1:] not in self.world.ghosts]

    def _on(self, text: str, kind: Kind, way: str) -> str:
        if way != "[":
            return f"{text}{way}"
        self._indexes += 1
        index = self.index(text, kind, 1 if self._indexes == 1 else 0)
        self._indexes -= 1
        return f"{text}[{index}]"

    def place(self, wanted: Wanted) -> tuple[str, Kind] | None:
        """A field or an element that is wanted."""

        def is_holder(kind: Kind) -> bool:
            return is_reference(kind) and any(
                wanted(child) for _, child in self.world.children(kind)
            )

        found = self.path(is_holder)
        if found is None:
            return None
        text, kind = found
        if self.chance(0.1):
            text = self.value(kind, 1)
        way, to = self.random.choice([(way, to) for way, to in self._ways(kind) if wanted(to)])
        return self._on(text, kind, way), to

    def index(self, text: str, kind: Kind, depth: int) -> str:
        """An index into an array, mostly inside of it; at depth 0 one without places."""
        assert isinstance(kind, Row)
        most = kind.length
        if self.is_risky() and self.chance(0.5):
            if depth and self.chance(0.8):
                return self.number(1)
            return self.random.choice([str(most), str(-most - 1), f"~{most}"])
        inside = [
            name
            for name, one in self.variables.items()
            if isinstance(one, Number) and one.is_within(-most, most - 1)
        ]
        if inside and self.chance(0.6):
            return self.random.choice(inside)
        if depth and self.chance(0.4):
            length = f"len({text})" if self.chance(0.5) else str(most)
            return f"{self.number(1)} % {length}"
        return str(self.random.randint(-most, most - 1))

    # -- loops

    def narrow(self) -> str:
        """A number that is small enough for a range to end at."""

        def is_near(kind: Kind) -> bool:
            return isinstance(kind, Truth) or (isinstance(kind, Number) and kind.is_within(-4, 4))

        found = self.path(is_near)
        if found and self.chance(0.5):
            return found[0]
        enum = self.random.choice(list(self.world.enums))
        few = f"max(-3, min({self.number(0)}, 3))"
        return self.random.choice([*map(str, range(-3, 5)), f"len({enum})", few])

    def range(self) -> str:
        """A range of a few numbers, with any step."""
        if self.is_risky() and self.chance(0.3):
            return self.random.choice(EDGES)
        if self.chance(0.3):
            return f"range({self.narrow()})"
        step = self.random.choice(["", "", ", 1", ", 2", ", -1", ", -2", ", 3"])
        return f"range({self.narrow()}, {self.narrow()}{step})"

    def source(self, depth: int, wanted: Wanted) -> tuple[str, Kind]:
        """What a loop runs over, and what each is."""
        row = self.path(lambda kind: isinstance(kind, Row) and wanted(kind.element))
        if row and isinstance(row[1], Row) and self.chance(0.5):
            if self.chance(0.3):
                return f"range(len({row[0]}))", Number(0, row[1].length - 1)
            return row[0], row[1].element
        choice = self.random.randrange(5)
        if choice in (0, 4) and (call := self.called(is_of_numbers, depth)):
            return call, NUMBER
        if choice == 1 and (one := self.path(lambda kind: is_reference(kind) and wanted(kind))):
            return f"({self.value(one[1], depth)}, {one[0]})", one[1]
        if choice == 2:
            items = [self.number(depth) for _ in range(self.random.randint(1, 3))]
            shown = f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"
            known = [name for name, kind in self.world.constants.items() if is_of_numbers(kind)]
            return self.random.choice([shown, shown, *known]), NUMBER
        if choice == 3 and wanted(PAIR) and self.chance(0.5):
            pairs = [self.value(PAIR, depth) for _ in range(2)]
            return self.random.choice(["NESTED", f"({', '.join(pairs)})"]), PAIR
        return self.range(), NUMBER

    def quantified(self, how: str, depth: int) -> str:
        """`any`, `all` or `sum`, over one loop or two."""
        self.is_light = False
        if self.chance(0.15):
            return f"{how}({self.source(depth, is_scalar)[0]})"
        outer, self.variables = self.variables, dict(self.variables)
        names = [self._name_of_turn() for _ in range(self.random.choice([1, 1, 2]))]
        loops = ""
        for number, name in enumerate(names):
            source, kind = self.source(depth - 1, lambda kind: True)
            if number == 0:  # from here on the names are those of this expression
                self.loops += len(names)
                self.variables = {n: k for n, k in self.variables.items() if n not in names}
            self.variables[name] = kind
            loops += f" for {name} in {source}"
            for _ in range(self.random.choice([0, 0, 0, 1, 1, 2])):
                loops += f" if {self.number(depth - 1)}"
        text = f"{how}({self.number(depth)}{loops})"
        self.variables, self.loops = outer, self.loops - len(names)
        return text

    def _name_of_turn(self) -> str:
        """A name of its own, or now and then that of a variable, which it hides."""
        hidden = [name for name in self.variables if name not in ("state", "scope")]
        return self.random.choice(hidden) if hidden and self.chance(0.2) else self.fresh("q")

    # -- calls

    def called(self, wanted: Wanted, depth: int) -> str | None:
        """The call of a helper whose result is wanted, if there is one."""
        fit = [
            one
            for one in self.world.helpers
            if one.result is not None and wanted(one.result) and self.may_call(one)
        ]
        if not self.is_pure and self.chance(0.5):  # what assigns shows in which order things happen
            fit = [one for one in fit if not one.is_pure] or fit
        return self.call(self.random.choice(fit), depth) if fit else None

    def may_call(self, helper: Helper) -> bool:
        """Predicates call what is pure, loops what is light, and every argument is at hand."""
        leads, given = self.world.leads, list(self.variables.values())
        return (
            (helper.is_pure or not self.is_pure)
            and (helper.is_light or self.loops == 0)
            and all(
                any(leads(one, like(kind)) for one in given)
                for _, kind, _ in helper.parameters
                if is_reference(kind) or isinstance(kind, Bounds)
            )
        )

    def call(self, helper: Helper, depth: int) -> str:
        """A call with every argument; those that are named come in any order."""
        self.is_light = self.is_light and helper.is_light
        depth = min(depth - 1, 1)
        places, named, is_naming = [], [], False
        for name, kind, how in helper.parameters:
            if how == "default" and self.chance(0.25):
                is_naming = True
                continue
            text = self._argument(kind, depth)
            if how != "place":
                is_naming = is_naming or how == "name" or self.chance(0.5)
            if is_naming:
                named.append(f"{name}={text}")
            else:
                places.append(text)
        self.random.shuffle(named)
        return f"{helper.name}({', '.join([*places, *named])})"

    def _argument(self, kind: Kind, depth: int) -> str:
        """An argument; in an effect perhaps one that assigns, which the next one may see."""
        is_ordered = not self.is_pure and kind == NUMBER and "state" in self.variables
        if is_ordered and self.chance(0.8):
            return self.random.choice(["ticked(state)", "state.clock", "ticked_pair(state)[1]"])
        return self.value(kind, depth)

    def value(self, kind: Kind, depth: int) -> str:
        """An expression of a kind."""
        if isinstance(kind, Bounds):
            return "scope"
        if isinstance(kind, Truth):
            return self.boolean(depth)
        if isinstance(kind, Member):
            return self.member(kind.enum, depth)
        if isinstance(kind, Number):
            return self.number(depth)
        call = self.called(like(kind), depth) if depth > 0 and self.chance(0.3) else None
        if call:
            return call
        if isinstance(kind, Several):
            items = [self.value(item, depth) for item in kind.items]
            return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"
        return self._reference(kind, depth)

    def _reference(self, kind: Kind, depth: int) -> str:
        one, other = self.path(like(kind)), self.path(like(kind))
        assert one is not None
        assert other is not None
        if depth > 0 and self.chance(0.2):
            return f"({one[0]} if {self.number(depth - 1)} else {other[0]})"
        return one[0]
