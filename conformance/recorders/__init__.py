"""Recordings made again from the published classes of a released Kafka.

The questions are those of a committed recording; the real class of the release answers each of
them through the Java virtual machine beside us. Answers are written in the committed format, so
`conform` reads them. There is one module for each kind of file, as in `conformance` itself.
"""

from tierproof.conformance.recorders.differences import compared
from tierproof.conformance.recorders.recording import RECORDERS, Recorded, recorded
from tierproof.conformance.recorders.table import as_markdown

__all__ = ["RECORDERS", "Recorded", "as_markdown", "compared", "recorded"]
