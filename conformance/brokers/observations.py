"""What is seen of a driven topic: of its brokers, of its store, and of a state of the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from tierproof.invariants.vocabulary import is_readable
from tierproof.model.designs.kip950.state import Topic
from tierproof.model.kafka.local_segments import next_base
from tierproof.model.language import NONE


@dataclass(frozen=True)
class Observation:
    """What is seen of the topic. `latest_tiered` is -1 if nothing is, or the topic is not tiered.

    Offsets are those of the leader. `files` are the first offsets of its local segments,
    `follower_files` those of the follower's; `objects` the first offsets of objects in the store;
    `readable` are the offsets at which a consumer gets a record. `is_refused`: the last
    change of settings was.
    """

    earliest: int
    earliest_local: int
    latest_tiered: int
    latest: int
    files: tuple[int, ...]
    objects: tuple[int, ...]
    readable: tuple[int, ...] = ()
    is_refused: bool = False
    leader: int = 0
    in_sync: tuple[int, ...] = (0,)
    follower_files: tuple[int, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON, without those that are as of one broker that refuses nothing."""
        usual = {one.name: one.default for one in fields(self)}
        told = {name: v for name, v in asdict(self).items() if v != usual[name]}
        return {name: list(v) if isinstance(v, tuple) else v for name, v in told.items()}

    @classmethod
    def of_dict(cls, kept: Mapping[str, Any]) -> Observation:
        """The observation that was kept as plain values."""
        plain: dict[str, Any] = {
            name: tuple(v) if isinstance(v, list) else v for name, v in kept.items()
        }
        return cls(**plain)

    def __str__(self) -> str:
        return ", ".join(f"{name} {value}" for name, value in self.as_dict().items())


def observation_of(state: Topic, is_refused: bool) -> Observation:
    """What is seen of a state of the model.

    Of a log that is not tiered, ListOffsets answers the earliest local offset by the log start
    (UnifiedLog#fetchOffsetByTimestamp); its local log start stays stale.
    """
    leader = int(state.elected_leader)
    log = state.broker[leader]
    is_tiered = log.settings.remote_storage_enable
    stored = [int(copy.start_offset) for copy in state.segment if copy.object_exists]
    offsets = range(log.log_end_offset)
    followers = [other for b, other in enumerate(state.broker) if b != leader]
    return Observation(
        earliest=int(log.log_start_offset),
        earliest_local=int(log.local_log_start_offset if is_tiered else log.log_start_offset),
        latest_tiered=int(log.highest_remote_offset) if is_tiered else NONE,
        latest=int(log.high_watermark),
        files=tuple(_bases(log)),
        objects=tuple(sorted(stored)),
        readable=tuple(offset for offset in offsets if is_readable(state, leader, offset)),
        is_refused=is_refused,
        leader=leader,
        in_sync=tuple(sorted(int(b) for b in state.in_sync)),
        follower_files=tuple(base for log in followers for base in _bases(log)),
    )


def _bases(log: Any) -> list[int]:
    found, base = [], next_base(log, NONE)
    while base != NONE:
        found.append(base)
        base = next_base(log, base)
    return found
