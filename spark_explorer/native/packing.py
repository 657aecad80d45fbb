"""Packed states: leaves to bits and back, and the fingerprint over those bits.

A packed state is `words` unsigned 64-bit integers; no leaf straddles two of them. What
the fingerprint covers is exactly the packed state. One-word states are fingerprinted by
a bijection, so that two of them never collide.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tierproof.model.language.layout import Layout
from tierproof.spark_explorer.native.arrays import Numbers, Words
from tierproof.spark_explorer.native.keeping import njit

FAST = {"nogil": True, "_nrt": False}
"""Options of the engine's own functions: they allocate nothing, so references need no counting
(an atomic increment for each array passed would cost several times the work itself)."""

SIX_BITS = np.uint64(63)
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""2**64 over the golden ratio, odd: multiples of it lie apart."""
ODD = np.uint64(0xD6E8FEB86659FD93)
"""An odd number whose bits are mixed: what is multiplied by it depends on its order."""


class Packing(NamedTuple):
    """How a layout packs: for each leaf its word, shift, span (high - low) and low."""

    shift: Words  # [leaves]
    span: Words  # [leaves]
    mask: Words  # [leaves]
    low: Numbers  # [leaves]
    word: Numbers  # [leaves]
    first: Numbers  # [words + 1]: first leaf of each word

    @property
    def words(self) -> int:
        """Width of a packed state in 64-bit words."""
        return len(self.first) - 1


def packing_of(layout: Layout) -> Packing:
    """The packing of a layout: leaves in order, a new word where the next leaf is too wide."""
    shifts, first, used = [], [0], 0
    for placed in layout.leaves:
        if used + placed.bits > 64:
            first.append(placed.offset)
            used = 0
        shifts.append(used)
        used += placed.bits
    firsts = np.array([*first, len(layout.leaves)], np.int64)
    domains = [placed.leaf.domain for placed in layout.leaves]
    return Packing(
        np.array(shifts, np.uint64) % np.uint64(64),
        np.array([domain.high - domain.low for domain in domains], np.uint64),
        np.array([(1 << placed.bits) - 1 for placed in layout.leaves], np.uint64),
        np.array([domain.low for domain in domains], np.int64),
        np.repeat(np.arange(len(first)), np.diff(firsts)),
        firsts,
    )


def bits_of(leaves: list[int], packing: Packing) -> Words:
    """The bits of the given leaves in a packed state."""
    bits = np.zeros(packing.words, np.uint64)
    for leaf in leaves:
        bits[packing.word[leaf]] |= packing.mask[leaf] << packing.shift[leaf]
    return bits


@njit(forceinline=True, **FAST)
def unpack(words, packing, leaves):
    """Write the leaves of the packed state `words`."""
    shift, mask, low, first = packing.shift, packing.mask, packing.low, packing.first
    for w in range(len(first) - 1):
        word = words[w]
        # Unsigned indexes: a signed one may be negative, and that test stops vectorisation.
        for k in range(np.uint64(first[w]), np.uint64(first[w + 1])):
            leaves[k] = np.int64((word >> (shift[k] & SIX_BITS)) & mask[k]) + low[k]


@njit(**FAST)
def pack(leaves, packing, words):
    """Write the packed state; False, with `words` undefined, if a leaf is outside its domain."""
    shift, span, low, first = packing.shift, packing.span, packing.low, packing.first
    outside = np.uint64(0)
    for w in range(len(first) - 1):
        word = np.uint64(0)
        for k in range(np.uint64(first[w]), np.uint64(first[w + 1])):
            value = np.uint64(leaves[k] - low[k])
            outside |= value | (span[k] - value)  # the top bit of either: below low, above high
            word |= value << (shift[k] & SIX_BITS)
        words[w] = word
    return outside >> SIX_BITS == 0


@njit(forceinline=True, **FAST)
def mix(z):
    """The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection of 64-bit integers."""
    z = np.uint64(z) ^ (np.uint64(z) >> np.uint64(30))
    z = z * np.uint64(0xBF58476D1CE4E5B9)
    z = z ^ (z >> np.uint64(27))
    z = z * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@njit(forceinline=True, **FAST)
def fingerprint(words):
    """64 bits that stand for the packed state."""
    found = mix(words[0] + GOLDEN)
    for w in range(1, len(words)):
        found = mix(found * ODD + words[w])
    return found


@njit(forceinline=True, **FAST)
def second_fingerprint(words):
    """63 more bits of a fingerprint of 128, of which one says that they are written: never 0."""
    found = mix(words[0] ^ ODD)
    for w in range(1, len(words)):
        found = mix(found ^ (words[w] * GOLDEN))
    return found | np.uint64(1)


@njit(**FAST)
def _fingerprints(states, found):
    for i in range(len(states)):
        found[i] = fingerprint(states[i])


def fingerprints(states: Words) -> Words:
    """The fingerprint of each packed state."""
    found = np.empty(len(states), np.uint64)
    _fingerprints(np.ascontiguousarray(states), found)
    return found


@njit(**FAST)
def partition_of(found, partitions):
    """The partition, of `partitions`, that owns a fingerprint: by its low bits.

    By the high ones it has its place in a visited table.
    """
    low = found & np.uint64(0xFFFFFFFF)
    return np.int64((low * np.uint64(partitions)) >> np.uint64(32))


@njit(**FAST)
def _partitions(found, partitions, owners):
    for i in range(len(found)):
        owners[i] = partition_of(found[i], partitions)


def partitions_of(found: Words, partitions: int) -> Numbers:
    """The partition that owns each fingerprint."""
    owners = np.empty(len(found), np.int64)
    _partitions(np.ascontiguousarray(found), partitions, owners)
    return owners


def packed(leaves: Sequence[int] | Numbers, packing: Packing) -> Words:
    """The packed state of leaves that are known to be in their domains."""
    words = np.zeros(packing.words, np.uint64)
    if not pack(np.asarray(leaves, np.int64), packing, words):
        raise ValueError("a leaf is outside its domain")
    return words


def unpacked(words: Words, packing: Packing) -> list[int]:
    """The leaves of a packed state."""
    leaves = np.zeros(len(packing.low), np.int64)
    unpack(words, packing, leaves)
    return [int(leaf) for leaf in leaves]
