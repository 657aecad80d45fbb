"""Which finding is told in which of the three designs, and what they inherit.

A cause has its page in the design whose text permits it most plainly; the others inherit it, as
they do causes that KIP-405 or KIP-950 as accepted have.
"""

from collections.abc import Sequence
from dataclasses import replace

from tierproof.model.designs import kip405, kip950
from tierproof.model.designs.kip950_early import (
    findings,
    findings_of_brokers,
    findings_of_controllers,
    findings_of_states,
    repairs,
)
from tierproof.model.language import Finding, Variant

KRAFT = (
    findings.LATE_REQUEST,
    findings.SECOND_REQUEST,
    findings.LATE_ANSWER,
    findings_of_states.REMOVED,
    findings_of_states.POLICY,
    findings_of_brokers.RESTART,
    findings_of_states.EQUATION,
)
ZOOKEEPER = (
    findings_of_controllers.TORN_WRITE,
    findings_of_controllers.ZOMBIE_CONTROLLER,
)
IN_ZOOKEEPER_ALONE = (findings_of_states.ELECTED_BETWEEN,)
"""Told of the draft for ZooKeeper, and seen in no other design."""
APPENDIX = (findings_of_brokers.OVERTAKEN,)


def inherited(told: Sequence[Finding], variants: Sequence[Variant]) -> tuple[Finding, ...]:
    """What is told elsewhere, and has its repair in a design with these variants, or none."""
    known = {one.repair for one in told}
    names = {one.name for one in variants} - known
    bases = (*KRAFT, *ZOOKEEPER, *APPENDIX, *kip950.DESIGN.findings, *kip405.DESIGN.findings)
    found: dict[str, Finding] = {}
    for one in bases:
        if one.repair in names and not one.beside:
            found.setdefault(one.repair, _within(one, {*names, *known}))
    unrepaired = (one for one in bases if one.repair is None and one not in told)
    return (*found.values(), *unrepaired)


def _within(one: Finding, variants: set[str | None]) -> Finding:
    """The finding; of the repairs that cover it, too, only those that are variants here."""
    return replace(one, apart=tuple(name for name in one.apart if name in variants))


IN_KRAFT = inherited(KRAFT, repairs.IN_KRAFT)
IN_ZOOKEEPER = inherited(ZOOKEEPER, repairs.IN_ZOOKEEPER)
IN_APPENDIX = inherited(APPENDIX, repairs.IN_APPENDIX)
