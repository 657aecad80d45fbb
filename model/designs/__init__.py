"""The designs under check, one module or package each.

The registry is lazy: naming a design here imports nothing, so that `tierproof --help`
and `tierproof list` stay quick. A value is an import path, `module:NAME`.
"""

from __future__ import annotations

DESIGNS: dict[str, str] = {
    "kip405": "tierproof.model.designs.kip405:DESIGN",
    "kip950": "tierproof.model.designs.kip950:DESIGN",
    "kip950_zookeeper": "tierproof.model.designs.kip950_zookeeper:DESIGN",
    "kip950_early_kraft": "tierproof.model.designs.kip950_early:KRAFT",
    "kip950_early_zookeeper": "tierproof.model.designs.kip950_early:ZOOKEEPER",
    "kip1266": "tierproof.model.designs.kip1266:DESIGN",
    "kip1266_migration": "tierproof.model.designs.kip1266_migration:DESIGN",
    "kip1272": "tierproof.model.designs.kip1272:DESIGN",
    "log_cleaner": "tierproof.model.designs.log_cleaner:DESIGN",
    "producer_state": "tierproof.model.designs.producer_state:DESIGN",
}
