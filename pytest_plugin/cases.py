"""Cases of a test: what the mark `tierproof` and the options of pytest say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

NAME = "tierproof"
if TYPE_CHECKING:
    from tierproof.model.language import Design, Scope

MARK = (
    "tierproof(designs, scopes=, properties=, variants=): one test for each design, scope, "
    "property and variant (or tuple of variants); `explore()` and `drive()` take them as defaults"
)


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of pytest, and where the test stands.

    `folder` is that of the project, where designs are looked for that are given as text; `module`
    is the name of the test's module. Searches are kept in the folder `runs`, if there is one;
    `uses` counts how those that are kept came about.
    """

    scope: str | None
    engine: str | None
    profile: str
    folder: str
    module: str
    runs: Path | None
    uses: Counter[str]


@dataclass(frozen=True, kw_only=True)
class Case:
    """The defaults of one test; None for what the mark does not say."""

    design: Design | str | None = None
    scope: Scope | str | None = None
    properties: tuple[str, ...] | None = None
    variants: tuple[str, ...] | None = None

    @property
    def title(self) -> str:
        """The case in the name of its test."""
        parts = [
            "" if self.design is None else _title_of(self.design),
            "" if self.scope is None else str(self.scope).replace(" ", ","),
            "+".join(self.properties or ()),
            "+".join(self.variants or ()),
        ]
        return "-".join(filter(None, parts)) or "as-written"


def cases_of(
    designs: Any = None,
    *,
    scopes: Any = None,
    properties: Any = None,
    variants: Any = None,
    **unknown: Any,
) -> list[Case]:
    """Every combination of what the mark names, in order. Raises ValueError."""
    if unknown:
        raise ValueError(f"the mark tierproof has no {min(unknown)!r}: {MARK}")
    given = [_several(one) for one in (designs, scopes, properties, variants)]
    if empty := [name for name, one in zip(FIELDS, given, strict=True) if not one]:
        raise ValueError(f"the mark tierproof names no {empty[0]}: nothing would be tested")
    for name, entries in zip(FIELDS, given, strict=True):
        for one in entries:
            _check(name, one)
    return [
        Case(
            design=design,
            scope=scope,
            properties=None if claim is None else (name_of(claim),),
            variants=None if variant is None else names_of(variant),
        )
        for design, scope, claim, variant in product(*given)
    ]


def why_refused(item: pytest.Item) -> str:
    """What is wrong with the marks of a test; empty if nothing is."""
    names = getattr(item, "fixturenames", ())
    for one in item.iter_markers():
        if one.name != NAME and "tierproof_case" in names and get_close_matches(one.name, [NAME]):
            return f"there is no mark {one.name!r}: write @pytest.mark.{NAME}"
    mark = item.get_closest_marker(NAME)
    if mark is None:
        return ""
    if "tierproof_case" not in names:
        return f"the mark {NAME} is for tests that use `explore` or `drive`"
    try:
        cases_of(*mark.args, **mark.kwargs)
    except ValueError as error:
        return str(error)
    except TypeError:
        return f"the mark {NAME} takes the designs, and the rest by name: {MARK}"
    return ""


def _check(field: str, entry: Any) -> None:
    """Raise ValueError for an entry that is not of its kind."""
    if entry is None or isinstance(entry, str):
        return
    if field == "variants" and isinstance(entry, (list, tuple, set, frozenset)):
        for one in entry:
            _check(field, one)
    elif field == "scopes":
        if not hasattr(entry, "replace"):
            raise ValueError(f"the mark {NAME} has a scope {entry!r}: give its name, or a Scope")
    elif not isinstance(getattr(entry, "name", None), str):
        raise ValueError(f"the mark {NAME} has {entry!r} among its {field}, which has no name")


FIELDS = ("designs", "scopes", "properties", "variants")


def name_of(entry: Any) -> str:
    """The name of a design, a property or a variant, or the name itself."""
    return entry if isinstance(entry, str) else str(entry.name)


def _title_of(design: Design | str) -> str:
    """A design's name, with what was changed in the object that is at hand."""
    if isinstance(design, str):
        return design
    changed = [
        *design.chosen_variants,
        *(f"without-{one}" for one in sorted(design.dropped_guards)),
    ]
    return "-".join([design.name, *changed])


def names_of(entries: Any) -> tuple[str, ...]:
    """The names of one entry, or of several."""
    is_one = isinstance(entries, str) or hasattr(entries, "name")
    return (name_of(entries),) if is_one else tuple(map(name_of, entries))


def _several(entries: Any) -> Sequence[Any]:
    """A list as it is, one thing as a list, and nothing as one default."""
    return list(entries) if isinstance(entries, (list, tuple, set)) else [entries]
