"""What an idempotent producer is owed: each batch once, in order, and nothing acknowledged in vain.

A batch is its producer, epoch and sequence. The ghost `committed` says which was committed where
(`tierproof.invariants.producer_ghosts`); brokers know what their producer state has kept. Expiry
is producer.id.expiration.ms.
"""

from __future__ import annotations

from tierproof.invariants.producer_fields import ProducedTopic, ProducerLimits
from tierproof.invariants.producer_history import (
    is_batch_of,
    is_within_expiration,
    last_batch_below,
    last_data_below,
    last_sequence_below,
    must_be_known,
    was_committed_below,
)
from tierproof.invariants.recovered_producers import known_entry
from tierproof.invariants.vocabulary import committed_end, current_leader, has_replica, is_led
from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.leader_epoch_lineage import epoch_for_offset
from tierproof.model.language import NONE, invariant

# -- what is committed


@invariant(source="KIP-98, KIP-952: Once")
def each_batch_is_committed_once(state: ProducedTopic) -> bool:
    """No batch of an idempotent producer is committed twice, even once the first is deleted.

    Kafka believes it because the leader remembers the last batches of a producer and answers a
    retry from memory. Not checked: records that a client sends again in a new epoch.
    """
    for offset in range(len(state.committed)):
        again = state.committed[offset]
        is_batch = again.producer != NONE and again.kind == BatchKind.DATA
        if is_batch and is_batch_of(state, offset, again.producer):
            was_there = was_committed_below(
                state, offset, again.producer, again.producer_epoch, again.sequence
            )
            if was_there:
                return False
    return True


@invariant(source="KIP-98, KIP-952: Order")
def committed_sequences_have_no_gap(state: ProducedTopic) -> bool:
    """Before each committed batch of a producer lies the one with the sequence before it.

    Kafka believes it because a leader that knows the producer accepts the next sequence only.
    One that does not know it accepts any. A batch that is there twice violates
    `each_batch_is_committed_once`, and not this. Not checked: sequences that wrap.
    """
    for offset in range(len(state.committed)):
        later = state.committed[offset]
        is_batch = later.producer != NONE and later.kind == BatchKind.DATA and later.sequence > 0
        if is_batch and is_batch_of(state, offset, later.producer):
            has_previous = was_committed_below(
                state, offset, later.producer, later.producer_epoch, later.sequence - 1
            )
            if not has_previous:
                return False
    return True


@invariant(source="KIP-98, KIP-952: Order, of epochs")
def committed_producer_epochs_never_decrease(state: ProducedTopic) -> bool:
    """Along the log no producer's epoch decreases, so no zombie instance is committed.

    Kafka believes it because a leader refuses an epoch below the one that it remembers. Markers
    count.
    """
    for offset in range(len(state.committed)):
        later = state.committed[offset]
        if later.producer != NONE and is_batch_of(state, offset, later.producer):
            previous = last_batch_below(state, offset, later.producer)
            if previous != NONE and later.producer_epoch < state.committed[previous].producer_epoch:
                return False
    return True


@invariant(source="KIP-98: an acknowledged batch is in the log")
def acknowledged_batches_are_committed(state: ProducedTopic) -> bool:
    """Every batch that a client takes for acknowledged was committed.

    Kafka believes it because what a leader answers as a duplicate is in its log. Producer state
    that is ahead of the log would answer so for a batch that is nowhere. Not checked: batches of
    epochs that the client has left.
    """
    for p in range(len(state.client)):
        client = state.client[p]
        for sequence in range(client.acknowledged_end):
            if not was_committed_below(state, len(state.committed), p, client.epoch, sequence):
                return False
    return True


# -- what brokers know


@invariant(source="KIP-98: what a new leader takes over", premise=is_led)
def leader_knows_every_producer(state: ProducedTopic, scope: ProducerLimits) -> bool:
    """The elected leader knows each producer's last committed batch, or a later one.

    Kafka believes it because every replica builds its producer state from the log, or from a
    snapshot and the log after it. A leader that does not know it accepts its retry, a gap or
    a zombie. Suspended for a producer that has expired. Not checked: older batches that the
    leader remembers, of which a retry is a duplicate.
    """
    leader = state.broker[current_leader(state)]
    end = min(committed_end(state), leader.log_end_offset)
    for p in range(len(state.client)):
        last = last_batch_below(state, end, p)
        if last != NONE and must_be_known(state, last, scope):
            epoch, sequence = known_entry(leader.producer[p])
            written = state.committed[last].producer_epoch
            if epoch < written:
                return False
            if epoch == written and sequence < last_sequence_below(state, end, p, written):
                return False
    return True


@invariant(source="KIP-98, KIP-360: a client that lost nothing is not refused", premise=is_led)
def leader_accepts_the_next_batch(state: ProducedTopic, scope: ProducerLimits) -> bool:
    """The elected leader does not refuse the next batch of a client that has no batch unanswered.

    Kafka believes it because the leader knows either the last batch, or nothing of the producer.
    One that knows of it by a marker alone answers OutOfOrderSequenceException. Suspended for a
    client that a later epoch has fenced, and for one whose last batch a broker may have
    forgotten. Not checked: a transaction that is open at the leader.
    """
    leader = state.broker[current_leader(state)]
    for p in range(len(state.client)):
        client, following = state.client[p], state.client[p].sent_end
        if following == 0 or following > client.acknowledged_end:
            continue
        last = last_data_below(state, len(state.committed), p, client.epoch)
        is_due = last != NONE and must_be_known(state, last, scope)
        epoch, sequence = known_entry(leader.producer[p])
        if is_due and is_refused(epoch, sequence, client.epoch, following):
            return False
    return True


def is_refused(epoch: int, sequence: int, sent_epoch: int, sent: int) -> bool:
    """ProducerAppendInfo#checkSequence: a broker that knows epoch and sequence refuses the batch.

    It fences lower epochs, which is no refusal here.
    """
    if epoch == NONE or sent_epoch < epoch:
        return False
    expected = sequence + 1 if sent_epoch == epoch else 0
    return sent != expected


@invariant(source="KIP-952: Agreement")
def replicas_of_equal_logs_know_the_same_producers(
    state: ProducedTopic, scope: ProducerLimits
) -> bool:
    """Two replicas with the same log have the same epoch and last sequence of every producer.

    Kafka believes it because both have replayed the same batches; a replica that begins on the
    remote tier has the snapshot of those before. Suspended for a producer that has expired, and
    once the topic is deleted. Not checked: older batches, of which a snapshot has none;
    transactions.
    """
    if state.is_topic_deleted:
        return True
    return all(
        not have_equal_logs(state, a, b) or know_the_same_producers(state, a, b, scope)
        for a in range(len(state.broker))
        for b in range(a + 1, len(state.broker))
    )


def have_equal_logs(state: ProducedTopic, a: int, b: int) -> bool:
    """Both logs end at one offset, and no offset was written in two epochs.

    Below the first entry of a lineage nobody is known to have written otherwise.
    """
    one, other = state.broker[a], state.broker[b]
    if not has_replica(state, a) or not has_replica(state, b):
        return False
    if one.log_end_offset != other.log_end_offset:
        return False
    for offset in range(max(one.log_start_offset, other.log_start_offset), one.log_end_offset):
        written = epoch_for_offset(one.lineage, offset)
        found = epoch_for_offset(other.lineage, offset)
        if written != NONE and found != NONE and written != found:
            return False
    return True


def know_the_same_producers(state: ProducedTopic, a: int, b: int, scope: ProducerLimits) -> bool:
    """Two replicas of one log agree on each producer that has not expired."""
    one, other = state.broker[a], state.broker[b]
    for p in range(len(state.client)):
        newest = max(one.producer[p].timestamp, other.producer[p].timestamp)
        is_due = is_within_expiration(state, newest, scope)
        if is_due and known_entry(one.producer[p]) != known_entry(other.producer[p]):
            return False
    return True
