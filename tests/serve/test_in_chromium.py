"""A reader walks to a violation with the mouse or the keys, asks why not, shares, and goes back.

It needs playwright, and Debian's Chromium (`apt-get install chromium`).
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn

from tests.serve.asking import TANK
from tierproof.serve import jumps
from tierproof.serve.application import Served, application
from tierproof.serve.positions import Position
from tierproof.serve.server import bound_socket
from tierproof.serve.settings import Offered
from tierproof.spark_explorer.question import Question

api = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="it needs Debian's package chromium"),
]
TOKEN = "a-token-of-tests"
PATIENCE = 300_000
"""Milliseconds that a page may take on a busy machine, where a search is compiled first."""
api.expect.set_options(timeout=PATIENCE)
expect = api.expect
OFFERED = Offered(TANK)


def end_of_finding(design: str, number: int) -> Position:
    """The end of a finding's trace."""
    plain = OFFERED.setting(Question(design=design)).plain
    return jumps.to_finding(design, plain, jumps.findings_of(plain)[number]["name"])


WALKS = {
    "kip952": lambda: end_of_finding("kip952", 0),
    "log_cleaner": lambda: end_of_finding("log_cleaner", 0),
    "kip1266": lambda: end_of_finding("kip1266", 0),
    "a toy": lambda: Position(design=TANK, path=("left_seam_drips", "right_seam_drips")),
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where a server answers."""
    bound = bound_socket(None)
    host = f"127.0.0.1:{bound.getsockname()[1]}"
    app = application(Served(OFFERED, TANK), TOKEN, (host,))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off", ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://{host}/{TOKEN}/"
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium."""
    with api.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page, on which nothing goes wrong that only a console tells, and that asks nobody else."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(PATIENCE)
    made, said, hosts = context.new_page(), list[str](), set[str]()
    made.on("console", lambda message: said.append(message.text))
    made.on("pageerror", lambda error: said.append(str(error)))
    made.on("request", lambda request: hosts.add(request.url.split("/")[2].split(":")[0]))
    yield made
    context.close()
    assert said == []
    assert hosts <= {"127.0.0.1"}


def take(page: Any, link: str) -> None:
    """Click the step that leads on to a position."""
    page.locator(f'ul.take a[href="{link}"]').click()


@pytest.mark.parametrize("walk", WALKS.values(), ids=WALKS)
def test_a_reader_walks_to_a_violation_asks_why_not_shares_it_and_goes_back(page, address, walk):
    end = walk()
    page.goto(address + end.at(()).link)
    expect(page.locator(".bar b")).to_have_text("At first")
    for count in range(1, len(end.path) + 1):
        take(page, end.at(end.path[:count]).link)
        expect(page.locator(".bar b")).to_have_text(f"After step {count}")
        expect(page.locator("ol.trail li")).to_have_count(count)
    expect(page.locator(".bar .pill.bad")).to_contain_text("violated")
    expect(page.locator("#properties article .why").first).to_be_visible()
    expect(page.locator("#lanes svg")).to_be_visible()

    if page.locator("#disabled details").first.get_attribute("open") is None:
        page.locator("#disabled details summary").first.click()
    page.locator("#disabled button.link").first.click()
    expect(page.locator("#why")).to_contain_text("cannot be taken here")
    page.go_back()
    expect(page.locator("#why")).to_have_count(0)

    shared = page.locator(".bar a", has_text="Link to here").get_attribute("href")
    trail = page.locator("ol.trail").inner_text()
    other = page.context.new_page()
    other.goto(address + shared)
    assert other.locator("ol.trail").inner_text() == trail
    other.close()

    page.locator(".bar a", has_text="Take back").click()
    expect(page.locator("ol.trail li")).to_have_count(len(end.path) - 1)


def test_keys_take_steps_and_take_them_back(page, address):
    page.goto(address + Position(design=TANK).link)
    page.keyboard.press("1")
    page.locator("ol.trail li").first.wait_for()
    page.keyboard.press("b")
    page.get_by_text("No step is taken yet.").wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the steps"
    page.locator("#reach").fill("1")  # keys are letters where one writes
    page.locator("#reach").press("1")
    assert page.locator("#reach").input_value() == "11"


def test_forms_search_walk_at_random_and_tick_edits(page, address):
    page.goto(address + Position(design=TANK).link)
    page.locator("#reach").fill("level == 0")
    page.get_by_role("button", name="Search").click()
    expect(page.locator("[role=status]")).to_contain_text("A shortest way to `level == 0`")
    page.get_by_label("repair_seal_left").check()
    page.get_by_role("button", name="Take the same path", exact=True).click()
    expect(page.locator("section[role=status]")).to_contain_text("is not possible here")
    page.get_by_label("Random steps").fill("3")
    page.get_by_role("button", name="Walk").click()
    expect(page.locator("p[role=status]")).to_contain_text("random steps")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("walk", [WALKS["kip1266"], WALKS["a toy"]], ids=["kip1266", "a toy"])
def test_nothing_is_wider_than_the_screen(browser, address, walk, width, scheme, tmp_path):
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    page.goto(address + walk().link)
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(255, 255, 255)") == (scheme == "light")
    page.screenshot(path=tmp_path / "page.png", full_page=True)
    assert (tmp_path / "page.png").stat().st_size > 10_000
    context.close()
