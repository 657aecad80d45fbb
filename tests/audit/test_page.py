"""The page of an audit: one file, with a picture of each partition that has accusations."""

import re

import pytest

from tests.audit.records import NOW, Topic, judged
from tierproof import diagrams
from tierproof.conformance.audit.asked import Asked
from tierproof.conformance.audit.axis import MOST_SEGMENTS, pictures_of
from tierproof.conformance.audit.summary import Audit
from tierproof.conformance.audit.tables import SET_ASIDE


def page_of(topic):
    found = judged(topic)
    audit = Audit(
        Asked(now_ms=NOW),
        found.accusations,
        found.facts,
        SET_ASIDE.empty_table(),
        pictures=pictures_of(found),
    )
    return diagrams.audit_as_page(audit.as_dict())


@pytest.fixture
def topic():
    found = Topic(topic="<orders>")
    for n in range(4):
        found.copied(f"S{n}", 10 * n, 10 * n + 9)
    return found


def test_a_page_shows_gaps_overlaps_and_what_to_do(topic):
    topic.copied("T", 0, 9)
    topic.deleted("S2")
    page = page_of(topic)
    assert page.count('<svg class="tp-audit"') == 1
    assert '<rect class="gap"' in page.split("</ul>", 1)[1]
    assert '<g class="twice"' in page
    assert '<g class="hidden"' in page
    assert "do not" in page


def test_a_page_needs_no_other_file_and_runs_nothing(topic):
    topic.deleted("S2")
    page = page_of(topic)
    assert not re.search(r"<script|<link|src=|url\(", page)


def test_names_are_escaped(topic):
    topic.deleted("S2")
    page = page_of(topic)
    assert "<orders>" not in page
    assert "&lt;orders&gt;" in page


def test_a_clean_page_has_no_picture(topic):
    page = page_of(topic)
    assert "CLEAN" in page
    assert '<svg class="tp-audit"' not in page


def test_of_a_long_partition_the_accused_segments_and_their_neighbours_are_drawn():
    topic = Topic()
    for n in range(400):
        topic.copied(f"S{n}", n, n)
    topic.copied("again", 300, 300)
    (picture,) = pictures_of(judged(topic))
    assert len(picture["segments"]) == MOST_SEGMENTS
    assert picture["left_out"] == 401 - MOST_SEGMENTS
    assert any(one["classes"] for one in picture["segments"])
