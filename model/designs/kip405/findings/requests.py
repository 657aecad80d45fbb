"""A DeleteRecords request that an election interrupts."""

from tierproof.model.designs.kip405.findings.copies import LEGAL, PAIR
from tierproof.model.language import Finding, Severity, Story

REQUESTS = (
    Finding(
        name="unanswered_deletion_is_forgotten",
        title=(
            "DeleteRecords waits for its timeout when the leader that holds it becomes a follower"
        ),
        severity=Severity.COST,
        symptom=(
            "A client that deletes records waits for default.api.timeout.ms (60 s) and gets a "
            "TimeoutException, though the partition has a new leader that answers. The records can "
            "be read again at the new leader until the request is repeated and succeeds, or "
            "retention passes them: for ever, where retention.ms and retention.bytes are -1. No "
            "deletion that was answered with success is undone. The leader moves its log start "
            "before any follower has it, and a follower that is elected first serves the records "
            "again."
        ),
        needs=(
            "Two replicas; an election after the leader has moved its log start for a "
            "DeleteRecords request, before the next leader has fetched it: up to "
            "replica.fetch.wait.max.ms (500 ms by default). No crash, no fault, and no tiered "
            "storage. Java's Admin should ask the new leader after request.timeout.ms (30 s); one "
            "that does nothing else notices that timeout only at default.api.timeout.ms, and "
            "then fails (4.4.0, twice); a busy one polls before that. On 3.9.2 and 4.3.1 only "
            "the return of the records was seen. Kafka 3.6 to trunk, by the code."
        ),
        tracker=(
            "no issue is known to us; KIP-107 has NotLeaderException for this case, and "
            "KIP-1343, a draft, notes that REQUEST_TIMED_OUT does not tell how far a deletion "
            "got"
        ),
        claims=("expired_objects_are_deleted",),
        permitted_by=(
            "Partition#deleteRecordsOnLeader, which moves the log start of the leader first: "
            "followers take it from the answers to their fetches; Partition#makeLeader, which "
            "keeps the log start that the replica has; "
            "ReplicaManager#completeDelayedOperationsWhenNotPartitionLeader, which does not "
            "complete the DeleteRecords requests that wait, so that the client learns nothing "
            "of the election from the old leader"
        ),
        story=Story(
            "aac956",
            (
                (
                    "start",
                    PAIR.replace(
                        "retention.ms is 0", "No record is past retention.ms, retention.bytes is -1"
                    ),
                ),
                (
                    "1-2",
                    "A user deletes the records below offset 1 at the leader, broker 0, which "
                    "moves its log start to 1 and removes offset 0. The request waits for "
                    "broker 1.",
                ),
                (
                    "3-6",
                    "The controller elects broker 1 before broker 1 has fetched the new log "
                    "start. Both brokers learn of the election; the log start of broker 1, the "
                    "new leader, is 0: consumers can read offset 0 again.",
                ),
                (
                    "7-17",
                    "The new leader copies offset 0 and publishes COPY_SEGMENT_FINISHED.",
                ),
                (
                    "18-19",
                    "The new leader removes its local segment of offset 0.",
                ),
                (
                    "20-22",
                    "The expiration task of the new leader finds nothing to delete, in this "
                    "run and in every later one until retention.ms passes.",
                ),
                (
                    "end",
                    "Offset 0 can be read at the new leader, and its object stays in the "
                    "remote store.",
                ),
                (
                    "beyond",
                    "The old leader answers the request when its timeout is over, with "
                    "REQUEST_TIMED_OUT, as it does where the deletion has succeeded and a "
                    "follower is slow.",
                ),
                ("note", LEGAL),
            ),
        ),
        turning=3,
        fix=(
            "First, and not modelled: "
            "ReplicaManager#completeDelayedOperationsWhenNotPartitionLeader completes the "
            "DeleteRecords requests, too; DelayedDeleteRecords#tryComplete answers "
            "NOT_LEADER_OR_FOLLOWER already. The client hears it at once, and Admin asks the new "
            "leader by itself; that one answers OFFSET_OUT_OF_RANGE if its high watermark is still "
            "below the offset. That mends neither a client that ends "
            "before, nor the case of an old leader that does not learn of the election. It can "
            "go in alone; the steps above, where the client does not repeat the request, stay "
            "as they are. The model was tried with more: a request takes effect once every "
            "replica in sync has the new log start, and a replica that rejoins the ISR takes it "
            "over. For that the controller's record of the partition would have to carry a log "
            "start, which it does not: a KIP, with new versions of PartitionRecord and "
            "AlterPartition."
        ),
        costs=(
            "The first: one line, and a look at one more purgatory for each replica that becomes a "
            "follower or stops. The second: one write at the controller, or one more round of "
            "fetches, before the records of a DeleteRecords request disappear."
        ),
        repair="repair_delete_records_at_all_in_sync_replicas",
        searched="the second form of the fix",
        shows="segment_is_expired",
        scope="deletions",
    ),
)
