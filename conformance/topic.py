"""A topic as a script of an integration test tells of it: partitions, settings, what was consumed.

What a script does not say is as in those tests (TieredStorageTestUtils): two brokers, segments
of one record, tiered, and local retention that keeps the active segment.
"""

from __future__ import annotations

from tierproof.conformance.consuming import Consumed
from tierproof.conformance.replaying import NotEnabled
from tierproof.conformance.replicas import Replicas

HARNESS = {"remote.storage.enable": "true", "local.retention.bytes": "1"}


class UnknownWords(Exception):
    """A script that says what no phrase knows."""


class Topic:
    """What a script has come to. The partitions are made when something is done to them."""

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
        """All of them, each with the settings as they are."""
        if not self._partitions:
            self._partitions = [self.led_by(leader) for leader in self.leaders]
        if self.has_new_settings:
            self.has_new_settings = False
            for it in self._partitions:
                it.configure(self.settings)
        return self._partitions

    def led_by(self, leader: int) -> Replicas:
        """A partition with a replica on every broker."""
        brokers = list(range(self.broker_count))
        led = [*brokers[leader:], *brokers[:leader]]
        return Replicas(led, self.records_per_segment)

    def settled(self) -> list[Replicas]:
        """All of them, when the brokers have done all that they do by themselves."""
        for it in self.partitions():
            it.settle()
        return self.partitions()

    def begin_line(self) -> None:
        """What a line is asked of the remote store is what happens from here on."""
        for it in self._partitions:
            it.copied.clear()
            it.deleted.clear()


def expect(told: str, answer: str) -> None:
    """What a script tells beside what it does has to be so. Raises NotEnabled."""
    if told != answer:
        raise NotEnabled(f"the script says {told!r}, the model {answer!r}")
