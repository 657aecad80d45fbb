"""Ghosts: what the properties of a compacted topic compare with it.

`truth` is what a broker would know that had read every record ever appended, up to `noted_end`;
`replayed` what one knows that reads the topic as it is. `tombstoned_keys` are those that had a
tombstone; `was_writer_elected`: the last writer led in the latest epoch.
"""

from tierproof.model.designs.kip1266.metadata import apply_to_cache
from tierproof.model.designs.kip1266.state import Broker, Topic
from tierproof.model.kafka.compacted_topic import NULL
from tierproof.model.kafka.remote_metadata_cache import forget_all
from tierproof.model.language import history


def note_appended(state: Topic, broker: Broker) -> None:
    """The broker has appended the records from `noted_end` on."""
    writer = state.broker[broker]
    state.was_writer_elected = state.elected_leader == broker and writer.term == state.leader_epoch
    for n in range(state.noted_end, state.metadata.end):
        apply_to_cache(state, state.truth, n)
        if state.metadata.record[n].value == NULL:
            state.tombstoned_keys[state.metadata.record[n].key] = True
    note_removed(state)


def note_removed(state: Topic) -> None:
    """Read the topic as it is now from its beginning."""
    state.noted_end = state.metadata.end
    forget_all(state.replayed)
    for n in range(state.metadata.end):
        apply_to_cache(state, state.replayed, n)


NOTES = history(
    copy_task_publishes_started=note_appended,
    copy_task_publishes_finished=note_appended,
    task_publishes_delete_started=note_appended,
    task_publishes_delete_finished=note_appended,
    broker_publishes_tombstone=note_appended,
    clean_up_publishes_tombstone=note_appended,
    leader_publishes_partition_started=note_appended,
    leader_publishes_partition_finished=note_appended,
    cleaner_cleans=note_removed,
)
