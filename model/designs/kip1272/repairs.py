"""Repairs of ours: each closes findings of KIP-1272 with the smallest change that we found."""

from collections.abc import Sequence

from tierproof.invariants.vocabulary import is_due
from tierproof.model.designs.kip405.copying import copy_stores_object
from tierproof.model.designs.kip405.expiring import expiration_task_plans_retention
from tierproof.model.designs.kip405.leadership import broker_learns_leader
from tierproof.model.designs.kip405.redefined import TASK_DECIDES
from tierproof.model.designs.kip405.repairs.counting import COUNT_SERVING
from tierproof.model.designs.kip405.repairs.topic_deletion import DELETE_TO_THE_END
from tierproof.model.designs.kip405.state import AttemptStep, Broker
from tierproof.model.designs.kip1272.changing import broker_is_downgraded
from tierproof.model.designs.kip1272.cleaner_offsets import leader_resolves_cleaner_offset
from tierproof.model.designs.kip1272.cleaning import cleaner_swaps_local_group, filter_says_no
from tierproof.model.designs.kip1272.fencing import FENCE, is_work_current, store_refuses_copy
from tierproof.model.designs.kip1272.mapping import (
    cleaner_builds_offset_map,
    cleans_whole_log,
    first_uncleanable_offset,
    fits,
    total_bytes,
)
from tierproof.model.designs.kip1272.state import CleanerStep, CompactedTopic, CompactingBroker
from tierproof.model.designs.kip1272.swapping import (
    claimed_offset,
    cleaner_begins_copy,
    cleaner_swaps_copied_group,
)
from tierproof.model.kafka.expiration_task import is_planned, plan_deletion
from tierproof.model.kafka.fields import Segment
from tierproof.model.kafka.leader_epoch_lineage import epoch_end
from tierproof.model.kafka.remote_metadata_cache import EpochState, replace_others
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.kafka.segment_versions import Kept, bytes_served, source_of
from tierproof.model.language import Variant, fence, guard

# -- followers


def cleans_both_tiers(log: CompactingBroker) -> bool:
    """The pass cleans the remote tier too: nothing older is left where it does not look."""
    return log.cleans_remote


FOLLOWERS_KEEP = Variant(
    name="repair_followers_keep_tombstones",
    because="a follower's cleaner does not see the remote tier, which may have what they delete",
    define={cleans_whole_log: cleans_both_tiers},
)

# -- claims


def claimed_when_done(log: CompactingBroker) -> int:
    """The end of the chunk with its last group; before that, what the last pass has cleaned."""
    if log.group_end >= log.map_end:
        return log.map_end
    return log.cleaner_offsets[log.cleaner_epoch]


CLAIM_LAST = Variant(
    name="repair_claim_with_the_last_segment",
    because="the first segment of a pass claims what the others still have to do",
    define={claimed_offset: claimed_when_done},
)


@fence(protects="new_leader_reads_all_claims", scope="zombie")
def has_read_all_metadata(state: CompactedTopic, broker: Broker) -> bool:
    """The broker has read the metadata topic to its end.

    A claim that it has not read counts for nothing, and its vector would reject the segment.
    """
    return state.broker[broker].metadata_position == state.metadata_end


def wait_for_metadata(state: CompactedTopic, broker: int) -> None:
    """A new leader answers remote reads once it has read what was published before."""
    log = state.broker[broker]
    if presumes_to_lead(state, broker) and log.is_metadata_assigned:
        log.metadata_assigned_end = state.metadata_end
        log.cache.is_initialized = log.metadata_position >= state.metadata_end


READ_TO_END = Variant(
    name="repair_new_leader_reads_to_the_end",
    because=(
        "a new leader serves and resolves from a prefix of the metadata: what it did not read "
        "is rejected by its vector, and what it still serves may be deleted"
    ),
    also={broker_learns_leader: wait_for_metadata},
    fence={leader_resolves_cleaner_offset: has_read_all_metadata},
)

# -- the cache


def replace_and_list(
    state: EpochState, segment: Sequence[Segment], epoch: int, start_offset: int, last_offset: int
) -> None:
    """As Kafka, but what is overwritten stays listed."""
    for i in range(len(segment)):
        if i not in state.referenced:
            continue
        is_after = segment[i].lineage[epoch] >= start_offset
        is_newest = state.highest_offset <= last_offset
        if (is_newest and is_after) or segment[i].lineage[epoch] == start_offset:
            state.referenced.discard(i)
            state.unreferenced.add(i)


LIST_OVERWRITTEN = Variant(
    name="repair_list_what_is_overwritten",
    because="a segment that another with the same start replaces falls out of every list",
    define={replace_others: replace_and_list},
)


def replace_covered(
    state: EpochState, segment: Sequence[Segment], epoch: int, start_offset: int, last_offset: int
) -> None:
    """Whatever lies within the new segment becomes unreferenced, and stays listed."""
    for i in range(len(segment)):
        if i in state.referenced:
            lineage = segment[i].lineage
            last = epoch_end(lineage, epoch, segment[i].end_offset + 1) - 1
            if lineage[epoch] >= start_offset and last <= last_offset:
                state.referenced.discard(i)
                state.unreferenced.add(i)


NEWEST_SERVES = Variant(
    name="repair_newest_version_serves",
    because=(
        "the cache that ships replaces a segment by its start alone once later ones have finished"
    ),
    define={replace_others: replace_covered},
    after=(LIST_OVERWRITTEN,),
)

# -- what is cleaned, and when


def first_not_copied(log: CompactingBroker) -> int:
    """As before, but not beyond what is in the remote tier."""
    end = first_uncleanable_offset(log)
    return min(end, log.highest_remote_offset + 1) if log.settings.remote_storage_enable else end


CLEAN_COPIED = Variant(
    name="repair_clean_only_what_is_copied",
    because="the cleaner offset passes segments that are not copied, or are being copied",
    define={first_uncleanable_offset: first_not_copied},
)


@fence(protects="object_is_of_one_version", scope="uncopied")
def is_no_copy_in_flight(state: CompactedTopic, broker: Broker) -> bool:
    """The copy task is not sending files of the group.

    Else the index files that it sends after the swap are not those of the log file before.
    """
    log = state.broker[broker]
    return not any(
        copy.copier == broker
        and copy.attempt == AttemptStep.STARTED
        and not copy.is_cleaned
        and log.group_start <= copy.start_offset < log.group_end
        for copy in state.segment
    )


SWAP_WAITS = Variant(
    name="repair_swap_waits_for_the_copy",
    because="the copy task sends files of the segment that the cleaner swaps",
    fence={
        cleaner_swaps_local_group: is_no_copy_in_flight,
        cleaner_swaps_copied_group: is_no_copy_in_flight,
    },
)


def bytes_of_log(state: CompactedTopic, broker: int) -> int:
    """The size of the log, each offset once."""
    log = state.broker[broker]
    return bytes_served(state, broker, log.log_start_offset, log.log_end_offset)


COUNT_ONCE = Variant(
    name="repair_ratio_counts_each_offset_once",
    because="what is in both tiers counts twice, so that half of the log is never dirty",
    define={total_bytes: bytes_of_log},
)


def fits_or_is_first(used: int, most_bytes: int, is_first: bool) -> bool:
    """One segment always makes a chunk."""
    return is_first or used <= most_bytes


ONE_SEGMENT = Variant(
    name="repair_one_segment_is_a_chunk",
    because="where a segment is larger than a third of the free disk no chunk can be formed",
    define={fits: fits_or_is_first},
)


@guard
def filter_says_no_to_all(state: CompactedTopic, broker: Broker) -> bool:
    """The filter has no key of the map, and the segment has no record of a transaction."""
    if not filter_says_no(state, broker):
        return False
    segment = state.segment[source_of(state, broker, state.broker[broker].group_start)]
    return not any(
        record.is_transactional and record.kept != Kept.GONE for record in segment.records
    )


FILTER_TRANSACTIONS = Variant(
    name="repair_filter_never_skips_transactions",
    because="a transaction whose segment is skipped counts as gone, and its marker is removed",
    test={filter_says_no: filter_says_no_to_all},
)

# -- copies that nobody finishes


def is_unfinished(state: CompactedTopic, broker: int, id: int) -> bool:
    """The cache has COPY_SEGMENT_STARTED of an id that no thread of this broker copies."""
    log = state.broker[broker]
    is_started = log.cache.state[id] == SegmentState.COPY_SEGMENT_STARTED
    return is_started and state.segment[id].copier != broker


def plan_unfinished(state: CompactedTopic, broker: int) -> None:
    """Plan the copies that nobody finishes."""
    log = state.broker[broker]
    for i in range(len(state.segment)):
        has_place = log.planned_end < len(log.planned)
        if has_place and is_unfinished(state, broker, i) and not is_planned(log, i):
            plan_deletion(log, i)


def is_due_or_unfinished(state: CompactedTopic, broker: int, segment: int) -> bool:
    """The expiration task also deletes copies that nobody finishes."""
    return is_due(state, broker, segment) or is_unfinished(state, broker, segment)


DELETE_UNFINISHED = Variant(
    name="repair_delete_unfinished_copies",
    because="a crash or an election amid a copy leaves an object that nobody deletes",
    add_system=(store_refuses_copy,),
    fence={copy_stores_object: is_work_current},
    also={expiration_task_plans_retention: plan_unfinished},
    define={is_due: is_due_or_unfinished},
    redefines={is_due: TASK_DECIDES},
)


def note_copying(state: CompactedTopic, broker: int) -> None:
    """The id of the cleaner's copy is among those that the broker copies at present."""
    log = state.broker[broker]
    log.copying.add(log.output_id)


COUNT_AS_COPYING = Variant(
    name="repair_cleaner_notes_what_it_copies",
    because="the expiration task leaves alone what the copy task copies, and nothing else",
    also={cleaner_begins_copy: note_copying},
)

# -- deletions that nobody finishes


def is_interrupted(state: CompactedTopic, broker: int, id: int) -> bool:
    """The cache has DELETE_SEGMENT_STARTED of an id that no copy of this broker cleans up."""
    is_begun = state.broker[broker].cache.state[id] == SegmentState.DELETE_SEGMENT_STARTED
    return is_begun and state.segment[id].copier != broker


def plan_interrupted(state: CompactedTopic, broker: int) -> None:
    """Plan the deletions that an earlier run has begun, whatever is listed before them."""
    log = state.broker[broker]
    for i in range(len(state.segment)):
        has_place = log.planned_end < len(log.planned)
        if has_place and is_interrupted(state, broker, i) and not is_planned(log, i):
            plan_deletion(log, i)


TAKE_UP = Variant(
    name="repair_take_deletions_up",
    because=(
        "a run looks for deletions that were interrupted until a segment has to stay, and the "
        "version that replaces a segment is listed before it"
    ),
    also={expiration_task_plans_retention: plan_interrupted},
)

# -- retention and the cleaner


@fence(protects="no_committed_record_lost", scope="above_size")
def is_no_cleaning_under_way(state: CompactedTopic, broker: Broker) -> bool:
    """The cleaner does not work on the partition.

    Else it publishes what a run expires meanwhile, and the next run counts that once more.
    """
    return state.broker[broker].cleaner == CleanerStep.IDLE


@fence(protects="no_committed_record_lost", scope="above_size")
def has_nothing_to_expire(state: CompactedTopic, broker: Broker) -> bool:
    """The expiration task has not planned to delete a segment of the partition.

    Else the pass begins with segments that the run is about to expire.
    """
    return state.broker[broker].planned_end == 0


ONE_AT_A_TIME = Variant(
    name="repair_retention_and_cleaning_take_turns",
    because="the cleaner publishes a version of what retention has expired in the meantime",
    fence={
        expiration_task_plans_retention: is_no_cleaning_under_way,
        cleaner_builds_offset_map: has_nothing_to_expire,
    },
)

# -- versions of brokers

NO_DOWNGRADE = Variant(
    name="repair_feature_forbids_downgrade",
    because="a broker without the KIP begins such a log at its first local segment",
    drop=(broker_is_downgraded,),
)

REPAIR_ALL = Variant(
    name="repair_all",
    because="every repair of KIP-1272 together",
    parts=(
        FOLLOWERS_KEEP,
        CLAIM_LAST,
        READ_TO_END,
        LIST_OVERWRITTEN,
        NEWEST_SERVES,
        CLEAN_COPIED,
        SWAP_WAITS,
        COUNT_ONCE,
        ONE_SEGMENT,
        FILTER_TRANSACTIONS,
        FENCE,
        DELETE_UNFINISHED,
        COUNT_AS_COPYING,
        TAKE_UP,
        COUNT_SERVING,
        DELETE_TO_THE_END,
        ONE_AT_A_TIME,
        NO_DOWNGRADE,
    ),
)
REPAIRS = (*REPAIR_ALL.parts, REPAIR_ALL)
