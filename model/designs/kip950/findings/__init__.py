"""What KIP-950 as accepted and shipped permits that it should not: the register's written half.

The traces beside these texts in docs/findings/kip950 are generated: `tierproof findings kip950`.
"""

from tierproof.model.designs import kip405
from tierproof.model.designs.kip950.findings import (
    leading,
    leaking,
    losing,
    of_settings,
    out_of_order,
    smaller,
    upgrading,
)
from tierproof.model.designs.kip950.repairs import INHERITED as REPAIRS_OF_KIP405

FINDINGS = (
    losing.DELETED_COPIES,
    out_of_order.LOCAL_BEFORE_REMOTE,
    leading.FOLLOWER_LACKS_THE_BEGINNING,
    losing.TWO_CHANGES,
    losing.AMID_A_DELETION,
    leading.ZOMBIE_DISABLES,
    leading.LEADER_GOES_AHEAD,
    leaking.LATE_COPY,
    leaking.REFUSED_DELETE,
    leaking.NOBODY_DELETES,
    upgrading.OLDER_BROKER_IGNORES,
    smaller.NEW_LEADER_KEEPS,
    smaller.CRASH_AMID_A_DELETION,
    smaller.ELECTED_AMID,
    of_settings.SETTINGS_FIRST,
    of_settings.READ_ONLY_AFTER_DISABLE,
)
_REPAIRS = {repair.name for repair in REPAIRS_OF_KIP405}
INHERITED = tuple(one for one in kip405.DESIGN.findings if one.repair in _REPAIRS)
"""Causes that KIP-405 has already: their pages are there."""
