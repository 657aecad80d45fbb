"""What would happen otherwise: fixes switched off, repairs of ours, and unclean elections."""

from tierproof.model.designs.kip405.fence import FENCE, LEAD_ANEW, TAKE_OVER
from tierproof.model.designs.kip405.repairs import REPAIRS
from tierproof.model.designs.kip405.switched_off import SWITCHED_OFF
from tierproof.model.designs.kip405.unclean import UNCLEAN_ELECTIONS

VARIANTS = (*SWITCHED_OFF, *REPAIRS, FENCE, LEAD_ANEW, TAKE_OVER, UNCLEAN_ELECTIONS)
"""Those called kafka_ switch a fix off; those called repair_ repair what ships."""
