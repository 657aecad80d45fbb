"""Turns records of searches into the Runs of a report, compared with the ledger.

The ledger maps a design's name (or the name of a run of a variant, an ablation or one of
several scopes, see `run_name`) to what is expected: `bounds`, `verdict`, `distinct_states`,
`generated_states`, `depth`, `properties` (name -> verdict) and `witnesses` (name -> whether
it is reached). None stands for a run that the ledger does not have; absent keys are not compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tierproof.diagrams.extract import cards_of
from tierproof.diagrams.records import ActionCard
from tierproof.diagrams.runs import (
    ActionRow,
    Counterexample,
    PropertyRow,
    Run,
    WitnessRow,
    reached_word,
)
from tierproof.diagrams.sequences import sequence_of
from tierproof.model.language import Design

Ledger = Mapping[str, Mapping[str, Any] | None]
_COMPARED = ("bounds", "verdict", "distinct_states", "generated_states", "depth")


def run_name(result: Mapping[str, Any]) -> str:
    """The name of a search in the ledger: `design+variant~ablated_guard/scope`."""
    variants = "".join(f"+{name}" for name in result["variants"])
    without = "".join(f"~{name}" for name in result["without"])
    return f"{result['design']}{variants}{without}/{result['scope']}"


def run_of(
    result: Mapping[str, Any], design: Design | None = None, ledger: Ledger | None = None
) -> Run:
    """The Run of a search's record."""
    expected = None if ledger is None else _expected(result, ledger)
    of_properties = {} if expected is None else expected.get("properties", {})
    return Run(
        name=run_name(result),
        design=result["design"],
        scope=result["scope"],
        bounds=tuple(result["bounds"].items()),
        variants=tuple(result["variants"]),
        without=tuple(result["without"]),
        engine=result["engine"],
        verdict=result["verdict"],
        cut=result["cut"],
        distinct_states=result["distinct_states"],
        generated_states=result["generated_states"],
        depth=result["depth"],
        seconds=result["seconds"],
        collision_probability=result["collision_probability"],
        symmetry=tuple((result.get("symmetry") or {}).get("statements", ())),
        grounds=tuple((one["id"], one["says"]) for one in result.get("rests_on", ())),
        zero_budgets=tuple(result.get("zero_budgets", ())),
        resumed=(result.get("resumed") or {}).get("statement", ""),
        properties=tuple(_property(entry, of_properties) for entry in result["properties"]),
        witnesses=tuple(_witness(entry) for entry in result["witnesses"]),
        actions=_actions(result, design),
        untaken_edges=tuple(result["untaken_edges"]),
        differences=None if expected is None else tuple(_differences(result, expected)),
    )


def _expected(result: Mapping[str, Any], ledger: Ledger) -> Mapping[str, Any] | None:
    is_plain = not result["variants"] and not result["without"]
    return ledger.get(run_name(result), ledger.get(result["design"]) if is_plain else None)


def _property(entry: Mapping[str, Any], expected: Mapping[str, str]) -> PropertyRow:
    return PropertyRow(
        name=entry["name"],
        kind=entry["kind"],
        verdict=entry["verdict"],
        statement=entry["statement"],
        source=entry["source"],
        occurrences=entry["occurrences"],
        premise_states=entry["premise_states"],
        expected=expected.get(entry["name"]),
        counterexample=_counterexample(entry),
        reason=entry.get("reason", ""),
        fairness=entry.get("fairness", ""),
        limited_states=entry.get("limited_states"),
    )


def _witness(entry: Mapping[str, Any]) -> WitnessRow:
    return WitnessRow(
        name=entry["name"],
        statement=entry["statement"],
        reached=entry["reached"],
        counterexample=_counterexample(entry),
    )


def _counterexample(entry: Mapping[str, Any]) -> Counterexample | None:
    trace = entry["trace"]
    if trace is None:
        return None
    return Counterexample(sequence=sequence_of(trace, entry))


def _actions(result: Mapping[str, Any], design: Design | None) -> tuple[ActionRow, ...]:
    cards: dict[str, ActionCard] = {}
    if design is not None:
        cards = {card.name: card for card in cards_of(design)}
    return tuple(
        ActionRow(name=name, taken=taken, card=cards.get(name))
        for name, taken in result["actions"].items()
    )


def _differences(result: Mapping[str, Any], expected: Mapping[str, Any]) -> Iterator[str]:
    for name in _COMPARED:
        if name in expected and expected[name] != result[name]:
            what = name.replace("_", " ")
            yield f"{what}: {_plain(result[name])}, the ledger expects {_plain(expected[name])}"
    answers, wanted = _answers(result, expected), _wanted(expected)
    for name in dict.fromkeys((*wanted, *answers)):
        found, verdict = answers.get(name, "not checked"), wanted.get(name, "nothing")
        if found != verdict:
            yield f"{name}: {found}, the ledger expects {verdict}"


def _answers(result: Mapping[str, Any], expected: Mapping[str, Any]) -> dict[str, str]:
    """The results of those properties and witnesses that the ledger lists."""
    found: dict[str, str] = {}
    if "properties" in expected:
        found |= {entry["name"]: str(entry["verdict"]) for entry in result["properties"]}
    if "witnesses" in expected:
        found |= {entry["name"]: reached_word(entry["reached"]) for entry in result["witnesses"]}
    return found


def _wanted(expected: Mapping[str, Any]) -> dict[str, str]:
    witnesses = expected.get("witnesses", {})
    reached = {name: reached_word(answer) for name, answer in witnesses.items()}
    return {**expected.get("properties", {}), **reached}


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} = {_plain(entry)}" for name, entry in value.items())
    return f"{value:,}" if isinstance(value, int) else str(value)
