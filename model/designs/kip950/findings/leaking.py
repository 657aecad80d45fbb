"""Findings that leave objects of a disabled topic behind."""

from tierproof.model.designs.kip950.findings.beginnings import (
    KRAFT,
    ONE_REPLICA,
    STOP,
    TWO_REPLICAS,
)
from tierproof.model.language import Finding
from tierproof.model.language.findings import Passage, Severity, Story

LATE_COPY = Finding(
    name="cancelling_is_no_barrier",
    title="A copy that the disable has cancelled still stores its object, and nobody deletes it",
    severity=Severity.LEAK,
    symptom=(
        "The remote store keeps an object for good: up to one for each partition whose leader "
        "was copying a segment when the topic was disabled. The disable cancels the copy without "
        "waiting for its thread, deletes the segment, and then the thread stores the object. The "
        "metadata topic says that the segment is deleted, so Kafka never deletes the object, not "
        "with the topic either. No record is lost."
    ),
    needs=(
        "One replica is enough. A disable with delete while the leader copies a segment, and a "
        "thread that goes on after the interrupt of Future#cancel: a remote storage plugin that "
        "ignores interrupts, or a thread that is not waiting when the interrupt comes. The "
        "window is as long as the copy of one segment. No crash, no fault. Kafka 3.9 to 4.4."
    ),
    tracker="KAFKA-20148 notes the same gap for expiration runs (PR 23025 is open)",
    claims=(
        "every_object_is_tracked",
        "read_only_topic_copies_nothing_new",
        "disabled_topic_copies_nothing_new",
        "cancelled_copy_never_finishes",
        "quiet_topic_holds_finished_segments_only",
        "metadata_records_are_legal_transitions",
        "disabled_topic_is_emptied",
        "disabled_topic_leaves_no_objects",
    ),
    passages=(
        Passage(
            "KIP-950",
            KRAFT,
            "Removes the scheduled tasks for the topic-partition from the thread pool responsible "
            "for archiving logs to remote storage.",
        ),
        STOP,
    ),
    permitted_by=(
        "RemoteLogManager#stopPartitions, which cancels the tasks and does not wait for their "
        "threads; RLMCopyTask#copyLogSegment, which does not ask again whether it is cancelled; "
        "RemoteLogManager#deleteRemoteLogPartition, which lists the segments once"
    ),
    assumptions=("A3",),
    story=Story(
        "2592eb",
        (
            ("start", ONE_REPLICA),
            ("1", "An operator disables remote storage with delete."),
            (
                "2-3",
                "The metadata publisher of the leader gives the log the new settings. The remote "
                "log tasks still run.",
            ),
            (
                "4-8",
                "The copy task of the leader chooses offset 0 and publishes COPY_SEGMENT_STARTED "
                "of id 0.",
            ),
            (
                "9",
                "stopPartitions cancels the copy task and lists id 0 as a segment to delete. "
                "stopPartitions does not wait for the thread that copies id 0.",
            ),
            ("10-11", "The leader publishes DELETE_SEGMENT_STARTED of id 0."),
            ("12-13", "The leader deletes the object of id 0, which does not exist yet."),
            ("14-15", "The leader publishes DELETE_SEGMENT_FINISHED. The deletion is over."),
            ("16", "The copying thread stores the object of id 0."),
            (
                "end",
                "The object of id 0 is in the remote store. The metadata topic says "
                "DELETE_SEGMENT_FINISHED of id 0. The copy and expiration tasks are cancelled.",
            ),
            (
                "beyond",
                "The copying thread next publishes COPY_SEGMENT_FINISHED of id 0, which the "
                "metadata caches refuse, as they have id 0 as deleted. No later task lists id 0, "
                "not after a re-enable or the deletion of the topic either.",
            ),
        ),
    ),
    turning=15,
    late=(
        "controller_alters_config",
        "broker_applies_leadership",
        "broker_updates_log_config",
    ),
    fix=(
        "The model was tried with two parts. stopPartitions waits until the threads of the "
        "cancelled tasks have returned, before it lists the segments; and "
        "RLMCopyTask#copyLogSegment asks isCancelled before each of its steps, and, if so, "
        "deletes its object, whether copyLogSegmentData has returned or thrown. (From 4.0 on the "
        "clean-up after a RemoteStorageException does not delete for a cancelled task.) The "
        "second part alone was not tried; by our reading it is enough for the object, as a copy "
        "that finds itself not cancelled after copyLogSegmentData has stored its object before "
        "the disable deletes it. Then only a crash, a delete that fails, or a request that the "
        "store completes after copyLogSegmentData has thrown leaves the object. Until then: set "
        "local.retention.ms=-2 and local.retention.bytes=-2; once log.retention.check.interval.ms "
        "has passed (one request for all can race with local retention), set "
        "remote.log.copy.disable=true; wait for the longest upload, then disable with delete."
    ),
    costs=(
        "Of the wait: as long as the call of the remote store that is under way, on the thread "
        "of the broker's metadata publisher. That thread already waits in stopPartitions for "
        "every deletion of the partition; moving both to another thread needs a guard against a "
        "re-enable amid them. Of the second part alone: none to speak of."
    ),
    repair="repair_await_cancelled_threads",
    apart=("repair_delete_unfinished_copies",),
    shows="disable_deletes_everything",
    scope="alone_again",
)

REFUSED_DELETE = Finding(
    name="refused_delete_is_not_retried",
    title=("One failed delete of the remote store leaves the objects of a disabled topic for good"),
    severity=Severity.LEAK,
    symptom=(
        "The remote store keeps objects of a disabled topic: the one whose delete has failed, "
        "and those after it in the list. One transient error of the store is enough: "
        "the broker logs it and does not try again: not "
        "while the topic is disabled, not after a restart, not when the topic is deleted. No "
        "record is lost."
    ),
    needs=(
        "One replica is enough. One request to delete an object fails during a disable with "
        "delete. No crash, no race. Kafka 3.9 to 4.4. On a broker of 4.4.0 the objects stayed "
        "after a restart and after the deletion of the topic."
    ),
    claims=(
        "disabled_topic_leaves_no_objects",
        "disabled_topic_is_emptied",
        "quiet_topic_holds_finished_segments_only",
        "expired_objects_are_deleted",
    ),
    passages=(
        Passage(
            "KIP-950",
            "RemoteLogManager Change",
            "If the disablement policy is delete, we will first advance the log start offset and "
            "we will let tasks scheduled for the topic-partitions in the "
            "RemoteDataExpirationThreadPool to successfully delete all remote segments before the "
            "log start offset and then unregister themselves.",
        ),
        STOP,
    ),
    permitted_by=(
        "RemoteLogManager#deleteRemoteLogPartition, which ends at the first error; "
        "RemoteLogManager#stopPartitions, which logs the error and does not try again"
    ),
    assumptions=("A3",),
    story=Story(
        "d7fd76",
        (
            ("start", ONE_REPLICA),
            (
                "1-3",
                "An operator disables remote storage with delete. The metadata publisher of the "
                "leader gives the log the new settings.",
            ),
            (
                "4-10",
                "A run of the copy task that began before copies offset 0 as id 0, up to "
                "COPY_SEGMENT_FINISHED.",
            ),
            ("11-13", "The leader cancels its tasks, and the run of the copy task ends."),
            ("14", "stopPartitions lists id 0 as a segment to delete."),
            ("15-17", "The leader publishes DELETE_SEGMENT_STARTED of id 0."),
            (
                "18",
                "The store refuses to delete the object of id 0. deleteRemoteLogPartition ends.",
            ),
            ("19", "The metadata publisher logs the error and finishes its batch."),
            (
                "end",
                "The object of id 0 is in the store, and id 0 is in DELETE_SEGMENT_STARTED. The "
                "topic has no remote log task that would delete the object.",
            ),
            (
                "beyond",
                "The segments before the failing one stay in DELETE_SEGMENT_STARTED, too: "
                "DELETE_SEGMENT_FINISHED is published after the whole list. If the operator "
                "enables remote storage again, the expiration task takes the segments up: from "
                "4.0 on at its next run (KAFKA-17428), in 3.9 once the log start or retention is "
                "past them.",
            ),
        ),
    ),
    turning=18,
    late=(
        "controller_alters_config",
        "broker_applies_leadership",
        "broker_updates_log_config",
        "broker_cancels_tasks_first",
    ),
    fix=(
        "The deletion of a disabled partition is tried again until the store accepts, for all "
        "segments, also those above the log start. It belongs into the expiration task, which "
        "stays scheduled until nothing is left, as the KIP's section RemoteLogManager Change "
        "says: to repeat it in stopPartitions would block the thread of the metadata publisher. "
        "RemoteLogMetadataManager#onStopPartitions, and the removal of the topic's id, wait for "
        "it; ReplicaManager#stopPartitions, which skips topics that are not tiered when they are "
        "deleted, must not skip these. A re-enable waits for it, too: scenario 1 of the KIP "
        "isolates new segments by the tiered epoch, which KRaft does not have. The model was "
        "tried with the repetition, not with a particular thread. Until then: make the topic "
        "read-only (local.retention.ms=-2 and local.retention.bytes=-2 first, "
        "remote.log.copy.disable=true once log.retention.check.interval.ms has passed: one "
        "request for both can race with local retention; not where record times do not follow the "
        "offsets, as one old local segment expires the remote log there), and disable it with "
        "delete when retention.ms has passed."
    ),
    costs=(
        "One task for the partition, and a request at each of its runs, as long as the store "
        "refuses. A restart forgets the task; that the leader which starts up looks for what is "
        'left is the fix of "After an election or a restart around a disable, no broker deletes '
        'the objects of the disabled topic".'
    ),
    repair="repair_retry_removal",
    shows="disable_deletes_everything",
    scope="alone_failures",
)

NOBODY_DELETES = Finding(
    name="new_leader_deletes_nothing",
    title=(
        "After an election or a restart around a disable, no broker deletes the objects of the "
        "disabled topic"
    ),
    severity=Severity.LEAK,
    symptom=(
        "The remote store keeps objects of a disabled topic for good: all of the partition, if "
        "its leader restarts around the disable. Each leader deletes once, what its metadata "
        "cache lists when it applies the disable; a follower deletes nothing; and a broker that "
        "becomes leader later, or restarts, does not try again. The deletion of the topic does "
        "not delete the objects either. No record is lost."
    ),
    needs=(
        "Any of these, with a disable with delete: the leader is down or restarts before it has "
        "deleted (one replica is enough); each broker applies the disable as a follower; or, as "
        "in the steps below, an election, and a new leader that applies the disable before it "
        "has read the old leader's last records from the metadata topic: usually less than a "
        "second. No crash, no fault. Kafka 3.9 to 4.4."
    ),
    claims=(
        "disabled_topic_leaves_no_objects",
        "disabled_topic_is_emptied",
        "quiet_topic_holds_finished_segments_only",
    ),
    passages=(
        Passage(
            "KIP-950",
            "RemoteLogManager Change",
            "If the disablement policy is delete, we will first advance the log start offset and "
            "we will let tasks scheduled for the topic-partitions in the "
            "RemoteDataExpirationThreadPool to successfully delete all remote segments before the "
            "log start offset and then unregister themselves.",
        ),
        Passage(
            "KIP-950",
            "Rejected Alternatives",
            "If the retention policy is delete, a new expiration thread will be started on "
            "leadership change on any historical tiered topic to confirm that there aren't any "
            "leftover segments in remote which need deletion.",
        ),
    ),
    permitted_by=(
        "RemoteLogManager#deleteRemoteLogPartition, which lists what the cache of one broker has "
        "at one moment; TopicConfigHandler#maybeUpdateRemoteLogComponents, which runs when "
        "remote.storage.enable changes, and not when a leader of a disabled topic is elected or "
        "starts up; ReplicaManager#stopPartitions, which passes a deleted topic on to "
        "RemoteLogManager only if it is tiered"
    ),
    assumptions=("A3",),
    story=Story(
        "928e39",
        (
            ("start", TWO_REPLICAS),
            (
                "1-5",
                "Broker 0, the leader, begins to copy offset 0 as id 0: it publishes "
                "COPY_SEGMENT_STARTED.",
            ),
            ("6", "Broker 0 stores the object of id 0."),
            (
                "7-9",
                "The controller elects broker 1. Broker 0, the old leader, follows, and its tasks "
                "are cancelled.",
            ),
            ("10", "An operator disables remote storage with delete."),
            (
                "11",
                "(The model refuses COPY_SEGMENT_FINISHED of the old leader here, with our fix "
                'for "A broker that no longer leads deletes a remote segment that the leader '
                'counts on": nothing depends on it. In Kafka as it is, the record is accepted, '
                "and if it comes after step 18 the same object stays.)",
            ),
            (
                "12-14",
                "Broker 1, the new leader, applies the disable. It has not read the record of id "
                "0 from the metadata topic.",
            ),
            ("15-17", "The old leader, a follower now, applies the disable, too."),
            ("18", "stopPartitions of the new leader lists no segment, and deletes none."),
            ("19", "stopPartitions of the old leader deletes nothing, as it is a follower."),
            (
                "end",
                "Both brokers have applied the disable. The object of id 0 is in the store, and "
                "neither broker has a remote log task of the topic.",
            ),
        ),
    ),
    turning=18,
    late=("metadata_refuses_stale_copy",),
    fix=(
        "The leader of a disabled topic, also one newly elected or restarted, reads the metadata "
        "topic to its end and deletes what it lists, until nothing is listed. The accepted text "
        "has the task for it: the expiration task stays scheduled after a disable, deletes what "
        "ends below the log start, and then unregisters itself; the thread for a new leader is "
        "in the Rejected Alternatives, rejected with the TopicRecord. A re-enable has to cancel "
        "that task and wait for it before anything is copied, or it would delete new segments. "
        'The model was tried with both: the re-enable waits there by the fix of "A disable with '
        "delete loses records: a follower that applies it later deletes locally what the leader "
        'has deleted remotely". Candidates are topics with remote.storage.enable=false and '
        "remote.log.delete.on.disable=true. Nothing keeps an operator from changing the second "
        "setting before the deletion is over: the controller does not know when it is. Until "
        "then: keep the topic read-only until its remote log has expired, and disable it after "
        "that."
    ),
    costs=(
        "After each election or restart, one read of the metadata partition for each such topic, "
        "also for those that have been empty for long, and a task until nothing is listed."
    ),
    repair="repair_delete_until_nothing_is_left",
    shows="disable_deletes_everything",
    scope="restart",
)
