"""What runs say of a finding: the closed design, repairs that its steps need, brokers, pictures.

What is kept of a design is told of that design alone, and of none that only has its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tierproof.conformance.brokers import in_words
from tierproof.model.language.design import Design
from tierproof.model.language.trace import Trace
from tierproof.register import json_file, register_of
from tierproof.register.entries import Finding, PublishedBug
from tierproof.register.isolation import causes, closed, explorations, isolated, mended
from tierproof.register.isolation import file as isolation_file
from tierproof.register.traces import Shown
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.registry import DESIGNS

BROKERS = Path(__file__).with_name("brokers.json")
"""What released brokers showed, as `tierproof confirm --update` keeps it."""

RELEASES = Path(__file__).with_name("releases.json")
"""How releases differ, as `tierproof record --update` keeps it."""

ONE_MORE = Path(__file__).with_name("one_more.yaml")
"""What closed designs violate where one more event may happen than their scopes allow."""


@dataclass(frozen=True, kw_only=True)
class WithOneMore:
    """What a closed design violates where a bound is larger by one, and why, in a sentence."""

    breaks: tuple[str, ...]
    because: str


@cache
def with_one_more() -> Mapping[str, Mapping[str, Mapping[str, WithOneMore]]]:
    """Design, scope, bound -> what the closed design violates with one more of it."""
    found = yaml.safe_load(ONE_MORE.read_text("utf-8")) or {}
    return {
        design: {
            scope: {
                bound: WithOneMore(breaks=tuple(told["breaks"]), because=told["because"])
                for bound, told in bounds.items()
            }
            for scope, bounds in scopes.items()
        }
        for design, scopes in found.items()
    }


@cache
def on_brokers() -> tuple[dict[str, Any], ...]:
    """The rows of what brokers showed, as plain values."""
    return tuple(json_file.read(BROKERS)["results"])


def said_by_brokers(design: Design, finding: Finding) -> str:
    """What brokers say of a finding, in a sentence; empty where nothing is known."""
    return in_words(on_brokers(), design.name, finding.name)


def seen_on(design: Design, finding: Finding) -> str:
    """The releases whose brokers showed it; empty if none did."""
    seen, _, where = said_by_brokers(design, finding).partition("seen on ")
    return "" if seen else where


def kept(design: Design) -> dict[isolation_file.Key, isolation_file.Explored]:
    """The explorations that are kept of a design; none of another that only has its name."""
    is_ours = design.name in DESIGNS and Question(design=design.name).resolve()[0] == design
    return isolation_file.read(design.name) if is_ours else {}


def closed_in(design: Design, one: Finding) -> dict[str, int]:
    """The scopes in which the closed design was explored to its end and keeps what the finding
    breaks -> its states there."""
    explored, variants = kept(design), closed(design, one.beside)
    of_each = {s: explored.get(isolation_file.key_of(s, variants)) for s in design.scopes}
    return {
        scope: known["distinct_states"]
        for scope, known in of_each.items()
        if known and isolation_file.holds(known, one.claims)
    }


def leaves_room(design: Design, one: Finding) -> str:
    """What the closed design still does in the finding's scope; empty if that is not known."""
    known = kept(design).get(isolation_file.key_of(one.scope, closed(design, one.beside)))
    if one.shows is None or known is None or "cut" in known:
        return ""
    if one.shows in known.get("not_reached", ()):
        return ""
    return next((it.statement for it in design.witnesses if it.name == one.shows), "")


def statements_of(design: Design) -> dict[str, str]:
    """Property, or law -> what it says."""
    laws = {law.law_name: law.law_statement for law in design.lifecycles.values()}
    return laws | {one.name: one.statement for one in design.properties}


def title_of(design: Design, repair: str) -> str:
    """The title of the finding that a repair mends."""
    return next((one.title for one in causes(design) if one.repair == repair), "")


def redefined(design: Design, one: Finding) -> dict[str, str]:
    """The helpers that a property calls and the repair defines anew, with the reason."""
    repair = next((entry for entry in design.variants if entry.name == one.repair), None)
    parts = repair.whole if repair else ()
    return {old.__name__: why for part in parts for old, why in part.redefines.items()}


def with_what_it_needs(shown: Shown, one: Finding) -> Trace:
    """The steps in the design with the repairs that they need and no other, as the text tells."""
    design, trace = shown.design, shown.trace
    taken = (*one.beside, *shown.kept.in_force)
    changed = design.with_variants(*(name for name in isolated(design, one) if name in taken))
    return Trace(changed, trace.scope, trace.initial, trace.steps, trace.cycle_start)


def stopped_by(shown: Shown, one: Finding) -> str:
    """How the repair of a finding stops its trace, as a sentence."""
    stop = shown.trace.stop_in(shown.design.with_variants(*mended(shown.design, one)))
    if stop is None:
        return "The fix forbids no step of this trace: it changes what a step does."
    by = f": `{stop.refused_by}` is false there" if stop.refused_by else ""
    return f"The fix stops this trace before step {stop.number}, `{stop.step}`{by}."


def on_the_same_document(design: Design) -> Iterator[Design]:
    """The design, and the others that take the same document apart: alternatives it rejects."""
    yield design
    if design.name in DESIGNS:
        others = (Question(design=name).resolve()[0] for name in DESIGNS if name != design.name)
        yield from (one for one in others if one.document == design.document)


def unexplained(design: Design, known: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Properties that some committed scope violates and no finding claims, or breaks isolated."""
    explained = {claim for finding in causes(design) for claim in finding.claims}
    for told in explorations.known(design).accounts.values():
        explained |= {name for name, by in told.items() if by}
    violated = {
        name
        for entry in known.values()
        for name, verdict in entry["properties"].items()
        if verdict == "VIOLATED"
    }
    return sorted(violated - explained)


def untold(shown: Shown) -> str | None:
    """What is wrong with the words of an entry, None if they tell the trace that is shown."""
    one, trace = shown.entry, shown.trace
    if isinstance(one, PublishedBug) or one.text is None:
        return None
    if one.trace != trace.digest:
        return f"{one.name}: the text tells trace {one.trace!r}, not {trace.digest!r}"
    last = one.text.steps[-1].last if one.text.steps else 0
    if last != len(trace):
        return f"{one.name}: the text tells {last} of {len(trace)} steps"
    return None


def findings_with_text(design: Design) -> list[Finding]:
    """Those of the design that somebody would act on."""
    return [one for one in register_of(design).findings if one.text]
