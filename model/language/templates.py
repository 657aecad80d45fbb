"""Templates: the names of actors, as text with the parameters of an action in braces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from string import Formatter

from tierproof.model.language.domains import Domain
from tierproof.model.language.errors import DesignError, closest
from tierproof.model.language.scope import Scope


@lru_cache(maxsize=4096)
def check_template(what: str, template: str, parameters: tuple[str, ...]) -> None:
    """Raise UnknownName or DesignError unless each pair of braces begins with a parameter."""
    try:
        named = list(_named_in(template))
    except ValueError as error:
        raise _misfit(what, template, error) from None
    for name in named:
        root = name.partition(".")[0].partition("[")[0]
        if not parameters:
            raise DesignError(f"{what} is {template!r}, and the action has no parameter {root!r}")
        closest(f"parameter in {what}", root, parameters)


def _named_in(template: str) -> Iterator[str]:
    """What stands in braces, also in the braces of a format."""
    for _, name, form, _ in Formatter().parse(template):
        if name is not None:
            yield name
            yield from _named_in(form or "")


def check_formats(
    action: str,
    templates: Mapping[str, str],
    parameters: Mapping[str, Domain],
    scope: Scope | None,
) -> None:
    """Raise DesignError unless the templates of an action can be shown for its parameters.

    They are formatted with the lowest values and with the highest: a trace is shown at the end.
    """
    if not any("{" in template for template in templates.values()):
        return
    sized = {name: domain.sized(scope) for name, domain in parameters.items()}
    for end in ("low", "high"):
        given = {name: one.value(getattr(one, end)) for name, one in sized.items() if one.size}
        for part, template in templates.items():
            try:
                template.format(**given)
            except Exception as error:
                if len(given) == len(sized):
                    raise _misfit(f"`{part}` of action {action!r}", template, error) from None


def _misfit(what: str, template: str, error: Exception) -> DesignError:
    return DesignError(f"{what} is {template!r}, which cannot be shown: {error}")
