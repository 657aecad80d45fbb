"""What a property expects a broker to recover is what the design then recovers.

`making_a_snapshot_changes_no_recovery` has functions of its own that say what would be known after
a restart or a truncation. Here each of these happens, in every state of small scopes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from tierproof.invariants.recovered_producers import (
    entry_after_crash,
    entry_after_shutdown,
    entry_after_truncation,
    known_entry,
)
from tierproof.model.designs import kip405_producers, kip952
from tierproof.model.designs.kip405_producers.replicating import truncate_follower_and_producers
from tierproof.model.designs.kip405_producers.restarting import load_log_and_producers, shut_down
from tierproof.model.language import Design, Interpreter, Scope

SHIPPED, PROPOSED = kip405_producers.DESIGN, kip952.DESIGN
SMALL: dict[str, tuple[Design, Scope]] = {
    "segments are copied": (SHIPPED, SHIPPED.scope("smoke").replace(offsets=2, old_end=0)),
    "there is no snapshot": (SHIPPED, SHIPPED.scope("smoke").replace(old_end=2)),
    "an empty one is made": (PROPOSED, PROPOSED.scope("smoke").replace(offsets=2)),
    "an empty one is found at the restart": (
        PROPOSED.with_variant("text_snapshot_is_found_at_restart"),
        PROPOSED.scope("smoke").replace(offsets=2),
    ),
    "a marker is written": (
        SHIPPED,
        SHIPPED.scope("smoke").replace(
            producers=1, appends=1, is_transactional=1, markers=1, epoch_bumps=1, producer_epochs=2
        ),
    ),
    "batches are not committed": (
        SHIPPED,
        SHIPPED.scope("truncation").replace(elections=0, shrinks=0, retries=0, segment_bytes=3),
    ),
}


def states_of(design: Design, scope: Scope) -> Iterator[Any]:
    """Every state of a scope."""
    interpreter = Interpreter(design, scope)
    pending = interpreter.initial_states()
    visited = set(pending)
    while pending:
        state = pending.pop()
        yield state
        for _, after in interpreter.successors(state):
            if after not in visited:
                visited.add(after)
                pending.append(after)


def recovers(state: Any, broker: int, recover: Callable[[Any], None]) -> list[tuple[int, int]]:
    """What the broker knows of each producer after a recovery."""
    log = state.copy_for("a recovery").broker[broker]
    recover(log)
    return [known_entry(entry) for entry in log.producer]


def crash(log: Any) -> None:
    """The broker crashes and starts."""
    load_log_and_producers(log)


def restart_cleanly(log: Any) -> None:
    """The broker shuts down and starts."""
    shut_down(log)
    load_log_and_producers(log)


@pytest.mark.parametrize("name", SMALL)
def test_a_recovery_leads_to_the_entries_that_the_property_expects(name: str) -> None:
    tried = 0
    for state in states_of(*SMALL[name]):
        for b, log in enumerate(state.broker):
            producers = range(len(log.producer))
            assert recovers(state, b, crash) == [entry_after_crash(log, p) for p in producers]
            assert recovers(state, b, restart_cleanly) == [
                entry_after_shutdown(log, p) for p in producers
            ]
            for end in range(log.high_watermark, log.log_end_offset):
                tried += 1
                truncate = partial(truncate_follower_and_producers, offset=end)
                assert recovers(state, b, truncate) == [
                    entry_after_truncation(log, p, end) for p in producers
                ]
    assert (tried > 0) == (name == "batches are not committed")
