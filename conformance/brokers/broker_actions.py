"""What each step of a trace is on brokers: an action of a user, an operator or a fault, or a wait.

A step that is not here is one that brokers take by themselves and that nothing shows.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping
from functools import partial

from tierproof.conformance.brokers.errors import Refused
from tierproof.conformance.brokers.looking import deleted_up_to
from tierproof.conformance.brokers.other_copies import deletion_has_come, let_copies_through
from tierproof.conformance.brokers.playing import FETCH_S, HOUR_MS, TOPIC, Play
from tierproof.conformance.brokers.process_actions import (
    crash,
    lose_disk,
    make_leader,
    restart,
    restart_in_good_order,
)
from tierproof.invariants.vocabulary import removable_end
from tierproof.model.kafka.local_retention import Reason

BrokerAction = Callable[[Play], None]

SWITCHES = (
    "remote_storage_enable",
    "remote_log_copy_disable",
    "remote_log_delete_on_disable",
)


def alter_config(play: Play) -> None:
    """An operator alters the topic's settings; brokers apply it when the trace says so."""
    play.later("settings", partial(_alter, play, _wanted(play)))


def alter_at_once(play: Play) -> None:
    """An operator alters the topic's settings, and the brokers apply them."""
    play.run_free()
    _alter(play, _wanted(play))


def alter_before_copying(play: Play) -> None:
    """An operator alters the topic's settings, and the brokers apply them before anything else."""
    _alter(play, _wanted(play))
    time.sleep(2 * FETCH_S)
    play.run_free()


def _wanted(play: Play) -> dict[str, object]:
    settings = play.after.settings
    wanted: dict[str, object] = {
        name.replace("_", "."): str(bool(getattr(settings, name))).lower() for name in SWITCHES
    }
    if settings.local_retention_bytes == -2:
        wanted |= {"local.retention.bytes": -2, "local.retention.ms": -2}
    return wanted


def _alter(play: Play, wanted: dict[str, object]) -> None:
    play.note(f"operator: alter {_assignments(wanted)}")
    play.client.alter_settings(TOPIC, wanted)


def _assignments(settings: Mapping[str, object]) -> str:
    return ", ".join(f"{name}={value}" for name, value in settings.items())


def elect(play: Play) -> None:
    """The controller elects a leader; brokers learn it when the trace says so.

    A leader that is elected again is one that restarts in good order: its epoch is new. One that
    stands still is elected at once: it learns of it when it goes on.
    """
    leader = play.step.leader
    is_the_same = leader == play.before.elected_leader
    action = partial(restart, play, leader) if is_the_same else partial(make_leader, play, leader)
    if leader in play.standing:
        action()
    else:
        play.later("leader", action)


def lead(play: Play) -> None:
    """A broker applies an election: it is made now."""
    play.catch_up("leader")


def apply(play: Play) -> None:
    """A broker acts on new settings, or on a deletion: they are altered now."""
    play.catch_up()


def new_settings(play: Play) -> None:
    """A log has its new settings: they are altered now, unless a later step acts on them."""
    steps = play.trace.steps[play.number :]
    if not any(BROKER_ACTIONS.get(step.action) is apply for step in steps):
        play.catch_up()


def append(play: Play) -> None:
    """A producer appends a record."""
    play.note("producer: append a record")
    play.produce(1, [play.after.clock])


def begin_later(play: Play) -> None:
    """A follower begins its log later than the leader did: what came before is not local there."""
    follower = play.step.follower
    start = int(play.after.broker[follower].local_log_start_offset)
    play.await_that(
        f"the local log of broker {follower} begins at {start}",
        lambda: play.local_start(follower) == start,
    )


def expand_in_sync(play: Play) -> None:
    """The leader takes a follower back in sync: only then may it be elected."""
    play.await_that(
        f"broker {play.step.follower} is in sync",
        lambda: play.step.follower in play.client.in_sync(TOPIC),
        in_controls_too=True,
    )


def delete_records(play: Play) -> None:
    """A user deletes records."""
    play.note(f"user: delete the records below {play.step.offset}")
    play.deleted_before = int(play.step.offset)
    if not play.standing:
        play.client.delete_records(TOPIC, play.step.offset)
        return
    play.await_that(
        f"broker {play.step.leader} has deleted them, and nobody answers the user",
        lambda: _is_deleted_at_the_leader(play),
        in_controls_too=True,
    )


def _is_deleted_at_the_leader(play: Play) -> bool:
    """Ask again until the leader has deleted: a request may have gone to who stands still."""
    with contextlib.suppress(Refused):
        play.client.delete_unanswered(TOPIC, play.step.offset, UNANSWERED_MS)
    return deleted_up_to(play.cluster, play.step.leader) == play.step.offset


def delete_topic(play: Play) -> None:
    """A user deletes the topic."""
    play.note("user: delete the topic")
    play.client.delete_topic(TOPIC)


def copy_begins(play: Play) -> None:
    """A copy is described in the metadata topic, and its request waits at the store."""
    play.copiers[play.step.segment] = int(play.before.segment[play.step.segment].copier)
    _await_gate(play, "copy", play.copier)
    found = play.cluster.waiting_segment("copy", play.copier, play.offset)
    play.ids[play.step.segment] = found


def object_stored(play: Play) -> None:
    """The store has the object, and its answer waits."""
    play.cluster.let_pass("copy", play.copier, play.offset)
    play.await_that(
        f"an object for offset {play.offset} is in the store",
        lambda: play.cluster.waits("copy_reply", play.copier, play.offset),
    )


def copy_ends(play: Play) -> None:
    """The store's answer arrives, and the broker says that the copy is finished."""
    play.cluster.let_pass("copy_reply", play.copier, play.offset)
    if play.after.broker[play.after.elected_leader].settings.remote_storage_enable:
        play.await_that(
            f"{play.offset} is the latest tiered offset",
            lambda: play.client.offset(TOPIC, "latest_tiered") >= play.offset,
        )


def deletion_begins(play: Play) -> None:
    """A deletion is told, and its request waits at the store."""
    _await_gate(play, "delete", play.actor)


def object_deleted(play: Play) -> None:
    """The store deletes the object, and its answer waits."""
    _await_gate(play, "delete", play.actor)
    play.cluster.let_pass("delete", play.actor, play.offset)
    play.await_that(
        f"the object for offset {play.offset} is deleted",
        lambda: play.cluster.waits("delete_reply", play.actor, play.offset),
    )


def deletion_ends(play: Play) -> None:
    """The store's answer arrives."""
    play.cluster.let_pass("delete_reply", play.actor, play.offset)


def store_refuses(play: Play) -> None:
    """The store refuses a deletion, once."""
    _await_gate(play, "delete", play.actor)
    play.note(f"store: refuse to delete the object of offset {play.offset}")
    _answer_with_an_error(play, "delete")


def store_loses_reply(play: Play) -> None:
    """The store deletes an object, and the broker gets an error for an answer, once."""
    object_deleted(play)
    play.note(f"store: delete the object of offset {play.offset}, and lose the answer")
    _answer_with_an_error(play, "delete_reply")


def _answer_with_an_error(play: Play, gate: str) -> None:
    play.cluster.shut(gate, "refuse")
    play.await_that(
        "the error has arrived",
        lambda: not play.cluster.waits(gate, play.actor, play.offset),
    )
    play.cluster.shut(gate, "wait")


def expire(play: Play) -> None:
    """Retention may remove what the model says: retention.bytes leaves the rest."""
    state = play.after
    limit = int(state.broker[play.step.broker].settings.retention_bytes)
    kept = limit if limit >= 0 else len(play.values) - removable_end(state)
    if limit < 0 and removable_end(state) <= play.deleted_before:
        return
    size = _record_size(play)
    play.note(f"operator: alter retention.bytes={kept * size}, {kept} records of {size} bytes")
    play.client.alter_settings(TOPIC, {"retention.bytes": kept * size})


def log_start_raised(play: Play) -> None:
    """The log start offset is where the model has it."""
    start = int(play.after.broker[play.step.broker].log_start_offset)

    def is_raised() -> bool:
        let_copies_through(play, play.actor)
        return play.client.offset(TOPIC, "earliest") == start

    play.await_that(f"the log start offset is {start}", is_raised)


def local_removal(play: Play) -> None:
    """Local retention removes segments, by size or by time: the settings allow it now."""
    replica = play.after.broker[play.step.broker]
    start = int(replica.local_log_start_offset)
    limit: dict[str, object] = {"local.retention.bytes": 1}
    if play.step.reason == Reason.TIME:
        since = play.after.clock - replica.settings.retention_ms
        limit = {"retention.ms": play.age(since) + HOUR_MS // 2}
    if not play.scenario.keeps_little:
        play.note(f"operator: alter {_assignments(limit)}")
        play.client.alter_settings(TOPIC, limit)
    play.await_that(
        f"the local log of broker {play.step.broker} begins at {start}",
        lambda: play.local_start(play.step.broker) == start,
    )


def enable(play: Play) -> None:
    """An operator enables tiered storage."""
    play.run_free()
    _alter(play, {"remote.storage.enable": "true", "remote.log.delete.on.disable": "false"})


def nothing(play: Play) -> None:
    """The brokers and the store go on."""
    play.run_free()


def leave_out(play: Play) -> None:
    """The step is left out, and all others are played as they are."""


def follower_learns(play: Play) -> None:
    """The followers fetch what the leader knows, before anybody is elected."""
    time.sleep(2 * FETCH_S)
    BROKER_ACTIONS[play.step.action](play)


def _await_gate(play: Play, gate: str, broker: int) -> None:
    what = "copy" if gate == "copy" else "deletion"
    wanted = play.ids.get(play.segment, "") if gate == "delete" else ""

    def has_come() -> bool:
        if gate == "delete":
            return deletion_has_come(play, broker, wanted)
        return play.cluster.waits(gate, broker, play.offset)

    play.await_that(
        f"broker {broker}'s {what} of the segment at {play.offset} waits at the store", has_come
    )


def _record_size(play: Play) -> int:
    """The bytes of a record's batch, as a full segment shows; all records are of one size."""
    files = (play.cluster.brokers[play.before.elected_leader].data / f"{TOPIC}-0").glob("*.log")
    return max(file.stat().st_size for file in files) // play.records_a_segment


UNANSWERED_MS = 1_500
"""So long a user waits for an answer that needs a broker that stands still."""

BROKER_ACTIONS: dict[str, BrokerAction] = {
    "controller_alters_config": alter_config,
    "controller_elects_leader": elect,
    "broker_applies_leadership": lead,
    "broker_updates_log_config": new_settings,
    "broker_refuses_settings": apply,
    "broker_starts_tasks": apply,
    "broker_stops_copying": apply,
    "broker_raises_log_start": apply,
    "broker_stops_partition": apply,
    "broker_finishes_batch": apply,
    "broker_learns_leader": lead,
    "lone_leader_restarts": crash,
    "broker_restarts": crash,
    "broker_loses_disk": lose_disk,
    "follower_builds_on_remote_tier": begin_later,
    "follower_begins_at_log_start": begin_later,
    "leader_expands_in_sync": expand_in_sync,
    "leader_appends_record": append,
    "user_deletes_records": delete_records,
    "user_deletes_topic": delete_topic,
    "copy_publishes_started": copy_begins,
    "copy_stores_object": object_stored,
    "copy_publishes_finished": copy_ends,
    "expiration_task_plans_retention": expire,
    "expiration_task_raises_log_start": log_start_raised,
    "expiration_publishes_delete_started": deletion_begins,
    "expiration_deletes_object": object_deleted,
    "expiration_publishes_delete_finished": deletion_ends,
    "removal_deletes_object": object_deleted,
    "removal_publishes_delete_finished": deletion_ends,
    "store_fails_removal": store_refuses,
    "store_fails_expiration": store_refuses,
    "store_loses_reply_of_expiration": store_loses_reply,
    "broker_raises_start_to_delete": local_removal,
}
"""Action -> what it is on brokers."""

OTHERWISE: dict[str, BrokerAction] = {
    "restart_in_good_order": restart_in_good_order,
    "nothing": nothing,
    "leave_out": leave_out,
    "store_deletes": nothing,
    "store_is_quick": nothing,
    "enable": enable,
    "alter_at_once": alter_at_once,
    "alter_before_copying": alter_before_copying,
    "follower_learns": follower_learns,
}
"""What controls do in place of a step."""
