"""What the mails of KIP-1272 propose where that is not our repair: other changes, same causes."""

from tierproof.invariants.vocabulary import is_due
from tierproof.model.designs.kip405.actors import BROKER
from tierproof.model.designs.kip405.expiring import expiration_task_plans_retention
from tierproof.model.designs.kip405.leadership import broker_learns_leader
from tierproof.model.designs.kip405.metadata import has_place_for_metadata
from tierproof.model.designs.kip405.redefined import TASK_DECIDES
from tierproof.model.designs.kip405.repairs.counting import COUNT_FROM_LOG_START
from tierproof.model.designs.kip405.repairs.fencing import (
    FENCE_EPOCHS,
    deletes_as_leader,
    deletes_as_zombie,
    finishes_as_leader,
    finishes_as_zombie,
    is_copied_by_the_leader,
    is_copy_current,
    is_copy_stale,
)
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip1272.actors import CLEANER
from tierproof.model.designs.kip1272.cleaning import (
    cleaner_cleans_group,
    end_of_group,
    has_group_to_clean,
)
from tierproof.model.designs.kip1272.mapping import (
    chunk_bytes,
    chunk_end,
    cleaner_builds_offset_map,
    cleans_remote,
    end_pass,
    first_dirty_offset,
    first_uncleanable_offset,
    fits,
    log_start_for_cleaner,
    total_bytes,
)
from tierproof.model.designs.kip1272.repairs import (
    COUNT_AS_COPYING,
    READ_TO_END,
    fits_or_is_first,
    is_due_or_unfinished,
    is_unfinished,
    plan_unfinished,
)
from tierproof.model.designs.kip1272.state import CleanerStep, CompactedPartition, CompactedTopic
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.kafka.segment_versions import LOCAL, bytes_served, record_in, source_of
from tierproof.model.language import NONE, Variant, fence, guard

# -- a new leader publishes its epoch, and later records of lower epochs are ignored


def has_epoch_to_publish(state: CompactedTopic, broker: int) -> bool:
    """The broker leads, and has not published its epoch: it waits for a record that has no place.

    Its cache answers nothing until then. A topic without a place is one to which nobody publishes.
    """
    log = state.broker[broker]
    is_waiting = log.metadata_assigned_end == len(state.metadata_topic)
    return presumes_to_lead(state, broker) and is_waiting and not log.cache.is_initialized


def wait_for_own_epoch(state: CompactedTopic, broker: int) -> None:
    """A new leader acts only once it has read its epoch, which it has not published yet."""
    log = state.broker[broker]
    if presumes_to_lead(state, broker) and log.is_metadata_assigned:
        log.metadata_assigned_end = len(state.metadata_topic)
        log.cache.is_initialized = False


@guard
def is_epoch_unpublished(state: CompactedTopic, broker: Broker) -> bool:
    """The broker leads, and has not published its epoch."""
    return has_epoch_to_publish(state, broker)


@BROKER.action(guards=[is_epoch_unpublished, has_place_for_metadata], to="remote_metadata")
def leader_publishes_epoch(state: CompactedTopic, broker: Broker) -> None:
    """Publish the epoch in which the broker leads.

    The record takes no place in the topic here: its place is `metadata_assigned_end`, and the
    leader has read it once it has read what lies before.

    Kafka: ours: a new type of RemoteLogMetadata.
    """
    log = state.broker[broker]
    log.metadata_assigned_end = state.metadata_end
    log.cache.is_initialized = log.metadata_position >= state.metadata_end


def has_later_epoch(state: CompactedTopic, epoch: int) -> bool:
    """The topic has a record of a higher epoch: every cache ignores later records of this one.

    That is the same for every reader, as it follows from the order of the topic.
    """
    return any(
        state.broker[b].leader_epoch > epoch
        and presumes_to_lead(state, b)
        and not has_epoch_to_publish(state, b)
        for b in range(len(state.broker))
    )


def epoch_of_copy(state: CompactedTopic, segment: int) -> int:
    """The epoch in which the copy began, or the pass that it is of.

    A copy of the copy task that began before an election is a cancelled one (`cancel_threads`).
    """
    copy = state.segment[segment]
    log = state.broker[copy.copier]
    if copy.is_cleaned:
        return log.cleaner_epoch
    return log.leader_epoch - 1 if copy.is_cancelled else log.leader_epoch


def epoch_of_run(state: CompactedTopic, broker: int) -> int:
    """The epoch in which the run of the expiration task began."""
    log = state.broker[broker]
    return log.leader_epoch - 1 if log.is_run_cancelled else log.leader_epoch


@guard
def is_copy_heeded(state: CompactedTopic, segment: SegmentId) -> bool:
    """The metadata topic has no higher epoch than that of the copy.

    Behind a higher one a record changes no cache, so it is as if it were not published.
    """
    return not has_later_epoch(state, epoch_of_copy(state, segment))


@guard
def is_copy_ignored(state: CompactedTopic, segment: SegmentId) -> bool:
    """The metadata topic has a higher epoch than that of the copy."""
    return has_later_epoch(state, epoch_of_copy(state, segment))


@guard
def is_deletion_heeded(state: CompactedTopic, broker: Broker) -> bool:
    """The metadata topic has no higher epoch than that of the run.

    Behind a higher one a record changes no cache, so it is as if it were not published.
    """
    return not has_later_epoch(state, epoch_of_run(state, broker))


@guard
def is_deletion_ignored(state: CompactedTopic, broker: Broker) -> bool:
    """The metadata topic has a higher epoch than that of the run."""
    return has_later_epoch(state, epoch_of_run(state, broker))


PUBLISH_EPOCH = Variant(
    name="proposal_new_leader_publishes_its_epoch",
    because="nothing in the metadata topic says which of two publishers leads",
    parts=(FENCE_EPOCHS,),
    test={
        is_copied_by_the_leader: is_copy_heeded,
        is_copy_current: is_copy_heeded,
        is_copy_stale: is_copy_ignored,
        deletes_as_leader: is_deletion_heeded,
        deletes_as_zombie: is_deletion_ignored,
        finishes_as_leader: is_deletion_heeded,
        finishes_as_zombie: is_deletion_ignored,
    },
    also={broker_learns_leader: wait_for_own_epoch},
    add_system=(leader_publishes_epoch,),
    after=(READ_TO_END,),
)
"""The fence on epochs asks the metadata topic in place of the controller.

Not enough for three claims, which ask whom the controller has elected, while the old leader
counts until the new one's record is in the topic: `only_the_leader_publishes_copies`,
`only_the_leader_deletes`, `accepted_claims_are_of_leaders`. What readers see holds.

With the epoch of the publisher, and not of the work, a pass that began as leader goes on as a
follower's in the new epoch: `leaders_claims_are_never_rejected` breaks, too."""

# -- the expiration task deletes copies of its own broker that a crash has cut off


def is_cut_off(state: CompactedTopic, broker: int, id: int) -> bool:
    """The cache has COPY_SEGMENT_STARTED of an id that no thread of this broker copies.

    What is no longer in segmentIdsBeingCopied does not come back, so if two runs in a row have
    not found it there, the second one lists it after its upload has ended: one look stands for
    both. A record also has its brokerId, which the state lacks: that is exact for one broker,
    and of several it spares those copies of others that still run.
    """
    log = state.broker[broker]
    is_started = log.cache.state[id] == SegmentState.COPY_SEGMENT_STARTED
    is_of_another = state.segment[id].copier not in (NONE, broker)
    return is_started and id not in log.copying and not is_of_another


DELETE_CUT_OFF = Variant(
    name="proposal_delete_own_copies_that_were_cut_off",
    because="a crash amid a copy leaves an object that nobody deletes before retention",
    parts=(COUNT_AS_COPYING,),
    also={expiration_task_plans_retention: plan_unfinished},
    define={is_due: is_due_or_unfinished, is_unfinished: is_cut_off},
    redefines={is_due: TASK_DECIDES, is_unfinished: TASK_DECIDES},
)

# -- the dirty ratio as it is today


def clean_and_cleanable_bytes(state: CompactedTopic, broker: int) -> int:
    """ "cleanBytes + cleanableBytes", over both tiers, each offset once.

    Kafka: LogToClean, which has no part for what lies above the first uncleanable offset.
    """
    start = log_start_for_cleaner(state, broker)
    return bytes_served(state, broker, start, first_uncleanable_offset(state.broker[broker]))


RATIO_OF_TODAY = Variant(
    name="proposal_ratio_of_clean_and_cleanable_bytes",
    because="what is in both tiers counts twice, so that half of the log is never dirty",
    define={total_bytes: clean_and_cleanable_bytes},
)

# -- a chunk has a segment, and the disk has room for it


def bytes_to_download(
    state: CompactedTopic, broker: int, start_offset: int, end_offset: int
) -> int:
    """The bytes between two offsets that are only remote."""
    found = 0
    for offset in range(start_offset, end_offset):
        source = source_of(state, broker, offset)
        if source not in (NONE, LOCAL):
            found += record_in(state, broker, source, offset).bytes
    return found


def chunk_to_download(state: CompactedTopic, broker: int, end_offset: int) -> int:
    """The bytes of a chunk that are only remote; a follower's cleaner downloads nothing."""
    if not cleans_remote(state, broker):
        return 0
    return bytes_to_download(state, broker, first_dirty_offset(state, broker), end_offset)


@fence(stays="a pass that has no room for its chunk has none for its first group either")
def has_room_for_chunk(state: CompactedTopic, broker: Broker, scope: CompactedPartition) -> bool:
    """The disk has room for the segments of the next chunk that are only remote.

    Else the cleaner warns, and chooses another log: a chunk of one segment may have any size.
    """
    end = chunk_end(state, broker, chunk_bytes(scope))
    return chunk_to_download(state, broker, end) <= scope.disk_bytes


def fits_on_disk(state: CompactedTopic, broker: int, scope: CompactedPartition) -> bool:
    """The disk has room for the chunk, and beside it for the output of the next group.

    The output is no larger than the group. Of a group what does not belong to the chunk comes
    "from the InputStream from RemoteStorageManager.fetchLogSegment()", and takes no room.
    """
    log = state.broker[broker]
    end = end_of_group(state, broker, scope.segment_bytes)
    needed = bytes_served(state, broker, log.group_start, end)
    if log.cleans_remote:
        dirty = first_dirty_offset(state, broker)
        needed += bytes_to_download(state, broker, dirty, log.map_end)
    return needed <= scope.disk_bytes


@fence(stays="it keeps cleaner_stays_within_its_disk on a smaller disk than that of the scope")
def has_room_for_group(state: CompactedTopic, broker: Broker, scope: CompactedPartition) -> bool:
    """The disk has room for the next group beside the chunk.

    Else the output of a chunk that is larger than a third of the free disk may fill it up.
    """
    return fits_on_disk(state, broker, scope)


@guard
def lacks_room_for_group(state: CompactedTopic, broker: Broker, scope: CompactedPartition) -> bool:
    """The disk has no room for the next group beside the chunk."""
    return not fits_on_disk(state, broker, scope)


@CLEANER.action(
    CleanerStep.MAP_BUILT, CleanerStep.IDLE, guards=[has_group_to_clean, lacks_room_for_group]
)
def cleaner_stops_without_room(state: CompactedTopic, broker: Broker) -> None:
    """Warn, and end the pass without a checkpoint; another log is chosen until there is room.

    Kafka: ours: Cleaner#cleanSegments.
    """
    end_pass(state.broker[broker])


ONE_SEGMENT_WITH_ROOM = Variant(
    name="proposal_one_segment_is_a_chunk_if_there_is_room",
    because="a segment larger than the chunk size fits into no chunk, and the disk may be full",
    define={fits: fits_or_is_first},
    fence={
        cleaner_builds_offset_map: has_room_for_chunk,
        cleaner_cleans_group: has_room_for_group,
    },
    add_system=(cleaner_stops_without_room,),
)
"""With room for what is downloaded alone `cleaner_stays_within_its_disk` breaks if disk_bytes is 1
and all is remote (local_start is 2): the chunk fills the disk, and the output comes on top."""

PROPOSALS = (
    PUBLISH_EPOCH,
    DELETE_CUT_OFF,
    RATIO_OF_TODAY,
    ONE_SEGMENT_WITH_ROOM,
    COUNT_FROM_LOG_START,
)
