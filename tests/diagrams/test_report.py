"""The report of a review: what it must not leave out."""

import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from tests.diagrams.samples import ODD, claim, result, violated, witness
from tests.toys.two_phase_commit import DESIGN
from tierproof.diagrams import run_name, write_report
from tierproof.diagrams.verdicts import run_of

NAME = "two-phase-commit"
BROKEN = result(without=["all_prepared"], verdict="VIOLATED", properties=[violated()])
CUT = result(
    scope="nine",
    verdict="INCOMPLETE",
    cut="the limit of 1,000,000 states was reached",
    properties=[claim(verdict="INCOMPLETE")],
    witnesses=[witness(reached=None, trace=None)],
)
VOID = {"meta", "br", "wbr", "link", "path", "rect", "circle", "polygon", "ellipse"}


@pytest.fixture
def page(tmp_path):
    """Writes a report of some results and returns its text."""

    def written(*results, designs=None, ledger=None, **facts):
        chosen = {NAME: DESIGN} if designs is None else designs
        return write_report(list(results), chosen, tmp_path, ledger, facts).read_text("utf-8")

    return written


def plain(html):
    body = re.sub(r"<(style|svg)\b.*?</\1>", "", html.replace("<wbr>", ""), flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", " ", body).replace("&nbsp;", " ").split())


def test_it_has_every_property_with_its_verdict_statement_and_source(page):
    text = plain(page(result(properties=[claim(), claim(name="other", verdict="INCOMPLETE")])))
    assert "no_commit_beside_an_abort invariant ✓ HOLDS – – No manager has committed" in text
    assert "other invariant … INCOMPLETE" in text
    assert "TCConsistent" in text


def test_it_states_scope_bounds_and_counts(page):
    text = plain(page(result(distinct_states=10_340_352), BROKEN))
    for told in ("resource_managers = 3", "10,340,352", "1,146", "10 steps", "memory"):
        assert told in text
    assert f"{NAME}, without all_prepared, scope three" in text


def test_it_tells_each_counterexample_in_words(page):
    html = page(BROKEN)
    assert "2. RM 2: rm_receives_commit(rm=2)" in html
    assert html.count("<summary>Counterexample to") == 1


def test_a_counterexample_that_the_ledger_expects_is_given_by_its_steps(tmp_path):
    ledger = {run_name(BROKEN): {"properties": {"no_commit_beside_an_abort": "VIOLATED"}}}

    def counterexample(known):
        html = write_report([BROKEN], {NAME: DESIGN}, tmp_path, known).read_text("utf-8")
        return html[html.index("<summary>Counterexample to") :]

    assert "2. RM 2: rm_receives_commit(rm=2)" in counterexample(ledger)
    assert " → " not in counterexample(ledger)
    assert " → " in counterexample({}), "what is not known is told with its states"


def test_a_drawing_that_two_designs_share_stands_in_the_first_of_them(page):
    other = replace(DESIGN, name="other")
    html = page(result(), result(design="other"), designs={NAME: DESIGN, "other": other})
    alone = page(result())
    assert html.count('class="tp-chart"') == alone.count('class="tp-chart"') > 1
    assert f'The same as of <a href="#{NAME}">{NAME}</a>' in html


def test_it_says_that_a_search_was_cut_and_why(page):
    text = plain(page(CUT))
    assert "The search was cut: the limit of 1,000,000 states was reached." in text
    assert "NOT YET" in text


def test_it_names_what_was_not_exercised(page):
    text = plain(
        page(
            result(
                properties=[claim(premise_states=0)],
                witnesses=[witness(reached=False, trace=None)],
                actions={"tm_commits": 0, "tm_aborts": 3},
                untaken_edges=["RmState: WORKING -> ABORTED"],
            )
        )
    )
    assert "vacuous: its premise held in no state" in text
    assert "Properties never put to the test: no_commit_beside_an_abort" in text
    assert "Witnesses not reached: everybody_committed" in text
    assert "Actions never taken: tm_commits" in text
    assert "Lifecycle edges never taken: RmState: WORKING -&gt; ABORTED" in text


def test_a_premise_that_held_is_counted_and_not_called_vacuous(page):
    text = plain(page(result(properties=[claim(premise_states=1234)])))
    assert "premise held in 1,234 states" in text
    assert "vacuous" not in text


def test_a_known_violation_is_as_expected(page):
    ledger = {run_name(BROKEN): {"properties": {"no_commit_beside_an_abort": "VIOLATED"}}}
    text = plain(page(BROKEN, ledger=ledger))
    assert "1 exploration: every verdict is the one that the ledger expects." in text
    assert "as expected" in text


def test_an_unexpected_verdict_is_marked_where_it_stands(page):
    expected = {"properties": {"no_commit_beside_an_abort": "VIOLATED"}, "distinct_states": 287}
    text = plain(page(result(), ledger={NAME: expected}))
    assert "1 exploration: 1 not as the ledger expects." in text
    assert "≠ ledger: VIOLATED" in text
    assert "distinct states: 288, the ledger expects 287" in text


def test_a_run_that_the_ledger_does_not_know_is_said_to_be_so(page):
    text = plain(page(result(), ledger={NAME: None}))
    assert "1 exploration: 1 not in the ledger." in text


def test_a_review_that_differs_says_so_first(page):
    ledger = {NAME: {"bounds": {"resource_managers": 4}}, run_name(CUT): {"verdict": "INCOMPLETE"}}
    text = plain(page(result(), BROKEN, CUT, ledger=ledger))
    assert "3 explorations: 1 not as the ledger expects, 1 not in the ledger." in text
    assert "bounds: resource_managers = 3, the ledger expects resource_managers = 4" in text


def test_witnesses_are_held_against_the_ledger():
    expected = {"witnesses": {"everybody_committed": False}, "properties": {"gone": "HOLDS"}}
    assert run_of(result(), DESIGN, {NAME: expected}).differences == (
        "gone: not checked, the ledger expects HOLDS",
        "everybody_committed: REACHED, the ledger expects NOT REACHED",
        "no_commit_beside_an_abort: HOLDS, the ledger expects nothing",
    )


def test_a_variant_is_not_held_against_the_design_itself():
    assert run_name(result(variants=["early"], without=["g"])) == f"{NAME}+early~g/three"
    assert run_of(BROKEN, DESIGN, {NAME: {"verdict": "HOLDS"}}).differences is None


def test_without_dot_it_gives_text_and_says_why(page, monkeypatch):
    monkeypatch.setattr("tierproof.diagrams.report.is_dot_installed", lambda: False)
    html = page(result())
    assert 'class="tp-chart"' not in html
    assert html.count("Graphviz&#39;s dot is not installed here") == 3
    assert "stateDiagram-v2" in html


def test_it_works_for_a_design_that_is_not_at_hand(page):
    assert "no_commit_beside_an_abort" in page(BROKEN, designs={})


def test_odd_text_is_escaped(page):
    odd = violated(name=ODD, statement=ODD, source=ODD)
    html = page(result(design=ODD, properties=[odd], cut=ODD, engine=ODD), Command=ODD)
    assert '<b>&"quoted' not in html


def test_its_elements_are_closed_in_order(page):
    open_tags = []

    class Check(HTMLParser):
        def handle_starttag(self, tag, attrs):
            if tag not in VOID:
                open_tags.append(tag)

        def handle_startendtag(self, tag, attrs):
            pass

        def handle_endtag(self, tag):
            assert tag in VOID or open_tags.pop() == tag

    Check().feed(page(result(), BROKEN, CUT, ledger={}, Date="today"))
    assert open_tags == []


def test_it_is_self_contained(page):
    html = page(result(), BROKEN)
    assert not re.search(r"<script|<link|\ssrc=|url\(|@import", html)
    assert "prefers-color-scheme: dark" in html


def test_its_links_lead_somewhere(page):
    html = page(result(), BROKEN, CUT)
    anchors = re.findall(r' id="([^"]+)"', html)
    assert len(anchors) == len(set(anchors))
    assert set(re.findall(r'href="#([^"]+)"', html)) <= set(anchors)


def test_the_same_results_give_the_same_bytes(page):
    assert page(result(), BROKEN, CUT) == page(result(), BROKEN, CUT)


def test_a_summary_in_markdown_lies_beside_it(page, tmp_path):
    page(result(design="a|b"), BROKEN, ledger={})
    lines = (tmp_path / "evidence.md").read_text("utf-8").splitlines()
    assert lines[0].startswith("| design | scope | verdict | ledger | distinct |")
    assert lines[2].startswith("| a\\|b | three | HOLDS | not in the ledger | 288 | 1,146 | 10 |")


def test_the_markdown_has_every_verdict(page, tmp_path):
    page(result(), BROKEN)
    text = (tmp_path / "evidence.md").read_text("utf-8")
    assert "### two-phase-commit, without all_prepared, scope three" in text
    assert "| no_commit_beside_an_abort | invariant | VIOLATED | 90 | 3 | No manager" in text


def test_nothing_explored_is_said_so(page):
    assert "Nothing was explored." in page()


def test_templates_are_found_from_anywhere(tmp_path):
    """As installed: the checkout is not the folder in which Python is started."""
    asks = "from tierproof.diagrams import report; report.environment(); report._style()"
    asked = subprocess.run(
        [sys.executable, "-c", asks], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert asked.returncode == 0, asked.stderr
