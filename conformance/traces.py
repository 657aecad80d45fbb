"""`scenarios.json`, `traces.jsonl.gz`: whole runs of one replica, replayed step by step.

After each operation the answer and every recorded field are compared with the state of the
design. Rows of remote segments and objects have no order: both sides are sorted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from tierproof.conformance.following import NotEnabled
from tierproof.conformance.replaying import (
    BYTES_OF_A_RECORD,
    RETENTION_DEFAULTS,
    Replay,
)
from tierproof.conformance.row_reading import read_row, read_rows
from tierproof.conformance.rows import Row, differences, reading
from tierproof.model.designs.kip405.state import TieredPartition
from tierproof.model.language import TierproofError

UNORDERED = ("objs", "rlmm")
MOST_IDS = 62
MOST_FAILURES = 1_000


def replay_scenarios(content: Any) -> Iterator[Row]:
    """The rows of `scenarios.json`: one for each named scenario."""
    with reading("scenarios"):
        scenarios = [(str(name), steps) for name, steps in content["scenarios"].items()]
    for name, steps in scenarios:
        yield read_row(name, f"scenario {name}", steps, partial(row_for, name))


def replay_traces(content: Any) -> Iterator[Row]:
    """The rows of `traces.jsonl.gz`: one for each trace."""
    return read_rows(content, lambda _, trace: row_for(str(trace["id"]), trace["steps"]))


def row_for(name: str, steps: Sequence[Any]) -> Row:
    """One run, cut at its first disagreement: it agrees if all answers and states agree."""
    operations = [str(step["op"]) for step in steps]
    recorded = [recorded_of(step) for step in steps]
    replay = Replay(scope_for(steps))
    for number, operation in enumerate(operations):
        modelled = answer_to(replay, operation)
        if modelled != recorded[number]:
            return Row(
                name,
                operations[: number + 1],
                *differences(recorded[number], modelled),
                f"operation {number + 1}: {operation}",
            )
    return Row(name, operations, recorded[-1], modelled)


def answer_to(replay: Replay, operation: str) -> dict[str, Any]:
    """The model's answer to an operation, and its state afterwards."""
    try:
        result = replay.perform(operation)
    except (NotEnabled, TierproofError) as error:
        return {"result": f"the model cannot: {str(error).splitlines()[0]}"}
    return {"result": result, **replay.shown()}


def recorded_of(step: Any) -> dict[str, Any]:
    """The recorded answer and state; parts without an order in Kafka are sorted."""
    state = dict(step["state"])
    for name in UNORDERED:
        if state.get(name) is not None:
            state[name] = sorted(state[name])
    return {"result": step["result"], **state}


def scope_for(steps: Sequence[Any]) -> TieredPartition:
    """A scope large enough for a recording."""
    operations = [str(step["op"]).split() for step in steps]
    states = [step["state"] for step in steps]
    metadata_records = max(state["meta_records"] for state in states)
    shifts = [int(words[2]) for words in operations if words[0] == "produce" and len(words) > 2]
    elections = sum(words[0] == "election" for words in operations)
    offsets = max(state["leo"] for state in states) + 1
    asked = [int(words[1]) for words in operations if words[0] in ("delrec", "dropsnap")]
    ids = ids_in(steps)
    return TieredPartition(
        brokers=1,
        offsets=max([offsets, *asked]),
        leader_epochs=elections + 1,
        segment_ids=ids,
        clock_ms=RETENTION_DEFAULTS["retention.ms"],
        lead_ms=max([0, *(-shift for shift in shifts)]),
        record_bytes=max(BYTES_OF_A_RECORD),
        segment_bytes=int(operations[0][1]),
        retention_bytes=1_000_000,
        metadata_records=metadata_records + 1,
        planned_deletions=ids * (elections + 1),
        elections=elections,
        record_deletions=MOST_FAILURES,
        failed_copies=MOST_FAILURES,
        failed_deletes=MOST_FAILURES,
    )


def ids_in(steps: Sequence[Any]) -> int:
    """An upper bound of the attempts to copy, plus one."""
    ids, before = 1, 0
    for step in steps:
        after = step["state"]["meta_records"]
        if step["op"] == "copy":
            ids += (after - before + 1) // 2
        before = after
    return min(ids, MOST_IDS)
