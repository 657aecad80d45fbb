"""The histories: what is in the log at the beginning, which a scope names by its place.

In COMMITTED_BESIDE and ABORTED_BESIDE the record after the marker is in the marker's segment.
"""

from tierproof.model.kafka.segment_versions import RecordType
from tierproof.model.language import NONE

PUT, DELETE = (0, RecordType.VALUE, False), (0, RecordType.TOMBSTONE, False)
PUT_OTHER = (1, RecordType.VALUE, False)
PUT_IN_TRANSACTION = (0, RecordType.VALUE, True)
DELETE_IN_TRANSACTION = (0, RecordType.TOMBSTONE, True)
COMMIT, ABORT = (NONE, RecordType.COMMIT, False), (NONE, RecordType.ABORT, False)

HISTORIES = (
    (PUT, PUT),
    (PUT, DELETE, PUT_OTHER),
    (PUT_OTHER, PUT, PUT),
    (PUT_OTHER, PUT, DELETE, PUT_OTHER, PUT_OTHER),
    (PUT_IN_TRANSACTION, COMMIT, PUT_OTHER, PUT_OTHER),
    (PUT, PUT_IN_TRANSACTION, ABORT, PUT_OTHER),
    (PUT, DELETE_IN_TRANSACTION, COMMIT, PUT_OTHER),
    (PUT_IN_TRANSACTION, COMMIT, PUT_OTHER, PUT_OTHER),
    (PUT, PUT_IN_TRANSACTION, ABORT, PUT_OTHER),
    (PUT_OTHER, PUT, DELETE),
)
"""(key, type, is_transactional) of each record; a scope names one by its place."""
UPDATED, DELETED, UPDATED_LATER, DELETED_LATER, COMMITTED, ABORTED, DELETED_IN_TRANSACTION = range(
    7
)
COMMITTED_BESIDE, ABORTED_BESIDE, DELETED_LAST = range(7, 10)
