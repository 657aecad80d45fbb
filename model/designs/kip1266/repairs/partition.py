"""A repair: the keys of a partition that is deleted are tombstoned as well.

In the text its marker stays for ever.
"""

from tierproof.model.designs.kip1266.clean_up import CLEAN_UP, RecordPlace, has_clean_up
from tierproof.model.designs.kip1266.copying import has_begun_to_lead
from tierproof.model.designs.kip1266.ghosts import note_appended
from tierproof.model.designs.kip1266.keys import kind_of
from tierproof.model.designs.kip1266.metadata import has_place_for_metadata, topic_takes_records
from tierproof.model.designs.kip1266.state import Broker, Kind, Topic
from tierproof.model.kafka.compacted_topic import NULL, append, latest
from tierproof.model.language import Variant, guard


def is_last_with_value(state: Topic, n: int) -> bool:
    """Record n has a value, and no later record of its key lies in the topic."""
    record = state.metadata.record[n]
    return record.value != NULL and latest(state.metadata, record.key) == n


@guard
def is_partition_deleted(state: Topic) -> bool:
    """The topic says that the partition is deleted, with all of its segments."""
    return any(
        kind_of(state.metadata.record[n].value) == Kind.DELETE_PARTITION_FINISHED
        and is_last_with_value(state, n)
        for n in range(state.metadata.end)
    )


@guard
def is_partitions_own(state: Topic, place: RecordPlace) -> bool:
    """The record speaks of the partition, and is the last of its key."""
    if place >= state.metadata.end:
        return False
    kind = kind_of(state.metadata.record[place].value)
    return kind >= Kind.DELETE_PARTITION_STARTED and is_last_with_value(state, place)


@guard
def is_nothing_hidden(state: Topic, place: RecordPlace) -> bool:
    """The marker is tombstoned last, since it hides whatever lies before it."""
    if kind_of(state.metadata.record[place].value) != Kind.DELETE_PARTITION_FINISHED:
        return True
    return all(not (n != place and is_last_with_value(state, n)) for n in range(state.metadata.end))


@CLEAN_UP.action(
    guards=[
        has_begun_to_lead,
        has_clean_up,
        is_partition_deleted,
        is_partitions_own,
        is_nothing_hidden,
        topic_takes_records,
        has_place_for_metadata,
    ],
    to="remote_metadata",
)
def leader_tombstones_partition(state: Topic, broker: Broker, place: RecordPlace) -> None:
    """Tombstone what the topic says of a deleted partition: its marker, its highest offsets.

    Kafka: ours; in KIP-1266, scenario 5, the "partition delete marker remains".
    Left out: that nobody leads a partition that is gone; the controller would have to name one.
    """
    append(state.metadata, state.metadata.record[place].key, NULL)


FORGET_PARTITIONS = Variant(
    name="repair_forget_partitions",
    because="the marker of a deleted partition stays for ever",
    add_system=(leader_tombstones_partition,),
    also={leader_tombstones_partition: note_appended},
)
