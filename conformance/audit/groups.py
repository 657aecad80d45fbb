"""Arrays whose elements stand in groups, one group behind the other."""

from __future__ import annotations

import numpy as np

from tierproof.conformance.audit.history import Numbers


def highest_so_far(group: Numbers, values: Numbers) -> tuple[Numbers, Numbers]:
    """The highest value of its group up to each element; whether it is the first of its group.

    Equal groups stand side by side.
    """
    if not len(group):
        return values, np.empty(0, bool)
    is_new = np.append(True, np.diff(group) != 0)
    known, rank = np.unique(values, return_inverse=True)
    before = (np.cumsum(is_new) - 1) * len(known)
    return known[np.maximum.accumulate(before + rank) - before], is_new
