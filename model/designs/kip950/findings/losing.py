"""Findings that lose committed records of one broker: no election is needed."""

from tierproof.model.designs.kip950.findings.beginnings import (
    LITTLE_IS_LOCAL,
    ONE_REPLICA,
    STOP,
    TWO_REPLICAS,
)
from tierproof.model.language import Finding
from tierproof.model.language.findings import Passage, Severity, Story

DELETED_COPIES = Finding(
    name="deleted_copies_still_count",
    title="After disable and re-enable, deleted copies still count, and committed records are lost",
    severity=Severity.LOSS,
    symptom=(
        "After the re-enable, local retention deletes segments of which no copy exists. Their "
        "records are lost for every consumer. Either the log start has moved past them and nobody "
        "is told, or it stays below them until a restart: then a consumer that resets to the "
        "earliest offset fails there again and again."
    ),
    needs=(
        "One replica or more. Remote storage is disabled with delete and enabled again, and local "
        "segments that were copied before the disable are still local: always so where "
        "local.retention.ms or local.retention.bytes keeps something. No crash, no fault, no "
        "window. Kafka 3.9 to 4.4. Seen on brokers of 3.9.2, 4.3.1 and 4.4.0: of eight records in "
        "eight segments seven were lost after the re-enable."
    ),
    claims=(
        "no_committed_record_lost",
        "highest_remote_offset_is_sound",
        "local_segment_removed_only_once_copied",
        "committed_records_stay_readable",
        "log_start_passes_only_what_may_go",
        "remote_and_local_parts_are_contiguous",
        "copied_offset_is_sound",
        "new_leader_knows_the_log_start",
        "records_become_readable",
    ),
    passages=(
        Passage(
            "KIP-950",
            "Re-enabling Tiered Storage",
            "When tiered storage is enabled and disabled multiple times for a topic, the log "
            "offset remains continuous without any gaps.",
        ),
    ),
    permitted_by=(
        "UnifiedLog#highestOffsetInRemoteStorage, which a disable does not reset; "
        "RemoteLogLeaderEpochState#highestLogOffset, which the deletion of a segment does not "
        "lower, and which RemoteLogManager#findHighestRemoteOffset returns"
    ),
    story=Story(
        "0ab395",
        (
            ("start", ONE_REPLICA + LITTLE_IS_LOCAL),
            ("1-2", "An operator disables remote storage with delete."),
            (
                "3-11",
                "Before the leader gives the log its new settings, the copy task copies offset 0 "
                "as id 0. The highest offset in remote storage is 0; the local segment of offset 0 "
                "is still there.",
            ),
            (
                "12-14",
                "The leader applies the disable. The log start stays 0, as the local log begins "
                "there.",
            ),
            (
                "15-23",
                "The leader deletes the object of id 0 and publishes DELETE_SEGMENT_FINISHED. "
                "This is as the KIP says: offset 0 is in the local log.",
            ),
            ("24-25", "The operator enables remote storage again."),
            ("26-27", "The leader schedules its tasks and reads the metadata topic anew."),
            (
                "28",
                "Local retention chooses the segment of offset 0. The highest offset in remote "
                "storage is still 0, so the segment counts as copied. The local log start is 1.",
            ),
            (
                "29-32",
                "The leader reads the metadata topic to its end, and with it that id 0 is deleted. "
                "Its tasks run for the first time, find no remote segment, and move the log start "
                "to the local log start.",
            ),
            (
                "end",
                "The log start is 1, and so is the local log start. Offset 0 is in no remote "
                "segment: it is lost, and no consumer is told.",
            ),
            (
                "beyond",
                "If the tasks run before local retention does, the log start stays 0 until a "
                "restart, and fetches of offset 0 are answered with OFFSET_OUT_OF_RANGE: so it was "
                "on released brokers. The files of the local segment are deleted. Offset 0 would "
                "not be copied again either: the copy task, too, finds 0 as the highest offset of "
                "the leader epoch, and begins above it.",
            ),
        ),
    ),
    turning=28,
    fix=(
        "A disable with delete resets the highest offset in remote storage in stopPartitions, at "
        "the leader and at every follower (a new method of UnifiedLog: the setter that exists only "
        "raises it), and findHighestRemoteOffset counts only what is in COPY_SEGMENT_FINISHED, "
        "without a gap from the local log start on."
    ),
    costs=(
        "After a re-enable what is still local is copied again; to find the highest offset lists "
        "the segments of a leader epoch in place of one look-up."
    ),
    repair="repair_forget_deleted_offsets",
    shows="segment_is_copied_again",
    scope="alone_again",
)

AMID_A_DELETION = Finding(
    name="settings_change_amid_a_deletion",
    title="A change to read-only meets a local deletion, and the log start passes remote records",
    severity=Severity.LOSS,
    symptom=(
        "The log start offset of the partition jumps to its local log start. Consumers below it "
        "get OFFSET_OUT_OF_RANGE, and the expiration task deletes the remote segments below it: "
        "all that the partition had in the remote tier alone. Nothing brings them back."
    ),
    needs=(
        "One replica or more. A change to read-only in the moment in which local retention has "
        "chosen segments to delete and not yet moved the start offset: one run in each "
        "log.retention.check.interval.ms, for the time between two statements of one method. No "
        "crash, no fault. Kafka 3.9 to 4.4."
    ),
    claims=(
        "no_committed_record_lost",
        "log_start_passes_only_what_may_go",
        "object_deleted_only_when_not_needed",
        "highest_remote_offset_is_sound",
        "local_segment_removed_only_once_copied",
    ),
    passages=(
        Passage(
            "KIP-950",
            "Remote Log Disablement Policy",
            "remote.storage.enable=true, remote.log.copy.disable=true: Logs that are archived in "
            'the remote storage will be part of the contiguous "active" log. Clients can fetch the '
            "archived log, but no new data will be archived to the remote storage.",
        ),
    ),
    permitted_by=(
        "UnifiedLog#deletableSegments and UnifiedLog#incrementStartOffset, which each ask whether "
        "copying is enabled, under the log's lock; LogManager#updateTopicConfig, which changes the "
        "settings without that lock"
    ),
    story=Story(
        "cf4512",
        (
            ("start", TWO_REPLICAS + LITTLE_IS_LOCAL),
            (
                "1",
                "An operator makes the topic read-only: remote.log.copy.disable=true, with "
                "local.retention.bytes=-2 as the controller's validation asks.",
            ),
            ("2", "The leader's metadata publisher has the change in hand."),
            ("3-9", "Meanwhile the copy task copies offset 0 as id 0."),
            ("10", "The leader reads that the copy of id 0 is finished."),
            ("11", "The leader learns that 0 is the highest offset in remote storage."),
            (
                "12",
                "Local retention, under the log's lock, chooses the segment of offset 0, which is "
                "copied. Then the publisher changes the settings. deleteSegments asks again "
                "whether copying is enabled, finds that copying is disabled, and raises the log "
                "start to 1 in place of the local log start.",
            ),
            (
                "end",
                "The log start is 1. Offset 0 is in the remote tier, no retention allows its "
                "removal, and a fetch of offset 0 is answered with OFFSET_OUT_OF_RANGE.",
            ),
            (
                "beyond",
                "The expiration task of the read-only topic deletes every remote segment below the "
                "log start. With a long remote log that is all of it.",
            ),
        ),
    ),
    turning=12,
    fix=(
        "deleteOldSegments takes one reading of the settings, or updateTopicConfig takes the log's "
        "lock."
    ),
    costs="With the lock: a change of the settings waits for a local deletion that is under way.",
    repair="repair_delete_by_one_reading_of_settings",
    shows="segment_is_read_from_remote",
    scope="retention",
)

TWO_CHANGES = Finding(
    name="two_changes_in_one_batch",
    title=(
        "A broker refuses a disable and a later change that come in one batch, stays tiered, and "
        "loses at its restart what it has tiered since"
    ),
    severity=Severity.LOSS,
    symptom=(
        "The controller says that the topic is disabled, and the broker goes on copying to the "
        "remote tier and removing local segments. A restart of the broker then applies the disable "
        "without its deletion: the log start rises past every record that is only in the remote "
        "tier, those written long after the disable among them, and the remote store keeps their "
        "objects for good."
    ),
    needs=(
        "One replica or more. A disable with delete, then remote.log.delete.on.disable set back to "
        "false, and a broker that applies both changes in one batch: a broker that lags by one "
        "second is enough if the two requests come within it. The loss needs a restart as well, in "
        "good order or not, and local retention that is shorter than retention; lost is what was "
        "copied and removed locally between the refusal and the restart. No crash is needed. Kafka "
        "3.9 to 4.4. The refusal is one error in the broker's log, Encountered metadata "
        "publishing fault."
    ),
    claims=(
        "no_committed_record_lost",
        "log_start_passes_only_what_may_go",
        "object_deleted_only_when_not_needed",
        "every_replica_can_take_over_without_remote",
        "disabled_topic_copies_nothing_new",
        "disabled_topic_has_no_tasks",
        "disabled_topic_leaves_no_objects",
        "disabled_topic_is_emptied",
        "expired_objects_are_deleted",
    ),
    passages=(
        Passage(
            "KIP-950",
            "Rejected Alternatives",
            "In KRaft, it's not necessary because once the ConfigRecord is accepted by the "
            'controller, it must be applied by all the observers "in order".',
        ),
        STOP,
    ),
    permitted_by=(
        "BrokerMetadataPublisher#onMetadataUpdate, which applies the sum of the records of a "
        "batch; LogManager#updateTopicConfig, which validates it against the settings of the log "
        "(LogConfig#validateTurningOffRemoteStorageWithDelete) and throws; DynamicConfigPublisher, "
        "which has a fault handler log the exception and goes on; LogLoader#load, which after a "
        "restart raises the log start of a log that is not tiered to its first local segment"
    ),
    assumptions=("A6",),
    story=Story(
        "6824ab",
        (
            ("start", ONE_REPLICA + LITTLE_IS_LOCAL),
            ("1", "An operator disables remote storage with delete. The controller accepts."),
            (
                "2",
                "The operator sets remote.log.delete.on.disable back to false, and deletes "
                "local.retention.bytes. The controller accepts, as the topic is not tiered any "
                "more.",
            ),
            ("3", "The leader lags, and takes both changes in hand in one batch."),
            (
                "4",
                "The leader compares the sum of the two changes with the settings of its log, "
                "which is tiered, and refuses it with InvalidConfigurationException: it would "
                "disable without delete. The log keeps all of its settings, no task is cancelled, "
                "and nothing is deleted. The leader has now read all that the controller has said.",
            ),
            (
                "5-13",
                "The copy task copies offset 0 as id 0, and the leader knows that offset 0 is in "
                "the remote tier.",
            ),
            (
                "14",
                "Local retention, which the log still has, raises the local log start to 1. A "
                "fetch of offset 0 is answered from the remote tier.",
            ),
            (
                "15",
                "The leader restarts, without the local segment of offset 0, and leads again. It "
                "loads the log with the topic's settings, so that no change is seen in them: the "
                "log is not tiered, and its log start is its first local offset, 1.",
            ),
            (
                "end",
                "Offset 0 is lost, which was committed and which no retention and no disable "
                "permits to remove: the leader had it locally when it refused. Its object is "
                "still in the store, and no task of the remote log is scheduled.",
            ),
            (
                "beyond",
                "Nothing in Kafka deletes the object any more, as the restarted broker sees no "
                "change of the settings. Until the restart, each segment that rolls is copied and "
                "then removed locally, and is lost as well. A later change of the settings is "
                "compared with the log again: one that enables remote storage, or that disables "
                "it with delete, is applied.",
            ),
        ),
    ),
    turning=14,
    fix=(
        "The metadata loader (MetadataBatchLoader) publishes an image after each record that "
        "changes remote.storage.enable or remote.log.delete.on.disable, so that the handler of the "
        "broker sees each change, and not their sum."
    ),
    costs=(
        "One image more for each such change. A broker that catches up by a snapshot sees the sum "
        "all the same: it has to make up for the disable when it loads the log."
    ),
    repair="repair_apply_settings_one_by_one",
    shows="disable_deletes_everything",
    scope="two_changes",
)
