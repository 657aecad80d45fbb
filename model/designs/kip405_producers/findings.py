"""What Kafka as shipped makes of producers in tiered storage: the register's written half."""

from tierproof.model.designs.producer_state.findings_of_followers import (
    BEGINS_AT_LOG_START,
    FOLLOWER_FORGETS,
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
        "copy task logs a NullPointerException. It lasts until the old segments pass retention.ms "
        "or retention.bytes: for ever, where these are unlimited, and in 3.6 and 3.7.0 in any "
        "case, until somebody deletes the records. The copy of a segment needs the producer "
        "snapshot of its end, older segments from before Kafka 2.8 have none, and each run begins "
        "with the segment that failed. Since 3.7.1 each run, every 30 seconds by default, also "
        "adds a COPY_SEGMENT_STARTED to the metadata topic and an entry to the metadata cache of "
        "each broker with a replica: 2,880 a day for one partition. When the segment expires, the "
        "expiration task deletes the entries one by one: each takes a DELETE_SEGMENT_STARTED, a "
        "deletion of an object that never was, and a DELETE_SEGMENT_FINISHED. All these records "
        "stay, as the metadata topic has no retention by default."
    ),
    needs=(
        "One replica is enough; a segment without a producer snapshot in a topic that is tiered: "
        "one from before Kafka 2.8, which kept only the snapshots at the bases of the last two "
        "segments, or, by the code, one of a later version, as a restart that recovers an older "
        "segment deletes later snapshots and rebuilds only the last two. No crash, no fault, no "
        "window. Kafka 3.6 to 4.4, by the code. COPY_SEGMENT_STARTED is left since 3.8, and in "
        "3.7.1: the exception after it was recorded from the classes of 4.4.0. In 3.6 and 3.7.0 "
        "the NullPointerException comes before the segment is published, from "
        "ProducerStateManager#fetchSnapshot."
    ),
    tracker=(
        "KIP-952, under discussion. The limitations in the documentation of tiered storage name "
        "it: no support for segments that miss the producer snapshot file. They do not say that "
        "such a segment stops all later ones. KAFKA-16209 (PR 15444) has "
        "ProducerStateManager#fetchSnapshot answer an empty Optional; since then the exception "
        "comes after the publication"
    ),
    claims=("rolled_segments_are_copied", "inputs_exist_before_copy_is_published"),
    passages=(MOTIVATION,),
    permitted_by=(
        "RLMCopyTask#copyLogSegmentsToRemote, which begins each run with the segment that failed; "
        "LogSegmentData, which requires the producer snapshot; RLMCopyTask#copyLogSegment, which "
        "publishes COPY_SEGMENT_STARTED before it takes the path of a file that is null. Its "
        "cleanup after a failed copy answers a RemoteStorageException of the RemoteStorageManager "
        "only"
    ),
    assumptions=("H12",),
    story=Story(
        "57c156",
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
                "5-6",
                "The leader reads that record into its cache. It goes on to answer producers, "
                "which plays no part.",
            ),
            (
                "7",
                "The copy task fails, as there is no producer snapshot to copy with the segment.",
            ),
            (
                "8-10",
                "The expiration task runs, again and again. It finds nothing to delete.",
            ),
            (
                "end",
                "The metadata topic has COPY_SEGMENT_STARTED of id 0 for good. Neither offset 0 "
                "nor offset 1 is ever copied.",
            ),
            (
                "beyond",
                "Every later run of the copy task begins with the segment of offset 0, fails in "
                "the same way, and leaves another COPY_SEGMENT_STARTED under another id. The "
                "stall ends by them: when their records expire, the expiration task moves the "
                "log start past them. In 3.6 and 3.7.0 no such entry is left, and local retention "
                "deletes no segment that is not copied (UnifiedLog#deletableSegments).",
            ),
        ),
    ),
    turning=7,
    fix=(
        "RLMCopyTask#copyLogSegment builds the missing snapshot before it publishes "
        "COPY_SEGMENT_STARTED. A second ProducerStateManager, over a scratch directory with a copy "
        "of the newest earlier snapshot, replays the batches from there up to the end of the "
        "segment. Without an earlier snapshot it begins at the log start or, where that is only in "
        "the remote tier, with the producer snapshot of the remote segment that holds the offset "
        "before the local log, as another leader may have built that one. It must not work on the "
        "log directory, where ProducerStateManager#truncateAndReload would delete every later "
        "snapshot. Then, under the log's lock, the file is moved into the log directory, where the "
        "next segment begins with it, and registered by a new method, as "
        "ProducerStateManager#fetchSnapshot answers from a map. A check that only ends the run "
        "before it publishes must not be merged alone. The expiration task moves the log start "
        "past a leaked COPY_SEGMENT_STARTED whose records expire, and only that lets the local "
        "segment be deleted today. Without the entries it stays until DeleteRecords, as in 3.6 and "
        "3.7.0. Until there is a fix an operator can delete the old records (DeleteRecords past "
        "the last old segment), or wait for retention. KIP-952, in the text that we have, rejects "
        "a correct snapshot for its cost and proposes an empty one, which lets the copy run, too; "
        "a recovery that begins with it forgets the producers before it."
    ),
    costs=(
        "One read of each segment from before Kafka 2.8, in the copy thread, without the lock of "
        "the log and outside of the copy quota. Producers whose batches are deleted already are "
        "not in the snapshot, as after a crash that finds none. No public interface changes."
    ),
    repair="repair_build_the_snapshot_before_publishing",
    stands_alone=True,
    shows="old_segment_is_copied",
    scope="smoke",
)

FINDINGS = (FOLLOWER_FORGETS, BEGINS_AT_LOG_START, GIVEN_UP, NEVER_COPIED)
