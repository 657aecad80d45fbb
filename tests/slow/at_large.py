"""Closed designs far beyond what a search ends in, and what random walks still break there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tests.properties import (
    test_kip405_producers_driven as producers,
)
from tests.properties import (
    test_kip950_driven,
    test_kip950_early_driven,
    test_kip952_driven,
    test_kip1266_driven,
    test_kip1272_driven,
    test_log_cleaner_driven,
    test_producer_state_driven,
)
from tierproof.model.designs import (
    kip405,
    kip405_producers,
    kip950,
    kip950_early,
    kip950_zookeeper,
    kip952,
    kip1266,
    kip1266_migration,
    kip1272,
    log_cleaner,
    producer_state,
)
from tierproof.model.designs.kip405.state import TieredPartition
from tierproof.model.designs.kip1272.written_records import UPDATED_LATER
from tierproof.model.language import Design, Scope
from tierproof.model.language.errors import DesignError, UnknownName
from tierproof.register import register_of
from tierproof.register.isolation import closed

TIERED = TieredPartition(
    brokers=3,
    offsets=5,
    appends=2,
    segment_bytes=2,
    segment_ids=6,
    leader_epochs=6,
    clock_ms=2,
    retention_bytes=1,
    metadata_records=40,
    planned_deletions=12,
    elections=3,
    shrinks=2,
    restarts=2,
    lost_disks=1,
    record_deletions=1,
    failed_copies=2,
    failed_deletes=2,
)

SIZED = TIERED.replace(is_size_limited=1, retention_bytes=3, offsets=7, clock_ms=0)
"""Retention by size alone."""

COMMITTED = SIZED.replace(appends=0, shrinks=0)
"""The same, where every record is committed from the start."""

KEYED = test_kip1272_driven.LARGE.replace(
    is_size_limited=1,
    retention_bytes=2,
    has_compact_only=0,
    clock_ms=0,
    policy_changes=0,
    appends=0,
    shrinks=0,
    offsets=3,
    history=UPDATED_LATER,
    copied=3,
    local_start=2,
)
"""A compacted topic under a limit on the size, where every record is committed from the start."""

DRAFTS, SNAPSHOTS = test_kip950_early_driven.LARGE, test_kip952_driven.LARGE

# -- what walks still break, and why

RESTARTED_LEADER = (
    "our repair of `follower_begins_at_the_log_start_without_producers`: a leader that has "
    "restarted remembers the last batch of each producer alone, and cannot tell what was known at "
    "its log start"
)
EARLIER_TIME = (
    "a client whose record times run backwards: its producer expires by the time of its last "
    "batch, which is not committed yet, before that of the last committed one"
)
NO_FILE = "finding `empty_log_has_one_snapshot`: no file can restore what it tells of"
OLD_POLICY = (
    "Kafka: an old leader that knows neither of its successor nor of the newest policy expires by "
    "the policy that it has learned; no repair, as nothing tells a broker that its settings are old"
)
TIERED_EPOCHS = (
    "text only: a broker hides segments by the tiered epoch that it has learned, so that brokers "
    "which have read equally far differ until all have learned of the enabling"
)
JUDGED_BY_THE_CACHE = (
    "the draft: whether remote data are left is judged by what the broker has read of the metadata "
    "topic; one that has not read COPY_SEGMENT_FINISHED expires its local log first"
)
EQUATION = "finding `equation_of_scenario_3`, which is of the text and has no repair"
TWO_ZNODES = (
    "our repair `repair_controller_compares`: the controller is elected twice between the writes "
    "of two ZNodes, and the settings change again before they are compared; the other fix of "
    "`settings_without_a_tiered_state`, one transaction, would not permit it (not modelled)"
)
BEHIND_IN_METADATA = (
    "our property: a follower that has not read of the newer version counts as one that serves "
    "the older one; with our repair it reads the metadata topic to its end before it leads"
)
ENABLED_TOO_EARLY = (
    "the draft: the topic is enabled again before the leader has read its own last record, and its "
    "expiration task takes up a deletion that is done"
)
NEWEST_SETTINGS = (
    "Kafka: a broker that restarts loads its log under the newest settings, and acts on no change "
    "in between; of running brokers it is mended"
)
FOLLOWER_IS_AHEAD = (
    "Kafka: a follower whose own retention is further than its leader's builds on the remote tier, "
    "and takes the leader's log start"
)
UNCOMMITTED = (
    "Kafka: retention by size counts records that are not committed, and moves the log start past "
    "committed ones for them; no repair, as local retention of any topic counts the same"
)
UNLIKE_SEGMENTS = (
    "Kafka: the log of a follower begins within a remote segment that another broker has cut; "
    "offsets of that segment count in both tiers"
)


@dataclass(frozen=True, kw_only=True)
class Subject:
    """A design as written, to be closed, and a large scope."""

    name: str
    design: Design
    scope: Scope
    has_repairs_of_kip405: bool = False

    @property
    def closed(self) -> Design:
        """The design with all its repairs."""
        if self.has_repairs_of_kip405:
            return with_repairs_of_kip405(self.design)
        return self.design.with_variants(*closed(self.design))

    @property
    def remains(self) -> Mapping[str, str]:
        """Each property that walks still violate, and why."""
        return REMAINS.get(self.name, {})


def with_repairs_of_kip405(design: Design) -> Design:
    """A closed design with the repairs of KIP-405, too, that it does not have and that compose."""
    found = design.with_variants(*closed(design))
    known = {one.name for one in design.variants}
    ours = {one.name: one for one in kip405.DESIGN.variants if one.name not in known}
    for name in closed(kip405.DESIGN):
        if name in ours:
            try:
                found = replace(found, variants=(*found.variants, ours[name])).with_variant(name)
            except (DesignError, UnknownName):
                continue  # the design has its own rule or slot there, or not that place
    return found


OF_EVERY_DRAFT = {
    "caches_follow_from_positions": TIERED_EPOCHS,
    "local_log_expires_after_the_remote_log": JUDGED_BY_THE_CACHE,
    "remote_log_ends_one_past_the_local_start": EQUATION,
}
OF_TWO_ZNODES = {
    "disabled_state_is_true_of_every_broker": TWO_ZNODES,
    "policy_is_bound_to_the_tiered_epoch": TWO_ZNODES,
    "TieredState_lifecycle": TWO_ZNODES,
}
REMAINS = {
    "kip950": {
        "TieringState_lifecycle": NEWEST_SETTINGS,
        "log_start_never_moves_back": FOLLOWER_IS_AHEAD,
    },
    "kip950_early_kraft": OF_EVERY_DRAFT,
    "kip950_zookeeper": {
        **OF_EVERY_DRAFT,
        **OF_TWO_ZNODES,
        "metadata_records_are_legal_transitions": ENABLED_TOO_EARLY,
    },
    "kip950_early_zookeeper": {
        **OF_EVERY_DRAFT,
        **OF_TWO_ZNODES,
        "disabling_twice_is_disabling_once": TWO_ZNODES,
        "log_start_never_moves_back": FOLLOWER_IS_AHEAD,
        "metadata_records_are_legal_transitions": ENABLED_TOO_EARLY,
    },
    "kip1272": {
        "log_start_passes_only_what_may_go": OLD_POLICY,
        "no_committed_record_lost": OLD_POLICY,
        "object_deleted_only_when_not_needed": OLD_POLICY,
        "log_start_never_moves_back": FOLLOWER_IS_AHEAD,
        "tombstones_outlive_what_they_delete": BEHIND_IN_METADATA,
    },
    "kip1272, size, all committed": {"log_start_never_moves_back": FOLLOWER_IS_AHEAD},
    "producer_state, every fault": dict.fromkeys(
        (
            *register_of(producer_state.DESIGN).finding("empty_log_has_one_snapshot").claims,
            "accepted_epochs_do_not_fall",
            "recovery_restores_producers",
        ),
        NO_FILE,
    ),
    "kip405_producers": {
        "local_snapshots_are_right": RESTARTED_LEADER,
        "replicas_of_equal_logs_know_the_same_producers": RESTARTED_LEADER,
    },
    "kip405_producers, expiry": {
        "local_snapshots_are_right": RESTARTED_LEADER,
        "replicas_of_equal_logs_know_the_same_producers": RESTARTED_LEADER,
        "leader_knows_every_producer": EARLIER_TIME,
    },
    "kip405_producers, old segments": {
        "local_snapshots_are_right": RESTARTED_LEADER,
        "replicas_of_equal_logs_know_the_same_producers": RESTARTED_LEADER,
        "leader_knows_every_producer": EARLIER_TIME,
    },
    "kip405, size": {
        "no_committed_record_lost": UNCOMMITTED,
        "log_start_passes_only_what_may_go": UNCOMMITTED,
        "object_deleted_only_when_not_needed": UNCOMMITTED,
        "local_segment_removed_only_once_copied": UNCOMMITTED,
        "highest_remote_offset_is_sound": UNCOMMITTED,
        "retention_counts_each_offset_once": UNLIKE_SEGMENTS,
    },
    "kip405, size, all committed": {"retention_counts_each_offset_once": UNLIKE_SEGMENTS},
    "kip952": {"local_snapshots_are_right": RESTARTED_LEADER},
    "kip952_regenerates": {"local_snapshots_are_right": RESTARTED_LEADER},
    "kip952_refuses": {
        "inputs_exist_before_copy_is_published": (
            "what the alternative gives up: a topic that was tiered before the upgrade is never "
            "asked whether it may be"
        ),
    },
}
"""Subject -> each property that walks still violate, and the cause."""

IN_ADDITION = {
    "kip405": (kip405.DESIGN, TIERED),
    "kip405, size": (kip405.DESIGN, SIZED),
    "kip405, size, all committed": (kip405.DESIGN, COMMITTED),
    "kip950": (kip950.DESIGN, test_kip950_driven.LARGE),
    "kip950_early_kraft": (kip950_early.KRAFT, DRAFTS),
    "kip950_zookeeper": (kip950_zookeeper.DESIGN, DRAFTS),
    "kip950_early_zookeeper": (kip950_early.ZOOKEEPER, DRAFTS),
    "kip1272": (kip1272.DESIGN, test_kip1272_driven.LARGE),
    "kip1272, size, all committed": (kip1272.DESIGN, KEYED),
}
"""Walked with the repairs of KIP-405, too, as its causes are in these designs."""

ALONE = {
    "kip1266": (kip1266.DESIGN, test_kip1266_driven.LARGE),
    "kip1266_migration": (kip1266_migration.DESIGN, test_kip1266_driven.EXISTING),
    "log_cleaner": (log_cleaner.DESIGN, test_log_cleaner_driven.LARGE),
    "producer_state": (producer_state.DESIGN, test_producer_state_driven.LARGE),
    "producer_state, every fault": (producer_state.DESIGN, test_producer_state_driven.FAULTY),
    "kip405_producers": (kip405_producers.DESIGN, producers.LARGE),
    "kip405_producers, transactions": (kip405_producers.DESIGN, producers.TRANSACTIONAL),
    "kip405_producers, expiry": (kip405_producers.DESIGN, producers.EXPIRING),
    "kip405_producers, old segments": (kip405_producers.DESIGN, producers.OLD),
    "kip952": (kip952.DESIGN, SNAPSHOTS),
    "kip952_regenerates": (kip952.REGENERATED, SNAPSHOTS),
    "kip952_waits": (kip952.WAITING, SNAPSHOTS),
    "kip952_refuses": (kip952.REFUSING, SNAPSHOTS),
}

SUBJECTS = (
    *(
        Subject(name=name, design=design, scope=scope, has_repairs_of_kip405=True)
        for name, (design, scope) in IN_ADDITION.items()
    ),
    *(Subject(name=name, design=design, scope=scope) for name, (design, scope) in ALONE.items()),
)
