"""Findings that lose committed records when the leader changes amid a disable, or after it."""

from tierproof.model.designs.kip950.findings.beginnings import LITTLE_IS_LOCAL, STOP, TWO_REPLICAS
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
        "The disable should have kept the records: the leader has them locally. The follower "
        "that is elected does not, and its log start is below its first record: a fetch between "
        "the two gets OFFSET_OUT_OF_RANGE, and a reset to the earliest offset leads there again. "
        "The follower had deleted more local segments than the leader, and stayed in the in-sync "
        "replicas. The records are served again only if the old leader is elected again."
    ),
    needs=(
        "Two replicas. A follower that has deleted more local segments than its leader, a "
        "disable with delete, and an election after it. Local retention runs on each broker by "
        "itself, so that a difference of some segments is usual. No crash, no restart, no race. "
        "Kafka 3.9 to 4.4. On brokers of 3.9.2, 4.3.1 and 4.4.0 the new leader's log start was "
        "seven offsets below its first record."
    ),
    claims=(
        "no_committed_record_lost",
        "committed_records_stay_readable",
        "every_replica_can_take_over_without_remote",
        "no_unreadable_prefix_without_remote",
        "records_become_readable",
    ),
    passages=(STOP,),
    permitted_by=(
        "TopicConfigHandler#maybeUpdateRemoteLogComponents, which raises the log start of leaders "
        "alone, and to the leader's own local log start; "
        "Partition#isFollowerInSync, which compares log ends and not log starts"
    ),
    story=Story(
        "3b46c2",
        (
            ("start", TWO_REPLICAS + LITTLE_IS_LOCAL),
            (
                "1-2",
                "An operator disables remote storage with delete. No log has the new settings yet.",
            ),
            ("3-9", "Broker 0, the leader, copies offset 0 as id 0."),
            (
                "10-13",
                "Broker 1, the follower, reads that the copy of id 0 is finished. Local retention "
                "raises its local log start to 1. The leader still has offset 0 locally.",
            ),
            (
                "14-15",
                "The follower applies the disable. As a follower it raises no log start: its log "
                "start is 0, and its local log begins at 1.",
            ),
            (
                "16-19",
                "The leader applies the disable. Its local log begins at 0, so its log start "
                "stays 0. Both brokers cancel their tasks.",
            ),
            (
                "20-22",
                "The leader's copy ends, and stopPartitions lists id 0 as a segment to delete.",
            ),
            ("23-31", "The leader deletes the object of id 0 and its metadata."),
            ("32-33", "The controller elects broker 1, which is in sync."),
            (
                "end",
                "The new leader's log start is 0 and its local log begins at 1. Offset 0 is in the "
                "local log of the old leader alone, which serves no fetches.",
            ),
        ),
    ),
    turning=26,
    fix=(
        "A replica whose log is not tiered any more, and begins after its log start, leaves the "
        "in-sync replicas, drops its log and fetches from the log start on. The order matters: a "
        "follower that drops its log while it is in sync can be elected with an empty one. Kafka "
        "has no request by which a follower leaves the in-sync replicas. The leader would have "
        "to remove it (AlterPartition), for which the follower's fetch has to say where its "
        "local log begins."
    ),
    costs=(
        "A new field in the Fetch request, so a new version of it. Such a follower fetches its "
        "leader's local log once more; meanwhile the partition has one in-sync replica less."
    ),
    repair="repair_followers_fetch_anew",
    shows="disable_deletes_everything",
    scope="voted",
)

ZOMBIE_DISABLES = Finding(
    name="zombie_disables_for_the_leader",
    title=(
        "An old leader that applies a disable before it learns of the election moves the new "
        "leader's log start past local records"
    ),
    severity=Severity.LOSS,
    symptom=(
        "The new leader's log start passes records that it still has locally: consumers below "
        "get OFFSET_OUT_OF_RANGE, and retention deletes the records. The old leader has raised "
        "its log start as a leader does, and the new leader, which still fetched from it, took "
        "that log start over. Lost are the records between the local log starts of the two."
    ),
    needs=(
        "Two replicas, the new leader with more local segments than the old one. A disable with "
        "delete, an election right after it, an old leader that applies the disable before the "
        "election, and one more fetch of the new leader from the old one in that time: usually "
        "milliseconds, longer if the metadata publisher is busy. No crash, no fault. Kafka 3.9 "
        "to 4.4."
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
    passages=(STOP,),
    permitted_by=(
        "TopicConfigHandler#maybeUpdateRemoteLogComponents, which asks Partition#isLeader, the "
        "leadership that the last batch applied; UnifiedLog#maybeIncrementLogStartOffset, to which "
        "nobody gives a leader epoch"
    ),
    story=Story(
        "d36e23",
        (
            ("start", TWO_REPLICAS + LITTLE_IS_LOCAL),
            ("1", "An operator disables remote storage with delete."),
            (
                "2-8",
                "Broker 0, the leader, has not applied the change, and copies offset 0 as id 0.",
            ),
            (
                "9",
                "The controller elects broker 1. The record of the election follows that of the "
                "disable.",
            ),
            (
                "10",
                "Broker 0, the old leader, reads the disable, and not yet the election.",
            ),
            (
                "11-13",
                "The old leader reads that offset 0 is in the remote tier. Local retention raises "
                "its local log start to 1.",
            ),
            (
                "14",
                "The old leader disables as a leader does: it raises its log start to 1. Broker 1, "
                "the new leader, has offset 0 locally, with log start 0.",
            ),
            (
                "15",
                "The new leader, which does not know yet that it leads, fetches from the old "
                "leader and takes the log start 1 over.",
            ),
            (
                "16",
                "The new leader applies the disable and the election in one batch: it leads, and "
                "its log has the old settings for the moment.",
            ),
            ("17-18", "The new leader reads the metadata topic to its end."),
            (
                "end",
                "The log start is 1. Offset 0 is in the local log of the new leader and in the "
                "remote tier, and a fetch of offset 0 is answered with OFFSET_OUT_OF_RANGE. The "
                "disable allows to give up only what the leader does not have locally.",
            ),
            (
                "beyond",
                "Retention deletes the local segment of offset 0, and the disable deletes its "
                "object.",
            ),
        ),
    ),
    turning=15,
    fix=(
        "A broker raises the log start and deletes for a disable only if the controller says "
        "that it leads; otherwise it disables as a follower. AlterPartition with the in-sync "
        "replicas as they are can ask that today: the controller refuses it for an older leader "
        "epoch. The model was tried with an answer that still holds when the log start is "
        "raised. In Kafka an election between the two leaves a smaller window."
    ),
    costs=(
        "One request to the controller for each partition that is disabled, and its answer has "
        "to be awaited without blocking the metadata publisher."
    ),
    repair="repair_ask_before_disabling",
    shows="disable_deletes_everything",
    scope="elections",
)

LEADER_GOES_AHEAD = Finding(
    name="follower_trusts_a_stale_cache",
    title=(
        "The leader of a disabled topic deletes remote segments that a follower still takes for "
        "its copies"
    ),
    severity=Severity.LOSS,
    symptom=(
        "The records were local at the leader when it was disabled, so the disable should keep "
        "them. The leader deletes their remote copies at once; a follower that does not know it "
        "yet deletes them locally, since they are copied, and is elected. The log start passes "
        "the records, and consumers below get OFFSET_OUT_OF_RANGE. The old leader, now a "
        "follower, takes that log start over and deletes the last copy."
    ),
    needs=(
        "Two replicas. A disable with delete that the leader applies before its follower does, "
        "local retention at the follower in between, and an election. The window is the lag of "
        "the follower behind the cluster metadata or the metadata topic, usually below a second. "
        "No crash, no fault. Kafka 3.9 to 4.4."
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
        STOP,
    ),
    permitted_by=(
        "RemoteLogManager#stopPartitions, which deletes as soon as the leader has the new "
        "settings; RLMFollowerTask#execute, which asks the follower's own metadata cache, however "
        "old it is"
    ),
    story=Story(
        "b3de65",
        (
            ("start", TWO_REPLICAS + LITTLE_IS_LOCAL),
            (
                "1-3",
                "An operator disables remote storage with delete. Broker 0, the leader, gives its "
                "log the new settings.",
            ),
            ("4-10", "A run of the copy task that began before copies offset 0 as id 0."),
            ("11-14", "The leader cancels its tasks, and lists id 0 as a segment to delete."),
            (
                "15",
                "The leader publishes DELETE_SEGMENT_STARTED of id 0. It still has offset 0 "
                "locally, and its log start stays 0.",
            ),
            (
                "16-18",
                "Broker 1, the follower, has not applied the disable. It has read that the copy of "
                "id 0 is finished, and nothing later: its follower task takes 0 for the highest "
                "offset in remote storage.",
            ),
            ("19", "So the follower's local retention raises its local log start to 1."),
            ("20-21", "The controller elects broker 1. Broker 1 reads of the election, and leads."),
            (
                "22",
                "The new leader reads that id 0 is being deleted. Its first readable offset is 1, "
                "and it raises its log start to 1, as a new leader of a tiered topic does.",
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
        "The leader deletes the remote log once every replica has applied the disable, and the "
        "controller accepts no re-enable before the deletion is over. That is the state "
        "DISABLING, which the KIP has for ZooKeeper and leaves out for KRaft. Brokers do not "
        "report to the controller which settings they have applied, so it takes a request and a "
        "record that do not exist."
    ),
    costs=(
        "A new request and a new metadata record, so a new metadata.version. A replica that is "
        "down delays the deletion, and a re-enable, until it is back or is reassigned."
    ),
    repair="repair_delete_once_all_have_disabled",
    shows="disable_deletes_everything",
    scope="elections",
)
