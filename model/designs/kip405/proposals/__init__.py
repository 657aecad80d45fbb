"""What the mails propose where that is not our repair: other changes against the same causes."""

from tierproof.model.designs.kip405.proposals.copies import OF_COPIES
from tierproof.model.designs.kip405.proposals.offsets import OF_OFFSETS

PROPOSALS = (*OF_COPIES, *OF_OFFSETS)
