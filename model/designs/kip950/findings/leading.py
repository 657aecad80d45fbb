"""Findings that lose committed records when the leader changes amid a disable, or after it."""

from tierproof.model.designs.kip950.findings.beginnings import (
    IN_ORDER_IS_ENOUGH,
    LITTLE_IS_LOCAL,
    STOP,
    TWO_REPLICAS,
    UNTIL_THEN,
)
from tierproof.model.language import Finding
from tierproof.model.language.findings import Passage, Severity, Story

FOLLOWER_LACKS_THE_BEGINNING = Finding(
    name="follower_misses_the_log_start",
    title=(
        "After a disable, an in-sync follower with fewer local segments is elected, and the "
        "records that it lacks are lost"
    ),
    severity=Severity.LOSS,
    symptom=(
        "A follower that has deleted more local segments than the leader stays in the in-sync "
        "replicas after a disable with delete. Once it is elected, the records that only the old "
        "leader has locally are lost. Consumers at `earliest` are stuck as well: the new leader's "
        "log start is below its first record, a fetch between the two gets OFFSET_OUT_OF_RANGE, "
        "and a reset leads there again, until the new leader restarts or retention deletes a "
        "segment."
    ),
    needs=(
        "Two replicas. A follower that has deleted more local segments than its leader, a disable "
        "with delete, and an election after it. Local retention runs on each broker by itself, so "
        "that replicas differ for up to log.retention.check.interval.ms after each local deletion. "
        "No crash, no restart, no race. Kafka 3.9 to 4.4. On brokers of 3.9.2, 4.3.1 and 4.4.0 the "
        "new leader's log start was seven offsets below its first record."
    ),
    claims=(
        "no_committed_record_lost",
        "committed_records_stay_readable",
        "every_replica_can_take_over_without_remote",
        "no_unreadable_prefix_without_remote",
        "records_become_readable",
    ),
    passages=(
        STOP,
        Passage(
            "KIP-950",
            "Data Expiry",
            "If tiered storage is disabled with remote.log.delete.on.disable=true or if there is "
            "no data in the remote storage, the expiration behaves the same as for non-tiered "
            "storage topics.",
        ),
    ),
    permitted_by=(
        "TopicConfigHandler#maybeUpdateRemoteLogComponents, which raises the log start of "
        "leaders alone, and to the leader's own local log start (the KIP's step is not limited "
        "to leaders); Partition#isFollowerOutOfSync, which compares log ends and not log starts; "
        "Partition#makeLeader, which leaves the log start as it is. In a topic that was never "
        "tiered every in-sync replica has all records from the log start on"
    ),
    assumptions=("A6",),
    late=(
        "controller_alters_config",
        "broker_applies_leadership",
        "broker_updates_log_config",
        "broker_cancels_tasks_first",
    ),
    story=Story(
        "28e2a4",
        (
            ("start", TWO_REPLICAS + LITTLE_IS_LOCAL),
            ("1-7", "Broker 0, the leader, copies offset 0 as id 0."),
            (
                "8-11",
                "Broker 1, the follower, reads that the copy of id 0 is finished. Local retention "
                "raises its local log start to 1. The leader's local retention has not run yet.",
            ),
            ("12", "An operator disables remote storage with delete."),
            (
                "13-16",
                "The follower applies the disable. As a follower it raises no log start: its log "
                "start is 0, and its local log begins at 1.",
            ),
            (
                "17-22",
                "The leader reads that the copy is finished, and applies the disable. Its local "
                "log begins at 0, so its log start stays 0. stopPartitions cancels its tasks and "
                "lists id 0 as a segment to delete.",
            ),
            ("23-31", "The leader deletes the object of id 0 and its metadata."),
            ("32-33", "The controller elects broker 1, which is in sync."),
            (
                "end",
                "The new leader's log start is 0 and its local log begins at 1. Offset 0 is in "
                "the local log of the old leader alone, which now follows.",
            ),
            (
                "beyond",
                "If the old leader is elected again, offset 0 is readable again. But once the new "
                "leader restarts, or retention deletes a segment there, its log start moves to "
                "its first record. The resets end, and the old leader takes that log start over "
                "and deletes offset 0.",
            ),
        ),
    ),
    turning=31,
    fix=(
        "(1) If the elected replica may decide what is kept: a replica that becomes leader of a "
        "topic whose tiering is disabled raises its log start to its first local offset, once the "
        "settings of the same delta are applied. The model was tried with it: nothing is "
        "unreadable then, and what only another replica has is lost at the election. (Were it a "
        "follower's at the disable, it would outlast a re-enable, and an election then would lose "
        "what is copied again: the model shows that, and none with (1).) (2) If the records must "
        "be kept: a replica whose log is not tiered any more, and begins after its log start, "
        "leaves the in-sync replicas (with more than two replicas one after the other), drops its "
        "log, and fetches from the log start on. It has to leave first, or it can be elected with "
        "an empty log. And it "
        "drops its log only once it has applied the newest election: an older one of itself would "
        "make the others truncate to its empty log. The model was tried with (2), and also with a "
        "follower that defers the disable and names its first local offset in Fetch: once the "
        "leader has applied the disable, it either takes the follower out of the in-sync replicas, "
        "or the follower takes over the leader's log start; only then the follower applies the "
        "disable. To apply it first is not enough: the follower can be elected before its next "
        "Fetch. It needs a KIP of its own: LogStartOffset of a Fetch is below the first record of "
        "such a follower, and DeleteRecords waits for it, so that a new field is needed. The "
        "thread of the metadata publisher must not wait: a follower that is elected meanwhile "
        "applies the disable as leader. " + UNTIL_THEN
    ),
    costs=(
        "Of (1): what only another replica has. Of (2): a new field in Fetch, request and "
        "response, so a new version of it. Each such follower fetches its leader's local log once "
        "more. These can be all followers of the topic; even one at a time, with "
        "min.insync.replicas=2 of two replicas producers with acks=all are refused meanwhile. (3) "
        "Simpler than (2): at a disable the leader raises its log start to the highest first local "
        "offset in the in-sync replicas. That deletes what some of them have; it was not tried."
    ),
    repair="repair_followers_fetch_anew",
    searched="(2)",
    shows="disable_deletes_everything",
    scope="voted",
)

ZOMBIE_DISABLES = Finding(
    name="zombie_disables_for_the_leader",
    title=(
        "KIP-950 step 4.2 does not say which broker raises the log start and deletes the remote log"
    ),
    severity=Severity.COST,
    symptom=(
        "A question first: does a replaced leader, which is not told of the election yet, decide "
        "what a disable gives up? The KIP does not say whose local log start counts (read "
        "literally, step 4.2 lets every broker use its own). The old leader deletes copied "
        "segments locally, applies the disable as leader, and raises its log start to its local "
        "log start. The new leader still fetches from it and takes that log start over, though it "
        "has the records below it locally. Its next retention check deletes them. No client can "
        "tell this from a disable that ended before the election. If the first broker decides that "
        "applies the disable while it takes itself for the leader (here broker 0), this report is "
        "void."
    ),
    needs=(
        "Two replicas. A disable with delete, and an election right after it; a preferred leader "
        "election is enough. Then, usually within milliseconds and before either broker has "
        "applied the election: local retention at the old leader, the disable at the old leader, "
        "and a fetch by the new leader. The old leader gets the disable and the election in two "
        "deltas of the metadata: of one delta BrokerMetadataPublisher applies the election first. "
        "(Had local retention run before the election, we would take the outcome for intended.) No "
        "crash, no fault. Kafka 3.9 to 4.4."
    ),
    claims=(
        "no_committed_record_lost",
        "log_start_passes_only_what_may_go",
        "committed_records_stay_readable",
        "no_unreadable_prefix_without_remote",
        "object_deleted_only_when_not_needed",
        "every_replica_can_take_over_without_remote",
        "new_leader_knows_the_log_start",
        "records_become_readable",
        "followers_get_in_sync",
    ),
    passages=(STOP, IN_ORDER_IS_ENOUGH),
    permitted_by=(
        "TopicConfigHandler#maybeUpdateRemoteLogComponents, which asks Partition#isLeader, the "
        "leadership that this broker has applied; ReplicaFetcherThread#processPartitionData, "
        "which takes the leader's log start over. The fetch is not fenced, as both brokers still "
        "have the old leader epoch. Every broker applies the records in order, but not all at the "
        "same time"
    ),
    assumptions=("A6",),
    late=("controller_alters_config", "controller_elects_leader", "broker_applies_leadership"),
    story=Story(
        "ad76ef",
        (
            ("start", TWO_REPLICAS + LITTLE_IS_LOCAL),
            (
                "1-9",
                "Broker 0, the leader, copies offset 0 as a remote segment (id 0), and reads that "
                "it is in the remote tier.",
            ),
            ("10", "An operator disables remote storage with delete. No broker has applied it."),
            (
                "11",
                "The controller elects broker 1. The record of the election follows that of the "
                "disable.",
            ),
            (
                "12",
                "Broker 0, the old leader, has applied neither. Local retention raises its local "
                "log start to 1.",
            ),
            (
                "13-14",
                "The old leader applies the disable, and not yet the election. As it takes itself "
                "for the leader, it raises its log start to 1, by the fix named above at once with "
                "the settings. (In Kafka as it is the settings change first; the outcome is the "
                "same.)",
            ),
            (
                "15",
                "The new leader, which does not know yet that it leads, fetches from the old "
                "leader and takes the log start 1 over.",
            ),
            (
                "16-18",
                "The new leader applies the election. It has the disable in the same delta and "
                "applies it next.",
            ),
            (
                "end",
                "The log start is 1. Offset 0 is in the local log of the new leader and in the "
                "remote tier. As it is below the log start, a fetch of it is answered with "
                "OFFSET_OUT_OF_RANGE.",
            ),
            (
                "beyond",
                "The new leader applies the disable, also as leader; its log start is 1 already, "
                "so that this changes nothing. Its next retention check deletes the segment of "
                "offset 0, which is below the log start. The old leader's stopPartitions, called "
                "right after step 14, deletes the object; in these steps it has not got that far.",
            ),
        ),
    ),
    turning=15,
    fix=(
        "The KIP should say whose local log start counts. We advise: that of the first broker that "
        "applies the disable while it takes itself for the leader. Then nothing else has to "
        "change. If it shall be that of the leader which serves afterwards, a broker asks the "
        "controller before it applies the disable. Until the answer the log keeps its old "
        "settings, so that reads from the remote tier go on. An AlterPartition with the ISR "
        "unchanged is enough: a replaced leader gets FENCED_LEADER_EPOCH and disables as a "
        "follower. After other errors it asks again, unless the topic is deleted. The new leader "
        "raises the log start and deletes, also if it has applied the disable as a follower. "
        '(Today it does not; the deletion is our fix of "After an election or a restart around a '
        'disable, no broker deletes the objects of the disabled topic".) This makes the window '
        "smaller and does not close it: the answer can be stale when the log start is raised. The "
        "model was tried with an answer that cannot be stale, which the controller cannot give."
    ),
    searched="a stronger fix, whose answer cannot be stale,",
    costs=(
        "Of the advice none. Of the other way: an entry in an AlterPartition for each partition, "
        "awaited outside the thread of the metadata publisher. While no controller answers, the "
        "partition stays tiered."
    ),
    repair="repair_ask_before_disabling",
    shows="disable_deletes_everything",
    scope="elections",
)

LEADER_GOES_AHEAD = Finding(
    name="follower_trusts_a_stale_cache",
    title=(
        "Around a disable, a follower deletes locally what the leader deletes remotely, and "
        "is elected: records are lost"
    ),
    severity=Severity.LOSS,
    symptom=(
        "Records are lost that the leader has locally when it applies the disable, so that the "
        "disable should keep them. The leader deletes their remote copies at once. A follower "
        "that has not applied the disable yet deletes them locally, as they count as copied, and "
        "is elected. Its log start passes them; the old leader takes that log start over and "
        "deletes the last copy."
    ),
    needs=(
        "Two replicas. A disable with delete; local retention at the follower after the leader has "
        "applied it and before the follower has; and an election (a preferred leader election is "
        "enough). The window is the follower's lag behind the leader in applying cluster metadata, "
        "usually below a second. Local retention runs once in log.retention.check.interval.ms (5 "
        "minutes by default), so that its run seldom falls into the window, more often in a topic "
        "with many partitions. No crash, no fault. Kafka 3.9 to 4.4."
    ),
    claims=(
        "no_committed_record_lost",
        "log_start_passes_only_what_may_go",
        "object_deleted_only_when_not_needed",
        "local_segment_removed_only_once_copied",
        "highest_remote_offset_is_sound",
        "copied_offset_is_sound",
    ),
    passages=(
        Passage(
            "KIP-950",
            "State Transitions",
            "In KRaft-backed clusters we will not have a DISABLING state, but will leave brokers "
            "to take appropriate actions as they read the cluster metadata topic.",
        ),
        Passage(
            "KIP-950",
            "Rejected Alternatives",
            "In KRaft, it's not necessary because once the ConfigRecord is accepted by the "
            'controller, it must be applied by all the observers "in order".',
        ),
        STOP,
    ),
    permitted_by=(
        "RemoteLogManager#stopPartitions, which deletes as soon as the leader has the new "
        "settings; UnifiedLog#highestOffsetInRemoteStorage and "
        "RemoteLogLeaderEpochState#highestLogOffset, which only rise: a follower goes on to "
        "count as copied what DELETE_SEGMENT_STARTED or DELETE_SEGMENT_FINISHED has withdrawn. "
        'Brokers apply the ConfigRecord "in order", but not at the same time'
    ),
    assumptions=("A6",),
    late=("controller_alters_config", "broker_applies_leadership", "broker_updates_log_config"),
    story=Story(
        "86512f",
        (
            ("start", TWO_REPLICAS + LITTLE_IS_LOCAL),
            ("1-7", "Broker 0, the leader, copies offset 0 as id 0."),
            ("8", "An operator disables remote storage with delete."),
            (
                "9-14",
                "The leader applies the disable. It still has offset 0 locally, so its log start "
                "stays 0. stopPartitions cancels its tasks and lists id 0 as a segment to delete.",
            ),
            ("15", "The leader publishes DELETE_SEGMENT_STARTED of id 0."),
            (
                "16-18",
                "Broker 1, the follower, has not applied the disable. It has read that the copy "
                "of id 0 is finished, and takes 0 for the highest offset in remote storage. To "
                "read step 15 as well would not lower that offset in Kafka as it is.",
            ),
            ("19", "So the follower's local retention raises its local log start to 1."),
            (
                "20-21",
                "The controller elects broker 1. Broker 1 applies the election. (It has the "
                "disable in the same batch, and leadership is applied first.)",
            ),
            (
                "22",
                'The new leader reads that id 0 is being deleted. With our fix of "A leader '
                'elected while a segment expires can keep a log start that neither tier serves" '
                "it raises its log start to 1, its first readable offset. In Kafka as it is the "
                "log start becomes 1 a moment later, when broker 1 applies the disable as leader.",
            ),
            (
                "end",
                "The log start of the new leader is 1. Offset 0 is in the local log of the old "
                "leader alone, and a fetch of offset 0 is answered with OFFSET_OUT_OF_RANGE.",
            ),
            (
                "beyond",
                "The old leader follows, takes the log start 1 over, and deletes its segment of "
                "offset 0.",
            ),
        ),
    ),
    turning=21,
    fix=(
        "The state DISABLING, which the KIP has for ZooKeeper and leaves out for KRaft (Rejected "
        "Alternatives, 1 and 3). While DISABLING, local retention follows retention, as in a "
        "read-only topic. The controller writes DISABLED once all assigned replicas have applied "
        "DISABLING, and lets the leader delete once they have applied DISABLED. Without the first "
        "wait a follower that lags still deletes locally, and, as the leader that applies the "
        "disable, raises its log start. Brokers report in a new field of BrokerHeartbeat: "
        "CurrentMetadataOffset also advances if a broker refuses the change, or defers it. The "
        "controller accepts no re-enable before the leader has reported that the deletion is over "
        "and all replicas have applied a record of that, or the deletion, perhaps of a former "
        "leader, would meet a topic that is tiered again. The model was tried with the second "
        "wait, and with both (read-only in place of DISABLING). It needs the fix of "
        '"After a disable, an in-sync follower with fewer local segments is elected, and the '
        'records that it lacks are lost", as a follower may have deleted more before the disable. '
        "And it needs a retry of failed deletes, or a topic could never be enabled again. That "
        "every broker keeps all unexpired records locally (both local retentions -2) before the "
        "controller accepts a disable is not enough: a follower that has deleted a segment before "
        "that can be elected before it applies the disable. " + UNTIL_THEN
    ),
    costs=(
        "A field in BrokerHeartbeat, a request by which the leader reports that the deletion is "
        "over (Rejected Alternatives, 1), and metadata records; none exists, so a new "
        "metadata.version. A replica that is down delays the disable, and a re-enable, until it "
        "is back or is reassigned. A fenced one counts, too: BrokerHeartbeatManager can unfence a "
        "broker that has not applied the disable, as it looks at the offset of the broker's "
        "registration."
    ),
    repair="repair_delete_once_all_have_disabled",
    together_with=(
        "repair_followers_fetch_anew",
        "repair_ask_before_disabling",
    ),
    shows="disable_deletes_everything",
    scope="elections",
)
