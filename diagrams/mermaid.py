"""Charts and sequences as Mermaid text, which GitHub and many wikis render."""

from __future__ import annotations

from tierproof.diagrams.dot import direction, edge_lines, role_title
from tierproof.diagrams.records import Chart, Message, Overview, Sequence

_ENTITIES = {"#": "#35;", ";": "#59;", "<": "#lt;", ">": "#gt;", '"': "#quot;", "`": "#96;"}


def chart_as_mermaid(chart: Chart) -> str:
    """A lifecycle as a `stateDiagram-v2`."""
    number = {state: f"s{n}" for n, state in enumerate(chart.states)}
    lines = ["stateDiagram-v2", f"    direction {direction(chart)}"]
    lines += [f'    state "{_escaped(state)}" as {number[state]}' for state in chart.states]
    lines.append(f"    [*] --> {number[chart.initial]}")
    for edge in chart.edges:
        label = _label(edge_lines(edge))
        lines.append(f"    {number[edge.source]} --> {number[edge.target]} : {label}")
    return "\n".join(lines) + "\n"


def overview_as_mermaid(overview: Overview) -> str:
    """The overview as a flowchart."""
    lines = ["flowchart LR"]
    fields = {field.name: f"f{n}" for n, field in enumerate(overview.fields)}
    for number, role in enumerate(overview.roles):
        label = _label([role_title(role), *(action.name for action in role.actions)])
        lines.append(f'    r{number}("{label}")')
    lines += [f'    {number}["{_escaped(name)}"]' for name, number in fields.items()]
    for number, role in enumerate(overview.roles):
        lines += [f"    r{number} --> {fields[name]}" for name in fields if name in role.writes]
    return "\n".join(lines) + "\n"


def sequence_as_mermaid(sequence: Sequence) -> str:
    """A trace as a `sequenceDiagram`, numbered, with the changed fields as notes."""
    number = {life.name: f"p{n}" for n, life in enumerate(sequence.lifelines)}
    lines = ["sequenceDiagram"]
    lines += [f"    participant {p} as {_escaped(name)}" for name, p in number.items()]
    repeated = sequence.messages[sequence.cycle_start :] if sequence.cycle_start is not None else ()
    for message in sequence.messages[: len(sequence.messages) - len(repeated)]:
        lines += _message(message, number)
    if repeated:
        inside = [f"    {line}" for message in repeated for line in _message(message, number)]
        lines += ["    loop for ever", *inside, "    end"]
    if sequence.ending and sequence.lifelines:
        ending = sequence.ending
        ends = dict.fromkeys((number[sequence.lifelines[0].name], list(number.values())[-1]))
        said = _label([f"{ending.word} {ending.name}", ending.statement, ending.where])
        lines.append(f"    Note over {','.join(ends)}: {said}")
    return "\n".join(lines) + "\n"


def _message(message: Message, number: dict[str, str]) -> list[str]:
    arrow = "--)" if message.is_environment else "->>"
    source, target = number[message.source], number[message.target]
    mark = " (environment)" if message.is_environment else ""
    lines = [f"    {source}{arrow}{target}: {message.number}. {_escaped(message.text)}{mark}"]
    if message.changes:
        ends = ",".join(dict.fromkeys((source, target)))
        lines.append(f"    Note over {ends}: {_label([str(c) for c in message.changes])}")
    return lines


def _label(lines: list[str]) -> str:
    return "<br/>".join(_escaped(line) for line in lines)


def _escaped(text: str) -> str:
    return "".join(_ENTITIES.get(c, c) for c in " ".join(text.split()))
