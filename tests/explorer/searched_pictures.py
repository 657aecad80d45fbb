"""Small graphs, drawn or given, that are searched, and the nodes of what is found."""

import random

from tests.toys import fair_digraph as toy
from tests.toys.fair_digraph import FREE, Picture, fair_digraph
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.results import PropertyResult, Result
from tierproof.spark_explorer.search import explore

NODES = 6
EVERYWHERE = range(NODES)


def searched(picture: Picture, threads: int = 1, **options) -> Result:
    design = fair_digraph(picture)
    return explore(
        design, design.scope("graph"), lambda kernel: MemoryExecution(kernel, threads), **options
    )


def nodes_of(entry: PropertyResult) -> tuple[list[int], list[int]]:
    """The nodes on the way to the cycle, and those on it."""
    assert entry.trace is not None
    assert entry.trace.cycle_start is not None
    passed = [state.at for state in entry.trace.states]
    return passed[: entry.trace.cycle_start], passed[entry.trace.cycle_start :]


def drawn(seed: int) -> Picture:
    """A small graph with everything in it."""
    dice = random.Random(seed)
    density = dice.choice([0.15, 0.3, 0.5])
    kinds = [(n, how, c) for n in EVERYWHERE for how in toy.HOWS for c in range(toy.COLOURS)]
    edges = {edge: dice.randrange(NODES) for edge in kinds if dice.random() < density}
    return Picture(
        edges,
        goal=dice.sample(EVERYWHERE, dice.choice([1, 1, 2])),
        premise=[n for n in EVERYWHERE if dice.random() < 0.5],
        refused=[edge for edge in edges if edge[1] != FREE and dice.random() < 0.08],
        outside=[n for n in EVERYWHERE if n and dice.random() < 0.08],
    )
