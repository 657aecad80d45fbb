"""What Kafka as shipped makes of producers in tiered storage: the register's written half."""

from tierproof.model.designs.producer_state.findings_of_followers import (
    BEGINS_AT_LOG_START,
    FOLLOWER_FORGETS,
    MAKE_MISSING,
    MAKING_COSTS,
    RETRIED,
    UNKNOWN,
)
from tierproof.model.language import Finding, Passage, Severity, Story

OLD_SEGMENT = (
    "The topic is tiered and has one replica. Offsets 0, 1 and 2 are in a segment each, that of "
    "offset 2 is active. The segment of offset 0 is from before Kafka 2.8: there is no producer "
    "snapshot of offset 1. Later snapshots are there. Nothing is copied."
)

MOTIVATION = Passage(
    "KIP-952",
    "Motivation",
    "Once they do this, however, they start seeing "
    "https://github.com/apache/kafka/blob/trunk/storage/api/src/main/java/org/apache/kafka/server/"
    "log/remote/storage/LogSegmentData.java#L61 and no data is uploaded to Tiered Storage.",
)

GIVEN_UP = Finding(
    name="segment_is_given_up_without_a_snapshot",
    title=(
        "Retention deletes a segment without a producer snapshot, and after a crash a retried "
        "batch is appended twice"
    ),
    severity=Severity.WRONG,
    symptom=(
        "Consumers that have read a batch before its deletion read it again at a later offset, "
        "and nothing reports it; the second one stays. Hardly anybody will meet it: an upgrade "
        "from before 2.8, a deletion, a crash and a retry have to come within two minutes of a "
        "batch. It is what remains after another fix of ours. Today a restart forgets these "
        "producers even where the segment has its snapshot, as it deletes snapshots at or below "
        "the log start. With that mended, retention still deletes a segment without a snapshot, "
        "and keeps nothing that says who wrote it."
    ),
    needs=(
        "One replica is enough; one crash; one lost answer, whose retry comes within "
        "delivery.timeout.ms (two minutes by default). The batch is the last one of its producer, "
        "and lies in a segment from before Kafka 2.8 that retention or DeleteRecords deletes. "
        "There is no later snapshot from which recovery could begin: nothing was rolled since the "
        "upgrade, and the snapshot at the base of the active segment, which Kafka before 2.8 "
        "keeps, is lost. Kafka 2.8 to 3.9, by the code; the code of 4.x is the same, but nobody "
        "upgrades to it from before 2.8 in one step."
    ),
    claims=(
        "each_batch_is_committed_once",
        "leader_knows_every_producer",
        "copied_snapshots_are_right",
        "local_snapshots_are_right",
    ),
    passages=(
        Passage(
            "KIP-952",
            "Motivation",
            "This means that if a customer upgrades from a version < 2.8.0 they will have to wait "
            "for retention to clean up segments without an associated producer snapshot as "
            "detailed in",
        ),
    ),
    permitted_by=(
        "UnifiedLog#deleteOldSegments and UnifiedLog#maybeIncrementLogStartOffset, which take no "
        "producer snapshot where there is none; ProducerStateManager#truncateAndReload, which "
        f"loads the newest one that is left; {UNKNOWN}"
    ),
    story=Story(
        "1f47eb",
        (
            (
                "start",
                "The topic has one replica and is not tiered yet. retention.ms is 0. Offset 0, a "
                "batch of producer 0, is in a segment from before Kafka 2.8: there is no producer "
                "snapshot of offset 1. Offset 1, a batch of producer 1, is in the active segment. "
                "Producer 0 has no answer yet.",
            ),
            ("1", RETRIED),
            (
                "2-3",
                "Time passes, and the segment of offset 0 breaches retention.ms. Retention raises "
                "the log start to 1, and is about to delete the segment. The leader knows producer "
                "0 in memory, and so does its producer snapshot of the log end, of the shutdown "
                "for the upgrade. There is none of offset 1.",
            ),
            (
                "4",
                "The leader crashes before the segment is deleted, restarts, and leads "
                "again. Recovery drops the snapshot of the log end, which lies within the "
                "segment that it recovers, and builds the producer state from the log "
                "start, offset 1, on: the leader does not know producer 0.",
            ),
            (
                "5",
                "The retry of producer 0 arrives. The leader does not know producer 0 and appends "
                "the batch at offset 2.",
            ),
            (
                "end",
                "The batch of producer 0 is committed twice: at offset 0, below the log start, "
                "and at offset 2.",
            ),
            (
                "beyond",
                "A consumer that read offset 0 before its deletion reads the batch again. By the "
                "code a crash after the deletion ends in the same way, whether the log start was "
                "checkpointed or not: the log begins at offset 1 then.",
            ),
        ),
    ),
    turning=4,
    fix=(
        "Two changes; in the model neither is enough without the other. Snapshots at or below "
        "the log start stay: ProducerStateManager#truncateAndReload deletes only those above "
        "the log end. And before UnifiedLog moves the log start or the local log start past a "
        "segment, it writes a snapshot at the base of the first segment that stays, if there is "
        "none: from the newest snapshot before it and the batches since. The read has to come "
        "before the lock of the log is taken, as appends wait for that lock. A roll in place of "
        "the read is not enough: a recovery of the segment before the active one drops the "
        "snapshot that the roll takes. Each replica does so."
    ),
    costs=(
        "One read of each segment from before Kafka 2.8, when it is deleted, and code in retention "
        "for a case that ends with the first roll after the upgrade: a sentence in the upgrade "
        "notes may be enough."
    ),
    repair="repair_snapshot_before_the_start_moves",
    shows="leader_will_recognise_a_duplicate",
    scope="old_deleted",
)
FOUND_OUT_LATE = Finding(
    name="missing_snapshot_is_found_out_late",
    title=(
        "Each failed copy of a segment without a producer snapshot leaves a COPY_SEGMENT_STARTED "
        "in __remote_log_metadata"
    ),
    severity=Severity.LEAK,
    symptom=(
        "Each run of the copy task, every 30 seconds by default, adds a COPY_SEGMENT_STARTED to "
        "the metadata topic and an entry to the metadata cache of each broker with a replica, "
        "and logs a NullPointerException: 2,880 a day for one partition, of which nothing is "
        "copied meanwhile. It ends when the segment passes retention.ms or retention.bytes. Then "
        "the expiration task deletes the entries one by one: each takes a "
        "DELETE_SEGMENT_STARTED, a deletion of an object that never was, and a "
        "DELETE_SEGMENT_FINISHED. All these records stay, as the metadata topic has no retention "
        "by default. The copy task publishes the segment before it takes the path of the producer "
        "snapshot, which is null."
    ),
    needs=(
        "One replica is enough; a segment from before Kafka 2.8 in a topic that is tiered. Kafka "
        "before 2.8 kept only the snapshots at the bases of the last two segments (by the code "
        "also a segment of a later version, as a restart that recovers an older segment deletes "
        "later snapshots and rebuilds only the last two). No crash, no fault, no window. Kafka "
        "3.8 to 4.4, and 3.7.1. The exception after COPY_SEGMENT_STARTED was recorded from the "
        "classes of 4.4.0. In 3.6 and 3.7.0 the NullPointerException comes before the segment is "
        "published, from ProducerStateManager#fetchSnapshot."
    ),
    tracker=(
        "KIP-952; KAFKA-16209 (PR 15444) has ProducerStateManager#fetchSnapshot answer an empty "
        "Optional; since then the exception comes after the publication"
    ),
    claims=("inputs_exist_before_copy_is_published", "rolled_segments_are_copied"),
    passages=(MOTIVATION,),
    permitted_by=(
        "RLMCopyTask#copyLogSegment, which looks the snapshot up, publishes COPY_SEGMENT_STARTED, "
        "and only then takes the path of a file that is null. Its cleanup after a failed copy "
        "answers a RemoteStorageException of the RemoteStorageManager only"
    ),
    assumptions=("H12",),
    story=Story(
        "bb7e7b",
        (
            ("start", OLD_SEGMENT),
            (
                "1-3",
                "The copy task of the leader finds that nothing is copied yet, and chooses the "
                "segment of offset 0.",
            ),
            (
                "4",
                "The copy task publishes COPY_SEGMENT_STARTED under id 0, though it has looked "
                "for the producer snapshot of offset 1 and found none.",
            ),
            (
                "end",
                "The metadata topic has COPY_SEGMENT_STARTED of id 0, and the copy under "
                "that id cannot begin.",
            ),
            (
                "beyond",
                "The copy fails with a NullPointerException, and so does every later run, each "
                "under another id.",
            ),
        ),
    ),
    turning=4,
    fix=(
        f"{MAKE_MISSING} No attempt fails then; in the model this was enough alone. Besides, "
        "RLMCopyTask#copyLogSegment, which has asked fetchSnapshot by then, ends with a warning "
        "before it publishes if there is no snapshot after all. The model was tried with that "
        "check, too, which must not be merged alone. The expiration task moves the log start past "
        "a leaked COPY_SEGMENT_STARTED whose records expire, and only that lets the local segment "
        "be deleted today. Without the entries it stays until DeleteRecords, as in 3.6 and 3.7.0, "
        "and nothing is copied."
    ),
    costs=MAKING_COSTS,
    repair="repair_look_for_the_snapshot_first",
    proposal="proposal_build_the_snapshot_before_publishing",
    stands_alone=True,
    apart=("repair_make_the_missing_snapshot",),
    shows="old_segment_is_copied",
    scope="smoke",
)
NEVER_COPIED = Finding(
    name="old_segment_is_never_copied",
    title=(
        "One segment without a producer snapshot stops the copy of all later segments of its "
        "partition"
    ),
    severity=Severity.STALL,
    symptom=(
        "Nothing of the partition reaches the remote tier, and local.retention.ms and "
        "local.retention.bytes free no disk. RemoteCopyErrorsPerSec rises, and every run of the "
        "copy task logs a NullPointerException. It lasts until the "
        "old segments pass retention.ms or retention.bytes: for ever, where these are unlimited, "
        "and in 3.6 and 3.7.0 in any case, until somebody deletes the records. The copy of a "
        "segment needs the producer snapshot of its end, older segments from before Kafka 2.8 have "
        "none, and each run begins with the segment that failed."
    ),
    needs=(
        "One replica is enough; a segment from before Kafka 2.8 in a topic that is tiered. Kafka "
        "before 2.8 kept only the snapshots at the bases of the last two segments. No crash, no "
        "fault, no window. Kafka 3.6 to 4.4, by "
        "the code."
    ),
    tracker=(
        "KIP-952, under discussion. The limitations in the documentation of tiered storage name "
        "it: no support for segments that miss the producer snapshot file. They do not say that "
        "such a segment stops all later ones"
    ),
    claims=("rolled_segments_are_copied",),
    passages=(MOTIVATION,),
    permitted_by=(
        "RLMCopyTask#copyLogSegmentsToRemote, which begins each run with the segment that failed; "
        "LogSegmentData, which requires the producer snapshot"
    ),
    story=Story(
        "2f7401",
        (
            ("start", OLD_SEGMENT),
            (
                "1-3",
                "The copy task of the leader finds that nothing is copied yet, chooses the "
                "segment of offset 0, finds no producer snapshot of offset 1 to copy with it, and "
                "fails.",
            ),
            (
                "4",
                "The leader goes on to answer producers, which plays no part; nothing is copied.",
            ),
            (
                "end",
                "Every later run of the copy task begins with the segment of offset 0 and fails "
                "in the same way. Neither offset 0 nor offset 1 is ever copied.",
            ),
            (
                "beyond",
                "Since 3.7.1 each failed run leaves a COPY_SEGMENT_STARTED, of which we report "
                "elsewhere. The stall ends by it: when the records of that entry expire, the "
                "expiration task moves the log start past them. In the steps above, and in 3.6 and "
                "3.7.0, no such entry is left, and local retention deletes no segment that is not "
                "copied (UnifiedLog#deletableSegments).",
            ),
        ),
    ),
    turning=3,
    fix=(
        f"{MAKE_MISSING} Until then an operator can delete the old records (DeleteRecords past "
        "the last old segment), or wait for retention. KIP-952, in the text that we have, rejects "
        "a correct snapshot for its cost and proposes an empty one, which lets the copy run, too; "
        "a recovery that begins with it forgets the producers before it."
    ),
    costs=f"{MAKING_COSTS} No public interface changes.",
    repair="repair_make_the_missing_snapshot",
    stands_alone=True,
    shows="old_segment_is_copied",
    scope="smoke",
)

FINDINGS = (FOLLOWER_FORGETS, BEGINS_AT_LOG_START, GIVEN_UP, FOUND_OUT_LATE, NEVER_COPIED)
