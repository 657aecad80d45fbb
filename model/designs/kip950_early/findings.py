"""What the early texts permit that they should not: the register's written half.

The traces beside these texts in docs/findings are generated: `tierproof findings`. Which
design shows which finding, and by which claims, stands in `register`.
"""

from tierproof.model.language import Finding

TIERED_EPOCH = "the tiered epoch, in requests and answers"
BARRIER = "a barrier that awaits cancelled threads"
ALL = "requests with the tiered epoch, a barrier, offsets that count what is there"


LATE_REQUEST = Finding(
    name="late_request_disables_again",
    title="A request that comes late disables a topic that is enabled again",
    claims=("request_acts_in_its_own_tiered_epoch",),
    scope="smoke",
    permitted_by=(
        "KIP-950 early, DisableRemoteTopic: PartitionId and TopicId are all its fields; KIP-950 "
        "accepted, StopReplica v5: controller, broker and leader epoch, and no tiered epoch; "
        '"the controller will retry the operation until it receives a successful response"'
    ),
    explanation=(
        "A request that was sent twice is executed twice: the second time after every broker has "
        "answered, the topic is DISABLED, and perhaps enabled again. Nothing in it says which "
        "disablement it belongs to. The broker cancels the tasks of an enabled topic; its "
        "settings do not change by that, so nothing starts them again: rolled segments wait "
        "for ever. The tiered epoch, which is to prevent out-of-order modifications, stands "
        "with the topic and with segments, and not in the request."
    ),
    repair="repair_tiered_epoch_in_requests",
    prevented_by=TIERED_EPOCH,
)
STALE_POLICY = Finding(
    name="request_overtakes_its_policy",
    title="A request that overtakes the settings is executed by the policy of before",
    claims=("disabled_topic_serves_no_remote_read",),
    scope="smoke",
    permitted_by=(
        "KIP-950, Controller interaction: the request has no policy, and reaches brokers "
        "beside the settings; Completion of disablement asks for answers only"
    ),
    explanation=(
        "The broker has not read that the topic is to be deleted. It takes the request for "
        "one to retain, cancels copying, and answers. The controller writes DISABLED, while "
        "the remote log is still there, is still read, and its deletion has yet to begin. "
        "When the settings come, the broker disables a second time."
    ),
    repair="repair_tiered_epoch_in_requests",
    prevented_by=TIERED_EPOCH,
)
ZOMBIE_CONTROLLER = Finding(
    name="zombie_controller_disables",
    title="Brokers execute requests of a controller that was voted out",
    claims=("request_comes_from_the_active_controller",),
    scope="default",
    permitted_by=(
        "KIP-950 early, DisableRemoteTopic, which has no controller epoch; with StopReplica v5, "
        "a broker that has not heard of the new controller compares with what it knows"
    ),
    explanation=(
        "A controller that was voted out sends what is in its queue. Without a controller epoch "
        "in the request no broker can tell; with one, a broker can once it has heard of the new "
        "controller. No check at a broker makes it true of every moment. Where requests have "
        "the tiered epoch it does no harm: the new controller asks for the same."
    ),
)
DELETED_COPIES = Finding(
    name="deleted_copies_still_count",
    title="After disable and re-enable, deleted copies still count, and committed records are lost",
    claims=("no_committed_record_lost",),
    scope="smoke",
    permitted_by=(
        'KIP-950, Re-enabling, scenario 1: "equivalent to enabling tiered storage for the first '
        'time", by marking segments and fencing them with the tiered epoch; '
        "UnifiedLog.highestOffsetInRemoteStorage; RLMCopyTask#copyLogSegment, its last lines"
    ),
    explanation=(
        "The tiered epoch hides segments of an older enablement from lookups, not from the "
        "log's own memory of how far it was copied. A copy that was chosen before the disable "
        "ends after the re-enable: its segment is hidden, yet the broker raises its highest "
        "remote offset, and local retention removes the last copy that can be read."
    ),
    repair="repair_all",
    prevented_by=ALL,
)
NO_BARRIER = Finding(
    name="cancelling_is_no_barrier",
    title="Copies begin and finish after every broker has answered",
    claims=("cancelled_copy_never_finishes",),
    scope="smoke",
    permitted_by=(
        "KIP-950, DISABLING: tasks are cancelled; an answer says that stopPartitions returned, "
        "and RLMTask#cancel waits for no thread"
    ),
    explanation=(
        "DISABLING, with an answer of every broker, looks like a barrier. It is one for the "
        "call, and not for threads: a copy that tested for cancellation before goes on to "
        "publish that it has begun, stores, and publishes that it is done, in a topic that is "
        "DISABLED, under a tiered epoch that is over."
    ),
    repair="repair_await_cancelled_threads",
    prevented_by=BARRIER,
)
ORPHAN = Finding(
    name="late_copy_makes_an_orphan",
    title="A late copy stores its object after the deletion has passed it",
    claims=("every_object_is_tracked",),
    scope="smoke",
    permitted_by=(
        "RemoteLogManager#deleteRemoteLogPartition lists once; segments of an older tiered epoch "
        "are hidden from whoever might delete them later"
    ),
    explanation=(
        "The deletion lists what the broker knows at one moment. A copy in flight stores its "
        "object afterwards. Fencing makes it worse: once the topic is enabled again, the segment "
        "is of an older tiered epoch, and no task will ever list it."
    ),
    repair="repair_all",
    prevented_by=ALL,
)
UNHEARD = Finding(
    name="dropped_records_are_not_noticed",
    title="Two threads publish of the same segment, and one of them is not heard",
    claims=("metadata_records_are_legal_transitions",),
    scope="smoke",
    permitted_by="RemoteLogMetadataCache drops a record that is no legal transition",
    explanation=(
        "A copy publishes COPY_SEGMENT_FINISHED after the removal has begun to delete the "
        "segment, or watch and request each have it deleted. Every cache drops the later "
        "record; the thread takes its work for done."
    ),
    repair="repair_all",
    prevented_by=ALL,
)
SETTINGS_FIRST = Finding(
    name="settings_before_the_log_start",
    title="Between the new settings and the new log start a reader finds nothing",
    claims=("no_unreadable_prefix_without_remote",),
    scope="smoke",
    permitted_by=(
        "KIP-950: the broker has its new settings (3) before stopPartitions moves the log start "
        "(4b); the appendix has a request of the controller in between"
    ),
    explanation=(
        "From the moment that the log is no longer tiered, a fetch of an offset that is only in "
        "the remote tier is not routed there. The log start still promises it."
    ),
    repair="repair_raise_log_start_first",
    prevented_by="the new log start before the new settings, under one lock",
)
TORN_WRITE = Finding(
    name="settings_without_a_tiered_state",
    title="A controller that dies between two ZNodes leaves a topic that never becomes DISABLED",
    claims=("settings_and_tiered_state_agree",),
    scope="default",
    permitted_by=(
        "KIP-950, ZooKeeper, 2b and 2c: the config ZNode, then the topics ZNode; Failure Modes: "
        "the new controller rebuilds what is in the DISABLING state"
    ),
    explanation=(
        "The settings say that tiering is off, and brokers act on it. The tiered state is still "
        "ENABLED, so the new controller has nothing to rebuild, and one that was voted out may "
        "write settings but no state: no request is sent, no tiered epoch is counted, and a "
        "re-enable finds segments that no epoch can fence. KRaft writes both in one batch."
    ),
    repair="repair_controller_compares",
    prevented_by="an active controller that compares settings and tiered state",
)
ZOMBIE_LEADER = Finding(
    name="zombie_acts_for_the_leader",
    title="A leader that was voted out copies and deletes as if it led",
    claims=("only_the_leader_publishes_copies", "only_the_leader_deletes"),
    scope="elections",
    permitted_by=(
        "RemoteLogMetadataManager takes records of any broker; the tiered epoch, which segments "
        "have, says nothing of who leads"
    ),
    explanation=(
        "Between an election and the moment that the old leader learns of it, its tasks go on: "
        "KIP-405's finding, which DISABLING does not touch. A disable that such a leader executes "
        "deletes objects that the new one counts on."
    ),
    repair="repair_fence_remote_metadata",
    prevented_by="the leader epoch, checked with every record of remote metadata",
)
ELECTED = Finding(
    name="elected_leader_copies_a_disabled_topic",
    title="A broker that answers before it looks copies once it is elected",
    claims=("disabled_state_is_true_of_every_broker",),
    scope="leaders",
    permitted_by=(
        "KIP-950, Completion of disablement: all brokers have answered; a broker that is elected "
        "starts tasks by the settings that it knows (Enablement Code Path); with ZooKeeper, "
        "settings and elections reach it by different ways"
    ),
    explanation=(
        "A follower executes the request before its watch has read the settings: it has nothing "
        "to cancel, and answers. The topic is DISABLED. Then the follower is elected, still with "
        "the old settings, and begins to copy. In a KRaft cluster the settings lie before the "
        "election in the one log."
    ),
    repair="repair_tiered_epoch_in_requests",
    prevented_by=TIERED_EPOCH,
)
REMOVED = Finding(
    name="removed_broker_is_awaited",
    title="A broker that is removed keeps the topic in DISABLING",
    claims=("disabling_ends",),
    scope="removal",
    permitted_by=(
        'KIP-950, Failure Modes: "the controller will retry the operation until it receives a '
        'successful response"; Completion: "responses from all brokers"'
    ),
    explanation=(
        "A broker that was asked, or is to be asked, is shut down for good. Its answer never "
        "comes. DISABLING accepts no alter-config call, so that the topic can neither be "
        "disabled nor enabled until somebody edits ZooKeeper."
    ),
    repair="repair_removed_brokers_are_not_awaited",
    prevented_by="the list of brokers that are there, beside the list of those that answered",
)
POLICY = Finding(
    name="policy_changes_alone",
    title="A policy that changes alone is bound to no tiered epoch",
    claims=("policy_is_bound_to_the_tiered_epoch",),
    scope="policy",
    permitted_by=(
        'KIP-950 early, Exceptions: only "a new disablement request" is refused in DISABLING'
    ),
    explanation=(
        "remote.log.disable.policy is a setting like any other. Changed while the topic is "
        "DISABLING, some brokers retain and others delete under one tiered epoch; changed "
        "afterwards, a topic that is DISABLED loses what it was told to retain, or keeps what "
        "was let go of, and no request, state or epoch tells of it."
    ),
    repair="repair_policy_is_bound",
    prevented_by="the tiered state, in the controller's check of the policy",
)
EQUATION = Finding(
    name="equation_of_scenario_3",
    title="The equation of scenario 3 does not hold",
    claims=("remote_log_ends_one_past_the_local_start",),
    scope="smoke",
    permitted_by=(
        'KIP-950, Re-enabling, scenario 3: "the remote log end offset (R_y) = local log start '
        'offset (L_x) + 1"'
    ),
    explanation=(
        "Local retention keeps more than a record, or nothing that is copied: the remote log "
        "ends where the local log begins, or far above it. What continuity needs is that it ends "
        "no earlier, which is another property, and Kafka's. No repair: the text is wrong."
    ),
)
MISSED = Finding(
    name="watch_misses_the_disable",
    title="A broker that is asked before it looks never copies again",
    claims=("rolled_segments_are_copied",),
    scope="smoke",
    permitted_by=(
        "ZooKeeper watches tell that there is news, and the newest is read; KIP-950, Controller "
        "interaction: answers to requests complete the disablement, whatever the watch has seen"
    ),
    explanation=(
        "The request reaches the broker before its watch does: copying is cancelled, the answer "
        "given, DISABLED written, and the topic enabled again. Now the watch reads the newest "
        "settings. They are those that it knew: nothing has changed, so nothing is started, and "
        "the topic that is ENABLED is never copied. What was hidden or stopped in between stays "
        "so: expired objects wait as well."
    ),
    repair="repair_tiered_epoch_in_requests",
    prevented_by=TIERED_EPOCH,
)
RESTART = Finding(
    name="restart_behind_a_disable",
    title="A leader that restarts into a disabled topic deletes nothing, and promises what is gone",
    claims=("acknowledged_deletions_are_remembered",),
    scope="restart",
    permitted_by=(
        "KIP-950: a broker that starts has the newest settings, and sees no change in them; "
        "RemoteLogManager#stopPartitions lists a cache that nobody fills; "
        "LogManager#checkpointLogStartOffsets, once a minute"
    ),
    explanation=(
        "The leader crashes while the topic is DISABLING, or before. It comes back with the new "
        "settings, so that its watch has nothing to react to, and without a cache, as the topic "
        "is not tiered. Asked by the controller it finds nothing to delete, and answers: "
        "DISABLED, with all objects in the store. Its log start is that of the checkpoint, "
        "below what the disable let go of."
    ),
)
RETAINED_LOST = Finding(
    name="request_deletes_what_is_retained",
    title="A request that overtakes the settings deletes what was to be retained",
    claims=("read_only_topic_is_readable", "retained_segments_stay_visible"),
    scope="policy",
    permitted_by=(
        "KIP-950, DisableRemoteTopic and StopReplica v5, which have no policy; "
        "remote.log.disable.policy, a setting that each broker reads for itself"
    ),
    explanation=(
        "The policy was delete, and is retain now, with the disable or before it. A broker that "
        "has not read it executes the request by what it knows: the log start moves, and the "
        "remote log is deleted. When the settings come, the topic is one that is retained, and "
        "its records are gone. What the fence hides depends on the policy of today as well."
    ),
    repair="repair_all",
    prevented_by=TIERED_EPOCH,
)
NEVER_EXPIRE = Finding(
    name="orphans_never_expire",
    title="Objects whose retention is over stay, as nobody who is left looks for them",
    claims=("expired_objects_are_deleted",),
    scope="smoke",
    permitted_by=(
        "KIP-950, delete: the tasks of the expiration pool are cancelled too; a removal lists once"
    ),
    explanation=(
        "An object that a late copy stored, or that a stale request left, is past its retention. "
        "The topic is not tiered, so no expiration task looks for it; once it is tiered again, the "
        "tiered epoch hides the segment."
    ),
    repair="repair_all",
    prevented_by=ALL,
)
