"""Closed and isolated: a design with every repair, and with every repair but one.

A design is closed when it and all its repairs, composed, violate nothing. A finding is isolated
in the design with all repairs but its own: what breaks there has this cause and no other. What
no single cause breaks takes several: without the repairs of all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tierproof.model.language.design import Design
from tierproof.register.entries import Finding
from tierproof.register.registers import register_of


def causes(design: Design) -> tuple[Finding, ...]:
    """The findings of a design, and those that it inherits from the design that it changes."""
    return register_of(design).causes


def excused(design: Design) -> set[str]:
    """The properties that the closed design may violate: those of causes without a repair."""
    return {claim for one in causes(design) if one.repair is None for claim in one.claims}


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


def proposed(design: Design, finding: Finding) -> tuple[str, ...]:
    """The variants with which the change that a mail proposes is explored: alone, if it can be.

    Else with the repairs of other findings that are said to be enough; where none are, it takes
    the place of the finding's repair, beside those with which the finding is shown.
    """
    change = finding.proposal or finding.repair
    kept = isolated(design, finding)
    if finding.stands_alone or finding.together_with:
        kept = (*finding.beside, *(one for one in kept if one in finding.together_with))
    return (*kept, *((change,) if change else ()))


def proposals(design: Design) -> tuple[str, ...]:
    """The variants of the design with what the mails propose, all together.

    For each cause that needs no reading: its proposal, or its repair where the mail proposes that,
    proposes what is not modelled, or belongs to another design.
    """
    own = {variant.name for variant in design.variants}
    changes = (
        one.proposal if one.proposal in own else one.repair for one in _without_reading(design)
    )
    return tuple(dict.fromkeys(filter(None, changes)))


def proposes_otherwise(design: Design) -> bool:
    """Whether some mail proposes another change than our repair, so that `proposals` is no twin."""
    return set(proposals(design)) != set(closed(design))


@dataclass(frozen=True, kw_only=True)
class Way:
    """The variants with which one finding, or several together, may break something."""

    findings: tuple[Finding, ...]
    variants: tuple[str, ...]

    @property
    def words(self) -> str:
        """The names of the findings."""
        return " with ".join(one.name for one in self.findings)

    @property
    def claims(self) -> set[str]:
        """What the findings claim."""
        return {claim for one in self.findings for claim in one.claims}


def singles(design: Design) -> Iterator[Way]:
    """Each finding that needs no reading: isolated as on its page, and then as narrowly as can be.

    A page may leave out repairs of others, too; without its own alone, more may break elsewhere.
    """
    for finding in _without_reading(design):
        yield Way(findings=(finding,), variants=isolated(design, finding))
        if finding.repair and finding.apart:
            yield Way(findings=(finding,), variants=_without_repairs(design, finding))


def together(design: Design, findings: Iterable[Finding]) -> Way:
    """Findings without the repair of any of them: some harm needs several causes."""
    found = tuple(findings)
    return Way(findings=found, variants=_without_repairs(design, *found))


def repaired(design: Design) -> tuple[Finding, ...]:
    """The findings that need no reading and have a repair, one for each repair."""
    return tuple({one.repair: one for one in _without_reading(design) if one.repair}.values())


def left_out(design: Design, variants: Iterable[str]) -> tuple[Finding, ...]:
    """The findings whose repairs these variants lack; empty for variants that are no repairs."""
    chosen = set(variants)
    if not chosen <= set(closed(design)):
        return ()
    return tuple(one for one in repaired(design) if one.repair not in chosen)


def _without_reading(design: Design) -> list[Finding]:
    return [one for one in causes(design) if not one.beside]


def _without_repairs(design: Design, *findings: Finding) -> tuple[str, ...]:
    """The closed design less the repairs of some findings."""
    left_out = {one.repair for one in findings}
    return tuple(one for one in closed(design) if one not in left_out)


def isolated(design: Design, finding: Finding) -> tuple[str, ...]:
    """The variants with which a finding is shown: its readings and every repair but its own."""
    left_out = {finding.repair, *finding.apart}
    kept = (one for one in repairs(design, finding.beside) if one not in left_out)
    return (*finding.beside, *kept)
