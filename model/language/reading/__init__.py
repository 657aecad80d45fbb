"""Reading the modelling language: a design's functions become typed trees, or are refused.

docs/language.md lists what can be written. Compilers take the trees of a design from here.
"""

from tierproof.model.language.reading.designs import Reader
from tierproof.model.language.reading.functions import read_function

__all__ = ["Reader", "read_function"]
