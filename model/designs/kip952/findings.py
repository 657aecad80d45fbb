"""What KIP-952 and its alternatives that make a snapshot permit: the register's written half."""

from tierproof.model.language import Finding, Passage, Severity, Story

REJECTED = "Rejected Alternatives"
UNKNOWN = "ProducerAppendInfo#checkSequence, which accepts any sequence of an unknown producer"
RECOVERY = (
    "LogLoader and ProducerStateManager#truncateAndReload, which begin a recovery with the newest "
    "snapshot"
)
RETRIED = "Producer A, whose answer was lost, retries its batch. The request is late."
GENERATE = Passage(
    "KIP-952",
    REJECTED,
    "- Generate a correct producer snapshot prior to upload - this will be expensive because we "
    "either have to reply the log from the beginning or choose an arbitrary earlier segment as the "
    "starting point to start calculating said snapshot from.",
)

EMPTY = Finding(
    name="empty_snapshot_denies_producers",
    title="The leader crashes, recovers from the empty snapshot, and appends a retry",
    severity=Severity.WRONG,
    needs=(
        "One replica; one crash, one lost answer. A segment from before Kafka 2.8 whose producers "
        "still live (enable.idempotence is the default since 3.0) in a topic that is tiered. No "
        "follower, no election, nothing copied. With the empty file, older instances are no longer "
        "fenced either, and a follower that begins on the remote tier knows nobody."
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
    assumptions=("H1", "H2", "H3"),
    story=Story(
        "d18b3c",
        (
            (
                "start",
                "The topic is tiered. Offset 0, a batch of producer A, is in a segment from "
                "before Kafka 2.8: there is no producer snapshot of offset 1. Offset 1, of "
                "producer B, is in the active segment. A has no answer yet.",
            ),
            ("1", RETRIED),
            ("2-3", "The copy task of the leader finds that nothing is copied yet."),
            ("4", "The copy task chooses the segment of offset 0, which has no snapshot."),
            ("5", "The copy task puts an empty snapshot of offset 1 into the log directory."),
            (
                "6",
                "The leader crashes and leads again. It loads the empty snapshot, reads the log "
                "from offset 1 on, and does not know A, though A's batch is in its log. Without "
                "the file it would have read the log from offset 0.",
            ),
            ("7", "The retry arrives, from an unknown producer, and is appended at offset 2."),
            ("end", "A's batch is committed twice, at offsets 0 and 2."),
        ),
    ),
    turning=6,
    fix=(
        "Create a segment-aligned producer snapshot that has the last batch and the epoch of every "
        "unexpired producer of the log before it, made from the newest snapshot from the log start "
        "on and the batches since. That is the first alternative that the text rejects."
    ),
    costs=(
        "One read of each segment from before Kafka 2.8, which a crash that finds no snapshot "
        "costs today."
    ),
    repair="repair_regenerate_the_snapshot",
    shows="old_segment_is_copied",
    scope="restart",
)
SECOND = Finding(
    name="second_snapshot_lacks_the_first_segment",
    title="The replay for the second old segment no longer finds the first, and a crash forgets",
    severity=Severity.WRONG,
    needs=(
        "One replica; one crash, one lost answer. Two segments from before Kafka 2.8, the first of "
        "which local retention removes before the second is copied."
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
                "The topic is tiered. Offsets 0 and 1, of producers A and B, are two segments "
                "from before Kafka 2.8: there is no producer snapshot of offset 1 or 2. Offset 2, "
                "of producer C, is in the active segment. A has no answer yet.",
            ),
            ("1", RETRIED),
            ("2-4", "The copy task of the leader chooses the segment of offset 0."),
            ("5", "It replays the local log from offset 0, and writes the snapshot of offset 1."),
            ("6-11", "The copy task copies the segment with that snapshot, which is right."),
            ("12-13", "Local retention removes the segment of offset 0."),
            ("14", "The copy task chooses the segment of offset 1."),
            (
                "15",
                "It replays the local log from its beginning, which is offset 1 now, and writes "
                "the snapshot of offset 2. That has B, and lacks A.",
            ),
            (
                "16",
                "The leader crashes and leads again. It loads the newest snapshot, that of offset "
                "2, and does not know A, whom the snapshot of offset 1 has.",
            ),
            ("17", "The retry arrives, from an unknown producer, and is appended at offset 3."),
            ("end", "A's batch is committed twice: at offset 0, in the remote tier, and at 3."),
        ),
    ),
    turning=16,
    fix=(
        'Of where the replay begins, instead of "an arbitrary earlier segment": with the newest '
        "producer snapshot from the log start up to the segment's end, and at the start of the "
        "local log only where there is none."
    ),
    costs="Nothing; the replay gets shorter. Snapshots have to be made in the order of the log.",
    repair="repair_replay_from_the_newest_snapshot",
    shows="old_segment_is_copied",
    scope="two_old",
)
EXPIRED = Finding(
    name="regenerated_snapshot_lacks_the_expired",
    title="The regenerated snapshot lacks producers that a replay of the whole log brings back",
    severity=Severity.TEXT,
    needs=(
        "One replica; no crash, no fault. A segment from before Kafka 2.8 that is older than "
        "producer.id.expiration.ms. Nobody is harmed: the producers have expired."
    ),
    claims=("making_a_snapshot_changes_no_recovery",),
    passages=(GENERATE,),
    permitted_by=(
        "ours, and not in the text: the replay begins with the first segment that is younger than "
        "producer.id.expiration.ms"
    ),
    assumptions=("H4",),
    story=Story(
        "1be928",
        (
            (
                "start",
                "The topic is tiered. Offset 0, a batch of producer A, is in a segment from "
                "before Kafka 2.8: there is no producer snapshot of offset 1. Offset 1, of "
                "producer B, is in the active segment.",
            ),
            ("1", "Time passes, and A and B expire."),
            ("2-4", "The copy task of the leader chooses the segment of offset 0."),
            (
                "5",
                "It finds no segment that is young enough, and writes a snapshot of offset 1 that "
                "has no producer.",
            ),
            (
                "end",
                "A crash would now bring back B alone; without the file it would have read the "
                "whole log, and brought back A, too, until the next check for expired producers.",
            ),
        ),
    ),
    turning=5,
    fix="Replay the whole local log, also where it is old.",
    costs="Reading segments that matter to nobody: the finding is a reason not to.",
    repair="repair_read_the_whole_log",
    shows="old_segment_is_copied",
    scope="expiry",
)
