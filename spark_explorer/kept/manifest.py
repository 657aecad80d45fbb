"""The manifest of a run: what is explored, in words and as a digest of each part."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pyarrow as pa

from tierproof.spark_explorer.execution import Unlike
from tierproof.spark_explorer.identity import Identity, Parts, digest_of, software
from tierproof.spark_explorer.kept.store import NoSuchRun, NotKept, Store, reason_of
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.packing import GOLDEN, ODD
from tierproof.spark_explorer.question import Question

NAME = "run.json"
FORMAT = 1
"""Of runs; another one is refused."""


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """What a run explores; `identity` are the digests of the parts of the compiled design.

    `fingerprint` are the constants of fingerprints, `words` the width of a packed state, `bounds`
    the scope; `made` and `machine` say when and where it was begun.
    """

    format: int
    question: Question
    design: str
    title: str
    bounds: dict[str, int]
    words: int
    fingerprint: tuple[int, ...]
    identity: Parts
    software: Parts
    made: str
    machine: dict[str, Any]

    @classmethod
    def of(cls, kernel: Kernel, question: Question) -> Manifest:
        """Of a run that begins now."""
        return cls(
            format=FORMAT,
            question=replace(question, fingerprint_bits=kernel.fingerprint_bits),
            design=kernel.design.name,
            title=question.scope_title(kernel.design),
            bounds=dict(kernel.scope),
            words=kernel.words,
            fingerprint=(int(GOLDEN), int(ODD)),
            identity=Identity.of(kernel, question).design,
            software=software(),
            made=now(),
            machine=machine(),
        )

    @classmethod
    def read(cls, store: Store) -> Manifest:
        """That of the run in a store. Raises NotKept."""
        try:
            found = json.loads(store.read(NAME))
        except FileNotFoundError:
            raise NoSuchRun(
                f"there is no run at {store}: tierproof explore DESIGN --run {store} begins one"
            ) from None
        except (OSError, ValueError, pa.ArrowException) as error:
            told = f"the manifest of {store} cannot be read: {reason_of(error)}"
            raise NotKept(told) from None
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            version = found.get("format") if isinstance(found, dict) else None
            raise NotKept(f"{store} is a run of format {version}, and this tierproof has {FORMAT}")
        try:
            found["question"] = _question(found["question"])
            pairs = {name: tuple(map(tuple, found[name])) for name in ("identity", "software")}
            return cls(**{**found, **pairs, "fingerprint": tuple(found["fingerprint"])})
        except (KeyError, TypeError, ValueError) as error:
            raise NotKept(f"the manifest of {store} is damaged: {error}") from None

    def write(self, store: Store) -> None:
        """Write it. Raises OSError."""
        store.put(NAME, json.dumps(asdict(self), indent=2).encode())

    @property
    def digest(self) -> str:
        """What is explored, in a word that the pieces of the run carry."""
        return digest_of(repr((self.format, self.words, self.fingerprint, self.identity)).encode())

    def check(self, kernel: Kernel, store: Store, question: Question | None = None) -> None:
        """Raise Unlike, with the first part that differs, if the run is not of this design.

        `question` is what is asked now, that of the run by default.
        """
        there = dict(self.software).get("tierproof")
        here = dict(software()).get("tierproof")
        parts = Identity.of(kernel, question or self.question).design
        for other, own in zip_longest(self.identity, parts):
            if other != own:
                name, _ = own or other or ("", "")
                raise Unlike(
                    f"{name} of {kernel.design.name!r} is not what {store} was explored with"
                    f"{'' if there == here else f' (by tierproof {there}; this is {here})'}: "
                    "take that version of the design again, or begin another run"
                )
        wanted = ((int(GOLDEN), int(ODD)), kernel.words, kernel.fingerprint_bits)
        if (self.fingerprint, self.words, self.question.fingerprint_bits) != wanted:
            raise Unlike(f"{store} was explored with other fingerprints: begin another run")


def _question(found: dict[str, Any]) -> Question:
    """A question from plain values; asked in this folder, if its own is not on this machine."""
    named = {
        name: tuple(map(tuple, value)) if name == "bounds" else tuple(value)
        for name, value in found.items()
        if isinstance(value, list)
    }
    folder = found["folder"] if Path(found["folder"]).is_dir() else os.getcwd()
    return Question(**{**found, **named, "folder": folder})


def now() -> str:
    """The time, as a manifest has it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def machine() -> dict[str, Any]:
    """The machine of this process."""
    return {"system": platform.platform(), "cores": os.cpu_count(), "host": platform.node()}
