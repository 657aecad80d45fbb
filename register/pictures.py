"""The two drawings of a finding: who does what, and the offsets, with the words of its text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from tierproof.diagrams import offsets_as_svg
from tierproof.diagrams.offsets_panels import named_in
from tierproof.diagrams.sequence import sequence_as_svg
from tierproof.diagrams.sequences import overview, sequence_of
from tierproof.model.language.offset_picture import pictures_of
from tierproof.register.entries import Finding, Text
from tierproof.register.evidence import statements_of, with_what_it_needs
from tierproof.register.traces import Shown
from tierproof.spark_explorer.results import trace_as_dict


def steps_as_svg(shown: Shown) -> str:
    """Who does what: the sentences of the text beside the steps that they tell."""
    one = shown.entry
    assert isinstance(one, Finding)
    assert one.text is not None
    sentences = {max(told.first, 1): told.sentence for told in one.text.steps}
    sequence = sequence_of(trace_as_dict(shown.trace))
    return sequence_as_svg(overview(sequence, sentences, one.turning, title=one.title))


def offsets_of(shown: Shown, *, is_standalone: bool = True) -> str | None:
    """The offsets at first, after the step where the harm is done, and in the end.

    Where the last step does the harm, before it. None for a design that draws no offsets.
    """
    one = shown.entry
    assert isinstance(one, Finding)
    assert one.text is not None
    assert one.turning is not None
    trace = with_what_it_needs(shown, one)
    last = len(trace)
    turning = one.turning if one.turning < last else max(last - 1, 0)
    numbers = sorted({0, turning, last})
    pictures = pictures_of(trace, numbers)
    if not pictures:
        return None
    captions = {turning: f"After step {turning}", 0: "At first", last: "In the end"}
    panels = [(captions[number], it) for number, it in zip(numbers, pictures, strict=True)]
    drawn, statements = named_in(panels), statements_of(shown.trace.design)
    return offsets_as_svg(
        panels,
        title=one.title if is_standalone else "",
        between=list(_between(one.text, numbers)),
        names={id: letter for id, letter in one.letters.items() if id in drawn},
        turning=numbers.index(turning) if one.turning < last else len(numbers) - 1,
        broken=statements[shown.kept.claim],
        is_standalone=is_standalone,
    )


def _between(text: Text, numbers: Sequence[int]) -> Iterator[str]:
    """What is told of the last step before each panel but the first, once."""
    said = ""
    for before, number in pairwise(numbers):
        found = (told.sentence for told in text.steps if told.first <= number <= told.last)
        sentence = next(found, "")
        yield f"Steps {before + 1} to {number}." if sentence == said else sentence
        said = sentence
