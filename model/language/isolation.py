"""Closed and isolated: a design with every repair, and with every repair but one.

A design is closed when it and all its repairs, composed, violate nothing. A finding is isolated
in the design with all repairs but its own: what breaks there has this cause and no other.
"""

from __future__ import annotations

from tierproof.model.language.design import Design
from tierproof.model.language.findings import Finding


def causes(design: Design) -> tuple[Finding, ...]:
    """The findings of a design, and those that it inherits from the design that it changes."""
    return (*design.findings, *design.inherited)


def repairs(design: Design, beside: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The repairs of a design with these readings: one for each cause that they permit."""
    found = (one.repair for one in causes(design) if one.repair and set(one.beside) <= set(beside))
    return tuple(dict.fromkeys(found))


def closed(design: Design, beside: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The variants of the closed design: the readings and every repair."""
    return (*beside, *repairs(design, beside))


def mended(design: Design, finding: Finding) -> tuple[str, ...]:
    """The variants with which a finding is shown, and its own repair."""
    shown = {*isolated(design, finding), finding.repair}
    return tuple(one for one in closed(design, finding.beside) if one in shown)


def isolated(design: Design, finding: Finding) -> tuple[str, ...]:
    """The variants with which a finding is shown: its readings and every repair but its own."""
    left_out = {finding.repair, *finding.apart}
    kept = (one for one in repairs(design, finding.beside) if one not in left_out)
    return (*finding.beside, *kept)
