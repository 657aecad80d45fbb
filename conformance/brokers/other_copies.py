"""Copies of a segment that a trace does not have, and that brokers make nevertheless.

A broker that is elected copies what the leader before it has not finished, while the trace is at
other steps. Its copy may stand in the way of a step: it is let through the gates then.
"""

from __future__ import annotations

from tierproof.conformance.brokers.node import awaited
from tierproof.conformance.brokers.playing import PATIENCE_S, Play

COPYING = "copy_publishes_started"


def deletion_has_come(play: Play, broker: int, wanted: str) -> bool:
    """Whether the deletion of a segment, by its id, waits; that of another copy goes through.

    An expiration task may come to either copy first. Without an id each will do.
    """
    found = play.cluster.waiting_segment("delete", broker, play.offset)
    if not found or not wanted or found == wanted:
        return bool(found)
    play.note(f"seen: broker {broker} deletes another copy of the segment at {play.offset} first")
    _let_through(play, "delete", broker, play.offset, found)
    return False


def let_copies_through(play: Play, broker: int) -> None:
    """Let a broker copy what the trace does not have it copy, if its copy waits.

    While it waits, the expiration task of that broker leaves out this segment and all behind it.
    """
    if any(step.action == COPYING for step in play.trace.steps[play.number :]):
        return
    for offset, segment in play.cluster.waiting_segments("copy", broker).items():
        if segment not in play.ids.values():
            play.note(f"seen: broker {broker} copies the segment at {offset}, too; let it")
            _let_through(play, "copy", broker, offset, segment)


def _let_through(play: Play, gate: str, broker: int, offset: int, segment: str) -> None:
    """Let one request and its reply pass, and wait until both have."""
    gates = (gate, f"{gate}_reply")
    for one in gates:
        play.cluster.let_pass(one, broker, offset)
    awaited(
        f"the {gate} of another copy goes through",
        lambda: all(play.cluster.waiting_segment(one, broker, offset) != segment for one in gates),
        PATIENCE_S,
    )
