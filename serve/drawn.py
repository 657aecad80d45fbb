"""The drawings of a walk: who does what, and the design's own picture of the states."""

from __future__ import annotations

from itertools import pairwise

from tierproof.diagrams import offsets_as_svg
from tierproof.diagrams.sequence import sequence_as_svg
from tierproof.diagrams.sequences import overview, sequence_of
from tierproof.serve.walks import Walk, walk


def lanes_as_svg(here: Walk, *, is_standalone: bool = False) -> str | None:
    """The steps of a path between the lifelines of its actors; None before the first step."""
    if not here.path:
        return None
    story = overview(sequence_of(here.told), {}, title="The path so far" if is_standalone else "")
    return sequence_as_svg(story, is_standalone=is_standalone)


def offsets_of(here: Walk, *, is_standalone: bool = False) -> str | None:
    """The states at first, before the last step and here; None for a design without a picture."""
    last = len(here.path)
    numbers = sorted({0, max(last - 1, 0), last})
    passed = [walk(here.setting, here.trace.initial, here.path[:number]) for number in numbers]
    pictures = [picture for one in passed if (picture := one.picture) is not None]
    if not pictures:
        return None
    captions = [_caption(number, last) for number in numbers]
    steps = here.told["steps"]
    said = [_between(first, then, steps) for first, then in pairwise(numbers)]
    return offsets_as_svg(
        list(zip(captions, pictures, strict=True)),
        title="The states along the path" if is_standalone else "",
        between=said,
        turning=len(numbers) - 1,
        is_standalone=is_standalone,
    )


def _caption(number: int, last: int) -> str:
    if number == 0:
        return "At first"
    return "Here" if number == last else f"After step {number}"


def _between(first: int, then: int, steps: list[dict[str, str]]) -> str:
    if then - first > 1:
        return f"Steps {first + 1} to {then}."
    said = steps[then - 1]
    return said["statement"] or said["action"]
