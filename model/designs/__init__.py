"""The designs under check, one module or package each.

The registry is lazy: naming a design here imports nothing, so that `tierproof --help`
and `tierproof list` stay quick. A value is an import path, `module:NAME`.
"""

from __future__ import annotations

DESIGNS: dict[str, str] = {
    "kip405": "model.designs.kip405:DESIGN",
    "kip950": "model.designs.kip950:DESIGN",
    "kip950_zookeeper": "model.designs.kip950_zookeeper:DESIGN",
    "kip950_early_kraft": "model.designs.kip950_early:KRAFT",
    "kip950_early_zookeeper": "model.designs.kip950_early:ZOOKEEPER",
    "kip1266": "model.designs.kip1266:DESIGN",
    "kip1266_migration": "model.designs.kip1266_migration:DESIGN",
}
