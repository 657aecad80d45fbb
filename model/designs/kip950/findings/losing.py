"""Findings that lose committed records, or make them unavailable."""

from tierproof.model.designs.kip950.findings.beginnings import ONE_REPLICA, STOP, TWO_REPLICAS
from tierproof.model.language import Finding
from tierproof.model.language.findings import Passage, Severity, Story

DELETED_COPIES = Finding(
    name="deleted_copies_still_count",
    title="After disable and re-enable, deleted copies still count, and committed records are lost",
    severity=Severity.LOSS,
    needs=(
        "One replica or more; remote storage is disabled with delete and enabled again. No crash, "
        "no fault. Seen on released brokers of 3.9.2, 4.3.1 and 4.4.0: eight records in eight "
        "segments, of which seven were lost after the re-enable."
    ),
    claims=(
        "no_committed_record_lost",
        "highest_remote_offset_is_sound",
        "local_segment_removed_only_once_copied",
        "committed_records_stay_readable",
        "log_start_passes_only_what_may_go",
        "remote_and_local_parts_are_contiguous",
        "copied_offset_is_sound",
        "new_leader_knows_the_log_start",
        "records_become_readable",
    ),
    passages=(
        Passage(
            "KIP-950",
            "Re-enabling Tiered Storage",
            "When tiered storage is enabled and disabled multiple times for a topic, the log "
            "offset remains continuous without any gaps.",
        ),
    ),
    permitted_by=(
        "UnifiedLog#highestOffsetInRemoteStorage, which a disable leaves as it was; "
        "RemoteLogManager#findHighestRemoteOffset, which counts segments that are deleted"
    ),
    story=Story(
        "0ab395",
        (
            ("start", ONE_REPLICA + " Local retention keeps one record."),
            ("1-2", "An operator disables remote storage and asks to delete the remote log."),
            (
                "3-11",
                "Before the leader has applied the change, it copies offset 0. The highest offset "
                "in remote storage is 0; the local segment of offset 0 is still there.",
            ),
            (
                "12-14",
                "The leader applies the disable. The log start stays 0, as the local log begins "
                "there.",
            ),
            (
                "15-23",
                "The leader deletes the object of offset 0, and publishes DELETE_SEGMENT_FINISHED. "
                "This is as the KIP has it: the record is in the local log.",
            ),
            ("24-25", "The operator enables remote storage again."),
            ("26-27", "The leader schedules its tasks and reads the metadata topic anew."),
            (
                "28",
                "Local retention chooses the segment of offset 0: the highest offset in remote "
                "storage is still 0, so the segment counts as copied. The local log start is 1.",
            ),
            ("29-32", "The leader's metadata cache is complete, and has no segment for offset 0."),
            (
                "end",
                "The log start is 0 and offset 0 is nowhere: its object is deleted, and the local "
                "segment goes. It is not copied again: the copy task, too, finds 0 as the "
                "highest offset of the leader epoch, and begins above it.",
            ),
        ),
    ),
    turning=28,
    fix=(
        "stopPartitions with delete resets the highest offset in remote storage, and "
        "findHighestRemoteOffset counts only what is in COPY_SEGMENT_FINISHED, without a gap from "
        "the local log start on."
    ),
    costs=(
        "After a re-enable what is still local is copied again; finding the highest offset lists "
        "segments in place of one look-up."
    ),
    repair="repair_forget_deleted_offsets",
    shows="segment_is_copied_again",
    scope="alone_again",
)

AMID_A_DELETION = Finding(
    name="settings_change_amid_a_deletion",
    title="A change to read-only that meets a local deletion gives up the whole remote log",
    severity=Severity.LOSS,
    needs=(
        "One replica is enough; a change to read-only in the moment in which local retention "
        "deletes segments. No crash, no fault."
    ),
    claims=(
        "no_committed_record_lost",
        "log_start_passes_only_what_may_go",
        "object_deleted_only_when_not_needed",
        "highest_remote_offset_is_sound",
        "local_segment_removed_only_once_copied",
    ),
    passages=(
        Passage(
            "KIP-950",
            "Remote Log Disablement Policy",
            "remote.storage.enable=true, remote.log.copy.disable=true: Logs that are archived in "
            'the remote storage will be part of the contiguous "active" log. Clients can fetch the '
            "archived log, but no new data will be archived to the remote storage.",
        ),
    ),
    permitted_by=(
        "UnifiedLog#deletableSegments and #deleteSegments, which ask twice whether copying is "
        "enabled, under the log's lock, while LogManager#updateTopicConfig changes the settings "
        "without that lock"
    ),
    story=Story(
        "cf4512",
        (
            ("start", TWO_REPLICAS + " Local retention keeps one record; retention keeps all."),
            ("1", "An operator makes the topic read-only: copying is disabled, reads go on."),
            ("2", "The leader's metadata publisher has the change in hand."),
            ("3-9", "Meanwhile the copy task copies offset 0."),
            ("10", "The leader reads that the copy is finished."),
            ("11", "The leader learns that 0 is the highest offset in remote storage."),
            (
                "12",
                "Local retention, under the log's lock, chooses the segment of offset 0: it is "
                "copied. Then the publisher changes the settings. deleteSegments asks again "
                "whether copying is enabled, is told that it is not, and moves the log start to 1 "
                "in place of the local log start.",
            ),
            (
                "end",
                "The log start is 1. Offset 0 is in the remote tier, and no retention allows its "
                "removal; readers do not get it any more, and the expiration task of the read-only "
                "topic deletes it next. With a long remote log all of it goes.",
            ),
        ),
    ),
    turning=12,
    fix=(
        "deleteOldSegments takes one reading of the settings, or updateTopicConfig takes the log's "
        "lock."
    ),
    costs="A change of the settings waits for a deletion that runs.",
    repair="repair_delete_by_one_reading_of_settings",
    shows="segment_is_read_from_remote",
    scope="retention",
)

FOLLOWER_LACKS_THE_BEGINNING = Finding(
    name="follower_misses_the_log_start",
    title="A follower that holds less than the leader disables, stays in sync, and is elected",
    severity=Severity.LOSS,
    needs=(
        "Two replicas; a follower that has removed more locally than its leader; a disable with "
        "delete, and an election after it. No restart is needed. Seen on brokers of 3.9.2, 4.3.1 "
        "and 4.4.0: after the leader was killed, the new leader promised seven offsets that it "
        "did not have."
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
        "TopicConfigHandler#maybeUpdateRemoteLogComponents, which raises the log start at leaders "
        "only, and to the leader's own local log start; the constructor of UnifiedLog, which "
        "begins a log that is not tiered at its first local offset"
    ),
    story=Story(
        "3b46c2",
        (
            ("start", TWO_REPLICAS + " Local retention keeps one record."),
            ("1-2", "An operator disables remote storage with delete; no log has the change yet."),
            ("3-9", "The leader copies offset 0 to the remote tier."),
            (
                "10-13",
                "The follower reads that the copy is finished. Local retention moves its local log "
                "start to 1. The leader still has offset 0 locally.",
            ),
            (
                "14-15",
                "The follower applies the disable. As a follower it raises no log start: it "
                "promises offset 0, and has nothing below 1.",
            ),
            (
                "16-19",
                "The leader applies the disable. Its local log begins at 0, so the log start "
                "stays 0. Both cancel their tasks.",
            ),
            ("20-22", "The leader's copy ends, and stopPartitions lists it."),
            ("23-31", "The leader deletes the object of offset 0 and its metadata."),
            ("32-33", "The follower, which is in sync, is elected and leads."),
            (
                "end",
                "The new leader's log start is 0 and its log begins at 1. Offset 0 is in the log "
                "of the old leader alone, which nobody reads. A consumer that begins at the "
                "earliest offset is reset to it again and again.",
            ),
        ),
    ),
    turning=26,
    fix=(
        "A replica that disables, or loads a log that is not tiered any more, and begins after the "
        "leader's log start leaves the in-sync replicas and fetches the log anew."
    ),
    costs="The follower copies the local log of its leader once more.",
    repair="repair_followers_fetch_anew",
    shows="disable_deletes_everything",
    scope="voted",
)

ZOMBIE_DISABLES = Finding(
    name="zombie_disables_for_the_leader",
    title="A leader that is not the leader any more disables, and moves its log start on its own",
    severity=Severity.LOSS,
    needs=(
        "Two replicas; a leader that applies a disable before it hears of the election behind it. "
        "No crash, no fault."
    ),
    claims=("log_start_passes_only_what_may_go",),
    passages=(STOP,),
    permitted_by=(
        "TopicConfigHandler#maybeUpdateRemoteLogComponents, which takes the broker for the leader "
        "that led when the last batch was applied"
    ),
    story=Story(
        "000000",
        (("start", TWO_REPLICAS + " Local retention keeps one record."),),
    ),
    turning=14,
    fix=(
        "A broker asks the controller whether it leads before it raises a log start or deletes for "
        "a disable; one that does not lead disables as a follower."
    ),
    costs="A request to the controller for each disable of a partition.",
    repair="repair_ask_before_disabling",
    shows="disable_deletes_everything",
    scope="elections",
)

LEADER_GOES_AHEAD = Finding(
    name="follower_trusts_a_stale_cache",
    title="The leader deletes remote segments that followers still count on",
    severity=Severity.UNAVAILABLE,
    needs=(
        "Two replicas; a disable that the leader applies before its follower does. No crash, no "
        "fault. The harm comes with an election."
    ),
    claims=("local_segment_removed_only_once_copied", "highest_remote_offset_is_sound"),
    passages=(
        Passage(
            "KIP-950",
            "State Transitions",
            "In KRaft-backed clusters we will not have a DISABLING state, but will leave brokers "
            "to take appropriate actions as they read the cluster metadata topic.",
        ),
    ),
    permitted_by=(
        "RemoteLogManager#stopPartitions, which deletes as soon as the leader has the new "
        "settings; RLMFollowerTask#execute, which asks the follower's own metadata cache"
    ),
    story=Story(
        "8d9dda",
        (
            ("start", TWO_REPLICAS + " Local retention keeps one record."),
            ("1-3", "An operator disables remote storage with delete. The leader applies it."),
            ("4-10", "A run of the copy task that had begun before copies offset 0."),
            ("11-13", "The leader cancels its tasks and awaits the copy."),
            (
                "14-15",
                "The leader begins to delete: it publishes DELETE_SEGMENT_STARTED of offset 0, "
                "which it still has locally.",
            ),
            (
                "16-18",
                "The follower has not applied the disable. It has read that the copy is finished, "
                "and nothing later: its follower task takes offset 0 for stored in the remote "
                "tier.",
            ),
            ("19-20", "On that ground the follower's local retention removes the segment."),
            (
                "end",
                "The segment in the remote tier is being deleted, and the follower, in sync, has "
                "no copy of offset 0. The log of the leader is the only one that has it. If the "
                "leader fails, offset 0 is lost.",
            ),
        ),
    ),
    turning=20,
    fix=(
        "The leader deletes once every replica has applied the disable, and the controller accepts "
        "no re-enable before nothing is left: DISABLING, which KRaft does without."
    ),
    costs="A replica that is down delays the deletion; brokers report what they have applied.",
    repair="repair_delete_once_all_have_disabled",
    shows="disable_deletes_everything",
    scope="smoke",
)
