"""A trace as a test that can be pasted: its steps, replayed against the design as it is then."""

from __future__ import annotations

import re
from hashlib import sha256
from textwrap import indent

from tierproof.model.language import Trace
from tierproof.pytest_plugin.asking import plain_place_of

INSIDE = " " * 8


def regression_test(trace: Trace, claim: str, module: str) -> str:
    """The source of a test with the fixture `replay`, for the test module named `module`.

    It fails for as long as the steps violate the property `claim`. What the module already holds
    is not imported again.
    """
    name = re.sub(r"\W+", "_", claim)
    arguments = _arguments(trace, claim)
    lines = [
        f"def test_{name}_{_digest(trace, arguments)}(replay):",
        f'    """These steps violated {claim}."""',
        *(f"    {line}" for line in _imports(trace, module)),
        "",
        "    replay(",
        *(f"{INSIDE}{words}," for words in arguments),
        f"{INSIDE}steps={indent(trace.as_python(), INSIDE).strip()},",
        "    )",
    ]
    return "\n".join(lines)


def _digest(trace: Trace, arguments: list[str]) -> str:
    """Six hexadecimal digits: the same steps in another scope are another test."""
    return sha256("\n".join([trace.digest, *arguments]).encode()).hexdigest()[:6]


def _imports(trace: Trace, module: str) -> list[str]:
    place, kind = plain_place_of(trace.design), type(trace.scope)
    wanted: dict[str, list[str]] = {}
    if place is not None:
        wanted.setdefault(place.module, []).append(place.attribute)
    if _scope_name(trace) is None:
        wanted.setdefault(kind.__module__, []).append(kind.__name__)
    found = [] if place is not None else [f"# DESIGN is the design {trace.design.name!r}"]
    found += [f"from {one} import {', '.join(names)}" for one, names in wanted.items()]
    return [
        *(line for line in found if not line.startswith(f"from {module} ")),
        "from tierproof import Step",
    ]


def _scope_name(trace: Trace) -> str | None:
    scopes = trace.design.scopes.items()
    return next((name for name, known in scopes if known == trace.scope), None)


def _arguments(trace: Trace, claim: str) -> list[str]:
    place, name = plain_place_of(trace.design), _scope_name(trace)
    without = tuple(sorted(trace.design.dropped_guards))
    given = {
        "scope": repr(trace.scope if name is None else name),
        "variants": repr(trace.design.chosen_variants) if trace.design.chosen_variants else "",
        "without": repr(without) if without else "",
        "initial": str(trace.initial) if trace.initial else "",
        "cycle_start": "" if trace.cycle_start is None else str(trace.cycle_start),
    }
    words = [f"{key}={value}" for key, value in given.items() if value]
    return ["DESIGN" if place is None else place.attribute, repr(claim), *words]
