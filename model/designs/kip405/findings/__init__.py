"""What KIP-405 as shipped permits that it should not: the register's written half.

The traces beside these texts in docs/findings/kip405 are generated: `tierproof findings kip405`.
"""

from tierproof.model.designs.kip405.findings.below_the_log_start import BELOW_THE_LOG_START
from tierproof.model.designs.kip405.findings.copies import COPIES
from tierproof.model.designs.kip405.findings.deletions import DELETIONS
from tierproof.model.designs.kip405.findings.in_sync import IN_SYNC
from tierproof.model.designs.kip405.findings.offsets import OFFSETS
from tierproof.model.designs.kip405.findings.out_of_order import OUT_OF_ORDER
from tierproof.model.designs.kip405.findings.requests import REQUESTS
from tierproof.model.designs.kip405.findings.sizes import SIZES
from tierproof.model.designs.kip405.findings.unfinished import UNFINISHED
from tierproof.model.designs.kip405.offset_findings import OFFSET_FINDINGS

FINDINGS = (
    *COPIES,
    *UNFINISHED,
    *OFFSETS,
    *REQUESTS,
    *SIZES,
    *BELOW_THE_LOG_START,
    *OUT_OF_ORDER,
    *DELETIONS,
    *OFFSET_FINDINGS,
    *IN_SYNC,
)
