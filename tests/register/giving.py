"""Gives a design a register that no file holds."""

import pytest

from tierproof.model.language import Design
from tierproof.register import Finding, PublishedBug, Register, registers


def give(
    patch: pytest.MonkeyPatch,
    design: Design,
    findings: tuple[Finding, ...] = (),
    inherited: tuple[Finding, ...] = (),
    published_bugs: tuple[PublishedBug, ...] = (),
) -> None:
    """Let a design have these findings and bugs until the test ends."""
    given = Register(findings=findings, inherited=inherited, published_bugs=published_bugs)
    read, own = registers.read, registers.folder_of(design)
    patch.setattr(registers, "read", lambda folder: given if folder == own else read(folder))
