"""A path is taken elsewhere: a trace that is read again, Markdown, and a test that fails."""

import json
from typing import Any

import pytest

from tests.serve.asking import MUTEX, TANK, client_of
from tests.toys import leaky_tank
from tierproof.model.language.itf import trace_of_itf

TWICE = {"design": TANK, "path": "left_seam_drips~left_seam_drips"}


@pytest.fixture(scope="module")
def client():
    return client_of()


def test_a_trace_in_itf_is_read_again(client):
    answer = client.get("path.itf.json", params={**TWICE, "variant": "repair_seal_right"})
    assert 'filename="leaky_tank.itf.json"' in answer.headers["content-disposition"]
    found = json.loads(answer.text)
    assert found["#meta"]["tierproof"]["property"] == "tank_has_water"
    design = leaky_tank.DESIGN.with_variants("repair_seal_right")
    trace = trace_of_itf(found, design, design.scope("small"))
    assert [str(step) for step in trace.steps] == ["left_seam_drips()"] * 2


def test_a_trace_that_repeats_keeps_its_loop(client):
    path = "worker_wants_lock.0~worker_wants_lock.1~worker_takes_lock.1~worker_frees_lock.1"
    given = {"design": MUTEX, "path": path, "cycle": "1"}
    assert json.loads(client.get("path.itf.json", params=given).text)["loop"] == 1
    assert "repeat for ever" in client.get("path.md", params=given).text
    assert "cycle_start=1" in client.get("path.py", params=given).text


def test_markdown_has_the_steps_and_the_diagram(client):
    text = client.get("path.md", params=TWICE).text
    assert "**VIOLATED `tank_has_water`** after 2 steps, perhaps not the fewest" in text
    assert "- `level: 2 → 1`" in text
    assert "```mermaid" in text


def test_a_test_fails_for_as_long_as_the_steps_violate_the_property(client, replay):
    known: dict[str, Any] = {}
    exec(client.get("path.py", params=TWICE).text, known)
    (test,) = (one for name, one in known.items() if name.startswith("test_"))
    with pytest.raises(pytest.fail.Exception, match="the steps violate tank_has_water again"):
        test(replay)


def test_a_test_that_could_not_fail_is_not_written(client):
    answer = client.get("path.py", params={"design": TANK, "path": "left_seam_drips"})
    assert answer.status_code == 400
    assert "a test of it could not fail" in answer.text


def test_another_form_is_refused_by_name(client):
    assert "did you mean" in client.get("path.pdf", params=TWICE).text
