"""What KIP-952 and its alternatives that make a snapshot permit: the register's written half."""

from tierproof.model.language import Finding, Passage, Severity, Story

REJECTED = "Rejected Alternatives"
UNKNOWN = (
    "ProducerAppendInfo#checkSequence, which accepts any sequence of a producer that has no entry"
)
RECOVERY = (
    "LogLoader#recoverSegment, UnifiedLog#rebuildProducerState and "
    "ProducerStateManager#truncateAndReload, which load the newest snapshot at or below the "
    "segment that is recovered, and read the log from there; without one they read from the log "
    "start"
)
RETRIED = "Producer 0, whose answer was lost, retries its batch. The request is late."
TWICE = (
    "A producer with enable.idempotence sends one batch, and consumers get it twice, at two "
    "offsets. Nobody gets an error. The second batch stays until retention deletes it. This is "
    "rare: see what it needs."
)
CRASH = (
    "One crash of the leader, and after it a retry of a batch of the {}: with the default "
    "delivery.timeout.ms, batch, upgrade, copy, crash and retry all fall into 2 minutes."
)
LOST = (
    "Recovery begins at the active segment as a rule, where Kafka has a snapshot. So it also takes "
    "a lost snapshot file, as in these steps, or a corrupt index of the segment after the copied "
    "one: recovery then begins there, and deletes the later snapshots. With more replicas the "
    "broker must lead again before the retry."
)
GENERATE = Passage(
    "KIP-952",
    REJECTED,
    "- Generate a correct producer snapshot prior to upload - this will be expensive because we "
    "either have to reply the log from the beginning or choose an arbitrary earlier segment as the "
    "starting point to start calculating said snapshot from.",
)

EMPTY = Finding(
    name="empty_snapshot_denies_producers",
    title=(
        "Recovery from the KIP's empty snapshot forgets open transactions and producers: aborted "
        "records are returned"
    ),
    severity=Severity.WRONG,
    symptom=(
        f"{TWICE} Read_committed consumers get the records of a transaction that began before the "
        "empty snapshot and was aborted in the segment after it: recovery of that segment leaves "
        "the transaction out of the transaction index, or has it begin too late there. Where the "
        "segment is copied later, the remote index is wrong for good, else the local one. These "
        "steps show the retry alone, as the model has no transaction index. The aborted records "
        "were seen on a broker of 4.4.0 with the file put there by hand, after a clean restart "
        "without the offset index of that segment."
    ),
    needs=(
        "KIP-952 as it is under discussion; not in any release. One replica or more. A segment "
        "from before Kafka 2.8 in a tiered topic, whose producers have not expired "
        f"(producer.id.expiration.ms, 1 day by default). {CRASH.format('old segment')} {LOST} "
        "For the aborted records: a transaction that spans the offset of the snapshot, and a "
        "recovery of the segment that begins there, for good only before that segment is copied. "
        "The snapshot is a valid one: recovery drops a file of no bytes as corrupt."
    ),
    tracker="KIP-952, Under Discussion",
    claims=(
        "each_batch_is_committed_once",
        "leader_knows_every_producer",
        "copied_snapshots_are_right",
        "local_snapshots_are_right",
        "making_a_snapshot_changes_no_recovery",
    ),
    passages=(
        Passage(
            "KIP-952",
            "Proposed Changes",
            "We propose to create a segment-aligned empty producer snapshot whenever we detect "
            "that the value here https://github.com/apache/kafka/blob/trunk/core/src/main/java/"
            "kafka/log/remote/RemoteLogManager.java#L581 is null.",
        ),
        Passage(
            "KIP-952",
            "Proposed Changes",
            "The rest of Tiered Storage's logic should pick it up for upload from then on.",
        ),
        GENERATE,
    ),
    permitted_by=f"{RECOVERY}; {UNKNOWN}",
    assumptions=("H1", "H3"),
    story=Story(
        "d18b3c",
        (
            (
                "start",
                "The topic is tiered and has one replica, on broker 0. Offset 0, a batch of "
                "producer 0, is in a segment from before Kafka 2.8. Offset 1, of producer 1, is in "
                "the active segment. The producer snapshot of offset 1 is lost; that of offset 2, "
                "the log end, is there. Producer 0 has no answer yet.",
            ),
            ("1", RETRIED),
            ("2-3", "The copy task of the leader finds that nothing is copied yet."),
            ("4", "The copy task chooses the segment of offset 0, which has no snapshot."),
            ("5", "The copy task puts an empty snapshot of offset 1 into the log directory."),
            (
                "6",
                "The leader crashes and leads again. Recovery begins at the active segment. It "
                "deletes the snapshot of offset 2, which is past offset 1, loads the empty "
                "snapshot of offset 1, and reads the log from offset 1 on. The leader has no entry "
                "of producer 0, though its batch is in the log. Without the empty file recovery "
                "would have read the log from offset 0.",
            ),
            (
                "7",
                "The retry arrives. The leader does not know producer 0, and appends the batch at "
                "offset 2.",
            ),
            ("end", "The batch of producer 0 is committed twice, at offsets 0 and 2."),
            (
                "beyond",
                "The uploaded snapshot is as wrong as the local one. It harms no follower today, "
                "as a follower that begins on the remote tier deletes the snapshot that it has "
                "fetched (ProducerStateManager#truncateFullyAndReloadSnapshots).",
            ),
            (
                "note",
                "The reader of such a file: "
                "[its page](../producer_state/empty_snapshot_hides_producers.md).",
            ),
        ),
    ),
    turning=6,
    fix=(
        "The first alternative that the text rejects: a correct snapshot, with the last batch and "
        "the epoch of each producer. The copy task begins with the newest snapshot between the "
        "local log start and the end of the segment, and reads the batches after it. With no such "
        "snapshot it begins at the log start if that is local, else with the producer snapshot of "
        "the remote segment that holds the offset before the local log. Searched with two brokers "
        "and two old segments, too: a replay of the local log alone lacks producers there after an "
        "election, and this rule does not. It needs a ProducerStateManager in a directory of its "
        "own, as truncateAndReload would delete the later snapshots of the live one. The live one "
        "has to learn of the new file, or it never deletes it."
    ),
    costs=(
        "One read of each segment from before Kafka 2.8. The text expects a replay from the "
        "beginning for each; but the snapshot of one segment is where the next replay begins."
    ),
    repair="repair_regenerate_the_snapshot",
    proposal="proposal_replay_from_either_tier",
    stands_alone=True,
    shows="old_segment_is_copied",
    scope="restart",
)
SECOND = Finding(
    name="second_snapshot_lacks_the_first_segment",
    title=(
        "A snapshot replayed from the local log lacks producers of deleted segments: a "
        "retried batch is appended twice"
    ),
    severity=Severity.WRONG,
    symptom=TWICE,
    needs=(
        "A rejected alternative of KIP-952, never built, if its replay reads the local log alone. "
        "One replica or more. Two segments from before Kafka 2.8 whose producers have not expired "
        "(producer.id.expiration.ms, 1 day by default). Local retention deletes the older one "
        f"before the other is copied. {CRASH.format('older segment')} {LOST}"
    ),
    tracker="KIP-952, Under Discussion",
    claims=(
        "each_batch_is_committed_once",
        "leader_knows_every_producer",
        "copied_snapshots_are_right",
        "local_snapshots_are_right",
        "making_a_snapshot_changes_no_recovery",
    ),
    passages=(GENERATE,),
    permitted_by=f"{RECOVERY}; {UNKNOWN}",
    assumptions=("H4", "H19"),
    story=Story(
        "ba1db5",
        (
            (
                "start",
                "The topic is tiered and has one replica, on broker 0. Offsets 0 and 1, of "
                "producers 0 and 1, are two segments from before Kafka 2.8. Offset 2, of producer "
                "2, is in the active segment. There is no producer snapshot of offset 1, and that "
                "of offset 2 is lost. Producer 0 has no answer yet.",
            ),
            ("1", RETRIED),
            ("2-4", "The copy task of the leader chooses the segment of offset 0."),
            (
                "5",
                "The copy task replays the local log from offset 0, and writes the snapshot of "
                "offset 1, which has producer 0.",
            ),
            ("6-11", "The copy task copies the segment with that snapshot as id 0."),
            ("12-13", "Local retention deletes the segment of offset 0."),
            ("14", "The copy task chooses the segment of offset 1."),
            (
                "15",
                "The copy task replays the local log from its beginning, which is offset 1 now, "
                "and writes the snapshot of offset 2. The snapshot has producer 1, and lacks "
                "producer 0.",
            ),
            (
                "16",
                "The leader crashes and leads again. Recovery begins at the active segment, loads "
                "the snapshot of offset 2, and so has no entry of producer 0. Without that file it "
                "would have loaded the snapshot of offset 1, which has producer 0.",
            ),
            (
                "17",
                "The retry arrives. The leader does not know producer 0, and appends the batch at "
                "offset 3.",
            ),
            (
                "end",
                "The batch of producer 0 is committed twice: at offset 0, in the remote tier, and "
                "at offset 3.",
            ),
        ),
    ),
    turning=16,
    fix=(
        'In place of "an arbitrary earlier segment": the replay begins with the newest producer '
        "snapshot between the local log start and the end of the segment. Without one it begins at "
        "the log start if that is local, else with the producer snapshot of the remote segment "
        "that holds the offset before the local log."
    ),
    costs=(
        "No further read: the replay gets shorter. The copy task makes the snapshots in the order "
        "of the log, the order in which it copies segments."
    ),
    repair="repair_replay_from_the_newest_snapshot",
    proposal="proposal_replay_from_either_tier",
    stands_alone=True,
    shows="old_segment_is_copied",
    scope="two_old",
)
EXPIRED = Finding(
    name="regenerated_snapshot_lacks_the_expired",
    title=(
        "Without transactions, the replay can leave out segments older than "
        "producer.id.expiration.ms"
    ),
    severity=Severity.TEXT,
    symptom=(
        "This is a proposal: nothing is wrong with KIP-952 here. The KIP rejects "
        '"a correct producer snapshot prior to upload" as expensive. A replay that leaves out the '
        "segments older than producer.id.expiration.ms is cheaper. It misses only producers that "
        "have expired, and the next check for expired producers removes those anyhow. One "
        "exception: a producer with an open transaction does not expire. So the replay is "
        "given the transactions that span the end of the copied segment and were aborted. One that "
        "was committed needs no entry in a transaction index."
    ),
    needs=(
        "A rejected alternative of KIP-952, never built. Where the KIP says "
        '"an arbitrary earlier segment", we take the first segment whose largest timestamp is '
        "younger than producer.id.expiration.ms (1 day by default). One replica or more. A segment "
        "from before Kafka 2.8 that is older than that. No crash, no fault."
    ),
    claims=("making_a_snapshot_changes_no_recovery",),
    passages=(GENERATE,),
    permitted_by=(
        "ProducerStateManager#isProducerExpired, which goes by the timestamp of the producer's "
        "last batch, and spares a producer with an open transaction"
    ),
    story=Story(
        "1be928",
        (
            (
                "start",
                "The topic is tiered and has one replica, on broker 0. Offset 0, a batch of "
                "producer 0, is in a segment from before Kafka 2.8: there is no producer snapshot "
                "of offset 1. Offset 1, of producer 1, is in the active segment.",
            ),
            (
                "1",
                "Time passes. Producers 0 and 1 are old enough to expire; the check for expired "
                "producers has not run, so both are still in the leader's memory.",
            ),
            ("2-4", "The copy task of the leader chooses the segment of offset 0."),
            (
                "5",
                "The copy task finds no segment younger than producer.id.expiration.ms up to "
                "offset 1, replays nothing, and writes a snapshot of offset 1 that has no "
                "producer.",
            ),
            (
                "end",
                "The leader's log directory has a snapshot of offset 1 without producers. It "
                "lacks only a producer that has expired.",
            ),
            (
                "beyond",
                "After a crash, recovery loads the snapshot of offset 1 and reads the log from "
                "offset 1 on: producer 1 is back, and producer 0 is not. Without the snapshot of "
                "offset 1 recovery would read the whole log, and producer 0 would be back, too, "
                "until the next check for expired producers.",
            ),
        ),
    ),
    turning=5,
    fix=(
        "The text says that the snapshot has every producer that has not expired, and may lack "
        "others. The replay begins with the first segment that is young enough, and is "
        "given the aborted transactions that span the end of the copied segment. The model has no "
        "open transactions here. It was tried with another fix, "
        "which replays the whole local log."
    ),
    costs=(
        "The copy task reads the transaction indexes of later segments. What it copies is below "
        "the last stable offset, so each transaction that spans its end has ended. If it was "
        "aborted, the index of the segment with its marker has its first offset. The replay of "
        "the whole log would read old segments for entries that the next check "
        "removes: we advise against it."
    ),
    repair="repair_read_the_whole_log",
    searched="the fix that replays the whole local log",
    shows="old_segment_is_copied",
    scope="expiry",
)
