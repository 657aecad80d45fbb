"""Findings that cost something, or are a matter of the text."""

from tierproof.model.designs.kip950.findings.beginnings import (
    LITTLE_IS_LOCAL,
    ONE_REPLICA,
    STOP,
    TWO_REPLICAS,
)
from tierproof.model.language import Finding
from tierproof.model.language.findings import Passage, Severity, Story

NEW_LEADER_KEEPS = Finding(
    name="new_leader_keeps_deleted_records",
    title="An election after a disable brings back records that the disable has given up",
    severity=Severity.COST,
    symptom=(
        "Records that a disable with delete has given up are readable again: after an election "
        "the log start moves back to where it was before the disable. The new leader has not "
        "fetched the old leader's new log start, and still has such records locally. They take "
        "disk space until retention.ms or retention.bytes deletes them, for good where retention "
        "is unlimited. No record is lost."
    ),
    needs=(
        "Two replicas, of which the follower has more local segments than the leader. A disable "
        "with delete, and an election before the follower's next fetch brings the leader's new "
        "log start. The leader answers the fetch of a follower that has caught up within "
        "replica.fetch.wait.max.ms, half a second by default. No crash, no fault. Kafka 3.9 to "
        "4.4."
    ),
    claims=("expired_local_segments_are_removed",),
    passages=(STOP,),
    permitted_by=(
        "TopicConfigHandler#maybeUpdateRemoteLogComponents, which raises the log start of leaders "
        "alone; a follower takes the new log start from the answer to its next fetch"
    ),
    assumptions=("A6",),
    story=Story(
        "fd1fca",
        (
            ("start", TWO_REPLICAS + LITTLE_IS_LOCAL),
            ("1-9", "Broker 0, the leader, copies offset 0 as id 0."),
            (
                "10-11",
                "Local retention deletes the leader's segment of offset 0. Broker 1, the follower, "
                "keeps offset 0: broker 1 has not read the metadata of id 0, and local retention "
                "deletes only what a broker knows to be copied.",
            ),
            (
                "12-14",
                "An operator disables remote storage with delete. Both brokers read the change.",
            ),
            ("15", "The leader applies the disable and raises its log start to 1."),
            (
                "16-20",
                "A last run of the leader's expiration task deletes the object of id 0. That is "
                "incidental: otherwise stopPartitions would delete the object in step 26.",
            ),
            ("21-23", "The run publishes DELETE_SEGMENT_FINISHED of id 0 and ends."),
            (
                "24",
                "The follower applies the disable. The follower has offset 0 locally, and log "
                "start 0.",
            ),
            ("25-28", "Both brokers stop their tasks. The follower has not fetched since step 15."),
            ("29-31", "The controller elects broker 1. Both brokers learn of the election."),
            (
                "end",
                "The new leader has offset 0 locally and log start 0; the log start of the old "
                "leader is 1. Nothing but retention.ms or retention.bytes raises the new leader's "
                "log start, and neither has been reached.",
            ),
            (
                "beyond",
                "Where local retention has deleted segments of the follower, too, which is the "
                "ordinary case, the new leader's log start is below its first record, and the "
                'offsets between the two exist nowhere: see "After a disable, an in-sync '
                "follower with fewer local segments is elected, and the records that it lacks "
                'are lost".',
            ),
        ),
    ),
    turning=15,
    fix=(
        "For some disk space a sentence in the KIP may do: a leader that is elected before it "
        "has fetched the log start of a disable may keep records below it. The model was tried "
        "with more: the log start of a disable becomes that of all in-sync replicas at once, and "
        "of a replica that gets in sync later. Kafka has no record that says so; "
        "PartitionChangeRecord would need a field for the log start, which the leader asks the "
        "controller to raise. To wait as DeleteRecords does, for the low watermark, does not "
        "help: a leader that is elected during the wait has the old log start."
    ),
    costs=(
        "The sentence costs nothing. The record: a new version of PartitionChangeRecord and of "
        "the leader's request, so a new metadata.version; one request for each disabled "
        "partition."
    ),
    repair="repair_raise_log_start_at_all_in_sync_replicas",
    shows="disable_deletes_everything",
    scope="voted",
)

CRASH_AMID_A_DELETION = Finding(
    name="crash_amid_a_local_deletion",
    title="A crash amid a local deletion leaves a lower log start after a disable",
    severity=Severity.TEXT,
    symptom=(
        "After the disable the log start is lower than the local log start was before the "
        "crash. The records between the two stay readable, as they were before the disable, "
        "until retention.ms or retention.bytes deletes them."
    ),
    needs=(
        "One replica is enough. A disable with delete, and a crash of the leader after local "
        "retention has raised the local log start and before the segment files are renamed: "
        "milliseconds, longer if the machine loses the renames. Kafka 3.9 to 4.4."
    ),
    claims=("expired_local_segments_are_removed",),
    passages=(STOP,),
    permitted_by=(
        "UnifiedLog#deleteSegments, which raises the local log start in memory and then removes "
        "the files; LogLoader#load and the constructor of UnifiedLog, which begin the local log "
        "at the first file that is there"
    ),
    assumptions=("A6",),
    story=Story(
        "4bcecf",
        (
            ("start", ONE_REPLICA + LITTLE_IS_LOCAL),
            ("1-9", "Broker 0, the leader, copies offset 0 as id 0."),
            (
                "10",
                "Local retention raises the local log start to 1; the file of offset 0 is still "
                "there.",
            ),
            (
                "11",
                "An operator disables remote storage with delete. Offset 0 is below the local log "
                "start, so the disable permits to delete it, though its file is still there.",
            ),
            (
                "12",
                "The leader crashes and leads again, with the new settings. Its local log begins "
                "at the first file, that of offset 0, and its log start is 0.",
            ),
            (
                "13-14",
                "The leader reads the metadata topic to its end and lists id 0 as a segment to "
                'delete. (This is our fix for "After an election or a restart around a disable, '
                'no broker deletes the objects of the disabled topic". In Kafka as it is, a '
                "leader that restarts deletes nothing.)",
            ),
            ("15-22", "The leader deletes the object of id 0 and its metadata."),
            (
                "end",
                "The log start is 0, and offset 0 is in the local log and readable. Nothing but "
                "retention.ms or retention.bytes deletes offset 0.",
            ),
        ),
    ),
    turning=11,
    fix=(
        "None is needed in Kafka: UnifiedLog#maybeIncrementLogStartOffset says in a comment that "
        "a raised log start may be lost by an unclean shutdown. The KIP may say that the log "
        "start after a disable can be lower than the local log start was before a crash. What was "
        "searched is not this sentence but a checkpoint of the local log start, which is written "
        "before files are removed, and the removal of what lies below it when the log is loaded. "
        "We advise against the checkpoint: a truncation below the checkpoint would have to lower "
        "it, or records that belong to the log would be removed. KAFKA-16073 has the order of the "
        "two steps on purpose, as readers need it."
    ),
    costs=(
        "For the sentence none. The checkpoint is one more file in each log directory, written "
        "with each local deletion."
    ),
    repair="repair_write_local_log_start_through",
    searched="the checkpoint that we advise against",
    shows="disable_deletes_everything",
    scope="restart",
)

ELECTED_AMID = Finding(
    name="leader_elected_amid_a_disable_keeps_more",
    title=(
        "The KIP does not say whose local log start counts when a leader is elected amid a disable"
    ),
    severity=Severity.TEXT,
    symptom=(
        "That holds for this defect alone; our other reports on the design tell what the same "
        "steps do in Kafka as it is. If a broker with more local segments is elected after the "
        "controller has accepted a disable, and before that broker has learned the log start "
        "which the old leader takes from its own local log, the log start after the disable is "
        "lower than the old leader's local log start. The records between the two stay readable "
        "until retention deletes them."
    ),
    needs=(
        "Two replicas, of which the follower has more local segments than the leader. An election "
        "after the controller has accepted the disable, before the old leader has applied it or "
        "before the follower has fetched the raised log start: usually well below a second "
        "(replica.fetch.wait.max.ms is 500 ms). No crash, no fault. Kafka 3.9 to 4.4."
    ),
    claims=("expired_local_segments_are_removed",),
    passages=(STOP,),
    permitted_by=(
        "TopicConfigHandler#maybeUpdateRemoteLogComponents, which takes the local log start of the "
        "broker that leads when it applies the change; a follower learns the log start by fetching"
    ),
    assumptions=("A6",),
    story=Story(
        "81d1c9",
        (
            ("start", TWO_REPLICAS + LITTLE_IS_LOCAL),
            ("1-9", "Broker 0, the leader, copies offset 0 as id 0."),
            (
                "10",
                "Local retention raises the leader's local log start to 1. Offset 0 is in the "
                "remote tier and in the local log of broker 1, the follower.",
            ),
            (
                "11",
                "An operator disables remote storage with delete. If broker 0 applied the disable "
                "as leader, the log start would be 1.",
            ),
            ("12", "The controller elects broker 1, before any broker has applied the disable."),
            ("13-14", "Each broker takes both records in one batch. Broker 1 leads."),
            (
                "15",
                "Broker 0, the old leader, applies the disable. (It leaves the in-sync replicas "
                'and drops its log, which begins after the log start: our fix for "After a '
                "disable, an in-sync follower with fewer local segments is elected, and the "
                'records that it lacks are lost". In Kafka as it is, it stays in sync.)',
            ),
            ("16-18", "The old leader fetches the log anew, and is in sync again."),
            (
                "19",
                "Broker 1, the new leader, applies the disable. Its local log start is 0, so its "
                "log start stays 0.",
            ),
            (
                "20-25",
                "Both brokers cancel their tasks. The new leader reads the metadata topic to its "
                "end, and lists id 0.",
            ),
            ("26-33", "The new leader deletes the object of id 0 and its metadata."),
            (
                "end",
                "The log start is 0, and both replicas have offset 0 locally. The disable as "
                "accepted in step 11 permitted to delete offset 0, and no broker deletes it.",
            ),
        ),
    ),
    turning=12,
    fix=(
        "The KIP adds to its sentence on the log start: each broker that leads when it applies "
        "the change takes its own local log start; followers learn it by fetching. After an "
        "election amid the disable the log start may therefore be lower than the old leader's "
        "local log start. (That there may be no broker which leads when it applies the change is "
        'our report "After an election or a restart around a disable, no broker deletes the '
        'objects of the disabled topic".)'
    ),
    unrepaired=(
        "no record is lost and no fetch fails. To give up the same records whoever leads, the "
        "change would have to carry an offset for each partition, which the controller does not "
        "know, and replicas would delete records that they could keep."
    ),
    scope="elections",
)

SETTINGS_FIRST = Finding(
    name="settings_before_log_start",
    title="While a leader applies a disable, a fetch at the earliest offset can fail once",
    severity=Severity.TEXT,
    symptom=(
        "A fetch below the leader's local log start gets OFFSET_OUT_OF_RANGE, while the earliest "
        "offset is still below: a client that resets to it may fail once more. It ends with the "
        "next statement of the same thread, which raises the log start. No record is lost that "
        "the disable does not give up."
    ),
    needs=(
        "One replica or more. A disable with delete, and a fetch or ListOffsets between two steps "
        "of one thread: usually less than a millisecond. No crash, no fault. Kafka 3.9 to 4.4."
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
        "f3442e",
        (
            ("start", ONE_REPLICA + LITTLE_IS_LOCAL),
            ("1", "An operator disables remote storage with delete."),
            (
                "2",
                "The metadata publisher reads the change; the log still has the old settings.",
            ),
            ("3-5", "The copy task chooses offset 0."),
            (
                "6-11",
                "The copy task copies offset 0 as id 0, and the leader knows that offset 0 is in "
                "the remote tier.",
            ),
            ("12", "Local retention raises the local log start to 1; the log start is still 0."),
            ("13", "The leader gives the log its new settings: the log is not tiered any more."),
            (
                "end",
                "The log start is 0 and the local log begins at 1. A fetch of offset 0 is answered "
                "with OFFSET_OUT_OF_RANGE.",
            ),
            (
                "beyond",
                "The next step of the same thread raises the log start to 1. Nothing is lost that "
                "the disable does not give up.",
            ),
        ),
    ),
    turning=13,
    late=(
        "controller_alters_config",
        "broker_applies_leadership",
        "broker_updates_log_config",
    ),
    fix=(
        "For a disable, TopicConfigHandler raises the leader's log start and changes the "
        "settings of its log under the log's lock, once LogManager#updateTopicConfig has "
        "validated the settings. UnifiedLog needs one method that does both."
    ),
    costs=(
        "The lock of each log of the topic, once for each disable. As the fetch succeeds a "
        "moment later, to leave it as it is would be fair, too: then the sentence of the KIP "
        'that says "first" should go.'
    ),
    repair="repair_raise_log_start_first",
    shows="disable_deletes_everything",
    scope="alone_again",
)

READ_ONLY_AFTER_DISABLE = Finding(
    name="disabled_to_read_only",
    title="The controller accepts read-only tiering of a disabled topic, which the KIP excludes",
    severity=Severity.TEXT,
    symptom=(
        "The controller accepts the change, and the topic counts as tiered, with an empty remote "
        "log and nothing copied, until the operator enables copying. The KIP says that DISABLED "
        "leads to ENABLED alone."
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
        "Either LogConfig#validateTopicLogConfigValues refuses remote.log.copy.disable=true in a "
        "change that switches remote.storage.enable from false to true; the model was tried with "
        "this. Or the KIP names the transition. We suggest the second: a new topic may be "
        "created with both settings as well."
    ),
    costs=(
        "The refusal costs an operator a second request. The sentence in the KIP costs nothing."
    ),
    repair="repair_reject_read_only_after_disable",
    shows="topic_is_tiered_again",
    scope="alone_again",
)
