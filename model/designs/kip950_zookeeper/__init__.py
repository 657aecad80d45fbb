"""KIP-950 as accepted, its appendix: ZooKeeper, DISABLING, and StopReplica v5 to every broker.

A diff of the early proposal with ZooKeeper (`model.designs.kip950_early`): the ZNodes, the
tiered epoch, the queue of disablements and the policies are the same. `stop_replica` has what
differs: the request has epochs, and nothing else disables; watches give logs their settings,
and start tasks where tiering is switched on.
The appendix never shipped: ZooKeeper was left out of 3.9, and of Kafka.
"""

from tierproof.model.designs.kip405.replication import COMMITTED_BY_THE_CONTROLLER
from tierproof.model.designs.kip950_early import ZOOKEEPER
from tierproof.model.designs.kip950_early.learning import broker_reads_settings
from tierproof.model.designs.kip950_early.readings import SHARED, UNFENCED
from tierproof.model.designs.kip950_early.repairs import IN_APPENDIX as REPAIRS
from tierproof.model.designs.kip950_early.requests import (
    broker_executes_request,
    controller_sends_request,
)
from tierproof.model.designs.kip950_early.scopes import ELECTED, IN_SYNC, SCOPES
from tierproof.model.designs.kip950_zookeeper.proposals import PROPOSALS
from tierproof.model.designs.kip950_zookeeper.stop_replica import (
    broker_refuses_stop_replica,
    has_no_stale_epoch,
    learn_controller_epoch,
    read_settings_only,
    write_epochs,
)
from tierproof.model.language import Edit

DESIGN = ZOOKEEPER.derive(
    name="kip950_zookeeper",
    title="KIP-950 as accepted, ZooKeeper: StopReplica v5",
    document="KIP-950 as accepted, appendix",
    change=Edit(
        define=COMMITTED_BY_THE_CONTROLLER,
        first={
            controller_sends_request: write_epochs,
            broker_executes_request: learn_controller_epoch,
        },
        fence={broker_executes_request: has_no_stale_epoch},
        effect={broker_reads_settings: read_settings_only},
        add_system=(broker_refuses_stop_replica,),
    ),
    variants=(*SHARED, UNFENCED, *REPAIRS, *PROPOSALS),
    scopes={**SCOPES, "in_sync": IN_SYNC, "deep": ELECTED},
)
