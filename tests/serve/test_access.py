"""Only GET with the token, to this machine, is answered; nothing is loaded from elsewhere."""

import pytest

from tests.serve.asking import HOST, TANK, TOKEN, client_of
from tierproof.serve.access import new_token

PAGES = ("", "designs", f"walk?design={TANK}", "serve.css", "keys.js", "schema.json", "no-page")


@pytest.fixture(scope="module")
def client():
    return client_of()


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("token", ["", "another", TOKEN[:-1], TOKEN + "x", TOKEN.upper()])
def test_without_the_token_there_is_nothing(client, page, token):
    answer = client.get(f"http://{HOST}/{token}/{page}")
    assert answer.status_code == 403
    assert "use the link" in answer.text


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1", "0.0.0.0:8000"])
def test_another_host_is_refused_whatever_its_name_resolves_to(client, host):
    assert client.get("designs", headers={"host": host}).status_code == 403


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"])
def test_only_reading_is_answered(client, method):
    assert client.request(method, "designs").status_code == 405
    assert client.request(method, f"http://{HOST}/designs").status_code == 403


def test_every_answer_forbids_what_comes_from_elsewhere(client):
    for page in ("designs", "no-page", f"http://{HOST}/"):
        headers = client.get(page).headers
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"


def test_tokens_differ_and_are_long():
    tokens = {new_token() for _ in range(50)}
    assert len(tokens) == 50
    assert min(map(len, tokens)) >= 32


@pytest.mark.parametrize(
    "words", ["os:path", "tests.toys.lamp:DESIGN", "/etc/passwd.py", "../a.py:D"]
)
def test_a_link_imports_no_design_that_was_not_offered(client, words):
    answer = client.get("walk", params={"design": words})
    assert answer.status_code == 400
    assert "unknown design" in answer.text


def test_what_a_link_says_is_text_on_the_page(client):
    answer = client.get("walk", params={"design": TANK, "path": "<script>alert(1)</script>"})
    assert "<script>alert" not in answer.text
    assert "&lt;script&gt;" in answer.text
