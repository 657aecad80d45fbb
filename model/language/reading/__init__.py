"""The modelling language, read: a design's functions become typed trees, or are refused.

What can be said is in docs/language.md. Whoever compiles a design takes its trees from here.
"""

from tierproof.model.language.reading.designs import Reader
from tierproof.model.language.reading.functions import read_function

__all__ = ["Reader", "read_function"]
