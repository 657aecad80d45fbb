"""The designs under check, one module or package each.

The registry is lazy: naming a design here imports nothing, so that `tierproof --help`
and `tierproof list` stay quick. A value is an import path, `module:NAME`.
"""

from __future__ import annotations

DESIGNS: dict[str, str] = {
    "kip405": "tierproof.model.designs.kip405:DESIGN",
    "kip405_faults": "tierproof.model.designs.kip405_faults:DESIGN",
    "kip405_producers": "tierproof.model.designs.kip405_producers:DESIGN",
    "kip950": "tierproof.model.designs.kip950:DESIGN",
    "kip950_zookeeper": "tierproof.model.designs.kip950_zookeeper:DESIGN",
    "kip950_early_kraft": "tierproof.model.designs.kip950_early:KRAFT",
    "kip950_early_zookeeper": "tierproof.model.designs.kip950_early:ZOOKEEPER",
    "kip952": "tierproof.model.designs.kip952:DESIGN",
    "kip952_regenerates": "tierproof.model.designs.kip952:REGENERATED",
    "kip952_regenerates_young": "tierproof.model.designs.kip952:REGENERATED_YOUNG",
    "kip952_waits": "tierproof.model.designs.kip952:WAITING",
    "kip952_refuses": "tierproof.model.designs.kip952:REFUSING",
    "kip952_without_snapshots": "tierproof.model.designs.kip952:NOT_COPIED",
    "kip952_creates_on_read": "tierproof.model.designs.kip952:CREATED_ON_READ",
    "kip1266": "tierproof.model.designs.kip1266:DESIGN",
    "kip1266_migration": "tierproof.model.designs.kip1266_migration:DESIGN",
    "kip1272": "tierproof.model.designs.kip1272:DESIGN",
    "log_cleaner": "tierproof.model.designs.log_cleaner:DESIGN",
    "producer_state": "tierproof.model.designs.producer_state:DESIGN",
}
