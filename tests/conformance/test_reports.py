"""Reports to file: each finding that the newest release shows has one, and it can be pasted."""

import json
import re
from pathlib import Path

import pytest

from tierproof.command_line import confirming
from tierproof.conformance.brokers.releases import NEWEST, RELEASES

FOLDER = Path(confirming.DOCUMENT).parent / "reports"
REPORTS = {page.stem: page for page in FOLDER.glob("*.md") if page.stem != "README"}
RESULTS = [
    one
    for one in json.loads(confirming.DOCUMENT.with_suffix(".json").read_text("utf-8"))["results"]
    if not one["is_control"]
]
SECTIONS = (
    "Steps",
    "Expected",
    "Observed",
    "Cause",
    "Proposed change",
    "What the tracker says",
)
ROWS = ("severity", "seen on", "present since", "needs")
LINE = "\n---\n"
AWAITED: set[str] = set()
"""Findings that the newest release shows and whose report is still to be written."""


def pasted(name: str) -> str:
    """What is pasted into the tracker: all above the line."""
    return REPORTS[name].read_text("utf-8").split(LINE)[0]


def test_each_finding_that_the_newest_release_shows_has_a_report():
    shown = {
        one["finding"]
        for one in RESULTS
        if one["release"] == NEWEST and one["outcome"] == "CONFIRMED"
    }
    assert shown - set(REPORTS) == AWAITED


def test_the_index_names_each_report_and_no_other():
    index = (FOLDER / "README.md").read_text("utf-8")
    assert all(f"/{name}.md)" in index for name in AWAITED)
    assert sorted(re.findall(r"^\| \[.*?\]\((\w+)\.md\)", index, re.M)) == sorted(REPORTS)


@pytest.mark.parametrize("name", sorted(REPORTS))
def test_a_report_has_each_section_in_order(name):
    assert tuple(re.findall(r"^## (.*)$", pasted(name), re.M)) == SECTIONS
    assert tuple(re.findall(r"^\| ([a-z ]+?) \|", pasted(name), re.M))[: len(ROWS)] == ROWS


@pytest.mark.parametrize("name", sorted(REPORTS))
def test_what_is_pasted_has_no_link_and_no_name_of_ours(name):
    text = pasted(name)
    assert "](" not in text, "a link of this repository does not work in the tracker"
    ours = {one["finding"] for one in RESULTS}
    assert not ours & set(re.findall(r"\w+", text))


@pytest.mark.parametrize("name", sorted(REPORTS))
def test_a_report_names_the_releases_that_showed_it(name):
    row = re.search(r"^\| seen on \| (.*) \|$", pasted(name), re.M)
    assert row is not None
    confirmed = [
        one["release"]
        for one in RESULTS
        if one["finding"] == name and one["outcome"] == "CONFIRMED"
    ]
    assert {release for release in RELEASES if release in row[1]} == set(confirmed)
