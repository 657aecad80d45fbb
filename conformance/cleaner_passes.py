"""One round of the log cleaner on a recorded log: choose, first pass, second pass, checkpoint."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tierproof.conformance.cleaner_log import (
    CompactedReplica,
    bases_of,
    log_offsets,
    optional,
    producers_of,
    whole_log,
)
from tierproof.model.kafka.batch_size import resize_batches
from tierproof.model.kafka.cleanable_range import (
    clean_bytes,
    cleanable_bytes,
    compaction_delay,
    exceeds_ratio,
    first_dirty_offset,
    first_uncleanable_base,
    group_end,
    is_checkpoint_reset,
    is_picked,
    uncleanable_offset,
)
from tierproof.model.kafka.cleaner_transactions import forget_transactions
from tierproof.model.kafka.keyed_log import last_stable_offset
from tierproof.model.kafka.log_cleaner import clean_group
from tierproof.model.kafka.offset_map import fill_map
from tierproof.model.kafka.read_committed import latest_value
from tierproof.model.language import NONE


class CleanerSettings:
    """The settings of a recorded log, as numbers that the mechanisms take."""

    def __init__(self, row: Mapping[str, Any]) -> None:
        config = row["config"]
        self.policy = str(config["cleanup.policy"])
        self.segment_bytes = int(config["internal.segment.bytes"])
        self.index_bytes = int(config["segment.index.bytes"])
        self.index_interval_bytes = int(config["index.interval.bytes"])
        self.delete_retention_ms = int(config["delete.retention.ms"])
        self.min_lag_ms = int(config["min.compaction.lag.ms"])
        self.max_lag_ms = int(config["max.compaction.lag.ms"])
        ratio = Fraction(str(config["min.cleanable.dirty.ratio"]))
        self.ratio_per_million = int(ratio * 1_000_000)
        self.retention_ms = int(config["retention.ms"])
        self.retention_bytes = int(config["retention.bytes"])
        self.most_keys = int(row["slots"] * Fraction(str(row["load_factor"])))

    @property
    def policies(self) -> set[str]:
        """cleanup.policy, which a step may replace."""
        return {policy.strip() for policy in self.policy.split(",")}


class Round:
    """A cleaner round at `now`; `answer` is what it decided, in the words of the recording."""

    def __init__(
        self, replica: CompactedReplica, settings: CleanerSettings, checkpoint: int, now: int
    ) -> None:
        self.replica, self.log, self.settings = replica, replica.log, settings
        self.checkpoint, self.now = checkpoint, now
        self.answer: dict[str, Any] = {
            "now": now,
            "checkpoint": optional(checkpoint),
            "producers": producers_of(self.log),
        }

    def run(self) -> int:
        """Choose and, if the log is picked, clean it; the checkpoint afterwards."""
        is_reset = is_checkpoint_reset(self.log, self.checkpoint)
        first_dirty = first_dirty_offset(self.log, self.checkpoint)
        self.choose(first_dirty, is_reset)
        checkpoint = first_dirty if is_reset else self.checkpoint
        if self.answer["picked"]:
            checkpoint = self.clean(first_dirty, self.answer["first_uncleanable"])
        self.answer["checkpoint_after"] = optional(checkpoint)
        self.answer["st"] = log_offsets(self.log)
        self.answer["log"] = whole_log(self.log, self.settings.index_interval_bytes)
        return checkpoint

    def choose(self, first_dirty: int, is_reset: bool) -> None:
        """LogCleanerManager: what is cleanable, and is it picked."""
        log, settings = self.log, self.settings
        exact = uncleanable_offset(log, first_dirty, self.now, settings.min_lag_ms)
        end = first_uncleanable_base(log, exact)
        clean, cleanable = clean_bytes(log, first_dirty), cleanable_bytes(log, first_dirty, end)
        delay = compaction_delay(log, first_dirty, self.now, settings.max_lag_ms)
        self.answer |= {
            "first_dirty": first_dirty,
            "reset": is_reset,
            "uncleanable_exact": exact,
            "first_uncleanable": end,
            "clean_bytes": clean,
            "cleanable_bytes": cleanable,
            "exceeds": exceeds_ratio(clean, cleanable, settings.ratio_per_million),
            "delay": delay,
            "need_now": delay > 0,
            "picked": "compact" in settings.policies
            and is_picked(clean, cleanable, delay, settings.ratio_per_million),
        }

    def clean(self, first_dirty: int, first_uncleanable: int) -> int:
        """Cleaner#doClean: both passes; the new checkpoint."""
        map, settings = self.replica.map, self.settings
        fill_map(
            map,
            self.replica.read,
            self.log,
            first_dirty,
            first_uncleanable,
            settings.most_keys,
            settings.index_interval_bytes,
        )
        mapped = {str(key): at for key, at in enumerate(map.mapped_offset) if at != NONE}
        end_offset = map.map_latest_offset + 1
        self.answer |= {
            "map": mapped,
            "map_latest": map.map_latest_offset,
            "groups": self.clean_groups(end_offset),
            "end_offset": end_offset,
        }
        return end_offset

    def clean_groups(self, end_offset: int) -> list[list[int]]:
        """The second pass, group by group; their segments."""
        forget_transactions(self.replica.read)
        bases = bases_of(self.log)
        found, base = [], bases[0]
        while base < end_offset:
            end = self.end_of_group(base, end_offset)
            found.append([at for at in bases if base <= at < end])
            clean_group(
                self.replica.map,
                self.replica.read,
                self.log,
                base,
                end,
                self.now,
                self.settings.delete_retention_ms,
            )
            resize_batches(self.log, base, end)
            base = end
        return found

    def end_of_group(self, base: int, end_offset: int) -> int:
        """The base of the first segment after the group at `base`."""
        settings = self.settings
        return group_end(
            self.log,
            base,
            end_offset,
            settings.segment_bytes,
            settings.index_bytes,
            settings.index_interval_bytes,
        )


def values_read(replica: CompactedReplica) -> list[int]:
    """The value of each key for a read-committed reader."""
    log = replica.log
    stable = last_stable_offset(log)
    return [latest_value(log, key, stable) for key in range(len(replica.map.mapped_offset))]
