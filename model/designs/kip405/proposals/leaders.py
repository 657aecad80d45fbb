"""A proposal against a replaced leader: its expiration task stops where a newer one has published.

The metadata records of the state have no leader epoch. The variant puts that of the publisher
into the epochs that are stored with the object, behind the segment's end: only it looks there.
"""

from tierproof.model.designs.kip405.copying import copy_publishes_started
from tierproof.model.designs.kip405.expiring import (
    expiration_task_plans_old_epochs,
    expiration_task_plans_retention,
    forget_plan,
)
from tierproof.model.designs.kip405.rebuilding import follower_builds_on_remote_tier
from tierproof.model.designs.kip405.state import Partition, RunStep
from tierproof.model.kafka.leader_epoch_lineage import latest_epoch
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import NONE, Variant


def note_publisher(state: Partition, segment: int) -> None:
    """BrokerLeaderEpoch of COPY_SEGMENT_STARTED, which each broker reads first.

    Later records of the id may have a later one, and stop the run sooner.
    """
    copy = state.segment[segment]
    published = state.broker[copy.copier].leader_epoch
    if published > latest_epoch(copy.epoch_index):
        copy.epoch_index[published] = copy.end_offset + 1


def drop_publishers(state: Partition, follower: int) -> None:
    """The epochs that are stored with the object do not go past the segment's end."""
    log = state.broker[follower]
    for epoch in range(len(log.lineage)):
        if log.lineage[epoch] == log.log_end_offset:
            log.lineage[epoch] = NONE


def lists_newer_leader(state: Partition, broker: int) -> bool:
    """The broker lists a segment of which a leader of a later epoch has published a record."""
    log = state.broker[broker]
    return any(
        log.cache.state[i] != SegmentState.ABSENT
        and latest_epoch(state.segment[i].epoch_index) > log.leader_epoch
        for i in range(len(state.segment))
    )


def plan_nothing_behind_newer_leader(state: Partition, broker: int) -> None:
    """RLMExpirationTask lists a record of a newer leader: the run deletes nothing."""
    if lists_newer_leader(state, broker):
        forget_plan(state.broker[broker])


def end_behind_newer_leader(state: Partition, broker: int) -> None:
    """The same for segments of epochs before the earliest: the run ends."""
    if lists_newer_leader(state, broker):
        forget_plan(state.broker[broker])
        state.broker[broker].is_run_cancelled = False
        state.broker[broker].run_step = RunStep.IDLE


STOP_BEHIND_NEWER_LEADER = Variant(
    name="proposal_expiration_stops_behind_a_newer_leader",
    because="a replaced leader deletes by its own epochs what the present leader has copied",
    also={
        copy_publishes_started: note_publisher,
        follower_builds_on_remote_tier: drop_publishers,
        expiration_task_plans_retention: plan_nothing_behind_newer_leader,
        expiration_task_plans_old_epochs: end_behind_newer_leader,
    },
)
