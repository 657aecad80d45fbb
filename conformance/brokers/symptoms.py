"""Whether brokers show what a broken property means to those who use them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tierproof.conformance.brokers.cleaner_actions import revived
from tierproof.conformance.brokers.client import TIMEOUT_MS
from tierproof.conformance.brokers.errors import NotSeen, Refused
from tierproof.conformance.brokers.looking import Seen, has_no_log_directory, look, spans
from tierproof.conformance.brokers.playing import TOPIC, Play
from tierproof.conformance.brokers.producer_actions import duplicates, listed
from tierproof.invariants.vocabulary import removable_end

LASTING_S = 10
"""What is seen for so long after brokers run free does not pass by itself."""

READ = "read"
"""The answer to a fetch of an offset that has its record."""


@dataclass(frozen=True)
class Symptom:
    """What was looked for, and what of it was found: empty if nothing."""

    question: str
    found: str

    @property
    def is_there(self) -> bool:
        """Whether the brokers show it."""
        return bool(self.found)


def judged(play: Play, claim: str) -> tuple[Symptom, Seen]:
    """Look at the end of the trace, let brokers come to rest, and look until nothing is there.

    What is still there after LASTING_S stays.
    """
    ask = OTHER_SYMPTOMS.get(play.scenario.looks or "", SYMPTOMS[claim])
    at_once = ask(play, look(play.cluster, TOPIC)) if ask in PASSING else Symptom("", "")
    play.settle()
    end = time.monotonic() + LASTING_S
    seen = look(play.cluster, TOPIC)
    then = ask(play, seen)
    while then.is_there and time.monotonic() < end:
        time.sleep(1)
        seen = look(play.cluster, TOPIC)
        then = ask(play, seen)
    if at_once.is_there and not then.is_there:
        return Symptom(then.question, f"{at_once.found}, until the store answers"), seen
    return then, seen


def lost(play: Play, seen: Seen) -> Symptom:
    """Acknowledged records that nothing allows to be removed and that no consumer gets."""
    question = "Which acknowledged records that nothing allows to be removed cannot be read?"
    held = range(removable_end(play.trace.states[-1]), len(play.values))
    return _unreadable(play, seen, held, question)


def promised(play: Play, seen: Seen) -> Symptom:
    """Offsets from the log start on that no consumer gets."""
    question = "Which offsets from the leader's log start offset on cannot be read?"
    held = range(seen.offsets["earliest"] or 0, len(play.values))
    return _unreadable(play, seen, held, question)


def lost_before_time(play: Play, seen: Seen) -> Symptom:
    """Acknowledged records that have not reached retention.ms and that no consumer gets."""
    state = play.trace.states[-1]
    oldest = state.clock - state.broker[state.elected_leader].settings.retention_ms
    young = [o for o in range(len(play.values)) if state.committed[o].timestamp >= oldest]
    question = "Which acknowledged records that have not reached retention.ms cannot be read?"
    return _unreadable(play, seen, young, question)


def _unreadable(play: Play, seen: Seen, offsets: Iterable[int], question: str) -> Symptom:
    answers = {offset: _answer(play, offset) for offset in offsets}
    missing = {offset: answer for offset, answer in answers.items() if answer != READ}
    why = ", ".join(dict.fromkeys(missing.values()))
    start = seen.offsets["earliest"]
    return Symptom(
        question,
        f"{spans(list(missing))} of {len(play.values)} unreadable ({why}) "
        f"while the log start offset is {start}"
        if missing
        else "",
    )


def _answer(play: Play, offset: int) -> str:
    """What a consumer gets that asks for an offset: READ, or why it gets no such record."""
    try:
        value = play.client.read(TOPIC, offset)
    except NotSeen:
        return f"no answer in {TIMEOUT_MS // 1000} s"
    except Refused as error:
        return error.code
    if value is None:
        return "out of range"
    return READ if value == play.values[offset] else "another record"


def stray_objects(play: Play, seen: Seen) -> Symptom:
    """Objects of a topic that is not tiered any more, or deleted."""
    return Symptom(
        "Which objects stay in the remote store though all should be deleted?",
        f"objects of {spans(seen.objects)} stay" if seen.objects else "",
    )


def unfinished_objects(play: Play, seen: Seen) -> Symptom:
    """Objects whose copy is not finished, long after the task that began it ended."""
    stored = [first for first, _, states in seen.metadata if states == ["COPY_SEGMENT_STARTED"]]
    twice = [offset for offset in sorted(set(seen.objects)) if seen.objects.count(offset) > 1]
    return Symptom(
        "Which objects are in the remote store twice, one of them never finished?",
        f"offset {twice[0]} has {seen.objects.count(twice[0])} objects, one stays "
        f"COPY_SEGMENT_STARTED"
        if twice and stored
        else "",
    )


def log_start_too_high(play: Play, seen: Seen) -> Symptom:
    """A log start above what retention allows to be removed."""
    allowed, start = removable_end(play.trace.states[-1]), seen.offsets["earliest"]
    return Symptom(
        "Is the log start offset above what retention allows to be removed?",
        f"it is {start}, and retention allows {allowed}" if (start or 0) > allowed else "",
    )


def accepted(play: Play, seen: Seen) -> Symptom:
    """A change of settings that should be refused and is not."""
    settings = play.client.settings(TOPIC)
    names = ("remote.storage.enable", "remote.log.copy.disable")
    is_read_only = all(settings[name] == "true" for name in names)
    return Symptom(
        "Is a topic that was disabled with delete accepted as read-only?",
        "remote.storage.enable and remote.log.copy.disable are both true" if is_read_only else "",
    )


def deleted_records_return(play: Play, seen: Seen) -> Symptom:
    """Records that a user deleted at the leader, and that a consumer gets again."""
    back = [offset for offset in range(play.deleted_before) if _answer(play, offset) == READ]
    return Symptom(
        "Which records that a user deleted can be read again?",
        f"{spans(back)} can be read again, deleted below {play.deleted_before}" if back else "",
    )


def committed_twice(play: Play, seen: Seen) -> Symptom:
    """Batches that were acknowledged at two offsets, and that a consumer gets at the later one.

    It gets them at the earlier one, too, unless a user deleted that.
    """
    records = play.client.read_all(TOPIC, seen.offsets["latest"] or 0)
    found = []
    for batch, offsets in duplicates(play).items():
        read = [offset for offset in offsets if records.get(offset) == batch.value]
        if offsets[-1] in read:
            told = f"is acknowledged at {listed(offsets)}, and read at {listed(read)}"
            found.append(f"{batch}, {told}")
    return Symptom("Which batch of an idempotent producer is committed twice?", "; ".join(found))


def later_batch_alone(play: Play, seen: Seen) -> Symptom:
    """Batches that were appended and read though the leader refuses one that comes before them."""
    records = play.client.read_all(TOPIC, seen.offsets["latest"] or 0)
    first = min(play.answers, key=lambda one: one.batch.sequence, default=None)
    found = ""
    if first and first.batch.sequence > 0 and records.get(first.offset) == first.batch.value:
        found = (
            f"{first.batch}, is acknowledged and read at {first.offset}; sequence 0 is refused "
            f"({', '.join(dict.fromkeys(play.refusals))})"
        )
    return Symptom("Which batch of a new producer is read without the one before it?", found)


def halted(play: Play, seen: Seen) -> Symptom:
    """Brokers that have ended by themselves, as all their log directories are offline."""
    brokers = range(len(play.cluster.brokers))
    found = [f"broker {b}" for b in brokers if has_no_log_directory(play.cluster, b)]
    return Symptom(
        "Which broker has halted, as its log directory is offline?",
        f"{' and '.join(found)} has halted: its only log directory is offline" if found else "",
    )


def readers_held_up(play: Play, seen: Seen) -> Symptom:
    """A record that is acknowledged after a transaction has ended, and that is not read."""
    (at,) = play.client.produce(TOPIC, [b"after the transaction"])
    end = play.client.offset(TOPIC, "latest", is_stable=True)
    is_read = at in play.client.committed(TOPIC)
    return Symptom(
        "Which acknowledged record does a consumer with read_committed not get, after the last "
        "transaction has ended?",
        "" if is_read else f"the record at {at} is not read: the last stable offset is {end}",
    )


def deleted_key_returns(play: Play, seen: Seen) -> Symptom:
    """Keys whose last committed record was a tombstone, and of which a consumer gets a value."""
    found = [
        f"key {key} has its value of offset {offset} again; no tombstone is left"
        for key, offset in revived(play).items()
    ]
    return Symptom(
        "Of which deleted key does a consumer that reads all committed records get a value?",
        "; ".join(found),
    )


PASSING = (lost, promised, log_start_too_high)
"""What harms while it lasts; the others are looked for once brokers have come to rest."""

SYMPTOMS: dict[str, Callable[[Play, Seen], Symptom]] = {
    "no_committed_record_lost": lost,
    "committed_records_stay_readable": promised,
    "disabled_topic_leaves_no_objects": stray_objects,
    "every_object_is_tracked": stray_objects,
    "expired_objects_are_deleted": stray_objects,
    "quiet_store_holds_finished_segments_only": unfinished_objects,
    "log_start_passes_only_what_may_go": log_start_too_high,
    "TieringState_lifecycle": accepted,
    "each_batch_is_committed_once": committed_twice,
    "deleted_keys_stay_deleted": deleted_key_returns,
    "no_sequence_is_accepted_twice": committed_twice,
    "accepted_sequences_follow_each_other": later_batch_alone,
    "log_directory_stays_online": halted,
    "ended_transactions_hold_up_no_reader": readers_held_up,
}
"""Property -> what breaking it looks like."""

OTHER_SYMPTOMS: dict[str, Callable[[Play, Seen], Symptom]] = {
    "lost_before_time": lost_before_time,
    "deleted_records_return": deleted_records_return,
}
"""What a finding looks like on brokers where it is not its property that shows it."""
