"""The ledger file of one design: JSON with a line for each scope.

Its head lists the defaults of the bounds, the properties and the witnesses, one name per line.
The line of a scope says how the scope was explored and what differs from "HOLDS":

    distinct_states, generated_states, depth, verdict
    bounds        the bounds that differ from the default; null: the scope had no such bound
    violated      each violated property with the steps of its shortest counterexample;
                  "lasso": a lasso, which need not be a shortest one; null: no length was kept
    not_judged    properties and witnesses that were left out of the search
    not_reached   witnesses that no state shows

Every other property of the head HOLDS in the scope, every other witness is reached. The file
is self-contained: a changed default or a new property of the design does not change its meaning.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from tierproof.model.language.design import Design
from tierproof.register.json_file import (
    Field,
    are_names,
    check,
    decoded,
    is_count,
    is_table_of,
)
from tierproof.spark_explorer.results import Verdict

Entry = Mapping[str, Any]

LASSO = "lasso"


def is_length(value: Any) -> bool:
    """Whether a value tells the steps of a counterexample: a count, LASSO or None."""
    return value is None or value == LASSO or is_count(value)


BOUNDS = Field("a table of bounds", is_table_of(lambda one: type(one) in (int, type(None))))
NAMES = Field("a list of names, each once", are_names)
HEAD = {
    "bounds": BOUNDS,
    "properties": NAMES,
    "witnesses": NAMES,
    "scopes": Field("a table of scopes", is_table_of(lambda one: isinstance(one, dict))),
}
LINE = {
    **dict.fromkeys(("distinct_states", "generated_states", "depth"), Field("a count", is_count)),
    "verdict": Field("a verdict", lambda one: one in [str(verdict) for verdict in Verdict]),
    "bounds": replace(BOUNDS, is_needed=False),
    "violated": Field("a table of steps", is_table_of(is_length), is_needed=False),
    "not_judged": replace(NAMES, is_needed=False),
    "not_reached": replace(NAMES, is_needed=False),
}
"""The fields of a file, and of the line of a scope."""

COUNTS = ("distinct_states", "generated_states", "depth", "verdict")


def entries_in(text: str) -> dict[str, Entry]:
    """Scope -> entry, in full. Raises ValueError for what `text_of` does not write."""
    written = decoded(text)
    check("the file", written, HEAD)
    for name, line in written["scopes"].items():
        check(f"scope {name!r}", line, LINE)
    return {name: _expanded(written, name, line) for name, line in written["scopes"].items()}


def text_of(entries: Mapping[str, Entry], design: Design) -> str:
    """The file that holds these entries, scopes and names in the order of the design."""
    ordered = {name: entries[name] for name in design.scopes if name in entries} | dict(entries)
    head: dict[str, Any] = {
        "bounds": _defaults(design, ordered.values()),
        "properties": _names("properties", design, ordered.values()),
        "witnesses": _names("witnesses", design, ordered.values()),
    }
    scopes = [f"  {_json(name)}: {_json(_line(head, entry))}" for name, entry in ordered.items()]
    return "\n".join(
        [
            "{",
            f' "bounds": {_json(head["bounds"])},',
            *_list_of_names("properties", head["properties"]),
            *_list_of_names("witnesses", head["witnesses"]),
            ' "scopes": {',
            ",\n".join(scopes),
            " }",
            "}",
            "",
        ]
    )


def _expanded(head: Mapping[str, Any], scope: str, line: Mapping[str, Any]) -> Entry:
    violated, bounds = line.get("violated", {}), line.get("bounds", {})
    unjudged, unreached = line.get("not_judged", []), line.get("not_reached", [])
    claims, witnesses = head["properties"], head["witnesses"]
    _check(scope, violated, claims)
    _check(scope, bounds, head["bounds"])
    _check(scope, unjudged, [*claims, *witnesses])
    _check(scope, unreached, witnesses)
    steps = {name: count for name, count in violated.items() if count != LASSO}
    return {
        "bounds": {
            name: value for name, value in {**head["bounds"], **bounds}.items() if value is not None
        },
        **{name: line[name] for name in COUNTS},
        "properties": {
            name: str(Verdict.VIOLATED if name in violated else Verdict.HOLDS)
            for name in claims
            if name not in unjudged
        },
        **({} if None in steps.values() else {"steps": steps}),
        "witnesses": {name: name not in unreached for name in witnesses if name not in unjudged},
    }


def _line(head: Mapping[str, Any], entry: Entry) -> dict[str, Any]:
    """The entry as written in the file: empty parts are left out."""
    judged, reached = entry["properties"], entry["witnesses"]
    names = [*head["properties"], *head["witnesses"]]
    told = {
        "bounds": {
            name: entry["bounds"].get(name)
            for name, default in head["bounds"].items()
            if entry["bounds"].get(name) != default
        },
        "violated": {
            name: entry["steps"].get(name, LASSO) if "steps" in entry else None
            for name in head["properties"]
            if judged.get(name) == Verdict.VIOLATED
        },
        "not_judged": [name for name in names if name not in judged and name not in reached],
        "not_reached": [name for name in head["witnesses"] if reached.get(name) is False],
    }
    counts = {name: entry[name] for name in COUNTS}
    return counts | {name: value for name, value in told.items() if value}


def _defaults(design: Design, entries: Iterable[Entry]) -> dict[str, int | None]:
    """Bound -> default, None if it has none; bounds that the design no longer has come last."""
    declared = type(next(iter(design.scopes.values()))).bounds
    defaults = {name: bound.default for name, bound in declared.items()}
    return defaults | {
        name: None for entry in entries for name in entry["bounds"] if name not in defaults
    }


def _names(kind: str, design: Design, entries: Iterable[Entry]) -> list[str]:
    """The properties or witnesses of the entries; laws of lifecycles come last."""
    known = list(dict.fromkeys(name for entry in entries for name in entry[kind]))
    first = [one.name for one in design.checked if one.name in known]
    return [*first, *(name for name in known if name not in first)]


def _check(scope: str, names: Iterable[str], known: Iterable[str]) -> None:
    unknown = sorted(set(names) - set(known))
    if unknown:
        raise ValueError(f"the ledger's line of scope {scope!r} has unknown names: {unknown}")


def _list_of_names(key: str, names: list[str]) -> Iterator[str]:
    yield f' "{key}": ['
    if names:
        yield ",\n".join(f"  {_json(name)}" for name in names)
    yield " ],"


def _json(value: Any) -> str:
    return json.dumps(value)
