"""Who acts in KIP-1272 besides the actors of KIP-405."""

from tierproof.model.designs.kip1272.state import CLEANING
from tierproof.model.language import Actor

CLEANER = Actor("cleaner of broker {broker}", at="broker[broker].cleaner", life=CLEANING)
"""The thread of a broker's log cleaner, while it cleans the partition."""
