"""What the early texts permit that they should not: how controllers come and go."""

from tierproof.model.designs.kip950_early.findings import EARLY, NEVER_SHIPPED
from tierproof.model.language import Finding
from tierproof.model.language.findings import Passage, Severity, Story

_ZNODES = "Disablement - Zookeeper Based Cluster"

TORN_WRITE = Finding(
    name="settings_without_a_tiered_state",
    title=(
        "A controller failover between two ZNode writes leaves tiering switched off but the "
        "tiered state ENABLED"
    ),
    severity=Severity.STALL,
    symptom=(
        "A disable is never completed. Brokers disable for the settings, while the tiered state "
        "says ENABLED: no controller sends a request, a deletion that fails is not retried, the "
        "tiered epoch is not raised, and the operator never reads DISABLED. It stays so until the "
        "operator disables the topic again. No record is lost."
    ),
    needs=(
        f"{NEVER_SHIPPED} ZooKeeper only. One replica or more. A controller that dies between the "
        "writes of two ZNodes, or learns there that another is elected: milliseconds."
    ),
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
    permitted_by=("the draft's steps, which write two ZNodes and name no transaction"),
    assumptions=("D7", "D8"),
    story=Story(
        "df222c",
        (
            (
                "start",
                "Controller 0 is active. The topic is tiered and has one replica, on broker 0.",
            ),
            ("1-2", "Controller 1 is elected and takes over. The topic is ENABLED."),
            (
                "3",
                "An operator disables tiered storage with retain. Controller 0, the old "
                "controller, does not know of its successor, and writes the config ZNode.",
            ),
            (
                "4",
                "The old controller learns that it is not active any more, before it has written "
                "the tiered state, and drops the disable.",
            ),
            ("5-6", "The watch of broker 0 reads the settings: the leader stops copying."),
            (
                "end",
                "The config ZNode says disabled, and the topics ZNode says ENABLED. Controller 1 "
                "has nothing in its queue, and the tiered epoch is that of before.",
            ),
            (
                "beyond",
                "A controller that dies after the first write leaves the same behind: its "
                "successor rebuilds its queue from topics in DISABLING, and finds none.",
            ),
        ),
    ),
    turning=4,
    fix=(
        "A controller that takes over, and the active one from time to time, compares settings "
        "and tiered state of each topic, and writes the tiered state that is missing. The model "
        "was tried with this; it does not help if the settings are changed again before they are "
        "compared. Sounder, and tried in the model, too: both ZNodes, and the notification of the "
        "settings' change, are written in one ZooKeeper transaction that checks the controller "
        "epoch, as KafkaZkClient#setTopicPartitionStatesRaw checks it for each partition. In "
        "Kafka 3.9 any broker writes the config ZNode (KafkaZkClient#setOrCreateEntityConfigs)."
    ),
    costs=(
        "One read of two ZNodes for each tiered topic when a controller is elected, and again from "
        "time to time. The transaction reads nothing more. A broker can send it as well, but has "
        "no controller epoch to check; the controller then has to watch the tiered state."
    ),
    repair="repair_controller_compares",
    searched="a controller that compares",
    stands_alone=True,
    proposal="proposal_one_transaction_for_both_znodes",
    scope="default",
)

ZOMBIE_CONTROLLER = Finding(
    name="zombie_controller_disables",
    title=(
        "DisableRemoteTopic has no controller epoch: brokers execute it for a controller that is "
        "no longer active"
    ),
    severity=Severity.TEXT,
    symptom=(
        "A broker executes a request of a controller that is no longer active. In these steps "
        "nothing follows from it, as the active controller asks for the same disable. Without a "
        "tiered epoch in the request, one that arrives after a re-enable can delete the remote "
        "log, whichever controller has sent it."
    ),
    needs=(
        f"{NEVER_SHIPPED} ZooKeeper only. One replica or more. An election of a controller while a "
        "request of the old one is on its way: milliseconds. It is longer if the old controller "
        "does not hear of the election and sends on."
    ),
    claims=("request_comes_from_the_active_controller",),
    passages=(
        Passage(
            EARLY,
            "Failure Modes",
            "Additionally, the controller will initiate a new request for `DisableRemoteTopic` "
            "to all brokers.",
        ),
    ),
    permitted_by=(
        "the draft's schema of DisableRemoteTopic, which has no controller epoch: a broker cannot "
        "tell an old controller from the active one"
    ),
    assumptions=("D4",),
    story=Story(
        "551bef",
        (
            (
                "start",
                "Controller 0 is active. The topic is tiered and has one replica, on broker 0.",
            ),
            (
                "1",
                "An operator disables tiered storage with retain: controller 0 writes the config "
                "ZNode.",
            ),
            ("2-3", "The watch of broker 0 reads the settings, and the leader stops copying."),
            (
                "4-5",
                "Controller 0 writes DISABLING and the next tiered epoch, and the watch of broker "
                "0 reads them.",
            ),
            ("6", "Controller 0 sends the request to broker 0."),
            ("7", "Controller 1 is elected."),
            ("8", "Broker 0, the leader, begins to execute the request of controller 0."),
            (
                "end",
                "A broker executes a request of a controller that is not active.",
            ),
            (
                "beyond",
                "Controller 1 finds the topic in DISABLING, and asks for the same.",
            ),
        ),
    ),
    turning=8,
    fix=(
        "DisableRemoteTopic has the controller epoch, as LeaderAndIsr and StopReplica have. The "
        "model was tried with a broker that compares it with ZooKeeper's in the moment in which it "
        "begins to execute the request. To compare it with the highest epoch that the broker has "
        "seen, as brokers do for the other two, is enough only once the new controller has sent "
        "something. A new controller sends UpdateMetadata to all brokers when it takes over, so "
        "that it is enough in practice to compare with the highest epoch that the broker has seen."
    ),
    costs=(
        "One field in a request that the draft introduces anyhow, and one read of ZooKeeper for "
        "each request; the weaker comparison reads nothing."
    ),
    repair="repair_refuse_old_controllers",
    searched="a broker that always knows the active controller",
    scope="default",
    late=("cluster_elects_controller",),
)
