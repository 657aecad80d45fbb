"""Published bugs of Kafka, and where the model finds them again once the fix is off.

`fixes_switched_off` has the variants; the pages in docs/findings/kip405 are generated.
"""

from tierproof.model.language import PublishedBug

PUBLISHED_BUGS = (
    PublishedBug(
        name="kafka_15047_active_segment_not_rolled",
        title="KAFKA-15047: an idle topic keeps expired records in its active segment for ever",
        claims=("idle_topic_is_emptied",),
        published="KAFKA-15047",
        explanation=(
            "Local retention reaches the active segment, which no producer fills any more. The "
            "segment is not rolled, so that the copy task does not copy it, and local retention "
            "does not remove what is not copied. The records outlive retention.ms."
        ),
        variant="kafka_15047_active_segment_not_rolled",
        scope="idle",
        beside=("idle_topic",),
    ),
    PublishedBug(
        name="kafka_15168_overlapped_segment_serves_reads",
        title="KAFKA-15168: an old segment hides the longer one that a new leader has copied",
        claims=(
            "no_committed_record_lost",
            "committed_records_stay_readable",
            "remote_and_local_parts_are_contiguous",
            "records_become_readable",
        ),
        published="KAFKA-15168",
        explanation=(
            "The leader before has copied [2, 2]. The new leader rolled its log elsewhere and "
            "copies [1, 3]. The cache finds the segment with the highest start at or below an "
            "offset: for offset 3 it is [2, 2], which ends before. Once local retention has "
            "removed the local segment, no consumer can read offset 3."
        ),
        variant="kafka_15168_overlapped_segment_serves_reads",
        scope="overlaps",
        beside=("leader_rolled_elsewhere",),
    ),
    PublishedBug(
        name="kafka_15181_answers_before_initialized",
        title="KAFKA-15181, KAFKA-15260: a cache answers that has not read the topic",
        claims=("log_start_passes_only_what_may_go", "no_committed_record_lost"),
        published="KAFKA-15181 and KAFKA-15260",
        explanation=(
            "A broker comes back and leads. Its consumer has not read the metadata topic yet, so "
            "that the copy task finds no remote segment and moves the log start to the local log: "
            "everything that is only remote is gone for readers, and is deleted next."
        ),
        variant="kafka_15181_answers_before_initialized",
        scope="alone_restart",
    ),
    PublishedBug(
        name="kafka_15241_highest_offset_not_clipped",
        title="KAFKA-15241: the copied offset ignores where an epoch ends in the lineage",
        claims=("no_committed_record_lost",),
        published="KAFKA-15241",
        explanation=(
            "After an unclean election the new leader asks how far the old epoch was copied. The "
            "answer goes past the end that this epoch has in its own lineage: records of the new "
            "epoch count as copied, are never copied, and local retention removes them."
        ),
        variant="kafka_15241_highest_offset_not_clipped",
        scope="unclean",
        beside=("unclean_elections",),
    ),
    PublishedBug(
        name="kafka_15272_newest_segment_not_copied",
        title="KAFKA-15272: an idle topic never copies its newest rolled segment",
        claims=("rolled_segments_are_copied", "expired_local_segments_are_removed"),
        published="KAFKA-15272",
        explanation=(
            "The copy task looks for segments that another rolled segment follows. The newest "
            "one is no candidate until the next roll. In a topic that nobody writes to it is "
            "never copied, and so local retention never removes it."
        ),
        variant="kafka_15272_newest_segment_not_copied",
        scope="alone",
    ),
    PublishedBug(
        name="kafka_15351_restart_forgets_remote_part",
        title="KAFKA-15351, part 1: a restart moves the log start to the local log",
        claims=("log_start_passes_only_what_may_go", "no_committed_record_lost"),
        published="KAFKA-15351",
        explanation=(
            "The loader takes the first local segment for the beginning of the log. What is only "
            "in the remote tier lies below the log start, and the expiration task deletes it."
        ),
        variant="kafka_15351_restart_forgets_remote_part",
        scope="alone_restart",
    ),
    PublishedBug(
        name="kafka_15351_new_leader_keeps_log_start",
        title="KAFKA-15351, part 2: a new leader keeps a log start that is stale",
        claims=("records_become_readable",),
        published="KAFKA-15351",
        explanation=(
            "The old leader expired a segment and crashed. The new one advertises "
            "the offsets for ever: a reader that starts there never proceeds. Kafka's fix alone "
            "leaves a case, a segment whose deletion is under way at the election (see "
            "`zombie_deletes_what_the_leader_promises`); beside our repair of that it is enough."
        ),
        variant="kafka_15351_new_leader_keeps_log_start",
        scope="smoke",
        beside=("repair_fence_remote_metadata", "repair_leader_asks_anew"),
    ),
    PublishedBug(
        name="kafka_15352_deletes_before_log_start",
        title="KAFKA-15352: segments are deleted before the log start moves",
        claims=("committed_records_stay_readable",),
        published="KAFKA-15352",
        explanation=(
            "A reader between the two finds that the log start promises an offset whose object "
            "is gone."
        ),
        variant="kafka_15352_deletes_before_log_start",
        scope="alone",
    ),
    PublishedBug(
        name="kafka_15479_segment_considered_by_each_epoch",
        title="KAFKA-15479: a segment of two epochs counts twice in what a run has deleted",
        claims=("run_deletes_what_exceeds_the_limit", "metadata_records_are_legal_transitions"),
        published="KAFKA-15479",
        explanation=(
            "The topic exceeds retention.bytes by two segments. The cache lists the first one in "
            "both of its epochs, and the run lowers the excess by its size each time. The second "
            "segment stays until the next run, and the run deletes the first one twice: "
            "DELETE_SEGMENT_STARTED follows DELETE_SEGMENT_FINISHED."
        ),
        variant="kafka_15479_segment_considered_by_each_epoch",
        scope="overlaps",
        beside=("copied_segment_spans_two_epochs",),
    ),
    PublishedBug(
        name="kafka_15695_rebuilt_log_keeps_local_start",
        title="KAFKA-15695: a follower built on the remote tier promises a local log that it lacks",
        claims=(
            "committed_records_stay_readable",
            "no_committed_record_lost",
            "records_become_readable",
        ),
        published="KAFKA-15695",
        explanation=(
            "An empty follower begins its log after the remote segments, and its local log start "
            "stays at 0. When it leads, it sends a consumer of offset 0 to its local log, which "
            "does not have the offset. The record is in the remote tier, and nobody reads it."
        ),
        variant="kafka_15695_rebuilt_log_keeps_local_start",
        scope="followers",
    ),
    PublishedBug(
        name="kafka_15802_index_of_unfinished_segment",
        title="KAFKA-15802: a lookup by time fetches the index of a segment that is not finished",
        claims=("time_lookup_finds_its_index",),
        published="KAFKA-15802",
        explanation=(
            "The lookup walks over all listed segments. One whose copy is under way, or failed, "
            "has no index in the store."
        ),
        variant="kafka_15802_index_of_unfinished_segment",
        scope="alone",
    ),
    PublishedBug(
        name="kafka_16073_removes_before_local_log_start",
        title="KAFKA-16073: local segments are removed before the local log start moves",
        claims=("no_committed_record_lost",),
        published="KAFKA-16073",
        explanation=(
            "A reader between the two is sent to the local log, which does not have the offset "
            "any more, and gets OFFSET_OUT_OF_RANGE for a record that is in the remote tier."
        ),
        variant="kafka_16073_removes_before_local_log_start",
        scope="smoke",
    ),
    PublishedBug(
        name="kafka_16105_consumer_seeks_back",
        title="KAFKA-16105: a broker skips the metadata of a partition that it was just assigned",
        claims=(
            "no_committed_record_lost",
            "log_start_passes_only_what_may_go",
            "every_object_is_tracked",
            "rolled_segments_are_copied",
            "expired_objects_are_deleted",
        ),
        published="KAFKA-16105",
        explanation=(
            "The metadata of several partitions lies in one partition of the metadata topic. For "
            "a partition that is assigned the consumer seeks to the beginning. Before it reads, "
            "another one is assigned, and the consumer seeks to the position that it had before: "
            "the first partition's records are skipped, and its cache counts as initialized. To "
            "its leader no remote segment exists. The log start moves to the local log, and the "
            "remote objects are neither read nor deleted. The model has one user partition: the "
            "assignment of the other one is the step that sets the position to the end."
        ),
        variant="kafka_16105_consumer_seeks_back",
        scope="alone_restart",
    ),
    PublishedBug(
        name="kafka_16146_log_start_not_checkpointed",
        title="KAFKA-16146: a restart takes a log start back that lies in the remote part",
        claims=(
            "committed_records_stay_readable",
            "remote_and_local_parts_are_contiguous",
            "new_leader_knows_the_log_start",
            "records_become_readable",
        ),
        published="KAFKA-16146",
        explanation=(
            "The checkpoint has log starts above the first local segment only. Retention deletes "
            "the remote segment and moves the log start to the first local segment. After a "
            "restart, also an orderly one, the log starts at 0 again and promises offsets that "
            "are deleted. Shown beside our repair of crashes within the minute between two "
            "checkpoints (see `crash_takes_the_log_start_back`)."
        ),
        variant="kafka_16146_log_start_not_checkpointed",
        scope="alone_restart",
        beside=("repair_write_log_start_through",),
    ),
    PublishedBug(
        name="kafka_16452_watermark_below_local_log",
        title="KAFKA-16452: a leader that lost its checkpoints answers no follower",
        claims=("followers_get_in_sync", "expired_objects_are_deleted"),
        published="KAFKA-16452",
        explanation=(
            "All brokers restart, and the leader has lost its checkpoint of the high watermark: "
            "the high watermark begins at the log start, below the local log start. The leader "
            "fails to convert it to a position in its local log with each fetch of a follower, "
            "so that the high watermark never rises. Followers stay out of sync, producers wait, "
            "and the log start may not move: expired segments stay."
        ),
        variant="kafka_16452_watermark_below_local_log",
        scope="smoke",
        beside=("lost_checkpoints",),
    ),
    PublishedBug(
        name="kafka_16511_first_epoch_must_be_known",
        title="KAFKA-16511: an overlapping segment stays in the remote tier for ever",
        claims=("expired_objects_are_deleted",),
        published="KAFKA-16511",
        explanation=(
            "Leaders have copied [0, 2] and [1, 3], both with epochs 0 and 1. The first segment "
            "expires, the log start moves to 3, and the lineage begins with epoch 1. The second "
            "segment begins in epoch 0, which the lineage lacks: the expiration task takes it "
            "for a segment of another lineage, and neither time nor size lets it expire."
        ),
        variant="kafka_16511_first_epoch_must_be_known",
        scope="overlaps",
        beside=("copied_segments_cross",),
    ),
    PublishedBug(
        name="kafka_16890_log_start_of_last_segment",
        title="KAFKA-16890: the log start promises offsets of a segment that retention deletes",
        claims=(
            "committed_records_stay_readable",
            "remote_and_local_parts_are_contiguous",
            "new_leader_knows_the_log_start",
            "records_become_readable",
        ),
        published="KAFKA-16890",
        explanation=(
            "Two leaders have copied [0, 0] and [0, 1]. Both expire in one run, which lists the "
            "longer one first and sets the log start to the end of the one that it lists last. "
            "The log starts at 1, both segments are deleted, and a reader that starts at offset "
            "1 never proceeds."
        ),
        variant="kafka_16890_log_start_of_last_segment",
        scope="overlaps",
        beside=("copied_segments_begin_alike",),
    ),
    PublishedBug(
        name="kafka_17062_failed_copies_counted",
        title="KAFKA-17062: copies that failed count in retention by size",
        claims=("log_start_passes_only_what_may_go", "no_committed_record_lost"),
        published="KAFKA-17062",
        explanation=(
            "Each failed attempt leaves an entry with its size. The total grows with every "
            "attempt, and the oldest segments are deleted though the topic is within its limit."
        ),
        variant="kafka_17062_failed_copies_counted",
        scope="alone_size",
    ),
    PublishedBug(
        name="kafka_17428_dangling_deletion_not_retried",
        title="KAFKA-17428: nobody deletes the object of a failed copy whose clean-up failed",
        claims=("quiet_store_holds_finished_segments_only",),
        published="KAFKA-17428",
        explanation=(
            "The copy fails after the store has the object. The copying thread publishes "
            "DELETE_SEGMENT_STARTED, and the deletion of the object fails too. No task tries "
            "again: the object costs its storage until retention reaches its offsets, as if it "
            "were a segment like any other. A topic that keeps everything keeps it for ever."
        ),
        variant="kafka_17428_dangling_deletion_not_retried",
        scope="alone_size",
    ),
    PublishedBug(
        name="kafka_20732_highest_offset_not_seeded",
        title="KAFKA-20732: at a fresh leader retention by size counts the local log twice",
        claims=("log_start_passes_only_what_may_go",),
        published="KAFKA-20732",
        explanation=(
            "The copy task and the expiration task begin at once, on threads of their own. While "
            "the highest remote offset is not known the whole local log counts as only local, "
            "and the remote segments count besides: a limit that holds seems to be exceeded."
        ),
        variant="kafka_20732_highest_offset_not_seeded",
        scope="size",
    ),
    PublishedBug(
        name="pr_14905_deleted_records_wait_for_copy",
        title="PR 14905: records that a user deleted before they were copied stay on disk for ever",
        claims=("expired_local_segments_are_removed",),
        published="apache/kafka pull request 14905",
        explanation=(
            "A user deletes records beyond what was copied. Their local segment lies below the "
            "log start, so that the copy task does not copy it, and it is not copied, so that "
            "local retention does not remove it. An idle topic keeps it for ever."
        ),
        variant="pr_14905_deleted_records_wait_for_copy",
        scope="alone",
    ),
)
