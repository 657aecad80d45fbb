"""A leader that knows all metadata serves all that is committed."""

from __future__ import annotations

from tierproof.invariants.fields import Partition
from tierproof.invariants.vocabulary import current_leader, is_led, is_readable_from_log_start
from tierproof.model.language import guard, invariant


@guard
def is_leader_informed(state: Partition) -> bool:
    """A broker leads and knows it, and has read the metadata topic to its end."""
    if not is_led(state):
        return False
    return state.broker[current_leader(state)].metadata_position >= state.metadata_end


@invariant(source="KIP-405: Cover, where nothing lags", premise=is_leader_informed)
def informed_leader_serves_committed_records(state: Partition) -> bool:
    """A leader that has read all metadata serves every committed offset from its log start on.

    Unlike `committed_records_stay_readable` no lag of a reader breaks it: what it finds is missing
    for good. Kafka believes it because the metadata topic never loses a record. Not checked: what
    the record contains (`reads_return_what_was_committed`).
    """
    return is_readable_from_log_start(state, current_leader(state))
