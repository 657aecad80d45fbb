"""The topic of an integration test's script: partitions, settings, consumed records.

Defaults are those of the tests (TieredStorageTestUtils): two brokers, segments
of one record, tiered, and local retention that keeps the active segment.
"""

from __future__ import annotations

from tierproof.conformance.consuming import Consumed
from tierproof.conformance.following import NotEnabled
from tierproof.conformance.replicas import Replicas

HARNESS = {"remote.storage.enable": "true", "local.retention.bytes": "1"}


class UnknownWords(Exception):
    """A script with words that no phrase matches."""


class Topic:
    """The current state of a script. Partitions are created at their first operation."""

    def __init__(self) -> None:
        self.leaders = [0]
        self.broker_count = 2
        self.records_per_segment = 1
        self.settings = dict(HARNESS)
        self.has_new_settings = True
        self.consumed: list[Consumed] = []
        self.without_checkpoints: list[int] = []
        self._partitions: list[Replicas] = []

    def partitions(self) -> list[Replicas]:
        """All partitions, each with the current settings."""
        if not self._partitions:
            self._partitions = [self.led_by(leader) for leader in self.leaders]
        if self.has_new_settings:
            self.has_new_settings = False
            for partition in self._partitions:
                partition.configure(self.settings)
        return self._partitions

    def led_by(self, leader: int) -> Replicas:
        """A partition with a replica on every broker."""
        brokers = list(range(self.broker_count))
        led = [*brokers[leader:], *brokers[:leader]]
        return Replicas(led, self.records_per_segment)

    def settled(self) -> list[Replicas]:
        """All partitions, once nothing changes any more."""
        for partition in self.partitions():
            partition.settle()
        return self.partitions()

    def begin_line(self) -> None:
        """Forget copies and deletions: expectations of a line cover only later ones."""
        for partition in self._partitions:
            partition.copied.clear()
            partition.deleted.clear()


def expect(told: str, answer: str) -> None:
    """Check a value that a script states with an operation. Raises NotEnabled."""
    if told != answer:
        raise NotEnabled(f"the script says {told!r}, the model {answer!r}")
