"""What a step property reads from its step, as LLVM instructions.

The buffer of a step holds its label, the number of its action and the values of its parameters.
"""

from __future__ import annotations

from tierproof.model.language.domains import NONE
from tierproof.model.language.reading.asked import StepArgument, StepIs
from tierproof.spark_explorer.compiler.frame import Frame, Value

ACTION, PARAMETERS = 1, 2
"""The index of the action's number in a step, and that of the first parameter."""


def step_is(frame: Frame, node: StepIs) -> Value:
    """Whether the step's action is one of those named; the design may lack some of them."""
    action = _action(frame, frame.single(node.step))
    found = "false"
    for number, act in enumerate(frame.module.actions):
        if act.name in node.names:
            is_equal = frame.writer.value(f"icmp eq i64 {action}, {number}")
            found = frame.writer.value(f"or i1 {found}, {is_equal}")
    return frame.writer.value(f"xor i1 {found}, true") if node.is_negated else found


def step_argument(frame: Frame, node: StepArgument) -> Value:
    """The argument of that name, or NONE."""
    writer, step = frame.writer, frame.single(node.step)
    columns = [
        list(act.parameters).index(node.name) if node.name in act.parameters else NONE
        for act in frame.module.actions
    ]
    table = frame.module.table(columns)
    column = writer.load(writer.ahead(table, _action(frame, step)))
    is_none = writer.value(f"icmp slt i64 {column}, 0")
    place = writer.value(f"select i1 {is_none}, i64 0, i64 {column}")
    behind = writer.value(f"add i64 {place}, {PARAMETERS}")
    found = writer.load(writer.ahead(step, behind))
    return writer.value(f"select i1 {is_none}, i64 {NONE}, i64 {found}")


def _action(frame: Frame, step: str) -> str:
    return frame.writer.load(frame.writer.ahead(step, ACTION))
