"""Write the result of a run: as JSON, and each counterexample in the formats that are asked for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from tierproof.command_line import tracing
from tierproof.command_line.writing import earlier, written_to
from tierproof.spark_explorer.results import Result


def write(result: Result, folder: Path, formats: Sequence[str] = tracing.DEFAULT) -> str:
    """Write `result.json`, and every counterexample in these formats, into `folder`.

    Returns where it is written, and what is there of an earlier run, in words. Raises NotWritten,
    which names the folder.
    """
    found = result.as_dict()
    written = [folder / "result.json"]
    with written_to(folder):
        folder.mkdir(parents=True, exist_ok=True)
        is_first = not written[0].exists()
        written[0].write_text(json.dumps(found, indent=2) + "\n", "utf-8")
        for entry, shown in zip(result.properties, found["properties"], strict=True):
            if entry.trace is not None:
                for one in formats:
                    path = folder / f"{entry.name}{tracing.SUFFIXES[one]}"
                    path.write_text(tracing.rendered(entry.trace, shown, one), "utf-8")
                    written.append(path)
        replaced = "" if is_first else ", in place of an earlier result"
        return f"written to {folder}{replaced}{earlier(folder, written)}"
