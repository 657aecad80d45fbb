"""What the cleaner of KIP-1272 cleans, and when: the register, continued."""

from tierproof.model.designs.kip1272.passages import DELETED_BY_RETENTION
from tierproof.model.language import Finding, Passage, Severity, Story

OF_CLEANING = (
    Finding(
        name="interrupted_copy_is_left",
        title=(
            "A crash during the upload of a compacted segment leaves its object and a segment in "
            "COPY_SEGMENT_STARTED"
        ),
        severity=Severity.LEAK,
        symptom=(
            "Each crash amid the upload of a compacted segment leaves an object that serves no "
            "reads. With cleanup.policy=compact it stays as long as the topic, as by the KIP no "
            "retention reaches it; with compact,delete until retention passes its offsets. The "
            "retry that the KIP relies on uploads under another id. Append-only logs have the same "
            "gap, but copy each segment once and expire; compaction uploads segments again and "
            "again. If the second quote means segments in COPY_SEGMENT_STARTED, too, which Kafka's "
            "cache counts among the unreferenced ones, the object is deleted; but then so are "
            "uploads that are still going on."
        ),
        needs=(
            "One replica is enough; a crash between COPY_SEGMENT_STARTED and "
            "COPY_SEGMENT_FINISHED of a compacted segment, that is during its upload. "
            "A compaction cycle uploads every segment that it rewrites."
        ),
        claims=("quiet_store_holds_finished_segments_only",),
        passages=(
            Passage(
                "KIP-1272",
                "Errors/Crashes during log compaction and later file swapping",
                "When there are errors during log compaction, the operation will be aborted and "
                "retried later, this is the existing behavior;",
            ),
            DELETED_BY_RETENTION,
        ),
        permitted_by=(
            "RLMExpirationTask#cleanupExpiredRemoteLogSegments lists a segment in "
            "COPY_SEGMENT_STARTED, but deletes it only once retention or the log start offset "
            "passes it. RLMCopyTask#copyLogSegment deletes what it has not finished after a "
            "RemoteStorageException, which a crash is not"
        ),
        assumptions=("F31",),
        story=Story(
            "174eb7",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offsets 0 and 1 have the same "
                    "key. They are copied, as id 0 and id 1, and only remote.",
                ),
                (
                    "1-5",
                    "The cleaner takes offset 0 as its first chunk and writes the segment anew. It "
                    "publishes COPY_SEGMENT_STARTED of the result, id 2.",
                ),
                ("6", "The cleaner stores the object of id 2."),
                ("7", "Broker 0 crashes, starts again and leads again."),
                ("8-12", "Broker 0 reads the metadata topic to its end."),
                (
                    "13-14",
                    "The copy task of broker 0 begins a run. It plays no part: no thread works on "
                    "id 2.",
                ),
                (
                    "end",
                    "The object of id 2 is in the store, and id 2 is in COPY_SEGMENT_STARTED.",
                ),
                (
                    "beyond",
                    "The next compaction cycle uploads the segment of offset 0 under another id, "
                    "and leaves id 2 as it is.",
                ),
            ),
        ),
        turning=6,
        fix=(
            "Have RLMExpirationTask delete a segment in COPY_SEGMENT_STARTED if it is of this "
            "broker (RemoteLogSegmentMetadata#brokerId) and two runs in a row have found no thread "
            "that uploads it, wherever it lies in the log (in one run an upload can end between "
            "the listing and the test). For this the cleaner notes the ids that it uploads, and "
            "keeps an id until it has read its COPY_SEGMENT_FINISHED, as a record that comes late "
            "has replaced the old segment by then (in the model every upload ends so), or gives it "
            'up at once if none was sent: see the fix of "RLMExpirationTask deletes a segment that '
            'the cleaner still uploads, and its object leaks". That is enough for these steps. A '
            "segment of another broker may still be uploaded by that broker. It can be deleted "
            'once late uploads and late records are refused: see the fix of "A late segment of an '
            "old leader passes the cleaner-offset fence and displaces the new leader's version\". "
            "The model was tried with both, and, for one broker, with the first part alone."
        ),
        costs=(
            "Before it deletes, the broker has to have read the metadata topic to its end, as "
            "COPY_SEGMENT_FINISHED may be there; after a restart RemoteLogMetadataManager#isReady "
            "says so. The task stops at an id that the cleaner has noted: during the upload, or, "
            "if nobody knows whether COPY_SEGMENT_FINISHED was appended, until a restart. With the "
            "first part alone, the object of a broker that no longer leads stays until it leads "
            "again. To refuse a late upload changes RemoteStorageManager, a public interface, and "
            "every plugin."
        ),
        repair="repair_delete_unfinished_copies",
        searched="both parts of the fix",
        stands_alone=True,
        proposal="proposal_delete_own_copies_that_were_cut_off",
        shows="cleaned_version_is_read_from_remote",
        scope="restart",
    ),
    Finding(
        name="copy_meets_the_cleaner",
        title="A remote segment gets the log file of one version and the index files of another",
        severity=Severity.UNAVAILABLE,
        symptom=(
            "The cleaner swaps the local files of a segment while the copy task uploads them: the "
            "object gets the log file of one version and the index files of the other, and "
            "COPY_SEGMENT_FINISHED is published. Once the segment is only remote, and if it is "
            "larger than index.interval.bytes (4 KiB by default), consumers can stop with a "
            "KafkaException (CORRUPT_MESSAGE), or silently skip committed records up to the next "
            "segment. It heals only when a later compaction cycle rewrites the segment. If the "
            "second quote is a rule, this cannot happen; but nothing in the KIP or in Kafka "
            "enforces it."
        ),
        needs=(
            "One replica is enough. The cleaner swaps a local segment during its upload, where the "
            "copy task lags behind the cleaner, and the RemoteStorageManager opens the files one "
            "after another. No crash, no fault. The harm to consumers needs an "
            "offset index with entries; the segments of the steps below have one record each."
        ),
        claims=("cleaned_keys_are_unique", "object_is_of_one_version", "cleaner_offset_is_remote"),
        passages=(
            Passage(
                "KIP-1272",
                "Change on Local Segment Retention/Deletion for Compacted Topics",
                "Compaction happens opportunistically when segments are still available locally",
            ),
            Passage(
                "KIP-1272",
                "Performance overhead of working with remote files in tiered storage",
                "The log segment file will need to be uploaded to remote tiered storage first "
                "before the segment file is cleaned.",
            ),
        ),
        permitted_by=(
            "RLMCopyTask#copyLogSegment hands paths (LogSegmentData) to "
            "RemoteStorageManager#copyLogSegmentData and holds no lock; UnifiedLog#replaceSegments "
            "renames other files to these paths meanwhile. LogCleanerManager#cleanableOffsets does "
            "not look at what is copied"
        ),
        assumptions=("F23",),
        story=Story(
            "ae78e2",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offsets 0 and 1 have the same "
                    "key, a segment each; nothing is copied.",
                ),
                (
                    "1-6",
                    "The copy task begins to copy the segment of offset 0 as id 0, and sends its "
                    "log file, which has offset 0.",
                ),
                (
                    "7-10",
                    "A first compaction cycle maps offset 0 and removes nothing.",
                ),
                (
                    "11-13",
                    "The next cycle maps offset 1, cleans the segment of offset 0 and swaps the "
                    "local files. The files at the same paths have no record now.",
                ),
                (
                    "14-16",
                    "The cleaner cleans the segment of offset 1, and writes its checkpoint: the "
                    "log is clean up to offset 2.",
                ),
                ("17", "The copy task sends the index files, which are those of the new version."),
                (
                    "18-21",
                    "The copy task publishes COPY_SEGMENT_FINISHED of id 0. Local retention raises "
                    "the local log start offset to 1.",
                ),
                (
                    "end",
                    "Fetches of offset 0 go to id 0, whose log file has offset 0 and whose index "
                    "files are of a version without it. The checkpoint says that offset 0 is "
                    "cleaned, though the removed record is served again.",
                ),
                (
                    "beyond",
                    "In a larger segment an entry of the offset index is a position in the new, "
                    "shorter log file, and may lie within a batch of the old one. "
                    "RemoteLogInputStream#nextBatch takes these bytes for a header: it throws "
                    "CorruptRecordException, or reads to the end of the file and returns null, and "
                    "RemoteLogManager#read goes on at the next segment.",
                ),
            ),
        ),
        turning=13,
        fix=(
            "Make a rule of the second quote: where the topic is tiered, "
            "LogCleanerManager#cleanableOffsets also ends at "
            "UnifiedLog#highestOffsetInRemoteStorage + 1. The copy task copies only above that "
            "offset, so both never work on the same segment while the broker leads. "
            '"A new leader removes local segments below the cleaner offset that were never copied" '
            "asks for the same. A copy that goes on after an election is not covered: a follower's "
            "cleaner has to skip a log while RemoteLogManager#segmentIdsBeingCopied has a segment "
            "of it. The "
            "model was tried with the rule for cleanableOffsets, and with a swap that waits while "
            "the copy task uploads files of the segment. We advise against that wait, as it would "
            "block a cleaner thread on a remote call."
        ),
        costs=(
            "highestOffsetInRemoteStorage is -1 after a restart until the copy task "
            "has run: nothing is cleaned until then. While uploads fail, or with "
            "remote.log.copy.disable=true, nothing above the remote log is compacted, and the "
            "local log grows."
        ),
        repair="repair_swap_waits_for_the_copy",
        searched="the rule for cleanableOffsets and the swap that waits",
        proposal="repair_clean_only_what_is_copied",
        apart=("repair_clean_only_what_is_copied",),
        shows="segment_is_read_from_remote",
        scope="uncopied",
    ),
)
