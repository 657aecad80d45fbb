"""Retention by size counts records twice, in three ways, and deletes what is within the limit."""

from tierproof.model.language import Finding, Severity, Story

SIZES = (
    Finding(
        name="single_record_counts_twice",
        title=(
            "Backport KAFKA-20977: before 4.4.0 a single-record segment counts twice, and records "
            "are deleted too early"
        ),
        severity=Severity.LOSS,
        symptom=(
            "Records within retention.bytes are deleted in both tiers and lost: fetches of them "
            "are answered with OFFSET_OUT_OF_RANGE. What stays is at least retention.bytes less "
            "the size of one segment of a single batch, so that it matters where segments hold a "
            "batch each. 4.4.0 has the fix. Until then it happens whenever the highest remote "
            "offset is the base of a local segment, which then counts as remote and as local."
        ),
        needs=(
            "One replica is enough; a segment of a single record (or batch whose base offset is "
            "its last offset) that is copied last; an oldest segment no larger than that one "
            "plus what the partition has beyond retention.bytes, as where all segments hold a "
            "batch of one size. No crash, no fault. It lasts until a later segment is copied, or "
            "the local copy of this one is deleted: any run of the expiration task in that time "
            "does it. Kafka 3.6 (KAFKA-14888) to 4.3."
        ),
        tracker=(
            "KAFKA-20977 (PR 23246), fixed in 4.4.0 for the metric RemoteCopyLagSegments, "
            "which shows a copy lag of 1 for ever; the pull request names the inflated sum of "
            "retention by size, but not that records are deleted by it, which speaks for a "
            "backport to 4.3 and before"
        ),
        claims=(
            "log_start_passes_only_what_may_go",
            "no_committed_record_lost",
            "object_deleted_only_when_not_needed",
            "retention_counts_each_offset_once",
        ),
        permitted_by=(
            "before PR 23246 UnifiedLog#onlyLocalLogSegmentsSize, which takes segments from the "
            "highest remote offset on, an offset that is inclusive"
        ),
        story=Story(
            "6e73ff",
            (
                (
                    "start",
                    "The topic has one replica, with offset 0 in a rolled segment and offset 1 "
                    "in the active one, a byte each. retention.bytes is 2, so that no record "
                    "is to be deleted.",
                ),
                (
                    "1-6",
                    "The leader begins to copy offset 0, and stores the object.",
                ),
                (
                    "7-8",
                    "The leader publishes COPY_SEGMENT_FINISHED, and reads it.",
                ),
                (
                    "9",
                    "The highest remote offset becomes 0.",
                ),
                (
                    "10",
                    "The expiration task counts 1 byte of remote segments, and 2 bytes of "
                    "local ones that begin at offset 0 or later: 3 bytes, 1 more than "
                    "retention.bytes.",
                ),
                (
                    "11",
                    "The expiration task moves the log start to 1.",
                ),
                (
                    "end",
                    "A fetch of offset 0 is answered with OFFSET_OUT_OF_RANGE, although the "
                    "partition has 2 bytes and may have 2.",
                ),
                (
                    "beyond",
                    "The expiration task goes on to delete the object of offset 0.",
                ),
            ),
        ),
        turning=11,
        fix=(
            "UnifiedLog#onlyLocalLogSegmentsSize takes segments after the highest remote offset: "
            "> in place of >=, as KAFKA-20977 has it. The model was tried with that. What is "
            "left is a backport to the releases before 4.4. Until then a retention.bytes that is "
            "larger by segment.bytes keeps what it should."
        ),
        costs=(
            "A comparison of two numbers, as in 4.4: no format and no request. "
            "RemoteCopyLagBytes and RemoteCopyLagSegments change with it, which is the aim of "
            "KAFKA-20977. A local segment that begins at the highest remote offset and goes on "
            "past it, after an election between replicas that have rolled differently, does not "
            "count until it is copied. A topic at its limit keeps up to one segment more."
        ),
        repair="repair_count_local_above_the_highest_remote_offset",
        stands_alone=True,
        shows="segment_is_read_from_remote",
        scope="size_of_one",
    ),
    Finding(
        name="segment_counts_twice_while_it_is_recorded",
        title=(
            "A segment counts twice in retention.bytes just after its copy, and records are "
            "deleted too early"
        ),
        severity=Severity.LOSS,
        symptom=(
            "Records within retention.bytes are lost, up to one segment each time: the run that "
            "counts wrongly deletes the remote segment and moves the log start, below which local "
            "segments go, too. Fetches are answered with OFFSET_OUT_OF_RANGE. For up to 50 ms "
            "after each copy the segment is finished in the metadata cache and still above "
            "UnifiedLog#highestOffsetInRemoteStorage: a run of the expiration task in that time "
            "counts it as remote and as local. The next run counts correctly, and brings nothing "
            "back."
        ),
        needs=(
            "One replica is enough; a partition that holds at least retention.bytes (where all "
            "segments are of one size), the normal state of a partition limited by size; a run of "
            "the expiration task in those 50 ms. It runs in another thread, by default every 30 "
            "seconds: at most one copy in 600. No crash, no fault. Kafka 3.9 (since then copying "
            "and expiration are separate tasks) to trunk, by the code."
        ),
        tracker=(
            "no issue notes it; a broker of 4.4.0, with the fixes of other double counts "
            "(KAFKA-17062, KAFKA-20732, KAFKA-20977), shows it"
        ),
        claims=(
            "log_start_passes_only_what_may_go",
            "no_committed_record_lost",
            "object_deleted_only_when_not_needed",
            "retention_counts_each_offset_once",
        ),
        permitted_by=(
            "RLMCopyTask#copyLogSegment, which waits until COPY_SEGMENT_FINISHED is read "
            "(ConsumerManager#waitTillConsumptionCatchesUp looks every 50 ms), and only then calls "
            "UnifiedLog#updateHighestOffsetInRemoteStorage; "
            "RLMExpirationTask#buildRetentionSizeData, which counts the segments in "
            "COPY_SEGMENT_FINISHED (since 4.3, once isAllSegmentsValid is set, their sum) and the "
            "local ones above the highest remote offset. The segment is still in "
            "segmentIdsBeingCopied, but only the loop that chooses what to delete asks for that, "
            "and stops there, behind older segments"
        ),
        story=Story(
            "b36d03",
            (
                (
                    "start",
                    "The topic has one replica and five records of one byte each: offsets 0 and 1 "
                    "in a rolled segment, 2 and 3 in another, 4 in the active one. retention.bytes "
                    "is 5, so that no record is to be deleted. (The sizes are those of the model.)",
                ),
                (
                    "1-9",
                    "The leader copies the segment of offsets 0 and 1. Its highest remote offset "
                    "becomes 1.",
                ),
                (
                    "10-14",
                    "The leader copies the segment of offsets 2 and 3, and its copying thread "
                    "publishes COPY_SEGMENT_FINISHED.",
                ),
                (
                    "15",
                    "The broker's consumer reads COPY_SEGMENT_FINISHED, and both segments are "
                    "finished in the metadata cache. The copying thread still waits: the highest "
                    "remote offset is 1.",
                ),
                (
                    "16",
                    "The expiration task counts 4 bytes of finished remote segments (offsets 0 to "
                    "3), and 3 bytes of local segments above the highest remote offset (offsets 2 "
                    "to 4). Offsets 2 and 3 count twice: 7 bytes, 2 more than retention.bytes.",
                ),
                ("17", "To delete 2 bytes, the expiration task moves the log start to 2."),
                (
                    "end",
                    "Fetches of offsets 0 and 1 are answered with OFFSET_OUT_OF_RANGE, although "
                    "the partition has had 5 bytes and may have 5.",
                ),
                ("beyond", "The expiration task goes on to delete the object of offsets 0 and 1."),
            ),
        ),
        turning=17,
        fix=(
            "RLMExpirationTask calls findHighestRemoteOffset in each run, before it lists "
            "segments (KAFKA-20732 does it where the highest remote offset is unknown), and "
            "counts both tiers by what it finds: local segments that begin above it; remote "
            "segments that end at or below it. The "
            "sum behind isAllSegmentsValid (#calculateMetadataAndSize) leaves out the same "
            "segments, and the metric RemoteLogSizeBytes does not. The model "
            "was tried with that, also with copies that finish after the "
            "look-up. The highest remote offset of the log would do, too, but lags more: at a new "
            "leader, until its copy task has run, by all that was copied since its last follower "
            "task. To count, too, what ends below the local log start is "
            "right only if the local log start is read before the highest remote offset: a "
            "segment that is copied and given up locally after that counts in both tiers while "
            "its files are there. The code sums local segments before it walks over remote ones: "
            "a copy that ends in between counts twice, too, and is no longer in "
            "segmentIdsBeingCopied, and a copy that a previous leader finishes after this leader's "
            "last look-up never was, so that to leave out that set is not enough. Nor can the "
            "highest remote offset move before COPY_SEGMENT_FINISHED is published: local "
            "retention would delete a segment whose copy is not finished. Workaround: a "
            "retention.bytes that is larger by segment.bytes."
        ),
        costs=(
            "A look-up in the leader epochs for each run: in memory, or one call for each epoch "
            "in other plugins. A segment that finishes after it counts as local for one more run. "
            "Where deleted offsets count as copied, a run may count less and delete later. No "
            "request, no format, and no public interface changes."
        ),
        repair="repair_count_remote_up_to_the_highest_remote_offset",
        stands_alone=True,
        proposal="proposal_count_both_tiers_by_one_offset",
        shows="segment_is_read_from_remote",
        scope="size_of_two",
    ),
    Finding(
        name="two_copies_of_a_segment_both_count",
        title=(
            "Two remote copies of one segment both count in retention.bytes, and records are "
            "deleted too early"
        ),
        severity=Severity.LOSS,
        symptom=(
            "Records within retention.bytes are deleted from both tiers, and fetches of them are "
            "answered with OFFSET_OUT_OF_RANGE. An election during an upload leaves two finished "
            "copies of one segment, and retention by size counts both. For each such second copy "
            "the partition is kept one segment shorter than retention.bytes until the copies "
            "themselves expire. Nothing brings the records back."
        ),
        needs=(
            "Two replicas; a partition that holds at least retention.bytes (where all segments are "
            "of one size), the normal state of a partition limited by size; an election during an "
            "upload that the old leader still finishes. In 3.6 to 3.8 nothing stops that upload. "
            "From 3.9 on the old leader interrupts it when it learns of the election, so that the "
            "upload has to end before, or the plugin has to ignore the interrupt. No crash, no "
            "fault. Limit: if the new leader has already finished a later segment of the same "
            "epoch, no epoch lists the replaced copy (KAFKA-20932), and it counts only in the sum "
            "of isAllSegmentsValid (4.3, see below). Kafka 3.6 (KAFKA-14888) to trunk, by the code."
        ),
        tracker=(
            "no issue is known to us; a broker of 4.4.0, with the fixes of other double counts "
            "(KAFKA-17062: unfinished copies; KAFKA-20732 and KAFKA-20977: local segments), shows "
            "it"
        ),
        claims=(
            "log_start_passes_only_what_may_go",
            "no_committed_record_lost",
            "committed_records_stay_readable",
            "remote_and_local_parts_are_contiguous",
            "only_the_leader_publishes_copies",
            "only_the_leader_deletes",
            "retention_counts_each_offset_once",
            "records_become_readable",
        ),
        permitted_by=(
            "RLMExpirationTask#buildRetentionSizeData, which counts every segment in "
            "COPY_SEGMENT_FINISHED (before 4.0 also others) that "
            "RemoteLogMetadataManager#listRemoteLogSegments returns, if "
            "RemoteLogManager#isRemoteSegmentWithinLeaderEpochs accepts it: the second copy "
            "has the same leader epochs and passes. RemoteLogLeaderEpochState keeps a replaced "
            "copy in unreferencedSegmentIds, which the list includes. Since 4.3 (KAFKA-20026), "
            "once all segments are found valid (isAllSegmentsValid), the task takes the sum of all "
            "finished segments instead, which has both copies, too. retention.bytes is documented "
            "as the size to which a partition can grow; second copies are not mentioned"
        ),
        story=Story(
            "2639ab",
            (
                (
                    "start",
                    "The topic has two replicas, each with offsets 0 and 1 in a rolled segment "
                    "and offset 2 in the active one, a byte each. retention.bytes is 3.",
                ),
                (
                    "1-6",
                    "The leader, broker 0, begins to copy offsets 0 to 1 as id 0, and stores "
                    "the object.",
                ),
                (
                    "7-15",
                    "The controller elects broker 1, which learns that it leads. No copy is "
                    "finished, so that the new leader copies offsets 0 to 1 as id 1, and "
                    "stores a second object.",
                ),
                (
                    "16-19",
                    "Both brokers publish COPY_SEGMENT_FINISHED, the new leader first. Broker "
                    "0, the old leader, does not know of the election. The new leader reads "
                    "both records: one of the two ids serves reads, and both are "
                    "finished. The order of the two does not matter.",
                ),
                (
                    "20",
                    "The expiration task of the new leader counts 4 bytes of remote segments "
                    "and 1 byte of local ones: 5 bytes, 2 more than retention.bytes.",
                ),
                (
                    "21",
                    "The expiration task moves the log start to 2.",
                ),
                (
                    "end",
                    "Fetches of offsets 0 to 1 are answered with OFFSET_OUT_OF_RANGE, although "
                    "the partition has 3 bytes and may have 3.",
                ),
                (
                    "beyond",
                    "The expiration task goes on to delete the objects of both ids, the "
                    "second in a later run.",
                ),
            ),
        ),
        turning=21,
        fix=(
            "RLMExpirationTask#buildRetentionSizeData, and the sum of isAllSegmentsValid in "
            "#calculateMetadataAndSize, leave out a finished segment of the lineage whose offsets "
            "all lie in another one that counts: sorted by start offset, longest first, each that "
            "ends at or below the highest end seen. The metadata have the bounds, so that no "
            "plugin is called. The model was tried with that, with the repairs of the other "
            "reports: no record is lost (a replaced leader still publishes its copy). It was "
            "tried, too, with a sum that asks "
            "RemoteLogMetadataManager#remoteLogSegmentMetadata which copy serves reads. A copy "
            "that does not count still lowers the surplus when it is taken by time or size, "
            "which errs on the side of keeping. Not mended: segments that overlap in part, of "
            "leaders that have rolled at different offsets, each of which serves some "
            "reads; they count in full. Workaround: a retention.bytes that is larger by "
            "segment.bytes for each such copy."
        ),
        costs=(
            "One sort of the finished segments in each run; no look-up and no call of a plugin. "
            "RemoteLogSizeBytes stays as it is if the metric keeps its own sum. No public "
            "interface changes. Second copies take room in the store that retention.bytes does "
            "not limit, until their offsets are below the log start."
        ),
        repair="repair_count_only_what_serves_reads",
        searched="the sum of what serves reads",
        apart=("repair_fence_remote_metadata", "repair_delete_unfinished_copies"),
        shows="segment_is_read_from_remote",
        scope="size_copied_twice",
    ),
)
