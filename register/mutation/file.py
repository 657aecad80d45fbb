"""The file of a design's mutation scores: written, read, and asked again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tierproof.register import json_file
from tierproof.register.json_file import Field, are_names, check, is_count, is_table_of, is_text
from tierproof.spark_explorer.mutation.fates import Outcome
from tierproof.spark_explorer.mutation.request import Request
from tierproof.spark_explorer.mutation.testing import MutationRun, Score
from tierproof.spark_explorer.question import Question

FOLDER = Path(__file__).parent

HEAD = {
    "scopes": Field("a list of scopes", are_names),
    "variants": Field("a list of variants", are_names),
    "sample": Field("a count, or null", lambda one: one is None or is_count(one)),
    "seed": Field("a count", is_count),
    "seconds": Field("a number", lambda one: type(one) in (int, float)),
    "recordings": Field("true or false", lambda one: type(one) is bool),
    "mutants": Field("a count", is_count),
    "modules": Field("a table of scores", is_table_of(lambda one: isinstance(one, dict))),
    "killed": Field("a table of keys", is_table_of(are_names)),
    "survivors": Field(
        "a list of lines", lambda one: isinstance(one, list) and all(map(is_text, one))
    ),
}


@dataclass(frozen=True)
class Scores:
    """What is kept of a design's mutants; `asked` are the fields that say how to ask again."""

    design: str
    asked: Mapping[str, Any]
    modules: Mapping[str, Score]
    killed: Mapping[str, tuple[str, ...]]
    survivors: tuple[str, ...]

    def request(self) -> Request:
        """The request that finds the same again, but for recordings."""
        asked = self.asked
        return Request(
            question=Question(design=self.design, variants=tuple(asked["variants"])),
            scopes=tuple(asked["scopes"]),
            sample=asked["sample"],
            seed=asked["seed"],
            seconds=asked["seconds"],
        )


def path_of(design: str) -> Path:
    """The file of a design."""
    return FOLDER / f"{design}.json"


def scores_in(path: Path) -> Scores:
    """The scores in a file. Raises Unreadable for what `text_of` does not write."""
    found = json_file.read(path)
    try:
        check("the file", found, HEAD)
        modules = {name: Score(**counts) for name, counts in found["modules"].items()}
    except (ValueError, TypeError) as error:
        raise json_file.Unreadable(path, error) from None
    killed = {name: tuple(keys) for name, keys in found["killed"].items()}
    asked = {
        name: value
        for name, value in found.items()
        if name not in ("modules", "killed", "survivors")
    }
    return Scores(path.stem, asked, modules, killed, tuple(found["survivors"]))


def scores_of(testing: MutationRun, *, recordings: bool) -> Scores:
    """What is to be kept of a run that judged every mutant it was asked for."""
    request = testing.request
    asked = {
        "scopes": testing.scopes,
        "variants": list(testing.design.chosen_variants),
        "sample": request.sample,
        "seed": request.seed,
        "seconds": request.seconds,
        "recordings": recordings,
        "mutants": testing.of,
    }
    killed: dict[str, list[str]] = {}
    for mutant, fate in testing.found:
        if fate.outcome is Outcome.KILLED:
            killed.setdefault(mutant.place.module, []).append(mutant.key)
    survivors = [
        f"{mutant.key} {mutant.place.module}.{mutant.place.name}: {mutant.operator}: "
        f"{' '.join(' '.join(mutant.before).split())} => {' '.join(' '.join(mutant.after).split())}"
        for mutant, _ in testing.survivors
    ]
    keys = {name: tuple(found) for name, found in killed.items()}
    return Scores(testing.design.name, asked, testing.scores, keys, tuple(survivors))


def text_of(scores: Scores) -> str:
    """The file that holds these scores."""
    lines = [f' "{name}": {json.dumps(value)},' for name, value in scores.asked.items()]
    modules = {name: vars(score) for name, score in scores.modules.items()}
    lines += [*_table("modules", modules), *_table("killed", scores.killed)]
    survivors = ",\n".join(f"  {json.dumps(line)}" for line in scores.survivors)
    lines += [' "survivors": [', *([survivors] if survivors else []), " ]"]
    return "\n".join(["{", *lines, "}", ""])


def _table(key: str, table: Mapping[str, Any]) -> list[str]:
    rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(one)}" for name, one in table.items())
    return [f' "{key}": {{', *([rows] if rows else []), " },"]
