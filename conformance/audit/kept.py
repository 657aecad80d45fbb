"""What an audit leaves in its folder: Parquet tables beside those that were read, and the answer.

`records`, `objects` and `set_aside` are folders that reading has written; `accusations.parquet`,
`segments.parquet` and `audit.json` stand beside them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tierproof.conformance.audit.history import NONE, Numbers
from tierproof.conformance.audit.judging import Judgement
from tierproof.conformance.audit.segments import DELETED, DELETING, FINISHED, STARTED
from tierproof.model.kafka.remote_segment import SegmentState

ANSWER = "audit.json"
TABLES = ("accusations", "segments", "records", "objects", "set_aside")


def keep(
    folder: Path, answer: dict[str, Any], accusations: pa.Table, judgement: Judgement | None
) -> None:
    """Write the tables and the answer; the segments only where this process judged them."""
    pq.write_table(accusations, folder / "accusations.parquet")
    if judgement is not None:
        pq.write_table(segments_table(judgement), folder / "segments.parquet")
    (folder / ANSWER).write_text(json.dumps(answer, indent=2) + "\n", "utf-8")


def segments_table(judgement: Judgement) -> pa.Table:
    """One row a segment: what it is, its state, when each state came, and whether it is reached."""
    history, segments, reached = judgement.history, judgement.segments, judgement.reached
    places = history.places
    names = np.array([state.name for state in SegmentState], dtype=object)
    live = segments.is_live

    def time(state: int) -> pa.Array:
        row = segments.row[state]
        return pa.array(history.appended_ms[row], mask=row == NONE)

    return pa.table(
        {
            "topic": pa.array(places.topic[segments.place], pa.string()),
            "topic_id": pa.array(places.topic_id[segments.place], pa.string()),
            "partition": pa.array(places.partition[segments.place], pa.int32()),
            "segment_id": history.segment_ids,
            "start_offset": _known(segments.start),
            "end_offset": _known(segments.end),
            "bytes": _known(segments.bytes),
            "state": pa.array(names[segments.state], pa.string()),
            "broker_id": _known(history.broker[segments.last_row]),
            "copy_started_ms": time(STARTED),
            "copy_finished_ms": time(FINISHED),
            "delete_started_ms": time(DELETING),
            "delete_finished_ms": time(DELETED),
            "is_reached": pa.array(reached.is_reached & live, pa.bool_()),
            "is_listed": pa.array(reached.is_listed & live, pa.bool_()),
        }
    )


def _known(numbers: Numbers) -> pa.Array:
    return pa.array(numbers, mask=np.asarray(numbers) == NONE)


def tables_in(folder: Path) -> dict[str, list[str]]:
    """The tables of a folder that an audit has kept: name -> its Parquet files."""
    found = {}
    for name in TABLES:
        files = sorted((folder / name).glob("*.parquet")) or [folder / f"{name}.parquet"]
        if files[0].is_file():
            found[name] = [str(path) for path in files]
    return found
