"""Who is in sync, and what a replica that comes back in sync has."""

from tierproof.model.designs.kip405.findings.copies import LEGAL
from tierproof.model.language import Finding, Severity, Story

IN_SYNC = (
    Finding(
        name="in_sync_below_the_log_start",
        title=(
            "A follower that diverges below the leader's logStartOffset can rejoin the ISR, and "
            "serve uncommitted records once elected"
        ),
        severity=Severity.WRONG,
        symptom=(
            "After the second election consumers read a record that was never committed, at an "
            "offset where another one was committed and then deleted by a user. It stays until "
            "retention or DeleteRecords passes the offset, or the other replica leads again. "
            "The leader takes a follower back in the ISR by its log end alone; below its own "
            "log start it has no leader epoch left that shows that the records differ, and a "
            "follower that is elected in that moment serves its own."
        ),
        needs=(
            "Two replicas with min.insync.replicas=1, the default, or three with 2 (with two "
            "replicas and 2 the high watermark of a leader that is alone in the ISR does not move "
            "since 3.7, KAFKA-15583, and there is nothing to delete). Two elections; a client that "
            "still writes to the old leader; DeleteRecords or retention up to the log end. The "
            "second election comes before the follower has the answer to the fetch with which it "
            "rejoins the ISR: one round trip, or up to replica.fetch.wait.max.ms (500 ms by "
            "default) where the partition is idle. No crash; tiered storage has no part in it. "
            "Kafka 3.0 to trunk, by the code."
        ),
        tracker=(
            "no issue or thread on this case is known to us; KAFKA-19996 (PR 23024, open in August "
            "2026) changes when a follower rejoins the ISR, and does not look at log starts"
        ),
        claims=("reads_return_what_was_committed", "in_sync_replicas_have_committed_records"),
        permitted_by=(
            "Partition#isFollowerInSync, which compares the follower's log end with the high "
            "watermark and the start of the leader's epoch, and asks for no log start; "
            "LeaderEpochFileCache#endOffsetFor, which answers for an epoch that is cut from the "
            "lineage with the start of the first epoch that is left, so that no divergence is found"
        ),
        story=Story(
            "816111",
            (
                (
                    "start",
                    "The topic has two replicas with empty logs. Broker 0 leads in epoch 0, "
                    "and both are in the ISR.",
                ),
                (
                    "1-3",
                    "The controller elects broker 1 in epoch 1. Broker 0, the old leader, does "
                    "not know it yet, and is taken out of the ISR; broker 1 learns that it "
                    "leads.",
                ),
                (
                    "4-5",
                    "The leader, broker 1, appends a record at offset 0 in epoch 1. It is "
                    "alone in the ISR, so that the record is committed, and consumers can read "
                    "it. A user deletes the records below offset 1. The leader's log start is "
                    "1, and its lineage begins with epoch 1 at offset 1.",
                ),
                (
                    "6",
                    "The old leader does not know of the election, and appends another "
                    "record at offset 0 in epoch 0. Its high watermark stays 0: the record "
                    "is not committed, and no consumer can read it yet.",
                ),
                (
                    "7",
                    "The old leader learns that it follows. Its log ends at offset 1, as the "
                    "leader's does, and the leader has no epoch left from which it could tell "
                    "that offset 0 differs.",
                ),
                (
                    "8",
                    "The old leader fetches from offset 1. The leader takes it back in the "
                    "ISR, as it has reached the high watermark. The old leader's log start is "
                    "still 0: the answer to the fetch would raise it to 1.",
                ),
                (
                    "9-10",
                    "The controller elects broker 0 before it has the answer, and broker 0 "
                    "learns that it leads.",
                ),
                (
                    "end",
                    "The leader, broker 0, has its own record of epoch 0 at offset 0, where "
                    "the record of epoch 1 was committed, and a user has deleted it. The high "
                    "watermark of broker 0 is still 0: no consumer can read its record yet.",
                ),
                (
                    "beyond",
                    "Broker 1 follows now. The answer to its first fetch says that epoch 0 ends "
                    "at offset 1; broker 1 truncates to that, its log end, which deletes nothing. "
                    "Its next fetch moves the high watermark of broker 0 to 1: consumers that "
                    "begin at the earliest offset read the record of epoch 0, and those that "
                    "have read offset 0 before have read another record. Broker 1 keeps its "
                    "log start of 1, so that the two replicas differ.",
                ),
                ("note", LEGAL),
            ),
        ),
        turning=8,
        fix=(
            "Partition#isFollowerInSync also asks that the follower's log start has reached the "
            "leader's: the FetchRequest has it, and Replica keeps it. Once the follower's has, "
            "what diverged below is deleted, and what diverges above shows in the leader "
            "epochs. The one caller is #needsExpandIsr, so that no replica leaves the ISR for "
            "it."
        ),
        costs=(
            "One comparison for each fetch of a follower that is not in the ISR. A follower "
            "below the leader's log start rejoins the ISR one fetch later, with the log start "
            "of the answer before: on an idle partition up to 500 ms. Not covered: a replica that "
            "rejoins, and crashes before its log start is checkpointed. No request and no format "
            "changes."
        ),
        repair="repair_in_sync_from_the_log_start",
        stands_alone=True,
        apart=("repair_delete_records_at_all_in_sync_replicas",),
        scope="in_sync",
    ),
)
