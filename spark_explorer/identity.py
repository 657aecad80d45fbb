"""Identity: what a task runs with. The driver sends its own with each task, and a worker compares.

A worker imports the design again, from files that may have been saved since the driver read them,
on a machine that may have other versions. States of two designs belong to neither.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from itertools import zip_longest
from typing import Any

import numpy as np

import tierproof.model.language
import tierproof.spark_explorer
from tierproof.model.language.errors import TierproofError
from tierproof.spark_explorer.compiler.storage import texts_of
from tierproof.spark_explorer.execution import Unlike
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.symmetry import why_unreduced

LIBRARIES = ("numpy", "numba", "llvmlite", "pyarrow")
"""The packages, beside tierproof, whose version may change what a task gives."""
OURS = (tierproof.model.language, tierproof.spark_explorer)
"""The packages of ours that a task runs."""

Parts = tuple[tuple[str, str], ...]
"""Names of parts, each with its version or its digest."""


@dataclass(frozen=True)
class Identity:
    """The versions that a process runs with, and a digest of each part of the compiled design."""

    software: Parts
    design: Parts

    @classmethod
    def of(cls, kernel: Kernel, question: Question | None = None) -> Identity:
        """The identity of what this process runs for a kernel, and of the files of variants."""
        files = () if question is None else question.files_of_variants
        named = tuple((f"the file of variant {words!r}", digest) for words, digest in files)
        parts = tuple((name, digest_of(part)) for name, part in _parts(kernel))
        return cls(software(), named + parts)

    @cached_property
    def digest(self) -> str:
        """All of it in a word."""
        return digest_of(repr((self.software, self.design)).encode())

    def check_software(self) -> None:
        """Raise Unlike if this process runs other versions."""
        here = dict(software())
        for name, there in self.software:
            if here.get(name) != there:
                raise Unlike(
                    f"a Spark worker has {name} {here.get(name)}, and the driver {there}: "
                    "install the same version on every machine, and start again"
                )

    def check_design(self, kernel: Kernel, question: Question) -> None:
        """Raise Unlike, with the first part that differs, if `kernel` is of another design."""
        here = Identity.of(kernel, question).design
        for other, own in zip_longest(here, self.design):
            if other != own:
                name, _ = own or other or ("", "")
                what = f"{name} of {kernel.design.name!r} is not what the driver has read"
                raise Unlike(f"in a Spark worker {what}: {INSTEAD}")


INSTEAD = (
    "a file of the design was saved during the run, or is another one on that machine; "
    "start again, and leave the files as they are until the run ends"
)


def compiled(question: Question) -> Kernel:
    """The kernel that a search of a question has. Raises as `Question.resolve` does."""
    design, scope = question.resolve()
    why = why_unreduced(design, question.properties, symmetry=question.symmetry)
    return Kernel(design, scope, why, question.fingerprint_bits)


def kernel_of(question: Question, identity: Identity) -> Kernel:
    """The kernel of a question in a worker. Raises Unlike unless it is that of the driver."""
    identity.check_software()
    try:
        kernel = compiled(question)
        identity.check_design(kernel, question)
    except Unlike:
        raise
    except TierproofError as error:  # the driver has resolved the same words
        reason = str(error).partition("\n")[0]
        raise Unlike(f"a Spark worker cannot read the design ({reason}): {INSTEAD}") from error
    return kernel


@cache
def software() -> Parts:
    """The versions that this process runs with."""
    found = [("Python", f"{sys.version_info.major}.{sys.version_info.minor}")]
    found += [(name, _version_of(name)) for name in LIBRARIES]
    return (*found, ("byte order", sys.byteorder), ("tierproof", _own_version()))


def _version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "of no version"


def _own_version() -> str:
    """The version of tierproof, with a digest of its text: a checkout may have been changed."""
    found = hashlib.sha256()
    for package in OURS:
        for name, text in sorted(texts_of(files(package))):
            found.update(f"{name}\0".encode() + text)
    return f"{_version_of('tierproof')} ({found.hexdigest()[:8]})"


def _parts(kernel: Kernel) -> Iterator[tuple[str, bytes]]:
    """What is explored, part by part; what a user would name comes first."""
    design = kernel.design
    claims = [entry.identity for entry in design.checked]
    laws = [law.law_name for law in kernel.laws]
    actions = [(act.name, tuple(act.parameters)) for act in design.actions]
    yield "the scope", repr(dict(kernel.scope)).encode()
    yield "the list of actions", repr(actions).encode()
    yield "the list of properties", repr((claims, laws)).encode()
    yield "the state, or a domain,", _bytes_of(kernel.packing)
    yield "the table of guards, budgets and lifecycles", _bytes_of(kernel.tables)
    yield "the symmetry", _bytes_of(kernel.reducing.reduction)
    for text in kernel.module.texts:
        yield _title(text), text.encode()


def _bytes_of(arrays: tuple[Any, ...]) -> bytes:
    return b"\0".join(np.asarray(one).tobytes() for one in arrays)


def _title(text: str) -> str:
    """What a part of an LLVM module is: a function of the design has a number before its name."""
    found = re.match(r"define [^@]*@f\d+_(\w+)", text)
    if found:
        return f"the function {found[1]!r}"
    return "a tuple of numbers" if text.startswith("@table") else "the code"


def digest_of(part: bytes) -> str:
    """A part in a word."""
    return hashlib.sha256(part).hexdigest()[:16]
