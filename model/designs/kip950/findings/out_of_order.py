"""What happens where record times do not follow the offsets."""

from tierproof.model.designs.kip950.findings.beginnings import TWO_REPLICAS
from tierproof.model.language import Finding
from tierproof.model.language.findings import Passage, Severity, Story

LOCAL_BEFORE_REMOTE = Finding(
    name="old_local_segment_expires_the_remote_log",
    title=(
        "In a read-only topic one old local segment expires the whole remote log before its time"
    ),
    severity=Severity.LOSS,
    symptom=(
        "All records that are only in the remote tier are lost, though they have not reached "
        "retention.ms. The log start jumps past them: consumers get OFFSET_OUT_OF_RANGE, and the "
        "expiration task deletes their objects. In a read-only topic, local retention looks at "
        "the local segments alone, and raises the log start past the remote log when the oldest "
        "of them has expired."
    ),
    needs=(
        "One replica is enough. remote.log.copy.disable=true, and record times that do not "
        "follow the offsets: the oldest local segment is past retention.ms and a remote segment "
        "is not. A backfill, a mirrored topic, or a producer with a wrong clock is enough, as "
        "message.timestamp.type=CreateTime is the default. No election, no crash, no fault, no "
        "race. Kafka 3.9 to 4.4."
    ),
    claims=(
        "no_committed_record_lost",
        "log_start_passes_only_what_may_go",
        "object_deleted_only_when_not_needed",
        "local_segment_removed_only_once_copied",
        "highest_remote_offset_is_sound",
    ),
    passages=(
        Passage(
            "KIP-950",
            "Re-enabling Tiered Storage",
            "To ensure offset continuity, when tiered storage is disabled with a "
            "remote.log.copy.disable=true policy, logs are expired starting from the remote log "
            "start offset, and only after all segments from remote storage have expired, local "
            "logs are expired.",
        ),
    ),
    permitted_by=(
        "UnifiedLog#deletableSegments, which begins at the first local segment and asks, where "
        "copying is disabled, for nothing but its retention; UnifiedLog#incrementStartOffset, "
        "which then raises the log start and not the local log start"
    ),
    assumptions=("A8",),
    story=Story(
        "e7d6b3",
        (
            (
                "start",
                TWO_REPLICAS + " The record at offset 1 is older than the record at offset 0."
                " local.retention.bytes keeps one record on each broker; no record has reached"
                " retention.ms.",
            ),
            (
                "1",
                "An operator sets remote.log.copy.disable=true, and local.retention.ms and "
                "local.retention.bytes to -2 as the validation asks.",
            ),
            ("2", "Time passes: offset 1 is past retention.ms, and offset 0 is not."),
            (
                "3",
                "The metadata publisher reads the change; the log still has the old settings.",
            ),
            ("4-11", "Broker 0, the leader, copies offset 0 as id 0."),
            ("12", "A run of the leader's expiration task begins, and has nothing to delete."),
            ("13", "Local retention by size raises the local log start to 1."),
            ("14", "The leader gives the log its new settings: the topic is read-only."),
            ("15", "The leader removes the local segment of offset 0, as chosen in step 13."),
            (
                "16",
                "Local retention by time begins at the first local segment, that of offset 1, "
                "which is past retention.ms. As copying is disabled, it raises the log start, from "
                "0 to 2.",
            ),
            (
                "end",
                "The log start is 2. Offset 0 has not reached retention.ms and is only in the "
                "remote tier; the leader does not serve it any more.",
            ),
            (
                "beyond",
                "The next run of the expiration task deletes the object of id 0, as it lies below "
                "the log start. Had the remote tier more segments, all would be given up at once.",
            ),
        ),
    ),
    turning=16,
    fix=(
        "Where copying is disabled, UnifiedLog#deletableSegments yields nothing by size or time "
        "while the log start is below the first local segment. The expiration task raises the "
        "log start as the remote log expires, and local segments follow: the order that the "
        "KIP's section Re-enabling Tiered Storage promises. Until then: make no topic read-only "
        "whose record times do not follow its offsets; local.retention.ms and "
        "local.retention.bytes of -2 are safe there while copying goes on, as local retention "
        "then moves the local log start alone."
    ),
    costs=(
        "Disk: local segments of a read-only topic that are past their retention stay until the "
        "remote segments before them have expired. If the remote store refuses to delete, or the "
        "expiration task does not run, local segments stay as well."
    ),
    repair="repair_expire_remote_segments_first",
    shows="segment_is_expired",
    scope="retention",
    beside=("kafka_record_times_out_of_order",),
)
