"""What closed and isolated designs violate: results of explorations, kept between runs.

It is a folder with one file per design. `closed` names the variants of the closed design; below it
stands a line for each exploration:

    scope             what was explored: a scope of the design
    less, more        with the variants of the closed design but these, and with these
    identity          the digest of its code and scope (`Kernel.identity`): what is stale is seen
    distinct_states, generated_states, depth
    violated          property -> steps of its shortest counterexample; "lasso": a lasso; null: the
                      trace was lost, and the search is cut
    not_reached       witnesses that no state shows; left out of a search that was cut
    cut               why the search ended early; left out if it did not
    asked             the properties that were asked for; left out: all
    unjudged          liveness that was not judged though the search ended (no memory for the graph)
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tierproof.register import json_file
from tierproof.register.json_file import (
    Field,
    Unreadable,
    are_names,
    check,
    is_count,
    is_table_of,
    is_text,
)
from tierproof.register.ledger.file import LASSO, is_length
from tierproof.spark_explorer.results import PropertyResult, Result, Verdict

FOLDER = Path(__file__).parent

COUNT, TEXT = Field("a count", is_count), Field("text", is_text)
NAMES = Field("a list of names, each once", are_names)
LINE = {
    "scope": TEXT,
    "less": replace(NAMES, is_needed=False),
    "more": replace(NAMES, is_needed=False),
    "identity": TEXT,
    "distinct_states": COUNT,
    "generated_states": COUNT,
    "depth": COUNT,
    "violated": Field("a table of steps", is_table_of(is_length)),
    "not_reached": replace(NAMES, is_needed=False),
    "cut": replace(TEXT, is_needed=False),
    "asked": replace(NAMES, is_needed=False),
    "unjudged": replace(NAMES, is_needed=False),
}
"""The fields of a line."""

FILE = {"closed": NAMES, "explorations": Field("a list", lambda value: isinstance(value, list))}
"""The fields of a file."""

Explored = Mapping[str, Any]
Key = tuple[str, frozenset[str]]
"""A scope, and the variants that were explored in it."""


def read(design: str, folder: Path = FOLDER) -> dict[Key, Explored]:
    """The explorations that are kept of a design; empty if there are none. Raises Unreadable."""
    path = folder / f"{design}.json"
    try:
        return _by_key(json_file.read(path)) if path.exists() else {}
    except ValueError as error:
        raise Unreadable(path, error) from None


def _by_key(kept: Any) -> dict[Key, Explored]:
    check("the file", kept, FILE)
    found: dict[Key, Explored] = {}
    for number, short in enumerate(kept["explorations"], start=1):
        check(f"exploration {number}", short, LINE)
        line = _in_full(short, kept["closed"])
        key = key_of(line["scope"], line["variants"])
        if key in found:
            raise ValueError(f"exploration {number} is there twice")
        found[key] = line
    return found


def _in_full(line: Mapping[str, Any], closed: Sequence[str]) -> Explored:
    """A line with all its variants, in place of what it has less and more than `closed`."""
    less, more = line.get("less", ()), line.get("more", ())
    if unknown := set(less) - set(closed):
        raise ValueError(f"{min(unknown)!r} is left out of a closed design that does not have it")
    variants = [*(name for name in closed if name not in less), *more]
    others = {name: value for name, value in line.items() if name not in ("less", "more")}
    return {"scope": others.pop("scope"), "variants": variants, **others}


def _in_short(one: Explored, closed: Sequence[str]) -> dict[str, Any]:
    variants = one["variants"]
    less = [name for name in closed if name not in variants]
    more = [name for name in variants if name not in closed]
    sets = {name: value for name, value in (("less", less), ("more", more)) if value}
    others = {name: value for name, value in one.items() if name not in ("scope", "variants")}
    return {"scope": one["scope"], **sets, **others}


def write(
    design: str, closed: Sequence[str], explored: Iterable[Explored], folder: Path = FOLDER
) -> None:
    """Keep these explorations of a design, and no others."""
    lines = ",\n".join(f"  {json.dumps(_in_short(one, closed))}" for one in explored)
    text = f'{{\n "closed": {json.dumps(closed)},\n "explorations": [\n{lines}\n ]\n}}\n'
    json_file.write(folder / f"{design}.json", text)


def key_of(scope: str, variants: Iterable[str]) -> Key:
    """The key of an exploration."""
    return scope, frozenset(variants)


def entry_of(result: Result, identity: str, asked: tuple[str, ...]) -> Explored:
    """The line of a result."""
    unreached = [one.name for one in result.witnesses if one.reached is False]
    told = {
        "scope": result.scope,
        "variants": list(result.variants),
        "identity": identity,
        "distinct_states": result.distinct_states,
        "generated_states": result.generated_states,
        "depth": result.depth,
        "violated": {
            one.name: _length(one) for one in result.properties if one.verdict is Verdict.VIOLATED
        },
    }
    optional = {"not_reached": unreached, "cut": result.cut, "asked": list(asked)}
    if not result.cut:
        optional["unjudged"] = [
            one.name for one in result.properties if one.verdict is Verdict.INCOMPLETE
        ]
    return told | {name: value for name, value in optional.items() if value}


def holds(explored: Explored | None, claims: Iterable[str]) -> bool:
    """True if a search ended, judged all of the claims, and none of them is broken."""
    if explored is None or "cut" in explored or "asked" in explored:
        return False
    return not set(claims) & {*explored["violated"], *explored.get("unjudged", ())}


def unfinished(explored: Explored | None) -> str:
    """Why an exploration leaves something open; empty if it does not."""
    if explored is None:
        return "not explored"
    if "cut" in explored:
        return str(explored["cut"])
    if "asked" in explored:
        return "not every property was asked for"
    unjudged = ", ".join(explored.get("unjudged", ()))
    return f"not judged: {unjudged}" if unjudged else ""


def _length(entry: PropertyResult) -> int | str | None:
    if entry.trace is None:
        return None
    return len(entry.trace) if entry.trace.cycle_start is None else LASSO
