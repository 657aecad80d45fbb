"""What one pass of the log cleaner decides of a record, a marker and a batch, from numbers alone.

A pass has read a stretch of the log into its offset map (key to last offset) and now reads the
log again from the beginning. Offsets are absolute, times in ms; NONE says that something is
absent. The functions know no log, so that designs whose logs differ share them.
Cleaner#shouldRetainRecord, Cleaner#cleanInto, MemoryRecords#filterTo, CleanedTransactionMetadata.
Left out: batches of magic 0 and 1.
"""

from __future__ import annotations

from tierproof.model.language import NONE

# -- delete horizons


def delete_horizon(now: int, delete_retention_ms: int) -> int:
    """The horizon that a pass at `now` stamps on a batch."""
    return now + delete_retention_ms


def is_horizon_over(horizon: int, now: int) -> bool:
    """The batch has a delete horizon, and it is not in the future."""
    return horizon != NONE and horizon <= now


def gets_horizon(has_horizon: bool, keeps_tombstone: bool, is_marker_deletable: bool) -> bool:
    """The pass stamps the batch, of which it keeps some record.

    The first pass that keeps a tombstone of the batch sets the horizon, or the first one that
    may delete the marker. A horizon that is set does not move. Tombstones above the end of the
    offset map are stamped as well.
    """
    return not has_horizon and (keeps_tombstone or is_marker_deletable)


# -- records


def is_superseded(offset: int, mapped_offset: int) -> bool:
    """The offset map has a later record of the key; `mapped_offset` is NONE if it has none."""
    return offset < mapped_offset


def is_record_kept(
    offset: int,
    has_key: bool,
    is_tombstone: bool,
    mapped_offset: int,
    map_latest_offset: int,
    is_late: bool,
) -> bool:
    """Whether a record of a batch that is not aborted stays.

    Above the end of the map everything stays, a null key too. Below it a record stays if it
    has a key, if no later record of the key is mapped, and if it is no tombstone whose batch is
    past its delete horizon (`is_late`: is_horizon_over of the batch as it was read).
    """
    if offset > map_latest_offset:
        return True
    if not has_key or is_superseded(offset, mapped_offset):
        return False
    return not (is_tombstone and is_late)


# -- transactions


def is_marker_deletable(has_type: bool, has_batch: bool) -> bool:
    """The pass has seen no batch of the transaction before its marker.

    For COMMIT and ABORT alike; `has_batch` counts empty batches that were retained. A control
    batch that an earlier pass has emptied has no type and is always deletable. Each pass
    answers anew.
    """
    return not has_type or not has_batch


def is_marker_kept(is_deletable: bool, is_late: bool) -> bool:
    """The marker itself stays: its transaction has a batch, or its horizon is not over.

    A deletable marker without a horizon gets one (`gets_horizon`).
    """
    return not (is_deletable and is_late)


# -- batches


def is_last_of_producer(
    last_offset: int,
    is_control: bool,
    epoch: int,
    is_producer_known: bool,
    producer_last_data_offset: int,
    producer_epoch: int,
) -> bool:
    """The batch is the last that an active producer wrote: it is retained even if empty.

    It is the batch that ends with the producer's last data record. Where the producer state has
    no data (NONE: after a marker with a higher epoch), it is a marker of the producer's epoch.
    """
    if not is_producer_known:
        return False
    if producer_last_data_offset != NONE:
        return last_offset == producer_last_data_offset
    return is_control and epoch == producer_epoch


def ends_at_high_watermark(last_offset: int, high_watermark: int) -> bool:
    """The next offset is the high watermark: the batch is retained even if empty.

    So in 4.4.0; 3.9.2 and 4.3.1 compare with the first uncleanable offset.
    """
    return last_offset + 1 == high_watermark
