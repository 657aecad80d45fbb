"""Who acts in KIP-405 beneath faults, besides the actors of KIP-405."""

from tierproof.model.designs.kip405_faults.state import OTHER_COPY
from tierproof.model.language import Actor

METADATA_LEADER = Actor("remote_metadata")
"""The broker that leads the partition of the metadata topic."""
OTHER_COPIER = Actor(
    "copy of another partition on broker {broker}", at="broker[broker].other_copy", life=OTHER_COPY
)
"""The thread that copies a segment of another partition."""
