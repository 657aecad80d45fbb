"""Kafka's designs, too, are the same interpreted and compiled."""

import sys

import numpy as np
import pytest

from tests.agreement.side_by_side import SideBySide
from tierproof.model.designs import (
    kip405,
    kip405_faults,
    kip405_producers,
    kip950,
    kip950_early,
    kip950_zookeeper,
    kip952,
    kip1266,
    kip1272,
)
from tierproof.model.designs.kip950_early.scopes import SMOKE
from tierproof.model.language import Design, Interpreter, Scope, State
from tierproof.model.language.properties import PropertyKind
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.search import Search, explore

DISABLED_ONCE = SMOKE.replace(
    config_changes=1, requests=1, duplicate_requests=0, metadata_records=2
)
PRODUCERS = kip405_producers.DESIGN
SMALL = {
    "kip950": (
        kip950.DESIGN,
        kip950.DESIGN.scope("settings").replace(config_changes=1, all_settings=0, failed_deletes=1),
    ),
    "kip405": (
        kip405.DESIGN,
        kip405.DESIGN.scope("smoke").replace(elections=0, clock_ms=0, restarts=1),
    ),
    "kip405_faults lost": (
        kip405_faults.DESIGN.with_variant("kafka_19858_one_replica_acknowledges"),
        kip405_faults.DESIGN.scope("lost_metadata"),
    ),
    "kip405_faults hung": (kip405_faults.DESIGN, kip405_faults.DESIGN.scope("hung_copy_of_two")),
    "kip405_faults": (kip405_faults.DESIGN, kip405_faults.DESIGN.scope("default")),
    "kip950_early_kraft": (kip950_early.KRAFT, DISABLED_ONCE.replace(metadata_records=1)),
    "kip950_early_kraft copied": (kip950_early.KRAFT, DISABLED_ONCE),
    "kip950_early_zookeeper": (kip950_early.ZOOKEEPER, DISABLED_ONCE),
    "kip950_zookeeper": (kip950_zookeeper.DESIGN, DISABLED_ONCE),
    "kip1272": (kip1272.DESIGN, kip1272.DESIGN.scope("transactions")),
    "kip1272 merging": (kip1272.DESIGN, kip1272.DESIGN.scope("merging")),
    "kip1272 repaired": (
        kip1272.DESIGN.with_variant("repair_all"),
        kip1272.DESIGN.scope("disk"),
    ),
    "kip405_producers": (PRODUCERS, PRODUCERS.scope("smoke")),
    "kip405_producers restarted": (
        PRODUCERS,
        PRODUCERS.scope("restart").replace(leader_epochs=2, appends=0, sequences=2, shutdowns=0),
    ),
    "kip405_producers built on the remote tier": (
        PRODUCERS,
        PRODUCERS.scope("followers").replace(offsets=2, appends=0, retries=0),
    ),
    "kip405_producers with transactions": (
        PRODUCERS,
        PRODUCERS.scope("smoke").replace(
            producers=1, appends=1, is_transactional=1, markers=1, epoch_bumps=1, producer_epochs=2
        ),
    ),
    "kip405_producers repaired": (
        PRODUCERS.with_variant("repair_all"),
        PRODUCERS.scope("enabling"),
    ),
    "kip1266 repaired": (
        kip1266.DESIGN.with_variant("repair_all"),
        kip1266.DESIGN.scope("smoke").replace(offsets=1, restarts=0, failed_copies=0),
    ),
    "kip952": (kip952.DESIGN, kip952.DESIGN.scope("smoke").replace(offsets=2)),
}


def counted(design: Design, scope: Scope) -> tuple[int, int, set[str]]:
    """Distinct states, generated states and violated invariants and step properties, in CPython."""
    interpreter = Interpreter(design, scope)
    pending = interpreter.initial_states()
    visited, generated = set(pending), len(pending)
    violated: set[str] = set()
    while pending:
        state = pending.pop()
        violated |= {entry.name for entry in interpreter.violated_in(state)}
        for step, after in interpreter.successors(state):
            generated += 1
            violated |= {entry.name for entry in interpreter.violated_by(state, step, after)}
            if after not in visited:
                visited.add(after)
                pending.append(after)
    return len(visited), generated, violated


def compared(design: Design, scope: Scope) -> set[str]:
    """Both executions count the same and find the same; the names of what is violated."""
    distinct, generated, violated = counted(design, scope)
    result = explore(design, scope, MemoryExecution)
    assert (result.distinct_states, result.generated_states) == (distinct, generated)
    claimed = {e.name for e in design.properties if e.kind is not PropertyKind.LIVENESS}
    broken = {entry.name for entry in result.properties if entry.occurrences}
    assert broken & claimed == violated
    return violated


LARGER = {
    "kip405",
    "kip405_faults",
    "kip950",
    "kip950_early_kraft",
    "kip950_early_kraft copied",
    "kip950_early_zookeeper",
    "kip950_zookeeper",
    "kip1272",
    "kip1272 merging",
    "kip1266 repaired",
    "kip1272 repaired",
    "kip405_producers restarted",
    "kip405_producers built on the remote tier",
}
"""They take CPython long: by default it follows SPREAD of their states, and not all."""
SPREAD = 24


def spread_states(kernel: Kernel) -> list[State]:
    """Some reachable states, from the initial ones to the deepest."""
    execution = MemoryExecution(kernel, 1)
    Search(kernel, execution).run()
    words = np.concatenate(execution.states())
    return [kernel.unpack(one) for one in words[:: max(1, len(words) // SPREAD)]]


@pytest.mark.parametrize(
    "name",
    [pytest.param(one, marks=[pytest.mark.slow] if one in LARGER else []) for one in SMALL],
)
def test_a_design_of_kafka_has_the_same_counts_and_verdicts_in_both_executions(name):
    compared(*SMALL[name])


@pytest.mark.parametrize("name", sorted(LARGER))
def test_compiled_code_says_of_states_of_a_large_scope_what_cpython_says(name):
    design, scope = SMALL[name]
    both = SideBySide(design, scope, sys.modules[design.state.__module__])
    chosen = spread_states(both.kernel)
    assert both.compare_all(chosen).steps > len(chosen) >= SPREAD
