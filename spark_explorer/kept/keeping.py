"""Keeping: a search writes a run, or goes on with one, and leaves its result there."""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass, replace

import pyarrow as pa

from tierproof.spark_explorer.kept.attempt import Attempt
from tierproof.spark_explorer.kept.results import as_kept
from tierproof.spark_explorer.kept.store import Store
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.provenance import Resumed
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.results import Result

RESULT = "result.json"


class ResultNotKept(UserWarning):
    """A result could not be written to its run; the message is a sentence."""


@dataclass
class Keeping:
    """What a search keeps its run by, then to be closed; with `is_resumed` the run is there."""

    store: Store
    question: Question
    engine: str
    is_resumed: bool = False
    attempt: Attempt | None = None

    def attempt_of(self, kernel: Kernel) -> Attempt:
        """The attempt of a search with this kernel. Raises NotKept and Unlike."""
        if self.is_resumed:
            self.attempt = Attempt.resume(self.store, kernel, self.engine)
        else:
            self.attempt = Attempt.begin(self.store, self.question, kernel, self.engine)
        return self.attempt

    def keep(self, result: Result) -> Result:
        """The result, which says whether the run was resumed; written to the run."""
        attempt = self.attempt
        assert attempt is not None
        if attempt.number:
            resumed = Resumed(times=attempt.number, level=attempt.resumed_from)
            result = replace(result, resumed=resumed)
        try:
            self.store.put(RESULT, json.dumps(as_kept(result), indent=2).encode())
        except (OSError, pa.ArrowException) as error:
            warnings.warn(f"the result is not kept in {self.store}: {error}", ResultNotKept, 2)
        return result

    def close(self) -> None:
        """Let another process explore into the run."""
        if self.attempt is not None:
            self.attempt.close()
