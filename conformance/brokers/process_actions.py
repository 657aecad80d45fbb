"""Brokers that are killed, stop and start, and elections that an operator asks for."""

from __future__ import annotations

from tierproof.conformance.brokers.playing import TOPIC, Play


def make_leader(play: Play, leader: int, *, in_controls_too: bool = False) -> None:
    """An operator has a replica elected."""
    replicas = sorted(range(len(play.cluster.brokers)), key=lambda b: b != leader)
    play.note(f"operator: elect broker {leader}")
    play.client.move(TOPIC, replicas)
    play.client.elect_preferred(TOPIC)
    play.await_that(
        f"broker {leader} leads",
        lambda: play.client.leader(TOPIC) == leader,
        in_controls_too=in_controls_too,
    )


def crash(play: Play) -> None:
    """A broker is killed; what the cluster's log says meanwhile is there when it is back."""
    broker = play.cluster.brokers[play.step.broker]
    play.note(f"fault: kill -9 of broker {play.step.broker}")
    play.cluster.crash(broker)
    play.catch_up()
    start_again(play, play.actor)


def lose_disk(play: Play) -> None:
    """A broker is killed and comes back with an empty disk."""
    broker = play.cluster.brokers[play.actor]
    play.note(f"fault: kill -9 of broker {play.actor}, whose disk is lost")
    play.cluster.crash(broker)
    broker.lose_logs()
    play.catch_up()
    start_again(play, play.actor)


def restart_in_good_order(play: Play) -> None:
    """A broker stops in good order and comes back."""
    play.run_free()
    restart(play, play.actor)


def restart(play: Play, number: int) -> None:
    """A broker stops in good order and starts again."""
    play.note(f"operator: stop broker {number} and start it")
    play.cluster.brokers[number].stop()
    start_again(play, number)


def start_again(play: Play, number: int) -> None:
    """A broker that does not run starts."""
    broker = play.cluster.brokers[number]
    broker.start()
    play.cluster.await_broker(broker)
    play.await_that("the topic has a leader", lambda: play.client.leader(TOPIC) is not None)
