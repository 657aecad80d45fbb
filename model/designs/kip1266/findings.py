"""What KIP-1266 permits that it should not: the register's written half."""

from dataclasses import replace

from tierproof.model.language import Finding

HOW_TO_READ = (
    "In the trace a `key` is 8 times the end offset plus the epoch (with a UUID in the key, 8 "
    "times the id plus the state), a `value` 8 times the id plus what the record says: 1 to 4 for "
    "COPY_SEGMENT_STARTED to DELETE_SEGMENT_FINISHED, 5 and 6 for the partition, 7 for a highest "
    "offset; a tombstone's is 0. `truth` is what the whole history says, `replayed` what the topic "
    "says as it is."
)


def explained(*findings: Finding) -> tuple[Finding, ...]:
    """Findings that say how the numbers of the topic are to be read."""
    return tuple(replace(one, explanation=f"{one.explanation} {HOW_TO_READ}") for one in findings)


FINDINGS = explained(
    Finding(
        name="compaction_removes_the_description",
        title="Compaction removes the only record that describes a copied segment",
        claims=(
            "live_segments_stay_known",
            "leader_serves_what_is_within_retention",
            "compaction_changes_no_cache",
            "compaction_loses_no_object",
            "latest_values_are_self_contained",
        ),
        permitted_by=(
            'KIP-1266, Message Key and Value: "retries or updates share the same key (compaction '
            'keeps the latest state)"; RemoteLogSegmentMetadataUpdateRecord, which carries no '
            "start offset, epochs or size; RemoteLogMetadataCache#updateRemoteLogSegmentMetadata"
        ),
        explanation=(
            "COPY_SEGMENT_FINISHED supersedes COPY_SEGMENT_STARTED, which alone says what the "
            "segment is. A broker that reads the topic afterwards drops the update, as it has "
            "nothing to update. If it leads, it finds no segment before the next one, and moves "
            "its log start there: everything below, in the remote tier and locally, is given up. "
            "The text's own scenario 1 ends so."
        ),
        repair="repair_all",
        scope="smoke",
    ),
    Finding(
        name="deletion_marker_removes_the_description",
        title="DELETE_SEGMENT_STARTED supersedes what the deletion must know",
        claims=("compaction_loses_no_object",),
        permitted_by="KIP-1266, Message Key and Value, as above, for a leader that stays the same",
        explanation=(
            "The expiration task has published DELETE_SEGMENT_STARTED and stops before the object "
            "is deleted. Compacted, the key has this one update. Whoever takes over does not know "
            "the segment, and the object is never deleted."
        ),
        repair="repair_all",
        scope="zombie",
    ),
    Finding(
        name="retry_takes_the_key_over",
        title="A retry takes the key over, and the object of the attempt before is forgotten",
        claims=("key_names_one_live_segment",),
        permitted_by=(
            'KIP-1266, scenario 3: "Same key, different UUID!", "Only UUID-B appears (UUID-A '
            'compacted away)"; RetriableRemoteStorageException, after which nothing is cleaned up'
        ),
        explanation=(
            "A copy that timed out may have stored its object. The retry publishes its own id "
            "under the same key, and compaction removes the only trace of the first: the object "
            "stays in the store for ever. Today the first id is listed, and expires."
        ),
        repair="repair_all",
        scope="smoke",
    ),
    Finding(
        name="late_tombstone_hits_the_retry",
        title="The tombstones of a failed attempt hit the copy that succeeded",
        claims=("tombstone_only_after_deletion", "tombstoned_key_stays_dead"),
        permitted_by=(
            'KIP-1266, Broker Write Path: tombstones "for all the keys that share the same prefix '
            'topicIdPartition:endOffset", published asynchronously after any '
            "DELETE_SEGMENT_FINISHED, also that of a failed copy"
        ),
        explanation=(
            "A failed attempt is cleaned up, up to DELETE_SEGMENT_FINISHED; its tombstones are to "
            "follow. Meanwhile the retry is published under the same key. The tombstone comes "
            "behind it, and takes the live segment for the dead one. The scan of the clean-up "
            "manager does the same, and so does the deletion of one of several copies of a range "
            "to the others, whose objects are still there: scenario 4 itself leaves two of them."
        ),
        repair="repair_all",
        scope="smoke",
    ),
    Finding(
        name="anyone_writes_tombstones",
        title="Tombstones come from brokers that do not lead",
        claims=("only_the_leader_writes_tombstones",),
        permitted_by=(
            'KIP-1266, Broker Write Path: "a background cleanup thread executed by '
            'RemoteMetadataCleanupManager", of which the text does not say where it runs; '
            "asynchronous tombstones, which outlive their writer's leadership"
        ),
        explanation=(
            "Nothing compares the writer's epoch with the leader's. A broker that was voted out "
            "goes on to tombstone what it deleted, and every broker scans."
        ),
        repair="repair_all",
        scope="smoke",
    ),
    Finding(
        name="lagging_consumer_misses_the_deletion",
        title="A consumer that lags behind the cleaner keeps a segment that is gone",
        claims=("brokers_that_have_read_all_know_the_truth",),
        permitted_by=(
            'KIP-1266, Broker Read Path: "There is no change in how the ConsumerTask read the '
            'messages"; RemoteLogSegmentState#isValidTransition'
        ),
        explanation=(
            "A running consumer has read COPY_SEGMENT_FINISHED. Before it reads on, "
            "DELETE_SEGMENT_STARTED is superseded, by DELETE_SEGMENT_FINISHED or by the "
            "tombstone. The one is then an illegal transition, and dropped; the other names no "
            "segment. The cache serves the deleted segment until the broker restarts. No lag "
            "beyond delete.retention.ms is needed."
        ),
        repair="repair_all",
        scope="zombie",
    ),
    Finding(
        name="zombie_outlives_the_tombstones",
        title="A zombie's COPY_SEGMENT_FINISHED behind the tombstone stays for ever",
        claims=(
            "deleted_segments_leave_no_record",
            "topic_is_as_big_as_the_remote_tier",
            "deleted_segments_stay_dead",
        ),
        permitted_by=(
            "RLMCopyTask#copyLogSegment, which publishes COPY_SEGMENT_FINISHED without asking who "
            'leads; KIP-1266: "only one writer will try to write the value anytime"'
        ),
        explanation=(
            "Another broker deletes the segment that the zombie is copying, and tombstones the "
            "key; the zombie then finishes. Its record has no DELETE_SEGMENT_FINISHED beside it, "
            "so nobody tombstones it: the topic grows with every such race. If the zombie's "
            "record supersedes the deletion while COPY_SEGMENT_STARTED lies outside of what is "
            "cleaned, whoever reads the topic finds a finished segment whose object is gone."
        ),
        repair="repair_all",
        scope="zombie",
    ),
    Finding(
        name="object_comes_behind_its_tombstone",
        title="A zombie stores its object behind the tombstones of its segment",
        claims=("tombstone_only_after_deletion", "expired_objects_go"),
        permitted_by=(
            "RLMCopyTask#copyLogSegment, RemoteStorageManager#copyLogSegmentData, which know of no "
            "deletion; KIP-1266, Broker Write Path: a deleted segment is to be forgotten"
        ),
        explanation=(
            "The leader deletes an attempt that a zombie has only announced, as its range expired. "
            "Then the zombie stores the object. KIP-405 has this leak too; but there the history "
            "still names the id, and here tombstones and compaction take the last trace of it. To "
            "fence writers of metadata is not enough: the store has to remember what it was asked "
            "to delete."
        ),
        repair="repair_all",
        scope="zombie",
    ),
    Finding(
        name="partition_markers_add_up",
        title="The marker of a deleted partition stays for ever",
        claims=("topic_is_as_big_as_the_remote_tier",),
        permitted_by='KIP-1266, scenario 5: "partition delete marker remains"',
        explanation=(
            "Each partition that was ever deleted keeps a key, though nothing of it is left: the "
            "topic grows with the number of deleted topics, against the first goal. The marker can "
            "go as the last key of its partition, since it hides what lies before it."
        ),
        repair="repair_all",
        scope="deletion",
    ),
    Finding(
        name="highest_offset_is_forgotten",
        title="The highest offset that was ever copied is forgotten with its segment",
        claims=("compaction_keeps_highest_offsets",),
        permitted_by=(
            "RemoteLogLeaderEpochState#highestLogOffset, which deletions leave as it is and a "
            "compacted topic cannot give back"
        ),
        explanation=(
            "A cache that has read the whole history knows how far an epoch was copied, also when "
            "all of its segments are deleted. A compacted topic says nothing of it, and a new "
            "leader's copy task begins at its log start. With a log start that lags, segments "
            "that have expired are copied again. (The shortest trace loses it with the "
            "description; where values are self-contained, it is lost with the segment.) The "
            "repair tells the highest offset of an epoch "
            "under a key of its own, in one batch with COPY_SEGMENT_FINISHED; the topic refuses "
            "the batch of a writer that has not read to its end."
        ),
        repair="repair_tell_highest_offsets",
        scope="smoke",
    ),
    Finding(
        name="objects_never_expire",
        title="Objects whose records were compacted away are never deleted",
        claims=("expired_objects_go",),
        permitted_by="all of the above; RLMExpirationTask, which deletes what its cache lists",
        explanation=(
            "What no cache knows no task deletes. After a restart the leader knows none of the "
            "segments whose description is gone, and their objects outlive their retention."
        ),
        repair="repair_all",
        scope="smoke",
    ),
    Finding(
        name="partition_marker_takes_a_segments_key",
        title="The partition's deletion overwrites its last segment",
        claims=("partition_keys_are_their_own",),
        permitted_by=(
            'KIP-1266, Message Key and Value: "For partition-level delete metadata, the same key '
            'structure is used, with an endOffset that represents the partition end offset"; '
            "scenario 5 has another key"
        ),
        explanation=(
            "If the log ends where its last segment does, the marker has that segment's key: "
            "compaction removes what describes an object that is yet to be deleted."
        ),
        repair="repair_kind_in_key",
        scope="deletion",
        beside=("text_partition_key_with_end_offset",),
    ),
    Finding(
        name="tombstone_kills_the_consumer",
        title="The first tombstone ends every consumer that is unchanged",
        claims=("consumers_survive",),
        permitted_by=(
            'KIP-1266, Broker Read Path: "There is no change in how the ConsumerTask read the '
            'messages"; RemoteLogMetadataSerde#deserialize, ConsumerTask#run'
        ),
        explanation=(
            "A null value is no message: the exception is not retriable, and ends the consumer's "
            "thread. From then on every publication of that broker waits for a consumer that is "
            "gone: nothing is copied or expired until it restarts, and then not for long."
        ),
        repair="repair_consumer_reads_null",
        scope="zombie",
        beside=("text_consumer_unchanged",),
    ),
    Finding(
        name="object_goes_before_it_is_told",
        title="Scenario 4 deletes the object before it says so",
        claims=("deletion_is_told_first",),
        permitted_by='KIP-1266, scenario 4: T2 "Delete from S3", T3 "Mark deletion"',
        explanation=(
            "A leader that dies between the two leaves a finished segment without its object, "
            "which its successor serves. Kafka as shipped has the other order."
        ),
        repair="repair_tell_deletion_first",
        scope="zombie",
        beside=("text_object_deleted_first",),
    ),
    Finding(
        name="tombstones_of_states_need_an_order",
        title="With the state in the key, a tombstone for the deletion brings the segment back",
        claims=("deleted_segments_stay_dead",),
        permitted_by=(
            "pull request 22774: a key for each state, so that a deleted segment has four keys, "
            "tombstoned by scans in no particular order"
        ),
        explanation=(
            "Once the tombstone of DELETE_SEGMENT_STARTED has removed it while "
            "COPY_SEGMENT_FINISHED is still there, whoever reads the topic finds a finished copy; "
            "DELETE_SEGMENT_FINISHED behind it is then no legal transition. The oldest state has "
            "to go first, and the deletion last; or DELETE_SEGMENT_FINISHED has to count in any "
            "state, as in the repair, which has the others as well."
        ),
        repair="repair_tombstones_in_order",
        scope="zombie",
        beside=("pull_request_uuid_and_state_in_key",),
    ),
)
