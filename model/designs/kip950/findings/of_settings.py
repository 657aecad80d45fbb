"""Findings on the settings of a topic: when they change, and which changes are accepted."""

from tierproof.model.designs.kip950.findings.beginnings import LITTLE_IS_LOCAL, ONE_REPLICA
from tierproof.model.language import Finding
from tierproof.model.language.findings import Passage, Severity, Story

SETTINGS_FIRST = Finding(
    name="settings_before_log_start",
    title="While a leader applies a disable, a fetch at the earliest offset can fail once",
    severity=Severity.TEXT,
    symptom=(
        "For a moment a fetch below the leader's local log start gets OFFSET_OUT_OF_RANGE while "
        "the earliest offset is still below: a client that resets to the earliest offset may fail "
        "once more. The next statement of the same thread raises the log start. The disable gives "
        "up these records anyhow. The KIP says that the log start is advanced before the remote "
        "segments are deleted; it does not say that the settings change before both."
    ),
    needs=(
        "One replica is enough. A disable with delete, records that are only in the remote tier, "
        "and a fetch or ListOffsets between two statements of one thread: usually less than a "
        "millisecond. No crash, no fault. Kafka 3.9 to 4.4."
    ),
    claims=("committed_records_stay_readable", "no_unreadable_prefix_without_remote"),
    passages=(
        Passage(
            "KIP-950",
            "RemoteLogManager Change",
            "If the disablement policy is delete, we will first advance the log start offset and "
            "we will let tasks scheduled for the topic-partitions in the "
            "RemoteDataExpirationThreadPool to successfully delete all remote segments before the "
            "log start offset and then unregister themselves.",
        ),
    ),
    permitted_by=(
        "TopicConfigHandler#updateLogConfig, which gives the log its settings before "
        "TopicConfigHandler#maybeUpdateRemoteLogComponents raises the log start"
    ),
    story=Story(
        "65016c",
        (
            ("start", ONE_REPLICA + LITTLE_IS_LOCAL),
            ("1-8", "The leader copies offset 0 as id 0."),
            (
                "9",
                "The leader learns that offset 0 is in the remote tier, here from a run of its "
                "expiration task, which deletes nothing.",
            ),
            (
                "10",
                "Local retention raises the local log start to 1 and removes the segment of "
                "offset 0 next (the model counts it as gone). The log start is still 0.",
            ),
            ("11", "An operator disables remote storage with delete."),
            ("12", "The leader's metadata publisher reads the change."),
            ("13", "The leader gives the log its new settings: the log is not tiered any more."),
            (
                "end",
                "The log start is 0 and the local log begins at 1. A fetch of offset 0 is answered "
                "with OFFSET_OUT_OF_RANGE, as the log is not tiered.",
            ),
            ("beyond", "The next statement of the same thread raises the log start to 1."),
        ),
    ),
    turning=13,
    late=(
        "controller_alters_config",
        "broker_applies_leadership",
        "broker_updates_log_config",
    ),
    fix=(
        "For a disable, the leader's log start is raised and the settings of its log are changed "
        "under the log's lock, once LogManager#updateTopicConfig has validated the settings. "
        "UnifiedLog needs one method that does both, the log start first, as readers do not take "
        "the lock. (To raise the log start before the settings are changed is not enough: local "
        "retention may raise the local log start in between.) To leave it as it is would be fair, "
        "too, as a reset succeeds a moment later, with a sentence in the KIP."
    ),
    costs=("The lock of each log of the topic, once for each disable."),
    repair="repair_raise_log_start_first",
    shows="disable_deletes_everything",
    scope="alone_again",
)

READ_ONLY_AFTER_DISABLE = Finding(
    name="disabled_to_read_only",
    title=(
        "The controller accepts read-only tiering of a disabled topic, a transition that the KIP "
        "does not name"
    ),
    severity=Severity.TEXT,
    symptom=(
        "The controller accepts the change from remote.storage.enable=false to read-only "
        "(remote.storage.enable=true, remote.log.copy.disable=true). The topic counts as tiered, "
        "with an empty remote log and nothing copied, until the operator enables copying. The KIP "
        "says that DISABLED leads to ENABLED, but also calls both settings DISABLED: by that "
        "reading this is no transition. We ask the authors for a sentence."
    ),
    needs=(
        "One replica is enough, and two changes of the settings. No crash, no fault. Kafka 3.9 "
        "to 4.4."
    ),
    claims=("TieringState_lifecycle",),
    passages=(
        Passage(
            "KIP-950",
            "State Transitions",
            "The possible state transition from DISABLED state is to the ENABLED.",
        ),
        Passage(
            "KIP-950",
            "State Transitions",
            "If the topic was disabled with the remote.log.copy.disable=true option, there will "
            "be tasks scheduled for the topic-partitions only for expiration of remote logs but "
            "not for copying logs to remote storage.",
        ),
    ),
    permitted_by=(
        "LogConfig#validateTopicLogConfigValues, which asks for the old settings only where the "
        "new ones switch remote storage off"
    ),
    assumptions=("A4",),
    story=Story(
        "97ebcc",
        (
            ("start", ONE_REPLICA),
            ("1", "An operator disables remote storage with delete."),
            ("2-3", "The leader gives the log its new settings."),
            ("4-5", "The leader stops its tasks; there is nothing to delete."),
            (
                "6",
                "The operator sets remote.storage.enable=true and remote.log.copy.disable=true in "
                "one request, with local.retention.bytes=-2 as the validation asks.",
            ),
            (
                "end",
                "The controller has accepted the change: the topic is tiered and read-only, and "
                "its remote log is empty.",
            ),
        ),
    ),
    turning=6,
    fix=(
        "We suggest that the KIP names the transition: a new topic may be created with both "
        "settings as well, and it is a way to have a disabled topic's leftover segments deleted "
        '(our report "One failed delete leaves objects of a disabled topic in the remote store, '
        'and nothing tries again"). Or LogConfig#validateTopicLogConfigValues refuses '
        "remote.log.copy.disable=true in a change that switches remote.storage.enable from false "
        "to true; the model was tried with this."
    ),
    costs=(
        "The sentence in the KIP costs nothing. The refusal costs an operator a second request."
    ),
    repair="repair_reject_read_only_after_disable",
    shows="topic_is_tiered_again",
    scope="alone_again",
)
