"""KIP-952: an empty producer snapshot for segments that have none, and its alternatives.

The proposal (`making`) and every alternative that the text rejects (`alternatives`) change
`kip405_producers`, Kafka as shipped. `readings` say where the empty file may live.
"""

from tierproof.invariants.producer_snapshots import making_a_snapshot_changes_no_recovery
from tierproof.model.designs import kip405_producers
from tierproof.model.designs.kip405.copying import copy_publishes_started
from tierproof.model.designs.kip405.missing_snapshots import has_snapshot
from tierproof.model.designs.kip405_producers.repairs import REPAIRS
from tierproof.model.designs.kip405_producers.snapshots import (
    copy_task_fails_again,
    shows_something_new,
)
from tierproof.model.designs.kip952.alternatives import (
    CREATES_ON_READ,
    REFUSES,
    REGENERATES,
    REGENERATES_YOUNG,
    WAITS,
    WITHOUT_SNAPSHOTS,
)
from tierproof.model.designs.kip952.making import copy_makes_snapshot
from tierproof.model.designs.kip952.readings import READINGS
from tierproof.model.designs.kip952.scopes import SCOPES
from tierproof.model.language import Design, Edit, Variant

SHIPPED = kip405_producers.DESIGN
CHANGE = Edit(
    # Every segment gets a snapshot, so that an attempt does not fail for ever.
    drop=(copy_task_fails_again, shows_something_new),
    add_system=(copy_makes_snapshot,),
    fence={copy_publishes_started: has_snapshot},
    add_properties=(making_a_snapshot_changes_no_recovery,),
)


def alternative(
    name: str, title: str, base: Design, change: Edit, variants: tuple[Variant, ...] = ()
) -> Design:
    """A design of this room: it changes `base`, and has the scopes of all of them."""
    return base.derive(
        name=name,
        title=title,
        document="KIP-952, Under Discussion",
        change=change,
        scopes=SCOPES,
        variants=(*REPAIRS, *variants),
    )


DESIGN = alternative("kip952", "KIP-952: empty producer snapshots", SHIPPED, CHANGE, READINGS)
REGENERATED = alternative(
    "kip952_regenerates",
    "KIP-952, rejected: generate a correct producer snapshot",
    DESIGN,
    REGENERATES,
)
REGENERATED_YOUNG = alternative(
    "kip952_regenerates_young",
    "Beside KIP-952: generate a snapshot from the segments of producers that have not expired",
    REGENERATED,
    REGENERATES_YOUNG,
)
WAITING = alternative(
    "kip952_waits", "KIP-952, rejected: wait until old segments have expired", SHIPPED, WAITS
)
REFUSING = alternative(
    "kip952_refuses",
    "KIP-952, rejected: refuse to enable tiering while a segment has no snapshot",
    SHIPPED,
    REFUSES,
)
NOT_COPIED = alternative(
    "kip952_without_snapshots",
    "KIP-952, rejected: do not copy producer snapshots",
    SHIPPED,
    WITHOUT_SNAPSHOTS,
)
CREATED_ON_READ = alternative(
    "kip952_creates_on_read",
    "KIP-952, rejected: create an empty snapshot when one is not found",
    SHIPPED,
    CREATES_ON_READ,
)
