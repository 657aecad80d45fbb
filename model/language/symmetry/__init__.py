"""Symmetry: whether the things that a bound counts are alike, decided by what functions do to them.

The rules are those of Murphi's scalarsets (Ip and Dill, "Better Verification Through Symmetry").
What they cannot decide is refused.
"""

from tierproof.model.language.symmetry.checking import alike_in, check_alike

__all__ = ["alike_in", "check_alike"]
