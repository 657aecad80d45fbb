"""The deletion of a topic."""

from tierproof.model.designs.kip405.findings.copies import ALONE
from tierproof.model.language import Finding, Severity, Story

DELETIONS = (
    Finding(
        name="deleted_topic_leaks",
        title="After the deletion of a topic its remote objects may stay for ever",
        severity=Severity.LEAK,
        needs=(
            "One replica, and a store that refuses one deletion. Seen on Kafka 4.4.0, also with a "
            "crash amid the deletion and with the only replica down."
        ),
        claims=(
            "expired_objects_are_deleted",
            "quiet_store_holds_finished_segments_only",
            "metadata_records_are_legal_transitions",
        ),
        permitted_by=(
            "RemoteLogManager#stopPartitions and #deleteRemoteLogPartition: one attempt of one "
            "broker, over what its cache lists at that moment; "
            "RemoteLogMetadataManager#putRemotePartitionDeleteMetadata, which has no caller"
        ),
        story=Story(
            "ef47a0",
            (
                ("start", ALONE),
                ("1-6", "The leader begins to copy offsets 0 to 1, and stores the object."),
                (
                    "7-8",
                    "A user deletes the topic. The leader cancels the copy, lists the one segment "
                    "that it knows, and deletes its local log.",
                ),
                ("9-10", "It publishes DELETE_SEGMENT_STARTED, and reads it."),
                ("11", "It proceeds to the objects."),
                ("12", "The cancelled copy comes to its end."),
                (
                    "13",
                    "The store refuses to delete the object. stopPartitions logs the error and "
                    "forgets the metadata of the partition.",
                ),
                (
                    "end",
                    "The object stays. No broker has a replica of the topic, and no task or "
                    "record asks anybody to try again.",
                ),
            ),
        ),
        turning=13,
        fix=(
            "The controller marks the partition as to be deleted, with "
            "RemotePartitionDeleteMetadata, and the leader that it elected last reads the "
            "metadata topic to its end, deletes, and tries again until everything is deleted."
        ),
        costs="A partition that is deleted stays known until its remote objects are gone.",
        repair="repair_delete_topic_to_the_end",
        shows="segment_is_expired",
        scope="alone_deleted",
    ),
)
