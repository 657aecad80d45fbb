"""Which findings are played on brokers, with what each needs beyond its trace, and its control.

A scenario is the stored trace of its finding. What stands here is only what the trace does not
say: whether the store is deaf, and what the control does otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """How a finding is played. `needs` says what the brokers need beyond what the trace does.

    `otherwise` (step -> action; None leaves it out) makes the control: the same without the cause,
    and `control` says it in words. `is_deaf`: a store that goes on when a thread is interrupted.
    `looks` names another symptom than that of the property: another mechanism shows it.
    `put_off` (step -> later step) has an action come after a step that it need not precede.
    `still` (broker -> first and last step) has brokers stand still, by SIGSTOP; in the control
    only if `controls_stand_still`.
    `replicas` are those of the topic where the trace shows only one of them; `settings` those of
    the brokers that this finding needs.
    `keeps_little`: local retention is set from the beginning, as brokers refuse it later.
    `fixed_in` is the first release without it, `tracker` the change that mended it.
    """

    design: str
    finding: str
    needs: str
    control: str
    otherwise: Mapping[int, str | None]
    is_deaf: bool = False
    still: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    controls_stand_still: bool = False
    replicas: int | None = None
    settings: Mapping[str, object] = field(default_factory=dict)
    looks: str | None = None
    keeps_little: bool = False
    put_off: Mapping[int, int] = field(default_factory=dict)
    fixed_in: str | None = None
    tracker: str | None = None


SCENARIOS = (
    Scenario(
        design="kip950",
        finding="deleted_copies_still_count",
        needs="two changes of the topic's settings; no fault",
        control="the topic is disabled and not enabled again",
        otherwise={24: None},
    ),
    Scenario(
        design="kip950",
        finding="refused_delete_is_not_retried",
        needs="a store that refuses one deletion",
        control="the store refuses nothing",
        otherwise={18: "store_deletes"},
    ),
    Scenario(
        design="kip950",
        finding="cancelling_is_no_barrier",
        needs="a slow store whose client is deaf to interrupts",
        control="the store is not slow",
        otherwise={9: "store_is_quick"},
        is_deaf=True,
    ),
    Scenario(
        design="kip950",
        finding="disabled_to_read_only",
        needs="nothing",
        control="the topic is enabled again, and not read-only",
        otherwise={6: "enable"},
    ),
    Scenario(
        design="kip950",
        finding="two_changes_in_one_batch",
        needs="a broker that stands still while two changes are made; it finds them in one batch, "
        "and restarts later",
        control="the broker does not stand still",
        otherwise={1: "alter_before_copying", 2: "alter_at_once"},
        keeps_little=True,
    ),
    Scenario(
        design="kip950",
        finding="follower_misses_the_log_start",
        needs="two replicas; the leader's local retention runs after the follower's",
        control="the leader is not killed",
        otherwise={32: None},
    ),
    Scenario(
        design="kip950",
        finding="old_local_segment_expires_the_remote_log",
        needs="records whose times do not follow their offsets; nothing else",
        control="the topic is not read-only",
        otherwise={13: None},
        looks="lost_before_time",
    ),
    Scenario(
        design="kip405",
        finding="crash_takes_the_log_start_back",
        needs="kill -9 within a minute of the expiration",
        control="the broker stops in good order",
        otherwise={14: "restart_in_good_order"},
    ),
    Scenario(
        design="kip405",
        finding="interrupted_copy_dangles",
        needs="kill -9 between the store's answer and COPY_SEGMENT_FINISHED",
        control="the broker is not killed",
        otherwise={7: None},
    ),
    Scenario(
        design="kip405",
        finding="deleted_topic_leaks",
        needs="a store that refuses one deletion",
        control="the store refuses nothing",
        otherwise={13: "store_deletes"},
    ),
    Scenario(
        design="kip405",
        finding="deleted_offsets_count_as_copied",
        needs="two replicas; the follower stands still while the leader's log start rises",
        control="the follower fetches the leader's log start before it is elected",
        otherwise={14: "follower_learns"},
        still={1: (10, 15)},
    ),
    Scenario(
        design="kip405",
        finding="new_leader_misses_the_log_start",
        needs="two replicas; the follower stands still while the leader's log start rises",
        control="the follower fetches the leader's log start before it is elected",
        otherwise={14: "follower_learns"},
        still={1: (10, 15)},
    ),
    Scenario(
        design="kip405",
        finding="unanswered_deletion_is_forgotten",
        needs="two replicas; the follower stands still while a user deletes records",
        control="the follower fetches the leader's log start before it is elected",
        otherwise={3: "follower_learns"},
        still={1: (1, 6)},
        looks="deleted_records_return",
    ),
    Scenario(
        design="kip405",
        finding="old_epochs_cleanup_deletes_a_running_copy",
        needs="a slow store, and a user who deletes the records that are being copied",
        control="the store is not slow",
        otherwise={6: "store_is_quick"},
        put_off={6: 7},
    ),
    Scenario(
        design="kip405",
        finding="deletion_overtakes_a_copy",
        needs="two replicas, a slow store whose client is deaf to interrupts, an election",
        control="the store is not slow",
        otherwise={6: "store_is_quick"},
        is_deaf=True,
    ),
    Scenario(
        design="kip405",
        finding="two_copies_of_a_segment_both_count",
        needs="two replicas, a slow store whose client is deaf to interrupts, an election",
        control="the store is not slow",
        otherwise={7: None},
        is_deaf=True,
    ),
    Scenario(
        design="kip405",
        finding="single_record_counts_twice",
        needs="retention.bytes that is the exact size of the log",
        control="retention.bytes is unlimited",
        otherwise={10: None},
        fixed_in="4.4.0",
        tracker="KAFKA-20977",
    ),
    Scenario(
        design="kip405",
        finding="segments_below_the_log_start_count",
        needs="a store whose answer to one deletion is lost",
        control="the store answers",
        otherwise={22: "store_deletes"},
    ),
    Scenario(
        design="kip405_producers",
        finding="follower_on_the_remote_tier_forgets_producers",
        needs="two replicas; the follower's disk is lost; a producer that retries later",
        control="the follower restarts with its disk",
        otherwise={2: "keep_disk"},
    ),
    Scenario(
        design="kip405_producers",
        finding="follower_begins_at_the_log_start_without_producers",
        needs=(
            "two replicas; the follower's disk is lost, and a user deletes all records; a producer "
            "that retries later"
        ),
        control="no record is deleted: the follower fetches all from the leader",
        otherwise={3: "leave_out"},
        put_off={2: 3},
    ),
    Scenario(
        design="producer_state",
        finding="clean_restart_without_snapshots",
        needs="one replica; a producer snapshot that is lost while the broker does not run",
        control="the snapshot is not lost",
        otherwise={5: "leave_out"},
    ),
    Scenario(
        design="producer_state",
        finding="deleted_records_take_their_producers_along",
        needs="one replica; a user who deletes all records, and kill -9",
        control="no record is deleted",
        otherwise={4: "leave_out"},
    ),
    Scenario(
        design="producer_state",
        finding="empty_snapshot_hides_producers",
        needs="one replica; an empty producer snapshot in the log directory, and kill -9",
        control="the snapshot is lost, and no empty one is put in its place",
        otherwise={6: "leave_out"},
    ),
    Scenario(
        design="producer_state",
        finding="lost_snapshot_takes_the_log_directory_offline",
        needs=(
            "two replicas; a producer snapshot that is lost while the broker runs; the other "
            "broker stands still until it is elected"
        ),
        control="the snapshot is not lost",
        otherwise={4: "leave_out"},
        still={1: (6, 7)},
        controls_stand_still=True,
        replicas=2,
    ),
    Scenario(
        design="producer_state",
        finding="unknown_producer_begins_anywhere",
        needs="one replica; the second batch of a producer arrives before the first",
        control="the batches arrive in order",
        otherwise={3: "receive_in_order"},
    ),
    Scenario(
        design="producer_state",
        finding="late_batch_of_an_expired_producer",
        needs=(
            "one replica; records that are a day old, as long as a producer is remembered by "
            "default; the check for expired producers runs twice a second"
        ),
        control="the record is of now",
        otherwise={3: "receive_of_now"},
    ),
    Scenario(
        design="producer_state",
        finding="truncation_reads_from_the_log_start",
        needs=(
            "two replicas; a user who deletes all records; the other broker stands still until it "
            "is elected"
        ),
        control="no record is deleted",
        otherwise={4: "leave_out"},
        still={1: (6, 7)},
        controls_stand_still=True,
        replicas=2,
    ),
    Scenario(
        design="producer_state",
        finding="truncation_opens_an_ended_transaction",
        needs=(
            "two replicas; producer.id.expiration.ms=5000; the other broker stands still until it "
            "is elected"
        ),
        control="the segment does not roll amid the transaction",
        otherwise={3: "leave_out"},
        still={1: (6, 9)},
        controls_stand_still=True,
        replicas=2,
        settings={"producer.id.expiration.ms": 5_000},
    ),
    Scenario(
        design="log_cleaner",
        finding="deleted_key_comes_back",
        needs=(
            "an offset map that is full with one key, an index entry for each batch, "
            "delete.retention.ms=0; a record of another key rolls the segment"
        ),
        control="the offset map has room for every key",
        otherwise={6: "roll_with_an_ample_map"},
    ),
)

NO_SCHEDULE = "needs two threads of a broker to meet in an order that no user can force"
LATE_SETTINGS = (
    "needs a broker that is late in applying an election or a change of the settings, and we have "
    "no means to delay one"
)
ZOMBIE = (
    "needs a broker that does not hear of an election and goes on reading __remote_log_metadata, "
    "and we have no means to cut it off so"
)
OLD_SEGMENTS = (
    "begins with segments without a producer snapshot, as Kafka before 2.8 left them, and we have "
    "no means to make them"
)
NOT_EXPRESSIBLE = {
    "kip950": {
        "settings_change_amid_a_deletion": NO_SCHEDULE,
        "settings_before_log_start": NO_SCHEDULE,
        "crash_amid_a_local_deletion": NO_SCHEDULE,
        "zombie_disables_for_the_leader": LATE_SETTINGS,
        "follower_trusts_a_stale_cache": LATE_SETTINGS,
        "new_leader_deletes_nothing": (
            "needs a disable while the broker is stopped and a controller in another process is "
            "not, which we have not set up yet"
        ),
        "new_leader_keeps_deleted_records": LATE_SETTINGS,
        "leader_elected_amid_a_disable_keeps_more": LATE_SETTINGS,
        "older_broker_ignores_the_disable": "needs a broker of 3.8, and 3.9 is the oldest run here",
    },
    "kip405": {
        "unfinished_copy_expires_before_older_records": (
            "needs the expiration task to run between a copy that the store defers and its retry, "
            "which our test program cannot order"
        ),
        "segment_counts_twice_while_it_is_recorded": (
            "needs two threads of a broker to meet, which our test program cannot order. Played "
            "by hand it was seen on 3.9.2 and 4.4.0, at the first try: one node of the released "
            "jars, LocalTieredStorage, remote.log.manager.task.interval.ms=500; 41 records of the "
            "console producer (--sync), two a segment (segment.index.bytes=24, "
            "index.interval.bytes=1); retention.bytes=2829, the size of the log; then "
            "remote.storage.enable=true. While the backlog was copied the earliest offset became 2 "
            "(due to retention size 2829 breach. Log size after deletion will be 2829)"
        ),
        "zombie_acts_on_remote_tier": ZOMBIE,
        "in_sync_below_the_log_start": ZOMBIE,
        "truncation_keeps_the_highest_remote_offset": (
            "begins with a follower whose log is longer than its leader's, and we have no means "
            "to make one"
        ),
        "dangling_deletion_is_done_twice": (
            "needs the only replica to be elected again while it runs, for which there is no "
            "command"
        ),
        "replaced_segment_is_never_deleted": (
            "begins with remote segments that overlap, and we have no means to make them"
        ),
    },
    "producer_state": {
        "empty_log_has_one_snapshot": (
            "needs a follower that fetches the producers of its leader as a snapshot file, which "
            "is a repair of ours and in no release"
        ),
    },
    "kip405_producers": {
        "old_segment_is_never_copied": OLD_SEGMENTS,
        "segment_is_given_up_without_a_snapshot": OLD_SEGMENTS,
    },
}
"""Findings that need more than users, operators and faults can do, and why."""
