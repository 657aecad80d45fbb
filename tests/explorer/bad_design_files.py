"""Generated files of designs that are at fault: a small design, and what can be wrong with it."""

from __future__ import annotations

import random

SOURCE = '''
from typing import Annotated

from tierproof import Design, Range, Scope, State, action, bound, guard, initial, invariant


class Size(Scope):
    most: int = bound(1, 9, default=3)


class Cell(State):
    value: Annotated[int, Range(0, Size.most)]


@initial
def empty(state: Cell) -> None:
    """The cell is empty."""


@guard
def has_room(state: Cell, scope: Size) -> bool:
    """The cell has room."""
    return state.value < scope.most


@action(guards=[has_room], actor="cell")
def cell_grows(state: Cell) -> None:
    """Grow by one."""
    state.value += 1


@invariant()
def is_small(state: Cell, scope: Size) -> bool:
    """The cell is within its size."""
    return state.value <= scope.most


DESIGN = Design(
    name="cell",
    title="A cell",
    state=Cell,
    initial=(empty,),
    system=(cell_grows,),
    properties=(is_small,),
    scopes={"only": Size()},
)
'''
GUARD, EFFECT = "    return state.value < scope.most\n", "    state.value += 1\n"
CLAIM, DOMAIN = "    return state.value <= scope.most\n", "Range(0, Size.most)"

FIELDS = {
    'name="cell"': ("name=3", "name=None", "name=()", "name=''"),
    'title="A cell"': ("title=3", "title=None", "titel='A cell'"),
    "state=Cell": ("state=3", "state=None", "state=int", "state=Size", "state=State"),
    "initial=(empty,)": (
        "initial=()",
        "initial=3",
        "initial=(3,)",
        "initial=(cell_grows,)",
        "initial=(has_room,)",
        "initial=empty",
    ),
    "system=(cell_grows,)": (
        "system=3",
        "system=(3,)",
        "system=(empty,)",
        "system=('cell_grows',)",
        "system=(has_room,)",
        "system=cell_grows",
        "system=(cell_grows, cell_grows)",
    ),
    "properties=(is_small,)": (
        "properties=3",
        "properties=('is_small',)",
        "properties=(has_room,)",
        "properties=(is_small, is_small)",
        "properties=is_small",
    ),
    'scopes={"only": Size()}': (
        "scopes={}",
        "scopes=3",
        "scopes={'only': 3}",
        "scopes={'only': Scope()}",
        "scopes={'only': Size}",
        "scopes={'only': Size(most=30)}",
        "scopes={'only': Size(mots=3)}",
    ),
    "bound(1, 9, default=3)": (
        "bound(9, 1, default=3)",
        "bound(1, 9, default=30)",
        "bound('x', 9)",
        "bound()",
        "bound(1, 9, default='x')",
    ),
    DOMAIN: ("Range(3, 0)", "Range(0, 'x')", "Range(0)", "Range(0, Size.mots)", "3", "'x'"),
    "guards=[has_room]": (
        "guards=[3]",
        "guards=3",
        "guards=[empty]",
        "guards=[is_small]",
        "guard=1",
    ),
    "(state: Cell, scope: Size) -> bool": (
        "(state: Cell, scop: Size) -> bool",
        "() -> bool",
        "(state: Cell, *rest) -> bool",
        "(state: Cell, scope: Size, more: int) -> bool",
        "(scope: Size) -> bool",
    ),
    GUARD: (
        "    return state.valu < scope.most\n",
        "    return state.value < scope.mots\n",
        "    return nobody\n",
        "    return 1 // state.value > 0\n",
        "    state.value = 3\n    return True\n",
        "    return has_room(state, scope)\n",
        "    return eval('True')\n",
        "    return input() == ''\n",
        "    return (lambda: True)()\n",
        "    yield True\n",
        "    raise SystemExit\n",
        "    return state.value < 1.5\n",
        "    return [one for one in open('x')] == []\n",
    ),
    EFFECT: (
        "    state.value += 100\n",
        "    state.value = -1\n",
        "    state.value = None\n",
        "    state.value = 'x'\n",
        "    state.value += 0\n",
        "    state.valu = 1\n",
        "    state.value = 1 // 0\n",
        "    exit()\n",
        "    import os\n    os.abort\n",
        "    del state.value\n",
        "    global x\n    x = 1\n",
        "    try:\n        state.value += 1\n    finally:\n        pass\n",
        "    return state\n",
        "    pass\n",
    ),
    CLAIM: (
        "    return nobody\n",
        "    return state.value // 0 == 1\n",
        "    state.value = 0\n    return True\n",
        "    assert False\n",
        "    raise KeyError('x')\n",
        "    return is_small(state, scope)\n",
    ),
}
"""A part of the design -> what is wrong in its place."""
RAISED = (
    "raise SystemExit",
    "raise SystemExit(0)",
    "raise SystemExit('bye')",
    "raise GeneratorExit",
    "raise MemoryError",
    "raise RecursionError",
    "raise BrokenPipeError",
    "raise OSError(28, 'No space left on device')",
    "raise StopIteration",
    "raise UnicodeDecodeError('utf-8', b'x', 0, 1, 'bad')",
    "raise Exception",
    "raise Exception('\\udcff')",
    "raise BaseExceptionGroup('several', [SystemExit()])",
    "class Odd(BaseException): ...\nraise Odd",
    "1 / 0",
    "nobody",
    "import nobody",
    "from . import nobody",
    "assert False",
    "open('nowhere')",
    "def f(): return f()\nf()",
    "exit()",
    "quit(3)",
    "(" * 5_000,
    "[" * 5_000 + "]" * 5_000,
    "x = " + "-" * 50_000 + "1",
    "if True:",
    "return 1",
    "$",
    "\tx = 1\n        y = 2",
    "'",
    "# coding: nothing",
)
"""Statements at which the import of a file ends."""


def bad_source(rng: random.Random) -> bytes:
    """The content of a file."""
    way = rng.randrange(5)
    if way < 2:
        part = rng.choice([*FIELDS])
        return SOURCE.replace(part, rng.choice(FIELDS[part]), 1).encode()
    if way == 2:
        blocks = SOURCE.split("\n\n\n")
        blocks.insert(rng.randrange(len(blocks)), rng.choice(RAISED[:-1]))
        return "\n\n\n".join(blocks).encode()
    if way == 3:
        return SOURCE[: rng.randrange(SOURCE.index("DESIGN ="))].encode()
    return rng.choice(
        [
            b"",
            b"\0",
            b"\xff\xfe\x00",
            SOURCE.encode("utf-16"),
            b"# coding: nothing\n" + SOURCE.encode(),
            SOURCE.replace("DESIGN =", "DESING =").encode().replace(b"only", b"\xff"),
            b"DESIGN = 3\n",
            b"DESIGN = None\n",
            b"def __getattr__(name): raise SystemExit\n",
        ]
    )
