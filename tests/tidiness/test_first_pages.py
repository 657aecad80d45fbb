"""README and CONTRIBUTING are read in minutes, and lead to files that are there."""

import re
from pathlib import Path

import pytest

from tests.tidiness.source_files import ROOT

WIDTH = 100
PAGES = {"README.md": 225, "CONTRIBUTING.md": 150}
"""Page -> the most lines that it may have: four screens, and three."""

INLINE = re.compile(r"\]\(([^)#\s]+)")
NAMED = re.compile(r"\]\[([^\]]+)\]")
DEFINED = re.compile(r"^\[([^\]]+)\]: (\S+)$", re.MULTILINE)


def dead_links(text: str, folder: Path) -> list[str]:
    """Links to files that are not there, and names of links that the page does not define."""
    defined = dict(DEFINED.findall(text))
    files = [link for link in (*INLINE.findall(text), *defined.values()) if "://" not in link]
    missing = [link for link in files if not (folder / link).exists()]
    return missing + [name for name in NAMED.findall(text) if name not in defined]


@pytest.mark.parametrize("page", PAGES)
def test_a_first_page_fits_on_a_few_screens(page):
    lines = (ROOT / page).read_text("utf-8").splitlines()
    assert len(lines) <= PAGES[page]
    assert [line for line in lines if len(line) > WIDTH] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_link_of_a_first_page_leads_to_a_file(page):
    assert dead_links((ROOT / page).read_text("utf-8"), ROOT) == []


@pytest.mark.parametrize(
    ("text", "dead"),
    [
        ("[a](there.md) [b](there.md#part) [c](https://example.org)", []),
        ("[a](gone.md)", ["gone.md"]),
        ("[a][first]\n\n[first]: there.md\n", []),
        ("[a][first]\n\n[first]: gone.md\n", ["gone.md"]),
        ("![a][second]", ["second"]),
    ],
)
def test_a_dead_link_is_found(text, dead, tmp_path):
    tmp_path.joinpath("there.md").touch()
    assert dead_links(text, tmp_path) == dead
