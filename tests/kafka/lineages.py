"""Lineages as a test writes them: a scope, an array that stands alone, and its entries."""

from tierproof.conformance.lineage import LineageQuestion, entries_of, state_of
from tierproof.model.kafka.scope import TieredScope
from tierproof.model.language import NONE

SCOPE = TieredScope(offsets=1_000, leader_epochs=10, segment_ids=1)


def lineage_of(words):
    """`0:0,2:30` as a lineage that may be changed."""
    return state_of(LineageQuestion(0, 0, {}, 0, entries_of(words)), SCOPE).lineage


def segment_of(start, end, words):
    """A segment with its own lineage."""
    return state_of(LineageQuestion(start, end, entries_of(words), 0, {}), SCOPE).segment


def words_of(lineage):
    """The entries of a lineage, as `lineage_of` takes them."""
    return ",".join(f"{e}:{start}" for e, start in enumerate(lineage) if start != NONE)
