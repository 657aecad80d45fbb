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
    "Broker Dies in DISABLING State or Fails to Complete the DisableRemoteTopic Request: The "
    "controller maintains an internal queue to track completed DisableRemoteTopic calls. In the "
    "event of a leader failover during this state, the controller will retry the operation until "
    "it receives a successful response.",
)
NEW_REQUEST = Passage(
    EARLY,
    "Failure Modes",
    "Additionally, the controller will initiate a new request for `DisableRemoteTopic` to all "
    "brokers.",
)
_OUT_OF_ORDER = Passage(
    EARLY,
    "Tiered Epoch",
    "This epoch establishes a boundary for the transition from the enabling to disabling state, "
    "preventing concurrent and out-of-order modifications.",
)
_SEGMENTS = Passage(
    EARLY,
    "Re-enabling Tiered Storage",
    "First, during disablement, we mark the segments for deletion and update the log start offset, "
    "and second, we fence the segments with the tiered epoch.",
)
EPOCH = Passage(
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
    "A draft of KIP-950 that never shipped. The accepted KIP keeps DISABLING and requests to "
    "brokers for ZooKeeper alone, in an appendix that never shipped either."
)
COMPLETION = Passage(
    EARLY,
    "Disablement - Kraft Based Cluster",
    "Once the controller receives responses from all brokers for the `DisableRemoteTopic` request, "
    'it updates the `tiered_state` in the TopicMetadata to "DISABLED".',
)
_SENT_TWICE = (
    "A retry sends it again, and so does a new controller. Our pattern is Kafka's controller with "
    "ZooKeeper (RequestSendThread, Kafka 3.9), as KRaft's sends brokers no requests: without an "
    "answer in time (controller.socket.timeout.ms, 30 s by default) it sends again over a new "
    "connection. Other threads of the broker read and execute that one, so the original may be "
    "executed after it."
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
        "A DisableRemoteTopic that is executed late deletes the remote log of a topic that is "
        "tiered again"
    ),
    severity=Severity.LOSS,
    symptom=(
        "Committed records that are only in the remote tier are lost in a topic that nobody has "
        "asked to disable since it was enabled again. A request of the disable before is executed "
        "late: the log start jumps to the local log start, fetches below it get "
        "OFFSET_OUT_OF_RANGE, and the remote objects are deleted. Nothing in the request says "
        "which disable it belongs to."
    ),
    needs=(
        f"{NEVER_SHIPPED} One replica or more. A disable with delete, an enable after it, and a "
        f"request that is sent twice. {_SENT_TWICE} For the loss, it is executed only once a "
        "segment is copied and removed locally after the enable, which is rare. Executed sooner, "
        "it cancels the tasks of an enabled topic. No crash."
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
    passages=(RETRIES, NEW_REQUEST, _OUT_OF_ORDER, _SEGMENTS),
    permitted_by=(
        "the draft's schema of DisableRemoteTopic, whose fields are PartitionId and TopicId: a "
        "broker cannot tell which disable a request belongs to. The tiered epoch of segments does "
        "not help: those that the late request deletes are of the present epoch"
    ),
    assumptions=("D4", "D17"),
    story=Story(
        "baa6ea",
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
                "The repeat overtakes the original. The leader executes stopPartitions once more, "
                "for the repeat, and answers. The controller writes DISABLED.",
            ),
            (
                "18-21",
                "The operator enables tiered storage again, and the leader schedules its tasks.",
            ),
            ("22-30", "The copy task copies offset 0 as id 0."),
            ("31", "Local retention raises the local log start to 1: offset 0 is only remote."),
            (
                "32",
                "The leader executes the original request only now. The request names no tiered "
                "epoch and no policy: the leader disables by the policy that the topic has, "
                "delete.",
            ),
            ("33", "The thread of that request raises the log start to 1."),
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
        "DisableRemoteTopic names the tiered epoch. A broker executes a request only if the topic "
        "is DISABLING in that tiered epoch, by the topics ZNode or by the metadata log up to the "
        "offset that the request names; otherwise it refuses. To check that remote.storage.enable "
        "is false would stop these steps, too; but a request that arrives in the next disable "
        "would be answered for that one. The check has to be made under the lock under which the "
        "broker applies the settings. The model was also tried with a broker that goes by the "
        "settings that it has applied, in place of the tiered state: it executes a request, under "
        "that lock, only if they disable the topic in the tiered epoch of the request, and stops "
        "the partition without an error once in a tiered epoch, as long as it is not elected. "
        "With ZooKeeper it reads the tiered epoch before the settings, which are written first, "
        "and both again when a watch reports a new epoch. Without the memory of the epoch in "
        "which it has stopped the partition, it executes the repeat of a "
        "topic that is DISABLED already, which changes nothing."
    ),
    costs=(
        "One more field, with KRaft two, in a request that the draft introduces anyhow. A broker "
        "reads the tiered state before it executes a request. The lock is local: it does not stop "
        "a former leader that stalls."
    ),
    repair="repair_tiered_epoch_in_requests",
    together_with=(
        "repair_forget_deleted_offsets",
        "repair_await_cancelled_threads",
        "repair_raise_log_start_first",
    ),
    searched="a broker that always knows the tiered state of the topic",
    proposal="proposal_requests_name_their_tiered_epoch",
    apart=("repair_stop_once_in_a_tiered_epoch",),
    scope="smoke",
    late=("broker_executes_request",),
)

SECOND_REQUEST = Finding(
    name="second_request_outlives_the_disablement",
    title="A DisableRemoteTopic still running after a re-enable deletes the remote log",
    severity=Severity.LOSS,
    symptom=(
        "Committed records that are only in the remote tier are lost in a topic that nobody has "
        "asked to disable since it was enabled again. The broker executes one request twice. "
        "The controller waits for one answer, and the other execution ends after the re-enable: "
        "the log start jumps to the local log start, fetches below it get OFFSET_OUT_OF_RANGE, and "
        "the remote objects are deleted."
    ),
    needs=(
        f"{NEVER_SHIPPED} One replica or more. A disable with delete, an enable after it, and a "
        f"request that is sent twice. {_SENT_TWICE} The thread that executes the original begins "
        "while the topic is DISABLING, and stands still until the topic is enabled and a segment "
        "is copied and removed locally. That takes minutes at least, so it is rare. No crash."
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
    passages=(RETRIES, EPOCH),
    permitted_by=(
        "the draft, whose stopPartitions does not ask whether the partition is stopped already, "
        "and whose controller waits for one answer of each broker, however often it has asked. "
        "The tiered epoch of segments does not help: those that the late execution deletes are of "
        "the present epoch"
    ),
    assumptions=("D4", "D17"),
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
                "The leader executes the original request, too, while the topic is DISABLING: it "
                "begins stopPartitions a third time, and the thread stands still.",
            ),
            (
                "17-18",
                "The controller receives the answer to the repeat. It waits for no other, and "
                "writes DISABLED.",
            ),
            ("19-22", "The operator enables tiered storage again; the leader starts its tasks."),
            ("23-31", "The copy task copies offset 0 as id 0."),
            ("32", "Local retention raises the local log start to 1: offset 0 is only remote."),
            (
                "33",
                "The thread of the original request goes on where it stood since step 16, and "
                "raises the log start to 1.",
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
        "A broker remembers the tiered epoch in which it has stopped the partition without an "
        "error, and answers further requests of that epoch without stopping it again. It needs the "
        "tiered epoch that the broker has read with the settings, not a field in the request. Not "
        "modelled: a broker that has become the leader since then has to stop it once more, as it "
        "deleted nothing as a follower. That does not help if the original begins first and "
        "stalls: the repeat is then answered before it ends. Sound is one lock for the partition, "
        "held while stopPartitions runs and while settings are applied, and a refusal once the "
        "topic is tiered again. The model was tried with that, too. It executes one request at a "
        "time, and so does not show the stall. The lock is local: a broker that stalls until "
        "another one leads is not stopped by it."
    ),
    costs=(
        "One number in the memory of the broker for each tiered partition; a restart forgets it, "
        "as well as the threads that it guards against."
    ),
    repair="repair_stop_once_in_a_tiered_epoch",
    together_with=(
        "repair_forget_deleted_offsets",
        "repair_await_cancelled_threads",
        "repair_raise_log_start_first",
    ),
    proposal="proposal_one_lock_and_no_request_while_tiered",
    scope="smoke",
)

LATE_ANSWER = Finding(
    name="late_answer_counts_for_the_next_disable",
    title=(
        "An answer does not say which disable it belongs to: a late one can make a topic DISABLED "
        "too early"
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
        "enable and another disable. A request of the first disable that is sent twice, and both "
        "of whose answers reach the controller, the later one after the second disable. A leader "
        "that lags behind the cluster metadata then. Kafka's controller with ZooKeeper closes the "
        "connection before it sends a request again, and so never gets the first answer; the draft "
        "does not say that its retry does so. No crash."
    ),
    claims=("disabled_state_copies_nothing_new", "disabled_state_is_true_of_every_broker"),
    passages=(
        Passage(
            EARLY,
            "Disablement - Kraft Based Cluster",
            "The controller enqueues the disablement intent for tiered storage to a local queue.",
        ),
        COMPLETION,
        RETRIES,
        Passage(
            EARLY,
            "DISABLED",
            "In this state, the RLM does not have any scheduled tasks for the topic-partitions in "
            "the RemoteLogManager thread pool for copying segments to remote storage.",
        ),
    ),
    permitted_by=(
        "the draft, which has no schema of the answer, and a schema of DisableRemoteTopic with "
        "PartitionId and TopicId alone: no answer says which disable it belongs to"
    ),
    assumptions=("D9", "D17"),
    story=Story(
        "f38c53",
        (
            ("start", ONE_REPLICA),
            (
                "1-3",
                "An operator disables tiered storage with retain. The controller sends "
                "DisableRemoteTopic to broker 0, has no answer in time, and sends the request "
                "again.",
            ),
            (
                "4-6",
                "Broker 0, the leader, reads the disable from the cluster metadata and cancels its "
                "copy task, as the settings alone make it do.",
            ),
            (
                "7-9",
                "The leader executes the repeat and answers it. The leader begins to execute the "
                "original request, too, and has not answered it yet.",
            ),
            ("10-11", "The controller receives the answer to the repeat and writes DISABLED."),
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
    together_with=("repair_await_cancelled_threads",),
    scope="thrice",
)
