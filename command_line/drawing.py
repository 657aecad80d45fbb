"""Explorations for a drawing: small scopes show which edges are taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tierproof.model.language.design import Design
from tierproof.register import ledger
from tierproof.spark_explorer import runs
from tierproof.spark_explorer.question import Question

QUICK = 500_000
"""The most generated states of a small scope, explored in a second or two."""


def results_for(
    question: Question, design: Design, scopes: Sequence[str], *, watched: bool
) -> list[Mapping[str, Any]]:
    """Records of searches in these scopes, by default in those small by the ledger."""
    known = ledger.read().get(design.name, {})
    small = [
        name for name in design.scopes if name in known and known[name]["generated_states"] <= QUICK
    ]
    asked = [replace(question, scope=name) for name in scopes or small]
    return [runs.run(one, engine="memory", watched=watched).as_dict() for one in asked]
