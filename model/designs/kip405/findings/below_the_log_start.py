"""Retention by size counts what the log start has passed, and deletes as much of the rest."""

from tierproof.model.language import Finding, Severity, Story

BELOW_THE_LOG_START = (
    Finding(
        name="segments_below_the_log_start_count",
        title=(
            "After DeleteRecords or a refused remote delete, retention by size deletes records "
            "within retention.bytes"
        ),
        severity=Severity.LOSS,
        symptom=(
            "Records within retention.bytes become unreadable: fetches of them are answered with "
            "OFFSET_OUT_OF_RANGE, and both tiers delete them. A run of the expiration task moves "
            "the log start past all segments that it is going to delete. If the run ends before "
            "it has deleted them, each later run counts those that are left once more, and moves "
            "the log start past as many bytes of the records above it. On brokers a store that "
            "refused deletes for three runs cost all that was remote. Nothing brings the records "
            "back."
        ),
        needs=(
            "One replica is enough; retention.bytes; two segments or more to delete at the same "
            "time, as after retention.bytes is lowered, or once a second segment is due while the "
            "store refuses to delete the first; and a deletion that the store refuses or does not "
            "answer. Before 4.0 one segment to delete is enough, as a segment in "
            "DELETE_SEGMENT_STARTED counts, too. By the code the same follows where the run ends "
            "for another reason: the broker crashes or another leader is elected amid the "
            "deletions. Without any fault, DeleteRecords does it in a partition that is above "
            "retention.bytes by a segment or more at that moment. Kafka 3.6 to trunk, by the "
            "code of 3.6.2, 3.7.2, 3.8.1, 3.9.2, 4.3.1 and 4.4.0."
        ),
        tracker=(
            "no issue is known to us; KAFKA-17062, KAFKA-20732 and KAFKA-20977 have mended other "
            "double counts of retention by size, and not this one"
        ),
        claims=(
            "no_committed_record_lost",
            "log_start_passes_only_what_may_go",
            "object_deleted_only_when_not_needed",
            "retention_counts_each_offset_once",
        ),
        permitted_by=(
            "RLMExpirationTask#buildRetentionSizeData, which counts every finished segment of the "
            "leader's lineage, also one that ends below the log start; and "
            "RemoteLogRetentionHandler#isSegmentBreachByLogStartOffset, which comes first, has "
            "such a segment deleted, and leaves remainingBreachedSize as it is, where "
            "#isSegmentBreachedByRetentionTime and #isSegmentBreachedByRetentionSize subtract the "
            "segment's size. A comment in #cleanupExpiredRemoteLogSegments says of a new leader "
            "that finds the log start moved that it deletes the same segments by log start; it "
            "deletes others by size, too"
        ),
        story=Story(
            "4f9a4f",
            (
                (
                    "start",
                    "The topic has one replica and seven records of one byte each: offsets 0 and "
                    "1, 2 and 3, and 4 and 5 in three rolled segments A, B and C, and offset 6 in "
                    "the active one. retention.bytes is 3, so that A and B are to be deleted, "
                    "and C is not. (The sizes are those of the model.)",
                ),
                ("1-9", "The leader copies A. Its highest remote offset becomes 1."),
                ("10-16", "The leader copies B. Its highest remote offset becomes 3."),
                (
                    "17-19",
                    "The expiration task counts 7 bytes, 4 more than retention.bytes: it is going "
                    "to delete A and B, and moves the log start to 4. The copy task begins with C.",
                ),
                (
                    "20-22",
                    "The expiration task publishes DELETE_SEGMENT_STARTED of A and reads it. The "
                    "store does not answer the request to delete the object of A: the run ends "
                    "with an exception, and B is not deleted.",
                ),
                ("23-28", "The leader copies C. Its highest remote offset becomes 5."),
                (
                    "29",
                    "The next run counts B, C and the active segment: 5 bytes, 2 more than "
                    "retention.bytes. A, in DELETE_SEGMENT_STARTED, does not count, and is "
                    "deleted again. B is below the log start, and is deleted for that "
                    "reason. The run still has 2 bytes to delete, and takes C.",
                ),
                ("30", "The expiration task moves the log start to 6."),
                (
                    "end",
                    "Fetches of offsets 4 and 5 are answered with OFFSET_OUT_OF_RANGE, although "
                    "the partition had 3 bytes above its log start, and may have 3.",
                ),
                ("beyond", "The expiration task goes on to delete the objects of A, B and C."),
            ),
        ),
        turning=30,
        fix=(
            "RLMExpirationTask#buildRetentionSizeData leaves out segments, remote and local, that "
            "end below the log start, and so does the sum behind isAllSegmentsValid "
            "(#calculateMetadataAndSize, since 4.3). A smaller change, which is not the one "
            "that was searched: RemoteLogRetentionHandler#isSegmentBreachByLogStartOffset "
            "subtracts the segment's size from remainingBreachedSize, as its two neighbours do. "
            "Workaround: set retention.bytes to -1 as soon as deletes are refused, and back once "
            "the store deletes again and the segments below the log start are gone."
        ),
        costs=(
            "A comparison for each segment. RemoteLogSizeBytes stays as it is if the metric keeps "
            "its own sum. No request, no format, and no public interface changes."
        ),
        repair="repair_count_from_the_log_start",
        together_with=("repair_count_remote_up_to_the_highest_remote_offset",),
        shows="segment_is_read_from_remote",
        scope="size_refused",
    ),
)
