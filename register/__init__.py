"""What was found of the designs: the only room that knows findings.

`findings/DESIGN/NAME.md` is a finding; `register_of(design)` reads those of a design.
"""

from tierproof.register.entries import Finding, Passage, PublishedBug, Severity, Text, Told
from tierproof.register.registers import Register, register_of

__all__ = [
    "Finding",
    "Passage",
    "PublishedBug",
    "Register",
    "Severity",
    "Text",
    "Told",
    "register_of",
]
