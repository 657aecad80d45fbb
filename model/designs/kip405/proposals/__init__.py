"""What the mails propose where that is not our repair: other changes against the same causes."""

from tierproof.model.designs.kip405.proposals.copies import OF_COPIES
from tierproof.model.designs.kip405.proposals.leaders import STOP_BEHIND_NEWER_LEADER
from tierproof.model.designs.kip405.proposals.offsets import OF_OFFSETS
from tierproof.model.designs.kip405.proposals.sizes import OF_SIZES

PROPOSALS = (*OF_COPIES, *OF_OFFSETS, *OF_SIZES, STOP_BEHIND_NEWER_LEADER)
