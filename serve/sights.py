"""Sight: all that is shown of a position, as plain values; the page and JSON are made from it.

`schema.json` says what each value is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tierproof.model.language.actions import GuardKind
from tierproof.model.language.design import Design
from tierproof.serve import branches, choices, jumps, reasons
from tierproof.serve.owners import fields_by_owner
from tierproof.serve.positions import BadLink, Path, Position, number
from tierproof.serve.reaching import SECONDS, STATES, Search, at_random, shortest_way
from tierproof.serve.settings import MOST_LISTED, Offered
from tierproof.serve.step_words import read
from tierproof.serve.verdicts_here import properties_here
from tierproof.serve.walks import Halt, Walk, repeated, walk

OF_PLACES = ("steps", "seed", "reach", "states", "seconds", "why")
"""The parameters of a link to `walk` that ask for more than its position."""


@dataclass(frozen=True)
class Asked:
    """What a link asks beside its position: random steps, a shortest way, why not a step."""

    steps: int = 0
    seed: int = 0
    reach: str = ""
    states: int = STATES
    seconds: int = SECONDS
    why: str = ""

    @classmethod
    def of(cls, given: dict[str, str]) -> Asked:
        """From the parameters of a link. Raises BadLink for one that would do nothing."""
        for name, needed in (("seed", "steps"), ("states", "reach"), ("seconds", "reach")):
            if name in given and needed not in given:
                raise BadLink(f"{name} is for {needed}, and would do nothing here")
        if "steps" in given and "reach" in given:
            raise BadLink("choose one of steps, which are random, and reach, which is searched")
        numbers = {
            n: number(n, given[n]) for n in ("steps", "seed", "states", "seconds") if n in given
        }
        return cls(reach=given.get("reach", ""), why=given.get("why", ""), **numbers)


@dataclass(frozen=True)
class Sight:
    """A position with the walk to it, and what was asked there."""

    position: Position
    here: Walk
    asked: Asked
    found: Search | None
    note: str
    others: tuple[Walk, ...]

    @classmethod
    def of(
        cls, offered: Offered, position: Position, asked: Asked, *, is_reaching: bool = True
    ) -> Sight:
        """What is to be seen from a position; without `is_reaching`, no way is searched.

        Raises TierproofError in a sentence: BadLink for a cycle that does not close.
        """
        setting = offered.setting(position.question)
        here = walk(setting, position.start, position.path)
        if position.cycle is not None and here.halt is None:
            repeated(here, position.cycle)  # raises if the path does not lead back
        found, note = None, ""
        if asked.steps:
            path = at_random(here, asked.steps, asked.seed)
            taken = len(path) - len(here.path)
            note = f"{taken} random steps, by seed {asked.seed}"
            note += "" if taken == asked.steps else ": then nothing more can be done"
        elif asked.reach and is_reaching:
            found = shortest_way(here, asked.reach, asked.states, asked.seconds)
            path, note = found.path or here.path, found.says
        if note:
            position = position.at(path)
            here = walk(setting, position.start, path)
        others = tuple(walk(setting, position.start, path) for path in position.beside)
        return cls(position, here, asked, found, note, others)

    @property
    def cycle(self) -> int | None:
        """The state from which the path repeats, if it is whole and does."""
        return None if self.here.halt else self.position.cycle

    def as_dict(self) -> dict[str, Any]:
        """All of it as plain values."""
        here, position = self.here, self.position
        return {
            "design": _design(here),
            "position": self._position(),
            "trail": _trail(here, position),
            "note": self.note,
            "search": self._search(),
            "halt": None if here.halt is None else _halt(here, here.halt),
            "is_within_bounds": here.setting.interpreter.within_bounds(here.state),
            "state": fields_by_owner(here),
            "enabled": self._linked(choices.enabled_by_actor(here)),
            "disabled": choices.disabled_by_actor(here),
            "not_listed": max(0, here.setting.interpreter.steps.count - MOST_LISTED),
            "why_not": self._why_not(),
            "properties": properties_here(here, self.cycle),
            "beside": self._beside(),
        }

    def _position(self) -> dict[str, Any]:
        position, here = self.position, self.here
        return {
            "link": position.link,
            "start": position.start,
            "path": list(here.path),
            "rest": list(here.rest),
            "cycle": self.cycle,
            "is_at_rest": self.cycle == len(here.path),
            "back": position.at(here.path[:-1]).link if here.path else None,
            "first": position.at(()).link,
        }

    def _search(self) -> dict[str, Any] | None:
        found = self.found
        if found is None:
            return None
        return {
            "wanted": self.asked.reach,
            "is_found": found.path is not None,
            "states": found.states,
            "depth": found.depth,
            "cut": found.cut,
        }

    def _linked(self, told: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Steps with the links that take them."""
        for one in told:
            for step in one["steps"]:
                step["link"] = self.position.at((*self.here.path, step["word"])).link
        return told

    def _why_not(self) -> dict[str, Any] | None:
        if not self.asked.why:
            return None
        return choices.why_not_taken(
            self.here, read(self.here.setting.interpreter.steps, self.asked.why)
        )

    def _beside(self) -> list[dict[str, Any]]:
        told = branches.compared(self.here, list(self.others))
        kept = self.position.beside
        for place, (one, path) in enumerate(zip(told, kept, strict=True)):
            rest = (*kept[:place], *kept[place + 1 :])
            one["link"] = _swapped(self.position, self.here.path, path, rest).link
            one["without"] = replace(self.position, beside=rest).link
        return told


def _swapped(position: Position, here: Path, there: Path, rest: Sequence[Path]) -> Position:
    """The position at the end of another branch, with this one kept beside it if it has steps."""
    return replace(position.at(there), beside=(here, *rest) if here else tuple(rest))


def _design(here: Walk) -> dict[str, Any]:
    setting = here.setting
    return {
        "words": setting.question.design,
        "name": setting.design.name,
        "title": setting.design.title,
        "document": setting.design.document,
        "scope": setting.question.scope_title(setting.design),
        "scopes": list(setting.plain.scopes),
        "bounds": dict(setting.scope),
        "initial_candidates": setting.interpreter.candidates.count,
        "variants": {one.name: one.because for one in setting.plain.variants},
        "chosen_variants": list(setting.design.chosen_variants),
        "guards": _guards(setting.design),
        "dropped_guards": sorted(setting.design.dropped_guards),
        "findings": jumps.findings_of(setting.plain),
    }


def _guards(design: Design) -> dict[str, str]:
    """The guards that may be left out, and what they say."""
    kept = (GuardKind.FENCE, GuardKind.CONDITION)
    return {name: one.statement for name, one in design.guards.items() if one.kind in kept}


def _trail(here: Walk, position: Position) -> list[dict[str, Any]]:
    """The steps so far, with links back to the state after each."""
    told = zip(here.told["steps"], here.trace.steps, strict=True)
    return [
        {
            "number": number,
            "step": str(step),
            "actor": one["actor"],
            "is_environment": one["is_environment"],
            "statement": one["statement"],
            "changes": {path: list(pair) for path, pair in one["changes"].items()},
            "link": position.at(here.path[:number]).link,
        }
        for number, (one, step) in enumerate(told, start=1)
    ]


def _halt(here: Walk, halt: Halt) -> dict[str, Any]:
    return {
        "number": halt.number,
        "step": halt.word if halt.step is None else str(halt.step),
        "guard": halt.guard.name if halt.guard else None,
        "why": halt.why,
        "guards": [] if halt.step is None else reasons.of_step(here, halt.step)["guards"],
        "rest": list(here.rest),
    }
