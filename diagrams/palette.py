"""Colours and type, shared by every drawing and the report: one light and one dark scheme.

The hues are Okabe and Ito's, which colour-blind readers can distinguish; a verdict is also
always a word, and an untaken edge is also dashed and labelled.
"""

from __future__ import annotations

SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'
MONOSPACE = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace'

LIGHT = {
    "paper": "#ffffff",
    "surface": "#f5f7fa",
    "line": "#d5dbe3",
    "faint": "#5d6878",
    "ink": "#18202b",
    "accent": "#0063a3",
    "accent-soft": "#e4f0f9",
    "good": "#00684b",
    "good-soft": "#dff3ec",
    "bad": "#b33c00",
    "bad-soft": "#fdeae0",
    "open": "#7a5b00",
    "open-soft": "#fbf1d3",
    "fault": "#8a3c78",
    "fault-soft": "#f9eaf5",
}
DARK = {
    "paper": "#12171e",
    "surface": "#1b222c",
    "line": "#36414f",
    "faint": "#9aa7b8",
    "ink": "#e6ebf2",
    "accent": "#6db8ec",
    "accent-soft": "#173247",
    "good": "#4fc9a0",
    "good-soft": "#12362c",
    "bad": "#ff9461",
    "bad-soft": "#43210f",
    "open": "#e6c55c",
    "open-soft": "#3a3011",
    "fault": "#e59bd0",
    "fault-soft": "#3b1f35",
}


def variables(selector: str) -> str:
    """The two schemes as CSS variables on `selector`; paper is always light when printed."""
    return (
        f"{selector} {{ color-scheme: light dark; {_declared(LIGHT)} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ {selector} {{ {_declared(DARK)} }} }}\n"
    )


def _declared(scheme: dict[str, str]) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in scheme.items())


SEQUENCE_CSS = f"""
.tp-sequence text {{ font-family: {SANS}; fill: var(--ink); }}
.tp-sequence .mono {{ font-family: {MONOSPACE}; white-space: pre; }}
.tp-sequence .bold {{ font-weight: 600; }}
.tp-sequence .faint {{ fill: var(--faint); }}
.tp-sequence .fault {{ fill: var(--fault); }}
.tp-sequence .after {{ fill: var(--accent); }}
.tp-sequence .paper {{ fill: var(--paper); }}
.tp-sequence .band {{ fill: var(--fault-soft); }}
.tp-sequence .rule {{ stroke: var(--line); stroke-width: 1; }}
.tp-sequence .life {{ stroke: var(--line); stroke-width: 2; }}
.tp-sequence .head {{ fill: var(--accent-soft); stroke: var(--accent); stroke-width: 1.2; }}
.tp-sequence .head.outside {{
  fill: var(--fault-soft); stroke: var(--fault); stroke-dasharray: 4 3;
}}
.tp-sequence .arrow {{ fill: none; stroke: var(--accent); stroke-width: 1.8; }}
.tp-sequence .tip, .tp-sequence .badge {{ fill: var(--accent); }}
.tp-sequence .outside .arrow {{ stroke: var(--fault); }}
.tp-sequence .outside .tip, .tp-sequence .outside .badge {{ fill: var(--fault); }}
.tp-sequence text.number {{ fill: var(--paper); font-weight: 600; }}
.tp-sequence text.repeated {{ fill: var(--bad); }}
.tp-sequence .cycle {{ fill: none; stroke: var(--bad); stroke-width: 1.8; }}
.tp-sequence .cycle-tip {{ fill: var(--bad); }}
.tp-sequence .turn {{ fill: var(--accent-soft); }}
.tp-sequence .turn-edge {{ fill: var(--accent); }}
.tp-sequence .said, .tp-sequence .label, .tp-sequence .value {{
  paint-order: stroke; stroke: var(--paper); stroke-width: 4px; stroke-linejoin: round;
}}
.tp-sequence .turning .said, .tp-sequence .turning .label, .tp-sequence .turning .value {{
  stroke: var(--accent-soft);
}}
.tp-sequence .outside .label {{ fill: var(--fault); }}
.tp-sequence .moment .label {{ font-weight: 600; }}
.tp-sequence .moment .arrow {{ stroke-width: 3.4; }}
.tp-sequence .end {{ stroke-width: 1.4; }}
.tp-sequence .end.VIOLATED {{ fill: var(--bad-soft); stroke: var(--bad); }}
.tp-sequence .end.REACHED {{ fill: var(--good-soft); stroke: var(--good); }}
.tp-sequence text.VIOLATED {{ fill: var(--bad); }}
.tp-sequence text.REACHED {{ fill: var(--good); }}
"""

CHART_CSS = f"""
.tp-chart {{ text-anchor: middle; }}
.tp-chart text {{ font-family: {SANS}; font-size: 13px; fill: var(--ink); }}
.tp-chart .paper > polygon {{ fill: var(--paper); stroke: none; }}
.tp-chart .node path, .tp-chart .node polygon {{
  fill: var(--accent-soft); stroke: var(--accent);
}}
.tp-chart .node.start ellipse {{ fill: var(--ink); stroke: var(--ink); }}
.tp-chart .node.field path, .tp-chart .node.field polygon {{
  fill: var(--surface); stroke: var(--line);
}}
.tp-chart .node.outside path {{ fill: var(--fault-soft); stroke: var(--fault); }}
.tp-chart .edge text {{
  font-size: 12px; paint-order: stroke; stroke: var(--paper); stroke-width: 3px;
}}
.tp-chart .edge path {{ stroke: var(--faint); stroke-width: 1.4; fill: none; }}
.tp-chart .edge polygon {{ stroke: var(--faint); fill: var(--faint); }}
.tp-chart .edge.untaken text {{ fill: var(--open); }}
.tp-chart .edge.untaken path {{ stroke: var(--open); }}
.tp-chart .edge.untaken polygon {{ stroke: var(--open); fill: var(--open); }}
.tp-chart .edge.illegal text {{ fill: var(--bad); }}
.tp-chart .edge.illegal path {{ stroke: var(--bad); stroke-width: 2; }}
.tp-chart .edge.illegal polygon {{ stroke: var(--bad); fill: var(--bad); }}
.tp-chart .edge.outside path {{ stroke: var(--fault); }}
.tp-chart .edge.outside polygon {{ stroke: var(--fault); fill: var(--fault); }}
"""

OFFSETS_CSS = f"""
.tp-offsets text {{ font-family: {SANS}; fill: var(--ink); }}
.tp-offsets .title, .tp-offsets .caption, .tp-offsets .name {{ font-weight: 600; }}
.tp-offsets .large .caption {{ fill: var(--accent); }}
.tp-offsets .offset, .tp-offsets .label, .tp-offsets .record {{ text-anchor: middle; }}
.tp-offsets text.faint, .tp-offsets text.offset, .tp-offsets text.record {{ fill: var(--faint); }}
.tp-offsets text.alarm {{ fill: var(--fault); font-weight: 600; }}
.tp-offsets text.wrong {{ fill: var(--bad); font-weight: 700; }}
.tp-offsets text.doubt {{ fill: var(--open); font-weight: 700; }}
.tp-offsets text.value {{
  fill: var(--accent); paint-order: stroke; stroke: var(--paper); stroke-width: 3px;
}}
.tp-offsets text.new {{ font-weight: 700; }}
.tp-offsets .paper {{ fill: var(--paper); }}
.tp-offsets .frame {{ fill: none; stroke: var(--line); stroke-width: 1; rx: 6px; }}
.tp-offsets .large .frame {{ stroke: var(--accent); stroke-width: 2.5; }}
.tp-offsets .since {{ fill: none; stroke: var(--faint); stroke-width: 1.4; }}
.tp-offsets .grid {{ stroke: var(--line); stroke-width: 1; stroke-dasharray: 1 3; }}
.tp-offsets .mark {{ stroke: var(--accent); stroke-width: 1.4; }}
.tp-offsets .tick {{ stroke: var(--faint); stroke-width: 1; }}
.tp-offsets .box rect {{ fill: var(--surface); stroke: var(--faint); stroke-width: 1.2; rx: 3px; }}
.tp-offsets .hatch {{ fill: none; stroke: var(--line); stroke-width: 1; }}
.tp-offsets .faint rect {{ fill: var(--paper); stroke: var(--line); }}
.tp-offsets .deleted rect {{
  fill: var(--paper); stroke: var(--line); stroke-dasharray: 4 4;
}}
.tp-offsets .deleted text {{ fill: var(--faint); }}
.tp-offsets .unread rect {{ fill: var(--paper); stroke-dasharray: 5 3; }}
.tp-offsets .active rect {{ stroke: var(--ink); stroke-width: 2.2; }}
.tp-offsets .begun rect {{ fill: var(--accent-soft); stroke: var(--accent); }}
.tp-offsets .done rect {{ fill: var(--good-soft); stroke: var(--good); }}
.tp-offsets .ending rect {{
  fill: var(--open-soft); stroke: var(--open); stroke-dasharray: 5 2;
}}
.tp-offsets .stray rect {{ fill: var(--fault-soft); stroke: var(--fault); stroke-width: 2; }}
.tp-offsets .believed rect {{ fill: var(--paper); stroke-dasharray: 2 2; }}
.tp-offsets .double rect {{ fill: var(--good-soft); stroke: var(--open); stroke-width: 2.4; }}
.tp-offsets .missing rect {{ fill: var(--bad-soft); stroke: var(--bad); stroke-width: 2; }}
.tp-offsets .missing text {{ fill: var(--bad); font-weight: 600; }}
.tp-offsets .stray text.label {{ fill: var(--fault); font-weight: 600; }}
.tp-offsets .missing .hatch {{ stroke: var(--bad); stroke-opacity: 0.4; }}
.tp-offsets .stray .hatch {{ stroke: var(--fault); stroke-opacity: 0.4; }}
.tp-offsets .double .hatch {{ stroke: var(--open); stroke-opacity: 0.6; }}
.tp-offsets .marked .label {{ font-weight: 700; }}
.tp-offsets .large .marked rect {{ stroke-width: 3; }}
.tp-offsets .box text {{ paint-order: stroke; stroke: var(--paper); stroke-width: 3px; }}
"""

ABLATION_CSS = f"""
.tp-ablation text {{ font-family: {SANS}; fill: var(--ink); }}
.tp-ablation .mono {{ font-family: {MONOSPACE}; }}
.tp-ablation .bold {{ font-weight: 600; }}
.tp-ablation .faint {{ fill: var(--faint); }}
.tp-ablation text.good {{ fill: var(--good); }}
.tp-ablation text.open {{ fill: var(--open); }}
.tp-ablation .paper {{ fill: var(--paper); }}
.tp-ablation .rule {{ stroke: var(--line); stroke-width: 1; }}
.tp-ablation .broken rect {{ fill: var(--bad-soft); }}
.tp-ablation .broken text {{ fill: var(--bad); }}
.tp-ablation .named rect {{ stroke: var(--bad); stroke-width: 1.6; }}
.tp-ablation .named text {{ font-weight: 600; }}
.tp-ablation .before rect {{ fill: var(--surface); }}
.tp-ablation .before text, .tp-ablation .holds text {{ fill: var(--faint); }}
.tp-ablation .missed rect {{ fill: none; }}
.tp-ablation .missed rect {{ stroke: var(--open); stroke-width: 1.6; stroke-dasharray: 4 3; }}
"""
