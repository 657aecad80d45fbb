"""Findings that cost something, or are a matter of the text."""

from tierproof.model.designs.kip950.findings.beginnings import ONE_REPLICA, STOP, TWO_REPLICAS
from tierproof.model.language import Finding
from tierproof.model.language.findings import Passage, Severity, Story

NEW_LEADER_KEEPS = Finding(
    name="let_go_and_kept",
    title="A new leader keeps records that the disable has given up, and its log start lags",
    severity=Severity.COST,
    needs="Two replicas; a disable with delete, and an election before the follower's next fetch.",
    claims=("expired_local_segments_are_removed",),
    passages=(STOP,),
    permitted_by=(
        "TopicConfigHandler#maybeUpdateRemoteLogComponents, which raises the log start of the "
        "leader alone; followers learn of it with their next fetch"
    ),
    assumptions=("A6",),
    story=Story(
        "fd1fca",
        (
            ("start", TWO_REPLICAS + " Local retention keeps one record."),
            ("1-9", "The leader copies offset 0."),
            ("10-11", "Local retention removes the leader's segment of offset 0."),
            ("12-14", "An operator disables remote storage with delete. Both brokers have it."),
            ("15", "The leader applies the disable and raises its log start to 1."),
            ("16-20", "A last run of its expiration task deletes the object below the log start."),
            ("21-23", "The run publishes DELETE_SEGMENT_FINISHED and ends."),
            ("24", "The follower applies the disable. It has offset 0 locally, and log start 0."),
            ("25-28", "Both stop their tasks. The follower has not fetched since."),
            ("29-31", "The follower is elected and leads."),
            (
                "end",
                "The new leader serves offset 0 and keeps it until retention.ms or retention.bytes "
                "end it; the old leader's log starts at 1. An earliest offset that a consumer was "
                "given moves back from 1 to 0.",
            ),
        ),
    ),
    turning=29,
    fix=(
        "The log start of a disable takes effect at all replicas in sync before the leader's: with "
        "the record of the partition, or before the leader answers fetches by it."
    ),
    costs="A request to the controller, or a round of fetches, for each disable.",
    repair="repair_raise_log_start_at_all_in_sync_replicas",
    shows="disable_deletes_everything",
    scope="voted",
)

SETTINGS_FIRST = Finding(
    name="settings_before_log_start",
    title="Between the new settings and the new log start a fetch finds nothing",
    severity=Severity.TEXT,
    needs="One replica; a disable with delete, and a fetch in the moment between two steps of it.",
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
        "#maybeUpdateRemoteLogComponents raises the log start"
    ),
    story=Story(
        "f3442e",
        (
            ("start", ONE_REPLICA + " Local retention keeps one record."),
            ("1", "An operator disables remote storage with delete."),
            ("2", "The leader's metadata publisher has the change in hand."),
            ("3-5", "The copy task chooses offset 0."),
            ("6-11", "It copies the segment, and the leader knows that it is in the remote tier."),
            ("12", "Local retention moves the local log start to 1; the log start is still 0."),
            ("13", "The leader gives the log its new settings: the log is not tiered any more."),
            (
                "end",
                "A fetch of offset 0 is answered with OFFSET_OUT_OF_RANGE, and the earliest offset "
                "is still 0. The next step of the same thread raises the log start to 1. Nothing "
                "is lost that the disable does not give up.",
            ),
        ),
    ),
    turning=13,
    fix="updateLogConfig raises the log start before the settings change, under the log's lock.",
    costs="None to speak of.",
    repair="repair_raise_log_start_first",
    shows="disable_deletes_everything",
    scope="alone_again",
)

READ_ONLY_AFTER_DISABLE = Finding(
    name="disabled_to_read_only",
    title="The controller accepts read-only tiering of a disabled topic, which the KIP excludes",
    severity=Severity.TEXT,
    needs="Two config changes. Seen on a broker of 4.4.0.",
    claims=("TieringState_lifecycle",),
    passages=(
        Passage(
            "KIP-950",
            "State Transitions",
            "The possible state transition from DISABLED state is to the ENABLED.",
        ),
    ),
    permitted_by="LogConfig#validateTopicLogConfigValues, which looks at the new settings alone",
    assumptions=("A4",),
    story=Story(
        "97ebcc",
        (
            ("start", ONE_REPLICA),
            ("1", "An operator disables remote storage with delete."),
            ("2-3", "The leader gives the log its new settings."),
            ("4-5", "The leader stops its tasks; there is nothing to delete."),
            ("6", "The operator enables remote storage, and disables copying in the same request."),
            (
                "end",
                "The controller accepts a topic that is tiered, empty in the remote tier and never "
                "to be filled. No record is lost.",
            ),
        ),
    ),
    turning=6,
    fix="The controller refuses the change, or the KIP names it among the transitions.",
    costs="One more refused request.",
    repair="repair_reject_read_only_after_disable",
    shows="topic_is_tiered_again",
    scope="alone_again",
)
