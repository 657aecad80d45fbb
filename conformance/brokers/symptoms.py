"""Whether brokers show what a broken property means to those who use them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tierproof.conformance.brokers.errors import NotSeen, Refused
from tierproof.conformance.brokers.looking import Seen
from tierproof.conformance.brokers.playing import TOPIC, Play
from tierproof.invariants.vocabulary import removable_end


@dataclass(frozen=True)
class Symptom:
    """What was looked for, and what of it was found: empty if nothing."""

    question: str
    found: str

    @property
    def is_there(self) -> bool:
        """Whether the brokers show it."""
        return bool(self.found)


def unreadable(play: Play, seen: Seen) -> Symptom:
    """Acknowledged records that nothing allows to be removed and that no consumer gets."""
    allowed = removable_end(play.trace.states[-1])
    lost = list(_unreadable(play, allowed))
    found = f"offsets {', '.join(map(str, lost))} of {len(play.values)} are unreadable"
    start = seen.offsets["earliest"]
    return Symptom(
        "Which acknowledged records that nothing allows to be removed cannot be read?",
        f"{found}; the log start offset is {start}" if lost else "",
    )


def _unreadable(play: Play, allowed: int) -> Iterator[int]:
    for offset in range(allowed, len(play.values)):
        try:
            if play.client.read(TOPIC, offset) != play.values[offset]:
                yield offset
        except (NotSeen, Refused):
            yield offset


def stray_objects(play: Play, seen: Seen) -> Symptom:
    """Objects of a topic that is not tiered any more, or deleted."""
    told = ", ".join(map(str, seen.objects))
    return Symptom(
        "Which objects stay in the remote store though all should be deleted?",
        f"objects of offset {told} stay" if seen.objects else "",
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


SYMPTOMS: dict[str, Callable[[Play, Seen], Symptom]] = {
    "no_committed_record_lost": unreadable,
    "committed_records_stay_readable": unreadable,
    "disabled_topic_leaves_no_objects": stray_objects,
    "every_object_is_tracked": stray_objects,
    "expired_objects_are_deleted": stray_objects,
    "quiet_store_holds_finished_segments_only": unfinished_objects,
    "log_start_passes_only_what_may_go": log_start_too_high,
    "TieringState_lifecycle": accepted,
}
"""Property -> what breaking it looks like."""
