"""Each address answers JSON, as its schema says."""

import json
from importlib.resources import files

import jsonschema
import pytest

from tests.serve.asking import COMMIT, COUNTER, MUTEX, TANK, client_of

SCHEMA = json.loads(files("tierproof.serve").joinpath("templates/schema.json").read_text("utf-8"))
WALKS = {
    "first": {"design": TANK},
    "violated": {"design": TANK, "path": "left_seam_drips~left_seam_drips"},
    "halted": {"design": TANK, "path": "rain_fills~rain_fills"},
    "edited": {"design": TANK, "variant": "repair_seal_left", "scope": "storm"},
    "beside": {"design": TANK, "path": "left_seam_drips", "beside": "right_seam_drips"},
    "why not": {"design": TANK, "why": "rain_fills"},
    "random": {"design": MUTEX, "steps": "3", "seed": "1"},
    "search": {"design": TANK, "reach": "tank_has_water"},
    "without": {"design": MUTEX, "without": "lock_is_free"},
    "enums": {"design": COMMIT, "path": "rm_prepares.0"},
    "laws": {"design": COUNTER, "path": "counter_counts"},
}


@pytest.fixture(scope="module")
def client():
    return client_of()


def check(value, name):
    """Raise unless a value is one of the schema's."""
    validator = jsonschema.Draft202012Validator({**SCHEMA, "anyOf": [{"$ref": f"#/$defs/{name}"}]})
    validator.validate(value)


@pytest.mark.parametrize("given", WALKS.values(), ids=WALKS)
def test_a_walk_is_as_the_schema_says(client, given):
    answer = client.get("walk.json", params=given)
    assert answer.status_code == 200
    check(answer.json(), "walk")


def test_the_designs_are_as_the_schema_says(client):
    found = client.get("designs.json").json()
    check(found, "designs")
    assert TANK in [one["words"] for one in found["designs"]]


@pytest.mark.parametrize(
    "page", ["walk.json?design=nobody", "walk.json?design=kip&x=1", "states.json"]
)
def test_a_refusal_is_as_the_schema_says(client, page):
    answer = client.get(page)
    assert answer.status_code == 400
    check(answer.json(), "error")


def test_the_schema_is_one_and_refuses_what_it_does_not_know(client):
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert client.get("schema.json").json() == SCHEMA
    with pytest.raises(jsonschema.ValidationError):
        check({**client.get("walk.json", params=WALKS["first"]).json(), "more": 1}, "walk")


def test_a_client_may_ask_for_json_by_its_header(client):
    given = {"params": WALKS["first"], "headers": {"accept": "application/json"}}
    assert (
        client.get("walk", **given).json() == client.get("walk.json", params=WALKS["first"]).json()
    )


def test_a_browser_gets_a_page(client):
    accepts = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    answer = client.get("walk", params=WALKS["first"], headers=accepts)
    assert answer.headers["content-type"].startswith("text/html")
