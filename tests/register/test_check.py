"""The words of a register are short, quote to the letter, and have no name or count of ours."""

from dataclasses import replace

import pytest

from tests.register import giving
from tests.toys import leaky_tank
from tierproof.register import Passage, Text, check
from tierproof.register.paragraphs import Paragraph, Quote

TANK = leaky_tank.DESIGN


def complaints(monkeypatch, *blocks, **changed):
    text = Text(blocks=(Paragraph("It drips."), *blocks), steps=())
    one = replace(leaky_tank.LEFT, text=replace(text, **changed))
    giving.give(monkeypatch, TANK, findings=(one,))
    return list(check.complaints(TANK))


def test_a_short_text_without_names_of_ours_is_as_it_should_be(monkeypatch):
    quote = Quote("our_own_name in a quote")
    assert complaints(monkeypatch, Paragraph("Kafka is DELETE_SEGMENT_STARTED."), quote) == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("See repair_it.", "'repair_it' is a name of ours"),
        ("In another scope.", "'scope' means something to us only"),
        ("After 3,000 states.", "'3,000 states' means something to us only"),
        ("[here](page)", "is a link or a picture"),
        ("word " * 310, "what is sent has 312 words"),
    ],
)
def test_what_a_thread_cannot_use_is_told(monkeypatch, words, told):
    (said,) = complaints(monkeypatch, Paragraph(words))
    assert said.startswith("leaky_tank/left_seam_leaks: ")
    assert told in said


def test_where_it_was_raised_does_not_count_as_words_of_the_mail(monkeypatch):
    raised = Paragraph("word " * 40, "Raised:")
    assert complaints(monkeypatch, Paragraph("word " * 295), raised) == []
    assert complaints(monkeypatch, Paragraph("word " * 50, "Raised:"))


def test_a_quote_that_the_document_does_not_have_is_told(monkeypatch):
    passage = Passage("KIP-950", "Motivation", "Nobody wrote this.")
    (said,) = complaints(monkeypatch, passages=(passage,))
    assert "Nobody wrote this." in said or "no section" in said
