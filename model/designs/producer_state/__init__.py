"""Kafka's producer state as released (4.4.0): one replica of one partition, its log local.

Read in this order: `state`, `clients`, `appending`, `storing`, `restarting`, `rebuilding`;
`ghosts` note what was accepted. The mechanisms (`tierproof.model.kafka.producer_validation`,
`producer_entries`, `producer_snapshots`, `producer_recovery`) are those that replay recorded
behaviour of the real classes.

Modelled: clients with epoch and sequence, retries and late copies, epoch bumps and zombies,
transactions with their markers; rolls, DeleteRecords, deletion of segments, expiry; snapshots
that are lost, emptied or corrupted; clean and unclean restarts; truncation; a follower that
begins on the remote tier.
Simplified: a request is one batch; every append is committed at once.
Not modelled: other replicas, torn tails, verification of transactions.
"""

from tierproof.invariants import producer_log
from tierproof.model.designs.pictures.producers import one_replica
from tierproof.model.designs.producer_state import (
    appending,
    clients,
    rebuilding,
    restarting,
    storing,
)
from tierproof.model.designs.producer_state.ghosts import NOTES
from tierproof.model.designs.producer_state.proposals import PROPOSALS
from tierproof.model.designs.producer_state.readings import READINGS
from tierproof.model.designs.producer_state.recordings import RECORDINGS
from tierproof.model.designs.producer_state.repairs import REPAIRS
from tierproof.model.designs.producer_state.scopes import SCOPES
from tierproof.model.designs.producer_state.state import ProducerPartition
from tierproof.model.language import Design

SYSTEM = (
    *appending.SYSTEM,
    *restarting.SYSTEM,
    *storing.SYSTEM,
)
ENVIRONMENT = (
    *clients.ENVIRONMENT,
    appending.leader_appends_plain_batch,
    storing.broker_rolls_segment,
    storing.broker_takes_snapshot,
    storing.time_passes,
    storing.user_deletes_records,
    *restarting.ENVIRONMENT,
    storing.follower_truncates,
    storing.follower_truncates_fully,
    *rebuilding.ENVIRONMENT,
)

PROPERTIES = (
    producer_log.no_sequence_is_accepted_twice,
    producer_log.accepted_sequences_follow_each_other,
    producer_log.accepted_epochs_do_not_fall,
    producer_log.ended_transactions_hold_up_no_reader,
    producer_log.markers_end_transactions_of_earlier_epochs,
    producer_log.markers_of_the_log_are_not_refused,
    producer_log.recovery_restores_producers,
    producer_log.load_restores_producers,
    producer_log.fetched_producers_are_known,
    producer_log.log_directory_stays_online,
)
WITNESSES = (
    producer_log.retry_is_a_duplicate,
    producer_log.zombie_is_fenced,
    producer_log.producer_in_log_is_unknown,
    producer_log.producer_of_a_snapshot_has_moved_on,
    producer_log.transaction_holds_up_readers,
    producer_log.transaction_has_ended,
)

DESIGN = Design(
    name="producer_state",
    title="Kafka's producer state",
    picture=one_replica,
    document="Kafka 4.4.0, ProducerStateManager and LogLoader",
    state=ProducerPartition,
    initial=(storing.new_log,),
    system=SYSTEM,
    environment=ENVIRONMENT,
    properties=PROPERTIES,
    witnesses=WITNESSES,
    variants=(*REPAIRS, *READINGS, *PROPOSALS),
    scopes=SCOPES,
).with_history(*NOTES)

RECORDED = DESIGN.derive(
    name="producer_state-recorded",
    title="Kafka's producer state, with what recordings do",
    change=RECORDINGS,
    variants=(),
    properties=(),
    witnesses=(),
)
"""What `producer_state.jsonl.gz` is replayed with."""
