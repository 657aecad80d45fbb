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

from tierproof.invariants.producer_log import (
    accepted_epochs_do_not_fall,
    accepted_sequences_follow_each_other,
    ended_transactions_hold_up_no_reader,
    fetched_producers_are_known,
    load_restores_producers,
    log_directory_stays_online,
    no_sequence_is_accepted_twice,
    producer_in_log_is_unknown,
    producer_of_a_snapshot_has_moved_on,
    recovery_restores_producers,
    retry_is_a_duplicate,
    transaction_holds_up_readers,
    zombie_is_fenced,
)
from tierproof.model.designs.pictures.producers import one_replica
from tierproof.model.designs.producer_state.appending import (
    follower_appends_batch,
    follower_fails_on_batch,
    leader_answers_duplicate,
    leader_appends_batch,
    leader_appends_plain_batch,
    leader_refuses_batch,
)
from tierproof.model.designs.producer_state.clients import (
    coordinator_sends_marker,
    producer_bumps_epoch,
    producer_retries_batch,
    producer_sends_batch,
)
from tierproof.model.designs.producer_state.ghosts import NOTES
from tierproof.model.designs.producer_state.proposals import PROPOSALS
from tierproof.model.designs.producer_state.readings import READINGS
from tierproof.model.designs.producer_state.rebuilding import (
    follower_rebuilds,
    leader_stores_snapshot,
)
from tierproof.model.designs.producer_state.recordings import RECORDINGS
from tierproof.model.designs.producer_state.repairs import REPAIRS
from tierproof.model.designs.producer_state.restarting import (
    broker_crashes,
    broker_loads_log,
    broker_recovers_log,
    broker_shuts_down,
    operator_places_empty_snapshot,
    snapshot_is_corrupted,
    snapshot_is_lost,
)
from tierproof.model.designs.producer_state.scopes import SCOPES
from tierproof.model.designs.producer_state.state import ProducerPartition
from tierproof.model.designs.producer_state.storing import (
    broker_deletes_segments,
    broker_expires_producers,
    broker_rolls_segment,
    broker_takes_snapshot,
    follower_truncates,
    follower_truncates_fully,
    new_log,
    time_passes,
    user_deletes_records,
)
from tierproof.model.language import Design

SYSTEM = (
    leader_appends_batch,
    leader_answers_duplicate,
    leader_refuses_batch,
    follower_appends_batch,
    follower_fails_on_batch,
    broker_loads_log,
    broker_recovers_log,
    broker_deletes_segments,
    broker_expires_producers,
)
ENVIRONMENT = (
    producer_sends_batch,
    producer_retries_batch,
    producer_bumps_epoch,
    coordinator_sends_marker,
    leader_appends_plain_batch,
    broker_rolls_segment,
    broker_takes_snapshot,
    time_passes,
    user_deletes_records,
    broker_shuts_down,
    broker_crashes,
    snapshot_is_lost,
    snapshot_is_corrupted,
    operator_places_empty_snapshot,
    follower_truncates,
    follower_truncates_fully,
    leader_stores_snapshot,
    follower_rebuilds,
)

PROPERTIES = (
    no_sequence_is_accepted_twice,
    accepted_sequences_follow_each_other,
    accepted_epochs_do_not_fall,
    ended_transactions_hold_up_no_reader,
    recovery_restores_producers,
    load_restores_producers,
    fetched_producers_are_known,
    log_directory_stays_online,
)
WITNESSES = (
    retry_is_a_duplicate,
    zombie_is_fenced,
    producer_in_log_is_unknown,
    producer_of_a_snapshot_has_moved_on,
    transaction_holds_up_readers,
)

DESIGN = Design(
    name="producer_state",
    title="Kafka's producer state",
    picture=one_replica,
    document="Kafka 4.4.0, ProducerStateManager and LogLoader",
    state=ProducerPartition,
    initial=(new_log,),
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
