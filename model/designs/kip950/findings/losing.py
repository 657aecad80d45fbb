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
    title=(
        "Disabling with delete and enabling again loses committed records: deleted copies still "
        "count as copied"
    ),
    severity=Severity.LOSS,
    symptom=(
        "After a disable with delete and a re-enable, local retention deletes segments of which "
        "no copy exists: all that was copied before the disable and was still local then. The "
        "broker counts them as copied, though the disable has deleted the copies, and does not "
        "copy them again. The log start moves past them; or it stays below them until a restart, "
        "and a consumer that resets to the earliest offset fails there each time. The KIP is "
        "right here; Kafka does not do what it says."
    ),
    needs=(
        "One replica is enough; more replicas do not help. A disable with delete, and later "
        "remote.storage.enable=true. Segments that were copied before the disable have to be "
        "local still, as local retention usually keeps some. No crash, no fault, no race. Kafka "
        "3.9 to 4.4. On brokers of 3.9.2, 4.3.1 and 4.4.0 seven of eight records were lost."
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
        Passage(
            "KIP-950",
            "Re-enabling Tiered Storage",
            "Hence, even if the segments marked for deletion from the previous tiered storage "
            "enablement are still present in the remote storage awaiting deletion, they are "
            "completely isolated from the new data that is being tiered.",
        ),
    ),
    permitted_by=(
        "UnifiedLog#highestOffsetInRemoteStorage, which a disable does not reset; "
        "RemoteLogLeaderEpochState#highestLogOffset, which the deletion of a segment does not "
        "lower, and which RemoteLogManager#findHighestRemoteOffset returns. A broker that reads "
        "__remote_log_metadata again arrives at the same offset, so that neither a restart nor an "
        "election helps"
    ),
    tracker=(
        "no issue names this loss; KAFKA-12641 asks to clear the RemoteLogLeaderEpochState of an "
        "epoch once it is empty"
    ),
    late=("controller_alters_config", "broker_applies_leadership"),
    story=Story(
        "7da6fb",
        (
            ("start", ONE_REPLICA + LITTLE_IS_LOCAL),
            (
                "1-9",
                "The copy task copies offset 0 as id 0. The highest offset in remote storage is 0. "
                "Local retention has not run yet: the local segment of offset 0 is still there.",
            ),
            ("10", "An operator disables remote storage with delete."),
            (
                "11-14",
                "The leader applies the disable. The log start stays 0, as the local log begins "
                "there.",
            ),
            (
                "15-23",
                "The leader deletes the object of id 0 and publishes DELETE_SEGMENT_FINISHED, as "
                "the KIP says: offset 0 is in the local log.",
            ),
            ("24", "The operator enables remote storage again."),
            (
                "25-27",
                "The leader schedules its tasks, and begins to read __remote_log_metadata anew.",
            ),
            (
                "28",
                "Local retention chooses the segment of offset 0. The highest offset in remote "
                "storage is still 0, so the segment counts as copied. The local log start is 1.",
            ),
            (
                "29-32",
                "The leader reads __remote_log_metadata to its end, and with it that id 0 is "
                "deleted. The copy task begins, finds no remote segment, and moves the log start "
                "to the local log start.",
            ),
            (
                "end",
                "The log start is 1, and so is the local log start. Offset 0 is in no remote "
                "segment: it is lost, and no consumer is told.",
            ),
            (
                "beyond",
                "If the copy task begins before step 28, the log start stays 0 until a restart, "
                "and fetches of offset 0 are answered with OFFSET_OUT_OF_RANGE: so it was on "
                "released brokers. Without step 28 offset 0 would not be copied again either: the "
                "copy task, too, finds 0 as the highest offset, and begins above it.",
            ),
        ),
    ),
    turning=28,
    fix=(
        "Two parts. First, stopPartitions resets UnifiedLog#highestOffsetInRemoteStorage when a "
        "disable deletes, at the leader and at the followers. UnifiedLog needs a method for it, as "
        "updateHighestOffsetInRemoteStorage only raises. A cancelled copy must not raise it later. "
        "Second, RemoteLogManager#findHighestRemoteOffset returns the greatest H such that every "
        "offset from S to H is in a segment of the lineage in COPY_SEGMENT_FINISHED, or S-1 if S "
        "is in none (-1, as today, if S is the log start). S is the later of log start and first "
        "local offset. (UnifiedLog#localLogStartOffset does not move while the topic is disabled; "
        "the model was tried with each. To lower highestLogOffset with each deletion is no way "
        "out: what retention deletes would be copied again.) Until then: make the topic read-only "
        "rather than disable it with delete (both local retentions -2 first, "
        "remote.log.copy.disable=true after log.retention.check.interval.ms). That is no way where "
        "record times do not follow the offsets, as one old local segment expires the remote log "
        "there. Or enable it again only when retention has deleted all that was copied before."
    ),
    costs=(
        "After a re-enable, what is still local is copied again. findHighestRemoteOffset looks up "
        "segment after segment. Followers call it once in each task interval, and the expiration "
        "task while the highest offset is -1 (KAFKA-20732)."
    ),
    repair="repair_forget_deleted_offsets",
    together_with=("repair_raise_log_start_first",),
    proposal="proposal_count_copies_from_the_first_local_offset",
    shows="segment_is_copied_again",
    scope="alone_again",
)

AMID_A_DELETION = Finding(
    name="settings_change_amid_a_deletion",
    title=(
        "A settings change during a local retention run can lose what is only remote, and records "
        "that were never copied"
    ),
    severity=Severity.LOSS,
    symptom=(
        "All that a partition has in the remote tier alone can be lost: the log start jumps to "
        "the local log start, fetches below it get OFFSET_OUT_OF_RANGE, and the expiration task "
        "deletes the remote segments. The KIP forbids it. Kafka's local retention reads the "
        "settings several times, and remote.log.copy.disable=true can be applied in between. If "
        "it is applied a moment earlier, segments that were never copied are lost, too (see "
        '"Beyond these steps").'
    ),
    needs=(
        "One replica is enough. The topic's local retention is shorter than its retention. An "
        "operator sets remote.log.copy.disable=true and, in the same request, the local retention "
        "that the validation asks for (-2, or that of retention), as the KIP's own example does. "
        "The broker applies the request during a local retention run of the log. Local retention "
        "runs once in each log.retention.check.interval.ms (5 minutes by default), and the window "
        "is a few statements; in the worse order below it lasts as long as the run waits for the "
        "log's lock. So it is unlikely for one partition, less so for a topic with many. No "
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
            "Re-enabling Tiered Storage",
            "To ensure offset continuity, when tiered storage is disabled with a "
            "remote.log.copy.disable=true policy, logs are expired starting from the remote log "
            "start offset, and only after all segments from remote storage have expired, local "
            "logs are expired.",
        ),
    ),
    permitted_by=(
        "UnifiedLog#deletableSegments and UnifiedLog#deleteSegments (3.9: #incrementStartOffset), "
        "which each ask whether copying is enabled, under the log's lock; "
        "UnifiedLog#deleteRetentionMsBreachedSegments and #deleteRetentionSizeBreachedSegments, "
        "which read the retention before that lock; LogManager#updateTopicConfig and "
        "UnifiedLog#updateConfig, which change the settings without it"
    ),
    late=("controller_alters_config", "broker_applies_leadership"),
    story=Story(
        "469150",
        (
            ("start", TWO_REPLICAS + LITTLE_IS_LOCAL + " Broker 1 plays no part."),
            ("1-8", "Broker 0, the leader, copies offset 0 as id 0."),
            ("9", "It notes 0 as the highest offset in remote storage."),
            (
                "10",
                "An operator makes the topic read-only: remote.log.copy.disable=true, with "
                "local.retention.bytes=-2 as the controller's validation asks.",
            ),
            (
                "11",
                "The leader's metadata publisher reads the change; the log still has the old "
                "settings.",
            ),
            (
                "12",
                "Local retention, under the log's lock, chooses the segment of offset 0, which is "
                "copied. Then the publisher changes the settings. deleteSegments asks again "
                "whether copying is enabled, finds that it is not, and raises the log start to 1, "
                "and not the local log start alone.",
            ),
            (
                "end",
                "The log start is 1. Offset 0 is in the remote tier, no retention allows its "
                "removal, and a fetch of offset 0 is answered with OFFSET_OUT_OF_RANGE.",
            ),
            (
                "beyond",
                "The expiration task of the read-only topic deletes every remote segment below "
                "the log start: all that is no longer local. By the code there is a worse "
                "order: local retention reads local.retention.ms or "
                "local.retention.bytes, and the settings change before it takes the lock. Then "
                "every segment beyond the old local retention is deletable, copied or not, as "
                "deletableSegments asks for no copy where copying is disabled.",
            ),
        ),
    ),
    turning=12,
    fix=(
        "UnifiedLog#updateConfig takes the log's lock, and the deletions by time and by size read "
        "all settings (retention, remote.storage.enable, remote.log.copy.disable) once, under that "
        "lock. Neither half is enough. With the lock in updateConfig alone, a deletion still has "
        "the retention from before it took the lock. With one reading alone, a disable with delete "
        "can change the settings amid a deletion: it reads the local log start, waits for the "
        "deletion, and sets the log start to that old value, below the first record. "
        "deleteOldSegments reads cleanup.policy before the lock, too; that should move under it as "
        "well (not modelled). Until then: set local.retention.ms=-2 and local.retention.bytes=-2 "
        "first, and remote.log.copy.disable=true in a second request, once every local retention "
        "run that had begun is over (log.retention.check.interval.ms is usually enough)."
    ),
    costs=(
        "A change of the settings waits, on the thread of the metadata publisher, for whatever "
        "holds the log's lock: an append, a roll, or a local deletion (which renames files under "
        "it, and deletes them later). The lock is re-entrant, and LogManager#updateTopicConfig "
        "holds no other."
    ),
    repair="repair_delete_by_one_reading_of_settings",
    together_with=("repair_delete_once_all_have_disabled",),
    shows="segment_is_read_from_remote",
    scope="retention",
)

TWO_CHANGES = Finding(
    name="two_changes_in_one_batch",
    title=(
        "A broker that reads two accepted requests in one delta refuses the disable, and its next "
        "restart loses committed records"
    ),
    severity=Severity.LOSS,
    symptom=(
        "A restart of the broker loses what it has copied and removed locally since the disable, "
        "even if it was written long after. The controller has accepted two changes, each of them "
        "valid. The broker validates their sum, refuses it, and goes on copying and removing local "
        "segments. A restart loads the log with the newest settings, as not tiered, so that it "
        "begins at its first local record. The objects stay in the remote store for good."
    ),
    needs=(
        "One replica is enough; no crash. Two requests: "
        "remote.storage.enable=false,remote.log.delete.on.disable=true, and then "
        "remote.log.delete.on.disable=false (or that this setting is removed, as false is the "
        "default). A broker that applies both in one batch: it has to lag by the time between "
        "them. For the loss, local retention that is shorter than retention, and then a restart, "
        "in good order or not. It has happened where the broker logs: Encountered metadata "
        "publishing fault: Error updating topic, with InvalidConfigurationException: It is "
        "invalid to disable remote storage without deleting remote data. Kafka 3.9 to 4.4."
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
        "BrokerMetadataPublisher#onMetadataUpdate, which applies the settings at the end of a "
        "batch; LogManager#updateTopicConfig, which compares them with the log and throws "
        "(LogConfig#validateTurningOffRemoteStorageWithDelete); DynamicConfigPublisher, which "
        "has the fault handler log the exception and goes on; LogLoader#load, which raises the "
        "log start of a log that is not tiered to its first local segment"
    ),
    story=Story(
        "6824ab",
        (
            ("start", ONE_REPLICA + LITTLE_IS_LOCAL),
            (
                "1",
                "An operator disables remote storage with delete: remote.storage.enable=false, "
                "remote.log.delete.on.disable=true. The controller accepts.",
            ),
            (
                "2",
                "The operator sets remote.log.delete.on.disable=false. The controller accepts, "
                "as the topic is not tiered any more. (The request also deletes "
                "local.retention.bytes, which plays no part.)",
            ),
            ("3", "The leader lags, and reads both changes in one batch."),
            (
                "4",
                "The leader validates the sum of the two changes against its log, which is still "
                "tiered. The sum is a disable without delete: InvalidConfigurationException. The "
                "log keeps its old settings, no task is cancelled, and nothing is deleted. The "
                "leader does not try again.",
            ),
            (
                "5-13",
                "The copy task copies offset 0 as id 0, and the leader knows that offset 0 is in "
                "the remote tier.",
            ),
            (
                "14",
                "Local retention, by the settings that the log still has, raises the local log "
                "start to 1. A fetch of offset 0 is answered from the remote tier.",
            ),
            (
                "15",
                "The leader restarts, without the local segment of offset 0, and leads again. It "
                "loads the log with the topic's newest settings: the log is not tiered, and its "
                "log start is its first local offset, 1. Nothing is deleted, as no change is seen.",
            ),
            (
                "end",
                "Offset 0 is lost. It was committed, no retention had reached it, and it was local "
                "when the leader refused the disable, so the disable did not permit to give it up. "
                "Its object is still in the store, and no remote log task is scheduled.",
            ),
            (
                "beyond",
                "Nothing in Kafka deletes the object. Until the restart, each segment that rolls "
                "is copied, removed locally, and lost with the restart. Every further change of "
                "the topic's settings is refused as well, unless it enables remote storage or sets "
                "remote.log.delete.on.disable=true: that one is applied.",
            ),
        ),
    ),
    turning=14,
    fix=(
        "(1) While remote.storage.enable is false and stays false the controller refuses to change "
        "remote.log.delete.on.disable from true to false, or to remove it "
        "(LogConfig#validateTopicLogConfigValues), which the KIP's table of settings has. (2) "
        "LogManager#updateTopicConfig logs what it refuses now, and applies it; and "
        "TopicConfigHandler#maybeUpdateRemoteLogComponents deletes for every disable, as the "
        "controller accepts none without delete. (3) A broker applies each change of a topic's "
        "settings by itself. MetadataBatchLoader publishes an image before a second ConfigRecord "
        "that changes remote.storage.enable or remote.log.delete.on.disable of a topic. The model "
        "was tried with (3), and with (1). Until then: leave remote.log.delete.on.disable=true. "
        "After the exception set remote.storage.enable=true before the broker restarts; to set "
        "remote.log.delete.on.disable=true loses the same records."
    ),
    costs=(
        "(1): scripts that reset the setting fail, and tools that send all settings have to keep "
        "it. (2) relies on a controller of 3.9 or later, as an older one accepts a disable without "
        "delete; and a later leader cannot tell what is left to delete. (3) teaches the metadata "
        "loader two settings, costs one more image for each such change, and does not help a "
        "broker that catches up by a snapshot: it still sees the sum."
    ),
    repair="repair_apply_settings_one_by_one",
    together_with=(
        "repair_forget_deleted_offsets",
        "repair_delete_once_all_have_disabled",
        "repair_await_cancelled_threads",
        "repair_delete_until_nothing_is_left",
    ),
    searched="(3)",
    proposal="proposal_keep_delete_on_disable",
    shows="disable_deletes_everything",
    scope="two_changes",
)
