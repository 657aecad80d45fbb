"""Repairs: what would have to be otherwise, alone and together; the findings say what each does.

`repair_uuid_and_state_in_key` is the alternative pull request (22774); the others are ours. Of
some it is said beside which reading of the text they make sense.
"""

from tierproof.model.designs.kip1266.object_deleted_first import REPAIR_TELL_DELETION_FIRST
from tierproof.model.designs.kip1266.repairs.keys import (
    CONDITIONAL_TOMBSTONES,
    KIND_IN_KEY,
    UUID_AND_STATE_IN_KEY,
    UUID_IN_KEY,
)
from tierproof.model.designs.kip1266.repairs.partition import FORGET_PARTITIONS
from tierproof.model.designs.kip1266.repairs.values import (
    CONSUMER_READS_NULL,
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

AGREED = (TOMBSTONES_FORGET, TELL_HIGHEST_OFFSETS)
LEADERS = (FENCE_WRITERS, STORE_REMEMBERS, READ_TO_THE_END, DELETE_GIVEN_UP)
"""Leaders that know what they do, and others that cannot act."""

SELF_CONTAINED_AND_UUID = Variant(
    name="repair_self_contained_values_and_uuid_in_key",
    because="each of the two alone loses a segment",
    parts=(SELF_CONTAINED_VALUES, UUID_IN_KEY),
)
ALL_BUT_FENCES = Variant(
    name="repair_all_but_fences",
    because="what is left if writers are not fenced",
    parts=(SELF_CONTAINED_AND_UUID, *AGREED),
)
ALL = Variant(
    name="repair_all",
    because="the repairs belong together",
    parts=(ALL_BUT_FENCES, *LEADERS, FORGET_PARTITIONS),
)
COUNT_DELETIONS_IN_ANY_STATE = Variant(
    name="repair_deletion_counts_in_any_state",
    because="beside `repair_uuid_and_state_in_key`: a deletion needs what was tombstoned",
    parts=(*AGREED, *LEADERS, FORGET_PARTITIONS),
)
ALL_WITH_STATE_IN_KEY = Variant(
    name="repair_all_with_state_in_key",
    because="the alternative pull request with what it lacks",
    parts=(UUID_AND_STATE_IN_KEY, COUNT_DELETIONS_IN_ANY_STATE),
)

REPAIRS = (
    SELF_CONTAINED_VALUES,
    UUID_IN_KEY,
    UUID_AND_STATE_IN_KEY,
    FENCE_WRITERS,
    CONDITIONAL_TOMBSTONES,
    TOMBSTONES_FORGET,
    TELL_HIGHEST_OFFSETS,
    FORGET_PARTITIONS,
    SELF_CONTAINED_AND_UUID,
    ALL_BUT_FENCES,
    ALL,
    ALL_WITH_STATE_IN_KEY,
    KIND_IN_KEY,
    CONSUMER_READS_NULL,
    REPAIR_TELL_DELETION_FIRST,
    COUNT_DELETIONS_IN_ANY_STATE,
)
