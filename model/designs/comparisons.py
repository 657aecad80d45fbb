"""Which designs `tierproof review` shows side by side."""

from __future__ import annotations

from tierproof.model.language.comparisons import Comparison

COMPARISONS: tuple[Comparison, ...] = (
    Comparison(
        name="kip950",
        title="KIP-950, its designs side by side",
        introduction=(
            "The text that was accepted, and the designs beside it that people built against: "
            "what each promises, how soon that breaks, and the guard that would prevent it."
        ),
        designs=(
            "kip950",
            "kip950_zookeeper",
            "kip950_early_kraft",
            "kip950_early_zookeeper",
        ),
        equivalents={
            "disabled_state_copies_nothing_new": "disabled_topic_copies_nothing_new",
            "disabled_state_leaves_no_objects": "disabled_topic_leaves_no_objects",
            "disabled_state_lets_every_replica_take_over": (
                "every_replica_can_take_over_without_remote"
            ),
            "settled_topic_holds_finished_segments_only": (
                "quiet_topic_holds_finished_segments_only"
            ),
        },
    ),
    Comparison(
        name="kip952",
        title="KIP-952 and its rejected alternatives side by side",
        introduction=(
            "Kafka as shipped, the empty producer snapshot, and each alternative that the text "
            "rejects: what each owes to idempotent producers, how soon that breaks, and the guard "
            "that would prevent it. Followers are as Kafka ships them: they delete the snapshot "
            "that they fetch."
        ),
        designs=(
            "kip405_producers",
            "kip952",
            "kip952_regenerates",
            "kip952_regenerates_young",
            "kip952_waits",
            "kip952_refuses",
            "kip952_without_snapshots",
            "kip952_creates_on_read",
        ),
        equivalents={},
    ),
)
