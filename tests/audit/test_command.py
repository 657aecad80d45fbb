"""`tierproof audit`: exit statuses, options that would do nothing, and the tables that it keeps."""

import json
from pathlib import Path

import pytest

from tests.explorer.commands import tierproof

RECORDED = Path(__file__).parent / "recorded" / "4.4.0"
LATER = ("--as-of", "2027-01-01")


def test_the_first_line_is_the_answer_and_a_clean_topic_exits_with_0():
    done = tierproof("audit", str(RECORDED / "clean"), *LATER)
    assert done.returncode == 0
    assert done.stdout.startswith("CLEAN: nothing to see to in ")


def test_something_to_see_to_exits_with_1_and_says_what_to_do():
    done = tierproof("audit", str(RECORDED / "hung_copy"), *LATER)
    assert done.returncode == 1
    assert done.stdout.startswith("SEE TO 1 in 1 of 1 topic-partition: cost 1")
    assert "interrupted_copy_dangles" in done.stdout
    assert "do not" in done.stdout


def test_what_is_young_is_not_accused():
    done = tierproof("audit", str(RECORDED / "hung_copy"), *LATER, "--younger-than", "3000d")
    assert done.returncode == 3
    assert done.stdout.startswith("INCOMPLETE: nothing to see to in what was judged ")
    assert "2 of 2 segments are too young to judge, see --younger-than" in done.stdout


def test_a_time_before_the_newest_record_is_refused():
    done = tierproof("audit", str(RECORDED / "clean"), "--as-of", "2026-11-01")
    assert done.returncode == 2
    assert "--as-of is before the newest record" in " ".join(done.stderr.split())


def test_a_topic_that_is_cut_is_incomplete_and_exits_with_3(tmp_path):
    (source,) = (RECORDED / "clean").glob("__remote_log_metadata-*")
    folder = tmp_path / source.name
    folder.mkdir()
    (log,) = source.glob("*.log")
    (folder / log.name).write_bytes(log.read_bytes()[:-7])
    done = tierproof("audit", str(tmp_path), *LATER, "--younger-than", "3000d")
    assert done.returncode == 3
    assert done.stdout.startswith("INCOMPLETE: ")


def test_an_empty_log_is_incomplete_also_beside_a_listing(tmp_path):
    folder = tmp_path / "__remote_log_metadata-0"
    folder.mkdir()
    (folder / f"{0:020}.log").write_bytes(b"")
    done = tierproof("audit", str(tmp_path))
    assert done.returncode == 3
    assert done.stdout.startswith("INCOMPLETE: no record was read\n")
    listing = str(RECORDED / "clean" / "listing.txt")
    done = tierproof("audit", str(tmp_path), "--bucket", listing, *LATER)
    assert done.returncode == 3
    assert done.stdout.startswith("INCOMPLETE: no record was read; ")


def test_json_has_the_same_answer():
    done = tierproof("audit", str(RECORDED / "zombie"), *LATER, "--json", "--trace", "tiered-0")
    found = json.loads(done.stdout)
    assert found["verdict"] == "SEE TO"
    assert [one["name"] for one in found["classes"]] == ["late_copy"]
    assert found["trace"]["steps"][-1]["is_legal"] is False


def test_all_rows_are_kept_and_asked_in_sql(tmp_path):
    out = tmp_path / "audit"
    listing = str(RECORDED / "zombie" / "listing.txt")
    tierproof("audit", str(RECORDED / "zombie"), *LATER, "--bucket", listing, "--out", str(out))
    sql = "SELECT class, count(*) FROM accusations GROUP BY ALL ORDER BY ALL"
    done = tierproof("query", str(out), sql, "--csv")
    assert done.stdout.splitlines()[1:] == ["late_copy,1", "object_after_deletion,5"]
    done = tierproof(
        "query", str(out), "SELECT count(*) FROM segments JOIN objects USING (segment_id)", "--csv"
    )
    assert int(done.stdout.splitlines()[1]) >= 5


def test_a_page_and_itf_are_written(tmp_path):
    page, itf = tmp_path / "a.html", tmp_path / "a.itf.json"
    tierproof(
        "audit",
        str(RECORDED / "zombie"),
        *LATER,
        "--page",
        str(page),
        "--trace",
        "tiered-0",
        "--itf",
        str(itf),
    )
    assert "late_copy" in page.read_text("utf-8")
    assert json.loads(itf.read_text("utf-8"))["#meta"]["source"] == "audited_history"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "give a SOURCE, or --bootstrap-server"),
        (["x", "--bootstrap-server", "h:9092"], "give a SOURCE, or --bootstrap-server"),
        (["nowhere"], "nowhere"),
        (["x", "--layout", "aiven"], "--layout is for --bucket"),
        (["x", "--command-config", "f"], "--command-config is for --bootstrap-server"),
        (
            ["x", "--may-create-offsets-topic"],
            "--may-create-offsets-topic is for --bootstrap-server",
        ),
        (["x", "--itf", "f"], "--itf is for --trace"),
        (["x", "--master", "local"], "--master is for --engine spark"),
        (["x", "--engine", "spark", "--page", "p.html"], "--page is for --engine memory"),
        (["x", "--log-start", "f"], "--local-log-start"),
        (["x", "--younger-than", "1 hour"], "--younger-than takes"),
        (["x", "--as-of", "yesterday"], "--as-of takes"),
    ],
)
def test_what_would_do_nothing_or_is_not_understood_is_refused_by_name(arguments, words):
    done = tierproof("audit", *arguments)
    assert done.returncode == 2
    assert words in " ".join(done.stderr.split())


def test_a_file_of_offsets_is_checked_line_by_line(tmp_path):
    path = tmp_path / "starts.txt"
    path.write_text("tiered:0:5\nwhat\n")
    done = tierproof("audit", str(RECORDED / "clean"), "--local-log-start", str(path))
    assert done.returncode == 2
    assert "line 2 is not topic:partition:offset" in " ".join(done.stderr.split())
