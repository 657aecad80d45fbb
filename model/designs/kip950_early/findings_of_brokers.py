"""What the early texts permit that they should not: how brokers fail."""

from tierproof.model.designs.kip950_early.findings import (
    ACCEPTED,
    COMPLETION,
    EARLY,
    NEVER_SHIPPED,
    ONE_REPLICA,
    RETRIES,
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
        "A controller's disable request that overtakes the settings retains instead of deleting; "
        "one that is sent twice can lose records later"
    ),
    severity=Severity.LOSS,
    symptom=(
        "A topic disabled with delete is DISABLED although its leader has deleted nothing: "
        "StopReplica names no policy, and a broker that has not read the settings takes the "
        "default, retain. If StopReplica is sent twice and the topic is enabled again, as in these "
        "steps, too, committed records that are only in the remote tier are lost: the log start "
        "jumps to the local log start, and fetches below it get OFFSET_OUT_OF_RANGE."
    ),
    needs=(
        "The ZooKeeper appendix of KIP-950 as accepted, which never shipped: Kafka 3.9 refuses "
        "these settings in ZooKeeper mode. One replica is enough, no crash. DISABLED without a "
        "deletion: StopReplica reaches the broker before the broker's watch has read the settings. "
        "The loss does not need that: StopReplica is sent twice, and the original is executed "
        "late, which is rare. Here its thread stands still from step 9 to step 25; one that begins "
        "only after the enable does the same. Without an answer in time "
        "(controller.socket.timeout.ms, 30 s by default) RequestSendThread (Kafka 3.9) sends a "
        "request again over a new connection; other threads of the broker read and execute it, so "
        "it may overtake the original."
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
        Passage(ACCEPTED, _STOP_REPLICA, _DELETES_AS_ACCEPTED),
        Passage(
            ACCEPTED,
            _STOP_REPLICA,
            "The disablement policy defaults to Retain if the option is not specified.",
        ),
        Passage(
            ACCEPTED,
            "Failure Modes",
            "Broker Dies in DISABLING State or Fails to Complete the StopReplica v5 Request: The "
            "controller maintains an internal queue to track completed StopReplica v5 calls. In "
            "the event of a leader failover during this state, the controller will retry the "
            "operation until it receives a successful response.",
        ),
        Passage(
            ACCEPTED,
            "Tiered Epoch(only in ZK)",
            "This epoch establishes a boundary for the transition from the enabling to disabling "
            "state, preventing concurrent and out-of-order modifications.",
        ),
    ),
    permitted_by=(
        "the KIP's schema of StopReplica v5, which has DisableRemotePartition, no policy and no "
        "tiered epoch; the KIP's steps, in which no broker waits with the request until it has "
        "read the settings"
    ),
    assumptions=("D12", "D13", "D17"),
    story=Story(
        "1c606b",
        (
            ("start", ONE_REPLICA),
            (
                "1-4",
                "An operator disables tiered storage with delete. The controller writes both "
                "ZNodes, sends StopReplica to broker 0, the leader, has no answer in time, and "
                "sends StopReplica again.",
            ),
            (
                "5-6",
                "The repeat overtakes the original, and the leader's watch has not read the "
                "settings. The leader acts by retain, the KIP's default: it cancels the copy task, "
                "and nothing else.",
            ),
            (
                "7",
                "The leader's watch reads the settings: delete. The watch stops nothing, as the "
                "appendix has StopReplica alone call stopPartitions.",
            ),
            (
                "8-9",
                "The leader answers the repeat. The leader begins to execute the original "
                "StopReplica, by delete, the policy that it has read meanwhile. The thread stands "
                "still.",
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
                "Local retention raises the local log start to 1: offset 0 is only remote.",
            ),
            (
                "25",
                "The thread of the original StopReplica goes on where it stood since step 9, and "
                "raises the log start to 1.",
            ),
            (
                "end",
                "Tiered storage is enabled. The log start is 1, and offset 0 is in the remote tier "
                "alone: a fetch of offset 0 is answered with OFFSET_OUT_OF_RANGE.",
            ),
            (
                "beyond",
                "The thread goes on: it cancels the remote log tasks and deletes the object of id "
                "0. If StopReplica is sent once, the topic is DISABLED from step 11 on as well. "
                "Only retention then deletes what it has in the remote tier.",
            ),
        ),
    ),
    turning=25,
    fix=(
        "StopReplica names the tiered epoch, and a broker executes it only once its watch has "
        "applied the settings of that tiered epoch. That alone leaves the second run, which may "
        "still end after the enable. So a broker also remembers the tiered epoch in which it has "
        "stopped the partition, and stops it once. The model was tried with both. Simpler, and "
        "tried as well: StopReplica names the tiered epoch, a broker answers with an error unless "
        "the settings that it has applied disable the topic in that epoch, and it applies settings "
        "under replicaStateChangeLock, which StopReplica holds. It needs no broker that remembers "
        "where it has stopped. A broker has to read the tiered epoch before the settings, which "
        "are written first: read the other way round, old settings could pass for those of the "
        "epoch."
    ),
    costs=(
        "One field in StopReplica v5, which the appendix introduces anyhow. A request waits in "
        "the broker until the watch has read two ZNodes: milliseconds, and no request handler "
        "thread may block for it. With the lock, the settings of all topics wait for running "
        "StopReplica and LeaderAndIsr requests, deletions included. The lock is local: it does not "
        "stop a broker that stalls until another one leads."
    ),
    repair="repair_settings_before_request",
    together_with=(
        "repair_forget_deleted_offsets",
        "repair_await_cancelled_threads",
        "repair_raise_log_start_first",
    ),
    searched="the tiered epoch in StopReplica",
    proposal="proposal_refuse_until_settings_disable",
    scope="smoke",
)

RESTART = Finding(
    name="restart_behind_a_disable",
    title=(
        "A disable with delete whose deletion fails is completed all the same, and remote segments "
        "leak"
    ),
    severity=Severity.LEAK,
    symptom=(
        "The remote store keeps objects of a topic that is DISABLED with delete, and no task "
        "deletes them as long as it is disabled. The leader has restarted, and deletes only what "
        "its metadata cache has read until then: nothing. No record is lost."
    ),
    needs=(
        f"{NEVER_SHIPPED} One replica or more. A restart of the leader, and a disable with delete "
        "before the leader has read the metadata topic again: seconds. Here the restart also "
        "interrupts a copy; objects that were copied before stay in the same way."
    ),
    claims=(
        "disabled_state_leaves_no_objects",
        "every_object_is_tracked",
        "expired_objects_are_deleted",
        "disabled_topic_is_emptied",
        "settled_topic_holds_finished_segments_only",
    ),
    passages=(Passage(EARLY, "Disablement - Kraft Based Cluster", _DELETES), COMPLETION, RETRIES),
    permitted_by=(
        "RemoteLogManager#deleteRemoteLogPartition, which lists what the cache has, and does not "
        "ask whether the cache has read the metadata topic to its end; "
        "RemoteLogManager#stopPartitions, which logs an error of the listing, forgets the "
        "partition all the same, and does nothing for a partition that it does not know"
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
                "Kafka's topic-based metadata manager throws ReplicaNotAvailableException where "
                "these steps have an empty list. The end is the same by the code: stopPartitions "
                "logs the error and forgets the partition, so that the call for DisableRemoteTopic "
                "returns without an error, and the controller does not retry.",
            ),
        ),
    ),
    turning=14,
    fix=(
        "The leader lists the segments to delete only once its cache has read the metadata topic "
        "up to the end that the topic had when the disable began. A leader that restarts while the "
        "topic is DISABLING reads it for this alone. So that no thread waits for this, and the "
        "model was tried with that, too: stopPartitions keeps a partition whose listing or "
        "deletion fails, with its metadata assigned, and the broker answers DisableRemoteTopic "
        "with an error. The controller's retry runs stopPartitions again, and the topic stays "
        "DISABLING until the deletion has succeeded. A leader that restarts behind the disable "
        "does not know the partition, and would answer without an error; so the request has to "
        "assign the metadata of such a partition first. The same holds for a leader that is "
        "elected behind the disable. Not in that search, which has no election of another broker: "
        "one that is elected after it has answered as a follower has to be asked again."
    ),
    costs=(
        "DISABLING lasts longer by the time that the leader takes to read the metadata "
        "partition: seconds after a restart, nothing otherwise. "
        "RemoteLogMetadataManager#isReady, which came with Kafka 4.0, tells when that is; a "
        "plugin that does not implement it answers true."
    ),
    repair="repair_leader_reads_metadata_to_delete",
    together_with=(
        "repair_settings_before_request",
        "repair_await_cancelled_threads",
        "repair_delete_unfinished_copies",
    ),
    proposal="proposal_retry_repeats_deletion",
    apart=("repair_delete_until_nothing_is_left",),
    scope="restart",
)
