"""The log and its cleaner do and answer the same compiled as interpreted, on recorded histories."""

from pathlib import Path

import pytest

from tests.agreement.compiled_functions import INT, Twin, compiled
from tierproof.conformance.cleaner_log import CompactedReplica, scope_for
from tierproof.conformance.cleaner_passes import CleanerSettings
from tierproof.conformance.files import content_of
from tierproof.model.kafka.batch_size import batch_bytes, resize_batches
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
from tierproof.model.kafka.keyed_log import (
    BatchKind,
    append_marker,
    append_record,
    end_batch,
    forget_producers,
    last_stable_offset,
    raise_start,
    roll_at,
    set_producer,
)
from tierproof.model.kafka.keyed_retention import count_segments, deletable_end, delete_before
from tierproof.model.kafka.local_segments import first_base
from tierproof.model.kafka.log_cleaner import clean_group
from tierproof.model.kafka.offset_map import fill_map
from tierproof.model.kafka.read_committed import latest_read, latest_value
from tierproof.model.kafka.sized_segments import index_entries, segment_bytes
from tierproof.model.language import NONE

RECORDINGS = Path(__file__).parents[2] / "conformance" / "recordings"
ROWS = content_of(RECORDINGS / "cleaner.jsonl.gz")
CHOSEN = [row for row in ROWS if any(step["op"] == "clean" for step in row["steps"])][5::101]


def change_log(me, verb, a, b, c, d):
    """An operation on the log; times and offsets as numbers."""
    log = me.log
    if verb == 0:
        append_record(log, a, b, c)
    elif verb == 1:
        end_batch(log, a, b, 0)
        log.batch[a].bytes = batch_bytes(log, a)
    elif verb == 2:
        set_producer(log, a, b, c, d // 2, d % 2 == 1)
    elif verb == 3:
        append_marker(log, BatchKind(a), b, c, d, 78)
    elif verb == 4:
        roll_at(log, a)
    elif verb == 5:
        forget_producers(log, a, b)
    elif verb == 6:
        raise_start(log, a)
    else:
        log.high_watermark = a


def delete_segments(me, reason, retention, now):
    """deleteOldSegments for one reason; how many, and the new log start."""
    end = deletable_end(me.log, reason, retention, now)
    count = count_segments(me.log, end)
    if me.log.starts_segment[end]:
        delete_before(me.log, end)
    return count, me.log.log_start_offset


def ask_log(me, checkpoint, now, min_lag, max_lag, key, interval):
    """Every question of the modules, in one tuple of integers."""
    log = me.log
    dirty = first_dirty_offset(log, checkpoint)
    exact = uncleanable_offset(log, dirty, now, min_lag)
    end = first_uncleanable_base(log, exact)
    clean, cleanable = clean_bytes(log, dirty), cleanable_bytes(log, dirty, end)
    delay = compaction_delay(log, dirty, now, max_lag)
    stable, base = last_stable_offset(log), first_base(log)
    of_offsets, of_times = index_entries(log, base, interval)
    return (
        int(is_checkpoint_reset(log, checkpoint)),
        exact,
        end,
        clean,
        cleanable,
        delay,
        int(exceeds_ratio(clean, cleanable, 500_000)),
        int(is_picked(clean, cleanable, delay, 500_000)),
        latest_read(log, key, stable),
        latest_value(log, key, stable),
        of_offsets,
        of_times,
        segment_bytes(log, base),
    )


def clean_log(me, dirty, end, now, most_keys, interval, retention, most_bytes, most_index):
    """A pass; the checkpoint."""
    log = me.log
    fill_map(me.map, me.read, log, dirty, end, most_keys, interval)
    forget_transactions(me.read)
    base, end_offset = first_base(log), me.map.map_latest_offset + 1
    while base != NONE and base < end_offset:
        following = group_end(log, base, end_offset, most_bytes, most_index, interval)
        clean_group(me.map, me.read, log, base, following, now, retention)
        resize_batches(log, base, following)
        base = following
    return end_offset


class Both:
    """A recorded log, interpreted and compiled."""

    def __init__(self, row):
        scope = scope_for(row)
        self.settings = CleanerSettings(row)
        self.expiration_ms = row["producer_id_expiration_ms"]
        self.twin = Twin(CompactedReplica.at_start(scope).copy_for("a recording"), scope)
        self.functions = {
            function: compiled(function, CompactedReplica, scope, (INT,) * count)
            for function, count in ((change_log, 5), (delete_segments, 3), (ask_log, 6))
        } | {clean_log: compiled(clean_log, CompactedReplica, scope, (INT,) * 8)}

    def call(self, function, *inputs):
        """The answer of both, with what they have changed."""
        found = self.functions[function](self.twin, *inputs)
        assert found == function(self.twin.state, *inputs)
        assert self.twin.agrees()
        return found

    def change(self, verb, *inputs):
        self.call(change_log, verb, *inputs, *[0] * (4 - len(inputs)))

    def ask(self, checkpoint, now):
        lags = self.settings.min_lag_ms, min(self.settings.max_lag_ms, 1 << 40)
        interval = self.settings.index_interval_bytes
        return self.call(ask_log, checkpoint, now, *lags, 0, interval)

    def follow(self, step, now):
        """A recorded step."""
        log = self.twin.state.log
        base = log.log_end_offset
        if "segs" in step and step["op"] in ("append", "marker"):
            last = step["segs"][-1][0]
            if last == base and not log.starts_segment[last]:
                self.change(4, now)
        if step["op"] == "append":
            for record in step["records"]:
                self.change(0, *[NONE if part is None else part for part in record], step["ts"])
            self.change(1, base, step["ts"])
            if step["pid"] != NONE:
                carried = 2 * step["seq"] + step["tx"]
                self.change(2, base, step["pid"], step["epoch"], carried)
        elif step["op"] == "marker":
            self.change(3, BatchKind[step["type"]], step["pid"], step["epoch"], step["ts"])
        elif step["op"] == "roll":
            self.change(4, now)
        elif step["op"] == "expire":
            self.change(5, now, self.expiration_ms)
        elif step["op"] == "start":
            self.change(6, step["offset"])
        elif step["op"] == "delete":
            for reason, most in enumerate((NONE, self.settings.retention_bytes, NONE)):
                self.call(delete_segments, reason, most, now)
        if "st" in step:
            self.change(7, step["st"][1])

    def clean(self, step):
        """A recorded pass."""
        given = self.settings
        return self.call(
            clean_log,
            step["first_dirty"],
            step["first_uncleanable"],
            step["now"],
            given.most_keys,
            given.index_interval_bytes,
            given.delete_retention_ms,
            given.segment_bytes,
            given.index_bytes,
        )


@pytest.mark.parametrize("row", CHOSEN, ids=[str(row["seed"]) for row in CHOSEN])
def test_a_recorded_history_is_the_same_compiled(row):
    both, now, checkpoint = Both(row), 1000, NONE
    both.change(4, now)
    for step in row["steps"]:
        now = step.get("now", now)
        both.follow(step, now)
        both.ask(checkpoint, now)
        if step["op"] == "clean" and step["picked"]:
            assert both.clean(step) == step["end_offset"]
        if step["op"] == "clean":
            checkpoint = NONE if step["checkpoint_after"] is None else step["checkpoint_after"]
            both.ask(checkpoint, now)


def test_the_chosen_histories_are_of_every_kind():
    assert {row["kind"] for row in CHOSEN} == {row["kind"] for row in ROWS}
