"""Mutation: each place of a design's functions changed alone, to see which property notices.

`places_of(design)` lists the functions that say what a design does, `mutants_of(...)` what may be
changed in them, and `mutated(design, mutant)` is the design with one change. A mutant is text: its
function is read and compiled as any other, and CPython runs the same text.
"""

from tierproof.model.language.mutation.mutants import Mutant, mutants_of
from tierproof.model.language.mutation.places import Place, places_of
from tierproof.model.language.mutation.replacing import mutated

__all__ = ["Mutant", "Place", "mutants_of", "mutated", "places_of"]
