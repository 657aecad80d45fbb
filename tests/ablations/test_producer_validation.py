"""Each part of a leader's validation of batches holds a property of producers."""

import pytest

from tierproof.model.designs.kip405_producers import DESIGN
from tierproof.model.kafka.producer_state import ProducerEntry
from tierproof.model.kafka.producer_validation import duplicate_of, is_fenced, is_next_sequence
from tierproof.model.language import NONE, Design, Edit, Scope
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.results import Verdict
from tierproof.spark_explorer.search import explore

FOLLOWERS_KEEP = "repair_followers_keep_the_snapshot"
"""Without it the properties do not hold to begin with."""
KNOWN = DESIGN.scope("requests").replace(offsets=5, producers=1, sequences=4)
"""One producer, which the leader knows, has two batches in flight."""
ZOMBIES = DESIGN.scope("zombies")


def is_any_sequence(entry: ProducerEntry, epoch: int, first_sequence: int) -> bool:
    """The sequence is not compared."""
    return True


def never_duplicate(
    entry: ProducerEntry, epoch: int, first_sequence: int, last_sequence: int
) -> int:
    """No batch is remembered."""
    return NONE


def is_never_fenced(entry: ProducerEntry, epoch: int) -> bool:
    """A lower epoch is accepted."""
    return False


NO_SEQUENCES = Edit(define={is_next_sequence: is_any_sequence})
NO_MEMORY = Edit(define={duplicate_of: never_duplicate})
NEITHER = Edit(define={is_next_sequence: is_any_sequence, duplicate_of: never_duplicate})
NO_EPOCHS = Edit(define={is_fenced: is_never_fenced})


def changed(change: Edit) -> Design:
    """The repaired design without a part of the validation."""
    repaired = DESIGN.with_variants(FOLLOWERS_KEEP)
    return repaired.derive(name="ablated", title="Without a part", change=change)


def broken(design: Design, scope: Scope) -> set[str]:
    """The safety properties that the design breaks in a scope."""
    result = explore(design, scope, MemoryExecution)
    return {entry.name for entry in result.properties if entry.verdict is Verdict.VIOLATED}


@pytest.mark.parametrize(
    ("change", "scope", "name"),
    [
        (NO_SEQUENCES, KNOWN, "committed_sequences_have_no_gap"),
        (NEITHER, KNOWN, "each_batch_is_committed_once"),
        (NO_EPOCHS, ZOMBIES, "committed_producer_epochs_never_decrease"),
    ],
    ids=["sequences", "sequences and memory", "epochs"],
)
def test_without_a_part_of_the_validation_a_property_breaks(change: Edit, scope: Scope, name: str):
    assert name in broken(changed(change), scope)


@pytest.mark.parametrize("scope", [KNOWN, ZOMBIES], ids=["two in flight", "zombies"])
def test_with_every_part_of_the_validation_all_properties_hold(scope: Scope):
    assert broken(DESIGN.with_variants(FOLLOWERS_KEEP), scope) == set()


def test_without_its_memory_a_leader_refuses_a_duplicate_by_its_sequence():
    """The remembered batches serve the client, which would not know that its batch is there."""
    assert broken(changed(NO_MEMORY), KNOWN) == set()
