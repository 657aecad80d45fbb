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
            "Objects of a deleted topic stay in the remote store for ever and cost their size: "
            "one object, or all of the partition where the store is down. An operator has to "
            "find them by comparing the store with the topics that exist. Clients see nothing. "
            "The leader tries to delete the remote log once, and forgets the partition after "
            "the first error."
        ),
        needs=(
            "One replica, and a store that refuses one deletion. Seen also with a crash during "
            "the deletion, and with the only replica down while the topic is deleted (4.4.0). "
            "Kafka 3.6 to trunk, by the code."
        ),
        tracker=(
            "no issue that notes it is known to us; KAFKA-15313, named in a comment of "
            "RemoteLogManager#stopPartitions, wants the deletion asynchronous, and would be the "
            "place for a retry"
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
            "The deletion of a partition is recorded, and tried again until it is done: "
            "DELETE_PARTITION_MARKED before the local log is deleted, DELETE_PARTITION_FINISHED "
            "once the store has deleted every object. "
            "RemoteLogMetadataManager#putRemotePartitionDeleteMetadata and "
            "RemotePartitionDeleteState are there for that, and nothing calls them. The javadoc "
            "has the controller mark the partition; a KRaft controller has no "
            "RemoteLogMetadataManager, so that the leader has to, and for a partition without a "
            "leader a replica that comes back. The model was tried with a controller that knows "
            "what is to be deleted, and a last leader that reads the metadata topic to its end, "
            "deletes, and tries again."
        ),
        costs=(
            "Two records for each deleted partition, and a task on one broker until the store "
            "has accepted every deletion. Plugins that leave the method empty have to fill it."
        ),
        repair="repair_delete_topic_to_the_end",
        shows="segment_is_expired",
        scope="alone_deleted",
    ),
)
