"""The site of the documentation builds without a warning, and needs no network to be read."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOADED = re.compile(
    r"""<(?:script|img|iframe)[^>]*\bsrc="(https?:[^"]*)"|<link[^>]*rel="stylesheet"
[^>]*href="(https?:[^"]*)"|@import\s+["']?(?:url\()?(https?:[^"')]*)""".replace("\n", "")
)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    build = ("-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "-d", folder / "cache")
    done = subprocess.run(
        [sys.executable, *map(str, (*build, ROOT / "docs", folder / "html"))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "html"


@pytest.mark.slow
def test_every_page_of_the_documentation_is_on_the_site(site):
    pages = {path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")}
    assert len(pages) > 80
    assert [page for page in pages if not (site / page).with_suffix(".html").is_file()] == []


@pytest.mark.slow
def test_nothing_is_loaded_from_elsewhere(site):
    texts = [path for path in site.rglob("*") if path.suffix in (".html", ".css")]
    found = {path.name: LOADED.findall(path.read_text("utf-8")) for path in texts}
    assert {name: urls for name, urls in found.items() if urls} == {}


@pytest.mark.slow
def test_the_reference_has_the_nouns_and_what_explores_them(site):
    page = (site / "reference.html").read_text("utf-8")
    for name in ("tierproof.model.language.Design", "tierproof.spark_explorer.search.explore"):
        assert f'id="{name}"' in page


@pytest.mark.parametrize(
    ("text", "is_loaded"),
    [
        ('<script src="https://example.org/a.js">', True),
        ('<link rel="stylesheet" href="https://example.org/a.css">', True),
        ("@import url(https://example.org/a.css)", True),
        ('<a href="https://example.org">', False),
        ('<script src="_static/a.js">', False),
    ],
)
def test_what_is_loaded_from_elsewhere_is_found(text, is_loaded):
    assert bool(LOADED.search(text)) == is_loaded
