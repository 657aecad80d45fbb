"""The first part of a finding's page is sent to a thread: it stands by itself, in few words.

It is written by hand (`tierproof.model.designs.mails`), and held to the trace that it tells and to
the document that it quotes. A finding that is told in the report of another has an aside there in
place of a mail, and its page says where. Nothing in it, or in the detail that follows on the page,
means something only within the project: names of properties, scopes, variants and findings,
counts, links and pictures are evidence. The pages are the committed ones; that the renderer makes
them is tested in `test_findings`.
"""

import re

import pytest

from tests.designs.stored_traces import DESIGNS, PAGES, STORED, trace_of
from tierproof.diagrams.offsets_text import WIDTH as TABLE_WIDTH
from tierproof.diagrams.paragraphs import WIDTH, Quote
from tierproof.register import documents, evidence, pages, prose, register_of
from tierproof.register.entries import Passage
from tierproof.register.isolation import causes
from tierproof.register.prose.detail import BELOW, ON_A_PAGE, VERSIONS, origin
from tierproof.register.prose.mail import is_mended

RULE, PICTURES = "\n---\n", "\n## In pictures\n"
DETAIL, EVIDENCE = "\n## In detail\n", "\n## Evidence\n"
MOST_WORDS = 300
"""Of a mail as it is written: what is longer is not read in a thread."""
MOST_WORDS_OF_A_MINOR_POINT = 180
"""Nobody reads a page about what harms little."""
MOST_WORDS_OF_AN_ASIDE = 80
"""What a review says of a finding that it tells in the point of another."""
OF_KAFKA = {"__remote_log_metadata", "__cluster_metadata", "read_committed", "read_uncommitted"}
"""Names that Kafka writes so itself."""
OURS = r"\b(findings?|scopes?|variants?|isolated|ghosts?|lasso|\d[\d,]* (?:states|steps))\b"
"""Words and counts that mean something within the project only."""
TOLD = [
    (design, one)
    for design in DESIGNS.values()
    for one in register_of(design).findings
    if one.story
]


def written(design, finding):
    return prose.read_mail(finding.mail)


SENT = [told for told in TOLD if isinstance(written(*told), prose.Mail)]
BESIDE = [told for told in TOLD if isinstance(written(*told), prose.Aside)]


def of_each(told):
    names = [f"{design.name}-{one.name}" for design, one in told]
    return pytest.mark.parametrize(("design", "finding"), told, ids=names)


of_every_finding = of_each(TOLD)
of_every_mail = of_each(SENT)
of_a_mail_with_each_picture = of_each(list({one[0].picture: one for one in SENT}.values()))


def page_of(design, finding):
    """What is sent, all of it in detail, and the evidence: pictures, runs, sources."""
    page = (PAGES / design.name / f"{finding.name}.md").read_text("utf-8")
    above, _, shown = page.partition(PICTURES)
    mail, _, _ = above.partition(RULE)
    pictures, _, below = shown.partition(DETAIL)
    detail, _, evidence = below.partition(EVIDENCE)
    return mail.partition("-->\n")[2], detail, pictures + evidence


def sent_of(design, finding):
    """What somebody sends: the mail, if there is one, and the detail."""
    mail, detail, _ = page_of(design, finding)
    return [mail, detail] if (design, finding) in SENT else [detail]


def mail_of(design, finding):
    (entry,) = pages.rewritten(design, PAGES / design.name, only=[finding.name])
    return prose.finding_as_mail(entry)


def unquoted(text):
    """The text without what a document says, which is quoted to the letter."""
    return "\n".join(line for line in text.splitlines() if not line.startswith(">"))


def snake_case(text):
    return set(re.findall(r"\b_*[a-z0-9]+(?:_[a-z0-9]+)+\b", text)) - OF_KAFKA


# -- the mail


@of_every_mail
def test_a_mail_is_short_and_stands_at_the_top_of_the_page(design, finding):
    text = finding.mail
    is_minor = finding.severity.is_minor
    assert len(text.split()) <= (MOST_WORDS_OF_A_MINOR_POINT if is_minor else MOST_WORDS)
    page, _, _ = page_of(design, finding)
    assert page.startswith(f"\n# {finding.title}\n")
    assert written(design, finding).opening.text in page
    whole = (PAGES / design.name / f"{finding.name}.md").read_text("utf-8")
    assert f"`tierproof mail {design.name} {finding.name}`" in whole


@of_each(BESIDE)
def test_a_finding_that_is_told_with_another_says_where(design, finding):
    aside = written(design, finding)
    assert len(aside.words.split()) <= MOST_WORDS_OF_AN_ASIDE
    ((name, main),) = (
        (other.name, one)
        for other, one in SENT
        if one.name == aside.told_with and other.document == design.document
    )
    page, _, _ = page_of(design, finding)
    assert page.startswith(f"\n# {finding.title}\n")
    assert f"[{main.title}](../{name}/{main.name}.md)" in page


@of_every_mail
def test_a_mail_tells_each_step_of_the_trace_that_is_kept(design, finding):
    mail, trace = written(design, finding), trace_of(STORED[f"{design.name}/{finding.name}"])
    assert mail.trace == trace.digest == finding.story.trace
    firsts = [first for first, _ in mail.spans]
    assert firsts[0] in (0, 1)
    assert firsts[1:] == [last + 1 for _, last in mail.spans[:-1]]
    assert mail.spans[-1][1] == len(trace)


@of_every_mail
def test_a_mail_quotes_to_the_letter(design, finding):
    source = ""
    for block in reversed(written(design, finding).blocks):
        if isinstance(block, Quote):
            source = block.source or source
            document, _, section = source.partition(', section "')
            documents.verify(Passage(document, section.partition('"')[0], block.text))


# -- both


@of_every_finding
def test_it_has_no_name_and_no_count_of_ours(design, finding):
    command = f"tierproof explore {design.name} --finding {finding.name}"
    for text in sent_of(design, finding):
        said = unquoted(text.replace(command, ""))
        assert snake_case(said) == set()
        assert re.findall(OURS, said) == []


@of_every_finding
def test_it_has_no_link_and_no_picture(design, finding):
    text = "".join(sent_of(design, finding))
    assert re.findall(r"\]\(|https?://|\.svg|\.md\b|</?\w+>", unquoted(text)) == []


# -- the detail


@of_every_finding
def test_the_detail_has_everything_that_is_written_of_a_finding(design, finding):
    _, text, _ = page_of(design, finding)
    told = [sentence for place, sentence in finding.story.sentences if place != "note"]
    quotes = [line for one in finding.passages for line in one.quote.splitlines()]
    for said in (finding.symptom, finding.fix, *told, *quotes):
        assert said in text
    needs, *versions = VERSIONS.split(finding.needs, maxsplit=1)
    assert f"- **Needs:** {needs}\n" in text
    assert [f"Kafka {one}" for one in versions] == re.findall(
        r"^- \*\*Versions:\*\* (.*)", text, re.M
    )
    assert (finding.costs or finding.unrepaired) in text


@of_every_finding
def test_it_names_the_fixes_without_which_the_design_does_not_take_the_steps(design, finding):
    _, text, _ = page_of(design, finding)
    kept = STORED[f"{design.name}/{finding.name}"]
    trace = trace_of(kept)
    states, stop = trace.follow_in(design.with_variants(*finding.beside))
    if stop is not None:
        assert kept["in_force"]
    elif trace.cycle_start is None and states == trace.states:
        assert not kept["in_force"]
    assert ("show this defect alone" in text) == bool(kept["in_force"])
    mended = {one.repair: one.title for one in reversed(causes(design)) if one.repair}
    for repair in kept["in_force"]:
        assert f'"{mended[repair]}"' in text


@of_every_finding
def test_it_has_a_table_of_the_offsets_that_fits_into_a_mail(design, finding):
    _, text, _ = page_of(design, finding)
    _, table, after = text.split("```\n")
    head, *lines = table.splitlines()
    assert "At first" in head
    assert "in the end" in head.lower()
    assert lines
    assert max(map(len, (head, *lines))) <= TABLE_WIDTH
    assert "## The fix" in after


@of_every_finding
def test_a_kip_that_leaves_something_open_is_asked_and_what_is_assumed_is_said(design, finding):
    _, text, _ = page_of(design, finding)
    assumed = [evidence.assumed(name) for name in finding.assumptions]
    asked = [one for one in assumed if one["is_of_a_kip"]]
    assert ("## Questions to the authors" in text) == bool(asked)
    for one in asked:
        assert one["asks"].endswith("?") or "? " in one["asks"]
        assert f"- {one['asks']} These steps assume: {one['choice']}" in text


def test_what_a_finding_needs_is_told_apart_from_its_versions():
    assert VERSIONS.split("One crash. Kafka 3.9 to trunk.") == ["One crash.", "3.9 to trunk."]
    assert VERSIONS.split("A segment from before Kafka 2.8.") == [
        "A segment from before Kafka 2.8."
    ]


@pytest.mark.parametrize(
    ("name", "has_commands"), [("deleted_topic_leaks", True), ("zombie_acts_on_remote_tier", False)]
)
def test_a_mail_ends_with_the_commands_if_brokers_showed_it(name, has_commands):
    (one,) = (it for it in TOLD if (it[0].name, it[1].name) == ("kip405", name))
    text = mail_of(*one)
    assert ("The commands are below." in " ".join(text.split())) == has_commands
    _, _, steps = text.partition("To see it on brokers\n")
    assert ("bin/kafka-topics.sh" in steps) == has_commands
    assert "**" not in steps


def test_a_mail_says_of_a_search_with_the_fix_only_what_held():
    entry = {
        "design": "a_design",
        "design_title": "A design",
        "name": "a_finding",
        "repair": "fix",
        "searched": "the lock",
        "bounds": {"brokers": 2, "crashes": 1},
        "stands_alone": False,
        "proposal": None,
    }
    clean = entry | {"claims": {"a": {"ended": "HOLDS"}, "b": {"ended": "HOLDS"}}}
    cut = entry | {"claims": {"a": {"ended": "HOLDS"}, "b": {"ended": "INCOMPLETE"}}}
    assert 'a model of "A design" in every order, here for 2 brokers.' in origin(cut)
    assert "here for a small one." in origin(cut | {"bounds": {}})
    assert "ran to its end" not in origin(cut)
    assert "With the lock and the fixes of our other reports on the design, the" in origin(clean)
    assert "With the lock, the same search ran to its end" in origin(clean | {"stands_alone": True})
    other = clean | {"stands_alone": True, "proposal": "another_fix"}
    assert origin(other) == origin(clean)
    assert "ran to its end" not in origin(clean | {"repair": None})
    assert origin(cut).endswith(" To repeat it: tierproof explore a_design --finding a_finding")


def test_a_mail_says_of_its_proposal_only_what_was_explored():
    text = "<!-- trace abc{} -->\nIt leaks.\n\n1. <!-- 1 --> It begins.\n"
    repairs, other = (prose.read_mail(text.format(it)) for it in (", proposes the repair", ""))
    for change, mail in (("ended", repairs), ("proposed", other)):
        assert is_mended({"claims": {"a": {change: "HOLDS"}, "b": {change: "HOLDS"}}}, mail)
        assert not is_mended({"claims": {"a": {change: "HOLDS"}, "b": {change: "CUT"}}}, mail)
    assert not is_mended({"claims": {"a": {"ended": "HOLDS"}}}, other)


def test_an_aside_is_one_paragraph():
    aside = prose.read_mail("<!-- told with other, proposes the repair -->\nit leaks.\n")
    assert aside == prose.Aside("other", True, "it leaks.")
    with pytest.raises(ValueError, match="an aside is one paragraph"):
        prose.read_mail("<!-- told with other -->\nit leaks.\n\nAnd more.\n")


@pytest.mark.parametrize(
    ("stands_alone", "together_with", "said"),
    [
        (True, [], ""),
        (False, [], " and the fixes of all our other reports"),
        (False, ["A leak"], ' and the fix of our report "A leak"'),
        (False, ["A leak", "A stall"], ' and the fixes of our reports "A leak" and "A stall"'),
    ],
)
def test_a_mail_says_what_else_was_mended_in_the_search(stands_alone, together_with, said):
    (one,) = (it for it in SENT if it[1].name == "settings_change_amid_a_deletion")
    (entry,) = pages.rewritten(one[0], PAGES / one[0].name, only=[one[1].name])
    entry |= {"stands_alone": stands_alone, "together_with": together_with}
    text = " ".join(prose.finding_as_mail(entry).split())
    assert f"With the proposal{said} in force, the same search found no such case." in text


@of_every_finding
def test_a_page_has_its_evidence_below_the_rule(design, finding):
    _, _, evidence = page_of(design, finding)
    for words in (
        f"]({finding.name}.svg)",
        f"]({finding.name}.offsets.svg)",
        f"tierproof explore {design.name} --finding {finding.name}",
        *(f"`{claim}`" for claim in finding.claims),
        *(f"[{name}](" for name in finding.assumptions),
        *(sentence for place, sentence in finding.story.sentences if place == "note"),
        "The trace, step by step",
    ):
        assert words in evidence


@of_a_mail_with_each_picture
def test_the_mail_has_the_words_of_the_page_and_the_columns_of_a_mail(design, finding):
    text, _, _ = page_of(design, finding)
    mail, _, _ = mail_of(design, finding).partition("To see it on brokers\n")
    marks = str.maketrans("", "", "*#>`=-")
    words = " ".join(mail.translate(marks).split())
    assert words.replace(BELOW, ON_A_PAGE) == " ".join(text.translate(marks).split())
    long = [line for line in mail.splitlines() if len(line) > WIDTH]
    assert all(len(line.lstrip("-> ").split()) == 1 for line in long)


def test_a_name_or_a_count_of_ours_is_found():
    assert snake_case("See late_batch, `repair_it`: DELETE_SEGMENT_STARTED, A#b.") == {
        "late_batch",
        "repair_it",
    }
    assert re.findall(OURS, "in 3,000 states of another finding") == ["3,000 states", "finding"]
    assert unquoted("> a_name\nno name") == "no name"
