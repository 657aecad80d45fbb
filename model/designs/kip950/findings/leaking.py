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
    title="A copy that the disable has cancelled goes on, and leaves an object that nobody deletes",
    severity=Severity.LEAK,
    needs=(
        "One replica; a disable while a segment is copied; a store that does not heed the "
        "interrupt, or a thread that is not at a wait. No crash. Seen on a broker of 4.4.0 with "
        "a slow store."
    ),
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
    ),
    permitted_by=(
        "RemoteLogManager#stopPartitions, which cancels and does not await; "
        "RLMCopyTask#copyLogSegment, which does not ask again whether it is cancelled; "
        "RemoteLogManager#deleteRemoteLogPartition, which lists once"
    ),
    assumptions=("A3",),
    story=Story(
        "2592eb",
        (
            ("start", ONE_REPLICA),
            ("1", "An operator disables remote storage and asks to delete the remote log."),
            ("2-3", "The leader gives the new settings to the log; its tasks still run."),
            ("4-8", "The copy task chooses offset 0 and publishes COPY_SEGMENT_STARTED."),
            (
                "9",
                "stopPartitions cancels the copy task, and lists the segment to delete it. The "
                "thread that copies it is not awaited.",
            ),
            ("10-11", "The leader publishes DELETE_SEGMENT_STARTED."),
            ("12-13", "It deletes the object, which is not there yet."),
            ("14-15", "It publishes DELETE_SEGMENT_FINISHED. The deletion is over."),
            ("16", "The copying thread, which does not look again, stores the object."),
            (
                "end",
                "The object is in the store, and every metadata cache has the segment as "
                "deleted. The expiration task is cancelled; no task finds the object again, not "
                "after a re-enable or the deletion of the topic either.",
            ),
        ),
    ),
    turning=15,
    fix=(
        "stopPartitions awaits the threads that it cancels before it lists. A cancelled copy looks "
        "at its flag before each step, and cleans up what it has begun."
    ),
    costs="The metadata publisher's thread, one for all partitions, waits for a call of the store.",
    repair="repair_await_cancelled_threads",
    apart=("repair_delete_unfinished_copies",),
    shows="disable_deletes_everything",
    scope="alone_again",
)

REFUSED_DELETE = Finding(
    name="refused_delete_is_not_retried",
    title="A delete that the store refuses once leaves the objects of a disabled topic",
    severity=Severity.LEAK,
    needs=(
        "One replica; the store refuses one deletion during the disable. No crash. Seen on a "
        "broker of 4.4.0: the objects stayed after a restart and the deletion of the topic."
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
        "RemoteLogManager#deleteRemoteLogPartition, which ends at the first error, and "
        "#stopPartitions, which gives the error to a handler that logs it"
    ),
    assumptions=("A3",),
    story=Story(
        "d7fd76",
        (
            ("start", ONE_REPLICA),
            ("1-3", "An operator disables remote storage with delete, and the log has the change."),
            ("4-10", "A run of the copy task that had begun before copies offset 0."),
            ("11-13", "The tasks are cancelled; the copy is finished and known to the leader."),
            ("14", "stopPartitions lists the segment of offset 0."),
            ("15-17", "The leader publishes DELETE_SEGMENT_STARTED and turns to the object."),
            ("18", "The store refuses the deletion. The removal ends."),
            ("19", "The metadata publisher logs the error and finishes its batch."),
            (
                "end",
                "The object of offset 0 is in the store, its segment in DELETE_SEGMENT_STARTED. "
                "While the topic is disabled no task deletes it. If the topic is tiered again, its "
                "expiration task does.",
            ),
        ),
    ),
    turning=18,
    fix=(
        "deleteRemoteLogPartition tries again until the store accepts; or the expiration task "
        "stays scheduled until nothing is left, as RemoteLogManager Change says."
    ),
    costs="A task that lives as long as the store refuses.",
    repair="repair_retry_removal",
    shows="disable_deletes_everything",
    scope="alone_failures",
)

NOBODY_DELETES = Finding(
    name="new_leader_deletes_nothing",
    title="After a leader change nobody deletes the objects of a disabled topic",
    severity=Severity.LEAK,
    needs=(
        "Two replicas; a leader change, and a disable that the new leader applies before it has "
        "read the metadata topic. No crash, no fault. The same where each broker applies the "
        "disable as a follower, or restarts after it."
    ),
    claims=(
        "disabled_topic_leaves_no_objects",
        "disabled_topic_is_emptied",
        "quiet_topic_holds_finished_segments_only",
    ),
    passages=(
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
        "at one moment; TopicConfigHandler#maybeUpdateRemoteLogComponents, which acts on a change "
        "and not on a state"
    ),
    assumptions=("A3",),
    story=Story(
        "2f81be",
        (
            ("start", TWO_REPLICAS),
            ("1-4", "The leader begins to copy offset 0: it publishes COPY_SEGMENT_STARTED."),
            ("5-6", "It stores the object."),
            ("7-9", "Broker 1 is elected. Broker 0 follows, and its tasks are cancelled."),
            ("10", "An operator disables remote storage with delete."),
            (
                "11",
                "COPY_SEGMENT_FINISHED of the old leader is refused, by the fence that mends "
                "another finding. The segment stays in COPY_SEGMENT_STARTED.",
            ),
            (
                "12-14",
                "The new leader applies the disable. It has read none of the metadata yet: its "
                "cache counts as complete since nothing was there when it was assigned.",
            ),
            ("15-17", "The old leader, a follower now, applies the disable, too."),
            ("18", "stopPartitions of the new leader lists no segment, and deletes none."),
            ("19", "stopPartitions of the follower deletes nothing, as followers do."),
            (
                "end",
                "Every broker has applied the disable, and the object of offset 0 is in the store. "
                "No task of the topic is left to find it.",
            ),
        ),
    ),
    turning=18,
    fix=(
        "The leader of a topic that is not tiered, new or restarted, reads the metadata topic to "
        "its end and deletes what is left: the rejected alternative 3 of the KIP."
    ),
    costs="A read of the metadata topic for each disabled topic after each leader change.",
    repair="repair_delete_until_nothing_is_left",
    shows="disable_deletes_everything",
    scope="voted",
)

TWO_CHANGES = Finding(
    name="two_changes_in_one_batch",
    title="A broker that applies two changes at once does not disable",
    severity=Severity.LEAK,
    needs=(
        "One replica; a broker that lags behind the cluster metadata (a pause of one second is "
        "enough), a disable with delete, and remote.log.delete.on.disable set back to false. Seen "
        "on brokers of 3.9.2, 4.3.1 and 4.4.0, by another way than this trace: LogManager "
        "validates the sum of the two changes again, refuses it, and the log stays tiered. The "
        "cluster says that the topic is disabled, and the broker copies on."
    ),
    claims=(
        "disabled_topic_copies_nothing_new",
        "disabled_topic_has_no_tasks",
        "TieringState_lifecycle",
        "disabled_topic_leaves_no_objects",
        "committed_records_stay_readable",
        "every_replica_can_take_over_without_remote",
        "no_unreadable_prefix_without_remote",
        "disabled_topic_is_emptied",
        "expired_local_segments_are_removed",
        "expired_objects_are_deleted",
        "records_become_readable",
    ),
    passages=(
        Passage(
            "KIP-950",
            "Rejected Alternatives",
            "In KRaft, it's not necessary because once the ConfigRecord is accepted by the "
            'controller, it must be applied by all the observers "in order".',
        ),
    ),
    permitted_by=(
        "BrokerMetadataPublisher#onMetadataUpdate, which applies the sum of the records of a "
        "batch; LogConfig#validateTurningOffRemoteStorageWithDelete, which lets "
        "remote.log.delete.on.disable go back to false once remote storage is off"
    ),
    story=Story(
        "76e549",
        (
            ("start", ONE_REPLICA),
            ("1", "An operator disables remote storage with delete."),
            ("2", "The operator sets remote.log.delete.on.disable back to false. It is accepted."),
            ("3", "The leader lagged, and takes both changes in hand in one batch."),
            (
                "4",
                "Their sum is a topic that is not tiered, without delete. No branch of the handler "
                "answers to it: no task is cancelled, nothing is deleted.",
            ),
            ("5-7", "The copy task goes on and chooses offset 0."),
            ("8", "The leader publishes COPY_SEGMENT_STARTED."),
            (
                "end",
                "Every broker has applied the disable, and the leader copies. What is in the "
                "remote tier stays there; while the log is not tiered, its fetches do not find it.",
            ),
        ),
    ),
    turning=4,
    fix=(
        "The handler is called for each change of the settings, and not for their sum; or a disable "
        "deletes whatever remote.log.delete.on.disable says by then."
    ),
    costs="One call of the handler for each record.",
    repair="repair_apply_settings_one_by_one",
    shows="disable_deletes_everything",
    scope="settings",
)
