"""What the early texts permit that they should not: how brokers and controllers come and go."""

from tierproof.model.designs.kip950_early.findings import _ONE_REPLICA, ACCEPTED, EARLY
from tierproof.model.language import Finding
from tierproof.model.language.findings import Passage, Severity, Story

_DELETES = (
    "If the disablement policy is set to `delete`, the Log start offset (LSO) is updated to match "
    "the Local Log Start Offset and the remote log is deleted by calling the "
    "`RemoteStorageManager#deleteLogSegmentData()`."
)
_DELETES_AS_ACCEPTED = (
    "If the disablement policy is set to delete, the Log start offset (LSO) is updated to match "
    "the Local Log Start Offset and the remote log is deleted by calling the "
    "RemoteStorageManager#deleteLogSegmentData()."
)
_ZNODES = "Disablement - Zookeeper Based Cluster"
_STOP_REPLICA = "Disablement - Zookeeper Backed Cluster"

OVERTAKEN = Finding(
    name="request_overtakes_the_settings",
    title="A request that overtakes the settings is executed by the policy of before, and offset "
    "0 is lost",
    severity=Severity.LOSS,
    needs="One replica; a disable with delete, an enable; a request that is sent twice and "
    "arrives before the watch has read the settings. No crash.",
    claims=(
        "no_committed_record_lost",
        "new_leader_knows_the_log_start",
        "remote_and_local_parts_are_contiguous",
        "committed_records_stay_readable",
        "log_start_passes_only_what_may_go",
        "object_deleted_only_when_not_needed",
        "served_segment_has_its_object",
        "metadata_records_are_legal_transitions",
        "rolled_segments_are_copied",
        "records_become_readable",
        "disabled_topic_is_emptied",
        "enabled_topic_is_copied",
        "disabling_twice_is_disabling_once",
        "disabling_ends",
    ),
    passages=(
        Passage(
            ACCEPTED,
            _STOP_REPLICA,
            "It sends a StopReplica v5 (NEW) API call to each broker with a callback to disable "
            "the remote topic.",
        ),
        Passage(ACCEPTED, _STOP_REPLICA, _DELETES_AS_ACCEPTED),
        Passage(
            ACCEPTED,
            "Re-enabling Tiered Storage",
            "First, during disablement, we update the log start offset and mark the segments for "
            "deletion, and second, we fence the segments with the tiered epoch.",
        ),
    ),
    permitted_by="StopReplica v5, which has no policy; a watch that reads the settings on its own",
    assumptions=("D1", "D12", "D14"),
    story=Story(
        "1c606b",
        (
            ("start", _ONE_REPLICA),
            (
                "1-4",
                "An operator disables tiered storage with delete. The controller writes both "
                "ZNodes, sends StopReplica to the leader, and sends it again.",
            ),
            (
                "5-6",
                "The first StopReplica arrives before the watch has read the settings. The "
                "leader acts by the policy that it knows, retain: it cancels the copy task, and "
                "nothing else.",
            ),
            ("7", "The watch reads the settings: delete. In this text it stops nothing."),
            (
                "8-9",
                "The leader answers. The second StopReplica arrives, and this time the leader "
                "begins to delete.",
            ),
            ("10-11", "The controller hears the first answer, and writes DISABLED."),
            ("12-14", "An operator enables tiered storage again; the leader starts its tasks."),
            ("15-22", "The leader copies offset 0."),
            (
                "23-24",
                "The highest remote offset is 0: local retention moves the local log start to 1.",
            ),
            (
                "25",
                "The second StopReplica, which still runs, moves the log start to the local log "
                "start, 1.",
            ),
            ("end", "Offset 0 is below the log start of a topic that is enabled: it is lost."),
        ),
    ),
    turning=25,
    fix="StopReplica names the tiered epoch, and a broker executes it once its watch has applied "
    "the settings of that tiered epoch; or StopReplica carries the policy.",
    costs="A request waits in the broker until the watch has read the ZNodes.",
    repair="repair_settings_before_request",
    scope="smoke",
)

RESTART = Finding(
    name="restart_behind_a_disable",
    title="A leader that has restarted deletes nothing: its cache is empty when it lists segments",
    severity=Severity.LEAK,
    needs="One replica; a crash of the leader during a copy, then a disable with delete.",
    claims=(
        "disabled_state_leaves_no_objects",
        "every_object_is_tracked",
        "expired_objects_are_deleted",
        "disabled_topic_is_emptied",
        "settled_topic_holds_finished_segments_only",
    ),
    passages=(Passage(EARLY, "Disablement - Kraft Based Cluster", _DELETES),),
    permitted_by="RemoteLogManager#deleteRemoteLogPartition, which lists the segments of the cache",
    assumptions=("D5",),
    story=Story(
        "c60392",
        (
            ("start", _ONE_REPLICA),
            (
                "1-6",
                "The leader begins to copy offset 0: it publishes COPY_SEGMENT_STARTED and "
                "stores the object.",
            ),
            (
                "7",
                "The leader crashes and comes back. It has to read the metadata topic from its "
                "beginning.",
            ),
            ("8-10", "An operator disables tiered storage with delete; the leader learns of it."),
            ("11-13", "The leader moves its log start, answers reads, and cancels its tasks."),
            (
                "14",
                "stopPartitions lists the segments to delete. The cache is not filled yet: the "
                "list is empty, and the leader stops reading metadata.",
            ),
            ("15-17", "The leader is asked, has nothing left to do, and answers."),
            ("18-19", "The controller hears the answer, and writes DISABLED."),
            (
                "end",
                "The object is in the remote store, of a topic that is DISABLED with delete. No "
                "task of any broker looks for it.",
            ),
        ),
    ),
    turning=14,
    fix="Before stopPartitions lists segments, the leader waits until its cache has read the "
    "metadata topic to the end; a leader that restarts into DISABLING reads it for this alone.",
    costs="DISABLING lasts as long as it takes to read the metadata of the partition.",
    repair="repair_leader_reads_metadata_to_delete",
    apart=("repair_delete_until_nothing_is_left",),
    scope="restart",
)

TORN_WRITE = Finding(
    name="settings_without_a_tiered_state",
    title="A controller that dies between two ZNodes leaves a topic that never becomes DISABLED",
    severity=Severity.STALL,
    needs="One replica; a controller that loses an election while it writes a disable.",
    claims=("settings_and_tiered_state_agree",),
    passages=(
        Passage(
            EARLY,
            _ZNODES,
            "The topic's configuration in the config ZNode is updated to "
            "`remote.storage.enable=false`.",
        ),
        Passage(
            EARLY,
            _ZNODES,
            "The `tiered_epoch` is incremented, and the `tiered_state` is set to `DISABLING` under "
            "the topics ZNode.",
        ),
        Passage(
            EARLY,
            "Failure Modes",
            "Controller Failover in DISABLING State: Following a new controller election, the "
            "controller context will be reconstructed for all topic-partitions that are in the "
            "DISABLING state.",
        ),
    ),
    permitted_by="AdminZkClient#changeTopicConfig, which checks no controller epoch",
    assumptions=("D7", "D8"),
    story=Story(
        "df222c",
        (
            ("start", "Controller 0 is active. The topic has one replica, on broker 0."),
            ("1-2", "Controller 1 is elected, and takes over. The topic is ENABLED."),
            (
                "3",
                "Controller 0 does not know it yet, and writes a disable with retain into the "
                "config ZNode.",
            ),
            (
                "4",
                "Controller 0 learns that it is not active any more, before it has written the "
                "tiered state, and forgets the disable.",
            ),
            ("5-6", "The leader's watch reads the settings: it stops copying."),
            (
                "end",
                "The settings say disabled, the tiered state says ENABLED. Controller 1 rebuilds "
                "its queue from topics in DISABLING, and finds none: it sends no request, and "
                "the tiered epoch does not rise.",
            ),
        ),
    ),
    turning=4,
    fix="A controller that takes over, and the active one from time to time, compares settings "
    "and tiered state of each topic, and writes the tiered state that is missing; or both are "
    "written in one ZooKeeper transaction that checks the controller epoch.",
    costs="A read of two ZNodes for each tiered topic at a controller's election.",
    repair="repair_controller_compares",
    scope="default",
)

ZOMBIE_CONTROLLER = Finding(
    name="zombie_controller_disables",
    title="Brokers execute requests of a controller that is not active any more",
    severity=Severity.TEXT,
    needs="One replica; a controller that has not learned of its successor.",
    claims=("request_comes_from_the_active_controller",),
    passages=(
        Passage(
            EARLY,
            "Failure Modes",
            "Additionally, the controller will initiate a new request for `DisableRemoteTopic` "
            "to all brokers.",
        ),
    ),
    permitted_by="DisableRemoteTopic, which has no controller epoch",
    assumptions=("D4", "D14"),
    story=Story(
        "43eb25",
        (
            ("start", "Controller 0 is active. The topic has one replica, on broker 0."),
            ("1", "An operator disables tiered storage: controller 0 writes the config ZNode."),
            ("2-3", "The leader's watch reads the settings, and the leader stops copying."),
            ("4", "Controller 0 writes DISABLING and the next tiered epoch."),
            ("5", "Controller 1 is elected; controller 0 does not know it."),
            ("6-7", "Controller 0 sends the request that is in its queue."),
            ("8", "The leader executes it."),
            (
                "end",
                "A controller that is not active has had a broker disable. With the other "
                "repairs no harm follows: the active controller asks for the same.",
            ),
        ),
    ),
    turning=8,
    fix="DisableRemoteTopic has the controller epoch, and a broker compares it with the one in "
    "ZooKeeper before it executes the request.",
    costs="A field in the request, and a read of the controller epoch.",
    repair="repair_refuse_old_controllers",
    scope="default",
)

LOCAL_DELETION = Finding(
    name="crash_amid_a_local_deletion",
    title="A crash amid a local deletion brings back a record that the disable has given up",
    severity=Severity.COST,
    needs="One replica; a crash between the move of the local log start and the removal of files, "
    "and a disable with delete.",
    claims=("expired_local_segments_are_removed",),
    passages=(Passage(EARLY, _ZNODES, _DELETES),),
    permitted_by="UnifiedLog#deleteSegments, which moves the local log start and then removes "
    "files; LogLoader, which begins at the first file",
    assumptions=("A6",),
    story=Story(
        "a65641",
        (
            ("start", _ONE_REPLICA),
            ("1-9", "The leader copies offset 0."),
            (
                "10",
                "Local retention moves the local log start to 1; the file of offset 0 is still "
                "there.",
            ),
            (
                "11-13",
                "An operator disables tiered storage with delete: offset 0, which is only "
                "remote, may go. The controller asks the leader.",
            ),
            (
                "14",
                "The leader crashes and comes back. Its local log begins at the first file, "
                "which is that of offset 0.",
            ),
            (
                "15-20",
                "The leader executes the request: it moves its log start to the local log start, "
                "which is 0 now, and lists the remote segments.",
            ),
            ("21-28", "The leader deletes the remote log."),
            ("29-32", "The leader answers, and the controller writes DISABLED."),
            (
                "end",
                "Offset 0 is in the local log, and stays there as long as retention.ms lets it. "
                "It is readable: what it costs is its place on the disk.",
            ),
        ),
    ),
    turning=14,
    fix="The local log start is written to a checkpoint before files are removed, and what lies "
    "below it is removed when the log is loaded.",
    costs="A checkpoint file for each log directory, written with each local deletion.",
    repair="repair_write_local_log_start_through",
    scope="restart",
)
