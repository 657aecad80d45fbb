"""What an election does in KIP-1272: the register, the worst first."""

from tierproof.model.language import Finding, Passage, Severity, Story

SWAP = "Swap Old/New Log Segment Files"
OFFSETS = "Persisting cleaner-offset-checkpoint to remote storage and Fencing off zombie broker"
OVERHEAD = "Performance overhead of working with remote files in tiered storage"
FOLLOWERS = "Compaction on the follower broker"

OF_LEADERS = (
    Finding(
        name="election_removes_what_is_only_local",
        title="A new leader removes local segments below the cleaner offset that were never copied",
        severity=Severity.LOSS,
        symptom=(
            "After an election the new leader answers fetches of "
            "offset 1, which has the latest value of its key, with OFFSET_OUT_OF_RANGE, though its "
            "log start offset is 0, and consumers reset by auto.offset.reset. The only copy is on "
            "the old leader, whose local retention removes it once later offsets are copied. The "
            "cause: a new leader removes its local segments below the cleaner offset, and that "
            "offset may pass what is copied. Two sentences of the KIP presume that it cannot (the "
            "last two quotes); no step of its algorithm makes sure of it."
        ),
        needs=(
            "Two replicas and one election. The old leader's cleaner has come to a local segment "
            "that the copy task has not copied, and has published another segment of that cycle; "
            "the election comes before the copy task copies the first. A copy task that lags is "
            "enough: it runs every 30 seconds by default, and a quota or a slow store delays it. "
            "No crash."
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
                OFFSETS,
                "The leader broker will publish out this list of cleanOffsets for each log "
                "segment it is uploading to remote storage.",
            ),
            Passage(
                "KIP-1272",
                "High-Level Design",
                "Before compaction, log segments (A/B/C) are already uploaded to remote storage; "
                "Some log segments (B2/C/D/E) are at the moment stored in the local filesystem.",
            ),
            Passage(
                "KIP-1272",
                OVERHEAD,
                "The log segment file will need to be uploaded to remote tiered storage first "
                "before the segment file is cleaned.",
            ),
        ),
        permitted_by=(
            "LogCleanerManager#cleanableOffsets, which bounds the cleanable range by the last "
            "stable offset, the active segment and min.compaction.lag.ms, and not by what is "
            "copied. The KIP does not change that"
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
                    "The cleaner of broker 0 maps offset 1, as its segment is local, and cleans "
                    "the segment of offset 0: its record is superseded.",
                ),
                (
                    "3-7",
                    "The cleaner copies the cleaned segment of offset 0 as id 1, and publishes "
                    "COPY_SEGMENT_FINISHED. By its metadata leader epoch 0 is clean below offset "
                    "2, the end of the cycle.",
                ),
                ("8-9", "The controller elects broker 1, which learns that it leads."),
                ("10-11", "The new leader reads the metadata topic to its end."),
                (
                    "12",
                    "The new leader resolves the cleaner offset, 2, and removes its local segments "
                    "below it, as the first quote asks. The segment of offset 1 is one of them.",
                ),
                (
                    "end",
                    "Offset 1 is committed. No object has it, and the leader's local log begins at "
                    "offset 2.",
                ),
                (
                    "beyond",
                    "The new leader's copy task goes on at offset 2, so that the gap stays. If "
                    "broker 0 is elected again, it removes its copy by the first quote. If only "
                    "the last segment of a cycle claims the new offset, the same search finds no "
                    "lost record.",
                ),
            ),
        ),
        turning=12,
        fix=(
            "Make a rule of the last quote, for every replica: LogCleanerManager#cleanableOffsets "
            "also ends at UnifiedLog#highestOffsetInRemoteStorage + 1 where the topic is tiered. "
            "And no segment is published with a cleaner offset above that: the checkpoint of a "
            "topic that was compacted before it was tiered lies above its copies. (In the model "
            "the first rule implies this one, as at the start nothing is clean that is not "
            "copied.) Then what a new leader removes by the first quote is in the remote store. A "
            "second guard, which we have not tried: a new leader removes no local segment above "
            "the highest remote offset of its own lineage, as UnifiedLog#deletableSegments would "
            "have it, through which the KIP does not send this removal. Alone it would leave "
            "segments below the cleaner offset that this broker may not have cleaned."
        ),
        costs=(
            "A segment is compacted only after it was copied. highestOffsetInRemoteStorage of a "
            "follower may lag, and is -1 after a restart: it cleans less, or nothing, until it is "
            "set. While the remote store is unavailable, or with remote.log.copy.disable=true, "
            "compaction stops at the end of what is copied, on followers, too."
        ),
        repair="repair_clean_only_what_is_copied",
        stands_alone=True,
        apart=("repair_claim_with_the_last_segment",),
        shows="cleaned_version_is_read_from_remote",
        scope="copying",
    ),
    Finding(
        name="follower_removes_the_tombstone",
        title=(
            "A follower's cleaner removes a tombstone whose older value is remote, and the key "
            "comes back"
        ),
        severity=Severity.WRONG,
        symptom=(
            "A deleted key comes back. After an election a consumer that reads from the beginning "
            "gets the key's value from the remote log, and no tombstone. Once the new leader's "
            "cleaner has uploaded its local segment, which lacks the tombstone, the value stays "
            "until the key is written again; only local retention, if it comes first, makes the "
            "tombstone visible again. A follower's cleaner takes its local log for the whole log, "
            "which has nothing older that the tombstone would delete."
        ),
        needs=(
            "Two replicas and one election. (A consumer that fetches from the follower, KIP-392, "
            "needs no election.) The value is only remote, its tombstone is still local. The "
            "follower cleans the tombstone's segment twice, delete.retention.ms (a day by default) "
            "apart, and the leader's cleaner does not come to it before the election. That is "
            "likelier if a follower's dirty ratio counts local bytes alone: the leader's divisor "
            "has the remote log, too. If both count the same, the leader's cleaner has to lag, for "
            "instance because it cannot fetch. No crash."
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
                "Same as existing code. Tombstone records (value=null) are processed during "
                "compaction.",
            ),
            Passage(
                "KIP-1272",
                OFFSETS,
                "The follower also needs to remove its local log segments before the "
                "cleaner-offset-checkpoint to make its local content consistent with the remote "
                "storage.",
            ),
            Passage(
                "KIP-1272",
                "High-Level Design",
                "For the log segments which still have a local presence (e.g. B2), we don’t have "
                "to fetch remote log segments.",
            ),
        ),
        permitted_by=(
            "Cleaner#doClean, which cleans the local segments from the first one on as the whole "
            "log; MemoryRecords#filterTo, which sets the delete horizon, and "
            "Cleaner#shouldRetainRecord, which drops a tombstone once it is over, whether or not "
            "it has seen an older record. The third quote does not help: it goes by the old "
            "leader's cleaner offset, which is not above the tombstone"
        ),
        assumptions=("F34",),
        story=Story(
            "6aa70d",
            (
                (
                    "start",
                    "Broker 0 leads, broker 1 follows. Offset 0 has a value of a key, offset 1 "
                    "the key's tombstone, offset 2 another key; a segment each. All are copied, as "
                    "ids 0, 1 and 2. Offset 0 is no longer local on either broker, the others are.",
                ),
                (
                    "1-4",
                    "Broker 1 cleans its local segments, as followers do. The chunk has one "
                    "segment: the tombstone at offset 1 stays, and gets its delete horizon.",
                ),
                (
                    "5-7",
                    "More than delete.retention.ms later the cleaner of broker 1 runs again, as "
                    "offset 2 is dirty (on a broker, as new records are). It removes the tombstone "
                    "from the local log.",
                ),
                ("8-9", "The controller elects broker 1, which learns that it leads."),
                (
                    "end",
                    "The new leader serves offset 0 from id 0, with the value, and offset 1 from "
                    "its local log, without the tombstone.",
                ),
                (
                    "beyond",
                    "By the text the new leader takes over the old leader's cleaner offset, 0, and "
                    "removes no local segment. Its next cycle reads the segment of offset 1 from "
                    "the disk (fourth quote), and has no tombstone to map: it keeps the value, and "
                    "uploads a version of offset 1 without the tombstone. If local segments wait "
                    "until they are cleaned, as the section on their deletion has it, the value "
                    "was cleaned and removed from the disk before the tombstone was written.",
                ),
            ),
        ),
        turning=7,
        fix=(
            "Say in the section of the first quote that a follower's cleaner keeps every tombstone "
            "and transaction marker of a tiered topic, and sets no delete horizon, as what they "
            "delete may be only remote; aborted records may still go. With a horizon of its time "
            "as a follower, a new leader would drop a tombstone in the first pass that removes the "
            "value. In Kafka these are Cleaner#shouldRetainRecord (tombstones), "
            "checkBatchRetention in Cleaner#cleanInto (markers) and MemoryRecords#filterTo (the "
            "horizon). CleanedTransactionMetadata#onControlBatchRead then has to keep the entry "
            "of the transaction index, which the model does not have. LogCleaner has to know "
            "whether its broker leads."
        ),
        costs=(
            "Tombstones and markers stay in a follower's local log until local retention removes "
            "their segments."
        ),
        repair="repair_followers_keep_tombstones",
        stands_alone=True,
        late=("controller_elects_leader",),
        shows="follower_is_ahead_of_the_remote_tier",
        scope="followers",
    ),
    Finding(
        name="claim_comes_before_the_work",
        title=(
            "cleanerOffsets published before the cycle completes can make a new leader skip dirty "
            "segments"
        ),
        severity=Severity.WRONG,
        symptom=(
            "After an election a key has two records, and no later compaction cycle removes the "
            "older one until the key is written again. If the later one is a tombstone, the new "
            "leader's cleaner removes it delete.retention.ms later, and the deleted key is back "
            "for consumers that read from the beginning; otherwise the older value only takes "
            "space. The cause: by one reading of the KIP, on which we ask below, the first segment "
            "that a cycle publishes claims the cleaner offset of the cycle's end, while the others "
            "are not cleaned yet. The other reading is safe."
        ),
        needs=(
            "Two replicas and one election amid a compaction cycle, after its first segment is "
            "published and before its last one is: minutes on a large partition, as each chunk "
            "rewrites the log from its start. The old leader does not finish the cycle: it has "
            "crashed, or its cleaner stops as it no longer leads (the KIP does not say whether it "
            "does). If it finishes, the claim comes true."
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
        ),
        permitted_by=(
            "RLMCopyTask#copyLogSegment, which publishes the metadata of each segment as soon as "
            "it is copied; it says nothing of the rest of a cycle. The quotes leave open what a "
            "segment claims amid a cycle: the updated offset, which is true only once the last "
            "segment of the cycle is published, or the current one, which the previous cycle has "
            "reached"
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
                    "The cleaner cleans the segment of offset 0 first, as the second pass begins "
                    "at the start of the log, and begins to copy it as id 3. (It has no key of the "
                    "chunk, but no bloom filter yet, or a false positive; a larger segment has "
                    "such a key.)",
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
                    "The new leader takes everything below offset 3 for clean, though offsets 1 "
                    "and 2 have the same key.",
                ),
                (
                    "beyond",
                    "If broker 0 does not clean offset 1 after all, no later cycle maps this key "
                    "unless it is written again: offset 1 stays. If offset 2 is a tombstone, the "
                    "new leader's next cycle gives it a delete horizon, and a cycle after "
                    "delete.retention.ms removes it: the deleted key is back. We replayed that "
                    "with two records more.",
                ),
            ),
        ),
        turning=12,
        fix=(
            "Publish the new cleaner offset only with the last segment that the second pass over a "
            "chunk copies, once all others are COPY_SEGMENT_FINISHED. The others repeat the offset "
            "that the previous pass has reached. The last segment has to carry the offsets of all "
            "leader epochs of the pass: by the second quote a segment has only those of its own "
            "records. They count once that segment is COPY_SEGMENT_FINISHED."
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
