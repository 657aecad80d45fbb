"""What an election does in KIP-1272: the register, the worst first."""

from tierproof.model.language import Finding, Passage, Severity, Story

SWAP = "Swap Old/New Log Segment Files"
OFFSETS = "Persisting cleaner-offset-checkpoint to remote storage and Fencing off zombie broker"
OVERHEAD = "Performance overhead of working with remote files in tiered storage"
FOLLOWERS = "Compaction on the follower broker"

OF_LEADERS = (
    Finding(
        name="election_removes_what_is_only_local",
        title="A new leader removes local segments that were never copied",
        severity=Severity.LOSS,
        symptom=(
            "After an election committed records cannot be read: the new leader answers fetches of "
            "offset 1, which has the latest value of its key, with OFFSET_OUT_OF_RANGE, though its "
            "log start offset is 0, and consumers reset by auto.offset.reset. The only copy is in "
            "the local log of the old leader, which serves no reads, and which removes it by the "
            "same rule once it leads again. The new leader removes its local segments below the "
            "cleaner offset, also those that were never copied."
        ),
        needs=(
            "Two replicas and one election. The old leader has compacted up to a local segment "
            "that its copy task has not copied, and the election comes after the cleaner has "
            "copied another segment of that cycle and before the copy task copies this one: a copy "
            "task that lags is enough. No crash, no fault."
        ),
        claims=(
            "no_committed_record_lost",
            "committed_records_stay_readable",
            "remote_and_local_parts_are_contiguous",
            "latest_values_are_read",
            "cleaner_offset_is_remote",
        ),
        passages=(
            Passage(
                "KIP-1272",
                OFFSETS,
                "The follower also needs to remove its local log segments before the "
                "cleaner-offset-checkpoint to make its local content consistent with the remote "
                "storage.",
            ),
            Passage(
                "KIP-1272",
                OVERHEAD,
                "The log segment file will need to be uploaded to remote tiered storage first "
                "before the segment file is cleaned.",
            ),
            Passage(
                "KIP-1272",
                OFFSETS,
                "For this reason, broker A needs to persist its cleaner-offset-checkpoint to "
                "remote storage at the end of each compaction cycle.",
            ),
            Passage(
                "KIP-1272",
                OFFSETS,
                "The leader broker will publish out this list of cleanOffsets for each log "
                "segment it is uploading to remote storage.",
            ),
        ),
        permitted_by=(
            "LogCleanerManager#cleanableOffsets, which bounds the cleanable range by the last "
            "stable offset, the active segment and min.compaction.lag.ms, and not by what is "
            "copied. The KIP has the second quote as an overhead; none of its steps enforces it"
        ),
        assumptions=("F1",),
        story=Story(
            "ddf370",
            (
                (
                    "start",
                    "Broker 0 leads, broker 1 follows. Offsets 0 and 1 have the same key, a "
                    "segment each. Offset 0 is copied, as id 0, and clean; offset 1 is only local, "
                    "on both brokers.",
                ),
                (
                    "1-2",
                    "The cleaner of broker 0 puts offset 1 into the offset map, as its segment is "
                    "local, and cleans the segment of offset 0: its record is superseded.",
                ),
                (
                    "3-6",
                    "The cleaner copies the cleaned segment of offset 0 as id 1. The metadata of "
                    "id 1 say that leader epoch 0 is clean up to offset 2.",
                ),
                ("7", "Broker 0 publishes COPY_SEGMENT_FINISHED of id 1."),
                ("8-9", "The controller elects broker 1, which learns that it leads."),
                ("10-11", "The new leader reads the metadata topic to its end."),
                (
                    "12",
                    "The new leader resolves the cleaner offset, 2, and removes its local segments "
                    "below offset 2, as the KIP asks. The segment of offset 1 is one of them.",
                ),
                (
                    "end",
                    "Offset 1 is committed. No object has it, and the leader's local log begins at "
                    "offset 2. The only copy is in the local log of the old leader, which serves "
                    "no reads.",
                ),
                (
                    "beyond",
                    "If broker 0 is elected again, the same rule has it remove that copy too. "
                    "Offset 1 is only mapped here, not yet cleaned. If only the last segment of a "
                    "cycle publishes the new cleaner offset, the same search finds no lost "
                    "record; the old leader's own checkpoint still passes the end of the remote "
                    "log.",
                ),
            ),
        ),
        turning=12,
        fix=(
            "Make a rule of the second quote, for every replica: "
            "LogCleanerManager#cleanableOffsets also ends at "
            "UnifiedLog#highestOffsetInRemoteStorage + 1 where the topic is tiered. Then no "
            "cleaner offset lies above the end of the remote log, and what the first quote has a "
            "new leader remove is in the remote store. A second guard, which we have not explored: "
            "a new leader removes no local segment above the highest remote offset of its own "
            "lineage."
        ),
        costs=(
            "A segment is compacted only after it was copied, and is uploaded a second time then. "
            "The KIP accepts that where the second quote stands. A follower's "
            "highestOffsetInRemoteStorage may lag, or be -1 after a restart: it cleans less, or "
            "nothing, until it knows better. While the remote store is unavailable, compaction "
            "stops at the end of what is copied, and the local log grows."
        ),
        repair="repair_clean_only_what_is_copied",
        stands_alone=True,
        apart=("repair_claim_with_the_last_segment",),
        shows="cleaned_version_is_read_from_remote",
        scope="copying",
    ),
    Finding(
        name="follower_removes_the_tombstone",
        title="A follower's cleaner removes a tombstone, and after an election the key is back",
        severity=Severity.WRONG,
        symptom=(
            "A deleted key comes back: after an election a consumer that reads from the beginning "
            "gets its value and no tombstone. It heals if local retention of the new leader "
            "removes the segment; if the cleaner copies its local version first, the value stays "
            "until the key is written again. A follower's cleaner sees the local log alone, which "
            "has nothing older that the tombstone would delete."
        ),
        needs=(
            "Two replicas and one election. The value is only remote, its tombstone is still local "
            "and the follower cleans it twice, delete.retention.ms (a day by default) apart. In "
            "that time the leader does not clean so far. That is likely: its dirty ratio has the "
            "remote log in the divisor. No crash, no fault."
        ),
        claims=("no_deleted_key_comes_back", "tombstones_outlive_what_they_delete"),
        passages=(
            Passage(
                "KIP-1272",
                FOLLOWERS,
                "Instead the follower broker will only do log cleaning/compaction on its local "
                "log segment files.",
            ),
            Passage(
                "KIP-1272",
                "Message Deletion",
                "Tombstone records (value=null) are processed during compaction.",
            ),
            Passage(
                "KIP-1272",
                "Change on Local Segment Retention/Deletion for Compacted Topics",
                "Local segments are deleted when they exceed local.retention.ms/bytes, regardless "
                "of compaction status.",
            ),
            Passage(
                "KIP-1272",
                "cleanup.policy=compact",
                "When the retention policy is set to compact: we will remove local log "
                "segment file/indexes when all the messages in the file passed local.retention.ms "
                "and all messages in the file are cleaned (offset < cleaner-checkpoint).",
            ),
        ),
        permitted_by=(
            "Cleaner#doClean, which cleans the local segments from the first one on as the whole "
            "log; Cleaner#shouldRetainRecord, which drops a tombstone once its delete horizon is "
            "over. The last two quotes disagree: these steps have the first of them, by which "
            "offset 0 goes from the disk before the cleaner has come to it"
        ),
        story=Story(
            "7ab66e",
            (
                (
                    "start",
                    "Broker 0 leads, broker 1 follows. Offset 0 has a value of a key, offset 1 "
                    "the key's tombstone, offset 2 another key. All are copied, as ids 0, 1 and "
                    "2. Offset 0 is no longer local on either broker, the others are.",
                ),
                ("1", "The controller elects broker 1, which has not heard of it."),
                (
                    "2-5",
                    "Broker 1 cleans its local segments, as followers do: the tombstone at offset "
                    "1 gets its delete horizon.",
                ),
                (
                    "6",
                    "delete.retention.ms later the next run of its cleaner begins: the log is "
                    "dirty, as offset 2 is not cleaned.",
                ),
                (
                    "7-8",
                    "This run removes the tombstone from the local log of broker 1: no older "
                    "record of the key is local.",
                ),
                ("9", "Broker 1 learns that it leads."),
                (
                    "end",
                    "The new leader serves offset 0 from id 0, with the value, and offset 1 from "
                    "its local log, without the tombstone.",
                ),
                (
                    "beyond",
                    "The KIP then has the new leader take over the old leader's cleaner offset, 0: "
                    "no local segment is below it, and the tombstone does not come back by it. It "
                    "is visible again once local retention removes the segment of "
                    "offset 1, as id 1 still has it. If the new leader's cleaner copies its local "
                    "version of that segment first, the value stays until the key is written "
                    "again.",
                ),
            ),
        ),
        turning=8,
        fix=(
            "Say in the section of the first quote that a follower's cleaner neither drops a "
            "tombstone or a transaction marker of a tiered topic nor sets a delete horizon "
            "(Cleaner#shouldRetainRecord, Cleaner#shouldDiscardBatch), as what they delete may be "
            "only remote; aborted records may still go. With a horizon of its time as a follower, "
            "a new leader could drop a tombstone in the first pass that removes the value. "
            "LogCleaner does not know today whether its broker leads a partition; the KIP's two "
            "kinds of cleaning need that."
        ),
        costs=(
            "Tombstones and markers stay in a follower's local log until local retention removes "
            "their segments: local disk."
        ),
        repair="repair_followers_keep_tombstones",
        stands_alone=True,
        shows="follower_is_ahead_of_the_remote_tier",
        scope="followers",
    ),
    Finding(
        name="claim_comes_before_the_work",
        title="The first segment of a compaction cycle claims what the others have still to do",
        severity=Severity.WRONG,
        symptom=(
            "After an election a key has two records that no later compaction cycle removes until "
            "the key is written again, and consumers that read from the beginning get both. If the "
            "later one is a tombstone, the new leader's cleaner removes it delete.retention.ms "
            "later, and the deleted key is back. The first segment that a cycle copies claims the "
            "cleaner offset of the end of the cycle, and the others are not cleaned yet."
        ),
        needs=(
            "Two replicas and one election amid a compaction cycle, after its first segment is "
            "copied and before its last one is: minutes on a large partition, as each chunk "
            "rewrites the log from its start. No crash, no fault."
        ),
        claims=("cleaned_keys_are_unique",),
        passages=(
            Passage(
                "KIP-1272",
                OFFSETS,
                "The leader broker will publish out this list of cleanOffsets for each log "
                "segment it is uploading to remote storage.",
            ),
            Passage(
                "KIP-1272",
                OFFSETS,
                "Each uploaded segment contains the current cleanerOffset value for all leader "
                "epochs present in that segment, so the latest segment provides the checkpoint "
                "values (without needing to scan across multiple segments).",
            ),
            Passage(
                "KIP-1272",
                SWAP,
                "Publish RemoteLogSegmentMetadata with updated cleanerOffsets and leader epoch "
                "information",
            ),
            Passage(
                "KIP-1272",
                OFFSETS,
                "For this reason, broker A needs to persist its cleaner-offset-checkpoint to "
                "remote storage at the end of each compaction cycle.",
            ),
        ),
        permitted_by=(
            "RLMCopyTask#copyLogSegment, which publishes the metadata of each segment as soon as "
            "it is copied: a segment has no word on the rest of its cycle. The quotes disagree on "
            "what it claims: the updated offset, which is true only once the last segment of the "
            "cycle is copied, or the current one, which the previous cycle has reached. The KIP's "
            "table has the updated one"
        ),
        assumptions=("F1",),
        story=Story(
            "359679",
            (
                (
                    "start",
                    "Broker 0 leads, broker 1 follows. Offset 0 has one key, offsets 1 and 2 "
                    "have another. All are copied, as ids 0, 1 and 2, and only remote. The log is "
                    "clean below offset 2, so that the next cycle has one chunk: offset 2.",
                ),
                ("1", "The cleaner of broker 0 maps the key of offset 2, the chunk."),
                (
                    "2-3",
                    "The cleaner cleans the segment of offset 0 first, and begins to copy it as "
                    "id 3.",
                ),
                (
                    "4-7",
                    "The metadata of id 3 say that epoch 0 is clean below offset 3, the end of the "
                    "cycle. Broker 0 publishes COPY_SEGMENT_FINISHED of id 3.",
                ),
                ("8-9", "The controller elects broker 1, which learns that it leads."),
                ("10-11", "The new leader reads the metadata topic to its end."),
                ("12", "The new leader resolves the cleaner offset: offset 3."),
                (
                    "end",
                    "The new leader takes offsets 1 and 2 for clean, though both records of the "
                    "key are there.",
                ),
                (
                    "beyond",
                    "No later cycle maps this key unless it is written again, so that the record "
                    "at offset 1 stays. If offset 2 is a tombstone, the new leader's next cycle "
                    "gives it a delete horizon, and a cycle after delete.retention.ms removes it: "
                    "the deleted key is back. We replayed that with two records more.",
                ),
            ),
        ),
        turning=12,
        fix=(
            "Publish the new cleaner offset only with the last segment that the second pass over a "
            "chunk copies, once all others are COPY_SEGMENT_FINISHED. The others repeat the offset "
            "that the previous pass has reached, as the second quote has it. That last segment has "
            "to carry the offsets of all leader epochs of the pass: by the second quote a segment "
            "has only those of its own records."
        ),
        costs=(
            "A pass that an election interrupts is done again from its beginning, with its "
            "uploads. A pass that copies no segment publishes no offset, and the next leader does "
            "it again."
        ),
        repair="repair_claim_with_the_last_segment",
        stands_alone=True,
        shows="cleaned_version_is_read_from_remote",
        scope="claims",
    ),
)
