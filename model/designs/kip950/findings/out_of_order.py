"""What happens where record times do not follow the offsets."""

from tierproof.model.designs.kip950.findings.beginnings import TWO_REPLICAS
from tierproof.model.language import Finding
from tierproof.model.language.findings import Passage, Severity, Story

LOCAL_BEFORE_REMOTE = Finding(
    name="old_local_segment_expires_the_remote_log",
    title=(
        "In a read-only topic, one local segment past retention.ms expires all that is only remote"
    ),
    severity=Severity.LOSS,
    symptom=(
        "Records that are only in the remote tier become unreadable at once, also those that "
        "have not reached retention.ms: the log start moves past all of them, and consumers get "
        "OFFSET_OUT_OF_RANGE. The expiration task then deletes the objects. The KIP forbids it: "
        "in a read-only topic (remote.log.copy.disable=true) the remote log expires first. Kafka "
        "does not do what the KIP says: local retention looks at the local segments alone."
    ),
    needs=(
        "One replica is enough. remote.log.copy.disable=true; the largest timestamp of the "
        "oldest local segment is past retention.ms, and that of a remote segment before it is "
        "not. A backfill of old records that fills a segment is enough, or a producer whose "
        "clock is behind: message.timestamp.type=CreateTime is the default. retention.bytes does "
        "not lead to it: where the local segments alone exceed it, remote ones exceed it too. No "
        "election, no crash, no fault, no race. Kafka 3.9 to 4.4."
    ),
    tracker=(
        "KAFKA-17236 (PR 16765) gave read-only topics this local retention; its review discusses "
        "a check, hasRemoteLogs, that the merged code does not have. We found no issue on the loss"
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
        Passage(
            "KIP-950",
            "Re-enabling Tiered Storage",
            "Local logs are only expired if there is no data in remote storage, guaranteeing "
            "offset continuity during the re-enabling process.",
        ),
    ),
    permitted_by=(
        "local retention does not wait for the remote log. UnifiedLog#deletableSegments begins "
        "at the first local segment and, where copying is disabled, asks for nothing but that "
        "segment's retention. UnifiedLog#incrementStartOffset then raises the log start, where "
        "with copying it raises the local log start alone"
    ),
    assumptions=("A8",),
    story=Story(
        "4669ce",
        (
            (
                "start",
                TWO_REPLICAS + " Broker 1 plays no part. The record at offset 1 is older than the "
                "record at offset 0. local.retention.bytes keeps one record on each broker; no "
                "record has reached retention.ms.",
            ),
            ("1", "Time passes: offset 1 is past retention.ms, and offset 0 is not."),
            ("2-9", "Broker 0, the leader, copies offset 0 as id 0."),
            (
                "10",
                "The leader learns that offset 0 is in the remote tier, here from a run of its "
                "expiration task, which deletes nothing.",
            ),
            (
                "11-12",
                "Local retention by size deletes the local segment of offset 0. The local log "
                "start is 1.",
            ),
            (
                "13",
                "An operator sets remote.log.copy.disable=true, and local.retention.ms and "
                "local.retention.bytes to -2 as the validation asks.",
            ),
            ("14-15", "The leader gives the log its new settings: the topic is read-only."),
            (
                "16",
                "Local retention by time begins at the first local segment, that of offset 1, "
                "which is past retention.ms. As copying is disabled, the leader raises the log "
                "start, from 0 to 2, and the local log start with it.",
            ),
            (
                "end",
                "The log start is 2. Offset 1 has expired. Offset 0 has not reached retention.ms "
                "and is only in the remote tier; the leader does not serve it any more.",
            ),
            (
                "beyond",
                "The next run of the expiration task deletes the object of id 0, as it lies below "
                "the log start. Further remote segments would be given up in the same step.",
            ),
        ),
    ),
    turning=16,
    late=("controller_alters_config", "broker_applies_leadership", "broker_updates_log_config"),
    fix=(
        "(1) Where copying is disabled, UnifiedLog#deleteRetentionMsBreachedSegments and "
        "UnifiedLog#deleteRetentionSizeBreachedSegments delete nothing while the log start is "
        "below the first local segment. The expiration task raises the log start as the remote "
        "log expires, and local segments follow: the order of the passage. The model was tried "
        "with this alone, too. (2) A log start that is too low, as after a crash with an older "
        "checkpoint, must not stop local retention for good. Once a listing succeeds and holds no "
        "COPY_SEGMENT_FINISHED segment of the log's lineage, the expiration task raises it to the "
        "first local segment. (A read-only topic has no copy task, which would do so. "
        "RemoteLogManager#findLogStartOffset is no help: it counts segments that are being deleted "
        "and knows no upper bound, so it can pass local records.) The model was tried with both. "
        "Until then: make no "
        "topic read-only whose record times do not follow its offsets. Where one is read-only "
        "already, set retention.ms=-1 (with local.retention.ms=-2), or "
        "remote.log.copy.disable=false again: while copying goes on, local retention raises the "
        "local log start alone."
    ),
    costs=(
        "Disk: local segments of a read-only topic that are past their retention stay until the "
        "remote segments before them have expired, and as long as the remote metadata cannot be "
        "listed."
    ),
    repair="repair_expire_remote_segments_first",
    together_with=(
        "repair_followers_fetch_anew",
        "repair_delete_by_one_reading_of_settings",
        "repair_delete_once_all_have_disabled",
    ),
    proposal="proposal_expire_the_remote_log_first",
    shows="segment_is_expired",
    scope="retention",
    beside=("kafka_record_times_out_of_order",),
)
