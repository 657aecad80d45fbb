"""Fates that are kept in a file as they are found, so that a run goes on where the last one ended.

A line of JSON for each: the identity of what was asked, the mutant's key, the seconds it was given,
and its fate. A line that a dying process has not written to its end is ignored.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from tierproof.model.language.errors import TierproofError
from tierproof.model.language.mutation import Mutant
from tierproof.spark_explorer.mutation.fates import Fate, Outcome


class Garbled(TierproofError):
    """A file of fates that is not as it was written; the message names it, and what to do."""


class KeptFates:
    """The fates in a file, of one identity. Raises Garbled."""

    def __init__(self, path: Path, identity: str) -> None:
        self.path, self.identity = path, identity
        self.known: dict[str, tuple[float, Fate]] = {}
        content = path.read_bytes() if path.exists() else b""
        whole, _, torn = content.rpartition(b"\n")
        for number, line in enumerate(whole.decode().split("\n"), start=1):
            self._read(number, line)
        self._torn = len(content) - len(torn) if torn else None
        """Where a line begins that was not written to its end."""

    def _read(self, number: int, line: str) -> None:
        if not line:
            return
        try:
            found = json.loads(line)
            if found["identity"] == self.identity:
                self.known[found["key"]] = found["seconds"], Fate.of(found["fate"])
        except (ValueError, KeyError, TypeError) as error:
            raise Garbled(
                f"line {number} of {self.path} is no fate of a mutant ({error!r}): "
                "remove the line, or the file"
            ) from None

    def fate(self, mutant: Mutant, seconds: float) -> Fate | None:
        """What became of a mutant; None if that is not known, or it may now take longer."""
        given, found = self.known.get(mutant.key, (0.0, None))
        if found is not None and found.outcome is Outcome.INCOMPLETE and given < seconds:
            return None
        return found

    def keep(self, mutant: Mutant, seconds: float, fate: Fate) -> None:
        """Append a fate."""
        self.known[mutant.key] = seconds, fate
        told = {"identity": self.identity, "key": mutant.key, "seconds": seconds}
        line = json.dumps({**told, "fate": fate.as_dict()})
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self._torn is not None:
            os.truncate(self.path, self._torn)
            self._torn = None
        with self.path.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
