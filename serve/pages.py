"""The pages, from plain values and two drawings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from tierproof.diagrams.palette import OFFSETS_CSS, SEQUENCE_CSS, variables
from tierproof.diagrams.sequences import gathered
from tierproof.serve import drawn
from tierproof.serve.positions import BETWEEN, link
from tierproof.serve.reaching import SECONDS, STATES
from tierproof.serve.verdicts_here import Word

if TYPE_CHECKING:
    from tierproof.serve.jumps import ServedRun
    from tierproof.serve.sights import Sight

GOOD = (Word.HELD, Word.REACHED, Word.GOAL_TRUE)
RANDOM_STEPS = 10
"""Random steps that the page offers to take."""


def style() -> str:
    """How the pages and the drawings in them look."""
    own = files("tierproof.serve").joinpath("templates/serve.css").read_text(encoding="utf-8")
    return variables(":root") + own + SEQUENCE_CSS + OFFSETS_CSS


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("tierproof.serve"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.filters["breakable"] = _breakable
    made.filters["gathered"] = _gathered
    return made


def walk(sight: Sight, traces: Sequence[Path], run: ServedRun | None, refused: str = "") -> str:
    """The page of a position; `refused` says what was wrong with a search that was asked for."""
    position, here, told = sight.position, sight.here, sight.as_dict()
    reached = position.pairs if here.halt is None else position.at(here.path).pairs
    kept = [pair for pair in reached if pair[0] != "beside"]
    beside = [pair for pair in reached if pair[0] == "beside"]
    svg = {"lanes": drawn.lanes_as_svg(here), "offsets": drawn.offsets_of(here)}
    return (
        _environment()
        .get_template("walk.html.j2")
        .render(
            **told,
            pairs=reached,
            unedited=[p for p in position.pairs if p[0] not in ("variant", "without", "cycle")],
            unstarted=[p for p in position.at(()).pairs if p[0] not in ("start", "beside")],
            unscoped=[p for p in position.pairs if p[0] not in ("scope", "set", "cycle")],
            keep=link("walk", [*kept, *beside, ("beside", BETWEEN.join(here.path))]),
            here=link("", [*kept, *beside])[1:],
            drawings={name: Markup(text) for name, text in svg.items() if text is not None},
            good=GOOD,
            violated=Word.VIOLATED,
            traces=[path.name for path in traces],
            run=run,
            usual={"states": STATES, "seconds": SECONDS, "steps": RANDOM_STEPS},
            seed=len(here.path) + 1,
            asked=sight.asked,
            refused=refused,
        )
    )


def designs(found: Sequence[dict[str, Any]]) -> str:
    """The page that lists the designs."""
    return _environment().get_template("designs.html.j2").render(designs=found)


def states(run: ServedRun, where: str, found: Sequence[dict[str, Any]]) -> str:
    """The page of states of a run."""
    page = _environment().get_template("states.html.j2")
    return page.render(run=run, where=where, states=found)


def refusal(says: str) -> str:
    """The page of what went wrong."""
    return _environment().get_template("refusal.html.j2").render(says=says)


def _gathered(fields: Sequence[dict[str, Any]]) -> list[tuple[str, str]]:
    """Fields and values; an array whose elements are all equal is one field, `rm[*]`."""
    return gathered({one["path"]: one["value"] for one in fields})


def _breakable(name: object) -> Markup:
    """Text that may be broken after its underscores."""
    return _broken(str(name))


@lru_cache(maxsize=4096)
def _broken(name: str) -> Markup:
    """The same, kept: a page has the names of the one before."""
    return Markup("_<wbr>").join(name.split("_"))
