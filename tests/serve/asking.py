"""A client of a server of toys, and what stands on its pages."""

from __future__ import annotations

import html
import re
from typing import Any

from starlette.testclient import TestClient

from tierproof.serve.application import Served, application
from tierproof.serve.settings import Offered

TOKEN, HOST = "a-token-of-tests", "127.0.0.1:8000"
TANK = "tests.toys.leaky_tank:DESIGN"
MUTEX = "tests.toys.mutex:DESIGN"
COMMIT = "tests.toys.two_phase_commit:DESIGN"
COUNTER = "tests.toys.counter:DESIGN"


def client_of(served: Served | None = None) -> TestClient:
    """A client with the token, to whom redirects are followed."""
    shown = served or Served(Offered(TANK, MUTEX, COMMIT, COUNTER))
    app = application(shown, TOKEN, (HOST,))
    return TestClient(app, base_url=f"http://{HOST}/{TOKEN}/", follow_redirects=True)


def seen(client: TestClient, design: str, page: str = "walk.json", **given: Any) -> dict[str, Any]:
    """What JSON says of a position."""
    answer = client.get(page, params={"design": design, **given})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def words_of(page: str) -> str:
    """The words of a page, without its tags and its drawings."""
    plain = re.sub(r"<(svg|script|style)\b.*?</\1>", " ", page, flags=re.DOTALL)
    plain = plain.replace("<wbr>", "")
    words = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", plain)).split())
    return re.sub(r" (?=[,:?])", "", words)


def word_of(told: dict[str, Any], name: str) -> str:
    """What is said of a property."""
    return str(next(one["word"] for one in told["properties"] if one["name"] == name))


def steps_of(told: list[dict[str, Any]]) -> list[str]:
    """The steps of groups of steps."""
    return [one["step"] for group in told for one in group["steps"]]
