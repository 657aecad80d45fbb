"""Text in paragraphs, once: as Markdown, as HTML, as plain text for a mail or a ticket."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap

from markupsafe import Markup

WIDTH = 76
"""The characters of a line of plain text; a mail is read in 80 columns."""


@dataclass(frozen=True)
class Heading:
    """The title of what follows."""

    text: str


@dataclass(frozen=True)
class Paragraph:
    """A paragraph, of which the `lead`, if there is one, stands out."""

    text: str
    lead: str = ""


@dataclass(frozen=True)
class Points:
    """Paragraphs below each other, each with a mark, or numbered from 1."""

    items: tuple[Paragraph, ...]
    is_numbered: bool = False

    @property
    def marks(self) -> Iterator[tuple[str, Paragraph]]:
        """Each with what stands before it."""
        for number, item in enumerate(self.items, 1):
            yield (f"{number}. " if self.is_numbered else "- "), item


@dataclass(frozen=True)
class Quote:
    """Lines to the letter, and where they stand, unless the next quote says it of both."""

    text: str
    source: str = ""


@dataclass(frozen=True)
class Figure:
    """Lines of text in columns."""

    lines: tuple[str, ...]


Block = Heading | Paragraph | Points | Quote | Figure


def as_markdown(blocks: Iterable[Block]) -> Iterator[str]:
    """The lines of a page; a blank one follows each block."""
    for block in blocks:
        match block:
            case Heading(text):
                yield f"## {text}"
            case Paragraph():
                yield _marked(block)
            case Points():
                yield from (f"{mark}{_marked(item)}" for mark, item in block.marks)
            case Quote(text, source):
                below = ("", source) if source else ()
                yield from (f"> {line}".rstrip() for line in (*text.splitlines(), *below))
            case Figure(lines):
                yield from ("```", *lines, "```")
        yield ""


def _marked(one: Paragraph) -> str:
    return f"**{one.lead}** {one.text}".rstrip() if one.lead else one.text


def as_plain(blocks: Iterable[Block]) -> Iterator[str]:
    """The lines of a mail, no longer than `WIDTH` where a word does not force it."""
    for block in blocks:
        match block:
            case Heading(text):
                yield from (text, "-" * len(text))
            case Paragraph():
                yield from _filled(_said(block))
            case Points():
                for mark, item in block.marks:
                    yield from _filled(_said(item), mark, " " * len(mark))
            case Quote(text, source):
                for line in text.splitlines():
                    yield from _filled(line, "> ", "> ")
                yield from (">", f"> {source}") if source else ()
            case Figure(lines):
                yield from lines
        yield ""


def _said(one: Paragraph) -> str:
    return f"{one.lead} {one.text}".rstrip() if one.lead else one.text


def _filled(text: str, first: str = "", later: str = "") -> list[str]:
    return wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=later,
        break_long_words=False,
        break_on_hyphens=False,
    )


def listed(words: Sequence[str]) -> str:
    """The words with commas, and "and" before the last one; empty if there are none."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def as_html(blocks: Iterable[Block]) -> Markup:
    """The blocks as HTML, without headings of the page around them."""
    return Markup("\n").join(_as_html(block) for block in blocks)


def _as_html(block: Block) -> Markup:
    match block:
        case Heading(text):
            return Markup("<h4>{}</h4>").format(text)
        case Paragraph():
            return Markup("<p>{}</p>").format(_strong(block))
        case Points(items):
            inside = Markup("").join(Markup("<li>{}</li>").format(_strong(it)) for it in items)
            return Markup("<{0}>{1}</{0}>").format("ol" if block.is_numbered else "ul", inside)
        case Quote(text, source):
            below = Markup("<footer>{}</footer>").format(source) if source else ""
            return Markup("<blockquote>{}{}</blockquote>").format(text, below)
        case Figure(lines):
            return Markup("<pre>{}</pre>").format("\n".join(lines))


def _strong(one: Paragraph) -> Markup:
    lead = Markup("<b>{}</b> ").format(one.lead) if one.lead else ""
    return Markup("{}{}").format(lead, one.text)
