"""KIP-952: an empty producer snapshot for segments that have none, and its alternatives.

The proposal (`making`) and every alternative that the text rejects (`alternatives`) change
`kip405_producers`, Kafka as shipped. `readings` say where the empty file may live.
Read `making` and `alternatives` first.
"""

from collections.abc import Mapping

from tierproof.invariants.producer_snapshots import making_a_snapshot_changes_no_recovery
from tierproof.model.designs import kip405_producers
from tierproof.model.designs.kip405.copying import copy_publishes_started
from tierproof.model.designs.kip405.missing_snapshots import has_snapshot
from tierproof.model.designs.kip405_producers.repairs import OF_SHIPPED
from tierproof.model.designs.kip405_producers.snapshots import (
    copy_task_fails_again,
    shows_something_new,
)
from tierproof.model.designs.kip952.alternatives import (
    ASKS_LEADER,
    CREATES_ON_READ,
    FROM_NEWEST,
    READ_WHOLE_LOG,
    REFUSES,
    REGENERATES,
    REGENERATES_YOUNG,
    WAITS,
    WITHOUT_SNAPSHOTS,
)
from tierproof.model.designs.kip952.making import copy_makes_snapshot
from tierproof.model.designs.kip952.proposals import IN_PLACE_OF_EMPTY, IN_PLACE_OF_LOCAL_LOG
from tierproof.model.designs.kip952.readings import READINGS, REGENERATE
from tierproof.model.designs.kip952.repairs import (
    ASKS_EVERY_REPLICA,
    EXPIRES_WHAT_WAITS,
    GIVES_UP_WHAT_IS_GONE,
    READS_REMOTE_LOG,
)
from tierproof.model.designs.kip952.scopes import ENABLED_LATER, SCOPES, WITH_DELETION
from tierproof.model.designs.producer_state.repairs import FOLLOWERS_KEEP
from tierproof.model.language import Design, Edit, Scope, Variant

SHIPPED = kip405_producers.DESIGN

CHANGE = Edit(
    # Every segment gets a snapshot, so that an attempt does not fail for ever.
    drop=(copy_task_fails_again, shows_something_new),
    add_system=(copy_makes_snapshot,),
    fence={copy_publishes_started: has_snapshot},
    add_properties=(making_a_snapshot_changes_no_recovery,),
)


def alternative(
    base: Design,
    name: str,
    title: str,
    change: Edit,
    repairs: tuple[Variant, ...] = OF_SHIPPED,
    readings: tuple[Variant, ...] = (),
    scopes: Mapping[str, Scope] = SCOPES,
) -> Design:
    """A design of this room: `base` with a change. `repairs` are those of all its causes."""
    every = Variant(name="repair_all", because="each closes one cause", parts=repairs)
    return base.derive(
        name=name,
        title=title,
        document="KIP-952, Under Discussion",
        change=change,
        scopes=scopes,
        variants=(*repairs, *readings, every),
    )


DESIGN = alternative(
    SHIPPED,
    "kip952",
    "KIP-952: empty producer snapshots",
    CHANGE,
    (*OF_SHIPPED, REGENERATE),
    (*READINGS, IN_PLACE_OF_EMPTY),
)
REGENERATED = alternative(
    DESIGN,
    "kip952_regenerates",
    "KIP-952, rejected: regenerate the snapshot",
    REGENERATES,
    (*OF_SHIPPED, FROM_NEWEST),
    (IN_PLACE_OF_LOCAL_LOG,),
)
REGENERATED_YOUNG = alternative(
    REGENERATED,
    "kip952_regenerates_young",
    "Beside KIP-952: regenerate the snapshot from segments that are young enough",
    REGENERATES_YOUNG,
    (*OF_SHIPPED, FROM_NEWEST, READ_WHOLE_LOG),
)
WAITING = alternative(
    SHIPPED,
    "kip952_waits",
    "KIP-952, rejected: wait until old segments have expired",
    WAITS,
    (*OF_SHIPPED, EXPIRES_WHAT_WAITS, GIVES_UP_WHAT_IS_GONE),
    scopes=WITH_DELETION,
)
REFUSING = alternative(
    SHIPPED,
    "kip952_refuses",
    "KIP-952, rejected: refuse to enable tiering",
    REFUSES,
    (*OF_SHIPPED, GIVES_UP_WHAT_IS_GONE),
    (ASKS_LEADER, ASKS_EVERY_REPLICA),
    ENABLED_LATER,
)
NOT_COPIED = alternative(
    SHIPPED,
    "kip952_without_snapshots",
    "KIP-952, rejected: copy no producer snapshots",
    WITHOUT_SNAPSHOTS,
    tuple(one for one in OF_SHIPPED if one is not FOLLOWERS_KEEP),
)
CREATED_ON_READ = alternative(
    SHIPPED,
    "kip952_creates_on_read",
    "KIP-952, rejected: take a missing snapshot for an empty one",
    CREATES_ON_READ,
    (*OF_SHIPPED, READS_REMOTE_LOG),
)
