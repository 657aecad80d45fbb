"""A quotient of the graph of states as DOT and as GraphML."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import graphviz

from tierproof.diagrams.palette import LIGHT

MOST_DRAWN = 400
"""Places of a picture that somebody can still read, and that `dot` lays out in seconds."""
MOST_NAMED = 3
"""Actions, or properties, that a label names; the others are counted."""


def quotient_as_dot(found: Mapping[str, Any]) -> str:
    """The record of a quotient as DOT text: initial places are thick, violating ones red."""
    graph = graphviz.Digraph("quotient")
    told = (
        f"states that agree on {', '.join(found['fields'])}; {found['inner_steps']:,} steps "
        "stay in their place\na way along several arrows need not be one of the design"
    )
    graph.attr("graph", label=_escaped(told), fontname="Helvetica", fontsize="12")
    graph.attr("node", shape="box", style="rounded", fontname="Helvetica", color=LIGHT["accent"])
    graph.attr("edge", fontname="Helvetica", fontsize="10", color=LIGHT["faint"])
    for number, place in enumerate(found["places"]):
        looks = {"penwidth": "3"} if place["level"] == 0 else {}
        if place["violates"]:
            looks["color"] = LIGHT["bad"]
        graph.node(f"p{number}", _escaped(_lines_of(found["fields"], place)), **looks)
    for way in found["ways"]:
        ends = (f"p{way['source']}", f"p{way['target']}")
        graph.edge(*ends, _escaped("\n".join(_named(list(way["actions"])))))
    return str(graph.source)


def quotient_as_graphml(found: Mapping[str, Any]) -> str:
    """The record of a quotient as GraphML, which graph editors and networkx read."""
    import networkx as nx  # late: it is slow to import, and drawings need none of it

    graph: nx.DiGraph[int] = nx.DiGraph()
    for number, place in enumerate(found["places"]):
        values = dict(zip(found["fields"], place["values"], strict=True))
        told = {"states": place["states"], "level": place["level"]}
        graph.add_node(number, **values, **told, violates=", ".join(place["violates"]))
    for way in found["ways"]:
        steps = sum(way["actions"].values())
        graph.add_edge(way["source"], way["target"], actions=", ".join(way["actions"]), steps=steps)
    written = io.BytesIO()
    nx.write_graphml(graph, written)
    return written.getvalue().decode()


def _lines_of(fields: Sequence[str], place: Mapping[str, Any]) -> str:
    values = zip(fields, place["values"], strict=True)
    lines = [f"{field} = {value}" for field, value in values]
    lines.append(f"{place['states']:,} states, from level {place['level']} on")
    return "\n".join([*lines, *_named(place["violates"], "violates ")])


def _named(names: Sequence[str], before: str = "") -> list[str]:
    """The first of the names, a line each, and how many more there are."""
    more = len(names) - MOST_NAMED
    rest = [f"and {more} more"] if more > 0 else []
    return [*(before + name for name in names[:MOST_NAMED]), *rest]


def _escaped(text: str) -> str:
    return "\\n".join(map(graphviz.escape, text.split("\n")))
