"""The deletion of a topic."""

from tierproof.model.designs.kip405.findings.copies import ALONE, LEGAL
from tierproof.model.language import Finding, Severity, Story

DELETIONS = (
    Finding(
        name="deleted_topic_leaks",
        title=(
            "After the deletion of a topic its remote objects may stay, and no broker knows of them"
        ),
        severity=Severity.LEAK,
        symptom=(
            "Objects of a deleted topic stay in the remote store and cost their size: one object, "
            "or all of the partition where the store is down during the deletion. Nothing deletes "
            "them but an operator who compares the store with the topics that exist. Clients see "
            "nothing."
        ),
        needs=(
            "One replica, and a store that refuses one deletion; seen also with a crash during the "
            "deletion, and with the only replica down while the topic is deleted (4.4.0). Kafka "
            "3.9 to trunk."
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
                ("9-10", "The leader publishes DELETE_SEGMENT_STARTED of id 0, and reads it."),
                ("11", "The leader goes on to delete the objects."),
                ("12", "The cancelled copy ends without COPY_SEGMENT_FINISHED."),
                (
                    "13",
                    "The store refuses to delete the object. RemoteLogManager#stopPartitions logs "
                    "the error and forgets the metadata of the partition.",
                ),
                (
                    "end",
                    "The object of id 0 stays. No broker has a replica of the topic, and no task "
                    "or record makes a broker try again.",
                ),
                ("note", LEGAL),
            ),
        ),
        turning=13,
        fix=(
            "The controller marks the partition as to be deleted, with "
            "RemotePartitionDeleteMetadata, and the leader that it elected last reads the "
            "metadata topic to its end, deletes, and tries again until everything is deleted."
        ),
        costs=(
            "A partition that is deleted stays known to the controller, and to one broker, until "
            "its remote objects are gone."
        ),
        repair="repair_delete_topic_to_the_end",
        shows="segment_is_expired",
        scope="alone_deleted",
    ),
)
