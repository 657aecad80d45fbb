"""Asking a property of states, or of a step, that are made by hand."""

from __future__ import annotations

from typing import Any

from tests.invariants.states import Change, partition, topic
from tierproof.invariants import PROPERTIES, liveness, tiering, witnesses
from tierproof.model.language import Property, Step

TOPICS = {
    name
    for family in (tiering, liveness, witnesses)
    for name, entry in vars(family).items()
    if isinstance(entry, Property) and "KIP-950" in entry.source
} | {"quiet_topic_holds_finished_segments_only", "delete_dangles"}
"""Those that are asked of a topic with settings."""


def made(name: str, *changes: Change) -> Any:
    """A state that this property can be asked of."""
    return (topic if name in TOPICS else partition)(*changes)


OTHER_STEP = Step("controller_elects_leader", (("broker", 0),))


def answer(name: str, *made_states: Any, step: Step = OTHER_STEP) -> bool:
    """What a property says of a state, or of a step."""
    asks = "step" in PROPERTIES[name].arguments
    return bool(PROPERTIES[name].function(*made_states, *([step] if asks else [])))
