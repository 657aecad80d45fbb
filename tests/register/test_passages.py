"""A passage verifies if the document has its words, to the letter, behind the section's title."""

import pytest

from tierproof.register.entries import Passage
from tierproof.register.passages import WrongQuote, digests_of, units_of, verify

TEXT = """
Retention
  • The leader deletes a segment. The follower, e.g. broker 1, “waits”.
  1. Copies are kept

Reading
a. A consumer reads on! It stops where the log ends.
Offset | Broker A |  | Note: two words. |
"""
DOCUMENT = digests_of(TEXT)


def quote(words: str, section: str = "Retention") -> Passage:
    return Passage("KIP-0", section, words)


def test_units_are_sentences_of_lines_headings_and_cells():
    assert units_of(TEXT) == [
        "Retention",
        "The leader deletes a segment.",
        'The follower, e.g. broker 1, "waits".',
        "Copies are kept",
        "Reading",
        "A consumer reads on!",
        "It stops where the log ends.",
        "Offset",
        "Broker A",
        "Note: two words.",
    ]


@pytest.mark.parametrize(
    "words",
    [
        "The leader deletes a segment.",
        "The  leader deletes\u00a0a segment. ",
        "- The leader deletes a segment.",
        'The leader deletes a segment. The follower, e.g. broker 1, "waits".',
        "The follower, e.g. broker 1, “waits”.\nCopies are kept",
        "2) Copies are kept",
        "Offset | Broker A",
    ],
)
def test_white_space_bullets_numbers_and_the_shape_of_quotation_marks_do_not_matter(words):
    verify(quote(words), DOCUMENT)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("The leader deletes the segment.", "no sentence, line or cell 'The leader deletes the"),
        ("the leader deletes a segment.", "no sentence, line or cell 'the leader"),
        ("The leader deletes a segment", "no sentence, line or cell"),
        ("leader deletes a segment.", "no sentence, line or cell 'leader"),
        ("The leader deletes a segment. Copies are lost", "no sentence, line or cell 'Copies are"),
        ("The leader deletes a segment. Copies are kept", "'Copies are kept' does not follow"),
        ("The leader deletes a segment.\nCopies are kept", "'Copies are kept' does not follow"),
        ("", "the quote is empty"),
    ],
)
def test_a_changed_or_shortened_sentence_and_another_order_do(words, why):
    with pytest.raises(WrongQuote, match=r"^KIP-0: ") as error:
        verify(quote(words), DOCUMENT)
    assert why in str(error.value)


def test_the_section_is_a_title_of_the_document():
    with pytest.raises(WrongQuote, match="no section 'Deletion'"):
        verify(quote("A consumer reads on!", "Deletion"), DOCUMENT)
    with pytest.raises(WrongQuote, match="no section ''"):
        verify(quote("A consumer reads on!", ""), DOCUMENT)


def test_a_quote_stands_behind_the_title_of_its_section():
    verify(quote("A consumer reads on!", "Reading"), DOCUMENT)
    with pytest.raises(WrongQuote, match="stands before the section 'Reading'"):
        verify(quote("Copies are kept", "Reading"), DOCUMENT)
    with pytest.raises(WrongQuote, match="stands before the section"):
        verify(quote("Reading", "Reading"), DOCUMENT)


def test_a_sentence_that_returns_behind_the_title_verifies():
    again = digests_of(f"{TEXT}\nCopies are kept")
    verify(quote("Copies are kept", "Reading"), again)
