"""What a broker does when it begins to lead, or to run: KIP-405's repairs, for these designs.

In KRaft leaders are learned with the settings, so that KIP-405's own edits find no place.
"""

from tierproof.model.designs.kip405.copying import copy_task_finds_log_start
from tierproof.model.designs.kip405.leadership import become_leader, broker_learns_leader
from tierproof.model.designs.kip405.metadata import broker_reads_metadata
from tierproof.model.designs.kip405.repairs.cleaning_up import DELETE_UNFINISHED
from tierproof.model.designs.kip405.repairs.taking_over import ASK_ANEW, TAKE_OVER, ask_anew
from tierproof.model.designs.kip950.repairs.taking_over import (
    take_log_start_over,
    take_log_start_over_once_ready,
)
from tierproof.model.designs.kip950_early.learning import broker_applies_leadership
from tierproof.model.designs.kip950_early.state import Topic
from tierproof.model.language import Variant

# -- a new leader


def lead_once_all_is_read(state: Topic, broker: int) -> None:
    """Partition#makeLeader; a leader of a tiered topic then reads all metadata first."""
    become_leader(state, broker)
    if state.broker[broker].is_metadata_assigned:
        ask_anew(state, broker)


READ_ALL = Variant(
    name=ASK_ANEW.name, because=ASK_ANEW.because, define={become_leader: lead_once_all_is_read}
)
"""What two repairs begin with; alone it mends nothing."""
UNFINISHED = Variant(
    name=DELETE_UNFINISHED.name,
    because=DELETE_UNFINISHED.because,
    also=DELETE_UNFINISHED.also,
    define=DELETE_UNFINISHED.define,
    redefines=DELETE_UNFINISHED.redefines,
    parts=(READ_ALL,),
)
TAKE_OVER_IN_KRAFT = Variant(
    name=TAKE_OVER.name,
    because=TAKE_OVER.because,
    effect={copy_task_finds_log_start: take_log_start_over},
    also={
        broker_applies_leadership: take_log_start_over,
        broker_reads_metadata: take_log_start_over_once_ready,
    },
    parts=(READ_ALL,),
    after=(READ_ALL,),
)
TAKE_OVER_IN_ZOOKEEPER = Variant(
    name=TAKE_OVER.name,
    because=TAKE_OVER.because,
    effect={copy_task_finds_log_start: take_log_start_over},
    also={
        broker_learns_leader: take_log_start_over,
        broker_reads_metadata: take_log_start_over_once_ready,
    },
    parts=(READ_ALL,),
    after=(READ_ALL,),
)
