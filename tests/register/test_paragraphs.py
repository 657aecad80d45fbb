"""One text in paragraphs: a page and a mail say the same words, each with its own marks."""

from tierproof.register.paragraphs import (
    WIDTH,
    Figure,
    Heading,
    Paragraph,
    Points,
    Quote,
    as_markdown,
    as_plain,
)

LONG = "RemoteLogMetadataManager#updateRemoteLogSegmentMetadata " * 3
TEXT = (
    Paragraph("A record is lost.", "Loss."),
    Heading("The passage"),
    Quote("First line.\nSecond line.", 'KIP-1, section "Goals"'),
    Points((Paragraph("The leader copies.", "1 to 2:"), Paragraph("No lead."))),
    Figure(("broker 0  1", "broker 1  2")),
)


def test_a_page_marks_leads_headings_quotes_points_and_figures():
    assert "\n".join(as_markdown(TEXT)) == (
        "**Loss.** A record is lost.\n\n"
        "## The passage\n\n"
        '> First line.\n> Second line.\n>\n> KIP-1, section "Goals"\n\n'
        "- **1 to 2:** The leader copies.\n- No lead.\n\n"
        "```\nbroker 0  1\nbroker 1  2\n```\n"
    )


def test_a_mail_has_no_marks_but_those_that_mails_have():
    assert "\n".join(as_plain(TEXT)) == (
        "Loss. A record is lost.\n\n"
        "The passage\n-----------\n\n"
        '> First line.\n> Second line.\n>\n> KIP-1, section "Goals"\n\n'
        "- 1 to 2: The leader copies.\n- No lead.\n\n"
        "broker 0  1\nbroker 1  2\n"
    )


def test_a_mail_is_wrapped_and_a_page_is_not():
    assert len(list(as_markdown([Paragraph(LONG)]))) == 2
    lines = list(as_plain([Paragraph(LONG), Points((Paragraph(LONG),)), Quote(LONG, "a KIP")]))
    assert max(map(len, lines)) <= WIDTH
    assert [line[:2] for line in lines if line].count("- ") == 1
    assert sum(line.startswith("> Remote") for line in lines) == 3


def test_a_word_that_is_longer_than_a_line_is_left_whole():
    word = "x" * (WIDTH + 9)
    assert word in list(as_plain([Paragraph(f"See {word} there.")]))
