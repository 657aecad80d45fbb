"""What an audit accuses: each class with what it means, where it comes from, and what to do.

`findings` are names of the register, `issues` public reports of Kafka and of plugins.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """The harm of a class, the worst first. A NOTE asks for nothing."""

    LOSS = "loss"
    STALL = "stall"
    COST = "cost"
    NOTE = "note"


@dataclass(frozen=True, kw_only=True)
class AccusationClass:
    """One class of accusations. `title` is a clause with the count before it: `3 segments ...`."""

    name: str
    title: str
    severity: Severity
    findings: tuple[str, ...] = ()
    issues: tuple[str, ...] = ()
    cause: str
    do: str
    do_not: str


LOSS, STALL, COST, NOTE = Severity.LOSS, Severity.STALL, Severity.COST, Severity.NOTE

CLASSES = (
    AccusationClass(
        name="record_without_object",
        title="finished segments whose object is not in the bucket",
        severity=LOSS,
        findings=("zombie_acts_on_remote_tier", "settings_change_amid_a_deletion"),
        cause="Someone deleted the object, or a replaced leader did; the metadata promises it.",
        do="Look for the object in the versions of the bucket and restore it under the same key.",
        do_not="Do not delete the records: a restored object is found through them.",
    ),
    AccusationClass(
        name="gap",
        title="ranges of offsets between remote segments that no segment serves",
        severity=LOSS,
        findings=(
            "deleted_offsets_count_as_copied",
            "old_epochs_cleanup_deletes_a_running_copy",
            "zombie_acts_on_remote_tier",
        ),
        issues=("KAFKA-15241", "KAFKA-15168"),
        cause="The range counted as copied, or its segment was deleted in the middle of the log.",
        do="See whether the local log of a replica has the range; if so, keep it (raise "
        "local.retention.*) and copy the records out. Nothing is lost if the log start is above.",
        do_not="Do not restart the leader first: its log start may move past the range.",
    ),
    AccusationClass(
        name="gap_to_local_log",
        title="ranges of offsets between the last remote segment and the local log start",
        severity=LOSS,
        findings=(
            "deleted_copies_still_count",
            "deleted_offsets_count_as_copied",
            "truncation_keeps_the_highest_remote_offset",
        ),
        cause="Local retention deleted records that counted as copied and were not.",
        do="Look for a replica whose local log still begins below, and copy the records out of it.",
        do_not="Do not restart the leader first: its log start may move past the range.",
    ),
    AccusationClass(
        name="overlap",
        title="finished segments that share offsets with another and count twice in "
        "retention.bytes",
        severity=LOSS,
        findings=("two_copies_of_a_segment_both_count", "zombie_acts_on_remote_tier"),
        issues=("KAFKA-17062", "KAFKA-20932"),
        cause="Two leaders copied the same offsets around an election; retention by size counts "
        "both copies, and deletes as many bytes too early.",
        do="Raise retention.bytes of the topic by the bytes given here until retention has "
        "deleted the copies.",
        do_not="Do not delete either object by hand: which of them serves reads differs by offset.",
    ),
    AccusationClass(
        name="unreachable",
        title="finished segments that no lookup can reach",
        severity=COST,
        findings=("two_copies_of_a_segment_both_count",),
        issues=("KAFKA-15168",),
        cause="A later copy took their place in the cache; they wait for retention.",
        do="Nothing, unless storage is dear: retention deletes them with their offsets.",
        do_not="Do not delete the object by hand while its record stands: retention would fail on "
        "it.",
    ),
    AccusationClass(
        name="listed_nowhere",
        title="finished segments that the cache lists nowhere, so that retention never sees them",
        severity=COST,
        findings=("replaced_segment_is_never_deleted",),
        issues=("KAFKA-20932",),
        cause="A segment with the same start replaced them while the epoch had ended later.",
        do="Upgrade once KAFKA-20932 is released; raise retention.bytes before: they count then.",
        do_not="Do not wait for retention: only the deletion of the topic finds them today.",
    ),
    AccusationClass(
        name="out_of_lineage",
        title="finished segments whose leader epochs are not in the lineage of the newest leader",
        severity=COST,
        findings=("truncation_keeps_the_highest_remote_offset",),
        issues=("KAFKA-15241",),
        cause="A leader that lost an unclean election, or a zombie, copied what was truncated.",
        do="Check whether the partition had an unclean election; the leader does not read them.",
        do_not="Do not count on retention: such a segment goes only once its epochs are over.",
    ),
    AccusationClass(
        name="file_missing",
        title="segments that lack one of their files in the bucket",
        severity=LOSS,
        cause="An index or the manifest is not beside its segment: fetches of it fail.",
        do="Restore the file from the versions of the bucket, or build the index from the segment.",
        do_not="Do not delete the segment: its records are there.",
    ),
    AccusationClass(
        name="size_differs",
        title="segments whose object has another size than their record says",
        severity=LOSS,
        cause="The object was cut, or written twice: reads near its end fail.",
        do="Compare with the versions of the bucket, and with a replica that has the segment "
        "locally.",
        do_not="Do not trust the tail of the object.",
    ),
    AccusationClass(
        name="without_producer_snapshot",
        title="segments without a producer snapshot in the bucket",
        severity=LOSS,
        findings=("old_segment_is_never_copied", "object_without_snapshot"),
        issues=("KIP-952",),
        cause="A replica that builds its state from such a segment fails, or forgets producers.",
        do="Keep a replica in sync that has its state; note which topics have such producers.",
        do_not="Do not put an empty snapshot there: it denies producers that exist.",
    ),
    AccusationClass(
        name="late_copy",
        title="copies that finished after their deletion had begun",
        severity=COST,
        findings=(
            "cancelling_is_no_barrier",
            "deletion_overtakes_a_copy",
            "old_epochs_cleanup_deletes_a_running_copy",
        ),
        cause="An upload that a disable or a new leader overtook went on; Kafka drops its record, "
        "and the object stays.",
        do="List the objects of this segment; delete those whose DELETE_SEGMENT_FINISHED is "
        "written.",
        do_not="Do not delete by offset: another segment may have the same one.",
    ),
    AccusationClass(
        name="illegal_transition",
        title="records that Kafka drops, as their state may not follow the one before",
        severity=COST,
        findings=("zombie_acts_on_remote_tier",),
        issues=("KAFKA-15479",),
        cause="Two brokers wrote about one segment, or a record between was lost.",
        do="See which brokers wrote the two records, and whether one no longer led then.",
        do_not="Do not rewrite the topic: brokers agree on what they drop.",
    ),
    AccusationClass(
        name="not_described",
        title="records of segments whose COPY_SEGMENT_STARTED was not read",
        severity=LOSS,
        findings=("migration_expires_live_segments", "compaction_removes_the_description"),
        issues=("KAFKA-19858", "KIP-1235"),
        cause="The metadata topic lost its beginning (retention, compaction, a lost replica), or "
        "not all of it was read.",
        do="Check that the topic has cleanup.policy=delete and retention.ms=-1, and read all its "
        "partitions.",
        do_not="Do not restart brokers before: their caches may still know what the topic lost.",
    ),
    AccusationClass(
        name="impossible_record",
        title="records that describe a segment as none can be",
        severity=LOSS,
        cause="An end below the start, or epochs that do not rise with offsets: a broker that "
        "reads it throws, and its consumer of the topic ends.",
        do="See who wrote it: no released broker does. Look for ConsumerTask in the brokers' logs.",
        do_not="Do not restart a broker that still knows its segments before you know more.",
    ),
    AccusationClass(
        name="copy_hangs",
        title="copies that began and neither ended nor were followed by another",
        severity=STALL,
        findings=("interrupted_copy_dangles",),
        issues=("Aiven-Open/tiered-storage-for-apache-kafka 820", "Aiven-Open/tiered-storage 596"),
        cause="The thread is in the plugin for ever, or the broker stopped: the partition is no "
        "longer copied, and its local log grows. Or its topic is gone: --topics says.",
        do="Look at a thread dump of the broker; restart it if the thread waits in the plugin.",
        do_not="Do not delete the object of this id while the broker runs: the copy may end.",
    ),
    AccusationClass(
        name="copies_fail",
        title="segments that were tried again and again, and never finished",
        severity=STALL,
        findings=("old_segment_is_never_copied", "segment_is_given_up_without_a_snapshot"),
        issues=("KIP-952", "Aiven-Open/tiered-storage-for-apache-kafka 699"),
        cause="The store refuses, or the segment has no producer snapshot: each attempt leaves "
        "records, and later segments are not copied.",
        do="Read the leader's log at these times for the exception of RLMCopyTask.",
        do_not="Do not shorten local.retention.*: these records are only local.",
    ),
    AccusationClass(
        name="copy_left",
        title="copies that never finished and were made again under another id",
        severity=COST,
        findings=("interrupted_copy_dangles", "unfinished_copy_expires_before_older_records"),
        issues=(
            "KAFKA-17062",
            "Aiven-Open/tiered-storage-for-apache-kafka 590",
            "Aiven-Open/tiered-storage 481",
        ),
        cause="A crash, an election or an error amid the upload; what was stored stays until its "
        "records pass retention.",
        do="Nothing urgent. The object costs its bytes until retention reaches its offsets.",
        do_not="Do not delete it while the broker that began it may still be uploading.",
    ),
    AccusationClass(
        name="deletion_unfinished",
        title="deletions that began and did not finish",
        severity=COST,
        findings=("refused_delete_is_not_retried", "deleted_topic_leaks"),
        issues=("KAFKA-17428",),
        cause="The store refused, or the broker stopped amid it. A leader retries from 4.0 on, "
        "unless the topic was deleted or tiering was disabled.",
        do="Look for RemoteStorageException in the leader's log; check the rights to delete.",
        do_not="Do not take the object for gone: DELETE_SEGMENT_STARTED says nothing of it.",
    ),
    AccusationClass(
        name="deleted_topic_remains",
        title="segments of deleted topics that were not deleted",
        severity=COST,
        findings=("deleted_topic_leaks", "new_leader_deletes_nothing"),
        issues=("KAFKA-15313", "KAFKA-15038"),
        cause="One refused deletion, a crash, or no leader at the moment of the deletion: nobody "
        "tries again.",
        do="Delete the objects under this topic id by hand, once the topic is known to be gone.",
        do_not="Do not delete by topic name: a new topic may have it. The id decides.",
    ),
    AccusationClass(
        name="object_without_record",
        title="objects whose segment no record names",
        severity=COST,
        findings=("object_comes_behind_its_tombstone",),
        issues=("Aiven-Open/tiered-storage-for-apache-kafka 590", "Aiven-Open/tiered-storage 481"),
        cause="Another cluster, an older metadata topic, or a copy whose record was lost.",
        do="Check that every partition of the metadata topic was read, and whose bucket it is.",
        do_not="Do not delete on this word alone: no record says that they may go.",
    ),
    AccusationClass(
        name="object_after_deletion",
        title="objects of segments whose DELETE_SEGMENT_FINISHED is written",
        severity=COST,
        findings=("cancelling_is_no_barrier", "deletion_overtakes_a_copy"),
        cause="The upload ended after the deletion, or the deletion left a file.",
        do="Delete these objects: no broker reads or deletes them again.",
        do_not="Do not delete others with the same offset: the id decides.",
    ),
    AccusationClass(
        name="unfinished_upload",
        title="multipart uploads that were never completed",
        severity=COST,
        issues=("Aiven-Open/tiered-storage-for-apache-kafka 481",),
        cause="An upload was interrupted; its parts cost storage and no listing of objects has "
        "them.",
        do="Set a lifecycle rule of the bucket that aborts incomplete uploads after some days.",
        do_not="Do not abort young ones: a copy may be under way.",
    ),
    AccusationClass(
        name="clocks_disagree",
        title="pairs of brokers whose clocks disagree",
        severity=COST,
        issues=("KAFKA-17995",),
        cause="A record has a time well before that of a record that another broker wrote before.",
        do="Check time synchronisation of these brokers; retention.ms and ages depend on it.",
        do_not="Do not trust ages below the difference.",
    ),
    AccusationClass(
        name="record_remains",
        title="records of copies and deletions that never ended, and whose objects are gone",
        severity=NOTE,
        findings=("interrupted_copy_dangles", "deleted_topic_leaks"),
        cause="The store has cleaned up, or a person has; the records stay in the topic.",
        do="Nothing.",
        do_not="Do not look for the objects: the listing has none of these segments.",
    ),
    AccusationClass(
        name="overlap_is_over",
        title="segments that counted twice in retention.bytes until one of two copies was deleted",
        severity=NOTE,
        findings=("two_copies_of_a_segment_both_count",),
        cause="Two leaders copied the same offsets. While both counted, retention by size may have "
        "deleted as many bytes too early.",
        do="If records are missed, compare the log start with retention.bytes at that time.",
        do_not="Do not look for the objects: they are deleted.",
    ),
    AccusationClass(
        name="versions_disagree",
        title="kinds of records that brokers write in different versions",
        severity=NOTE,
        findings=("migration_kills_old_consumers", "older_broker_ignores_the_disable"),
        cause="Brokers of different releases write the topic.",
        do="Finish the rolling upgrade.",
        do_not="Do not raise a feature level before.",
    ),
    AccusationClass(
        name="deletion_repeated",
        title="deletions that were written again after they had finished",
        severity=NOTE,
        findings=("dangling_deletion_is_done_twice",),
        cause="A retry runs once per leader epoch of the segment; brokers drop the records.",
        do="Nothing.",
        do_not="Do not take it for a second writer.",
    ),
    AccusationClass(
        name="other_records",
        title="records that no released Kafka writes",
        severity=NOTE,
        findings=("tombstone_kills_the_consumer", "partition_markers_add_up"),
        cause="Tombstones, or markers of deleted partitions: a build of KIP-1266, or a tool.",
        do="See who wrote them. A tombstone ends ConsumerTask of a released broker.",
        do_not="Do not compact the topic while released brokers read it.",
    ),
)

BY_NAME = {one.name: one for one in CLASSES}
