"""How the partition is at the beginning: who wrote what, and which snapshots there are."""

from tierproof.invariants.producer_ghosts import note_committed_batches
from tierproof.model.designs.kip405.metadata import unassign_metadata
from tierproof.model.designs.kip405.start import begin_copied, begin_published
from tierproof.model.designs.kip405.tasks import cancel_tasks
from tierproof.model.designs.kip405_producers.snapshots import (
    remove_segments_with_snapshots,
    store_producers,
)
from tierproof.model.designs.kip405_producers.state import (
    ProducedPartition,
    ProducedTopic,
    ProducingBroker,
)
from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.producer_entries import remember_batch
from tierproof.model.kafka.producer_snapshots import remove_snapshot, take_snapshot
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.language import NONE


def begin_with_producers(state: ProducedTopic, scope: ProducedPartition) -> None:
    """The producers have written the records in turn; the last batch of some is unanswered."""
    end = scope.offsets - scope.appends
    for log in state.broker:
        for offset in range(end):
            if offset > 0 and log.starts_segment[offset]:
                take_snapshot(log)
            write(log, offset, scope)
        lose_old_snapshots(log, scope.old_end)
    note_committed_batches(state)
    begin_tiered(state, scope)
    state.in_flight[0][0][0] = scope.zombies
    for p, client in enumerate(state.client):
        client.epoch = scope.zombies
        client.sent_end = len(range(p, end, scope.producers))
        is_unanswered = p < scope.unanswered and client.sent_end > 0
        client.acknowledged_end = client.sent_end - 1 if is_unanswered else client.sent_end
    state.is_tiered = scope.is_enabled_later == 0
    if scope.is_enabled_later:
        for broker in range(scope.brokers):
            begin_without_remote_storage(state, broker)


def begin_tiered(state: ProducedTopic, scope: ProducedPartition) -> None:
    """The first segments are copied, and local retention has removed some of them."""
    for id in range(scope.copied):
        base = state.segment[id - 1].end_offset + 1 if id else 0
        begin_copied(state, id, base)
        begin_published(state, id)
        state.segment[id].copier = 0
        store_producers(state, id)
        state.segment[id].copier = NONE
    for log in state.broker:
        log.local_log_start_offset = scope.local_start
        remove_segments_with_snapshots(log, scope.local_start)
    if scope.copied:
        state.broker[0].copy_task = CopyTask.READY
        state.broker[0].copied_offset = state.segment[scope.copied - 1].end_offset


def write(log: ProducingBroker, offset: int, scope: ProducedPartition) -> None:
    """The batch at an offset of the beginning, in transactions that are open or in none."""
    batch = log.batch[offset]
    batch.kind = BatchKind.DATA
    batch.last_offset = offset
    batch.producer = offset % scope.producers
    batch.epoch = scope.zombies
    batch.first_sequence = offset // scope.producers
    batch.is_transactional = bool(scope.is_transactional)
    batch.timestamp = log.records[offset].timestamp
    remember_batch(log, offset)


def lose_old_snapshots(log: ProducingBroker, old_end: int) -> None:
    """Kafka before 2.8 took none; the shutdown before the upgrade took one of the log end."""
    if old_end == 0:
        return
    take_snapshot(log)
    for offset in range(old_end + 1):
        if offset < log.log_end_offset:
            remove_snapshot(log, offset)


def begin_without_remote_storage(state: ProducedTopic, broker: int) -> None:
    """The topic is not tiered yet: no task runs, and nothing is assigned."""
    cancel_tasks(state, broker)
    unassign_metadata(state, broker)
    state.broker[broker].settings.remote_storage_enable = False
