"""Findings that leave objects of a disabled topic behind."""

from tierproof.model.designs.kip950.findings.beginnings import (
    KRAFT,
    ONE_REPLICA,
    STOP,
)
from tierproof.model.language import Finding
from tierproof.model.language.findings import Passage, Severity, Story

LATE_COPY = Finding(
    name="cancelling_is_no_barrier",
    title="A copy that a disable cancels can still store its object, which Kafka never deletes",
    severity=Severity.LEAK,
    symptom=(
        "The remote store keeps an object for good: up to one for each partition whose leader was "
        "copying a segment when the topic was disabled. The disable cancels the copy without "
        "waiting for its thread, and deletes the segment; then the thread stores the object. For "
        "the metadata topic the segment is deleted, so Kafka never deletes the object, not with "
        "the topic either. No record is lost."
    ),
    needs=(
        "One replica is enough. A disable with delete while the leader copies a segment, and a "
        "thread that goes on after the interrupt of Future#cancel: the remote storage plugin "
        "ignores or retries interrupted requests. A plugin that fails at the interrupt, and "
        "stores nothing then, does not lead to it. The window is as long as the copy of one "
        "segment. No crash, no fault. Kafka 3.9 to 4.4."
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
        Passage(
            "KIP-950",
            "State Transitions",
            "If the topic was disabled with the remote.log.delete.on.disable=true option, all "
            "remote data is marked for deletion and it is inaccessible for read.",
        ),
    ),
    permitted_by=(
        "RemoteLogManager#stopPartitions cancels the tasks and does not wait for their threads. "
        "RLMCopyTask#copyLogSegment does not ask again whether it is cancelled. "
        "RemoteLogManager#deleteRemoteLogPartition lists the segments once. The KIP's text does "
        "not say that a removed task has ended before its remote log is deleted"
    ),
    assumptions=("A3",),
    story=Story(
        "cc490e",
        (
            ("start", ONE_REPLICA),
            (
                "1-5",
                "The leader's copy task chooses offset 0 and publishes COPY_SEGMENT_STARTED of "
                "id 0. Then its thread is in RemoteStorageManager#copyLogSegmentData.",
            ),
            (
                "6-8",
                "An operator disables remote storage with delete. The leader's metadata publisher "
                "gives the log the new settings.",
            ),
            (
                "9",
                "stopPartitions, on the thread of the metadata publisher, cancels the copy task "
                "and lists id 0 as a segment to delete. stopPartitions does not wait for the "
                "thread that copies id 0.",
            ),
            ("10-12", "The leader publishes DELETE_SEGMENT_STARTED of id 0."),
            (
                "13",
                "The leader deletes the object of id 0, which does not exist yet. The deletion "
                "succeeds, as RemoteStorageManager#deleteLogSegmentData is idempotent.",
            ),
            ("14-15", "The leader publishes DELETE_SEGMENT_FINISHED. The deletion is over."),
            ("16", "The copying thread stores the object of id 0."),
            (
                "end",
                "The object of id 0 is in the remote store. The metadata topic says "
                "DELETE_SEGMENT_FINISHED of id 0. The copy and expiration tasks are cancelled.",
            ),
            (
                "beyond",
                "The copying thread next publishes COPY_SEGMENT_FINISHED of id 0. Every metadata "
                "cache ignores it, as the segment is gone there. No later task lists id 0, nor "
                "does a re-enable or the deletion of the topic.",
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
        "(1) stopPartitions waits until the threads of the cancelled tasks have returned, before "
        "it lists the segments, and a cancelled copy cleans up: RLMCopyTask#copyLogSegment asks "
        "isCancelled before each step, and, if so, deletes its object. (From 4.0 on the clean-up "
        "after a RemoteStorageException leaves the object of a cancelled task.) (2) Nobody waits: "
        "stopPartitions leaves the expiration task scheduled, which passes over "
        'segmentIdsBeingCopied, and deletes what is listed (our report "One failed delete leaves '
        'objects of a disabled topic in the remote store, and nothing tries again"). A cancelled '
        "copy publishes nothing but its clean-up, as it asks isCancelled in one lock with each "
        "publication, and RLMTaskWithFuture#cancel does not interrupt: future.cancel(false), and "
        "the wait for the quota asks isCancelled. The model was tried with (1) and with (2). "
        "To ask isCancelled once after copyLogSegmentData, and to delete the object then, is not "
        "enough: until then the object of a deleted segment is in the store, a thread that is "
        "interrupted deletes nothing, and a cancelled copy can still begin. Left are a crash, a "
        "deletion that fails, and a request that the store completes after copyLogSegmentData has "
        "thrown. Until then: set local.retention.ms=-2 and local.retention.bytes=-2; then, in a "
        "second request, remote.log.copy.disable=true; wait for the longest upload; then disable "
        "with delete."
    ),
    costs=(
        "A copy that an election cancels is given up, where today the old leader finishes it. Of "
        "(1): as long as the call of the remote store that is under way, on the thread of the "
        "broker's metadata publisher, which already waits in stopPartitions for every deletion of "
        "the partition. Of (2): a re-enable waits for a run of the expiration task, and the "
        "metadata publisher for a publication that is under way."
    ),
    searched="(1)",
    stands_alone=True,
    proposal="proposal_expiration_task_of_every_leader_deletes",
    repair="repair_await_cancelled_threads",
    apart=("repair_delete_unfinished_copies",),
    shows="disable_deletes_everything",
    scope="alone_again",
)

REFUSED_DELETE = Finding(
    name="refused_delete_is_not_retried",
    title=(
        "One failed delete leaves objects of a disabled topic in the remote store, and nothing "
        "tries again"
    ),
    severity=Severity.LEAK,
    symptom=(
        "The remote store keeps objects of a disabled topic: the one whose delete failed, and "
        "those after it in the list. One error of the store is enough. The broker logs it, and "
        "does not try again: not while the topic is disabled, not after a restart, not when the "
        "topic is deleted. Only if tiering is enabled again, the expiration task takes the "
        "deletion up. No record is lost."
    ),
    needs=(
        "One replica is enough. One request to delete an object fails during a disable with "
        "delete. Or the listing fails, as while the metadata cache is not initialized "
        "(RemotePartitionMetadataStore throws ReplicaNotAvailableException): then all objects "
        "stay. No crash, no race. Kafka 3.9 to 4.4."
    ),
    tracker=(
        "KAFKA-15313, named in deleteRemoteLogPartition, asks to make this deletion asynchronous. "
        "We found nothing on a retry"
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
            "Therefore, all scheduled tasks for the topic-partition from the "
            "RemoteLogManagerScheduledThreadPool can be canceled.",
        ),
        STOP,
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
            "Any deletion failures will be picked up by the expiration threads which should be "
            "deleting data before the log start offset.",
        ),
    ),
    permitted_by=(
        "the KIP contradicts itself, and Kafka follows the first two passages. "
        "RemoteLogManager#stopPartitions cancels the expiration task, logs an error of the "
        "deletion, and does not try again. RemoteLogManager#deleteRemoteLogPartition ends at the "
        "first error"
    ),
    assumptions=("A3",),
    story=Story(
        "0984fc",
        (
            ("start", ONE_REPLICA),
            ("1-8", "The leader copies offset 0 as id 0, up to COPY_SEGMENT_FINISHED."),
            (
                "9-11",
                "An operator disables remote storage with delete. The leader's metadata publisher "
                "gives the log the new settings.",
            ),
            ("12-13", "The run of the copy task ends. stopPartitions cancels the tasks."),
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
                "With more segments, those before the failing one have lost their objects and "
                "stay in DELETE_SEGMENT_STARTED, too: DELETE_SEGMENT_FINISHED is published after "
                "the whole list. When the topic is deleted, ReplicaManager#stopPartitions passes "
                "only tiered logs on to RemoteLogManager.",
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
        "(1) The expiration task of the disabled partition stays scheduled, as the third passage "
        "says, and at each run deletes all that is listed, until nothing is left: also segments "
        "above the log start, of which that passage does not speak, as all remote data is to be "
        "deleted. DELETE_SEGMENT_STARTED is published for all before the first is deleted, as "
        "today (not modelled). A refused segment does not stop those after it, and "
        "DELETE_SEGMENT_FINISHED of each follows its object. In stopPartitions a repetition would "
        "block the metadata publisher. The deletion of a topic stays as it is: its local log is "
        "gone, so that no task could delete later. (2) RemoteLogMetadataManager#onStopPartitions "
        "and the removal of the topic's id come after the last deletion. (3) When the topic is "
        "deleted meanwhile, ReplicaManager#stopPartitions passes its log on as well. A re-enable "
        "waits for the end of the deletion, as a run could delete what is copied again, and the "
        'deletion until every replica has applied the disable (our report "Around a disable, a '
        "follower deletes locally what the leader deletes remotely, and is elected: records are "
        'lost": it needs that KIP). The model was tried with (1) and both waits, and with less: '
        "the broker that has begun the deletion repeats it until the store accepts. Who has the "
        "leak already: tier the topic again as read-only (remote.storage.enable=true, "
        "remote.log.copy.disable=true, local.retention.ms=-2, local.retention.bytes=-2), and "
        "disable it with delete again some minutes later. We have not tried that on a broker."
    ),
    costs=(
        "One task for the partition, and a request for each segment at each of its runs, as long "
        "as the store refuses. A re-enable waits for the end of a run. A restart forgets the "
        'task. For that, the fix of "After an '
        "election or a restart around a disable, no broker deletes the objects of the disabled "
        'topic" is needed as well.'
    ),
    repair="repair_retry_removal",
    searched="a broker that repeats the deletion",
    proposal="proposal_expiration_task_of_every_leader_deletes",
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
        "The remote store keeps objects of a disabled topic: all of the partition, if its leader "
        "restarts at the wrong time. The broker that leads when it applies the disable deletes, "
        "once, what its metadata cache lists. A follower deletes nothing, and a broker that "
        "becomes leader later, or starts up, does not try again. The deletion of the topic does "
        "not delete the objects either. Only if tiering is enabled again, expiration deletes them. "
        "No record is lost."
    ),
    needs=(
        "A disable with delete, and one of these. (a) The only in-sync replica restarts, or is "
        "down, before it has applied the disable: the steps below; a restart in good order does "
        "it. (b) The leader stops amid its deletion; the new leader has applied the disable as a "
        "follower. (c) Each broker is a follower when it applies the disable, because of an "
        "election. (d) A new leader applies the disable before it has read the last records of "
        "the metadata topic, usually for less than a second. No fault. Kafka 3.9 to 4.4."
    ),
    claims=(
        "disabled_topic_leaves_no_objects",
        "disabled_topic_is_emptied",
        "quiet_topic_holds_finished_segments_only",
        "expired_objects_are_deleted",
    ),
    passages=(
        STOP,
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
        "TopicConfigHandler#maybeUpdateRemoteLogComponents deletes when remote.storage.enable "
        "changes from true to false in the logs of a running broker. A broker that starts up "
        "loads the log with the new settings, so that nothing changes; "
        "RemoteLogManager#onLeadershipChange skips a log that is not tiered. When the topic is "
        "deleted, ReplicaManager#stopPartitions skips it, too. The last passage is of the "
        "Rejected Alternatives, rejected with the TopicRecord, and nothing replaces it"
    ),
    assumptions=("A3",),
    story=Story(
        "174b1d",
        (
            ("start", ONE_REPLICA),
            (
                "1-5",
                "The leader's copy task chooses offset 0 and publishes COPY_SEGMENT_STARTED of "
                "id 0.",
            ),
            ("6", "The copy task stores the object of id 0."),
            (
                "7",
                "An operator disables remote storage with delete, and the controller accepts it. "
                "The leader has not applied it yet, or is down.",
            ),
            (
                "8",
                "The leader restarts, here by a crash, and leads again. It loads the log with the "
                "new settings: remote storage is disabled.",
            ),
            (
                "end",
                "The broker has nothing left to apply. The object of id 0 is in the store, and "
                "the topic has no remote log task.",
            ),
            (
                "beyond",
                "That the copy is not finished plays no part: finished segments stay as well.",
            ),
        ),
    ),
    turning=8,
    late=("controller_alters_config",),
    fix=(
        "The leader of a disabled topic, also one newly elected or restarted, reads the metadata "
        "topic to its end and deletes what it lists, until nothing is listed. The KIP has the "
        "task: the expiration task stays scheduled after a disable and then unregisters itself "
        "(second passage). It would be scheduled in RemoteLogManager#onLeadershipChange for topics "
        "with remote.storage.enable=false and remote.log.delete.on.disable=true. An election "
        'cancels it. It needs the KIP of our report "Around a disable, a follower deletes locally '
        'what the leader deletes remotely, and is elected: records are lost", by which the '
        "controller tells the leader once every replica has applied the disable, and refuses a "
        "re-enable until all is deleted: a former leader that lags in metadata could otherwise "
        "list and delete what is copied after a re-enable. The model was tried with the task, with "
        "a leader that deletes until nothing is listed, and with a controller that accepts no "
        "re-enable before that is over (our fix of that report). Nothing keeps an operator from "
        "setting remote.log.delete.on.disable=false before the deletion is over: a leader elected "
        "after that deletes nothing. Until then: disable a topic with delete only while its "
        "leaders are up, and look into the store afterwards. Who has the leak: tier the topic "
        "again as read-only (remote.storage.enable=true, remote.log.copy.disable=true, "
        "local.retention.ms=-2, local.retention.bytes=-2), and disable it with delete again some "
        "minutes later."
    ),
    costs=(
        "After each election or restart, one read of the metadata partition for each topic with "
        "these settings, also for those that have been empty for long or were never tiered."
    ),
    repair="repair_delete_until_nothing_is_left",
    together_with=("repair_delete_unfinished_copies",),
    searched="a leader that deletes until nothing is listed",
    proposal="proposal_expiration_task_of_every_leader_deletes",
    shows="disable_deletes_everything",
    scope="restart",
)
