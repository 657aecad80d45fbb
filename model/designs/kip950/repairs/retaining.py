"""Local retention of a read-only topic, which still has a remote log."""

from tierproof.model.designs.kip405.local import broker_raises_start_to_delete
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip950.state import Topic
from tierproof.model.kafka.local_retention import Reason
from tierproof.model.kafka.local_segments import first_base
from tierproof.model.language import Variant, guard


@guard
def has_no_older_remote_records(state: Topic, broker: Broker, reason: Reason) -> bool:
    """Where copying is disabled, retention deletes locally once nothing older is only remote."""
    log = state.broker[broker]
    is_read_only = log.settings.remote_storage_enable and log.settings.remote_log_copy_disable
    begins_locally = log.log_start_offset >= first_base(log)
    return reason == Reason.LOG_START or not is_read_only or begins_locally


EXPIRE_REMOTE_FIRST = Variant(
    name="repair_expire_remote_segments_first",
    because="A local retention gives up older records that the remote tier still keeps.",
    fence={broker_raises_start_to_delete: has_no_older_remote_records},
)
