"""Which designs `tierproof review` shows side by side."""

from __future__ import annotations

from model.language.comparisons import Comparison

COMPARISONS: tuple[Comparison, ...] = (
    Comparison(
        name="kip950",
        title="KIP-950, its designs side by side",
        introduction=(
            "The text that was accepted, and the designs beside it that people built against: "
            "what each promises, how soon that breaks, and the guard that would prevent it."
        ),
        designs=("kip950",),
    ),
)
