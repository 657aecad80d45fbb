"""Repairs: one for each cause, all of them ours; the findings say what each mends.

`REPAIR_ALL` has one of each cause. Apart from it are a narrower repair of tombstones, which the
segment's UUID in the key makes superfluous, and those that stand beside a reading of the text.
"""

from tierproof.model.designs.kip1266.object_deleted_first import REPAIR_TELL_DELETION_FIRST
from tierproof.model.designs.kip1266.repairs.keys import (
    CONDITIONAL_TOMBSTONES,
    KIND_IN_KEY,
    UUID_IN_KEY,
)
from tierproof.model.designs.kip1266.repairs.partition import FORGET_PARTITIONS
from tierproof.model.designs.kip1266.repairs.values import (
    CONSUMER_READS_NULL,
    REBUILD_OUTRUN_CACHES,
    SELF_CONTAINED_VALUES,
    TELL_HIGHEST_OFFSETS,
    TOMBSTONES_FORGET,
)
from tierproof.model.designs.kip1266.repairs.writers import (
    DELETE_GIVEN_UP,
    FENCE_WRITERS,
    READ_TO_THE_END,
    STORE_REMEMBERS,
)
from tierproof.model.language import Variant

REPAIR_ALL = Variant(
    name="repair_all",
    because="the repairs belong together",
    parts=(
        SELF_CONTAINED_VALUES,
        UUID_IN_KEY,
        TOMBSTONES_FORGET,
        REBUILD_OUTRUN_CACHES,
        TELL_HIGHEST_OFFSETS,
        FENCE_WRITERS,
        STORE_REMEMBERS,
        READ_TO_THE_END,
        DELETE_GIVEN_UP,
        FORGET_PARTITIONS,
    ),
)
BESIDE_READINGS = (
    KIND_IN_KEY,
    CONSUMER_READS_NULL,
    REPAIR_TELL_DELETION_FIRST,
)
REPAIRS = (*REPAIR_ALL.parts, REPAIR_ALL, CONDITIONAL_TOMBSTONES, *BESIDE_READINGS)
