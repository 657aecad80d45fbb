"""Where a step of a text says where a log starts or ends, it has it from the states there.

A digest ties the steps of a text to its trace, so that they fail when the trace changes.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from tests.designs.stored_traces import DESIGNS, STORED, trace_of
from tierproof.register import Told, register_of

FIELDS = {
    "local log start": "local_log_start_offset",
    "log start": "log_start_offset",
    "log end": "log_end_offset",
    "high watermark": "high_watermark",
    "highest offset in remote storage": "highest_remote_offset",
}
FIGURE = re.compile(
    rf"({'|'.join(FIELDS)})(?: offset)? "
    r"(?:is|stays|is still|is again|remains|becomes|rises to|moves to|goes back to|to) (-?\d+)"
)
"""Where something of a log is, as a sentence tells it."""


def mistold(steps: Sequence[Told], states: Sequence[Any]) -> Iterator[str]:
    """Sentences with a figure that no broker has in the states before and after their steps."""
    for told in steps:
        for name, figure in FIGURE.findall(told.sentence):
            seen = states[max(told.first - 1, 0) : told.last + 1]
            brokers = (broker for state in seen for broker in getattr(state, "broker", ()))
            if int(figure) not in {
                getattr(broker, FIELDS[name], int(figure)) for broker in brokers
            }:
                yield told.sentence


@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
def test_a_figure_in_a_sentence_is_that_of_a_broker_there(design):
    assert not [
        f"{one.name}: {sentence}"
        for one in register_of(design).findings
        if one.text
        for sentence in mistold(
            one.text.steps, trace_of(STORED[f"{design.name}/{one.name}"]).states
        )
    ]


def test_a_figure_that_no_broker_has_is_found():
    stored = STORED["kip950/deleted_copies_still_count"]
    states = trace_of(stored).states
    last, said = len(states) - 1, "The log start is {}."
    assert not list(mistold([Told(last, last, said.format(1))], states))
    assert list(mistold([Told(last, last, said.format(9))], states))
