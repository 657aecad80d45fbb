"""What the early texts permit that they should not: states of a topic that say what is not so."""

from tierproof.model.designs.kip950_early.findings import (
    COMPLETION,
    EARLY,
    EPOCH,
    NEVER_SHIPPED,
    ONE_REPLICA,
    RETRIES,
)
from tierproof.model.language import Finding
from tierproof.model.language.findings import Passage, Severity, Story

REMOVED = Finding(
    name="removed_broker_is_awaited",
    title="A broker that is unregistered during a disable keeps the topic in DISABLING",
    severity=Severity.STALL,
    symptom=(
        "The topic stays DISABLING: it can neither be enabled nor disabled, until a broker with "
        "the removed id comes back, or another controller is elected and asks only the brokers "
        "that are then registered. The controller waits for an answer of a broker that is "
        "unregistered. Reads and writes go on as after a disable. The deletion of a topic, which "
        "the draft takes as its pattern, waits for a dead broker in the same way "
        "(TopicDeletionManager, ZooKeeper)."
    ),
    needs=(
        f"{NEVER_SHIPPED} Two replicas. A broker that is shut down and unregistered before it has "
        "answered, while the topic is DISABLING: as long as the slowest broker takes, deletions "
        "included."
    ),
    claims=("disabling_ends",),
    passages=(
        COMPLETION,
        RETRIES,
        Passage(
            EARLY,
            "Failure Modes",
            "This behavior mirrors how we currently handle topic deletion.",
        ),
        EPOCH,
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
    assumptions=("D2", "D10"),
    story=Story(
        "6ae79b",
        (
            ("start", "The topic has two replicas: broker 0 leads, broker 1 follows."),
            ("1", "An operator disables tiered storage with retain: the topic is DISABLING."),
            ("2", "The controller sends DisableRemoteTopic to the leader."),
            ("3-5", "The leader reads the disable and stops copying."),
            ("6-8", "The leader executes the request and answers; the controller receives it."),
            (
                "9",
                "The operator shuts broker 1 down for good and unregisters it, before the "
                "controller has sent its request.",
            ),
            ("10", "The controller tries to send the request to broker 1, and awaits the answer."),
            (
                "end",
                "Broker 1 is gone and does not answer. The topic is DISABLING, and nothing is left "
                "that changes it.",
            ),
        ),
    ),
    turning=9,
    fix=(
        "The controller takes a broker off its queue when it handles the UnregisterBrokerRecord. "
        "A broker that registers again reads the topic's settings before it starts remote log "
        "tasks, as it does today."
    ),
    costs=(
        "One look at the queue for each broker that is unregistered. With delete, the broker may "
        "have led and not finished, and the new leader may have answered as a follower; the "
        "controller then writes DISABLED only once the current leader of each partition has "
        "answered as leader, and asks that leader again until then; so an answer says whether the "
        "broker leads. (The search has no election.) A follower forgets the partition when it "
        'stops it: see our report "A disable with delete whose deletion fails is completed all the '
        'same, and remote segments leak".'
    ),
    repair="repair_removed_brokers_are_not_awaited",
    stands_alone=True,
    scope="removal",
)

POLICY = Finding(
    name="policy_changes_alone",
    title=(
        "Changing only remote.log.disable.policy leaves a topic DISABLED with delete, and its "
        "remote log still read"
    ),
    severity=Severity.TEXT,
    symptom=(
        "The draft does not say what a change of remote.log.disable.policy alone does. If it "
        "counts at once, the topic is DISABLED with delete while its remote log is still read, "
        "until the leader has applied the new policy. Nothing tells the operator when the deletion "
        "is over. If it does not count, the topic's settings say delete, and nothing is deleted."
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
            "Client API Changes",
            "The `AlterConfigs` API will also be updated to support an optional tiered storage "
            "disablement policy, `remote.log.disable.policy=retain|delete`.",
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
        "8fc7a8",
        (
            ("start", ONE_REPLICA),
            ("1-9", "The leader copies offset 0 as id 0."),
            ("10", "Local retention raises the local log start to 1: offset 0 is only remote."),
            (
                "11-14",
                "An operator disables tiered storage with retain. The leader reads the disable and "
                "applies it: it stops copying, and retains the remote log.",
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
                "The deletion begins when the leader reads the new policy. No tiered state and no "
                "answer says when it is over.",
            ),
        ),
    ),
    turning=20,
    fix=(
        "The draft says that remote.log.disable.policy cannot change while the topic is DISABLING "
        "or DISABLED (the model was tried with a stricter rule: it changes only together with "
        "remote.storage.enable), and the controller refuses it otherwise."
    ),
    costs=(
        "An operator who has retained the remote log, and wants to delete it later, enables the "
        "topic first and disables it again."
    ),
    repair="repair_policy_is_bound",
    scope="policy",
    late=("controller_alters_config", "broker_applies_leadership"),
)

EQUATION = Finding(
    name="equation_of_scenario_3",
    title="R_y = L_x + 1 in scenario 3 does not hold, and nothing needs it",
    severity=Severity.TEXT,
    symptom=(
        "Every offset is readable: the sentence is wrong, and nothing else is. Probably L_x = R_y "
        "+ 1 was meant, with R_y the last remote offset. That holds in these steps, but not as a "
        "rule, as a segment may be in both tiers. An implementation that takes the sentences "
        "literally would refuse to enable a topic that is in order, or would copy a second time "
        "what lies between L_x and R_y."
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
        Passage(
            EARLY,
            "Re-enabling Tiered Storage",
            "After re-enabling tiered storage, the offset of the newly archived segments will "
            "continue from L_x , based on the local retention settings.",
        ),
    ),
    permitted_by=(
        "UnifiedLog#deletableSegments, which keeps a copied segment until local retention is "
        "reached; RLMCopyTask#copyLogSegmentsToRemote, which goes on after the highest remote "
        "offset and does not look at the local log start"
    ),
    assumptions=("D15",),
    story=Story(
        "99aaa0",
        (
            ("start", ONE_REPLICA),
            ("1-8", "The leader copies offset 0 as id 0."),
            ("9-10", "Local retention raises the local log start to 1."),
            (
                "11-14",
                "An operator disables tiered storage with retain. The leader reads the disable and "
                "stops copying.",
            ),
            ("15-17", "The leader executes DisableRemoteTopic and answers."),
            ("18-19", "The controller receives the answer and writes DISABLED."),
            (
                "end",
                "L_x, the local log start, is 1, so the equation asks for R_y = 2. R_y, one past "
                "the last remote offset, is 1; read as the last remote offset, it is 0. Offset 0 "
                "is remote, offset 1 is local: no offset is missing.",
            ),
            (
                "beyond",
                "If local retention had kept offset 0, L_x would be 0 and R_y 1, and the equation "
                "would hold by chance.",
            ),
        ),
    ),
    turning=19,
    fix=(
        "In scenario 3, write R_y >= L_x, with R_y one past the last remote offset: the remote log "
        "ends no earlier than the local log starts. After the re-enable, new segments continue "
        "from R_y. An exception, not modelled here: DeleteRecords may move the log start past R_y."
    ),
    unrepaired=(
        "the protocol is right and the sentence is not. With R_y >= L_x in its place no order of "
        "steps contradicts the sentence."
    ),
    scope="smoke",
    late=("controller_alters_config", "broker_applies_leadership"),
)

ELECTED_BETWEEN = Finding(
    name="second_stop_begins_the_deletion",
    title=(
        "The draft does not say that a leader elected during a disable with delete must delete "
        "the remote log"
    ),
    severity=Severity.TEXT,
    symptom=(
        "This is a trap for an implementation. A broker runs stopPartitions twice, for the watch "
        "and for DisableRemoteTopic. The second run looks like a repetition, and must not be "
        "skipped: a broker that follows in the first run, and leads in the second, has only then "
        "the remote log to delete."
    ),
    needs=(
        f"{NEVER_SHIPPED} ZooKeeper only. Two replicas, a disable with delete, and an election of "
        "which the new leader hears after its first run, and before the second one deletes. No "
        "crash, no fault."
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
        "e5ee91",
        (
            ("start", "The topic has two replicas: broker 0 leads, broker 1 follows."),
            ("1-4", "Broker 0, the leader, begins to copy offset 0 as id 0."),
            ("5", "An operator disables tiered storage with delete."),
            (
                "6-10",
                "The watch of broker 1, the follower, reads the disable. Broker 1 runs "
                "stopPartitions for the first time. It deletes nothing, as in Kafka only leaders "
                "do; the draft does not say who does. Meanwhile the controller writes DISABLING "
                "and the tiered epoch 1.",
            ),
            (
                "11-12",
                "The controller sends DisableRemoteTopic to broker 1, which begins to run "
                "stopPartitions a second time.",
            ),
            ("13-14", "The controller elects broker 1, and broker 1 hears that it leads."),
            ("15-16", "Broker 1 reads the remote metadata: a copy of id 0 has begun."),
            ("17", "The second run of stopPartitions begins to delete id 0."),
            (
                "end",
                "Broker 1, the leader, deletes what is remote, as the disable asks. If it had "
                "skipped the second run, nobody would, unless broker 0 reads the disable before it "
                "hears that it no longer leads.",
            ),
        ),
    ),
    turning=14,
    fix=(
        "The draft says that stopPartitions runs for the watch and for the request, and that a "
        "broker which has become the leader in between deletes the remote log in the second run. "
        'A broker that remembers what it has stopped, as our report "A DisableRemoteTopic still '
        'running after a re-enable deletes the remote log" proposes, forgets it when it becomes '
        "the leader."
    ),
    unrepaired=(
        "the second run does what the disable asks for. Only the sentence is missing which says "
        "that it is needed."
    ),
    scope="leaders",
    late=("controller_writes_config", "controller_elects_leader"),
)
