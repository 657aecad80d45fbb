"""To the traces of findings, of files, and of the states of a run."""

import pytest

from tests.explorer.commands import tierproof
from tests.serve.asking import TANK, client_of, words_of
from tierproof.model.language.errors import UnknownName
from tierproof.model.language.itf import itf_as_text, trace_as_itf
from tierproof.model.language.replaying import replay
from tierproof.register import traces
from tierproof.serve import beginnings, jumps
from tierproof.serve.positions import BadLink
from tierproof.serve.settings import Offered
from tierproof.spark_explorer.question import Question

# -- findings


@pytest.fixture(scope="module")
def cleaner():
    """The finding of a small design, as the register keeps it."""
    from tierproof.model.designs import log_cleaner
    from tierproof.register import register_of

    return log_cleaner.DESIGN, register_of(log_cleaner.DESIGN).findings[0].name


def test_a_finding_is_led_to_with_its_scope_and_its_edits(cleaner):
    design, name = cleaner
    kept = traces.kept_of(design, name)
    assert kept is not None
    client = client_of()
    told = client.get("finding.json", params={"design": design.name, "name": name}).json()
    assert len(told["trail"]) == len(kept.steps)
    assert told["design"]["chosen_variants"] == list(kept.trace(design).design.chosen_variants)
    assert kept.claim in [one["name"] for one in told["properties"] if one["word"] == "violated"]
    page = client.get("finding", params={"design": design.name, "name": name})
    assert str(page.url).endswith(told["position"]["link"].partition("?")[2])


def test_a_finding_is_named_alone_or_with_its_design(cleaner):
    design, name = cleaner
    assert beginnings.design_of(name) == design.name
    assert beginnings.of_trace(design.name, name)[1].startswith(f"walk?design={design.name}&")


def test_what_is_no_finding_is_refused_by_name(cleaner):
    design, _ = cleaner
    with pytest.raises(UnknownName, match="unknown finding"):
        beginnings.of_trace(design.name, "nobody_knows")
    with pytest.raises(UnknownName, match="design, trace, finding or run"):
        beginnings.design_of("nobody_knows")


# -- files


@pytest.fixture
def folder(tmp_path):
    """A folder with a trace of the tank."""
    design, scope = Question(design=TANK, scope="storm").resolve()
    steps = Offered(TANK).setting(Question(design=TANK)).interpreter.steps
    drips = next(one for one in map(steps.step, range(steps.count)) if "left" in one.action)
    trace = replay(design, scope, [drips, drips], "tank_has_water").trace
    text = itf_as_text(trace_as_itf(trace, "tank_has_water"))
    (tmp_path / "dry.itf.json").write_text(text)
    return tmp_path


def test_a_trace_of_a_file_is_led_to_in_its_scope(folder):
    for words in (str(folder), str(folder / "dry.itf.json")):
        served, first = beginnings.of_trace(TANK, words)
        assert first == f"walk?design={TANK}&scope=storm&path=left_seam_drips~left_seam_drips"
        told = client_of(served).get("trace.json", params={"number": "0"}).json()
        assert len(told["trail"]) == 2
        assert "dry.itf.json" in words_of(
            client_of(served).get("walk", params={"design": TANK}).text
        )


def test_a_file_of_a_design_that_is_not_installed_needs_the_design(folder):
    with pytest.raises(BadLink, match="say which design"):
        beginnings.design_of(str(folder / "dry.itf.json"))


def test_a_file_that_is_no_trace_is_refused(folder):
    (folder / "dry.itf.json").write_text("{")
    with pytest.raises(BadLink, match="cannot be read as JSON"):
        beginnings.of_trace(TANK, str(folder))


def test_a_trace_that_the_server_was_not_given_is_not_there():
    answer = client_of().get("trace.json", params={"number": "0"})
    assert "the server was started with 0 traces" in answer.json()["error"]


# -- runs


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A kept run of the tank, with its tables."""
    pytest.importorskip("duckdb")
    address = str(tmp_path_factory.mktemp("runs") / "tank")
    tierproof("explore", TANK, "--run", address)
    return address


@pytest.fixture(scope="module")
def asked(run):
    """The same, once it was asked in SQL."""
    assert tierproof("query", run, "SELECT 1").returncode == 0
    return run


def test_states_of_a_run_are_found_by_sql_and_led_to(asked):
    served, first = beginnings.of_run(asked, None)
    assert first.startswith(f"walk?design={TANK}")
    client = client_of(served)
    found = client.get("states.json", params={"where": "is_dry AND level_ = 1"}).json()["states"]
    assert len(found) == 1
    told = client.get(found[0]["link"].replace("state?", "state.json?")).json()
    assert len(told["trail"]) == found[0]["level"] == 3
    fields = {one["path"]: one["value"] for group in told["state"] for one in group["fields"]}
    assert (fields["level"], fields["is_dry"]) == (1, True)
    assert f"level 3, state {found[0]['id']}" in words_of(
        client.get("states", params={"where": "is_dry AND level_ = 1"}).text
    )


def test_what_a_run_has_violated_is_led_to(asked):
    _, first = beginnings.of_run(asked, "tank_has_water")
    assert first.endswith("path=left_seam_drips~left_seam_drips")
    with pytest.raises(BadLink, match="has no trace to tank_is_closed"):
        beginnings.of_run(asked, "tank_is_closed")


@pytest.mark.parametrize(
    ("where", "says"),
    [
        ("levle = 1", "levle"),
        ("true); DROP TABLE states; SELECT (1", "one SELECT"),
        ("level = (SELECT count(*) FROM read_text('/etc/hostname'))", "DuckDB refuses"),
    ],
)
def test_a_run_is_read_and_nothing_else_is(asked, where, says):
    served, _ = beginnings.of_run(asked, None)
    answer = client_of(served).get("states.json", params={"where": where})
    assert answer.status_code == 400
    assert says in answer.json()["error"]


def test_the_page_writes_no_tables(tmp_path):
    pytest.importorskip("duckdb")
    address = tmp_path / "tank"
    tierproof("explore", TANK, "--run", str(address))
    before = sorted(address.rglob("*"))
    served, _ = beginnings.of_run(str(address), None)
    answer = client_of(served).get("states.json", params={"where": "level = 1"})
    assert f"tierproof query {address} writes it once" in answer.json()["error"]
    assert sorted(address.rglob("*")) == before


def test_a_state_that_a_run_does_not_have_is_refused(asked):
    served, _ = beginnings.of_run(asked, None)
    client = client_of(served)
    answer = client.get("state.json", params={"level": "99", "id": "1"})
    assert "has the levels 0 to" in answer.json()["error"]
    for id in ("5", str(1 << 70)):
        answer = client.get("state.json", params={"level": "0", "id": id})
        assert answer.status_code == 400
        assert answer.json()["error"] == f"{asked} has no state with the id {id} at level 0"


ENDLESS = "(SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range < b.range) > 0"


def test_a_query_that_takes_too_long_is_ended_and_another_one_is_answered(asked, monkeypatch):
    monkeypatch.setattr(jumps, "SECONDS_OF_SQL", 0.2)
    served, _ = beginnings.of_run(asked, None)
    client = client_of(served)
    answer = client.get("states.json", params={"where": ENDLESS})
    assert answer.status_code == 400
    assert "the query was ended after 0.2 seconds" in answer.json()["error"]
    monkeypatch.undo()
    assert client.get("states.json", params={"where": "level = 0"}).json()["states"]
