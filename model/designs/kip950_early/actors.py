"""Who acts: controllers, the two threads of a broker that change the tiering, the network."""

from tierproof.model.kafka.tiered_state import DISABLEMENT, HANDLER, WATCH
from tierproof.model.language import Actor

CONTROLLER = Actor("controller {controller}")
CLUSTER = Actor("cluster")
"""ZooKeeper, or the quorum of controllers."""
LEARNER = Actor("broker {broker}", at=f"broker[broker].thread[{WATCH}].step", life=DISABLEMENT)
"""The broker's thread that learns of settings."""
REQUEST_HANDLER = Actor(
    "broker {broker}", at=f"broker[broker].thread[{HANDLER}].step", life=DISABLEMENT
)
"""The broker's thread that executes requests of controllers."""
DISABLER = Actor("broker {broker}", at="broker[broker].thread[thread].step", life=DISABLEMENT)
"""Either of the two, in RemoteLogManager#stopPartitions."""
NETWORK = Actor("network")
CONSUMER = Actor("consumer")
FETCHER = Actor("fetcher pool")
OPERATOR = Actor("operator")
