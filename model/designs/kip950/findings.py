"""What KIP-950 as accepted and shipped permits that it should not: the register's written half.

The traces beside these texts in docs/findings are generated: `tierproof findings kip950`.
"""

from model.language import Finding

FINDINGS = (
    Finding(
        name="deleted_copies_still_count",
        title=(
            "After disable and re-enable, deleted copies still count, and committed records "
            "are lost"
        ),
        claims=(
            "no_committed_record_lost",
            "new_leader_knows_the_log_start",
            "object_deleted_only_when_not_needed",
            "remote_and_local_parts_are_contiguous",
        ),
        permitted_by=(
            "UnifiedLog.highestOffsetInRemoteStorage, which a disable leaves as it was; "
            "RemoteLogLeaderEpochState#highestLogOffset, which survives the deletion of its "
            'segments; KIP-950, "Re-enabling Tiered Storage", scenario 1, which promises a '
            "fresh start"
        ),
        explanation=(
            "A segment is copied while its local file is still there. Disabling with delete "
            "removes the object, or begins to, which is legal, since the leader has the records "
            "locally. After re-enabling, both the log and the copy task believe that the offset "
            "is in the remote tier: it is not copied again, and local retention removes the last "
            "copy that exists. The next copy task then moves the log start past the hole. "
            "Recorded traces of Kafka's own classes show the first half: after a re-enable "
            "copying goes on above what was deleted."
        ),
        repair="repair_forget_deleted_offsets",
    ),
    Finding(
        name="zombie_acts_on_remote_tier",
        title="A leader that was voted out copies, deletes and disables as if it led",
        claims=(
            "only_the_leader_publishes_copies",
            "only_the_leader_deletes",
        ),
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
    ),
    Finding(
        name="cancelling_is_no_barrier",
        title="A copy begins, and finishes, after every broker has applied the disable",
        claims=(
            "cancelled_copy_never_finishes",
            "read_only_topic_copies_nothing_new",
            "disabled_topic_copies_nothing_new",
        ),
        permitted_by=(
            'KIP-950, "Execution of RemoteLogManager#stopPartitions": scheduled tasks are '
            "removed; RLMTask#cancel sets a flag and interrupts, and copyLogSegment does not "
            "look again"
        ),
        explanation=(
            "The copy task tests for cancellation, then chooses a segment, publishes, stores "
            "and publishes again. A cancellation that arrives behind the test stops nothing: "
            "the segment is published as started, stored and published as finished."
        ),
    ),
    Finding(
        name="late_copy_makes_an_orphan",
        title="A late copy stores its object after the deletion has passed it",
        claims=(
            "every_object_is_tracked",
            "disabled_topic_leaves_no_objects",
        ),
        permitted_by=(
            "RemoteLogManager#deleteRemoteLogPartition lists once; a copy in flight is "
            "neither awaited nor fenced (the tiered epoch of the earlier text is gone)"
        ),
        explanation=(
            "Disabling deletes what the metadata lists at one moment. A copy that was chosen "
            "before stores its object afterwards; its metadata is already deleted, or was "
            "never on the list, and as the expiration task is cancelled too, nobody ever "
            "deletes it."
        ),
    ),
    Finding(
        name="interrupted_copy_dangles",
        title="An interrupted copy leaves its object behind until retention finds it",
        claims=("quiet_store_holds_finished_segments_only",),
        permitted_by="RLMTask#run swallows the interruption; nothing cleans up after it",
        explanation=(
            "A cancelled copy that is interrupted after the object was stored leaves a "
            "segment in COPY_SEGMENT_STARTED with its object. It is found only when "
            "retention reaches it, and not at all while the topic is disabled."
        ),
    ),
    Finding(
        name="settings_before_log_start",
        title="Between the new settings and the new log start a reader finds nothing",
        claims=(
            "committed_records_stay_readable",
            "no_unreadable_prefix_without_remote",
        ),
        permitted_by=(
            "TopicConfigHandler#updateLogConfig updates the log's settings before "
            "maybeUpdateRemoteLogComponents raises the log start"
        ),
        explanation=(
            "From the moment that the log is no longer tiered, a fetch of an offset that is "
            "only in the remote tier is not routed there. The log start still promises it."
        ),
    ),
    Finding(
        name="follower_misses_the_log_start",
        title="A follower that disables keeps a log start which it cannot serve",
        claims=("every_replica_can_take_over_without_remote",),
        permitted_by=(
            "TopicConfigHandler#maybeUpdateRemoteLogComponents raises the log start at "
            "leaders only, and to the leader's own local log start"
        ),
        explanation=(
            "The follower has deleted locally what was copied; the leader has not. The "
            "disable raises the log start to where the leader's local log begins, so the "
            "follower holds less than the log start promises, and there is no remote tier "
            "left to make up for it. If it is elected, committed records are unreadable."
        ),
    ),
    Finding(
        name="promoted_follower_loses_records",
        title="Electing a follower that has disabled first loses committed records",
        claims=("no_committed_record_lost",),
        scope="batches",
        permitted_by=(
            "as above, with ReplicaManager#applyDelta making the follower leader afterwards"
        ),
        explanation=(
            "The follower applies the disable as a follower, and is elected before the old "
            "leader has deleted anything: what it no longer has locally is unreadable at "
            "once, although the old leader had it."
        ),
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
    ),
    Finding(
        name="follower_trusts_a_stale_log_start",
        title="A follower's highest remote offset vouches for what has expired",
        claims=(
            "highest_remote_offset_is_sound",
            "local_segment_removed_only_once_copied",
        ),
        permitted_by=(
            "RLMFollowerTask#execute counts offsets whose segments are deleted; the "
            "follower's log start lags"
        ),
        explanation=(
            "The follower learns how far the remote tier once went and removes local "
            "segments on that ground, though the copies are gone and its own log start does "
            "not know."
        ),
    ),
    Finding(
        name="two_changes_in_one_batch",
        title="A broker that sees two changes at once does not disable",
        claims=("disabled_topic_has_no_tasks",),
        permitted_by=(
            "BrokerMetadataPublisher applies the net change; LogConfig#validate lets "
            "remote.log.delete.on.disable go back to false once remote storage is off"
        ),
        explanation=(
            "First disable with delete, then set delete-on-disable back to false. A broker "
            "that applies both in one batch sees a topic that is off without delete, to "
            "which no branch of the handler answers: its tasks go on, and the remote log "
            "stays."
        ),
    ),
    Finding(
        name="refused_delete_stays_refused",
        title="Re-enabling as read-only after a failed delete advertises what was half deleted",
        claims=("read_only_topic_is_readable",),
        permitted_by=(
            "RemoteLogManager#stopPartitions gives its errors to a handler that logs them; "
            "nothing retries"
        ),
        explanation=(
            "A delete that the store refuses is never tried again while the topic is "
            "disabled. Re-enabling takes the partition up as it is left."
        ),
    ),
    Finding(
        name="disabled_to_read_only",
        title="The controller accepts a change that the KIP does not name",
        claims=("TieringState_lifecycle",),
        permitted_by=(
            'KIP-950, "State Transitions": "The possible transition from DISABLED state is '
            'to the ENABLED"; LogConfig#validateTopicLogConfigValues looks at the new '
            "settings only"
        ),
        explanation=(
            "A disabled topic may be set to remote storage with copying disabled: tiered, "
            "empty and never to be filled. Whether that is meant the text does not say."
        ),
    ),
)
