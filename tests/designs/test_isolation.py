"""Every design is closed by its repairs, and every violation has an isolated cause.

What is known is kept beside the ledger (`tierproof isolate`); the small scopes are explored again.
"""

from collections.abc import Iterator

import pytest

from tests.designs.stored_traces import DESIGNS
from tierproof.command_line import isolating
from tierproof.model.language import Design
from tierproof.model.language.isolation import causes, closed, isolated
from tierproof.spark_explorer import isolation_file
from tierproof.spark_explorer.isolation_file import key_of
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.search import explore

SMALL = 20_000
"""Distinct states up to which an exploration is repeated here."""

DESIGNS = {
    name: design for name, design in DESIGNS.items() if all(one.story for one in design.findings)
}
NOT_CLOSED = {
    "kip950_zookeeper": "`deep`: an old leader applies the disable, as in KRaft "
    "(`zombie_disables_for_the_leader`), and the repair of that is no variant of the appendix yet",
}
NOT_TOLD: dict[str, str] = {}
NOT_ACCOUNTED = {
    "kip950_zookeeper": "two violations in `deep` are not explored to their cause yet",
    "kip1272": "one violation in `deep`, which is too large to be closed",
}
"""What is still to be explored: `tierproof isolate DESIGN` goes on where it was."""

KNOWN = {name: isolation_file.read(name) for name in DESIGNS}


def of_each(found, unfinished):
    """One test a design; what is known to be unfinished fails, and has to go once it passes."""

    def marks(name):
        reason = unfinished.get(name)
        return [pytest.mark.xfail(strict=True, reason=reason)] if reason else []

    params = [pytest.param(one, id=name, marks=marks(name)) for name, one in found.items()]
    return pytest.mark.parametrize("design", params)


def small_explorations() -> Iterator[tuple[Design, str, tuple[str, ...]]]:
    """What is kept of the scope `smoke`, and of the scopes of the pages, if it is small."""
    for name, design in DESIGNS.items():
        ways = [("smoke", closed(design))]
        ways += [("smoke", isolated(design, one)) for one in causes(design)]
        ways += [(one.scope, isolated(design, one)) for one in design.findings if one.scope]
        for scope, variants in dict.fromkeys(ways):
            kept = KNOWN[name].get(key_of(scope, variants))
            if kept and kept["distinct_states"] <= SMALL and "cut" not in kept:
                yield design, scope, variants


@of_each(DESIGNS, NOT_CLOSED)
def test_the_closed_design_breaks_only_what_no_repair_is_known_for(design):
    assert isolating.known(design).open == {}


@of_each(DESIGNS, NOT_TOLD)
def test_a_finding_claims_what_breaks_without_its_repair_alone(design):
    known = isolating.known(design)
    assert known.silent == []
    assert known.unlike == {}


@of_each(DESIGNS, NOT_ACCOUNTED)
def test_every_violation_of_the_design_as_written_has_an_isolated_cause_in_that_scope(design):
    assert isolating.known(design).unaccounted == {}


@pytest.mark.parametrize(
    ("design", "scope", "variants"),
    [
        pytest.param(*one, id=f"{one[0].name}-{one[1]}-{len(one[2])}")
        for one in small_explorations()
    ],
)
def test_what_is_kept_is_what_is_explored(design, scope, variants):
    kept = KNOWN[design.name][key_of(scope, variants)]
    changed = design.with_variants(*variants)
    scoped = changed.scope(scope)
    assert kept["identity"] == Kernel(changed, scoped).identity
    if "asked" in kept:
        return
    found = explore(changed, scoped, MemoryExecution, scope_name=scope)
    assert isolation_file.entry_of(found, kept["identity"], ()) == {
        **kept,
        "variants": list(found.variants),
    }
