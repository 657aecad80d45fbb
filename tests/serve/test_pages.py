"""The page shows what JSON says, in words and drawings, for readers with and without a mouse."""

import re

import pytest

from tests.serve.asking import MUTEX, TANK, client_of, words_of

TWICE = "left_seam_drips~left_seam_drips"


@pytest.fixture(scope="module")
def client():
    return client_of()


def page(client, **given):
    answer = client.get("walk", params={"design": TANK, **given})
    assert answer.status_code == 200
    return answer.text


def test_the_first_page_says_where_one_is_and_what_can_be_done(client):
    words = words_of(page(client))
    assert "A tank with two leaks" in words
    assert "At first" in words
    assert "1 left_seam_drips() A litre runs out at the left seam." in words
    assert "has_room is false: There is room for another litre." in words
    assert "Nothing is violated in this state or by the last step." in words


def test_a_violation_is_told_with_its_false_parts_and_what_changed_is_marked(client):
    text = page(client, path=TWICE)
    words = words_of(text)
    assert "violated tank_has_water invariant The tank is never dry." in words
    assert "not state.is_dry is False where is_dry is True" in words
    assert "<del>1</del> → <ins>0</ins>" in text


def test_the_path_is_drawn_and_grows(client):
    one, two = page(client, path="left_seam_drips"), page(client, path=TWICE)
    assert 'class="tp-sequence"' not in page(client)
    assert one.count('class="badge"') < two.count('class="badge"')


def test_where_a_path_stops_is_said_with_the_steps_that_come_after(client):
    words = words_of(page(client, path=f"{TWICE}~left_seam_drips~rain_fills"))
    assert "After step 2 of 4" in words
    assert "Step 3, left_seam_drips(), is not possible here: has_water is false" in words
    assert "1 further step of the link" in words


def test_a_path_that_repeats_for_ever_says_so(client):
    path = "worker_wants_lock.0~worker_wants_lock.1~worker_takes_lock.1~worker_frees_lock.1"
    words = words_of(page(client, design=MUTEX, path=path, cycle="1"))
    assert "From the state after step 1 on, these steps repeat for ever." in words


def test_a_path_after_which_nothing_need_happen_does_not_repeat(client):
    path = "worker_wants_lock.0~worker_wants_lock.1~lock_breaks"
    words = words_of(page(client, design=MUTEX, scope="breaking", path=path, cycle="3"))
    assert "From here on nothing more need ever happen." in words
    assert "nothing more need ever happen, and its goal is not true" in words
    assert "repeat" not in words


def test_that_nothing_need_happen_is_not_said_where_no_liveness_is_violated(client):
    words = words_of(page(client, path="left_seam_drips", cycle="1"))
    assert "On this path no further step ever happens." in words
    assert "nothing more need" not in words


def test_a_branch_without_steps_is_not_offered_to_be_kept(client):
    assert "Keep this branch beside" not in page(client)
    assert "Keep this branch beside" in page(client, path="left_seam_drips")


def test_edits_are_ticked_and_keep_the_path(client):
    text = page(client, path="right_seam_drips", variant="repair_seal_left")
    assert re.search(r'name="variant" value="repair_seal_left" checked', text)
    assert re.search(r'name="variant" value="repair_seal_right">', text)
    (form,) = re.findall(r"<h2>Edits</h2>\s*<form.*?</form>", text, flags=re.DOTALL)
    assert 'name="path" value="right_seam_drips"' in form


def test_branches_stand_side_by_side(client):
    words = words_of(page(client, path="left_seam_drips~rain_fills", beside=TWICE))
    assert "1 step in common, then here rain_fills() there left_seam_drips()" in words
    assert "level 2 0" in words


def test_each_form_leads_back_to_a_position(client):
    text = page(client, path="left_seam_drips", scope="storm", beside=TWICE)
    forms = re.findall(r'<form action="walk.*?</form>', text, flags=re.DOTALL)
    assert len(forms) == 5
    for form in forms:
        given = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))
        assert given["design"] == TANK
        assert given["path"] == "left_seam_drips"


def test_every_input_has_a_label_and_every_id_is_there_once(client):
    text = page(client, path=TWICE, beside="left_seam_drips", why="rain_fills")
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    labelled = set(re.findall(r'<label for="([^"]+)"', text))
    for field in re.findall(r"<input(?![^>]*hidden)[^>]*>", text):
        own = re.search(r' id="([^"]+)"', field)
        is_inside = re.search(r"<label[^>]*>[^<]*" + re.escape(field), text)
        assert is_inside or (own and own[1] in labelled), field
    assert text.count("<h1>") == 1
    assert '<html lang="en">' in text
    for place in re.findall(r'href="#([^"]+)"', text):
        assert place in ids


def test_keys_lead_to_what_is_there_once(client):
    keys = re.findall(r'data-key="(.)"', page(client, path=TWICE))
    assert {"1", "b", "0", "k", "r", "e", "v"} <= set(keys)
    assert len(keys) == len(set(keys))


def test_a_refusal_is_a_page_with_a_way_on(client):
    answer = client.get("walk", params={"design": TANK, "variant": "repair_seal"})
    assert answer.status_code == 400
    assert "unknown variant &#39;repair_seal&#39;: did you mean" in answer.text
    assert 'href="designs"' in answer.text


def test_the_drawings_are_files_too(client):
    answer = client.get("lanes.svg", params={"design": TANK, "path": TWICE})
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert "prefers-color-scheme: dark" in answer.text
    assert client.get("lanes.svg", params={"design": TANK}).status_code == 400
    assert client.get("offsets.svg", params={"design": TANK}).status_code == 400


def test_the_style_has_a_light_and_a_dark_scheme(client):
    assert "prefers-color-scheme: dark" in client.get("serve.css").text


def test_an_expression_that_is_refused_stays_to_be_written_again(client):
    answer = client.get(
        "walk", params={"design": TANK, "reach": "levle == 1", "path": "rain_fills"}
    )
    assert answer.status_code == 400
    assert "unknown name 'levle': did you mean level" in words_of(answer.text)
    assert 'name="reach" value="levle == 1"' in answer.text
