"""Each trace that the register keeps is walked to its violation, and its page can be shown."""

import html.parser

import pytest

from tierproof.serve import jumps, pages
from tierproof.serve.positions import Position
from tierproof.serve.settings import Offered
from tierproof.serve.sights import Asked, Sight
from tierproof.spark_explorer.registry import DESIGNS

OFFERED = Offered()
VOID = {"meta", "link", "input", "wbr", "br", "option"}


class Balanced(html.parser.HTMLParser):
    """Raises for a tag that closes another one than the last that was opened."""

    def __init__(self, text):
        super().__init__()
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        """An element begins."""
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        """An element of a drawing without content."""

    def handle_endtag(self, tag):
        """An element ends."""
        if tag not in VOID:
            assert self.open.pop() == tag, self.getpos()


def shown(position):
    sight = Sight.of(OFFERED, position, Asked())
    Balanced(pages.walk(sight, (), None))
    return sight


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS)
def test_every_finding_is_walked_to_its_violation(design):
    plain = OFFERED.setting(Position(design=design).question).plain
    shown(Position(design=design))
    for finding in jumps.findings_of(plain):
        sight = shown(jumps.to_finding(design, plain, finding["name"]))
        assert sight.here.halt is None
        told = sight.as_dict()["properties"]
        assert [one["name"] for one in told if one["word"] == "violated"], finding["name"]


def test_the_pages_of_a_design_are_balanced():
    shown(Position(design="log_cleaner"))


def test_a_page_that_is_not_is_found():
    with pytest.raises(AssertionError):
        Balanced("<p><b>one</p></b>")
