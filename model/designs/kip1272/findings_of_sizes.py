"""What KIP-1272 permits where retention.bytes meets the cleaner: the register, continued."""

from tierproof.model.designs.kip1272.passages import (
    AS_FOR_APPEND_ONLY,
    COPIED_UNDER_A_NEW_ID,
    DELETED_BY_RETENTION,
)
from tierproof.model.language import Finding, Severity, Story

OF_SIZES = (
    Finding(
        name="both_versions_count",
        title=(
            "A replaced segment still counts in retention.bytes beside its replacement, and "
            "records are deleted too early"
        ),
        severity=Severity.LOSS,
        symptom=(
            "After each compaction cycle committed records within retention.bytes are deleted: "
            "the latest values of their keys are gone, and fetches of them are answered with "
            "OFFSET_OUT_OF_RANGE. Up to the size of the segments that the cycle has replaced is "
            "lost, oldest records first. The log says only that retention.bytes was breached, and "
            "nothing brings the records back."
        ),
        needs=(
            "cleanup.policy=compact,delete and retention.bytes; a topic that fills it, or nearly "
            "does. One replica is enough; nothing fails, and no race is needed: replaced segments "
            "are deleted by the expiration task, so the first run after a compaction cycle always "
            "finds both versions. (Today the lists by leader epoch omit most replaced segments. "
            "With KAFKA-20932 fixed, which their deletion needs, they have them. The sum of all "
            "finished segments, which the task takes since 4.3 once it has found all of them "
            "valid, has them already: see KAFKA-20026.)"
        ),
        claims=(
            "no_committed_record_lost",
            "log_start_passes_only_what_may_go",
            "object_deleted_only_when_not_needed",
            "retention_counts_each_offset_once",
            "latest_values_are_read",
        ),
        passages=(
            DELETED_BY_RETENTION,
            AS_FOR_APPEND_ONLY,
        ),
        permitted_by=(
            "RLMExpirationTask#buildRetentionSizeData adds the sizes of all finished segments of "
            "the leader's epochs that the metadata cache lists, and the cache lists those that "
            "another has replaced, too (the unreferenced ones); a run computes the size before it "
            "deletes them"
        ),
        assumptions=("F35",),
        story=Story(
            "cbc5e3",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offset 0 has a key of its own, "
                    "offsets 1 and 2 have the same key. Each is a segment of one byte, copied and "
                    "only remote: A, B and C. retention.bytes is 3, the size of the log. (The "
                    "sizes are those of the model.)",
                ),
                (
                    "1-2",
                    "The cleaner takes offset 0 as its first chunk, and keeps it, as no later "
                    "record has its key.",
                ),
                (
                    "3-6",
                    "It uploads the result as segment D: COPY_SEGMENT_STARTED, the object.",
                ),
                (
                    "7-8",
                    "It publishes COPY_SEGMENT_FINISHED of D. D serves offset 0 now, and A is "
                    "unreferenced.",
                ),
                ("9-11", "The pass ends. A is still there: the expiration task is to delete it."),
                (
                    "12",
                    "The expiration task runs. It counts A, B, C and D: 4 bytes, one more than "
                    "retention.bytes. It plans to delete D, which holds the oldest offset, and "
                    "to move the log start past it; and A, as it is unreferenced.",
                ),
                ("13", "It moves the log start to 1."),
                (
                    "end",
                    "Offset 0 is the latest record of its key and was within retention.bytes. It "
                    "cannot be read any more. The log has 2 bytes of 3.",
                ),
                (
                    "beyond",
                    "With each compaction cycle the same happens again, as long as the log nearly "
                    "fills retention.bytes. A cycle that replaces many segments counts all of them "
                    "twice.",
                ),
            ),
        ),
        turning=12,
        fix=(
            "Say in this section that a segment that another has replaced does not count in "
            "retention.bytes: RLMExpirationTask#buildRetentionSizeData leaves out what the "
            "metadata cache has as unreferenced. The sum of all finished segments, which it takes "
            "if isAllSegmentsValid is set (KAFKA-20026, 4.3), has to go. Or have a run delete "
            "replaced segments first, and compute the size after that (not explored)."
        ),
        costs=(
            "The cache has to tell referenced segments from unreferenced ones in "
            "RemoteLogMetadataManager#listRemoteLogSegments, which has no such field today. The "
            "remote store holds more than retention.bytes until the replaced segments are deleted, "
            "as it does with each swap."
        ),
        searched="a size of the segments that serve reads alone",
        shows="old_version_is_deleted",
        repair="repair_count_only_what_serves_reads",
        stands_alone=True,
        scope="sized",
    ),
    Finding(
        name="cleaner_publishes_what_has_expired",
        title=(
            "A compacted segment published below the log start counts in retention.bytes, and "
            "live records are deleted"
        ),
        severity=Severity.LOSS,
        symptom=(
            "Committed records within retention.bytes are deleted: fetches of them are answered "
            "with OFFSET_OUT_OF_RANGE, and nothing brings them back. Retention has expired a "
            "segment that the cleaner was rewriting; the rewritten segment lies below the log "
            "start, counts in retention.bytes all the same, and the next run of the expiration "
            "task deletes up to as much of the live log: segments that are no larger."
        ),
        needs=(
            "cleanup.policy=compact,delete and retention.bytes. One replica is enough, and nothing "
            "fails. The expiration task, which runs every 30 seconds by default, deletes a segment "
            "after the cleaner has begun with it, and before the cleaner has published its "
            "replacement. Each compaction cycle begins with the oldest segments, which expire "
            "first."
        ),
        claims=(
            "no_committed_record_lost",
            "log_start_passes_only_what_may_go",
            "object_deleted_only_when_not_needed",
            "retention_counts_each_offset_once",
        ),
        passages=(
            COPIED_UNDER_A_NEW_ID,
            AS_FOR_APPEND_ONLY,
        ),
        permitted_by=(
            "nothing in the KIP keeps the cleaner and RLMExpirationTask apart. On a log that is "
            "only local Kafka does: of a topic with compact,delete the cleaner threads delete old "
            "segments themselves, and LogCleanerManager marks a partition as in progress, so that "
            "it is not cleaned and expired at the same time (LogCleanerManager#deletableLogs). "
            "RLMExpirationTask#buildRetentionSizeData counts segments below the log start, too"
        ),
        assumptions=("F36",),
        story=Story(
            "c0b8a9",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offset 0 has a key of its own, "
                    "offsets 1 and 2 have the same key. Each is a segment of one byte, copied and "
                    "only remote: A, B and C. retention.bytes is 2, one less than the log has. "
                    "(The sizes are those of the model.)",
                ),
                (
                    "1-3",
                    "The cleaner takes offset 0 as its first chunk, keeps it, and begins to upload "
                    "the result as segment D.",
                ),
                (
                    "4-5",
                    "The expiration task runs. The log has 3 bytes: it plans to delete A, and "
                    "moves the log start to 1. That is as it should be.",
                ),
                ("6-8", "It publishes DELETE_SEGMENT_STARTED of A and deletes the object."),
                (
                    "9-12",
                    "The cleaner publishes COPY_SEGMENT_STARTED of D, uploads D, and publishes "
                    "COPY_SEGMENT_FINISHED.",
                ),
                ("13-16", "The expiration task publishes DELETE_SEGMENT_FINISHED of A, and ends."),
                ("17", "The upload of D is done, and D is no longer among the copies under way."),
                (
                    "18",
                    "The next run counts B, C and D: 3 bytes. It plans to delete D, as it lies "
                    "below the log start, which lowers no surplus; and then B, for the surplus.",
                ),
                ("19", "It moves the log start to 2."),
                (
                    "end",
                    "Offset 1 was within retention.bytes and cannot be read any more. The log has "
                    "1 byte of 2.",
                ),
            ),
        ),
        turning=18,
        fix=(
            "Do not count segments that end below the log start in retention.bytes, "
            "RLMExpirationTask#buildRetentionSizeData. We propose the same for Kafka as it is, "
            "where DeleteRecords or a refused delete does this harm, too. The model was also tried "
            "with turns: a pass of the cleaner and a run of the task never work on a partition at "
            "the same time. Then retention may wait long, as the cleaner goes from chunk to chunk."
        ),
        costs=(
            "One comparison for each segment. The task cannot use the sum of KAFKA-20026 (4.3). "
            "Not covered: a rewritten segment that is published "
            "after a run has added up the sizes, and before it lists the segments. If it is "
            "smaller than the old one, the run can delete too much, by at most the bytes that "
            "the cleaning saved. The model computes the plan in one step, and does not have this."
        ),
        searched="turns of the cleaner and of the expiration task",
        shows="segment_is_expired",
        repair="repair_retention_and_cleaning_take_turns",
        proposal="repair_count_from_the_log_start",
        stands_alone=True,
        scope="above_size",
    ),
)
