"""What the early texts permit that they should not: how brokers fail."""

from tierproof.model.designs.kip950_early.findings import (
    ACCEPTED,
    EARLY,
    NEVER_SHIPPED,
    ONE_REPLICA,
)
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
    title=(
        "StopReplica that arrives before the settings makes a topic DISABLED with nothing "
        "deleted, and a repeat can delete after a re-enable"
    ),
    severity=Severity.LOSS,
    symptom=(
        "A topic disabled with delete is DISABLED although its leader has deleted nothing: "
        "StopReplica names no policy, and a broker that has not read the settings takes the "
        "default, retain. Where StopReplica is also sent twice and the topic is enabled again, "
        "as in these steps, committed records that are only in the remote tier are lost. The log "
        "start jumps to the local log start, and fetches below it get OFFSET_OUT_OF_RANGE."
    ),
    needs=(
        "The ZooKeeper appendix of KIP-950 as accepted, which never shipped: Kafka 3.9 refuses "
        "these settings in ZooKeeper mode. One replica is enough, no crash. For DISABLED without "
        "a deletion: StopReplica reaches the broker before the broker's watch has read the "
        "settings. For the loss also: StopReplica is sent twice, and the thread that executes "
        "the original stands still from step 9 to step 25, while the operator enables the topic, "
        "a segment is copied, and local retention runs. That takes minutes, so it is unlikely. "
        "In Kafka 3.9 a controller without an answer in time (controller.socket.timeout.ms, 30 s "
        "by default) sends the request again over a new connection, where it may overtake the "
        "original."
    ),
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
            _STOP_REPLICA,
            "The disablement policy defaults to Retain if the option is not specified.",
        ),
        Passage(
            ACCEPTED,
            "Failure Modes",
            "In the event of a leader failover during this state, the controller will retry the "
            "operation until it receives a successful response.",
        ),
        Passage(
            ACCEPTED,
            "Re-enabling Tiered Storage",
            "First, during disablement, we update the log start offset and mark the segments for "
            "deletion, and second, we fence the segments with the tiered epoch.",
        ),
    ),
    permitted_by=(
        "the KIP's schema of StopReplica v5, which has DisableRemotePartition, no policy and no "
        "tiered epoch; and the KIP's steps, in which no broker waits with the request until it has "
        "read the settings"
    ),
    assumptions=("D1", "D5", "D12", "D13", "D14", "D17"),
    story=Story(
        "1c606b",
        (
            ("start", ONE_REPLICA),
            (
                "1-4",
                "An operator disables tiered storage with delete. The controller writes the config "
                "ZNode and the topics ZNode, sends StopReplica to broker 0, the leader, has no "
                "answer in time, and sends StopReplica again.",
            ),
            (
                "5-6",
                "The repeat overtakes the original, and arrives before the leader's watch has read "
                "the settings. The leader has not seen the disable and acts by retain, the KIP's "
                "default: it cancels the copy task, and nothing else.",
            ),
            (
                "7",
                "The leader's watch reads the settings: delete. The watch stops nothing, as the "
                "appendix has StopReplica alone call stopPartitions.",
            ),
            (
                "8-9",
                "The leader answers the repeat. The original StopReplica arrives, and the leader "
                "begins to disable by delete, the policy that it has read meanwhile.",
            ),
            (
                "10-11",
                "The controller receives the answer to the repeat and writes DISABLED. The leader "
                "has deleted nothing.",
            ),
            (
                "12-14",
                "The operator enables tiered storage again; the leader schedules its tasks.",
            ),
            ("15-22", "The copy task copies offset 0 as id 0."),
            (
                "23-24",
                "The highest offset in remote storage is 0: local retention raises the local log "
                "start to 1.",
            ),
            (
                "25",
                "The thread that executes the original StopReplica since step 9 raises the log "
                "start to 1.",
            ),
            (
                "end",
                "Tiered storage is enabled. The log start is 1, and offset 0 is in the remote tier "
                "alone: a fetch of offset 0 is answered with OFFSET_OUT_OF_RANGE.",
            ),
            (
                "beyond",
                "The thread goes on: it cancels the remote log tasks and deletes the object of id "
                "0. If StopReplica had been sent once, the topic would be DISABLED from step 11 "
                "on as well, and only retention would delete what it has in the remote tier.",
            ),
        ),
    ),
    turning=25,
    fix=(
        "StopReplica names the tiered epoch, and a broker executes it only once its watch has "
        "applied the settings of that tiered epoch. The model was tried with this, and with the "
        "fix by which a broker stops a partition once in a tiered epoch: without that one, the "
        "original could still be executed a second time, by delete, and end after the enable. To "
        "have StopReplica carry the policy would also give the right one to a broker whose watch "
        "is late."
    ),
    costs=(
        "One field in StopReplica v5, which the appendix introduces anyhow. A request waits in "
        "the broker until the watch has read two ZNodes: milliseconds, and no request handler "
        "thread may block for it."
    ),
    repair="repair_settings_before_request",
    scope="smoke",
)

RESTART = Finding(
    name="restart_behind_a_disable",
    title=("A leader that has just restarted deletes nothing at a disable, and its objects stay"),
    severity=Severity.LEAK,
    symptom=(
        "The remote store keeps objects of a topic that is DISABLED with delete, and no task "
        "deletes them as long as it is disabled. The leader has restarted, and deletes only what "
        "its metadata cache has read until then: nothing. No record is lost."
    ),
    needs=(
        f"{NEVER_SHIPPED} One replica or more. A restart of the leader, and a disable with delete "
        "before the leader has read the metadata topic again: seconds. In this trace the restart "
        "also interrupts a copy; the leak needs no more than the empty cache."
    ),
    claims=(
        "disabled_state_leaves_no_objects",
        "every_object_is_tracked",
        "expired_objects_are_deleted",
        "disabled_topic_is_emptied",
        "settled_topic_holds_finished_segments_only",
    ),
    passages=(Passage(EARLY, "Disablement - Kraft Based Cluster", _DELETES),),
    permitted_by=(
        "RemoteLogManager#deleteRemoteLogPartition, which lists what the cache has, and does not "
        "ask whether the cache has read the metadata topic to its end"
    ),
    assumptions=("D5",),
    story=Story(
        "c60392",
        (
            ("start", ONE_REPLICA),
            (
                "1-6",
                "Broker 0, the leader, begins to copy offset 0 as id 0: it publishes "
                "COPY_SEGMENT_STARTED and stores the object.",
            ),
            (
                "7",
                "The leader crashes and leads again. It has to read the metadata topic from its "
                "beginning.",
            ),
            ("8-10", "An operator disables tiered storage with delete; the leader reads of it."),
            (
                "11-13",
                "stopPartitions raises the log start to the local log start, answers the fetches "
                "that wait for the remote tier, and cancels the tasks.",
            ),
            (
                "14",
                "stopPartitions lists the segments to delete. The cache has read nothing yet: the "
                "list is empty, and the leader stops reading the metadata topic.",
            ),
            ("15-17", "The leader gets DisableRemoteTopic, has nothing left to do, and answers."),
            ("18-19", "The controller receives the answer and writes DISABLED."),
            (
                "end",
                "The topic is DISABLED with delete. The object of id 0 is in the store, and id 0 "
                "is in COPY_SEGMENT_STARTED. The leader has no remote log task of the topic.",
            ),
            (
                "beyond",
                "Kafka's topic-based metadata manager fails to list the segments of a cache that "
                "is not initialized (ReplicaNotAvailableException). stopPartitions logs that, and "
                "deletes nothing either.",
            ),
        ),
    ),
    turning=14,
    fix=(
        "The leader lists the segments to delete only once its cache has read the metadata topic "
        "up to the end that the topic had when the disable began; a leader that restarts into "
        "DISABLING reads it for this alone."
    ),
    costs=(
        "DISABLING lasts longer by the time that the leader takes to read the metadata "
        "partition: seconds after a restart, nothing otherwise. "
        "RemoteLogMetadataManager#isReady, which came with Kafka 4.0, tells when that is; a "
        "plugin that does not implement it answers true."
    ),
    repair="repair_leader_reads_metadata_to_delete",
    apart=("repair_delete_until_nothing_is_left",),
    scope="restart",
)
