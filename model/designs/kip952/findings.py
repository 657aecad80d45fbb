"""What KIP-952 and its alternatives that make a snapshot permit: the register's written half."""

from tierproof.model.language import Finding, Passage, Severity, Story

REJECTED = "Rejected Alternatives"
UNKNOWN = (
    "ProducerAppendInfo#checkSequence, which accepts any sequence of a producer that has no entry"
)
RECOVERY = (
    "UnifiedLog#rebuildProducerState and ProducerStateManager#truncateAndReload, which begin a "
    "recovery with the newest snapshot and do not ask where it comes from"
)
RETRIED = "Producer 0, whose answer was lost, retries its batch. The request is late."
TWICE = (
    "A producer with enable.idempotence sends one batch, and consumers get it twice, at two "
    "offsets. Nobody gets an error. The second batch stays until retention deletes it."
)
OLD = "a segment from before Kafka 2.8 whose producers have not expired (producer.id.expiration.ms)"
LOST = (
    "The newest snapshot below the segment that is recovered has to be missing, too: Kafka has "
    "those of the last two segments after the upgrade, and one at each roll, so that it takes a "
    "lost file, or an index so damaged that recovery begins at an older segment."
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
    title="The leader crashes, recovers from the KIP's empty snapshot, and appends a retry",
    severity=Severity.WRONG,
    symptom=TWICE,
    needs=(
        "KIP-952 as it is under discussion; not in any release. One replica or more; "
        f"{OLD}, in a topic that is tiered. One crash of the leader after its copy task has made "
        "the empty file, and a retry that arrives after the crash, within delivery.timeout.ms (2 "
        f"minutes by default). {LOST} With more replicas the broker must lead again in time."
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
            "Compatibility, Deprecation, and Migration Plan",
            "- What impact (if any) will there be on existing users? N/A",
        ),
    ),
    permitted_by=f"{RECOVERY}; {UNKNOWN}",
    assumptions=("H1", "H3"),
    story=Story(
        "d18b3c",
        (
            (
                "start",
                "The topic is tiered and has one replica, on broker 0. Offset 0, a batch of "
                "producer 0, is in a segment from before Kafka 2.8: there is no producer snapshot "
                "of offset 1. Offset 1, of producer 1, is in the active segment. Producer 0 has no "
                "answer yet.",
            ),
            ("1", RETRIED),
            ("2-3", "The copy task of the leader finds that nothing is copied yet."),
            ("4", "The copy task chooses the segment of offset 0, which has no snapshot."),
            ("5", "The copy task puts an empty snapshot of offset 1 into the log directory."),
            (
                "6",
                "The leader crashes and leads again. Recovery drops the snapshot of offset 2, "
                "which is past the start of the active segment, loads the empty snapshot of offset "
                "1, and reads the log from offset 1 on. The leader has no entry of producer 0, "
                "though the batch of producer 0 is in its log. Without the empty file the leader "
                "would have read the log from offset 0.",
            ),
            (
                "7",
                "The retry arrives. The leader has no entry of producer 0, and appends the batch "
                "at offset 2.",
            ),
            ("end", "The batch of producer 0 is committed twice, at offsets 0 and 2."),
            (
                "beyond",
                "After the same crash the leader would no longer fence older instances of a "
                "transactional producer that it has forgotten.",
            ),
            (
                "beyond",
                "The copied snapshot is as wrong as the local one. No follower is harmed by it "
                "today: one that begins on the remote tier deletes the snapshot that it has "
                "fetched.",
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
        "Create a segment-aligned producer snapshot that has the last batch and the epoch of "
        "every unexpired producer of the log before it, made from the newest snapshot from the "
        "log start on and the batches since. A ProducerStateManager beside the live one can do "
        "that, as UnifiedLog#rebuildProducerState does after a crash. This is the first "
        "alternative that the text rejects."
    ),
    costs=(
        "One read of each segment from before Kafka 2.8 by the copy task: what a crash that finds "
        "no snapshot costs today."
    ),
    repair="repair_regenerate_the_snapshot",
    shows="old_segment_is_copied",
    scope="restart",
)
SECOND = Finding(
    name="second_snapshot_lacks_the_first_segment",
    title="The replay for the second old segment no longer finds the first, and a crash forgets",
    severity=Severity.WRONG,
    symptom=TWICE,
    needs=(
        "A rejected alternative of KIP-952, never built. One replica or more. Two segments from "
        "before Kafka 2.8 whose producers have not expired, the older of which local retention "
        "deletes before the other is copied; one crash of the leader, and a retry that arrives "
        "after the crash, within delivery.timeout.ms (2 minutes by default). "
        f"{LOST} With more replicas the broker must lead again in time."
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
    permitted_by=(
        'the sentence, which lets the replay begin at "an arbitrary earlier segment"; '
        f"{RECOVERY}; {UNKNOWN}"
    ),
    assumptions=("H4", "H19"),
    story=Story(
        "ba1db5",
        (
            (
                "start",
                "The topic is tiered and has one replica, on broker 0. Offsets 0 and 1, of "
                "producers 0 and 1, are two segments from before Kafka 2.8: there is no producer "
                "snapshot of offset 1 or 2. Offset 2, of producer 2, is in the active segment. "
                "Producer 0 has no answer yet.",
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
                "The leader crashes and leads again. The leader loads the newest snapshot, that of "
                "offset 2, and has no entry of producer 0, which the snapshot of offset 1 has.",
            ),
            (
                "17",
                "The retry arrives. The leader has no entry of producer 0, and appends the batch "
                "at offset 3.",
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
        'The replay begins not at "an arbitrary earlier segment", but with the newest producer '
        "snapshot between the log start and the segment's end, and at the start of the local log "
        "only where there is no such snapshot."
    ),
    costs=(
        "No further read: the replay gets shorter. The copy task makes the snapshots in the order "
        "of the log, the order in which it copies segments."
    ),
    repair="repair_replay_from_the_newest_snapshot",
    shows="old_segment_is_copied",
    scope="two_old",
)
EXPIRED = Finding(
    name="regenerated_snapshot_lacks_the_expired",
    title="A replay of the recent segments alone leaves expired producers out of the snapshot",
    severity=Severity.TEXT,
    symptom=(
        "Nobody sees anything, and nothing is wrong with KIP-952 here. What an author of the KIP "
        'gets: it rejects "a correct producer snapshot prior to upload" as expensive, and a replay '
        "of the segments younger than producer.id.expiration.ms is cheaper and leaves out only "
        "producers that have expired, which the next check for expired producers removes anyhow. "
        "One exception: a producer with an open transaction never expires, so that the replay has "
        "to begin where the oldest open transaction does."
    ),
    needs=(
        'A rejected alternative of KIP-952, never built; where the KIP says "an arbitrary earlier '
        'segment", this page takes the oldest segment that is younger than '
        "producer.id.expiration.ms. One replica or more. A segment from before Kafka 2.8 that is "
        "older than producer.id.expiration.ms. No crash, no fault."
    ),
    claims=("making_a_snapshot_changes_no_recovery",),
    passages=(GENERATE,),
    permitted_by=(
        'the sentence, which lets the replay begin at "an arbitrary earlier segment" and does not '
        "say which producers the snapshot may lack"
    ),
    assumptions=("H4",),
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
                "The leader's log directory has a snapshot of offset 1 without producers.",
            ),
            (
                "beyond",
                "After a crash, recovery drops the snapshot of offset 2, which is past the start "
                "of the active segment, loads the snapshot of offset 1, and reads offset 1: "
                "producer 1 is back, and producer 0 is not. Without the snapshot of offset 1, "
                "recovery would read the whole log, and producer 0 would be back, too, until the "
                "next check for expired producers.",
            ),
        ),
    ),
    turning=5,
    fix=(
        "The text of the alternative says that the snapshot has every producer that has not "
        "expired or has an open transaction, and may lack others. The model was tried with "
        "another fix, which replays the whole local log, also where it is old."
    ),
    costs=(
        "Nothing for the sentence. The replay of the whole log reads each segment that is older "
        "than producer.id.expiration.ms, for entries that the next check removes: we advise "
        "against it."
    ),
    repair="repair_read_the_whole_log",
    searched="the fix that replays the whole local log",
    shows="old_segment_is_copied",
    scope="expiry",
)
