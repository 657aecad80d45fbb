"""The pages of a review: one for each document, each a file by itself, and an index.

A page begins with the findings, in order of harm; what holds and what a machine knows stand in
folds. No link of a page leaves it, so that it can be sent alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from tierproof.diagrams.palette import OFFSETS_CSS, SEQUENCE_CSS, variables
from tierproof.diagrams.report import STYLE
from tierproof.model.language.design import Design
from tierproof.register.pages.answer import answer_as_svg
from tierproof.register.pages.records import Explored, documents_of
from tierproof.register.prose.mail import KAFKA

INDEX = "index.html"


def write_pages(
    designs: Iterable[Design],
    folder: Path,
    explored: Iterable[Explored] = (),
    facts: dict[str, str] | None = None,
) -> Path:
    """Write a page for each document that the designs formalise, and an index; returns its path.

    `explored` are the searches of this review, `facts` further lines at the end of the index.
    """
    documents = documents_of(designs)
    made = tuple(explored)
    templates = _environment()
    folder.mkdir(parents=True, exist_ok=True)
    for one in documents:
        page = templates.get_template("document.html.j2").render(
            it=one,
            runs=[run for run in made if run.design in one.names],
            kafka=KAFKA,
            style=_style(),
        )
        (folder / one.file).write_text(page, "utf-8")
    path = folder / INDEX
    path.write_text(
        templates.get_template("index.html.j2").render(
            documents=documents,
            picture=Markup(answer_as_svg(documents)),
            runs=made,
            facts=facts or {},
            style=_style(),
        ),
        "utf-8",
    )
    return path


def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("tierproof.register.pages"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )


def _style() -> Markup:
    own = (Path(__file__).parent / "templates" / "pages.css").read_text("utf-8")
    return Markup(variables(":root") + STYLE + OFFSETS_CSS + SEQUENCE_CSS + own)
