"""What happens during a rolling upgrade, while one broker is of a version without KIP-950."""

from tierproof.model.designs.kip950.findings.beginnings import LITTLE_IS_LOCAL, ONE_REPLICA
from tierproof.model.language import Finding
from tierproof.model.language.findings import Passage, Severity, Story

OLDER_BROKER_IGNORES = Finding(
    name="older_broker_ignores_the_disable",
    title=(
        "A leader of Kafka 3.6 to 3.8 applies half of a disable: earliest offset unreadable, "
        "objects stay in the store"
    ),
    severity=Severity.UNAVAILABLE,
    symptom=(
        "A consumer that resets to the earliest offset gets no record: the leader names an offset "
        "that is only in the remote tier, and answers the fetch of that offset with "
        "OFFSET_OUT_OF_RANGE. A new replica gets the same answer and does not get in sync. The "
        "disable may give up the records that are only in the remote tier, but then the earliest "
        "offset should be the first local one. The older leader no longer reads from the remote "
        "tier, but raises no log start, goes on copying, and deletes no object because of the "
        "disable; the operator gets no error. Fetches below the first local offset fail until "
        "remote storage is enabled again, retention.ms or retention.bytes deletes a local segment "
        "of the leader, or a replica leads that has restarted since."
    ),
    needs=(
        "One replica is enough. KRaft; the active controller is of 3.9 or later and the leader of "
        "Kafka 3.6 to 3.8, as in a rolling upgrade that begins with the controllers. One change of "
        "the settings, remote.storage.enable=false,remote.log.delete.on.disable=true. (With "
        "remote.log.copy.disable=true instead, reads work, and the leader goes on copying.) "
        "Records that are only in the remote tier. No crash, no fault, no race."
    ),
    claims=(
        "records_become_readable",
        "committed_records_stay_readable",
        "no_unreadable_prefix_without_remote",
        "every_replica_can_take_over_without_remote",
        "disabled_topic_copies_nothing_new",
        "disabled_topic_has_no_tasks",
        "disabled_topic_leaves_no_objects",
        "disabled_topic_is_emptied",
        "expired_objects_are_deleted",
        "expired_local_segments_are_removed",
        "read_only_topic_copies_nothing_new",
        "read_only_topic_has_no_copy_task",
    ),
    passages=(
        Passage(
            "KIP-950",
            "Compatibility, Deprecation, and Migration Plan",
            "This feature will be compatible with all Kafka versions that support Tiered Storage.",
        ),
        Passage(
            "KIP-950",
            "RemoteLogManager Change",
            "During a Kafka version upgrade some of the brokers might be using the new two split "
            "thread pools while older brokers will use the original single one. We do not foresee "
            "this to cause problems.",
        ),
    ),
    permitted_by=(
        "In the branches 3.6, 3.7 and 3.8, maybeBootstrapRemoteLogComponents of TopicConfigHandler "
        "logs a warning that disabling is not supported, and does nothing else; fromProps of "
        "LogConfig ignores the names that it does not know. In 3.9, validate of "
        "ControllerConfigurationValidator looks at neither metadata.version nor the registered "
        "brokers. The second passage speaks of thread pools only; nothing is said of brokers that "
        "do not know the disable"
    ),
    assumptions=("A7",),
    story=Story(
        "7e1752",
        (
            (
                "start",
                ONE_REPLICA + " Broker 0 is of Kafka 3.8, the controller of 3.9." + LITTLE_IS_LOCAL,
            ),
            ("1-9", "Broker 0, the leader, copies offset 0 as a remote segment (id 0)."),
            (
                "10",
                "Local retention raises the local log start to 1; the log start is still 0.",
            ),
            ("11", "An operator disables remote storage with delete. The controller accepts."),
            (
                "12-13",
                "The leader reads the change and gives the log the settings that it knows: the "
                "log is not tiered any more. It logs a warning, raises no log start, cancels no "
                "task and deletes no object.",
            ),
            (
                "14-16",
                "The leader's remote log task runs as before. Nothing has reached retention.ms or "
                "retention.bytes, so that it leaves the log start at 0.",
            ),
            (
                "end",
                "The log start is 0, the log is not tiered, and its local log begins at 1: a fetch "
                "of offset 0 is answered with OFFSET_OUT_OF_RANGE. The object of id 0 is in the "
                "store, and the leader's remote log tasks are scheduled.",
            ),
            (
                "beyond",
                "A reset to the earliest offset leads back to offset 0. The task goes on to copy "
                "the segments that roll later, and to delete objects by retention.ms and "
                "retention.bytes, without raising the log start. Once the broker restarts with "
                "3.9, its log begins at the first local segment and it schedules no remote log "
                "task; no broker deletes the objects that are left.",
            ),
            ("note", "The objects that are left: [a page](new_leader_deletes_nothing.md)."),
        ),
    ),
    turning=13,
    fix=(
        "The KIP should say what its compatibility means for brokers of 3.6 to 3.8, and, in the "
        "next sentence, that Kafka has it for KRaft alone. "
        "ControllerConfigurationValidator should refuse remote.log.copy.disable=true, and to "
        "switch remote.storage.enable off, with InvalidConfigurationException as long as "
        "metadata.version is below 3.9-IV0. Once that version is finalized no older broker can "
        "register. The validator has to be given metadata.version, which it does not know today. "
        "The upgrade notes should say to disable tiering only after the upgrade of every broker. "
        "An operator who is caught by it sets remote.storage.enable=true again, so that reads work "
        "at once, and disables after the upgrade. But if since the disable a replica has "
        "restarted, its log start has risen to its first local offset, and what is below is lost "
        "once it leads; and if a leader of 3.9 or later has applied the disable, it has deleted "
        "copies that still count. Then a re-enable loses records. To restart the "
        "leader is no way out: another replica then leads whose log start is as low, and the "
        "objects have to be deleted by hand."
    ),
    costs=(
        "Tiering is disabled only after the upgrade of all brokers and of metadata.version. A "
        "cluster that has upgraded its brokers and keeps an older metadata.version, where a "
        "disable works today, would be refused."
    ),
    repair="repair_refuse_while_brokers_are_older",
    searched="a controller that refuses the change while an older broker is registered",
    shows="disable_deletes_everything",
    scope="upgrade",
    beside=("kafka_3_8_broker",),
)
