"""Random designs whose dogs are declared alike, as the text of a Python module.

They tell no dog apart by the way they are built, so that they have to be taken.
"""

from __future__ import annotations

from random import Random

HEAD = '''"""A generated design."""

from enum import IntEnum
from typing import Annotated

from tierproof.model.language import (
    NONE, Array, Design, Index, Range, Scope, Set, State, action, bound, guard, initial,
    invariant, step_property, witness,
)


class Yard(Scope):
    dogs: int = bound(1, 6, default=3)


Dog = Annotated[int, Index(Yard.dogs, alike=True)]
MaybeDog = Annotated[int, Index(Yard.dogs, optional=True)]


class Mood(IntEnum):
    CALM = 0
    LOUD = 1


class Pack(State):
    mood: Annotated[list[Mood], Array(Yard.dogs)]
    friend: Annotated[list[MaybeDog], Array(Yard.dogs)]
    leader: MaybeDog
    inside: Annotated[set[int], Set(Yard.dogs)]
    count: Annotated[int, Range(0, 3)]


@initial
def first_leads(state: Pack) -> None:
    state.leader = 0


@initial
def nobody_leads(state: Pack) -> None:
    state.count = 1
'''


class Writer:
    """Writes functions of one kind."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def module(self) -> str:
        """The whole module."""
        parts = [HEAD]
        acts = []
        for number in range(self.random.randint(2, 3)):
            names = ["dog", "other"][: self.random.randint(1, 2)]
            given = ", ".join(["state: Pack", *(f"{name}: Dog" for name in names), "scope: Yard"])
            guard = f"@guard\ndef may_{number}({given}) -> bool:\n    return {self.test(names)}\n"
            body = "\n".join(self.block(names, 2, "    "))
            effect = (
                f"@action(guards=[may_{number}], stutters=True)\ndef act_{number}({given}) -> None:"
            )
            parts += [guard, f"{effect}\n{body}\n"]
            acts.append(f"act_{number}")
        for number in range(2):
            text = self.over_all([], "one")
            parts.append(
                f"@invariant()\ndef holds_{number}(state: Pack, scope: Yard) -> bool:\n"
                '    """It holds."""\n'
                f"    return not ({text} and {self.over_all([], 'one')})\n"
            )
        parts.append(
            '@step_property()\ndef steps(before: Pack, after: Pack) -> bool:\n    """It holds."""\n'
            "    return after.leader == before.leader or after.leader not in before.inside\n"
        )
        parts.append(
            '@witness()\ndef seen(state: Pack, scope: Yard) -> bool:\n    """It is reached."""\n'
            f"    return {self.over_all([], 'one')}\n"
        )
        parts.append(
            'DESIGN = Design(name="pack", title="A pack", state=Pack,\n'
            f"    initial=({self.random.choice(['first_leads', 'nobody_leads'])},),\n"
            f"    system=({', '.join(acts)},), properties=(holds_0, holds_1, steps),\n"
            '    witnesses=(seen,), scopes={"three": Yard()})\n'
        )
        return "\n\n".join(parts)

    def maybe(self, names: list[str]) -> str:
        """A dog, or none."""
        known = [*names, "state.leader", "NONE", *(f"state.friend[{name}]" for name in names)]
        return self.random.choice(known)

    def test(self, names: list[str], avoids: str = "") -> str:
        """A condition; it does not read the field `avoids`."""
        choices = ["state.count > 1", "len(state.inside) == 1", "state.leader == NONE"]
        if names:
            one = self.random.choice(names)
            choices += [
                f"state.mood[{one}] == Mood.LOUD",
                f"{self.maybe(names)} == {self.maybe(names)}",
                f"{one} in state.inside",
                f"state.friend[{one}] != {self.random.choice(names)}",
            ]
        if not avoids:
            choices.append(self.over_all(names, "each"))
        kept = [text for text in choices if not avoids or f".{avoids}" not in text]
        text = self.random.choice(kept)
        if self.random.random() < 0.25:
            text = f"({text}) {self.random.choice(['and', 'or'])} ({self.test(names, avoids)})"
        return text

    def over_all(self, names: list[str], name: str) -> str:
        """A condition on all dogs."""
        source = self.random.choice(["range(scope.dogs)", "range(len(state.mood))", "state.inside"])
        inner = self.test([*names, name], avoids="nothing")
        how = self.random.choice(["any", "all", "sum"])
        if how == "sum":
            return f"sum({inner} for {name} in {source}) > {self.random.randint(0, 2)}"
        return f"{how}({inner} for {name} in {source})"

    def block(self, names: list[str], depth: int, indent: str) -> list[str]:
        """Statements that follow each other."""
        lines: list[str] = []
        for _ in range(self.random.randint(1, 2)):
            kind = self.random.choice(["store", "store", "if", "for"] if depth else ["store"])
            if kind == "store":
                lines.append(indent + self.store(names))
            elif kind == "if":
                lines.append(f"{indent}if {self.test(names)}:")
                lines += self.block(names, depth - 1, indent + "    ")
            else:
                lines += self.loop(names, indent)
        return lines

    def store(self, names: list[str]) -> str:
        """An assignment to the state."""
        one, how = self.random.choice(names), self.random.choice(["add", "discard"])
        return self.random.choice(
            [
                f"state.mood[{one}] = Mood.{self.random.choice(['CALM', 'LOUD'])}",
                f"state.leader = {self.maybe(names)}",
                f"state.friend[{one}] = {self.maybe(names)}",
                f"state.inside.{how}({self.random.choice(names)})",
                "state.count = min(state.count + 1, 3)",
                "state.count = 0",
            ]
        )

    def loop(self, names: list[str], indent: str) -> list[str]:
        """A loop over all dogs, or over those inside."""
        inner = indent + "    "
        source = self.random.choice(["range(scope.dogs)", "range(len(state.mood))"])
        head = f"{indent}for it in {source}:"
        inside = [*names, "it"]
        kind = self.random.randint(0, 2)
        if kind == 0:
            value = f"Mood.{self.random.choice(['CALM', 'LOUD'])}"
            test = self.test(inside, avoids="mood")
            return [head, f"{inner}if {test}:", f"{inner}    state.mood[it] = {value}"]
        if kind == 1:
            name = f"found_{self.random.randint(0, 99)}"
            first = f"{indent}{name} = 0"
            count = f"{inner}{name} += {self.test(inside, avoids='nothing')}"
            return [first, head, count, f"{indent}state.count = min({name}, 3)"]
        test = self.test(inside, avoids="friend")
        value = self.random.choice([*names, "it", "NONE", "state.leader"])
        return [head, f"{inner}if {test}:", f"{inner}    state.friend[it] = {value}"]
