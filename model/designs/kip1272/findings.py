"""What KIP-1272 permits that it should not: the register's written half, the worst first.

The traces beside these texts in docs/findings/kip1272 are generated: `tierproof findings kip1272`.
"""

from tierproof.model.designs.kip1272.findings_of_brokers import OF_BROKERS
from tierproof.model.designs.kip1272.findings_of_choosing import OF_CHOOSING
from tierproof.model.designs.kip1272.findings_of_cleaning import OF_CLEANING
from tierproof.model.designs.kip1272.findings_of_copies import OF_COPIES
from tierproof.model.designs.kip1272.findings_of_leaders import OF_LEADERS
from tierproof.model.designs.kip1272.findings_of_readings import OF_READINGS
from tierproof.model.designs.kip1272.findings_of_sizes import OF_SIZES
from tierproof.model.designs.kip1272.findings_of_skipping import OF_SKIPPING
from tierproof.model.designs.kip1272.findings_of_transactions import OF_ABORTED, OF_MARKERS
from tierproof.model.designs.kip1272.findings_of_versions import OF_VERSIONS
from tierproof.model.language import in_no_release

FINDINGS = in_no_release(
    (
        *OF_READINGS,
        *OF_LEADERS,
        *OF_BROKERS,
        *OF_CLEANING,
        *OF_CHOOSING,
        *OF_MARKERS,
        *OF_VERSIONS,
        *OF_COPIES,
        *OF_ABORTED,
        *OF_SKIPPING,
        *OF_SIZES,
    )
)
