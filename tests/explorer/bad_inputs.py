"""Generated bad input: command lines, and files of all kinds that commands read.

Each is bad by construction, whatever the seed draws. `attempt(seed)` gives one.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping

from tests.explorer.attempts import JUGS, TANK, Attempt
from tests.explorer.bad_command_lines import (
    contradiction,
    misspelt_option,
    nonsense_bound,
    nonsense_design,
    nonsense_elsewhere,
    nonsense_folder,
    nonsense_number,
    nonsense_value,
    too_many_words,
)
from tests.explorer.bad_design_files import SOURCE
from tests.explorer.bad_files import (
    RECORDINGS,
    design_file,
    itf,
    kept,
    kept_file,
    recording,
    trace_file,
)

KINDS: Mapping[Callable[[random.Random], Attempt], int] = {
    misspelt_option: 2,
    nonsense_value: 3,
    nonsense_elsewhere: 4,
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


def attempt(seed: int) -> Attempt:
    """The bad input of a seed."""
    rng = random.Random(seed)
    makers = [*KINDS]
    return rng.choices(makers, [KINDS[one] for one in makers])[0](rng)
