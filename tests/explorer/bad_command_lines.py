"""Generated command lines that are bad: names, values, numbers, folders and words."""

from __future__ import annotations

import json
import random

from tests.explorer.attempts import JUGS, TANK, USAGE, Attempt
from tests.explorer.bad_files import itf

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
    ("explore", JUGS, "--run", "runs", "--engine", "simulate"),
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


ELSEWHERE = (
    ("draw", JUGS, "--format"),
    ("draw", JUGS, "--scope"),
    ("draw", JUGS, "--variant"),
    ("diff", JUGS, "--variant"),
    ("diff", JUGS),
    ("ablate", JUGS, "--part"),
    ("ablate", JUGS, "--scope"),
    ("ablate", JUGS, "--set"),
    ("ablate", JUGS, "--max-states"),
    ("ablate", JUGS, "--variant"),
    ("isolate", TANK, "--kept", "--folder", "isolation", "--scope"),
    ("isolate", TANK, "--kept", "--folder", "isolation", "--finding"),
    ("isolate", TANK, "--max-states"),
    ("findings", TANK, "--finding"),
    ("mail", TANK, "--"),
    ("review", "--design"),
    ("review", "--engine"),
    ("trace", JUGS, "x.itf.json", "--format"),
    ("trace", JUGS, "x.itf.json", "--scope"),
    ("trace", JUGS, "x.itf.json", "--without"),
    ("trace", JUGS, "--"),
    ("conform", "--"),
    ("confirm", "--"),
    ("confirm", "--kafka", "4.4.0", "--"),
    ("new", "--"),
)
"""Words of commands that end with an option, or before an argument."""


def nonsense_elsewhere(rng: random.Random) -> Attempt:
    """A value of another command that it does not take."""
    words = rng.choice(ELSEWHERE)
    values = [one for one in NONSENSE if words[0] != "new" or not one.isidentifier()]
    files = {"x.itf.json": json.dumps(itf()).encode()} if words[0] == "trace" else {}
    return Attempt("elsewhere", (*words, rng.choice(values)), files)


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
    folder = rng.choice(["", "file", "file/below", "/proc/none", "x" * 300, "file/../file"])
    command = rng.choice([("explore", JUGS), ("ablate", JUGS), ("review", "--design", "kip405")])
    return Attempt("folder", (*command, "--out", folder), {"file": b""})


def contradiction(rng: random.Random) -> Attempt:
    """Options that would do nothing together, and names that are none."""
    return Attempt("contradiction", rng.choice(CONTRADICTIONS))


def too_many_words(rng: random.Random) -> Attempt:
    """Commands that there are not, arguments too many, none."""
    words = rng.choice(
        [
            (rng.choice(["explor", "List", "--explore", "-x", *NONSENSE]),),
            (rng.choice(["explore", "ablate", "trace", "diff", "new"]),),
            (rng.choice(["explore", "ablate", "draw"]), JUGS, rng.choice([*NONSENSE[4:9], JUGS])),
        ]
    )
    return Attempt("words", words, statuses=frozenset({USAGE}))
