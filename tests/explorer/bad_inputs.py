"""Generated bad input: command lines, files of designs, traces, ledgers, isolations, recordings.

Each is bad by construction, whatever the seed draws. `attempt(seed)` gives one, and `run` puts it
to the command line in this process.
"""

from __future__ import annotations

import copy
import gzip
import json
import random
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from tests.explorer.bad_design_files import SOURCE, bad_source
from tests.explorer.commands import tierproof
from tests.toys import jugs, leaky_tank
from tierproof.model.language import Step, Trace
from tierproof.model.language.itf import itf_as_text, trace_as_itf
from tierproof.spark_explorer import isolation_file, ledger, ledger_file

JUGS, TANK = "tests.toys.jugs:DESIGN", "tests.toys.leaky_tank:DESIGN"
RECORDINGS = Path(__file__).parents[1] / "recordings"
USAGE, FAULT, DISAGREES = 2, 4, 1
REFUSED = frozenset({USAGE, FAULT})


@dataclass(frozen=True)
class Attempt:
    """Words of a command line, and the files of the folder in which it runs."""

    kind: str
    words: tuple[str, ...]
    files: Mapping[str, bytes] = field(default_factory=dict)
    statuses: frozenset[int] = REFUSED


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    status: int | None
    output: str
    errors: str

    def complaint(self, attempt: Attempt) -> str:
        """Why it did not end as it should; empty if it did."""
        told = self.output + self.errors
        if self.status is None or "Traceback" in told or "fault of tierproof itself" in told:
            return "a traceback"
        if not self.errors.strip() and self.status != DISAGREES:
            return "silent"
        if self.status not in attempt.statuses:
            return f"ignored: exit status {self.status}"
        return ""


def run(attempt: Attempt, folder: Path) -> Ended:
    """Run a command in a folder that has its files."""
    for name, content in attempt.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    known = set(sys.modules)
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        patched.setattr(ledger, "read", partial(ledger.read, folder / "ledger"))
        ended = _ended(attempt)
    for name in set(sys.modules) - known:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
            del sys.modules[name]
    return ended


def _ended(attempt: Attempt) -> Ended:
    try:
        done = tierproof(*attempt.words)
    except BaseException as error:  # whatever it is, a user would see its traceback
        return Ended(None, "", f"Traceback: {error!r}")
    return Ended(done.returncode, done.stdout, done.stderr)


def attempt(seed: int) -> Attempt:
    """The bad input of a seed."""
    rng = random.Random(seed)
    makers = [*KINDS]
    return rng.choices(makers, [KINDS[one] for one in makers])[0](rng)


# -- command lines

NONSENSE = (
    "",
    " ",
    "x y",
    "-1",
    "1_0",
    "0x10",
    "1e3",
    "nan",
    "inf",
    "\u0663",
    "\udcff",
    "\u2192",
    "../..",
    "/",
    "=",
    "a=b=c",
    "%s",
    "{zz}",
    "None",
    "'",
    "x" * 5_000,
)
"""Values that no option of a command takes, and no design has as a name."""
BAD_DESIGNS = (
    "kip95O",
    "kip950:DESIGN",
    ":",
    "::",
    ":DESIGN",
    "tests.toys.jugs:",
    "tests.toys.jugs:DESING",
    "tests.toys.jugs",
    "tests.toys.jug:DESIGN",
    "tests.toys.jugs:Jugs",
    "tests.toys.jugs.DESIGN",
    "os:path",
    "json",
    ".py",
    "nowhere.py",
    "nowhere.py:DESIGN",
    "tests..toys:DESIGN",
    "..:DESIGN",
    "a/b/c:DESIGN",
)
TAKING_DESIGNS = ("explore", "list", "draw", "diff", "ablate", "findings", "mail", "isolate")
NAMES = ("--scope", "--variant", "--without", "--property", "--finding", "--engine", "--set")
NUMBERS = {
    "--max-states": (),
    "--walks": ("--engine", "simulate"),
    "--depth": ("--engine", "simulate", "--walks", "1"),
    "--seconds": ("--engine", "simulate"),
    "--seed": ("--engine", "simulate", "--walks", "1"),
}
CONTRADICTIONS = (
    ("explore", JUGS, "--walks", "3"),
    ("explore", JUGS, "--seed", "3"),
    ("explore", JUGS, "--master", "local[1]", "--engine", "memory"),
    ("explore", JUGS, "--run-folder", "runs", "--engine", "memory"),
    ("explore", JUGS, "--engine", "simulate", "--max-states", "3"),
    ("explore", JUGS, "--trace-format", "itf"),
    ("explore", JUGS, "--set", "small=2", "--set", "small=3"),
    ("explore", JUGS, "--scope", "three_and_five", "--scope", "three_and_five"),
    ("diff", JUGS),
    ("new", "tiering.txt"),
    ("new", "class.py"),
    ("new", "json.py"),
    ("new", "../elsewhere.py"),
    ("new", "not_yet/tiering.py"),
    ("new", "2b.py"),
    ("new", "."),
    ("review", "--design", "kip95O"),
    ("review", "--scope", "smoky", "--design", "kip405"),
    ("isolate", TANK, "--finding", "nobody", "--kept"),
    ("mail", TANK, "nobody"),
    ("conform", "nowhere"),
    ("confirm", "nobody"),
    ("record", "nowhere"),
    ("trace", JUGS, "nowhere.itf.json"),
    ("trace", JUGS, "."),
)


def misspelt_option(rng: random.Random) -> Attempt:
    """An option that no command has."""
    option = rng.choice([*NAMES, *NUMBERS, "--json", "--out"])
    place = rng.randrange(3, len(option) + 1)
    words = (rng.choice(TAKING_DESIGNS), JUGS, f"{option[:place]}z{option[place:]}")
    return Attempt("option", (*words, *rng.choice([(), ("x",)])), statuses=frozenset({USAGE}))


def nonsense_value(rng: random.Random) -> Attempt:
    """An option with a value that it does not take, or with none."""
    option = rng.choice(NAMES)
    value = rng.choice([*NONSENSE, *(f"{name}=x" for name in ("small", "nobody", ""))])
    given = (option, value) if rng.random() < 0.9 else (option,)
    return Attempt("value", ("explore", JUGS, *given))


def nonsense_number(rng: random.Random) -> Attempt:
    """A number that is none, or that an option does not take."""
    option = rng.choice([*NUMBERS])
    value = rng.choice([one for one in NONSENSE if (option, one) not in TAKEN])
    return Attempt("number", ("explore", JUGS, *NUMBERS[option], option, value))


TAKEN = {("--seconds", "1e3"), ("--seed", "-1")}
"""Nonsense elsewhere, and numbers here."""


def nonsense_bound(rng: random.Random) -> Attempt:
    """A bound that is none, or outside its limits."""
    value = rng.choice([*NONSENSE, "0", "51", "9" * 400, "+3", " 3"])
    name = rng.choice(["small", "big"])
    if rng.random() < 0.3:
        name, value = rng.choice(["smal", "", " small", "\udcff"]), "3"
    return Attempt("bound", ("explore", JUGS, "--set", f"{name}={value}"))


def nonsense_design(rng: random.Random) -> Attempt:
    """A design that there is not."""
    words = rng.choice([*BAD_DESIGNS, *NONSENSE])
    return Attempt("design", (rng.choice(TAKING_DESIGNS), "--", words))


def nonsense_folder(rng: random.Random) -> Attempt:
    """A folder to write to that cannot be written."""
    folder = rng.choice(
        ["", "file", "file/below", "/proc/none", "x" * 300, "file/../file", "\udcff/\0"]
    )
    command = rng.choice([("explore", JUGS), ("ablate", JUGS), ("review", "--design", "kip405")])
    return Attempt("folder", (*command, "--out", folder.split("\0")[0] or ""), {"file": b""})


def contradiction(rng: random.Random) -> Attempt:
    """Options that would do nothing together, and names that are none."""
    return Attempt("contradiction", rng.choice(CONTRADICTIONS))


def too_many_words(rng: random.Random) -> Attempt:
    """Commands that there are not, arguments too many, none."""
    words = rng.choice(
        [
            (rng.choice(["explor", "List", "--explore", "-x", *NONSENSE]),),
            (rng.choice(["explore", "ablate", "trace", "diff", "conform", "new"]),),
            (rng.choice(["explore", "ablate", "draw"]), JUGS, rng.choice([*NONSENSE[4:9], JUGS])),
        ]
    )
    return Attempt("words", words, statuses=frozenset({USAGE}))


# -- files

GARBAGE = (
    b"",
    b"\0",
    b"\xff\xfe\x00",
    b"null",
    b"3",
    b'"text"',
    b"[",
    b"{",
    b"[]]",
    b"NaN",
    b"<<<<<<< ours\n=======\n>>>>>>> theirs\n",
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b"\x1f\x8b\x08\x00garbage",
    b"{} {}",
)
ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    3.5,
    "x",
    [],
    {},
    [[]],
    {"x": {}},
    {"#bigint": "x"},
    {"#bigint": 3},
)


def design_file(rng: random.Random) -> Attempt:
    """A file whose design is none, or is at fault."""
    content = bad_source(rng)
    name = f"design_{rng.randrange(1 << 40)}"
    words = rng.choice([f"{name}.py", f"{name}.py:DESIGN", f"{name}:DESIGN"])
    return Attempt("design file", ("explore", words), {f"{name}.py": content})


@cache
def itf() -> Any:
    """A trace of the jugs."""
    design = jugs.DESIGN
    scope = design.scope("three_and_five")
    steps = (Step("fill_big", ()), Step("big_to_small", ()))
    return json.loads(itf_as_text(trace_as_itf(Trace(design, scope, 0, steps), "never_four")))


def trace_file(rng: random.Random) -> Attempt:
    """A trace that is none, or of something else."""
    found = copy.deepcopy(itf())
    text = json.dumps(found)
    state = rng.choice(found["states"])
    way = rng.randrange(6)
    if way == 0:
        content = rng.choice(GARBAGE)
    elif way == 1:
        content = text[: rng.randrange(len(text))].encode()
    else:
        if way == 2:
            state[rng.choice(["small", "big"])] = rng.choice(ODD)
        elif way == 3:
            del state[rng.choice(["small", "big"])]
        elif way == 4:
            state["small"] = {"#bigint": rng.choice(["4", "-1", "1_0", "", "9" * 99])}
        else:
            found["states"] = rng.choice([None, {}, [], 3, [3], [None], "states"])
        content = json.dumps(found).encode()
    return Attempt("trace", ("trace", JUGS, "x.itf.json"), {"x.itf.json": content})


@cache
def kept() -> Mapping[str, Any]:
    """A ledger of the jugs, and an isolation of the tank, as they are written."""
    entry_ = {
        "bounds": {"small": 3, "big": 5},
        "distinct_states": 16,
        "generated_states": 97,
        "depth": 7,
        "verdict": "VIOLATED",
        "properties": {"never_four": "VIOLATED", "water_fits": "HOLDS"},
        "steps": {"never_four": 6},
        "witnesses": {"both_full": True},
    }
    line = {
        "scope": "small",
        "variants": ["repair_seal_left"],
        "identity": "0123",
        "distinct_states": 5,
        "generated_states": 9,
        "depth": 2,
        "violated": {"tank_has_water": 2},
    }
    assert set(leaky_tank.DESIGN.scopes) >= {"small"}
    return {
        "ledger": json.loads(ledger_file.text_of({"three_and_five": entry_}, jugs.DESIGN)),
        "isolation": [line],
    }


def kept_file(rng: random.Random) -> Attempt:
    """A ledger or isolation file that is not as it was written."""
    which = rng.choice(["ledger", "isolation"])
    found = copy.deepcopy(kept()[which])
    text = json.dumps(found)
    line = found["scopes"]["three_and_five"] if which == "ledger" else found[0]
    name = rng.choice(sorted(ledger_file.LINE if which == "ledger" else isolation_file.LINE))
    way = rng.randrange(5)
    if way == 0:
        content = rng.choice([one for one in GARBAGE if one != b"[]]"])
    elif way == 1:
        content = text[: rng.randrange(1, len(text))].encode()
    elif way == 2:
        line[name] = rng.choice([3.5, -1, [3], {"x": "y"}, True])
        content = json.dumps(found).encode()
    elif way == 3:
        line.pop(rng.choice(["distinct_states", "generated_states", "depth"]))
        content = json.dumps(found).encode()
    else:
        place = rng.randrange(len(text))
        content = f"{text[:place]}\n<<<<<<< ours\n{text[place:]}".encode()
    if which == "ledger":
        return Attempt("ledger", ("list", JUGS), {"ledger/jugs.json": content})
    words = ("isolate", TANK, "--folder", "isolation", "--kept")
    return Attempt("isolation", words, {"isolation/leaky_tank.json": content})


def recording(rng: random.Random) -> Attempt:
    """A recording that is none, or with a row that is none."""
    name = "copy_lag_validation"
    content = gzip.decompress((RECORDINGS / f"{name}.json.gz").read_bytes())
    found = json.loads(content)
    way = rng.randrange(4)
    if way == 0:
        content = rng.choice(GARBAGE)
    elif way == 1:
        content = content[: rng.randrange(len(content) - 2)]
    elif way == 2:
        found["rows"][rng.randrange(len(found["rows"]))] = rng.choice(ODD)
        content = json.dumps(found).encode()
    else:
        name = rng.choice(["nobody_knows", "driven"])
    ending = rng.choice([".json", ".json.gz"]) if way < 2 else ".json"
    if ending == ".json.gz":
        content = gzip.compress(content)[: rng.randrange(1, 30)]
    statuses = frozenset({DISAGREES, *REFUSED})
    return Attempt("recording", ("conform", "r"), {f"r/{name}{ending}": content}, statuses)


KINDS: Mapping[Callable[[random.Random], Attempt], int] = {
    misspelt_option: 2,
    nonsense_value: 3,
    nonsense_number: 3,
    nonsense_bound: 2,
    nonsense_design: 3,
    nonsense_folder: 1,
    contradiction: 1,
    too_many_words: 1,
    design_file: 5,
    trace_file: 4,
    kept_file: 4,
    recording: 3,
}
"""A maker of attempts -> how often it is drawn."""
GOOD = (
    Attempt("good", ("list", JUGS)),
    Attempt("good", ("trace", JUGS, "x.itf.json")),
    Attempt("good", ("isolate", TANK, "--folder", "isolation", "--kept")),
    Attempt("good", ("explore", "design_that_is_good.py")),
    Attempt("good", ("conform", "r")),
)
"""What the makers alter, unaltered."""


def good_files() -> Mapping[str, bytes]:
    """The files of GOOD."""
    recorded = (RECORDINGS / "copy_lag_validation.json.gz").read_bytes()
    return {
        "ledger/jugs.json": json.dumps(kept()["ledger"]).encode(),
        "isolation/leaky_tank.json": json.dumps(kept()["isolation"]).encode(),
        "x.itf.json": json.dumps(itf()).encode(),
        "design_that_is_good.py": SOURCE.encode(),
        "r/copy_lag_validation.json.gz": recorded,
    }
