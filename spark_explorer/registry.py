"""The designs that are installed, by name: those of tierproof, and of any other package.

A package names them in its entry point of the group `tierproof.designs`: a mapping from the name of
a design to its import path, `module:NAME`. Nothing of a design is imported here.
"""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points

from tierproof.model.language.errors import DesignError

GROUP = "tierproof.designs"


def installed(points: tuple[EntryPoint, ...]) -> dict[str, str]:
    """Name -> import path. Raises DesignError for no such mapping, or a name given twice."""
    found: dict[str, str] = {}
    for point in points:
        given = point.load()
        if not isinstance(given, dict):
            raise DesignError(
                f"entry point {point.name!r} of {GROUP!r} is {point.value}, which is no mapping "
                "from the names of designs to their import paths"
            )
        for name, path in given.items():
            if name in found:
                raise DesignError(f"two packages have a design {name!r}: {found[name]} and {path}")
            found[name] = path
    return found


DESIGNS = installed(tuple(entry_points(group=GROUP)))
