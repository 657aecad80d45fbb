"""Closed designs far beyond what a search ends in, and what random walks still break there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import tests.properties.test_kip405_producers_driven as producers
import tests.properties.test_kip950_driven as disabling
import tests.properties.test_kip950_early_driven as drafts
import tests.properties.test_kip952_driven as snapshots
import tests.properties.test_kip1266_driven as metadata
import tests.properties.test_kip1272_driven as compaction
import tests.properties.test_log_cleaner_driven as cleaner
import tests.properties.test_producer_state_driven as producer_state
from tierproof.model.designs import kip405
from tierproof.model.designs.kip405.state import TieredPartition
from tierproof.model.language import Design, Scope
from tierproof.model.language.errors import DesignError, UnknownName
from tierproof.model.language.isolation import closed

TIERED = TieredPartition(
    brokers=3,
    offsets=5,
    appends=2,
    segment_bytes=2,
    segment_ids=6,
    leader_epochs=6,
    clock_ms=2,
    retention_bytes=1,
    metadata_records=40,
    planned_deletions=12,
    elections=3,
    shrinks=2,
    restarts=2,
    lost_disks=1,
    record_deletions=1,
    failed_copies=2,
    failed_deletes=2,
)


@dataclass(frozen=True, kw_only=True)
class Subject:
    """A closed design in a large scope; `remains` are the properties that walks still violate."""

    name: str
    design: Design
    scope: Scope
    remains: Mapping[str, str] = field(default_factory=dict)


def with_repairs_of_kip405(design: Design) -> Design:
    """A closed design with the repairs of KIP-405, too, that it does not have and that compose."""
    found = design.with_variants(*closed(design))
    known = {one.name for one in design.variants}
    ours = {one.name: one for one in kip405.DESIGN.variants if one.name not in known}
    for name in closed(kip405.DESIGN):
        if name in ours:
            try:
                found = replace(found, variants=(*found.variants, ours[name])).with_variant(name)
            except (DesignError, UnknownName):
                continue  # the design has its own in the same place, or not that place
    return found


def subjects() -> Iterator[Subject]:
    """Each design that walks are taken through."""
    yield Subject(name="kip405", design=with_repairs_of_kip405(kip405.DESIGN), scope=TIERED)
    yield Subject(
        name="kip950", design=with_repairs_of_kip405(disabling.DESIGN), scope=disabling.LARGE
    )
    for design in (drafts.KRAFT, drafts.APPENDIX, drafts.ZOOKEEPER):
        yield Subject(name=design.name, design=with_repairs_of_kip405(design), scope=drafts.LARGE)
    yield Subject(
        name="kip1272", design=with_repairs_of_kip405(compaction.DESIGN), scope=compaction.LARGE
    )
    plain = {
        "kip1266": (metadata.DESIGN, metadata.LARGE),
        "kip1266_migration": (metadata.MIGRATION, metadata.EXISTING),
        "log_cleaner": (cleaner.DESIGN, cleaner.LARGE),
        "producer_state": (producer_state.DESIGN, producer_state.LARGE),
        "producer_state, every fault": (producer_state.DESIGN, producer_state.FAULTY),
        "kip405_producers": (producers.DESIGN, producers.LARGE),
        "kip405_producers, transactions": (producers.DESIGN, producers.TRANSACTIONAL),
        "kip405_producers, expiry": (producers.DESIGN, producers.EXPIRING),
        "kip405_producers, old segments": (producers.DESIGN, producers.OLD),
        "kip952": (snapshots.DESIGN, snapshots.LARGE),
        "kip952_regenerates": (snapshots.REGENERATED, snapshots.LARGE),
        "kip952_waits": (snapshots.WAITING, snapshots.LARGE),
        "kip952_refuses": (snapshots.REFUSING, snapshots.LARGE),
    }
    for name, (design, scope) in plain.items():
        yield Subject(name=name, design=design.with_variants(*closed(design)), scope=scope)
