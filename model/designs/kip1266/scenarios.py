"""The five user scenarios of KIP-1266 as traces, with what its tables promise at each stage.

Epochs count from 0, so the text's epoch 3 is 0 here; ids 0, 1, 2 are its UUID-A, -B, -C, and
end offset 0 its 1000. A last record of another segment lies behind each scenario, since the
active segment is never cleaned. `promised` is the text's "Cache result" after compaction.
"""

from __future__ import annotations

from dataclasses import dataclass

from tierproof.model.designs.kip1266.state import EXPIRING, Kip1266
from tierproof.model.language import Step

SOURCE = "KIP-1266, User Scenario"


def act(action: str, **arguments: int) -> Step:
    """One step, by the name of its action."""
    return Step(action, tuple(arguments.items()))


@dataclass(frozen=True, kw_only=True)
class Stage:
    """Steps, and what the topic holds after them: (end offset, epoch, says, id) of each record.

    The id of a tombstone is left out (NONE), as is the epoch of a partition's marker.
    """

    name: str
    steps: tuple[Step, ...]
    topic: tuple[tuple[int, int, str, int], ...]


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A user scenario; `promised`: the ids that the text's cache result has, and their states."""

    name: str
    title: str
    scope: Kip1266
    stages: tuple[Stage, ...]
    promised: dict[int, str]
    ignoring: tuple[int, ...] = ()

    @property
    def steps(self) -> tuple[Step, ...]:
        """The whole trace."""
        return tuple(step for stage in self.stages for step in stage.steps)


STARTED, FINISHED = "COPY_SEGMENT_STARTED", "COPY_SEGMENT_FINISHED"
DELETING, DELETED = "DELETE_SEGMENT_STARTED", "DELETE_SEGMENT_FINISHED"
TOMBSTONE = "TOMBSTONE"


def start(broker: int = 0) -> Step:
    """COPY_SEGMENT_STARTED of the next segment."""
    return act("copy_task_publishes_started", broker=broker)


def finish(broker: int = 0) -> tuple[Step, ...]:
    """The object, and COPY_SEGMENT_FINISHED."""
    return (
        act("copy_task_stores_object", broker=broker),
        act("copy_task_publishes_finished", broker=broker),
    )


def begin(broker: int = 0) -> Step:
    """A leader's tasks begin."""
    return act("copy_task_begins", broker=broker)


def elect(broker: int) -> tuple[Step, ...]:
    """The broker leads, and knows it."""
    return (
        act("controller_elects_leader", leader=broker),
        act("broker_learns_leader", broker=broker),
    )


def clean(end: int, late: bool = False) -> Step:
    """The cleaner works on the first records."""
    return act("cleaner_cleans", clean_end=end, is_late=late)


def read(broker: int, count: int) -> tuple[Step, ...]:
    """A broker reads some records."""
    return (act("broker_reads_metadata", broker=broker),) * count


def scope(**bounds: int) -> Kip1266:
    """Bounds for a scenario: two segments, the first of which it is about."""
    return Kip1266(**{"brokers": 1, "offsets": 2, "leader_epochs": 1, "topic_records": 16} | bounds)


NORMAL = Scenario(
    name="normal_copy",
    title="Scenario 1: Normal Segment Upload",
    scope=scope(segment_ids=2, restarts=1),
    stages=(
        Stage(name="T1", steps=(begin(), start()), topic=((0, 0, STARTED, 0),)),
        Stage(name="T2", steps=finish(), topic=((0, 0, STARTED, 0), (0, 0, FINISHED, 0))),
        Stage(
            name="after compaction",
            steps=(start(), clean(2)),
            topic=((0, 0, FINISHED, 0), (1, 0, STARTED, 1)),
        ),
    ),
    promised={0: FINISHED},
    ignoring=(1,),
)

LEADERSHIP = Scenario(
    name="leadership_change",
    title="Scenario 2: Leadership Change During Upload",
    scope=scope(brokers=2, segment_ids=3, restarts=1, elections=2),
    stages=(
        Stage(name="T1", steps=(begin(), start()), topic=((0, 0, STARTED, 0),)),
        Stage(
            name="T2, T3",
            steps=(*elect(1), begin(1), start(1)),
            topic=((0, 0, STARTED, 0), (0, 1, STARTED, 1)),
        ),
        Stage(
            name="T4, T5",
            steps=(*finish(0), *finish(1)),
            topic=(
                (0, 0, STARTED, 0),
                (0, 1, STARTED, 1),
                (0, 0, FINISHED, 0),
                (0, 1, FINISHED, 1),
            ),
        ),
        Stage(
            name="after compaction",
            steps=(start(1), clean(4)),
            topic=((0, 0, FINISHED, 0), (0, 1, FINISHED, 1), (1, 1, STARTED, 2)),
        ),
    ),
    promised={0: FINISHED, 1: FINISHED},
    ignoring=(2,),
)

RETRY = Scenario(
    name="failed_copy",
    title="Scenario 3: Failed Upload Under the Same Leader Epoch",
    scope=scope(segment_ids=3, restarts=1, failed_copies=1),
    stages=(
        Stage(name="T1", steps=(begin(), start()), topic=((0, 0, STARTED, 0),)),
        Stage(
            name="T2, T3",
            steps=(act("store_defers_copy", broker=0, is_stored=True), start()),
            topic=((0, 0, STARTED, 0), (0, 0, STARTED, 1)),
        ),
        Stage(
            name="T4",
            steps=finish(),
            topic=((0, 0, STARTED, 0), (0, 0, STARTED, 1), (0, 0, FINISHED, 1)),
        ),
        Stage(
            name="after compaction",
            steps=(start(), clean(3)),
            topic=((0, 0, FINISHED, 1), (1, 0, STARTED, 2)),
        ),
    ),
    promised={1: FINISHED},
    ignoring=(2,),
)

THREE_COPIES = (
    begin(),
    start(),
    *elect(1),
    begin(1),
    start(1),
    *elect(2),
    begin(2),
    start(2),
    *finish(0),
    *finish(1),
    *finish(2),
)
DELETION = Scenario(
    name="segment_deletion",
    title="Scenario 4: Segment Deletion",
    scope=scope(brokers=3, segment_ids=4, elections=4, restarts=1, topic_records=16),
    stages=(
        Stage(
            name="initial state",
            steps=(*THREE_COPIES, *elect(0), *read(0, 2), start(0), clean(6)),
            topic=(
                (0, 0, FINISHED, 0),
                (0, 1, FINISHED, 1),
                (0, 2, FINISHED, 2),
                (1, 3, STARTED, 3),
            ),
        ),
        Stage(
            name="T1 to T4",
            steps=(
                act("retention_passes"),
                act("expiration_task_chooses_segment", broker=0, segment=2),
                act("task_publishes_delete_started", broker=0, thread=EXPIRING),
                act("task_deletes_object", broker=0, thread=EXPIRING),
                act("task_publishes_delete_finished", broker=0, thread=EXPIRING),
            ),
            topic=(
                (0, 0, FINISHED, 0),
                (0, 1, FINISHED, 1),
                (0, 2, FINISHED, 2),
                (1, 3, STARTED, 3),
                (0, 3, DELETING, 2),
                (0, 3, DELETED, 2),
            ),
        ),
        Stage(
            name="T5 to T8, after compaction",
            steps=(
                *(act("broker_publishes_tombstone", broker=0),) * 4,
                *finish(0),
                *read(1, 9),
                *read(2, 8),
                clean(10),
            ),
            topic=(
                (1, 3, STARTED, 3),
                (0, 0, TOMBSTONE, -1),
                (0, 1, TOMBSTONE, -1),
                (0, 2, TOMBSTONE, -1),
                (0, 3, TOMBSTONE, -1),
                (1, 3, FINISHED, 3),
            ),
        ),
        Stage(
            name="24 hours later",
            steps=(clean(5, True),),
            topic=((1, 3, STARTED, 3), (1, 3, FINISHED, 3)),
        ),
    ),
    promised={},
    ignoring=(3,),
)

PARTITION = Scenario(
    name="partition_deletion",
    title="Scenario 5: Partition Deletion",
    scope=scope(offsets=1, segment_ids=1, restarts=1, deletions=1),
    stages=(
        Stage(
            name="T1",
            steps=(
                begin(),
                start(),
                *finish(),
                act("user_deletes_topic"),
                act("leader_publishes_partition_started", broker=0),
            ),
            topic=(
                (0, 0, STARTED, 0),
                (0, 0, FINISHED, 0),
                (1, -1, "DELETE_PARTITION_STARTED", -1),
            ),
        ),
        Stage(
            name="T2, after compaction",
            steps=(
                act("expiration_task_chooses_segment", broker=0, segment=0),
                act("task_publishes_delete_started", broker=0, thread=EXPIRING),
                act("task_deletes_object", broker=0, thread=EXPIRING),
                act("task_publishes_delete_finished", broker=0, thread=EXPIRING),
                act("broker_publishes_tombstone", broker=0),
                act("leader_publishes_partition_finished", broker=0),
                clean(6),
                clean(2, True),
            ),
            topic=(
                (1, -1, "DELETE_PARTITION_STARTED", -1),
                (1, -1, "DELETE_PARTITION_FINISHED", -1),
            ),
        ),
    ),
    promised={},
)

SCENARIOS = (NORMAL, LEADERSHIP, RETRY, DELETION, PARTITION)
