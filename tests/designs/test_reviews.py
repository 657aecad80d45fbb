"""A review is one mail about a document: an opening, then a point for each thing to decide.

It is put together from the mails of the findings (`test_mails`): the worst first, what is told
with another within its point, and at the end what was searched.
"""

import re
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Any

import pytest

from tests.designs.stored_traces import DESIGNS, STORED
from tests.designs.test_mails import OURS, of_every_mail, snake_case, unquoted, written
from tierproof.diagrams.paragraphs import Quote
from tierproof.model.language.errors import DesignError
from tierproof.register import Register, prose, register_of, reviews
from tierproof.register.entries import Severity
from tierproof.register.isolation import explorations
from tierproof.register.prose.review import taken
from tierproof.register.registers import GIVEN

MOST_WORDS_OF_AN_OPENING = 200
"""What comes before the points of a review."""
REVIEWED = [name for name, design in DESIGNS.items() if register_of(design).opening]


@cache
def review_of(name):
    """The review of a design, which replays each of its traces."""
    return reviews.review(DESIGNS[name])


def test_a_review_is_one_mail_with_a_point_for_each_finding_the_minor_ones_last():
    severities = [str(one) for one in Severity]
    told = review_of("kip1266")
    text = told["text"]
    told_in = [DESIGNS["kip1266"], DESIGNS["kip1266_migration"]]
    both = [one for design in told_in for one in register_of(design).findings]
    assert set(chain(*told["points"])) == {one.name for one in both}
    points = re.findall(r"^(\d+)\. .*\n(?:.+\n)*\n(Loss|Leak|Stall|Minor)", text, re.M)
    assert [int(number) for number, _ in points] == list(range(1, len(told["points"]) + 1))
    graded = [{"Minor": "cost"}.get(one, one) for _, one in points]
    ranks = [
        min(n for n, it in enumerate(severities) if it.startswith(one.lower())) for one in graded
    ]
    assert ranks == sorted(ranks)
    before, _, after = text.partition("\nMinor points\n")
    assert "Minor." not in before
    assert "Loss of committed records" not in after
    assert text.count("\nProposal: ") == len(points)


def test_a_review_says_how_many_points_of_which_severity_it_has():
    words = " ".join(review_of("kip1266")["text"].split())
    graded = re.findall(r"(\d+) points: (.*?)\. Found with", words)
    ((count, of_each),) = graded
    numbers = [int(one) for one in re.findall(r"\d+", of_each)]
    assert numbers == sorted(numbers)
    assert (numbers[0], numbers[-1]) == (1, int(count))
    assert of_each.startswith("loss of committed records (1")


def test_a_review_ends_with_the_points_whose_proposal_was_checked():
    design = DESIGNS["kip1272"]
    told = review_of("kip1272")
    end = " ".join(told["text"].partition("What was checked\n")[2].split())
    explored = explorations.known(design).scopes
    largest = max(one["distinct_states"] for one in explored.values())
    assert f"together, {len(explored)} searches, the largest of {largest:,} states, broke" in end
    said = [
        [int(number) for number in re.findall(r"\d+", points)]
        for points in re.findall(r"points? ((?:\d+(?:, | and )?)+)", end)
    ]
    assert sorted({number for part in said for number in part}) == list(
        range(1, len(told["points"]) + 1)
    )
    stored = {
        one.name: STORED[f"kip1272/{one.name}"]["claims"] for one in register_of(design).findings
    }
    of = {one.name: one for one in register_of(design).findings}
    changes = {n: "ended" if written(design, of[n]).proposes_the_repair else "proposed" for n in of}
    checked = [
        number
        for number, (name, *_) in enumerate(told["points"], 1)
        if all(it.get(changes[name]) == "HOLDS" for it in stored[name].values())
    ]
    assert said[0] == checked
    beside = [name for number in checked for name in told["points"][number - 1][1:]]
    is_all_checked = all(
        it.get(changes[name]) == "HOLDS" for name in beside for it in stored[name].values()
    )
    assert ('(but for what "Also" adds)' in end) == (not is_all_checked)


def test_a_review_says_what_all_proposals_leave_together():
    text = "<!-- trace abc -->\nIt leaks.\n\n**Proposal:** add a lock.\n"
    entry: dict[str, Any] = {"severity": "leak", "on_brokers": "", "claims": {}, "mail": text}
    entries = [
        entry | {"name": "first", "title": "first", "repair": "lock", "proposal": None},
        entry
        | {"name": "second", "title": "second", "repair": "key", "claims": {"a": {"ended": "CUT"}}},
    ]
    points = prose.points_of(entries)
    clean = prose.Search("a_design", 30)
    proposed = prose.Search("a_design", 4_000, is_of_proposals=True)

    def end(*searches):
        said = " ".join(prose.review_as_mail("A review", points, searches).split())
        return said.partition("which is unchecked itself. ")[2]

    assert end(clean, proposed) == (
        "With all searched changes together, 1 search, of 30 states, broke nothing. With all "
        "proposals together (for point 2 that other change), 1 search, of 4,000 states, broke "
        "nothing. The model is small: that is no proof."
    )
    broken = replace(proposed, broken=("No key is lost.",))
    both = end(clean, proposed, broken)
    assert "2 searches, the largest of 4,000 states, broke nothing" in both
    assert "broke nothing but this: No key is lost. The model" in both


@of_every_mail
def test_what_a_review_takes_of_a_mail_does_not_refer_to_its_steps(design, finding):
    opening, *quotes, proposal = taken(written(design, finding))
    assert {type(one) for one in quotes} <= {Quote}
    for said in (opening.text, proposal.text):
        assert re.findall(r"\b(?:[Ii]n|of) steps? \d(?!\.\d)|\(step \d", said) == []


def test_a_review_makes_each_proposal_once():
    text = "<!-- trace abc -->\nIt leaks.\n\n**Proposal:** add a lock.\n"
    entry: dict[str, Any] = {
        "severity": "leak",
        "repair": None,
        "on_brokers": "",
        "claims": {},
        "mail": text,
    }
    entries = [entry | {"name": name, "title": name} for name in ("first", "second")]
    said = prose.review_as_mail("A review", prose.points_of(entries), [])
    assert said.count("Proposal: add a lock.") == 1
    assert said.count("Proposal: the change of point 1.") == 1


def test_what_is_told_with_a_point_is_no_worse_than_the_point():
    for name in ("kip950", "kip952", "kip1266", "kip1272"):
        found = {one.name: one for it in DESIGNS.values() for one in register_of(it).findings}
        for names in review_of(name)["points"]:
            ranks = [list(Severity).index(found[one].severity or Severity.TEXT) for one in names]
            assert ranks == sorted(ranks)


@pytest.mark.parametrize("name", REVIEWED)
def test_a_review_begins_with_what_matters_and_refers_to_its_points_by_number(name):
    opening = register_of(DESIGNS[name]).opening
    assert len(opening.split()) <= MOST_WORDS_OF_AN_OPENING
    text = review_of(name)["text"]
    assert " ".join(opening.split())[:60] in " ".join(text.partition("\n1. ")[0].split())
    assert re.findall(r"[{}]", text) == []
    assert snake_case(unquoted(text)) == set()
    assert re.findall(OURS, unquoted(text.partition("What was checked\n")[0])) == []


def test_a_finding_that_is_told_with_another_has_no_point_of_its_own():
    text = "<!-- trace abc -->\nIt leaks.\n\n**Proposal:** say so.\n"
    entry: dict[str, Any] = {"severity": "leak", "repair": None, "on_brokers": "", "claims": {}}
    main = entry | {"name": "first", "title": "The first", "mail": text}
    aside = "<!-- told with first -->\nthe same of point {first}.\n"
    other = entry | {"name": "second", "title": "The second", "mail": aside}
    (point,) = prose.points_of([other, main])
    assert [one["name"] for one in point.entries] == ["first", "second"]
    said = prose.review_as_mail("A review", [point], [], "It all hangs on point {second}.")
    assert "It all hangs on point 1.\n" in said
    assert "Also: the same of point 1.\n" in said
    assert "The second" not in said
    with pytest.raises(ValueError, match="second is told with 'first', which is no point"):
        prose.points_of([other])
    with pytest.raises(ValueError, match="the review tells no 'third'"):
        prose.review_as_mail("A review", [point], [], "See {third}.")


def test_a_review_has_the_alternatives_of_the_document(monkeypatch):
    told = review_of("kip952")
    assert {"empty_snapshot_denies_producers", "waiting_never_ends"} <= set(chain(*told["points"]))
    monkeypatch.setitem(GIVEN, "log_cleaner", Register())
    with pytest.raises(DesignError, match="nothing to review"):
        reviews.review(DESIGNS["log_cleaner"])
