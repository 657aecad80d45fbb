"""Findings that cost something, or are a matter of the text."""

from tierproof.model.designs.kip950.findings.beginnings import (
    LITTLE_IS_LOCAL,
    ONE_REPLICA,
    STOP,
    TWO_REPLICAS,
)
from tierproof.model.language import Finding
from tierproof.model.language.findings import Severity, Story

NEW_LEADER_KEEPS = Finding(
    name="new_leader_keeps_deleted_records",
    title=(
        "A follower elected right after a disable keeps its old log start: the earliest offset "
        "goes back"
    ),
    severity=Severity.COST,
    symptom=(
        "After a disable with delete and an election the log start moves back: records that the "
        "old leader had given up are readable again. The new leader has not fetched the old "
        "leader's new log start, and still has such records locally. They take disk space until "
        "retention.ms or retention.bytes deletes them, for good where retention is unlimited. No "
        "record is lost. The KIP does not say that every replica knows the new log start; one "
        "sentence there may be all that is needed. (A follower without these records is worse: see "
        '"Beyond these steps".)'
    ),
    needs=(
        "Two replicas, of which the follower has more local segments than the leader. A disable "
        "with delete, and an election before the follower's next fetch brings the leader's new "
        "log start. The leader answers the fetch of a follower that has caught up within "
        "replica.fetch.wait.max.ms, half a second by default. No crash, no fault. Kafka 3.9 to "
        "4.4."
    ),
    claims=("expired_local_segments_are_removed",),
    passages=(STOP,),
    permitted_by=(
        "TopicConfigHandler#maybeUpdateRemoteLogComponents, which raises the log start of leaders "
        "alone; a follower takes the new log start from the answer to its next fetch"
    ),
    assumptions=("A6",),
    story=Story(
        "fd1fca",
        (
            ("start", TWO_REPLICAS + LITTLE_IS_LOCAL),
            ("1-9", "Broker 0, the leader, copies offset 0 as id 0."),
            (
                "10-11",
                "Local retention deletes the leader's segment of offset 0. Broker 1, the follower, "
                "keeps offset 0: broker 1 has not read the metadata of id 0, and local retention "
                "deletes only what a broker knows to be copied.",
            ),
            (
                "12-14",
                "An operator disables remote storage with delete. Both brokers read the change.",
            ),
            ("15", "The leader applies the disable and raises its log start to 1."),
            (
                "16-23",
                "A last run of the leader's expiration task deletes the object of id 0. That "
                "plays no part: otherwise stopPartitions would delete the object in step 26.",
            ),
            (
                "24",
                "The follower applies the disable. The follower has offset 0 locally, and log "
                "start 0.",
            ),
            ("25-28", "Both brokers stop their tasks. The follower has not fetched since step 15."),
            ("29-31", "The controller elects broker 1. Both brokers learn of the election."),
            (
                "end",
                "The new leader has offset 0 locally and log start 0; the log start of the old "
                "leader is 1. Nothing but retention.ms or retention.bytes raises the new leader's "
                "log start, and neither has been reached.",
            ),
            (
                "beyond",
                "Where local retention has deleted segments of the follower, too, the new leader's "
                "log start is below its first record. The offsets between the two are in neither "
                "log, and a fetch of them is answered with OFFSET_OUT_OF_RANGE, at each reset to "
                "the earliest offset, until the new leader restarts or local retention deletes a "
                "segment. The same happens if the old leader dies before it applies the disable, "
                "and the follower has applied it: then nobody raises the log start. The fix for "
                'that is the one of "After a disable, an in-sync follower with fewer local '
                'segments is elected, and the records that it lacks are lost".',
            ),
        ),
    ),
    turning=15,
    fix=(
        "We suggest a sentence in the KIP: a leader that is elected before it has fetched the log "
        "start of a disable may keep records below it. The model was tried with more: the log "
        "start of a disable becomes that of all in-sync replicas at once, and of a replica that "
        "gets in sync later. Kafka has no record that says so: PartitionChangeRecord would need "
        "a field for the log start, which the leader asks the controller to raise. To wait for "
        "the low watermark, as DeleteRecords does, does not help: a leader that is elected during "
        "the wait has the old log start."
    ),
    costs=(
        "The sentence costs nothing. The record: a new version of PartitionChangeRecord and of "
        "the leader's request, so a new metadata.version; one request for each disabled "
        "partition."
    ),
    repair="repair_raise_log_start_at_all_in_sync_replicas",
    searched="the log start raised at all in-sync replicas at once",
    shows="disable_deletes_everything",
    scope="voted",
)

CRASH_AMID_A_DELETION = Finding(
    name="crash_amid_a_local_deletion",
    title=(
        "KIP-950 step 4: a leader that restarts before it has applied a disable takes the log "
        "start from its disk"
    ),
    severity=Severity.TEXT,
    symptom=(
        "After a crash and a disable with delete the log start is lower than the leader's local "
        "log start was when the controller accepted the disable. The records between the two stay "
        "readable until retention.ms or retention.bytes deletes them; nothing is lost. The KIP "
        "does not say whether that is allowed. If it is, this report is void. We ask for no change "
        "of Kafka: a sentence in the KIP would do."
    ),
    needs=(
        "Only one in-sync replica. A disable with delete that the controller accepts, and a crash "
        "of the leader. Both fall between two statements of local retention: the local log start "
        "is raised, and the segment files are not renamed yet. These are milliseconds, longer if a "
        "power failure loses the renames. Kafka 3.9 to 4.4."
    ),
    claims=("expired_local_segments_are_removed",),
    passages=(STOP,),
    permitted_by=(
        "UnifiedLog#deleteSegments, which raises the local log start in memory and then removes "
        "the files; LogLoader#load and the constructor of UnifiedLog, which begin the local log at "
        "the first file that is there. A log that is not tiered has its log start at the local log "
        "start or above"
    ),
    assumptions=("A10",),
    story=Story(
        "4bcecf",
        (
            ("start", ONE_REPLICA + LITTLE_IS_LOCAL),
            ("1-9", "Broker 0, the leader, copies offset 0 as a remote segment (id 0)."),
            (
                "10",
                "Local retention raises the local log start to 1; the file of offset 0 is still "
                "there.",
            ),
            (
                "11",
                "An operator disables remote storage with delete. Offset 0 is below the local log "
                "start, so that the disable would raise the log start above it and delete the "
                "object. The local file is still there.",
            ),
            (
                "12",
                "The leader crashes and leads again, with the new settings. Its local log begins "
                "at the first file, that of offset 0, and its log start is 0.",
            ),
            (
                "13-14",
                "The leader reads __remote_log_metadata to its end and lists id 0 as a segment to "
                "delete. (That is the fix named above. In Kafka as it is, the leader deletes "
                "nothing here; the log start is the same.)",
            ),
            (
                "15-22",
                "The leader deletes the object of id 0 and its metadata, and then reads "
                "__remote_log_metadata no longer.",
            ),
            (
                "end",
                "The log start is 0, and offset 0 is in the local log and readable. Without a "
                "DeleteRecords, only retention.ms or retention.bytes deletes it.",
            ),
        ),
    ),
    turning=11,
    fix=(
        'We propose to add to step 4.2: "The log start offset becomes the local log start offset '
        "that the leader has when it applies the change, or when it loads its log after a restart. "
        "An unclean shutdown amid a local deletion can have lowered it; the records that come back "
        'stay readable until retention.ms or retention.bytes deletes them." A comment in '
        "UnifiedLog#maybeIncrementLogStartOffset accepts something similar: a log start that "
        "DeleteRecords has raised may be lost if all in-sync replicas shut down uncleanly before "
        "its next checkpoint. A change of Kafka would be possible: to write a checkpoint of the "
        "local log start before files are removed, and to remove what lies below it when the log "
        "is loaded. (The model was tried with this.) We advise against it: a truncation below the "
        "checkpoint would have to lower it, or records that belong to the log would be removed."
    ),
    costs=(
        "For the sentence none. The checkpoint is one more file in each log directory, written "
        "with each local deletion."
    ),
    repair="repair_write_local_log_start_through",
    searched="the checkpoint that we advise against",
    shows="disable_deletes_everything",
    scope="restart",
)

ELECTED_AMID = Finding(
    name="leader_elected_amid_a_disable_keeps_more",
    title=(
        "An election amid a disable can leave the log start below the old leader's local log start"
    ),
    severity=Severity.TEXT,
    symptom=(
        "That holds for this defect alone; our other reports on the design tell what the same "
        "steps do in Kafka as it is. A broker with more local segments is elected after the "
        "controller has accepted a disable. The log start after the disable is then lower than "
        "the old leader's local log start. The records between the two stay readable until "
        'retention deletes them. The KIP says "the Local Log Start Offset", and not whose.'
    ),
    needs=(
        "Two replicas, of which the follower has more local segments than the leader. An election "
        "after the controller has accepted the disable, before the old leader has applied it or "
        "before the follower has fetched the raised log start: usually well below a second "
        "(replica.fetch.wait.max.ms is 500 ms). No crash, no fault. Kafka 3.9 to 4.4."
    ),
    claims=("expired_local_segments_are_removed",),
    passages=(STOP,),
    permitted_by=(
        "TopicConfigHandler#maybeUpdateRemoteLogComponents, which takes the local log start of the "
        "broker that leads when it applies the change; a follower learns the log start by fetching"
    ),
    assumptions=("A6",),
    story=Story(
        "81d1c9",
        (
            ("start", TWO_REPLICAS + LITTLE_IS_LOCAL),
            ("1-9", "Broker 0, the leader, copies offset 0 as id 0."),
            (
                "10",
                "Local retention raises the leader's local log start to 1. Offset 0 is in the "
                "remote tier and in the local log of broker 1, the follower.",
            ),
            (
                "11",
                "An operator disables remote storage with delete. If broker 0 applied the disable "
                "as leader, the log start would be 1.",
            ),
            ("12", "The controller elects broker 1, before any broker has applied the disable."),
            ("13-14", "Each broker takes both records in one batch. Broker 1 leads."),
            (
                "15",
                "Broker 0, the old leader, applies the disable. (It leaves the in-sync replicas "
                'and drops its log, which begins after the log start: our fix for "After a '
                "disable, an in-sync follower with fewer local segments is elected, and the "
                'records that it lacks are lost". In Kafka as it is, it stays in sync.)',
            ),
            ("16-18", "The old leader fetches the log anew, and is in sync again."),
            (
                "19",
                "Broker 1, the new leader, applies the disable. Its local log start is 0, so its "
                "log start stays 0.",
            ),
            (
                "20-25",
                "Both brokers cancel their tasks. The new leader reads the metadata topic to its "
                "end, and lists id 0.",
            ),
            ("26-33", "The new leader deletes the object of id 0 and its metadata."),
            (
                "end",
                "The log start is 0, and both replicas have offset 0 locally. The disable as "
                "accepted in step 11 permitted to delete offset 0, and no broker deletes it.",
            ),
        ),
    ),
    turning=12,
    fix=(
        "The KIP adds to its sentence on the log start: each broker that leads when it applies "
        "the change takes its own local log start; followers learn it by fetching. After an "
        "election amid the disable the log start may therefore be lower than the old leader's "
        "local log start. (That there may be no broker which leads when it applies the change is "
        'our report "After an election or a restart around a disable, no broker deletes the '
        'objects of the disabled topic".)'
    ),
    unrepaired=(
        "no record is lost and no fetch fails. To give up the same records whoever leads, the "
        "change would have to carry an offset for each partition, which the controller does not "
        "know, and replicas would delete records that they could keep."
    ),
    scope="elections",
)
