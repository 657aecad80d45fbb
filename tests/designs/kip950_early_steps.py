"""Walks through the three designs of KIP-950 that disable in stages, in words that they share.

A walk takes actions by name and says where it is; a word stands for what a design has its own
actions for: KRaft writes one record where ZooKeeper has two ZNodes.
"""

from __future__ import annotations

from typing import Any, Self

from tests.designs.step_by_step import Walk, act
from tierproof.model.designs import kip950_zookeeper
from tierproof.model.designs.kip405.state import RemovalStep
from tierproof.model.designs.kip950_early import KRAFT, ZOOKEEPER
from tierproof.model.kafka.local_retention import Reason
from tierproof.model.kafka.tiered_state import HANDLER, WATCH, DisableStep, Policy
from tierproof.model.language import Design, Scope

APPENDIX = kip950_zookeeper.DESIGN
DESIGNS = {design.name: design for design in (KRAFT, ZOOKEEPER, APPENDIX)}
WITH_ZOOKEEPER = [ZOOKEEPER.name, APPENDIX.name]
WITH_DISABLE_REMOTE_TOPIC = [KRAFT.name, ZOOKEEPER.name]

SCOPE = KRAFT.scope("smoke").replace(
    brokers=2,
    offsets=4,
    segment_ids=3,
    clock_ms=4,
    leader_epochs=3,
    metadata_records=12,
    controllers=2,
    controller_elections=2,
    config_changes=4,
    policy_changes=2,
    unapplied_records=4,
    requests=2,
    lost_requests=1,
    duplicate_requests=1,
    removed_brokers=1,
    fetches=2,
    elections=1,
    restarts=2,
)
BROKERS = range(2)

NEXT = {
    DisableStep.CANCELLING_COPY: "thread_cancels_copy",
    DisableStep.RAISING_LOG_START: "thread_raises_log_start",
    DisableStep.DRAINING_FETCHES: "thread_drains_fetches",
    DisableStep.STOPPING_PARTITION: "thread_stops_partition",
    DisableStep.WAITING_FOR_REMOVAL: "thread_ends_removal",
}
"""What a thread that disables does next."""

REMOVAL = {
    RemovalStep.STARTING_DELETES: (
        "removal_publishes_delete_started",
        "removal_goes_on_to_objects",
    ),
    RemovalStep.DELETING_OBJECTS: ("removal_deletes_object", "removal_goes_on_to_metadata"),
    RemovalStep.FINISHING_DELETES: ("removal_publishes_delete_finished", "removal_ends"),
}
"""What stopPartitions does for each segment of a stage, and at the end of the stage."""


class StagedWalk(Walk):
    """A walk through one of the three designs: a method is what somebody does in all of them."""

    def __init__(self, name: str, scope: Scope = SCOPE, design: Design | None = None) -> None:
        super().__init__(design or DESIGNS[name], scope)
        self.name = name

    def may(self, action: str, **arguments: int) -> bool:
        """Whether the step is enabled now."""
        return self.can(act(action, **arguments))

    def does(self, action: str, **arguments: int) -> Self:
        """Take a step."""
        return self.take(act(action, **arguments))

    def broker(self, number: int = 0) -> Any:
        """What a broker has and believes."""
        return self.state.broker[number]

    def step(self, broker: int, thread: int) -> DisableStep:
        """How far a thread of a broker has come."""
        return DisableStep(self.broker(broker).thread[thread].step)

    # -- the topic is tiered

    def begins_to_copy(self, broker: int = 0) -> Self:
        """The first run of the copy task, up to the first segment."""
        self.does("copy_task_finds_log_start", broker=broker)
        return self.does("copy_task_finds_highest_remote_offset", broker=broker)

    def reads_metadata(self, *brokers: int) -> Self:
        """These brokers read the metadata topic to its end."""
        for b in brokers:
            while self.may("broker_reads_metadata", broker=b):
                self.does("broker_reads_metadata", broker=b)
        return self

    def starts_copy(self, segment: int, broker: int = 0) -> Self:
        """A segment is chosen, published as started, and stored."""
        self.does("copy_task_chooses_segment", broker=broker)
        self.does("copy_publishes_started", segment=segment).reads_metadata(broker)
        return self.does("copy_stores_object", segment=segment)

    def finishes_copy(self, segment: int, broker: int = 0) -> Self:
        """COPY_SEGMENT_FINISHED is published and read, progress is recorded."""
        self.does("copy_publishes_finished", segment=segment).reads_metadata(broker)
        return self.does("copy_records_progress", segment=segment)

    def copies(self, *segments: int, broker: int = 0) -> Self:
        """Segments are copied one after the other; all brokers know."""
        for segment in segments:
            self.starts_copy(segment, broker).finishes_copy(segment, broker)
        return self.reads_metadata(*BROKERS)

    def drops_locally(self, broker: int = 0, reason: Reason = Reason.SIZE) -> Self:
        """Local retention removes segments."""
        self.does("broker_raises_start_to_delete", broker=broker, reason=reason)
        return self.does("broker_removes_segments", broker=broker)

    def expires_remotely(self, *segments: int, broker: int = 0) -> Self:
        """A run of the expiration task deletes these segments and no other."""
        self.does("expiration_task_plans_retention", broker=broker)
        self.does("expiration_task_raises_log_start", broker=broker)
        for segment in segments:
            assert self.broker(broker).planned[self.broker(broker).planned_next] == segment
            self.does("expiration_publishes_delete_started", broker=broker).reads_metadata(broker)
            self.does("expiration_deletes_object", broker=broker)
            self.does("expiration_publishes_delete_finished", broker=broker)
            self.reads_metadata(broker)
        self.does("expiration_task_plans_old_epochs", broker=broker)
        return self.reads_metadata(*BROKERS)

    # -- settings

    def writes_settings(self, is_enabled: bool, policy: Policy, controller: int = 0) -> Self:
        """The settings are written; with ZooKeeper the tiered state is not."""
        action = "alters_config" if self.name == KRAFT.name else "writes_config"
        given = {"is_enabled": is_enabled, "policy": policy}
        return self.does(f"controller_{action}", controller=controller, **given)

    def alters(self, is_enabled: bool, policy: Policy, controller: int = 0) -> Self:
        """Settings and tiered state are written."""
        self.writes_settings(is_enabled, policy, controller)
        if self.name != KRAFT.name:
            self.does("controller_writes_tiered_state", controller=controller)
        return self

    def disables(self, policy: Policy, controller: int = 0) -> Self:
        """The topic is DISABLING."""
        return self.alters(False, policy, controller)

    def enables(self, controller: int = 0) -> Self:
        """The topic is ENABLED, with the policy that it has; brokers do not know yet."""
        return self.alters(True, Policy(self.state.policy), controller)

    def may_alter(self, is_enabled: bool, policy: Policy, controller: int = 0) -> bool:
        """Whether the controller accepts to switch tiering."""
        action = "alters_config" if self.name == KRAFT.name else "writes_config"
        given = {"is_enabled": is_enabled, "policy": policy}
        return self.may(f"controller_{action}", controller=controller, **given)

    @property
    def changes_policy(self) -> str:
        """The action that changes the policy alone."""
        return f"controller_{'changes' if self.name == KRAFT.name else 'writes'}_policy"

    def learns(self, *brokers: int) -> Self:
        """Brokers learn the next settings; what follows is left to their watch."""
        for b in brokers:
            if self.name == KRAFT.name:
                self.does("broker_applies_leadership", broker=b, records=1)
                self.does("broker_applies_settings", broker=b)
            else:
                self.does("broker_reads_settings", broker=b)
        return self

    # -- requests and threads

    def may_send(self, broker: int, controller: int = 0) -> bool:
        """Whether a controller asks the broker, for the first time or again."""
        return self.may("controller_sends_request", controller=controller, broker=broker)

    def sends(self, *brokers: int, controller: int = 0) -> Self:
        """Requests to brokers are on their way, in the first slots that are free."""
        for b in brokers:
            self.does("controller_sends_request", controller=controller, broker=b)
        return self

    def executes(self, slot: int = 0) -> Self:
        """The broker that a request is addressed to begins to execute it."""
        return self.does("broker_executes_request", **self.delivery(slot))

    def delivery(self, slot: int = 0) -> dict[str, int]:
        """The arguments of a request that arrives."""
        return {"broker": int(self.state.request[slot].to), "slot": slot}

    def removes(self, broker: int) -> Self:
        """All that a removal has listed is marked, deleted, and published as deleted."""
        while self.broker(broker).removal_step != RemovalStep.IDLE:
            removing = self.broker(broker)
            for_each, at_the_end = REMOVAL[RemovalStep(removing.removal_step)]
            for segment in range(len(self.state.segment)):
                if segment in removing.to_remove:
                    self.does(for_each, broker=broker, segment=segment)
            self.reads_metadata(broker).does(at_the_end, broker=broker)
        return self

    def goes_on(self, broker: int, thread: int) -> Self:
        """A thread takes its next step; a removal is one step."""
        step = self.step(broker, thread)
        if step == DisableStep.STARTING_TASKS:
            return self.does("broker_starts_tasks", broker=broker)
        if step == DisableStep.WAITING_FOR_REMOVAL:
            self.removes(broker)
        return self.does(NEXT[step], broker=broker, thread=thread)

    def runs(self, broker: int, thread: int) -> Self:
        """A thread runs until it has nothing to do, or an answer to give."""
        while self.step(broker, thread) not in (DisableStep.IDLE, DisableStep.ANSWERING):
            self.goes_on(broker, thread)
        return self

    def reacts(self, *brokers: int) -> Self:
        """Brokers learn the next settings, and do what follows from it."""
        for b in brokers:
            self.learns(b).runs(b, WATCH)
        return self

    def handles(self, slot: int = 0) -> int:
        """A request is executed to the end; the broker has an answer to give."""
        broker = int(self.state.request[slot].to)
        self.executes(slot).runs(broker, HANDLER)
        return broker

    def asks(self, *brokers: int, controller: int = 0) -> Self:
        """Brokers are asked one after the other, execute, and their answers are heard."""
        for b in brokers:
            self.sends(b, controller=controller)
            slot = next(n for n, request in enumerate(self.state.request) if request.to == b)
            assert self.handles(slot) == b
            self.does("broker_answers", broker=b)
            self.does("controller_hears_answer", controller=controller, broker=b)
        return self

    def completes_disable(self, policy: Policy) -> Self:
        """The whole way from ENABLED to DISABLED."""
        self.disables(policy).reacts(*BROKERS).asks(*BROKERS)
        return self.does("controller_completes", controller=0)

    def enables_everywhere(self) -> Self:
        """The topic is ENABLED, and every broker has started its tasks and read all metadata."""
        return self.enables().reacts(*BROKERS).reads_metadata(*BROKERS)

    def begins_to_disable(self, broker: int) -> int:
        """The thread that first disables: the watch, or in the appendix the one with a request."""
        self.learns(broker)
        if self.name != APPENDIX.name:
            return WATCH
        self.sends(broker).executes()
        return HANDLER

    # -- controllers

    def elects_controller(self, controller: int) -> Self:
        """Another controller is active; neither knows."""
        return self.does("cluster_elects_controller", controller=controller)

    def fails_over(self, old: int = 0, new: int = 1) -> Self:
        """The old controller is gone, and the new one knows that it is the active one."""
        self.elects_controller(new).does("controller_resigns", controller=old)
        return self.does("controller_takes_over", controller=new)


def copied(name: str, *segments: int, scope: Scope = SCOPE) -> StagedWalk:
    """Segments of one record each are copied; the leader has dropped them locally."""
    return StagedWalk(name, scope).begins_to_copy().copies(*(segments or (0,))).drops_locally()


def enabled_again_with_a_request_on_its_way(name: str, policy: Policy) -> StagedWalk:
    """A second copy of the leader's request is overtaken by DISABLED and by ENABLED."""
    walk = copied(name).disables(policy).reacts(*BROKERS).sends(0)
    walk.does("network_doubles_request", slot=0)
    walk.does("broker_answers", broker=walk.handles(0))
    walk.does("controller_hears_answer", controller=0, broker=0).asks(1)
    return walk.does("controller_completes", controller=0).enables_everywhere()
