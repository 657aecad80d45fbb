"""What KIP-405 as shipped permits that it should not: the register's written half.

The traces beside these texts in docs/findings/kip405 are generated: `tierproof findings kip405`.
"""

from tierproof.model.language import Finding

FINDINGS = (
    Finding(
        name="zombie_deletes_what_the_leader_promises",
        title="A zombie deletes segments that the new leader's log start still promises",
        claims=(
            "committed_records_stay_readable",
            "remote_and_local_parts_are_contiguous",
            "new_leader_knows_the_log_start",
            "records_become_readable",
        ),
        permitted_by=(
            "RLMExpirationTask#cleanupExpiredRemoteLogSegments, which a broker runs from its "
            "election until it learns of the next, and which moves the log start of that broker "
            "only; "
            "RLMCopyTask#copyLogSegment, which waits until its broker has read "
            "COPY_SEGMENT_FINISHED and does not ask whether its cache accepted it"
        ),
        explanation=(
            "The old leader has not heard of the election. It finds a segment past its retention, "
            "moves its own log start and publishes DELETE_SEGMENT_STARTED. The new leader's log "
            "start stays where it was, and what it promises is gone. If the new leader was in the "
            "middle of copying the segment it is worse: every cache drops its "
            "COPY_SEGMENT_FINISHED as an illegal transition, which the copying thread does "
            "not see: it takes the segment for copied. Cursor and highest remote offset move "
            "past it, local retention removes the last copy, and nobody copies it again. If no "
            "remote segment is left the offsets are promised for ever, as nothing then tells the "
            "leader where the log begins (findLogStartOffset answers with its own local start): "
            "a reader that starts there never proceeds. The last needs no zombie."
        ),
        repair="repair_take_log_start_over",
        scope="smoke",
    ),
    Finding(
        name="zombie_acts_on_remote_tier",
        title="A broker that no longer leads copies and deletes as if it led",
        claims=(
            "only_the_leader_publishes_copies",
            "only_the_leader_deletes",
            "metadata_records_are_legal_transitions",
        ),
        permitted_by=(
            "TopicBasedRemoteLogMetadataManager takes records of any broker; RLMTask does not "
            "ask for the leader epoch after it was scheduled"
        ),
        explanation=(
            "Between an election and the moment that the old leader hears of it, its tasks go on. "
            "What it publishes then changes what the new leader's readers are served, and crosses "
            "what the new leader publishes: caches drop the record that comes second."
        ),
        repair="repair_fence_remote_metadata",
        scope="smoke",
    ),
    Finding(
        name="deletion_overtakes_a_copy",
        title="A segment is deleted while it is copied: its object is stored later, and orphaned",
        claims=("every_object_is_tracked", "expired_objects_are_deleted"),
        permitted_by=(
            "RLMExpirationTask#cleanupExpiredRemoteLogSegments lists segments in "
            "COPY_SEGMENT_STARTED too, and knows the copies of its own broker only; "
            "RLMCopyTask#copyLogSegment looks at no metadata before it stores"
        ),
        explanation=(
            "One broker copies a segment; another, which leads or believes to lead, finds it past "
            "retention, deletes its metadata, and the object that is not there yet. Then the "
            "first broker stores the object. Its metadata is gone for good: no task of any "
            "broker lists it, and the object stays as long as the store does. A fence on metadata "
            "does not help: the store asks for no epoch."
        ),
        scope="smoke",
    ),
    Finding(
        name="interrupted_copy_dangles",
        title="A copy that ends in the middle leaves its object behind until retention finds it",
        claims=("quiet_store_holds_finished_segments_only",),
        permitted_by=(
            "RemoteLogManager keeps nothing on disk about copies; only RemoteStorageException "
            "is cleaned up after (RLMCopyTask#copyLogSegment)"
        ),
        explanation=(
            "The broker crashes, or its task is cancelled, after the object was stored and before "
            "COPY_SEGMENT_FINISHED was published. The next copy draws a new id. The first object "
            "is never read, and costs its storage until retention reaches its offsets."
        ),
    ),
    Finding(
        name="crash_takes_the_log_start_back",
        title="A crash takes the log start back below what is deleted, and it may stay there",
        claims=(
            "records_become_readable",
            "committed_records_stay_readable",
            "remote_and_local_parts_are_contiguous",
            "new_leader_knows_the_log_start",
        ),
        permitted_by=(
            "LogManager#checkpointLogStartOffsets, which runs once a minute and when the broker "
            "shuts down in good order; LogLoader#load, which takes the checkpoint where remote "
            "storage is on; RemoteLogManager#findLogStartOffset, which answers with the local "
            "log start where no remote segment is left"
        ),
        explanation=(
            "The expiration task moves the log start in memory and deletes the objects. After a "
            "crash within the minute the log starts where the checkpoint says, and promises what "
            "is gone. If remote segments are left, the first run of the copy task repairs it. If "
            "none is left, and the local file of the expired segment was not removed yet, the "
            "task answers with that file's offset. The highest offset of the epoch, which "
            "survives the deletion, still lets local retention remove the file: from then on "
            "offsets that are nowhere are promised for good, and a reader that starts there "
            "never proceeds."
        ),
        repair="repair_write_log_start_through",
        scope="alone_restart",
    ),
    Finding(
        name="lineage_begins_above_the_log_start",
        title="After a crash the lineage begins above the log start, and copying stops for good",
        claims=("rolled_segments_are_copied", "expired_local_segments_are_removed"),
        permitted_by=(
            "UnifiedLog#maybeIncrementLogStartOffset cuts the leader-epoch checkpoint when the "
            "log start moves, and the log start checkpoint is written later; LogLoader#load does "
            "not compare the two; RLMCopyTask#copyLogSegment needs an epoch for every segment "
            "(RemoteLogSegmentMetadata throws without one)"
        ),
        explanation=(
            "A user deletes records, and a replica that has followed crashes before its log start "
            "is checkpointed. It comes back with the old log start, a local segment below the "
            "first epoch that it knows, and may lead. Every run of its copy task begins with "
            "that segment and fails: nothing of the partition is copied any more, so that local "
            "retention removes nothing either. The records that the user deleted are back."
        ),
        repair="repair_write_log_start_through",
        scope="restart",
    ),
    Finding(
        name="deleted_topic_leaks",
        title="After the deletion of a topic its remote objects may stay for ever",
        claims=("expired_objects_are_deleted",),
        permitted_by=(
            "ReplicaManager#stopPartitions, RemoteLogManager#deleteRemoteLogPartition: one "
            "attempt of one broker, over what its cache lists at that moment; nothing durable "
            "says that the partition is to be deleted (RemotePartitionDeleteMetadata has no "
            "caller)"
        ),
        explanation=(
            "The leader lists the remote segments and deletes them one by one. A copy that was in "
            "flight stores its object afterwards; an error of the store ends the deletion, and "
            "so does a crash; a cache that is not initialized lists nothing. No broker comes back "
            "to a topic that does not exist."
        ),
        scope="alone_deleted",
    ),
    Finding(
        name="single_record_counts_twice",
        title="A segment of one record counts twice in retention by size, and records go too early",
        claims=(
            "log_start_passes_only_what_may_go",
            "no_committed_record_lost",
            "object_deleted_only_when_not_needed",
        ),
        permitted_by=(
            "UnifiedLog#onlyLocalLogSegmentsSize, which takes segments from the highest remote "
            "offset on, an offset that is inclusive"
        ),
        explanation=(
            "A segment that begins at the highest remote offset is the last copied one if it has "
            "a single record. It counts as only local, and as remote. A topic that just fills "
            "retention.bytes seems to exceed it: the oldest segment is deleted."
        ),
        repair="repair_count_local_above_the_highest_remote_offset",
        scope="size_of_one",
    ),
    Finding(
        name="size_of_a_topic_is_guessed",
        title="What counts for retention by size is not the size of what is readable",
        claims=("retention_counts_each_offset_once",),
        permitted_by=(
            "RLMExpirationTask#buildRetentionSizeData adds finished segments to what "
            "UnifiedLog#onlyLocalLogSegmentsSize says; the two are read at different moments and "
            "divide the log at different places"
        ),
        explanation=(
            "The sum is larger than the log where a segment counts on both sides "
            "(`single_record_counts_twice`, `segment_counts_twice_while_it_is_recorded`). The "
            "property measures Kafka's own sum, so that no repair of ours can mend it; what "
            "follows from the sum is mended there."
        ),
        scope="size_of_one",
    ),
    Finding(
        name="segment_counts_twice_while_it_is_recorded",
        title="A segment counts twice between COPY_SEGMENT_FINISHED and the highest remote offset",
        claims=("log_start_passes_only_what_may_go", "no_committed_record_lost"),
        permitted_by=(
            "RLMCopyTask#copyLogSegment publishes COPY_SEGMENT_FINISHED first and calls "
            "UnifiedLog#updateHighestOffsetInRemoteStorage afterwards, in a thread of its own; "
            "RLMExpirationTask#buildRetentionSizeData does not leave out what is being copied"
        ),
        explanation=(
            "The cache has read that the copy is finished, and the log does not know yet how far "
            "the remote tier reaches. A run of the expiration task at that moment counts the "
            "segment on both sides, and deletes the oldest segment although the limit holds."
        ),
        repair="repair_count_local_above_the_highest_remote_offset",
        scope="size_of_two",
    ),
)
