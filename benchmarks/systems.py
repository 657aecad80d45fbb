"""The systems that are explored side by side: a twin for every checker that takes part."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from contenders import HERE, Contender, plain_python, spin, tierproof, tlc

MANAGERS = (1, 12)
"""How many resource managers two-phase commit allows."""

KIP405_CORE = {
    "smoke": ("--scope", "smoke"),
    "size": ("--scope", "size"),
    "size_of_one": ("--scope", "size_of_one"),
    "size_of_two": ("--scope", "size_of_two"),
    "two_elections": ("--scope", "smoke", "--set", "elections=2", "--set", "leader_epochs=3"),
}
"""Configuration of the TLA+ twin -> the same bounds in tierproof's words."""


@dataclass(frozen=True)
class System:
    """What is explored: the name of its results, a title, its `bounds`, and who explores it."""

    name: str
    title: str
    bounds: dict[str, Any]
    contenders: tuple[Contender, ...]


def two_phase_commit(managers: int) -> System:
    """Two-phase commit, a twin for everybody."""
    twins = HERE / "two_phase_commit"
    written = (twins / "TwoPhase.cfg").read_text()
    configuration = re.sub(r"Managers = \d+", f"Managers = {managers}", written)
    design = "tests.toys.two_phase_commit:DESIGN"
    words = (design, "--scope", "nine", "--set", f"resource_managers={managers}")
    return System(
        f"two_phase_commit_{managers}",
        f"Two-phase commit, {managers} resource managers",
        {"managers": managers},
        (
            tierproof("memory", *words),
            tierproof("spark", *words),
            plain_python(twins / "plain_python.py", str(managers)),
            tlc(twins, "TwoPhase", configuration),
            spin(twins / "two_phase.pml", f"-DMANAGERS={managers}"),
        ),
    )


def kip405_core(scope: str) -> System:
    """KIP-405 without faults, with a twin in TLA+.

    tierproof reports on one property, which holds, so that it judges no liveness; it tests all
    the others at every state nevertheless.
    """
    design, reported = "tierproof.model.designs.kip405:DESIGN", "log_start_never_moves_back"
    words = (design, *KIP405_CORE[scope], "--property", reported)
    twins = HERE / "kip405_core"
    return System(
        f"kip405_core_{scope}",
        f"KIP-405's core, {scope}",
        {"scope": scope},
        (
            tierproof("memory", *words),
            tierproof("spark", *words),
            tlc(twins, "Kip405Core", (twins / f"{scope}.cfg").read_text()),
        ),
    )
