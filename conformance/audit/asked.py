"""What an audit is asked, beside the tables: the time, an age, and what else the user knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

HOUR_MS = 3_600_000
AGE_MS = HOUR_MS
"""Nothing younger is accused: copies and deletions may be under way."""
SKEW_MS = 120_000
"""Clocks that differ by less are not accused: a producer sends a record again for two minutes."""

Offsets = Mapping[tuple[str, int], int]
"""(topic, partition) -> an offset."""


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Which files a segment of a bucket must have, and whether sizes can be compared.

    A store that compresses or encrypts has objects of other sizes than the records say.
    """

    required: tuple[str, ...] = ("log",)
    compares_sizes: bool = False


@dataclass(frozen=True, kw_only=True)
class Keys:
    """How keys of the bucket are built: a template with its prefix, and the suffixes of files."""

    template: str
    suffixes: Mapping[str, str]
    is_padded: bool = True

    def of(self, file: str, start_offset: int, **fields: object) -> str | None:
        """The key of a file of a segment; None if the layout has no such file."""
        if file not in self.suffixes:
            return None
        start = f"{start_offset:020}" if self.is_padded else str(start_offset)
        return self.template.format(start_offset=start, file=self.suffixes[file], **fields)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """`now_ms`: when the topic was read to its end, epoch ms. `listed_ms`: when the listing began.

    `deleted_ids`: topic ids that are known to be gone; `read_partitions`: the partitions of the
    metadata topic that were read to the end, None for all; `metadata_partitions`: how many it has;
    `not_whole`: those that were read and lack something, None if it may be any.
    `is_bucket_theirs`: an object of the bucket is of a record, or no segment should have one.
    """

    now_ms: int
    younger_ms: int = AGE_MS
    skew_ms: int = SKEW_MS
    deleted_ids: frozenset[str] = frozenset()
    listed_ms: int | None = None
    layout: Layout = field(default_factory=Layout)
    keys: Keys | None = None
    local_log_starts: Offsets = field(default_factory=dict)
    log_starts: Offsets = field(default_factory=dict)
    read_partitions: frozenset[int] | None = None
    metadata_partitions: int = 50
    not_whole: frozenset[int] | None = frozenset()
    is_listing_whole: bool = True
    is_bucket_theirs: bool = True

    @property
    def oldest_young_ms(self) -> int:
        """What happened after it is young."""
        return self.now_ms - self.younger_ms

    @property
    def oldest_unlisted_ms(self) -> int:
        """The listing need not have what happened after it."""
        listed_ms = self.now_ms if self.listed_ms is None else self.listed_ms
        return listed_ms - self.younger_ms
