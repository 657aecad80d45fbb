"""Which log and which segments the cleaner of KIP-1272 chooses: the register, continued."""

from tierproof.model.language import Finding, Passage, Severity, Story

OF_CHOOSING = (
    Finding(
        name="half_of_the_log_is_never_dirty",
        title=(
            "localBytes + remoteBytes counts segments twice, and two sections disagree on local "
            "deletion"
        ),
        severity=Severity.STALL,
        symptom=(
            "Read to the letter, the formula counts a segment twice below the line while it is "
            "both local and remote. With C clean and D dirty bytes in both tiers the dirty ratio "
            "is D / (2C + 2D), at most 0.5, and min.cleanable.dirty.ratio, 0.5 by default, has to "
            "be exceeded. So such a log is not compacted, however dirty it is, and nothing is "
            "reported: both tiers grow, and consumers read every superseded record. It ends when "
            "local retention removes segments: by default local.retention.ms is retention.ms, "
            "7 days. It need not end if local segments also wait for the cleaner, as the last "
            "quote has it: then each waits for the other, until enough has rolled that is not "
            "copied yet. (Another section of the KIP deletes "
            'local segments "regardless of compaction status".)'
        ),
        needs=(
            "One replica is enough. All of the log is local and copied, "
            "min.cleanable.dirty.ratio is 0.5 (the default) or more, and max.compaction.lag.ms is "
            "unset (the default). While C is 0, one rolled segment that is not copied yet is "
            "enough to exceed 0.5; later such segments have to be larger than 2C together. "
            "No crash, no fault."
        ),
        claims=("dirty_tiered_log_is_cleaned",),
        passages=(
            Passage(
                "KIP-1272",
                "Find the Dirty Logs to Clean",
                "Calculate dirty ratio as cleanableBytes / (localBytes + remoteBytes) for tiered "
                "topics",
            ),
            Passage(
                "KIP-1272",
                "Dirty Ratio Calculation",
                "Query RemoteLogSegmentMetadata for all remote segments of the partition",
            ),
            Passage(
                "KIP-1272",
                "Deletion of local log segment file and indexes on "
                "local.retention.ms/local.retention.bytes trigger",
                "When the retention policy is set to compact: we will remove local log segment "
                "file/indexes when all the messages in the file passed local.retention.ms and all "
                "messages in the file are cleaned (offset < cleaner-checkpoint).",
            ),
        ),
        permitted_by=(
            "LogCleanerManager#grabFilthiestCompactedLog chooses a log only if its ratio exceeds "
            "min.cleanable.dirty.ratio, or if max.compaction.lag.ms is over. LogToClean divides "
            "by the bytes below the first uncleanable offset, each once"
        ),
        assumptions=("F15",),
        story=Story(
            "120ace",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offsets 0 and 1 have the same key, "
                    "a byte each. Both are copied and still local, and nothing is clean; "
                    "min.cleanable.dirty.ratio is 0.5.",
                ),
                (
                    "1-3",
                    "The cleaner never begins: 2 bytes are cleanable, there are 2 local and 2 "
                    "remote bytes, and 2 / (2 + 2) = 0.5 does not exceed 0.5. What runs, again "
                    "and again, is the expiration task; it finds nothing to do and plays no part.",
                ),
                (
                    "end",
                    "All of the log is dirty, and it is not cleaned, though all of it is local and "
                    "a compaction would need no download.",
                ),
                (
                    "beyond",
                    "Where local retention keeps a part of the log, the same sum raises the "
                    "threshold: with 100 GiB remote, of which 20 GiB are local, too, more than "
                    "0.5 * (100 + 20) = 60 GiB have to be dirty, and not 50.",
                ),
                (
                    "note",
                    "The property counts each offset once. By that count the ratio is 1, the log "
                    "is dirty in every state of the trace, and it is never cleaned.",
                ),
            ),
        ),
        turning=1,
        fix=(
            "Say in both sections that each offset counts once, and only below the first "
            "uncleanable offset, as LogToClean does today: a local segment with its size on disk, "
            "an offset that is only remote with the segmentSizeInBytes of the remote segment that "
            "serves it. In the example the ratio is then 2 / 2 = 1. Remote segments in "
            "COPY_SEGMENT_STARTED and those that compaction has replaced do not count. "
            "cleanableBytes has to count dirty segments that are only remote, too."
        ),
        costs=(
            "Tiered logs are compacted as often as local ones are, with the downloads and uploads "
            "of each cycle. The cached sum has to leave out what is also local, so it changes when "
            "local segments are deleted. Which segments are replaced, "
            "RemoteLogMetadataManager#listRemoteLogSegments does not say. LogCleanerManager has "
            "to ask remoteLogSegmentMetadata for each, or to subtract what each cycle replaces; "
            "a new leader has to compute the sum anew."
        ),
        repair="repair_ratio_counts_each_offset_once",
        proposal="proposal_ratio_of_clean_and_cleanable_bytes",
        stands_alone=True,
        scope="ratio",
    ),
    Finding(
        name="nothing_fits_into_a_chunk",
        title=(
            "A dirty segment larger than the chunk size fits into no chunk, and its log is not "
            "compacted"
        ),
        severity=Severity.STALL,
        symptom=(
            "As the text stands, a dirty log is not compacted while its next dirty segment is "
            "larger than the chunk size: no segment fits, so no chunk is formed. If "
            "log.segment.bytes is the limit, this does not end: a topic's own segment.bytes may be "
            "larger. If a third of the free disk is the limit, it ends when disk is freed: with "
            "segments of 1 GiB compaction of every such log stops while less than 3 GiB are free. "
            "Other logs suffer, too, if the cleaner leaves the log and goes on: the log stays the "
            "dirtiest and is chosen again, so the only cleaner thread (the default) may never "
            "reach less dirty logs, such as those of the offsets topic. No error says so; the "
            "metric max-dirty-percent stays high."
        ),
        needs=(
            "One replica is enough. A segment is larger than log.segment.bytes (a topic may have "
            "a larger segment.bytes, or log.segment.bytes was lowered), or larger than a third of "
            "the free disk, as in these steps. No crash, no fault."
        ),
        claims=("dirty_tiered_log_is_cleaned",),
        passages=(
            Passage(
                "KIP-1272",
                "Chunked Two Pass Compaction",
                "Chunk size is defined as min(log.segment.bytes, available_disk_space / 3).",
            ),
            Passage(
                "KIP-1272",
                "Chunked Two Pass Compaction",
                "Select next N segments (local or remote) fitting within chunk size",
            ),
            Passage(
                "KIP-1272",
                "Performance overhead of working with remote files in tiered storage",
                "Instead of downloading all dirty segments at once, the cleaner will download a "
                "bounded set of remote segments (fitting within loca.segment.bytes limits), "
                "process them into the standard OffsetMap, and then release the local disk space "
                "before downloading the next chunk.",
            ),
        ),
        permitted_by=(
            "Cleaner#groupSegmentsBySize always takes at least one segment into a group, whatever "
            "its size; of a chunk the KIP does not say so. "
            "LogCleanerManager#grabFilthiestCompactedLog chooses the log with the highest dirty "
            "ratio. No setting is called loca.segment.bytes or local.segment.bytes; if the third "
            "quote means another limit, a segment larger than that does not fit either"
        ),
        assumptions=("F16",),
        story=Story(
            "d3a2e9",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offsets 0 and 1 have the same key, "
                    "a segment each, and are copied. The chunk size is smaller than either "
                    "segment; here a third of the free disk is the limit.",
                ),
                (
                    "1-2",
                    "Local retention removes both segments; the active segment is empty. This "
                    "plays no part, as segments that are local have to fit, too.",
                ),
                (
                    "3-5",
                    "The cleaner selects as many segments as fit into a chunk, which is none, and "
                    "cleans nothing. What runs, again and again, is the expiration task; it plays "
                    "no part.",
                ),
                ("end", "All of the log is dirty, and it is not cleaned."),
                (
                    "beyond",
                    "With log.segment.bytes of 1 GiB and a topic's segment.bytes of 2 GiB - 1 "
                    "every full segment of the topic is too large, whatever the disk has. If "
                    "local segments wait for the cleaner, as the KIP says of "
                    "cleanup.policy=compact in one of two places, the stall keeps the disk full.",
                ),
            ),
        ),
        turning=2,
        fix=(
            "Say that a chunk has at least one segment, as a group of Cleaner#groupSegmentsBySize "
            "does, and that the limit is the topic's segment.bytes. The disk needs a check of its "
            "own: before LogCleanerManager chooses a log, it compares the free space with three "
            "times the largest segment of the log, and leaves the log out of the choice while "
            "there is less, with a warning and a metric. The model was tried with a chunk of at "
            "least one segment, and with a disk that never fills up; we have not explored the rest."
        ),
        costs=(
            "A pass over a chunk of one segment takes up to three times its size on disk: the "
            "downloaded segment, an older segment and the output. Without the check a full disk "
            "raises an IOException, and the broker takes the whole log directory offline: worse "
            "than no compaction. With it compaction of that log still stops while the disk is "
            "full, but visibly, and other logs are cleaned."
        ),
        repair="repair_one_segment_is_a_chunk",
        proposal="proposal_one_segment_is_a_chunk_if_there_is_room",
        searched="a chunk of at least one segment",
        stands_alone=True,
        scope="disk",
    ),
)
