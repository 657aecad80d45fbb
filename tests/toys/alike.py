"""Toys whose actors are declared alike: the same designs, that a search may reduce."""

from dataclasses import replace
from typing import Any

from tierproof.model.language import Design, Index
from tierproof.model.language.actions import Action


def alike(design: Design, *bounds: Any) -> Design:
    """The design, with what these bounds count declared alike where it is a parameter."""
    return replace(
        design,
        system=tuple(_alike(act, bounds) for act in design.system),
        environment=tuple(_alike(act, bounds) for act in design.environment),
    )


def _alike(act: Action, bounds: tuple[Any, ...]) -> Action:
    parameters = {
        name: replace(domain, alike=True)
        if isinstance(domain, Index) and any(domain.count is one for one in bounds)
        else domain
        for name, domain in act.parameters.items()
    }
    return replace(act, parameters=parameters)
