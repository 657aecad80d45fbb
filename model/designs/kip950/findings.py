"""What KIP-950 as accepted and shipped permits that it should not: the register's written half.

The traces beside these texts in docs/findings/kip950 are generated: `tierproof findings kip950`.
"""

from tierproof.model.language import Finding

FINDINGS = (
    Finding(
        name="deleted_copies_still_count",
        title=(
            "After disable and re-enable, deleted copies still count, and committed records "
            "are lost"
        ),
        claims=(
            "no_committed_record_lost",
            "copied_offset_is_sound",
            "remote_and_local_parts_are_contiguous",
            "new_leader_knows_the_log_start",
            "log_start_passes_only_what_may_go",
            "records_become_readable",
        ),
        scope="smoke",
        permitted_by=(
            "UnifiedLog.highestOffsetInRemoteStorage, which a disable leaves as it was; "
            "RemoteLogLeaderEpochState#highestLogOffset, which survives the deletion of its "
            'segments; KIP-950, "Re-enabling Tiered Storage", scenario 1, which promises a '
            "fresh start"
        ),
        explanation=(
            "A segment is copied while its local file is still there. Disabling with delete "
            "removes the object, which is legal, since the leader has the records locally. "
            "After re-enabling, the broker reads the metadata topic anew, from the beginning: "
            "deletions leave the highest offset of an epoch where it was. So the log and the "
            "copy task believe that the offset is in the remote tier: it is not copied again, "
            "and local retention removes the last copy that exists. The next copy task moves "
            "the log start past the hole. Recorded traces of Kafka's own classes show the "
            "first half: after a re-enable copying goes on above what was deleted. A thread "
            "that is late has the same effect: it was cancelled by the disable, and tells the "
            "log of its copy after the re-enable."
        ),
        repair="repair_forget_deleted_offsets",
        prevented_by="a copied offset that counts only what is still in the remote tier",
    ),
    Finding(
        name="settings_change_amid_a_deletion",
        title="A change to read-only that meets a local deletion gives up the whole remote log",
        claims=(
            "log_start_passes_only_what_may_go",
            "no_committed_record_lost",
            "object_deleted_only_when_not_needed",
        ),
        scope="retention",
        permitted_by=(
            "UnifiedLog#deletableSegments and #deleteSegments, which ask several times whether "
            "copying is enabled, under the lock of the log, while LogManager#updateTopicConfig "
            "changes the settings without that lock"
        ),
        explanation=(
            "Local retention chooses segments that are copied and may go locally. Before it "
            "moves the start, copying is disabled. deleteSegments asks again, finds copying "
            "disabled, and moves the log start in place of the local log start: to the end of "
            "what it deletes, past everything that only the remote tier has. The expiration "
            "task, which goes on in a read-only topic, deletes it. A follower for which this "
            "happens takes its log start along when it is elected."
        ),
        repair="repair_delete_by_one_reading_of_settings",
        prevented_by="one reading of the settings, under the lock of the log",
    ),
    Finding(
        name="zombie_disables_for_the_leader",
        title="A leader that was voted out copies, deletes and disables as if it led",
        claims=(
            "only_the_leader_publishes_copies",
            "only_the_leader_deletes",
        ),
        scope="elections",
        permitted_by=(
            "RemoteLogMetadataManager takes records of any broker; RLMTask never asks for "
            "the leader epoch after it was scheduled"
        ),
        explanation=(
            "Between an election and the moment that the old leader applies it, its tasks go "
            "on. A copy that it publishes then is what the new leader's readers are served, "
            "and a disable that it executes deletes objects which the new leader counts on."
        ),
        repair="repair_fence_remote_metadata",
        prevented_by="the leader epoch, checked with every record of remote metadata",
    ),
    Finding(
        name="cancelling_is_no_barrier",
        title="A copy begins, and finishes, after every broker has applied the disable",
        claims=(
            "cancelled_copy_never_finishes",
            "read_only_topic_copies_nothing_new",
            "disabled_topic_copies_nothing_new",
        ),
        scope="smoke",
        permitted_by=(
            'KIP-950, "Execution of RemoteLogManager#stopPartitions": scheduled tasks are '
            "removed; RLMTask#cancel sets a flag and interrupts, and copyLogSegment does not "
            "look again"
        ),
        explanation=(
            "The copy task tests for cancellation, then chooses a segment, publishes, stores "
            "and publishes again. A cancellation that arrives behind the test stops nothing, "
            "unless the interrupt meets the thread at a wait: the segment is published as "
            "started, stored and published as finished."
        ),
        repair="repair_await_cancelled_threads",
        prevented_by="a barrier that awaits cancelled threads",
    ),
    Finding(
        name="late_copy_makes_an_orphan",
        title="A late copy stores its object after the deletion has passed it",
        claims=(
            "every_object_is_tracked",
            "disabled_topic_leaves_no_objects",
            "disabled_topic_is_emptied",
        ),
        scope="smoke",
        permitted_by=(
            "RemoteLogManager#deleteRemoteLogPartition lists once; a copy in flight is "
            "neither awaited nor fenced (the tiered epoch of the earlier text is gone)"
        ),
        explanation=(
            "Disabling deletes what the broker's cache lists at one moment. A copy that was "
            "chosen before stores its object afterwards; its metadata is already deleted, or "
            "was never on the list, and as the expiration task is cancelled too, nobody ever "
            "deletes it."
        ),
        repair="repair_await_cancelled_threads",
        prevented_by="a barrier that awaits cancelled threads",
    ),
    Finding(
        name="cancelled_copy_dangles",
        title="An interrupted copy leaves its object behind until retention finds it",
        claims=("quiet_topic_holds_finished_segments_only",),
        scope="smoke",
        permitted_by="RLMTask#run swallows the interruption; nothing cleans up after it",
        explanation=(
            "A cancelled copy that is interrupted after the object was stored leaves a "
            "segment in COPY_SEGMENT_STARTED with its object. It is found only when "
            "retention reaches it, and not at all while the topic is disabled."
        ),
        repair="repair_await_cancelled_threads",
        prevented_by="a barrier that awaits cancelled threads",
    ),
    Finding(
        name="dropped_records_are_not_noticed",
        title="Two threads publish of the same segment, and one of them is not heard",
        claims=("metadata_records_are_legal_transitions",),
        scope="smoke",
        permitted_by=(
            "RemoteLogMetadataCache drops a record that is no legal transition; its publisher "
            "waits only until its own consumer has passed the record"
        ),
        explanation=(
            "A copy publishes COPY_SEGMENT_FINISHED after a removal has begun to delete the "
            "segment, or two deletions of the same segment meet. Every cache drops the second "
            "record; the thread takes its work for done."
        ),
        repair="repair_await_cancelled_threads",
        prevented_by="a barrier that awaits cancelled threads",
    ),
    Finding(
        name="settings_before_log_start",
        title="Between the new settings and the new log start a reader finds nothing",
        claims=(
            "committed_records_stay_readable",
            "no_unreadable_prefix_without_remote",
        ),
        scope="retention",
        permitted_by=(
            "TopicConfigHandler#updateLogConfig updates the log's settings before "
            "maybeUpdateRemoteLogComponents raises the log start"
        ),
        explanation=(
            "From the moment that the log is no longer tiered, a fetch of an offset that is "
            "only in the remote tier is not routed there. The log start still promises it."
        ),
        repair="repair_raise_log_start_first",
        prevented_by="the new log start before the new settings, under one lock",
    ),
    Finding(
        name="follower_misses_the_log_start",
        title="A follower that disables keeps a log start which it cannot serve",
        claims=("every_replica_can_take_over_without_remote",),
        scope="smoke",
        permitted_by=(
            "TopicConfigHandler#maybeUpdateRemoteLogComponents raises the log start at "
            "leaders only, and to the leader's own local log start"
        ),
        explanation=(
            "The follower has deleted locally what was copied; the leader has not. The "
            "disable raises the log start to where the leader's local log begins, so the "
            "follower holds less than the log start promises, and there is no remote tier "
            "left to make up for it. If it is elected, committed records are unreadable. Our "
            "repair takes the follower out of sync until it has fetched all anew: where the "
            "leader then loses records (deleted_copies_still_count), it waits for them for ever."
        ),
        repair="repair_followers_fetch_anew",
        prevented_by="a fresh start, out of sync, of a replica without the log's beginning",
    ),
    Finding(
        name="restart_behind_a_disable",
        title="A broker that restarts into a disabled topic moves its log start on its own",
        claims=("log_start_passes_only_what_may_go",),
        scope="default",
        permitted_by=(
            "the constructor of UnifiedLog: without remote storage the log start is the "
            "first local offset"
        ),
        explanation=(
            "The restarted replica takes its first local segment for the start of the log, "
            "above the leader's. If it is then elected, what the leader still had is gone."
        ),
        repair="repair_followers_fetch_anew",
        prevented_by="a fresh start, out of sync, of a replica without the log's beginning",
    ),
    Finding(
        name="follower_trusts_a_stale_cache",
        title="A follower removes locally what the leader is deleting remotely",
        claims=(
            "highest_remote_offset_is_sound",
            "local_segment_removed_only_once_copied",
        ),
        scope="smoke",
        permitted_by=(
            "RLMFollowerTask#execute asks the follower's own metadata cache, which lags; and it "
            "counts offsets whose segments are deleted"
        ),
        explanation=(
            "The leader has disabled and deletes the remote log. The follower has applied "
            "neither the disable nor read the deletions: its task learns that a segment is in "
            "the remote tier, and local retention removes it on that ground."
        ),
    ),
    Finding(
        name="two_changes_in_one_batch",
        title="A broker that sees two changes at once does not disable",
        claims=(
            "disabled_topic_has_no_tasks",
            "read_only_topic_has_no_copy_task",
        ),
        scope="settings",
        permitted_by=(
            "BrokerMetadataPublisher applies the net change; LogConfig#validate lets "
            "remote.log.delete.on.disable go back to false once remote storage is off"
        ),
        explanation=(
            "First disable with delete, then set delete-on-disable back to false. A broker "
            "that applies both in one batch sees a topic that is off without delete, to "
            "which no branch of the handler answers: its tasks go on, and the remote log "
            "stays. If copying was disabled along with it, enabling the topic as read-only "
            "finds no change of copying either, and the leader of a read-only topic copies on."
        ),
        repair="repair_apply_settings_one_by_one",
        prevented_by="the delete policy, bound to the disable that it came with",
    ),
    Finding(
        name="tiered_again_and_not_copied",
        title="A topic that is tiered again is never copied, or served, as its settings promise",
        claims=(
            "rolled_segments_are_copied",
            "enabled_topic_is_copied",
            "read_only_topic_is_readable",
            "read_only_topic_is_emptied",
        ),
        scope="settings",
        permitted_by=(
            "RemoteLogManager#findHighestRemoteOffset, which counts what is deleted; "
            "RLMCopyTask#copyLogSegment, which tells the log of a copy that a removal has "
            "overtaken"
        ),
        explanation=(
            "The copy task of a topic that is tiered again begins above what was once copied, "
            "for good: what lies below stays local. Set to read-only, the topic keeps what a "
            "removal or a late copy left, and local retention may already have gone by it."
        ),
    ),
    Finding(
        name="let_go_and_kept",
        title="A topic that is read-only after a disable keeps what the disable had let go of",
        claims=("expired_local_segments_are_removed",),
        scope="smoke",
        permitted_by=(
            "TopicConfigHandler#maybeUpdateRemoteLogComponents moves log starts when tiering is "
            "switched off, and at leaders only; nothing moves them when it is switched on"
        ),
        explanation=(
            "The disable lets go of what the leader has no longer locally. A follower still has "
            "it, and once the topic is tiered again as read-only, with nothing left to expire, "
            "its local retention keeps it."
        ),
        repair="repair_reject_read_only_after_disable",
        prevented_by="the topic's tiering state, in the controller's check",
    ),
    Finding(
        name="dangling_objects_wait_for_nobody",
        title="Objects that may go stay, as nobody who is left looks for them",
        claims=("expired_objects_are_deleted",),
        scope="retention",
        permitted_by=(
            "RemoteLogManager#stopPartitions cancels the expiration task with all others, and "
            "lists once"
        ),
        explanation=(
            "The retention of a segment is over, or a disable has let go of it. Its object is "
            "found by no expiration task, for there is none, and by no removal, which is over "
            "or was never begun."
        ),
    ),
    Finding(
        name="refused_delete_is_not_retried",
        title="A delete that the store refuses once leaves the objects of a disabled topic",
        claims=("disabled_topic_leaves_no_objects", "disabled_topic_is_emptied"),
        scope="failures",
        permitted_by=(
            "RemoteLogManager#stopPartitions gives its errors to a handler that does nothing; "
            "nothing retries, as the expiration task is cancelled"
        ),
        explanation=(
            "The removal ends at the first error: the segment stays in DELETE_SEGMENT_STARTED, "
            "and segments behind it are not tried. Only a topic that is tiered again takes the "
            "deletion up, by its expiration task. Our repair tries again, and awaits the "
            "threads that may still store an object."
        ),
        repair="repair_retry_removal",
        prevented_by="a barrier that awaits cancelled threads, and a removal that is retried",
    ),
    Finding(
        name="disabled_to_read_only",
        title="The controller accepts a change that the KIP does not name",
        claims=("TieringState_lifecycle",),
        scope="smoke",
        permitted_by=(
            'KIP-950, "State Transitions": "The possible transition from DISABLED state is '
            'to the ENABLED"; LogConfig#validateTopicLogConfigValues looks at the new '
            "settings only"
        ),
        explanation=(
            "A disabled topic may be set to remote storage with copying disabled: tiered, "
            "empty and never to be filled. Whether that is meant the text does not say."
        ),
        repair="repair_reject_read_only_after_disable",
        prevented_by="the topic's tiering state, in the controller's check",
    ),
)
