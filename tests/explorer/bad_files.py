"""Generated files that are bad: designs, traces, ledgers, isolations and recordings."""

from __future__ import annotations

import copy
import gzip
import json
import random
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from tests.explorer.attempts import DISAGREES, JUGS, REFUSED, TANK, Attempt
from tests.explorer.bad_design_files import bad_source
from tests.toys import jugs, leaky_tank
from tierproof.model.language import Step, Trace
from tierproof.model.language.itf import itf_as_text, trace_as_itf
from tierproof.register.isolation import closed
from tierproof.register.isolation import file as isolation_file
from tierproof.register.ledger import file as ledger_file

RECORDINGS = Path(__file__).parents[2] / "conformance" / "recordings"
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
    {"#bigint": None},
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
        "less": ["repair_seal_right"],
        "identity": "0123",
        "distinct_states": 5,
        "generated_states": 9,
        "depth": 2,
        "violated": {"tank_has_water": 2},
    }
    assert set(leaky_tank.DESIGN.scopes) >= {"small"}
    return {
        "ledger": json.loads(ledger_file.text_of({"three_and_five": entry_}, jugs.DESIGN)),
        "isolation": {"closed": list(closed(leaky_tank.DESIGN)), "explorations": [line]},
    }


def kept_file(rng: random.Random) -> Attempt:
    """A ledger or isolation file that is not as it was written."""
    which = rng.choice(["ledger", "isolation"])
    found = copy.deepcopy(kept()[which])
    text = json.dumps(found)
    line = found["scopes"]["three_and_five"] if which == "ledger" else found["explorations"][0]
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
