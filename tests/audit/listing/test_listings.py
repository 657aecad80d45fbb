"""Listings of tools, inventories and stores give the same objects."""

import gzip
import json
import os
import socket
import threading

import pyarrow as pa
import pyarrow.parquet
import pytest

from tierproof.conformance.audit.listing import list_objects
from tierproof.conformance.audit.reading import NotReadable

SEGMENT_ID = "-DJCBs0JQvm5SNvK150s0-"
KEY = f"pre fix/orders-b9_WLgA_RQWm9nL5uH3yQA/12/00000000000000000023-{SEGMENT_ID}.log"
OTHER = "pre fix/read me+.txt"
MODIFIED_MS = 1_767_323_045_000
"""2026-01-02 03:04:05 UTC."""

EXPECTED = [(KEY, 1234, MODIFIED_MS, "log", False), (OTHER, 7, MODIFIED_MS, None, False)]


def objects(listing):
    names = ("key", "bytes", "modified_ms", "file", "unfinished")
    return [tuple(row[name] for name in names) for row in listing.objects.to_table().to_pylist()]


def asides(listing):
    return [(row["position"], row["reason"]) for row in listing.set_aside.to_pylist()]


def test_aws_s3_ls(tmp_path):
    (tmp_path / "ls.txt").write_text(
        f"2026-01-02 03:04:05       1234 {KEY}\n"
        f"2026-01-02 03:04:05          7 {OTHER}\n"
        "An error occurred (SlowDown)\n"
        "\nTotal Objects: 2\n   Total Size: 1241\n"
    )
    listing = list_objects([tmp_path / "ls.txt"], tmp_path / "out")
    assert (objects(listing), asides(listing)) == (EXPECTED, [(3, "unreadable_line")])


def test_gsutil_ls(tmp_path):
    (tmp_path / "ls.txt").write_text(
        f"      1234  2026-01-02T03:04:05Z  gs://bucket/{KEY}\n"
        f"         7  2026-01-02T03:04:05Z  gs://bucket/{OTHER}\n"
        "                                 gs://bucket/pre fix/\n"
        "TOTAL: 2 objects, 1241 bytes (1.21 KiB)\n"
    )
    listing = list_objects([tmp_path / "ls.txt"], tmp_path / "out")
    assert objects(listing) == EXPECTED


def inventory(folder, form, schema, files):
    manifest = folder / "manifest.json"
    described = [{"key": f"inventories/bucket/daily/data/{name}"} for name in files]
    content = {"fileFormat": form, "fileSchema": schema, "files": described}
    manifest.write_text(json.dumps(content))
    return manifest


def test_an_inventory_as_csv_without_what_is_no_latest_version(tmp_path):
    key = KEY.replace(" ", "%20")
    rows = [
        f'"bucket","{key}","v2","true","false","1234","2026-01-02T03:04:05.000Z"',
        f'"bucket","{key}","v1","false","false","9","2025-01-02T03:04:05.000Z"',
        '"bucket","gone","v3","true","true","","2026-01-02T03:04:05.000Z"',
        '"bucket","pre+fix/read+me%2B.txt","v4","true","false","7","2026-01-02T03:04:05.000Z"',
    ]
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.csv.gz").write_bytes(gzip.compress("\n".join(rows).encode()))
    schema = "Bucket, Key, VersionId, IsLatest, IsDeleteMarker, Size, LastModifiedDate"
    manifest = inventory(tmp_path, "CSV", schema, ["a.csv.gz", "lost.csv.gz"])
    listing = list_objects([manifest], tmp_path / "out")
    assert (objects(listing), asides(listing)) == (EXPECTED, [(None, "unreadable_file")])


def test_an_inventory_as_parquet(tmp_path):
    table = pa.table(
        {
            "bucket": ["bucket"] * 2,
            "key": [KEY, OTHER],
            "size": [1234, 7],
            "last_modified_date": pa.array([MODIFIED_MS] * 2, pa.timestamp("ms")),
        }
    )
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    manifest = inventory(tmp_path, "Parquet", "message s3.inventory {}", ["a.parquet"])
    assert objects(list_objects([manifest], tmp_path / "out")) == EXPECTED


def test_unfinished_uploads(tmp_path):
    upload = {"UploadId": "x", "Key": KEY, "Initiated": "2026-01-02T03:04:05.000Z"}
    (tmp_path / "uploads.json").write_text(json.dumps({"Uploads": [upload]}))
    listing = list_objects([tmp_path / "uploads.json"], tmp_path / "out")
    assert objects(listing) == [(KEY, 0, MODIFIED_MS, "log", True)]


def test_a_directory(tmp_path):
    for key, size in ((KEY, 1234), (OTHER, 7)):
        path = tmp_path / "store" / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes(size))
        os.utime(path, (MODIFIED_MS / 1000,) * 2)
    listing = list_objects([tmp_path / "store"], tmp_path / "out")
    assert sorted(objects(listing)) == EXPECTED


@pytest.fixture
def bucket(monkeypatch):
    """The URI of a bucket with both objects, on a server of this process."""
    import boto3
    from moto.server import DomainDispatcherApplication, create_backend_app
    from werkzeug.serving import make_server

    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = make_server("127.0.0.1", port, DomainDispatcherApplication(create_backend_app), True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{port}"
    client = boto3.client("s3", endpoint_url=address, region_name="us-east-1")
    client.create_bucket(Bucket="tiered")
    for key, size in ((KEY, 1234), (OTHER, 7)):
        client.put_object(Bucket="tiered", Key=key, Body=bytes(size))
    yield f"s3://tiered/pre fix?scheme=http&endpoint_override=127.0.0.1:{port}&region=us-east-1"
    server.shutdown()


def test_a_bucket_of_s3(bucket, tmp_path):
    found = objects(list_objects([bucket.replace(" ", "%20")], tmp_path / "out"))
    assert sorted((key, size, file) for key, size, _, file, _ in found) == [
        (KEY, 1234, "log"),
        (OTHER, 7, None),
    ]


def test_what_is_no_listing_is_refused_in_a_sentence(tmp_path):
    (tmp_path / "notes.txt").write_text("hello\n")
    for source, words in [
        (tmp_path / "nowhere", "there is no file or folder"),
        (tmp_path / "notes.txt", "is no listing that is known"),
        ("ftp://host/path", "only s3://"),
        (inventory(tmp_path, "ORC", "x", []), "only CSV and Parquet"),
    ]:
        with pytest.raises(NotReadable, match=words):
            list_objects([source], tmp_path / "out")
        assert not (tmp_path / "out" / "objects").exists()
