"""What is explored for a drawing: scopes that are quickly done, to see which edges they take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tierproof.command_line import running
from tierproof.model.language.design import Design
from tierproof.spark_explorer import ledger
from tierproof.spark_explorer.question import Question

QUICK = 500_000
"""Generated states that are explored in a second or two."""


def results_for(
    question: Question, design: Design, scopes: Sequence[str], *, watched: bool
) -> list[Mapping[str, Any]]:
    """Records of searches in these scopes; without any, in those that the ledger knows as small."""
    known = ledger.read().get(design.name, {})
    small = [
        name for name in design.scopes if name in known and known[name]["generated_states"] <= QUICK
    ]
    asked = [replace(question, scope=name) for name in scopes or small]
    return [running.run(one, engine="memory", watched=watched).as_dict() for one in asked]
