"""What was accepted, and what the broker remembered when it stopped. The actions never read it."""

from tierproof.model.designs.producer_state.state import ProducerPartition
from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.producer_entries import batch_last_sequence, forget_entry
from tierproof.model.kafka.scope import Offset
from tierproof.model.language import NONE, history, history_before


def note_accepted(state: ProducerPartition) -> None:
    """The batches in the log were accepted at their offsets."""
    for base in range(state.log.log_end_offset):
        batch = state.log.batch[base]
        if batch.kind == BatchKind.DATA and batch.producer != NONE:
            noted = state.accepted[base]
            noted.producer = batch.producer
            noted.epoch = batch.epoch
            noted.first_sequence = batch.first_sequence
            noted.last_sequence = batch_last_sequence(batch, base)


def note_truncated(state: ProducerPartition, offset: Offset) -> None:
    """What was at the offset and after it was not committed."""
    for at in range(offset, len(state.accepted)):
        noted = state.accepted[at]
        noted.producer = NONE
        noted.epoch = NONE
        noted.first_sequence = NONE
        noted.last_sequence = NONE


def remember_entries(state: ProducerPartition) -> None:
    """What the broker knows of producers as it stops."""
    for producer in range(len(state.remembered)):
        state.remembered[producer] = state.log.producer[producer]


def forget_remembered(state: ProducerPartition) -> None:
    """It has started; the ghost is no longer needed."""
    for entry in state.remembered:
        forget_entry(entry)


NOTED_AFTER = history(
    leader_appends_batch=note_accepted,
    follower_appends_batch=note_accepted,
    follower_truncates=note_truncated,
    follower_truncates_fully=note_truncated,
    follower_rebuilds=note_truncated,
    broker_loads_log=forget_remembered,
    broker_recovers_log=forget_remembered,
)
NOTED_BEFORE = history_before(
    broker_shuts_down=remember_entries,
    broker_crashes=remember_entries,
)
NOTES = (NOTED_AFTER, NOTED_BEFORE)
