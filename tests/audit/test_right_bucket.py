"""A bucket that is not the one of the records is no loss of all segments."""

from pathlib import Path

import pytest

from tests.explorer.commands import tierproof
from tierproof.conformance.audit import NotReadable, Sources, audit

RECORDED = Path(__file__).parent / "recorded" / "4.4.0"


def audited(into, bucket, name="clean", **given):
    sources = Sources(metadata=[RECORDED / name], bucket=[str(bucket)], **LATER | given)
    return audit(sources, into / "audit")[0]


LATER = {"as_of_ms": 1_830_000_000_000, "younger_ms": 0}


def test_keys_of_another_layout_are_refused_with_keys_and_layouts(tmp_path):
    with pytest.raises(NotReadable) as caught:
        audited(tmp_path, RECORDED / "clean" / "listing.txt", layout="aiven")
    words = str(caught.value)
    assert "no key of the bucket fits the layout aiven" in words
    assert "seen were kafka-tiered-storage/tiered-0-" in words
    assert "local-tiered-storage (" in words


def test_a_folder_of_other_files_is_refused(tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "photo.jpg").write_bytes(b"x")
    done = tierproof("audit", str(RECORDED / "clean"), "--bucket", str(other))
    assert done.returncode == 2
    assert "photo.jpg" in done.stderr


def test_the_bucket_of_another_cluster_is_refused(tmp_path):
    with pytest.raises(NotReadable, match="no object of the bucket is of any record"):
        audited(tmp_path, RECORDED / "hung_copy" / "listing.txt")


def test_a_lost_object_is_named_by_the_key_that_it_had(tmp_path):
    lines = (RECORDED / "clean" / "listing.txt").read_text("utf-8").splitlines()
    names = (".log", ".index")
    lost = [next(line for line in lines if line.endswith(name)) for name in names]
    lost[0] = [line for line in lines if line.endswith(".log")][1]
    listing = tmp_path / "listing.txt"
    listing.write_text("".join(f"{line}\n" for line in lines if line not in lost), "utf-8")
    found = audited(tmp_path, listing).accusations.to_pylist()
    assert {row["class"]: row["object_key"] for row in found} == {
        "record_without_object": lost[0].split()[-1],
        "file_missing": lost[1].split()[-1],
    }


def test_files_of_a_kind_that_no_segment_has_any_more_are_missing_all_the_same(tmp_path):
    lines = (RECORDED / "clean" / "listing.txt").read_text("utf-8").splitlines()
    listing = tmp_path / "listing.txt"
    kept = [line for line in lines if not line.endswith((".index", ".timeindex"))]
    listing.write_text("".join(f"{line}\n" for line in kept), "utf-8")
    found = audited(tmp_path, listing)
    assert {row["class"] for row in found.accusations.to_pylist()} == {"file_missing"}
    assert found.verdict == "SEE TO"


def test_an_empty_bucket_beside_live_segments_is_one_question_and_no_loss(tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    found = audited(tmp_path, empty)
    assert found.verdict == "INCOMPLETE"
    assert found.classes() == []
    assert "is this the right bucket and prefix?" in found.answer()


def test_an_empty_bucket_agrees_with_a_topic_whose_segments_are_deleted(tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    found = audited(tmp_path, empty, "disabled_and_enabled")
    assert found.verdict == "CLEAN"
    assert "the bucket agrees" in found.answer()
