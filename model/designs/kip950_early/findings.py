"""What the early texts permit that they should not: how disablements and requests go wrong.

Each finding is told in one of the three designs, the one whose text permits it most plainly;
`register` says in which, and in which others it holds as well. `findings_of_brokers` has the
rest. Pages are generated: `tierproof findings`.
"""

from tierproof.model.language import Finding
from tierproof.model.language.findings import Passage, Severity, Story

EARLY = "KIP-950, Under Discussion"
ACCEPTED = "KIP-950"
_RETRIES = Passage(
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
_ONE_REPLICA = (
    "The topic has one replica, on broker 0. Offset 0 is in a rolled segment, offset 1 in the "
    "active one. Nothing is copied yet."
)

LATE_REQUEST = Finding(
    name="late_request_disables_again",
    title="A request that arrives late disables a topic that is enabled again, and offset 0 is "
    "lost",
    severity=Severity.LOSS,
    needs="One replica; a disable with delete, an enable; a request that is sent twice. No crash.",
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
    passages=(_REQUEST, _RETRIES, _EPOCH),
    permitted_by="DisableRemoteTopic: PartitionId and TopicId are all its fields",
    assumptions=("D4", "D9"),
    story=Story(
        "afa818",
        (
            ("start", _ONE_REPLICA),
            (
                "1-3",
                "An operator disables tiered storage with delete. The controller asks broker 0, "
                "has no answer in time, and asks again: two requests are on their way.",
            ),
            (
                "4-9",
                "The leader reads the disable from the metadata log and executes stopPartitions. "
                "Nothing is remote, so its log start stays at 0.",
            ),
            (
                "10-17",
                "The first request arrives: the leader executes stopPartitions again, and "
                "answers. The controller writes DISABLED.",
            ),
            (
                "18-21",
                "An operator enables tiered storage again, and the leader schedules its tasks.",
            ),
            (
                "22",
                "The second request arrives. It names no tiered epoch: the leader begins to "
                "disable, by the policy that it knows, which is delete.",
            ),
            ("23-31", "Meanwhile the leader copies offset 0 to the remote tier."),
            ("32", "Local retention moves the local log start to 1: offset 0 is only remote."),
            ("33", "The late request moves the log start to the local log start, 1."),
            (
                "end",
                "Tiered storage is enabled, nobody has asked to delete offset 0, and it lies "
                "below the log start. What follows cancels the tasks: the topic is not copied "
                "any more.",
            ),
        ),
    ),
    turning=33,
    fix="DisableRemoteTopic names the tiered epoch. A broker refuses a request unless the topic is "
    "DISABLING in that tiered epoch, by the topics ZNode or the metadata log.",
    costs="A field in the request, and a read of the tiered state before a request is executed.",
    repair="repair_tiered_epoch_in_requests",
    apart=("repair_stop_once_in_a_tiered_epoch",),
    scope="smoke",
)

SECOND_REQUEST = Finding(
    name="second_request_outlives_the_disablement",
    title="A request that is executed twice still disables when the topic is enabled again",
    severity=Severity.LOSS,
    needs="One replica; a disable with delete, an enable; a request that is sent twice. No crash.",
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
    passages=(_RETRIES, _EPOCH),
    permitted_by="RemoteLogManager#stopPartitions, which is executed as often as it is asked for",
    assumptions=("D4", "D5"),
    story=Story(
        "1315e3",
        (
            ("start", _ONE_REPLICA),
            (
                "1-3",
                "An operator disables tiered storage with delete. The controller asks broker 0, "
                "has no answer in time, and asks again.",
            ),
            ("4-9", "The leader reads the disable, and executes stopPartitions."),
            (
                "10-15",
                "The first request arrives: the leader executes stopPartitions a second time, "
                "and answers.",
            ),
            (
                "16",
                "The second request arrives while the topic is DISABLING: the leader begins a "
                "third time.",
            ),
            (
                "17-18",
                "The controller hears the first answer, which is the only one it waits for, and "
                "writes DISABLED.",
            ),
            ("19-22", "An operator enables tiered storage again; the leader starts its tasks."),
            ("23-31", "The leader copies offset 0."),
            ("32", "Local retention moves the local log start to 1."),
            (
                "33",
                "The thread of the second request, which began in step 16, moves the log start "
                "to the local log start, 1.",
            ),
            ("end", "Offset 0 is below the log start of a topic that is enabled: it is lost."),
        ),
    ),
    turning=33,
    fix="A broker remembers the tiered epoch in which it has stopped the partition, and answers "
    "further requests of that epoch without doing it again.",
    costs="A number in the memory of the broker for each partition.",
    repair="repair_stop_once_in_a_tiered_epoch",
    scope="smoke",
)

LATE_ANSWER = Finding(
    name="late_answer_counts_for_the_next_disable",
    title="An answer that arrives late completes the next disablement: DISABLED, and still copied",
    severity=Severity.COST,
    needs="One replica; a disable, an enable and a disable; a request that is sent twice. No "
    "crash.",
    claims=("disabled_state_copies_nothing_new", "disabled_state_is_true_of_every_broker"),
    passages=(
        Passage(
            EARLY,
            "Disablement - Kraft Based Cluster",
            "The controller enqueues the disablement intent for tiered storage to a local queue.",
        ),
        Passage(
            EARLY,
            "Disablement - Kraft Based Cluster",
            "Once the controller receives responses from all brokers for the "
            "`DisableRemoteTopic` request, it updates the `tiered_state` in the TopicMetadata to "
            '"DISABLED".',
        ),
    ),
    permitted_by="A queue by topic, as topicsToBeDeleted is, with answers that name no disablement",
    assumptions=("D9",),
    story=Story(
        "f38c53",
        (
            ("start", _ONE_REPLICA),
            ("1-3", "An operator disables tiered storage with retain; the request is sent twice."),
            ("4-6", "The leader reads the disable from the metadata log, and stops copying."),
            (
                "7-9",
                "The leader answers the first request. It takes the second one, too, and does "
                "not answer it yet.",
            ),
            ("10-11", "The controller hears the first answer, and writes DISABLED."),
            ("12-15", "An operator enables tiered storage; the leader starts to copy again."),
            (
                "16",
                "An operator disables tiered storage once more. The leader has not read it.",
            ),
            (
                "17-19",
                "The leader answers the second request of the first disable. The controller "
                "takes it for the answer that it waits for now, and writes DISABLED.",
            ),
            ("20-22", "The copy task of the leader, which is still enabled, chooses offset 0."),
            ("23", "The leader publishes COPY_SEGMENT_STARTED."),
            ("end", "The topic is DISABLED, and its leader has begun to copy a segment."),
        ),
    ),
    turning=19,
    fix="The answer names the tiered epoch of its request; the controller counts it for that "
    "disablement only.",
    costs="A field in the answer.",
    repair="repair_tiered_epoch_in_answers",
    scope="thrice",
)

REMOVED = Finding(
    name="removed_broker_is_awaited",
    title="A broker that never comes back keeps the topic in DISABLING",
    severity=Severity.STALL,
    needs="Two replicas; a broker that is shut down for good while the topic is DISABLING.",
    claims=("disabling_ends",),
    passages=(
        _RETRIES,
        Passage(
            EARLY,
            "State Transitions",
            "While the topic is in the `DISABLING` state, new alter config API calls to disable "
            "tiered storage will be rejected.",
        ),
    ),
    permitted_by="The queue of the controller, which has every broker until it has answered",
    assumptions=("D10",),
    story=Story(
        "6ae79b",
        (
            ("start", "The topic has a leader, broker 0, and a follower, broker 1."),
            ("1-2", "An operator disables tiered storage with retain. The controller asks both."),
            ("3-5", "The leader reads the disable, and stops copying."),
            ("6-8", "The leader executes the request and answers; the controller hears it."),
            ("9", "An operator removes broker 1, which was not asked yet."),
            ("10", "The controller asks broker 1, and waits."),
            (
                "end",
                "Nobody will answer. The topic stays DISABLING: no disable and no enable is "
                "accepted until somebody edits the metadata of the cluster by hand.",
            ),
        ),
    ),
    turning=9,
    fix="The controller takes a broker off the queue once it is unregistered, as the deletion of "
    "topics does with replicas on brokers that are gone.",
    costs="A broker that comes back after all must read the settings before it does anything else.",
    repair="repair_removed_brokers_are_not_awaited",
    scope="removal",
)

POLICY = Finding(
    name="policy_changes_alone",
    title="A change of the policy alone makes DISABLED say what is not so",
    severity=Severity.TEXT,
    needs="One replica; a disable with retain, and a change of remote.log.disable.policy to delete "
    "before the topic is enabled again.",
    claims=(
        "disabled_topic_serves_no_remote_read",
        "disabled_state_lets_every_replica_take_over",
        "policy_is_bound_to_the_tiered_epoch",
        "older_tiered_epochs_are_invisible",
        "metadata_records_are_legal_transitions",
        "records_become_readable",
        "disabling_twice_is_disabling_once",
    ),
    passages=(
        Passage(
            EARLY,
            "Exceptions",
            "If a new disablement request is encountered while the topic is still in the "
            "`DISABLING` state, an exception named `TIERED_STORAGE_DISABLEMENT_IN_PROGRESS` will "
            "be thrown.",
        ),
        Passage(
            EARLY,
            "DISABLED",
            "If the topic was disabled with the `remote.log.disable.policy=delete` option, all "
            "remote data is marked for deletion and it is inaccessible for read.",
        ),
    ),
    permitted_by="remote.log.disable.policy, a setting that may be altered like any other",
    assumptions=("D3",),
    story=Story(
        "70d8ec",
        (
            ("start", _ONE_REPLICA),
            ("1-2", "An operator disables tiered storage with retain; the leader learns of it."),
            ("3-11", "Before its settings change, the leader copies offset 0."),
            ("12", "Local retention moves the local log start to 1: offset 0 is only remote."),
            ("13-14", "The leader applies the disable: it stops copying and retains the rest."),
            (
                "15-17",
                "The leader executes the request of the disable, by retain, and answers.",
            ),
            ("18-19", "The controller hears the answer, and writes DISABLED."),
            (
                "20",
                "An operator sets the policy to delete. No state, epoch or request tells of it.",
            ),
            (
                "end",
                "The topic is DISABLED with delete. Its remote log is there, is read, and its "
                "deletion begins only when the leader reads the new policy.",
            ),
        ),
    ),
    turning=20,
    fix="remote.log.disable.policy is accepted only together with remote.storage.enable=false, "
    "as an argument of a disable.",
    costs="Who has retained cannot delete later without enabling the topic in between.",
    repair="repair_policy_is_bound",
    scope="policy",
)

EQUATION = Finding(
    name="equation_of_scenario_3",
    title="The equation of scenario 3 does not hold, and nothing needs it",
    severity=Severity.TEXT,
    needs="One replica; a disable with retain after a segment was copied.",
    claims=("remote_log_ends_one_past_the_local_start",),
    passages=(
        Passage(
            EARLY,
            "Re-enabling Tiered Storage",
            "Scenario 3: Re-enabling after tiered storage is disabled with "
            "`remote.log.disable.policy=retain` and there is data in remote storage. When tiered "
            "storage was disabled, the remote log end offset (R_y) = local log start offset "
            "(L_x) + 1.",
        ),
    ),
    permitted_by="UnifiedLog#deletableSegments, which keeps copied segments as long as it likes",
    assumptions=("D15", "A5"),
    story=Story(
        "32c0d9",
        (
            ("start", _ONE_REPLICA),
            ("1-2", "An operator disables tiered storage with retain; the leader learns of it."),
            ("3-10", "Before its settings change, the leader copies offset 0."),
            ("11-12", "Local retention moves the local log start to 1."),
            ("13-14", "The leader applies the disable, and stops copying."),
            ("15-17", "The leader executes the request, and answers."),
            ("18-19", "The controller hears the answer, and writes DISABLED."),
            (
                "end",
                "R_y, where the remote log ends, is 1, and L_x is 1: not one apart. The log is "
                "whole. Had local retention kept offset 0, R_y would be 1 and L_x 0.",
            ),
        ),
    ),
    turning=19,
    fix="The sentence asks for what continuity needs: R_y >= L_x, the remote log ends no earlier "
    "than the local log starts.",
    unrepaired=(
        "the protocol is right and the sentence is not. The variant "
        "`repair_scenario_3_asks_for_continuity` makes the claim that the sentence should make."
    ),
    scope="smoke",
)
