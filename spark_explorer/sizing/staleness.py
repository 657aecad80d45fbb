"""Staleness: fields that hold what no behaviour reads any more, and how many states that costs.

States of one block of the bisimulation that differ in one field alone may be merged: an author does
so by resetting the field where it goes stale.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.packing import bits_of
from tierproof.spark_explorer.sizing.bisimulation import (
    Blocks,
    Observer,
    exact_projector,
    why_no_blocks,
)
from tierproof.spark_explorer.sizing.projection import PartSize, Space


@dataclass(frozen=True, kw_only=True)
class Staleness:
    """How far states can be merged without a change of any verdict.

    `blocks` are the fewest that they can be, found in so many rounds, and `factor` is how many
    times fewer that is. `parts` have their own stale factors, the greatest first.
    """

    blocks: int
    rounds: int
    factor: float
    parts: tuple[PartSize, ...]

    def as_dict(self) -> dict[str, Any]:
        """As plain values, without the parts."""
        return {"blocks": self.blocks, "rounds": self.rounds, "factor": round(self.factor, 4)}


def staleness_of(
    kernel: Kernel,
    states: Sequence[Array],
    generated: int,
    threads: int,
    parts: Sequence[PartSize],
    cut: str | None,
) -> tuple[Staleness | None, str]:
    """What is stale in the states of a complete search, or why that cannot be found."""
    count = sum(len(block) for block in states)
    if reason := why_no_blocks(kernel, count, generated, cut):
        return None, reason
    blocks = Observer(kernel, states, threads).blocks()
    measured = sorted(
        _measured(kernel, blocks, parts), key=lambda one: (-(one.stale or 1), -one.factor)
    )
    factor = count / blocks.count
    return Staleness(
        blocks=blocks.count, rounds=blocks.rounds, factor=factor, parts=tuple(measured)
    ), ""


def _measured(kernel: Kernel, blocks: Blocks, parts: Sequence[PartSize]) -> list[PartSize]:
    """The parts with their stale factors."""
    space = Space([blocks.words], kernel.packing)
    whole = [space.whole[0] + blocks.colours]
    projector = exact_projector(space.total)
    found = []
    for one in parts:
        kernel.stopping.raise_if_asked()
        changing = bits_of(list(one.part.leaves), kernel.packing) & space.varying
        left = space.total
        if changing.any():
            left, _ = projector.count_without(space.states, whole, space.varying, changing)
        # Who forgets a part everywhere merges no fewer states: the count bounds an estimate.
        fewest = min(one.left, left)
        stale, factor = space.total / left, space.total / fewest
        found.append(replace(one, stale=stale, left=fewest, factor=factor))
    return found
