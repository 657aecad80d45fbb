"""The arrays that the engine's own functions work on."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Words: TypeAlias = NDArray[np.uint64]
"""Packed states, fingerprints or bits."""

Numbers: TypeAlias = NDArray[np.int64]
"""Leaves, indexes or counts."""

Array: TypeAlias = NDArray[Any]
"""An array whose elements are of a type that its name or its comment says."""
