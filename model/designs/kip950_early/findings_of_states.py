"""What the early texts permit that they should not: states of a topic that say what is not so."""

from tierproof.model.designs.kip950_early.findings import (
    EARLY,
    NEVER_SHIPPED,
    ONE_REPLICA,
    RETRIES,
)
from tierproof.model.language import Finding
from tierproof.model.language.findings import Passage, Severity, Story

REMOVED = Finding(
    name="removed_broker_is_awaited",
    title=("A broker that is unregistered amid a disable keeps the topic in DISABLING for good"),
    severity=Severity.STALL,
    symptom=(
        "The topic can neither be enabled nor disabled any more: it stays DISABLING, and each "
        "such request is refused, unless a broker with the removed id comes back. The controller "
        "waits for an answer of a broker that was unregistered. Reads and writes go on as after "
        "a disable."
    ),
    needs=(
        f"{NEVER_SHIPPED} Two replicas. A broker that is shut down and unregistered while the "
        "topic is DISABLING: as long as the slowest broker takes to answer, deletions included."
    ),
    claims=("disabling_ends",),
    passages=(
        RETRIES,
        Passage(
            EARLY,
            "State Transitions",
            "While the topic is in the `DISABLING` state, new alter config API calls to disable "
            "tiered storage will be rejected.",
        ),
    ),
    permitted_by=(
        "the draft, in which only an answer takes a broker off the controller's queue, and which "
        "does not say what becomes of a broker that is unregistered"
    ),
    assumptions=("D10",),
    story=Story(
        "6ae79b",
        (
            ("start", "The topic has two replicas: broker 0 leads, broker 1 follows."),
            ("1", "An operator disables tiered storage with retain: the topic is DISABLING."),
            ("2", "The controller sends DisableRemoteTopic to the leader."),
            ("3-5", "The leader reads the disable and stops copying."),
            ("6-8", "The leader executes the request and answers; the controller receives it."),
            ("9", "The operator removes broker 1, to which no request was sent yet."),
            ("10", "The controller sends the request to broker 1, and waits for the answer."),
            (
                "end",
                "Broker 1 is gone and is not going to answer. The topic is DISABLING, and no step "
                "is left that changes it.",
            ),
        ),
    ),
    turning=9,
    fix=(
        "The controller takes a broker off its queue when it handles the UnregisterBrokerRecord. "
        "A broker that registers again reads the topic's settings before it starts remote log "
        "tasks, as it does today."
    ),
    costs="One look at the queue for each broker that is unregistered.",
    repair="repair_removed_brokers_are_not_awaited",
    scope="removal",
)

POLICY = Finding(
    name="policy_changes_alone",
    title=(
        "A change of the policy alone leaves a topic DISABLED with delete while its remote log "
        "is still read"
    ),
    severity=Severity.TEXT,
    symptom=(
        "The topic is DISABLED with delete, which in the draft means that its remote data is "
        "marked for deletion and cannot be read, but it can be read until the leader has applied "
        "the new policy. Nothing tells the operator when the deletion is over."
    ),
    needs=(
        f"{NEVER_SHIPPED} One replica or more. A disable with retain, and a change of "
        "remote.log.disable.policy to delete before the topic is enabled again. No crash, no fault."
    ),
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
    permitted_by=(
        "the draft, which makes remote.log.disable.policy a topic setting and does not say in "
        "which states of the topic an operator may alter it"
    ),
    assumptions=("D3",),
    story=Story(
        "70d8ec",
        (
            ("start", ONE_REPLICA),
            ("1-2", "An operator disables tiered storage with retain; the leader reads of it."),
            ("3-11", "Before its settings change, the leader copies offset 0 as id 0."),
            ("12", "Local retention raises the local log start to 1: offset 0 is only remote."),
            (
                "13-14",
                "The leader applies the disable: it stops copying, and retains the remote log.",
            ),
            ("15-17", "The leader executes DisableRemoteTopic by the policy retain, and answers."),
            ("18-19", "The controller receives the answer and writes DISABLED."),
            (
                "20",
                "The operator sets the policy to delete. The tiered state and the tiered epoch "
                "stay as they are, and no request is sent.",
            ),
            (
                "end",
                "The topic is DISABLED with delete. The object of id 0 is in the store, and the "
                "leader serves offset 0 from it.",
            ),
            (
                "beyond",
                "The deletion begins when the leader reads the new policy. No state and no answer "
                "says when it is over.",
            ),
        ),
    ),
    turning=20,
    fix=(
        "The draft says that remote.log.disable.policy may change only together with "
        "remote.storage.enable=false, and the controller refuses it otherwise. Question to the "
        "authors: was a change of the policy in DISABLED meant to be a disable of its own?"
    ),
    costs=(
        "An operator who has retained the remote log, and wants to delete it later, enables the "
        "topic first and disables it again."
    ),
    repair="repair_policy_is_bound",
    scope="policy",
)

EQUATION = Finding(
    name="equation_of_scenario_3",
    title="The equation of scenario 3 is wrong, and nothing needs it",
    severity=Severity.TEXT,
    symptom=(
        "Every offset is readable. Only an implementation that checked the equation would do "
        "harm, as it would refuse to enable a topic that is in order."
    ),
    needs=(
        f"{NEVER_SHIPPED} One replica or more. A disable with retain after a segment was copied. "
        "No crash, no fault."
    ),
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
    permitted_by=(
        "UnifiedLog#deletableSegments, which keeps a copied segment until local retention is "
        "reached: how far the local and the remote part overlap is open"
    ),
    assumptions=("D15", "A5"),
    story=Story(
        "32c0d9",
        (
            ("start", ONE_REPLICA),
            ("1-2", "An operator disables tiered storage with retain; the leader reads of it."),
            ("3-10", "Before its settings change, the leader copies offset 0 as id 0."),
            ("11-12", "Local retention raises the local log start to 1."),
            ("13-14", "The leader applies the disable, and stops copying."),
            ("15-17", "The leader executes DisableRemoteTopic and answers."),
            ("18-19", "The controller receives the answer and writes DISABLED."),
            (
                "end",
                "R_y, where the remote log ends, is 1, and L_x, the local log start, is 1. They "
                "are equal, and the equation asks for L_x + 1. Offset 0 is remote, offset 1 is "
                "local: no offset is missing.",
            ),
            (
                "beyond",
                "If local retention had kept offset 0, R_y would be 1 and L_x 0, and the equation "
                "would hold by chance.",
            ),
        ),
    ),
    turning=19,
    fix=(
        "In scenario 3, write R_y >= L_x in place of R_y = L_x + 1: the remote log ends no "
        "earlier than the local log starts, unless DeleteRecords has moved the log start past R_y "
        "(not modelled here)."
    ),
    unrepaired=(
        "the protocol is right and the sentence is not. With R_y >= L_x in its place no "
        "interleaving contradicts the sentence."
    ),
    scope="smoke",
)

ELECTED_BETWEEN = Finding(
    name="second_stop_begins_the_deletion",
    title="A broker that is elected between its two stops deletes the remote log at the second",
    severity=Severity.TEXT,
    symptom=(
        "No harm, and a trap for whoever implements it: a broker runs stopPartitions twice, for "
        "the watch and for DisableRemoteTopic, and the second run must not be skipped as a "
        "repetition. A broker that was a follower in the first run and leads in the second has "
        "only then the remote log to delete."
    ),
    needs=(
        f"{NEVER_SHIPPED} ZooKeeper only. Two replicas, a disable with delete, and an election "
        "of which the new leader hears between the watch and the request. No crash, no fault."
    ),
    claims=("disabling_twice_is_disabling_once",),
    passages=(
        Passage(
            EARLY,
            "Disablement - Zookeeper Based Cluster",
            "Upon detecting that the tiered storage configuration for a topic is disabled, the "
            "broker invokes the `RemoteLogManager#stopPartitions()` method.",
        ),
        Passage(
            EARLY,
            "Disablement - Zookeeper Based Cluster",
            "It sends an API call, called `DisableRemoteTopic`, to each broker with a callback to "
            "disable the remote topic.",
        ),
    ),
    permitted_by=(
        "the draft, in which the watch and the request lead to the same method, and which does "
        "not say what the second run does"
    ),
    story=Story(
        "4eb06b",
        (
            ("start", "The topic has two replicas: broker 0 leads, broker 1 follows."),
            ("1", "An operator disables tiered storage with delete."),
            ("2-5", "Broker 0, which has not read it, begins to copy offset 0 as id 0."),
            ("6", "The controller elects broker 1."),
            (
                "7-11",
                "The watch tells broker 1 of the disable before it hears of the election. As a "
                "follower it runs stopPartitions and deletes nothing. The tiered epoch is 1.",
            ),
            ("12-13", "The controller sends DisableRemoteTopic to broker 1, which begins again."),
            ("14", "Broker 1 hears that it leads."),
            ("15-16", "Broker 1 reads the remote metadata: a copy of id 0 has begun."),
            ("17", "The second run of stopPartitions begins to delete id 0."),
            (
                "end",
                "Broker 1, the leader, deletes what is remote, as the disable asks. If it had "
                "skipped the second run, nobody would.",
            ),
        ),
    ),
    turning=14,
    fix=(
        "The draft says that stopPartitions runs for the watch and for the request, and that a "
        "broker which has become the leader in between deletes the remote log in the second run."
    ),
    unrepaired=(
        "the second run does what the disable asks for. Only the sentence is missing which says "
        "that it is needed."
    ),
    scope="leaders",
)
