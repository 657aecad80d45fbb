"""Steps as links have them, `broker_copies.0.2`: an action, and the integers of its parameters."""

from __future__ import annotations

from tierproof.model.language.actions import Step
from tierproof.model.language.decimals import whole_number
from tierproof.model.language.errors import closest
from tierproof.model.language.interpreter import Steps
from tierproof.model.language.named_steps import step_named
from tierproof.serve.positions import BadLink

WITHIN = "."


def written(steps: Steps, step: Step) -> str:
    """A step as a link has it. Raises UnknownName or DesignError if there is none such."""
    _, raw = steps.raw(steps.label(step))
    return WITHIN.join([step.action, *map(str, raw)])


def read(steps: Steps, words: str) -> Step:
    """The step of a link, or of `ACTION(parameter=value)`.

    Raises UnknownName for its action, NoSuchStep or BadLink for the rest.
    """
    if "(" in words:
        return step_named(steps, words)
    name, *values = words.split(WITHIN)
    names = [act.name for act in steps.actions]
    index = names.index(closest("action", name, names))
    domains = dict(zip(steps.actions[index].parameters, steps.sized[index], strict=True))
    if len(values) != len(domains):
        raise BadLink(f"{words}: {name} takes {', '.join(domains) or 'no parameter'}")
    found = []
    for (parameter, domain), value in zip(domains.items(), values, strict=True):
        try:
            raw = whole_number(value)
        except ValueError as error:
            raise BadLink(f"{words}: {error}") from None
        if raw not in domain:
            raise BadLink(f"{words}: {parameter} is {raw}, outside {domain}")
        found.append((parameter, domain.value(raw)))
    return Step(name, tuple(found))
