"""Explaining: which parts of a property, a guard or a helper decide its value in a state or step.

CPython evaluates every expression; the syntax tree that the reader of designs checks says of
which parts it consists.
"""

from __future__ import annotations

from typing import Any

from tierproof.model.language.design import Design
from tierproof.model.language.explaining.explainer import Explainer
from tierproof.model.language.explaining.never import NEVER, why_never
from tierproof.model.language.explaining.part import Part
from tierproof.model.language.explaining.reaching import Nearest, nearest_to, walked_states
from tierproof.model.language.explaining.refusals import why_disabled
from tierproof.model.language.explaining.traces import why_of
from tierproof.model.language.explaining.violations import why_violated
from tierproof.model.language.explaining.what_if import Stopped, WhatIf, what_if
from tierproof.model.language.explaining.why_not import FalseGuard, WhyNot, why_not

__all__ = [
    "NEVER",
    "Explainer",
    "FalseGuard",
    "Nearest",
    "Part",
    "Stopped",
    "WhatIf",
    "WhyNot",
    "explain",
    "nearest_to",
    "walked_states",
    "what_if",
    "why_disabled",
    "why_never",
    "why_not",
    "why_of",
    "why_violated",
]


def explain(function: Any, *arguments: Any, design: Design | None = None) -> Part:
    """The value of a guard, a property or a helper of a design, and the parts that decide it.

    `arguments` are those of a call: the state, or two, and what else it takes. With `design`,
    values read in its words. Raises whatever the call raises.
    """
    return Explainer(design).function(function, list(arguments))
