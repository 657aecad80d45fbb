"""Copies and deletions of two brokers that cross."""

from tierproof.model.language import Finding, Severity, Story

PAIR = (
    "The topic has two replicas. Each has offset 0 in a rolled segment and offset 1 in the active "
    "one. Broker 0 leads, nothing is copied. retention.ms is 0, and local.retention.bytes is 1."
)
ALONE = (
    "The topic has one replica, with offsets 0 and 1 in a rolled segment and offset 2 in the "
    "active one. Nothing is copied."
)
LEGAL = (
    "The trace begins with local.retention.ms=-1 (no limit) beside retention.ms=0, which Kafka "
    "refuses. The same steps with local.retention.ms=0, which it accepts, have the same end: a "
    "test replays them."
)

COPIES = (
    Finding(
        name="zombie_acts_on_remote_tier",
        title=(
            "RLMExpirationTask of a replaced leader can delete remote segments that the current "
            "leader serves"
        ),
        severity=Severity.LOSS,
        symptom=(
            "A broker that no longer leads deletes the remote object that is the only copy of "
            "committed records: one whole segment is lost for good. Fetches of it are answered "
            "with OFFSET_OUT_OF_RANGE: consumers go by auto.offset.reset (latest by default), and "
            "those that begin at the earliest offset make no progress until the log start passes "
            "the gap. A broker that has missed an election still deletes segments by its "
            "own leader epochs, and nothing refuses its DELETE_SEGMENT_STARTED."
        ),
        needs=(
            "Two replicas, brokers 0 and 1 below. Broker 0 leads, then broker 1, then broker 0 "
            "again. Broker 0 applies both elections at once, as after a pause, so that it does "
            "not follow in between; a client has written to it in its first epoch. The log of "
            "broker 1 is empty, or all its records have expired, so that its lineage begins with "
            "its own epoch. Broker 1 is cut off from the controllers alone: it misses the second "
            "election, and still reaches the metadata topic and the remote store when its "
            "expiration task runs next (every 30 seconds by default) after broker 0 has begun to "
            "copy. The controllers fence it, but that ends no task: "
            "RemoteLogManager#onLeadershipChange and #stopPartitions do. One network partition, "
            "no crash. Kafka 3.6 to trunk, by the code."
        ),
        claims=(
            "no_committed_record_lost",
            "committed_records_stay_readable",
            "new_leader_knows_the_log_start",
            "remote_and_local_parts_are_contiguous",
            "object_deleted_only_when_not_needed",
            "local_segment_removed_only_once_copied",
            "highest_remote_offset_is_sound",
            "copied_offset_is_sound",
            "only_the_leader_publishes_copies",
            "only_the_leader_deletes",
            "metadata_records_are_legal_transitions",
            "every_object_is_tracked",
            "quiet_store_holds_finished_segments_only",
            "records_become_readable",
            "followers_get_in_sync",
        ),
        permitted_by=(
            "RLMExpirationTask#cleanupExpiredRemoteLogSegments, whose last part deletes each "
            "segment with no epoch from the broker's earliest one on, and which does not ask "
            "whether the broker still leads; "
            "TopicBasedRemoteLogMetadataManager#storeRemoteLogMetadata, which takes records of "
            "any broker"
        ),
        assumptions=("B7",),
        story=Story(
            "45a279",
            (
                (
                    "start",
                    "The topic has two replicas with empty logs. Broker 0 leads in epoch 0, "
                    "and both are in the ISR. local.retention.bytes is 0.",
                ),
                (
                    "1-4",
                    "The controller elects broker 1 in epoch 1. Broker 1 learns that it "
                    "leads; its log is empty, so that its lineage begins with epoch 1. Then "
                    "broker 1 is cut off from the controllers, which elect broker 0 in epoch 2 "
                    "and take broker 1 out of the ISR. Broker 1, the old leader, does not learn "
                    "of it; broker 0 has learned of neither election yet.",
                ),
                (
                    "5-11",
                    "A client writes offset 0 to broker 0, which appends it in epoch 0. Broker "
                    "0 learns that it leads in epoch 2 and is alone in the ISR: the record is "
                    "committed. Local retention of broker 0 rolls the active segment. The copy "
                    "task of broker 0 chooses the segment of offset 0, whose only epoch is 0, "
                    "and publishes COPY_SEGMENT_STARTED of id 0.",
                ),
                (
                    "12-17",
                    "Broker 0 stores the object of id 0, publishes COPY_SEGMENT_FINISHED, and "
                    "reads it. Its highest remote offset becomes 0, and local retention moves "
                    "its local log start to 1: offset 0 is served from the remote tier.",
                ),
                (
                    "18-21",
                    "The old leader reads COPY_SEGMENT_STARTED of id 0. Its expiration task "
                    "looks for segments of epochs before epoch 1, the earliest one of its "
                    "lineage, finds id 0, and plans to delete it.",
                ),
                (
                    "22-23",
                    "The old leader publishes DELETE_SEGMENT_STARTED of id 0. Broker 0 reads "
                    "it: id 0 no longer serves reads.",
                ),
                (
                    "end",
                    "Offset 0 is committed, and a fetch of it is answered with "
                    "OFFSET_OUT_OF_RANGE: the log start of broker 0, the leader, is 0, its "
                    "local log start is 1, and id 0 is being deleted.",
                ),
                (
                    "beyond",
                    "The old leader deletes the object next. The leader deletes the local file "
                    "file.delete.delay.ms (a minute by default) after local retention: then "
                    "the record is lost.",
                ),
                ("note", LEGAL),
            ),
        ),
        turning=22,
        fix=(
            "For KIP-1266, whose records carry the leader epoch of their publisher "
            "(BrokerLeaderEpoch): RLMExpirationTask deletes nothing in a run that lists a segment "
            "with a record, of any state, whose BrokerLeaderEpoch is above the epoch that the "
            "broker has for the partition; a record of an old version has none, and stops no run. "
            "Each run asks for that epoch anew: the task outlives an election that its broker wins "
            "again, as here, and with the epoch of its beginning the leader would expire nothing "
            "any more. The model was tried with that, "
            "by the epoch of COPY_SEGMENT_STARTED, which a broker reads first of a segment: in "
            "these bounds nothing is lost, and no replaced leader deletes; it may still publish a "
            "copy. No "
            "record is dropped. Without it, and by the KIP's text, the records of the deletion "
            "have another key (epoch 1) than those of the copy (epoch 2), and the tombstones reach "
            "keys with no bigger epoch: after compaction a broker that reads the topic anew takes "
            "the segment for finished. What is left: an old leader that has read no "
            "record of the new one deletes by its own epochs what was copied before. To drop old "
            "records in RemoteLogMetadataCache instead would change the KIP's Scenario 2, where "
            "COPY_SEGMENT_FINISHED of epoch 3 follows COPY_SEGMENT_STARTED of epoch 4. Nor does it "
            "survive compaction: once the newer records are gone, a broker that reads the topic "
            "anew accepts what the others have dropped. Without the KIP, and not modelled: "
            "RLMExpirationTask deletes nothing once the last heartbeat that the controller "
            "answered is older than broker.session.timeout.ms; that relies on clocks, and not on "
            "what is read. The model was also tried with a fence: RemoteLogMetadataManager "
            "refuses a record of an older leader epoch, its future fails, and the task ends before "
            "it touches the object. There the metadata manager knows the partition's epoch at "
            "once; Kafka's does not."
        ),
        costs=(
            "A field of RemoteLogSegmentMetadata, a public class, for the highest epoch of its "
            "records, which plugins have to fill, too; KIP-1266 has it in the records of Kafka's "
            "own. A comparison for each segment in each run. It protects once every broker is "
            "upgraded: an older one neither writes the epoch nor compares it."
        ),
        repair="repair_fence_remote_metadata",
        apart=("repair_delete_unfinished_copies",),
        shows="segment_is_read_from_remote",
        scope="elected_twice",
    ),
    Finding(
        name="deletion_overtakes_a_copy",
        title=(
            "A new leader can delete a segment that the old leader still uploads, and the object "
            "is never deleted"
        ),
        severity=Severity.LEAK,
        symptom=(
            "The object of one segment stays in the remote store for ever, and costs its size, "
            "each time this happens. Neither retention nor the deletion of the topic deletes it: "
            "an operator has to find it by comparing the store with the metadata topic. Clients "
            "see nothing. The new leader deletes a segment that the old leader is still "
            "uploading, and records the deletion as finished; then the upload ends."
        ),
        needs=(
            "Two replicas; an election during a copy; a segment that passes retention, or falls "
            "below the log start by DeleteRecords, before its upload ends, as where copying lags "
            "or the store was down; an old leader that has not learned of the election, as here, "
            "or whose upload the interrupt does not stop. The window is one upload. No crash, no "
            "fault. Kafka 3.6 to trunk, by the code."
        ),
        tracker=(
            "no issue is known to us; KAFKA-17062 (PR 16959), KAFKA-17428 (PR 17335) and "
            "KAFKA-19981 (PR 21150) treat failed copies and deletions, and not this"
        ),
        claims=(
            "every_object_is_tracked",
            "quiet_store_holds_finished_segments_only",
            "expired_objects_are_deleted",
        ),
        permitted_by=(
            "RLMExpirationTask#cleanupExpiredRemoteLogSegments, which deletes segments in "
            "COPY_SEGMENT_STARTED, too: of copies that still run it knows those of its own "
            "broker only (segmentIdsBeingCopied); RLMCopyTask#copyLogSegment, which looks at no "
            "metadata between COPY_SEGMENT_STARTED and COPY_SEGMENT_FINISHED"
        ),
        story=Story(
            "ce854c",
            (
                ("start", PAIR),
                (
                    "1-5",
                    "Offset 0 breaches retention.ms. The leader, broker 0, publishes "
                    "COPY_SEGMENT_STARTED for offset 0. Its copying thread has not stored the "
                    "object yet.",
                ),
                (
                    "6-8",
                    "The controller elects broker 1, which learns that it leads and reads "
                    "COPY_SEGMENT_STARTED. Broker 0, the old leader, does not know of the "
                    "election.",
                ),
                (
                    "9-11",
                    "The expiration task of the new leader finds the segment past retention, "
                    "moves the log start to 1 and publishes DELETE_SEGMENT_STARTED.",
                ),
                (
                    "12-14",
                    "The expiration task deletes the object, which is not there yet "
                    "(RemoteStorageManager#deleteLogSegmentData is idempotent, and succeeds), "
                    "and publishes DELETE_SEGMENT_FINISHED.",
                ),
                (
                    "15-16",
                    "The copying thread of the old leader has the answer to its "
                    "COPY_SEGMENT_STARTED by now, and stores the object. (On brokers the upload "
                    "began before the deletion, and ended after it: with the same end, as a "
                    "store has the object once the upload ends.)",
                ),
                (
                    "end",
                    "The object of id 0 exists, and the metadata topic says that id 0 is "
                    "deleted: no broker lists it, once it has read that.",
                ),
                (
                    "beyond",
                    "The old leader goes on to publish COPY_SEGMENT_FINISHED. Every broker drops "
                    "that record, as the id is unknown after DELETE_SEGMENT_FINISHED, with the "
                    'warning "Error occurred while updating the remote log segment." The old '
                    "leader takes the copy for a success.",
                ),
                ("note", LEGAL),
            ),
        ),
        turning=14,
        fix=(
            "RLMExpirationTask skips a segment that another broker put in COPY_SEGMENT_STARTED, "
            "and goes on to the next, in the loop over the leader epochs as in its last part, "
            "until the eventTimestampMs of that record is older than a limit, which is longer than "
            "any upload. Then it deletes the segment as today. The model was tried with that; it "
            "has no clock for uploads, and takes the limit for passed once no thread uploads the "
            "segment. Without a limit: a segment deleted in COPY_SEGMENT_STARTED stays in "
            "DELETE_SEGMENT_STARTED, and each run deletes it again (KAFKA-17428), until "
            "COPY_SEGMENT_FINISHED is read. That record is dropped today; to keep it changes "
            "RemoteLogSegmentMetadata, which is public, and after a crash the deletions do not "
            "end. Smaller, and not enough: once its COPY_SEGMENT_FINISHED is read, "
            "RLMCopyTask#copyLogSegment looks for its id in "
            "RemoteLogMetadataManager#listRemoteLogSegments, and deletes its object if the id is "
            "gone, or in DELETE_SEGMENT_STARTED. Before that look no metadata names the object, so "
            "a copier that crashes there leaves it. The model was also tried with a fence at the "
            "store: RemoteStorageManager#copyLogSegmentData and #deleteLogSegmentData are given "
            "the leader epoch, and the store refuses an object of an older epoch than the latest "
            "that it has seen, here with the new leader's deletion. A fence on the metadata topic "
            "alone is not enough, as the object is stored after the metadata says that it is "
            "deleted. Nor is a look of RLMCopyTask#copyLogSegment at its cancellation: an old "
            "leader that has not learned of the election is not cancelled."
        ),
        costs=(
            "The first: a setting, and so a KIP; what a crash cut off is deleted once the limit "
            "has passed, if retention comes before; an upload beyond the limit, or amid the "
            "deletion of the topic, still leaks. The fence at the store: a parameter in two "
            "methods of a public interface, so a KIP (as default methods they keep older plugins "
            "working, without the fence), and the leader epoch in RLMCopyTask and "
            "RLMExpirationTask, which do not have it; object stores do not compare epochs, so that "
            "the plugin keeps one for each partition."
        ),
        repair="repair_fence_remote_store",
        searched="a store that refuses copies of an old leader epoch",
        stands_alone=True,
        proposal="proposal_spare_copies_until_a_limit",
        apart=("repair_delete_unfinished_copies",),
        shows="segment_is_expired",
        scope="smoke",
    ),
)
