"""Who acts in KIP-405, and where each thread stands."""

from tierproof.model.designs.kip405.state import ATTEMPT, REMOVAL_STEPS, RUN
from tierproof.model.kafka.remote_log_task import COPY_TASK as COPY_TASK_LIFE
from tierproof.model.language import Actor

COPIER = Actor("copy of segment {segment}", at="segment[segment].attempt", life=ATTEMPT)
"""The thread of an RLMCopyTask while it copies one segment."""
COPY_TASK = Actor("broker {broker}", at="broker[broker].copy_task", life=COPY_TASK_LIFE)
"""A broker's RLMCopyTask between its copies."""
EXPIRATION = Actor("broker {broker}", at="broker[broker].run_step", life=RUN)
"""The thread of a broker's RLMExpirationTask."""
REMOVAL = Actor("broker {broker}", at="broker[broker].removal_step", life=REMOVAL_STEPS)
"""The thread of a broker that runs stopPartitions."""

BROKER = Actor("broker {broker}")
LEADER = Actor("broker {leader}")
FOLLOWER = Actor("broker {follower}")
CONTROLLER = Actor("controller")
USER = Actor("user")
CONSUMER = Actor("consumer")
CLOCK = Actor("time")
