"""Every design is closed by its repairs, and every violation has an isolated cause.

What is known is kept beside the ledger (`tierproof isolate`). That it is of the code that is here,
digests show, one of each scope by default; small scopes are explored again, one of each design.
"""

from collections.abc import Iterator

import pytest

from tests.designs.stored_traces import DESIGNS
from tierproof.model.language import Design
from tierproof.register import register_of
from tierproof.register.isolation import (
    causes,
    closed,
    explorations,
    isolated,
    proposals,
    proposes_otherwise,
)
from tierproof.register.isolation import file as isolation_file
from tierproof.register.isolation.file import key_of
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.search import explore

SMALL = 20_000
"""Distinct states up to which an exploration is repeated here."""
KNOWN = {name: isolation_file.read(name) for name in DESIGNS}

each_design = pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)


def small_explorations() -> Iterator[tuple[Design, str, tuple[str, ...]]]:
    """What is kept of the scope `smoke`, and of the scopes of the pages, if it is small."""
    for name, design in DESIGNS.items():
        ways = [("smoke", closed(design)), ("smoke", proposals(design))]
        ways += [("smoke", isolated(design, one)) for one in causes(design)]
        ways += [
            (one.scope, isolated(design, one)) for one in register_of(design).findings if one.scope
        ]
        for scope, variants in dict.fromkeys(ways):
            kept = KNOWN[name].get(key_of(scope, variants))
            if kept and kept["distinct_states"] <= SMALL and "cut" not in kept:
                yield design, scope, variants


SMALL_ONES = list(small_explorations())


def kept_of(design: Design, scope: str, variants: tuple[str, ...]) -> isolation_file.Explored:
    return KNOWN[design.name][key_of(scope, variants)]


def representative(name: str) -> tuple[Design, str, tuple[str, ...]]:
    """What is explored of a design by default: its closed form in `smoke`, or else the smallest.

    What breaks without one repair has its trace, which is replayed (`test_register`).
    """
    own = [one for one in SMALL_ONES if one[0].name == name and "asked" not in kept_of(*one)]
    whole = [one for one in own if one[1] == "smoke" and one[2] == closed(one[0])]
    return min(whole or own, key=lambda one: kept_of(*one)["distinct_states"])


FIRST_OF_EACH_SCOPE = list({(one[0].name, one[1]): one for one in reversed(SMALL_ONES)}.values())
EXPLORED = [one for one in SMALL_ONES if "asked" not in kept_of(*one)]
REPRESENTATIVE = [representative(name) for name in dict.fromkeys(one[0].name for one in EXPLORED)]


def parameters(
    found: list[tuple[Design, str, tuple[str, ...]]],
    by_default: list[tuple[Design, str, tuple[str, ...]]],
) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        ("design", "scope", "variants"),
        [
            pytest.param(
                *one,
                id=f"{one[0].name}-{one[1]}-{len(one[2])}",
                marks=() if one in by_default else pytest.mark.slow,
            )
            for one in found
        ],
    )


@each_design
def test_the_closed_design_breaks_only_what_no_repair_is_known_for(design):
    assert explorations.known(design).open == {}


@each_design
def test_the_closed_design_is_explored_to_the_end_in_every_scope(design):
    assert explorations.known(design).cut == {}


@each_design
def test_a_finding_claims_what_breaks_without_its_repair_alone(design):
    known = explorations.known(design)
    assert known.silent == []
    assert known.unlike == {}


@each_design
def test_every_violation_of_the_design_as_written_has_an_isolated_cause_in_that_scope(design):
    assert explorations.known(design).unaccounted == {}


def proposed() -> Iterator[tuple[Design, str]]:
    for design in filter(proposes_otherwise, DESIGNS.values()):
        for scope in explorations.known(design).proposed:
            yield design, scope


@pytest.mark.slow
@pytest.mark.parametrize(
    ("design", "scope"), [pytest.param(*one, id=f"{one[0].name}-{one[1]}") for one in proposed()]
)
def test_what_mails_propose_is_what_was_explored_together(design, scope):
    changed = design.with_variants(*proposals(design))
    kept = explorations.known(design).proposed[scope]
    assert kept["identity"] == Kernel(changed, changed.scope(scope)).identity


@parameters(SMALL_ONES, FIRST_OF_EACH_SCOPE)
def test_what_is_kept_is_of_the_code_that_is_here(design, scope, variants):
    changed = design.with_variants(*variants)
    kept = kept_of(design, scope, variants)
    assert kept["identity"] == Kernel(changed, changed.scope(scope)).identity


@parameters(EXPLORED, REPRESENTATIVE)
def test_what_is_kept_is_what_is_explored(design, scope, variants):
    kept = kept_of(design, scope, variants)
    changed = design.with_variants(*variants)
    found = explore(changed, changed.scope(scope), MemoryExecution, scope_name=scope)
    assert isolation_file.entry_of(found, kept["identity"], ()) == {
        **kept,
        "variants": list(found.variants),
    }
