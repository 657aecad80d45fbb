"""The site of the documentation: `make site` builds it below build/site."""

from importlib import metadata
from pathlib import Path
from typing import Any

from tierproof.register.site import write_site
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.registry import DESIGNS

project = "tierproof"
copyright = "the tierproof authors"
release = metadata.version("tierproof")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
html_theme = "furo"
html_title = "tierproof"
html_show_sphinx = False
html_copy_source = False
pygments_style = "friendly"
pygments_dark_style = "github-dark"

# Headings of the repository's own Markdown are linked to as GitHub names them.
myst_heading_anchors = 4
suppress_warnings = [
    # Pages are written for GitHub, too: not each begins with a heading of the first level.
    "myst.header",
    # Findings and reports are reached from their index: in the sidebar they would hide the rest.
    "toc.not_included",
]

# Blocks without a language are what commands print, tables of offsets, and mails.
highlight_language = "text"
# A name between single quotes of a docstring is code.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"


def without_the_modules(
    app: Any, what: str, name: str, found: object, options: Any, lines: list[str]
) -> None:
    """Leave out docstrings of modules: they are for readers of the source."""
    if what == "module":
        lines.clear()


def with_the_register(app: Any) -> None:
    """Write the pages that come from the register; git ignores them."""
    designs = [Question(design=name).resolve()[0] for name in DESIGNS]
    write_site(designs, Path(app.srcdir))


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("builder-inited", with_the_register)
    app.connect("autodoc-process-docstring", without_the_modules)
