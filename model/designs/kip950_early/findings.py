"""What the early texts permit that they should not: how requests and answers go wrong.

Each finding is told in one of the three designs, the one whose text permits it most plainly;
`register` says in which, and in which others it holds as well. `findings_of_states`,
`findings_of_brokers` and `findings_of_controllers` have the rest. Pages are generated:
`tierproof findings`.
"""

from tierproof.model.language import Finding
from tierproof.model.language.findings import Passage, Severity, Story

EARLY = "KIP-950, Under Discussion"
ACCEPTED = "KIP-950"
RETRIES = Passage(
    EARLY,
    "Failure Modes",
    "In the event of a leader failover during this state, the controller will retry the operation "
    "until it receives a successful response.",
)
_REQUEST = Passage(
    EARLY,
    "Internal Interface Changes",
    "DisableRemoteTopic is a new controller-to-broker API with the following schema.",
)
_EPOCH = Passage(
    EARLY,
    "Tiered Epoch",
    "Its aim is to guarantee that all activities within the disablement process are fully "
    "completed before permitting the re-enablement of tiering.",
)
ONE_REPLICA = (
    "The topic has one replica, on broker 0. Offset 0 is in a rolled segment, offset 1 in the "
    "active one. Nothing is copied yet. local.retention.bytes keeps one record; nothing has "
    "reached retention.ms or retention.bytes."
)
NEVER_SHIPPED = (
    "A draft of KIP-950 that never shipped; the accepted KIP keeps DISABLING and requests to "
    "brokers for ZooKeeper alone, in an appendix that never shipped either."
)
_COMPLETION = Passage(
    EARLY,
    "Disablement - Kraft Based Cluster",
    "Once the controller receives responses from all brokers for the `DisableRemoteTopic` request, "
    'it updates the `tiered_state` in the TopicMetadata to "DISABLED".',
)
_SENT_TWICE = (
    "In Kafka 3.9 a controller that has no answer in time (controller.socket.timeout.ms, 30 s by "
    "default) closes the connection and sends the request again over a new one; the original may "
    "still wait in the broker, and is executed after the repeat."
)
_ORIGINAL_AND_REPEAT = (
    "An operator disables tiered storage with delete. The controller sends DisableRemoteTopic to "
    "broker 0, has no answer in time, and sends the request again."
)
_TASKS_GO = (
    "The thread goes on: it cancels the remote log tasks and deletes the object of id 0. The topic "
    "is enabled, and nothing of it is copied until the leader changes or restarts."
)

LATE_REQUEST = Finding(
    name="late_request_disables_again",
    title=(
        "A DisableRemoteTopic that arrives late deletes the remote log of a topic that is "
        "enabled again"
    ),
    severity=Severity.LOSS,
    symptom=(
        "Committed records that are only in the remote tier are lost in a topic that nobody has "
        "asked to disable since it was enabled again. A repeated request is executed late, after "
        "the re-enable: the log start jumps to the local log start, fetches below it get "
        "OFFSET_OUT_OF_RANGE, and the remote objects are deleted. Nothing in the request says "
        "which disable it belongs to."
    ),
    needs=(
        f"{NEVER_SHIPPED} One replica or more. A disable with delete, an enable after it, and a "
        f"request that is sent twice, the original of which is executed after the enable. "
        f"{_SENT_TWICE} No crash."
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
        "enabled_topic_is_copied",
        "request_acts_in_its_own_tiered_epoch",
        "disabling_twice_is_disabling_once",
    ),
    passages=(_REQUEST, RETRIES, _EPOCH),
    permitted_by=(
        "the draft's schema of DisableRemoteTopic, whose fields are PartitionId and TopicId: a "
        "broker cannot tell which disablement a request belongs to"
    ),
    assumptions=("D4", "D9", "D17"),
    story=Story(
        "afa818",
        (
            ("start", ONE_REPLICA),
            ("1-3", _ORIGINAL_AND_REPEAT),
            (
                "4-9",
                "Broker 0, the leader, reads the disable from the cluster metadata and executes "
                "stopPartitions. Nothing is remote, so its log start stays 0.",
            ),
            (
                "10-17",
                "The repeat overtakes the original. The leader executes stopPartitions for the "
                "repeat and answers. The controller writes DISABLED.",
            ),
            (
                "18-21",
                "The operator enables tiered storage again, and the leader schedules its tasks.",
            ),
            (
                "22",
                "The original request arrives. The request names no tiered epoch and no policy: "
                "the leader begins to disable by the last policy that it has read, delete.",
            ),
            ("23-31", "Meanwhile the copy task copies offset 0 as id 0."),
            ("32", "Local retention raises the local log start to 1: offset 0 is only remote."),
            ("33", "The thread of the original request raises the log start to 1."),
            (
                "end",
                "Tiered storage is enabled. The log start is 1, and offset 0 is in the remote tier "
                "alone: a fetch of offset 0 is answered with OFFSET_OUT_OF_RANGE. Nobody has asked "
                "to delete offset 0 since the enable.",
            ),
            ("beyond", _TASKS_GO),
        ),
    ),
    turning=33,
    fix=(
        "DisableRemoteTopic names the tiered epoch. A broker executes a request only if the "
        "topic is DISABLING in that tiered epoch, by the topics ZNode or by the metadata log up "
        "to the offset that the request names; otherwise it refuses."
    ),
    costs=(
        "One more field in a request that the draft introduces anyhow, so no older version to be "
        "compatible with. A broker reads the tiered state before it executes a request."
    ),
    repair="repair_tiered_epoch_in_requests",
    apart=("repair_stop_once_in_a_tiered_epoch",),
    scope="smoke",
)

SECOND_REQUEST = Finding(
    name="second_request_outlives_the_disablement",
    title=(
        "A repeated DisableRemoteTopic that is still executed after a re-enable deletes the "
        "remote log"
    ),
    severity=Severity.LOSS,
    symptom=(
        "Committed records that are only in the remote tier are lost in a topic that nobody has "
        "asked to disable since it was enabled again. The broker executes a repeated request for "
        "a second time, and ends after the re-enable: the log start jumps to the local log "
        "start, fetches below it get OFFSET_OUT_OF_RANGE, and the remote objects are deleted. The "
        "controller has waited for one answer, and two executions were under way."
    ),
    needs=(
        f"{NEVER_SHIPPED} One replica or more. A disable with delete, an enable after it, and a "
        "request that is sent twice: the broker begins to execute the original before the topic is "
        f"DISABLED, and ends after the enable. {_SENT_TWICE} No crash."
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
        "enabled_topic_is_copied",
        "disabling_twice_is_disabling_once",
    ),
    passages=(RETRIES, _EPOCH),
    permitted_by=(
        "the draft, whose stopPartitions does not ask whether the partition is stopped already, "
        "and whose controller waits for one answer of each broker, however often it has asked"
    ),
    assumptions=("D4", "D5", "D17"),
    story=Story(
        "1315e3",
        (
            ("start", ONE_REPLICA),
            ("1-3", _ORIGINAL_AND_REPEAT),
            (
                "4-9",
                "Broker 0, the leader, reads the disable from the cluster metadata and executes "
                "stopPartitions.",
            ),
            (
                "10-15",
                "The repeat overtakes the original: the leader executes stopPartitions a second "
                "time, and answers.",
            ),
            (
                "16",
                "The original request arrives while the topic is DISABLING: the leader begins "
                "stopPartitions a third time.",
            ),
            (
                "17-18",
                "The controller receives the answer to the repeat, the only answer that the "
                "controller waits for, and writes DISABLED.",
            ),
            ("19-22", "The operator enables tiered storage again; the leader starts its tasks."),
            ("23-31", "The copy task copies offset 0 as id 0."),
            ("32", "Local retention raises the local log start to 1: offset 0 is only remote."),
            (
                "33",
                "The thread of the original request, which began in step 16, raises the log start "
                "to 1.",
            ),
            (
                "end",
                "Tiered storage is enabled. The log start is 1, and offset 0 is in the remote tier "
                "alone: a fetch of offset 0 is answered with OFFSET_OUT_OF_RANGE.",
            ),
            ("beyond", _TASKS_GO),
        ),
    ),
    turning=33,
    fix=(
        "A broker remembers the tiered epoch in which it has stopped the partition, and answers "
        "further requests of that epoch without stopping it again. It needs the tiered epoch "
        "that the broker has read with the settings, not a field in the request."
    ),
    costs=(
        "One number in the memory of the broker for each tiered partition; a restart forgets it, "
        "as well as the threads that it guards against."
    ),
    repair="repair_stop_once_in_a_tiered_epoch",
    scope="smoke",
)

LATE_ANSWER = Finding(
    name="late_answer_counts_for_the_next_disable",
    title=(
        "A late answer of an earlier disable completes the next one: DISABLED, while the leader "
        "still copies"
    ),
    severity=Severity.COST,
    symptom=(
        "The operator reads DISABLED while the leader still copies segments. It ends once the "
        "leader reads the disable from the cluster metadata. The policy is retain, so what is "
        "copied is served, and no record is lost. The controller has counted an answer to an "
        "earlier disable for this one."
    ),
    needs=(
        f"{NEVER_SHIPPED} That appendix has the same queue. One replica or more. A disable, an "
        "enable and another disable; a request of the earlier disable that is sent twice, and both "
        "of whose answers reach the controller, the later one after the other disable; and a "
        "leader that lags behind the cluster metadata then. Both answers arrive only if a retry "
        "does not close the connection, which the draft leaves open. No crash."
    ),
    claims=("disabled_state_copies_nothing_new", "disabled_state_is_true_of_every_broker"),
    passages=(
        Passage(
            EARLY,
            "Disablement - Kraft Based Cluster",
            "The controller enqueues the disablement intent for tiered storage to a local queue.",
        ),
        _COMPLETION,
        RETRIES,
        _EPOCH,
        Passage(
            EARLY,
            "DISABLED",
            "In this state, the RLM does not have any scheduled tasks for the topic-partitions in "
            "the RemoteLogManager thread pool for copying segments to remote storage.",
        ),
    ),
    permitted_by=(
        "the draft's schema of DisableRemoteTopic, which has PartitionId and TopicId, no tiered "
        "epoch, and no schema of the answer: nothing in an answer says which disablement it "
        "belongs to"
    ),
    assumptions=("D9", "D17"),
    story=Story(
        "f38c53",
        (
            ("start", ONE_REPLICA),
            (
                "1-3",
                "An operator disables tiered storage with retain. The controller sends "
                "DisableRemoteTopic to broker 0, and retries with an equal request before it has "
                "an answer.",
            ),
            (
                "4-6",
                "Broker 0, the leader, reads the disable from the cluster metadata and cancels its "
                "copy task, as the settings alone make it do.",
            ),
            (
                "7-9",
                "The leader executes the retry and answers it. The leader begins to execute the "
                "original request, too, and has not answered it yet.",
            ),
            ("10-11", "The controller receives the answer to the retry and writes DISABLED."),
            ("12-15", "The operator enables tiered storage; the leader schedules its tasks again."),
            (
                "16",
                "The operator disables tiered storage once more. The leader has not read this "
                "disable, and has no request for it.",
            ),
            (
                "17-19",
                "The leader answers the original request, which belongs to the earlier disable. "
                "The controller counts the answer for the disable of step 16, and writes DISABLED.",
            ),
            ("20-22", "The copy task of the leader, which is still scheduled, chooses offset 0."),
            ("23", "The leader publishes COPY_SEGMENT_STARTED of id 0."),
            ("end", "The topic is DISABLED, and its leader has begun to copy a segment."),
        ),
    ),
    turning=19,
    fix=(
        "The controller counts an answer only for the disable that its request belongs to. "
        "Either request and answer name the tiered epoch, or the controller's callback keeps the "
        "tiered epoch at which the request was sent."
    ),
    costs=(
        "A field in a request and an answer that the draft introduces anyhow, or one number in "
        "each callback."
    ),
    repair="repair_tiered_epoch_in_answers",
    scope="thrice",
)
