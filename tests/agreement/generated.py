"""Random designs as the text of a Python module: the same for the same seed, on every machine.

    text = module_text(7)      a module whose DESIGN has one scope, "small"

The designs have no meaning. They use every construct of the modelling language
(docs/language.md), so that two executions which agree on them agree on the language.
"""

from __future__ import annotations

from tests.agreement.generated_calls import WEIGHED
from tests.agreement.generated_kinds import (
    NUMBER,
    TRUTH,
    Bounds,
    Crowd,
    Group,
    Helper,
    Kind,
    Member,
    Number,
    Role,
    Several,
    is_reference,
)
from tests.agreement.generated_state import ENUMS, Declarations
from tests.agreement.generated_statements import Statements

BEGINNINGS = '''@initial
def begin(state: Whole) -> None:
    """As declared."""


@initial
def begin_late(state: Whole, late: bool) -> None:
    if late:
        state.clock = 3
        state.ghost = -1


def ticked(state):
    state.clock = (state.clock + 1) % 4
    return state.clock


def ticked_pair(state):
    state.clock = (state.clock + 1) % 4
    return state.clock, state.clock - 2


def weighed(a, b, *, c):
    return (a + b * 2 + c * 3) % 5
'''


def module_text(seed: int) -> str:
    """The module that a seed stands for."""
    return _Module(seed).text()


class _Module(Declarations):
    """One module under way, section by section."""

    def text(self) -> str:
        """The whole module."""
        self.declare()
        self.numbers: set[str] = set()
        self._beginnings()
        for number in range(self.random.randint(3, 5)):
            self._helper(f"told_{number}", is_pure=True)
        for number in range(self.random.randint(2, 4)):
            self._helper(f"done_{number}", is_pure=False)
        actions = [self._action(number) for number in range(self.random.randint(3, 5))]
        self._design(actions, self._claims())
        return "\n\n".join(self.sections)

    # -- functions

    def _function(self, head: str, variables: dict[str, Kind], size: int, role: Role) -> Statements:
        """Write a function, whose first line (or lines) are `head`."""
        writer = Statements(self.world, variables, role)
        writer.body(size)
        self.sections.append("\n".join([head, *writer.lines]) + "\n")
        return writer

    def _beginnings(self) -> None:
        """The initial states, and helpers that show in which order things happen."""
        self.sections.append(BEGINNINGS)
        given = (("state", Group("Whole"), "place"),)
        self.world.helpers += [
            WEIGHED,
            Helper("ticked", given, NUMBER, False, True),
            Helper("ticked_pair", given, Several((NUMBER, NUMBER)), False, True),
        ]

    def _helper(self, name: str, *, is_pure: bool) -> None:
        """A function for others to call."""
        parameters = self._signature(has_state=not is_pure or self.world.chance(0.6))
        texts: list[str] = []
        for letter, _, how in parameters:
            if how == "name" and "*" not in texts:
                texts.append("*")
            default = self.random.choice(["-2", "3", "True", "Colour.BLUE", "ONE"])
            texts.append(f"{letter}={default}" if how == "default" else letter)
            if how == "place" and self.world.chance(0.2):
                texts.append("/")
        variables = {letter: kind for letter, kind, _ in parameters}
        result = self._kind_of_result(variables, is_pure)
        head, size = f"def {name}({', '.join(texts)}):", self.random.randint(1, 3)
        role = Role(is_pure, reads_ghosts=False, result=result)
        writer = self._function(head, variables, size, role)
        given = tuple(parameters)
        self.world.helpers.append(Helper(name, given, result, is_pure, writer.is_light))

    def _signature(self, *, has_state: bool) -> list[tuple[str, Kind, str]]:
        """Parameters of a helper: by place, either way, with a default, by name."""
        found: list[tuple[str, Kind, str]] = []
        if has_state:
            found.append(("state", Group("Whole"), "place"))
        if self.world.chance(0.3):
            found.append(("scope", Bounds(), "both"))
        kinds = [self._kind_of_parameter() for _ in range(self.random.choice([1, 2, 2, 3]))]
        hows = [self.random.choice(["both", "both", "default", "name"]) for _ in kinds]
        hows.sort(key=["both", "default", "name"].index)
        for letter, kind, how in zip("abc", kinds, hows, strict=False):
            found.append((letter, NUMBER if how == "default" else kind, how))
        return found

    def _references(self) -> list[Kind]:
        """Kinds of the records and arrays that there are."""
        return [k for k in self.world.records["Whole"].values() if is_reference(k)]

    def _kind_of_parameter(self) -> Kind:
        kinds: list[Kind] = [NUMBER, NUMBER, NUMBER, NUMBER, TRUTH]
        kinds += [Member(self.random.choice(list(ENUMS)))]
        kinds += [Several((NUMBER, TRUTH)), self.random.choice(self._references())]
        return self.random.choice(kinds)

    def _kind_of_result(self, variables: dict[str, Kind], is_pure: bool) -> Kind | None:
        kinds: list[Kind | None] = [
            NUMBER,
            NUMBER,
            TRUTH,
            TRUTH,
            Member(self.random.choice(list(ENUMS))),
        ]
        kinds += [Several((NUMBER, NUMBER)), Several((TRUTH, Member("Colour"), NUMBER))] * 2
        there = [kind for kind in variables.values() if is_reference(kind)]
        if there:
            kind = self.random.choice(there)
            within = self._references() if kind == Group("Whole") else [kind]
            one = self.random.choice(within)
            kinds += [one, one, Several((one, NUMBER))]
        return self.random.choice(kinds if is_pure else [*kinds, None, None])

    # -- actions

    def _parameters(self) -> dict[str, tuple[str, Kind]]:
        """Parameters of an action: name -> annotation and kind."""
        width, top = self.world.bounds["width"], self.world.bounds["top"]
        ways: list[tuple[str, Kind]] = [
            ("Annotated[int, Index(Sizes.width)]", Number(0, width - 1)),
            ("Annotated[int, Index(1, optional=True)]", Number(-1, 0)),
            ("Annotated[int, Range(Sizes.top, Sizes.top + 1)]", Number(top, top + 1)),
            ("bool", TRUTH),
            ("Colour", Member("Colour")),
            ("People", Crowd(True)),
        ]
        count = self.random.choice([0, 1, 1, 1, 2])
        chosen = [self.random.choice(ways) for _ in range(count)]
        # A step cannot be asked for a set, so that its parameter has a name of its own.
        return {f"{'q' if way == ways[-1] else 'p'}{n}": way for n, way in enumerate(chosen)}

    def _action(self, number: int) -> str:
        """Guards and an action; returns its name."""
        name, parameters = f"step_{number}", self._parameters()
        self.numbers |= {parameter for parameter in parameters if parameter.startswith("p")}
        guards = [
            self._guard(f"may_{number}_{at}", parameters)
            for at in range(self.random.choice([0, 1, 1, 2]))
        ]
        told, first = self._manner()
        given = {n: kind for n, (_, kind) in parameters.items()}
        shown = [f"{n}: {text}" for n, (text, _) in parameters.items()]
        if self.world.chance(0.4):
            given["scope"] = Bounds()
            shown.insert(self.random.randint(0, len(shown)), "scope: Sizes")
        head = f"@action(guards=[{', '.join(guards)}]{told})\n"
        head += f"def {name}({', '.join(['state: Whole', *shown])}) -> None:{first}"
        variables: dict[str, Kind] = {"state": Group("Whole"), **given}
        role = Role(is_pure=False, reads_ghosts=True)
        size = self.random.randint(0 if first else 1, 4)
        writer = self._function(head, variables, size, role)
        places = [(one.partition(":")[0], given[one.partition(":")[0]], "both") for one in shown]
        effect = (("state", Group("Whole"), "place"), *places)
        self.world.helpers.append(Helper(f"{name}.effect", effect, None, False, writer.is_light))
        return name

    def _manner(self) -> tuple[str, str]:
        """What an action declares besides its guards, and what its effect begins with."""
        budget = self.random.choice(self.budgets) if self.budgets else ""
        if budget and self.world.chance(0.3):  # what it spends it has just given back
            return ', budget="spare"', "\n    state.spare = 2"
        told = f', budget="{budget}"' if budget and self.world.chance(0.3) else ""
        if self.world.chance(0.2):
            return told, "\n    state.clock = (state.clock + 1) % 4"
        is_daring = bool(self.world.risk) and self.world.chance(0.2)
        return told if is_daring else f"{told}, stutters=True", ""

    def _guard(self, name: str, parameters: dict[str, tuple[str, Kind]]) -> str:
        """A guard over some of the parameters; others may call it."""
        given = {n: kind for n, (_, kind) in parameters.items() if self.world.chance(0.7)}
        names = ["state", *given]
        variables: dict[str, Kind] = {"state": Group("Whole"), **given}
        if self.world.chance(0.3):
            names.append("scope")
            variables["scope"] = Bounds()
        decorator = self.random.choice(["@guard", "@guard", "@guard", "@limit"])
        self._predicate(f"{decorator}\ndef {name}({', '.join(names)}):", variables, ghosts=False)
        return name

    def _predicate(self, head: str, variables: dict[str, Kind], *, ghosts: bool = True) -> None:
        results: list[Kind] = [TRUTH, TRUTH, NUMBER]
        result = self.random.choice(results)
        size = self.random.choice([0, 0, 1, 2])
        role = Role(is_pure=True, reads_ghosts=ghosts, result=result)
        writer = self._function(head, variables, size, role)
        name = head.rpartition("def ")[2].partition("(")[0]
        if not ghosts and set(variables) == {"state"}:
            whole = (("state", Group("Whole"), "place"),)
            self.world.helpers += [
                Helper(name, whole, TRUTH, True, writer.is_light),
                Helper(f"{name}.function", whole, result, True, writer.is_light),
            ]

    # -- claims

    def _claims(self) -> dict[str, str]:
        """Properties, witnesses and bounds: keyword of the design -> what stands there."""
        whole: dict[str, Kind] = {"state": Group("Whole")}
        both: dict[str, Kind] = {"before": Group("Whole"), "state": Group("Whole")}
        with_scope = {**whole, "scope": Bounds()}
        self._predicate("@guard\ndef premise_0(state):", whole, ghosts=False)
        self._predicate("@guard\ndef premise_1(state, scope):", with_scope, ghosts=False)
        self._predicate("@invariant()\ndef always_0(state):", whole)
        self._predicate("@invariant(premise=premise_0)\ndef always_1(state, scope):", with_scope)
        self._predicate("@step_property()\ndef each_step_0(before, state):", both)
        asked = f"@step_property()\ndef each_step_1(before, state, step, scope):{self._asked()}"
        self._predicate(asked, {**both, "scope": Bounds()})
        self._predicate("@liveness()\ndef at_last_0(state):", whole)
        self._predicate("@liveness(premise=premise_1)\ndef at_last_1(state):", whole)
        self._predicate("@witness()\ndef once_0(state):", whole)
        names = ["always_0", "each_step_0", "at_last_0", "always_1", "each_step_1", "at_last_1"]
        names += ["deadlock_free"] * self.world.chance(0.5)
        self.random.shuffle(names)
        claims = {"properties": f"({', '.join(names)},)", "witnesses": "(once_0,)"}
        if self.world.chance(0.5):
            self._predicate("@within_bounds\ndef inside(state):", whole)
            claims["bounds"] = "inside"
        return claims

    def _asked(self) -> str:
        """What a step property asks of its step before it goes on."""
        sign, names = self.random.choice([("==", '"step_0"'), ("!=", '"step_1"')])
        if self.world.chance(0.5):
            sign, names = self.random.choice(["in", "not in"]), '("step_1", "step_2", "step_0")'
        operator = self.random.choice(["<", "==", ">="])
        if not self.numbers:
            return f"\n    if step.action {sign} {names}:\n        return True"
        least, most = min(self.numbers), max(self.numbers)
        return (
            f"\n    if step.action {sign} {names} and step.{least} {operator} step.{most}:"
            f"\n        return step.{most} > 0"
        )

    def _design(self, actions: list[str], claims: dict[str, str]) -> None:
        system = actions[: len(actions) // 2 + 1]
        environment = actions[len(system) :]
        bounds = ", ".join(f"{name}={n}" for name, n in self.world.bounds.items())
        entries = {
            "name": '"generated"',
            "title": '"Generated"',
            "state": "Whole",
            "initial": "(begin, begin_late)",
            "system": f"({', '.join(system)},)",
            "environment": f"({', '.join(environment)},)" if environment else "()",
            "scopes": f'{{"small": Sizes({bounds})}}',
            **claims,
        }
        lines = [f"    {name}={text}," for name, text in entries.items()]
        self.sections.append("\n".join(["DESIGN = Design(", *lines, ")"]) + "\n")
