"""KIP-950 as accepted, its appendix: ZooKeeper, DISABLING, and StopReplica v5 to every broker.

Stands on the early proposal with ZooKeeper (`model.designs.kip950_early`): the ZNodes, the
tiered epoch, the queue of disablements and the policies are the same. Read `stop_replica`
for what differs: the request has epochs, and is the only thing that disables; watches give
logs their settings, and start tasks where tiering is switched on.
The appendix never shipped: ZooKeeper was left out of 3.9, and of Kafka.
"""

from tierproof.model.designs import kip950_early
from tierproof.model.designs.kip950 import without
from tierproof.model.designs.kip950_early.register import APPENDIX
from tierproof.model.designs.kip950_early.repairs import COMPARE, all_together
from tierproof.model.designs.kip950_early.repairs import SHARED as REPAIRS
from tierproof.model.designs.kip950_early.scopes import ELECTED, SCOPES
from tierproof.model.designs.kip950_early.state import Topic
from tierproof.model.designs.kip950_early.variants import SHARED as READINGS
from tierproof.model.designs.kip950_early.variants import UNFENCED
from tierproof.model.designs.kip950_zookeeper.repairs import REPAIR_RAISE_FIRST, REPAIR_TIERED_EPOCH
from tierproof.model.designs.kip950_zookeeper.stop_replica import (
    broker_executes_stop_replica,
    broker_reads_settings_only,
    broker_refuses_stop_replica,
    controller_sends_stop_replica,
)
from tierproof.model.language import Design

SYSTEM = (
    controller_sends_stop_replica,
    broker_executes_stop_replica,
    broker_refuses_stop_replica,
    broker_reads_settings_only,
    *without(
        kip950_early.ZOOKEEPER_SYSTEM,
        "controller_sends_request",
        "broker_executes_request",
        "broker_reads_settings",
    ),
)

DESIGN = Design(
    name="kip950_zookeeper",
    title="KIP-950 as accepted, ZooKeeper: StopReplica v5",
    document="KIP-950 as accepted, appendix",
    state=Topic,
    initial=(kip950_early.enabled_topic,),
    system=SYSTEM,
    environment=kip950_early.ZOOKEEPER_ENVIRONMENT,
    properties=kip950_early.PROPERTIES,
    witnesses=kip950_early.WITNESSES,
    variants=(
        *READINGS,
        UNFENCED,
        *REPAIRS,
        COMPARE,
        REPAIR_TIERED_EPOCH,
        REPAIR_RAISE_FIRST,
        kip950_early.BOUND_IN_ZOOKEEPER,
        all_together(
            REPAIR_TIERED_EPOCH, COMPARE, REPAIR_RAISE_FIRST, kip950_early.BOUND_IN_ZOOKEEPER
        ),
    ),
    findings=APPENDIX,
    scopes={**SCOPES, "deep": ELECTED},
)
