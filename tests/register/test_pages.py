"""The pages of a review: one a document, short before its folds, each to be sent as one file."""

import re
from pathlib import Path

import pytest

from tests.designs.stored_traces import DESIGNS
from tierproof.register import register_of
from tierproof.register.pages import write_pages
from tierproof.register.pages.records import document_of

MOST_WORDS_BEFORE_FOLDS, MOST_WORDS_IN_ALL = 2_000, 25_000


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> dict[str, str]:
    folder: Path = tmp_path_factory.mktemp("review")
    index = write_pages(DESIGNS.values(), folder)
    assert index == folder / "index.html"
    return {path.name: path.read_text("utf-8") for path in folder.iterdir()}


def words(page: str, *, with_folds: bool) -> int:
    body = re.sub(r"<svg.*?</svg>", "", page[page.index("<body") :], flags=re.DOTALL)
    if not with_folds:
        fold = r"<details.*?<summary>(.*?)</summary>.*?</details>"
        body = re.sub(fold, r"\1", body, flags=re.DOTALL)
    return len(re.sub(r"<[^>]+>", " ", body).split())


def test_there_is_a_page_for_each_document_and_an_index(pages):
    names = {document_of(design).lower().replace(" ", "-") for design in DESIGNS.values()}
    assert set(pages) == {"index.html", *(f"{name}.html" for name in names)}
    assert all(f'href="{name}.html"' in pages["index.html"] for name in names)


def test_a_page_is_read_in_ten_minutes_and_the_review_in_two_hours(pages):
    assert all(words(page, with_folds=False) <= MOST_WORDS_BEFORE_FOLDS for page in pages.values())
    assert sum(words(page, with_folds=True) for page in pages.values()) <= MOST_WORDS_IN_ALL


def test_no_link_of_a_page_leaves_it(pages):
    for name, page in pages.items():
        targets = re.findall(r'(?:href|src)="([^"]+)"', page)
        assert name == "index.html" or all(it.startswith("#") for it in targets)
        assert "http://" not in page.replace("http://www.w3.org", "")


def test_a_page_has_every_finding_the_worst_first(pages):
    for design in DESIGNS.values():
        page = pages[f"{document_of(design).lower().replace(' ', '-')}.html"]
        for one in register_of(design).findings:
            assert (f'id="{one.name}"' if one.text else f"--finding {one.name}<") in page
    order = re.findall(r'class="finding ([\w-]+)"', pages["kip-1272.html"])
    ranks = list(dict.fromkeys(order))
    assert ranks[0] == "loss-of-committed-records"
    assert order == sorted(order, key=ranks.index)
