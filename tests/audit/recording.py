"""Scenarios played on released brokers, kept as small files: the metadata topic, the bucket, facts.

    python -m tests.audit.recording 4.4.0 [scenario ...]

plays scenarios of `conformance/brokers` (a finding and its control each) and a clean life, and
writes tests/audit/recorded/<release>/<scenario>/:

- `__remote_log_metadata-0/*.log`: the partition folder of the broker whose copy reaches furthest
- `listing.txt`: the store (LocalTieredStorage) as `aws s3 ls --recursive` would list it, in UTC
- `played.json`: what was done and seen, when it was recorded, how many records the topic has
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tierproof.command_line import confirming
from tierproof.conformance.audit.listing.stores import read_directory
from tierproof.conformance.audit.reading.splits import (
    METADATA_TOPIC,
    one_replica_each,
    partition_folders,
)
from tierproof.conformance.brokers.cluster import Cluster, started
from tierproof.conformance.brokers.jvm import Jvm
from tierproof.conformance.brokers.node import awaited
from tierproof.conformance.brokers.releases import Release, class_path

RECORDED = Path(__file__).parent / "recorded"
PATIENCE_S = 60

SCENARIOS = {
    "hung_copy": "interrupted_copy_dangles",
    "failed_deletion": "refused_delete_is_not_retried",
    "deleted_topic": "deleted_topic_leaks",
    "zombie": "deletion_overtakes_a_copy",
    "two_copies": "two_copies_of_a_segment_both_count",
    "disabled_and_enabled": "deleted_copies_still_count",
}
"""Scenario -> the finding whose trace is played; its control is kept as `<scenario>_control`."""

CLEAN = "clean"
TIERED = {
    "segment.index.bytes": 24,
    "index.interval.bytes": 1,
    "remote.storage.enable": "true",
    "retention.ms": -1,
    "local.retention.bytes": -2,
}
"""Two records a segment, nothing expires."""


def record(release: str, names: list[str]) -> Iterator[Path]:
    """Play scenarios on a release and keep them. Yields the folder of each."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        if CLEAN in names:
            said = play_clean(release, folder / CLEAN)
            yield keep(folder / CLEAN, release, CLEAN, said)
        findings = {SCENARIOS[name]: name for name in names if name != CLEAN}
        for played in confirming.confirmed(list(findings), [release], folder) if findings else ():
            suffix = "-control" if played.is_control else ""
            scenario = findings[played.finding] + ("_control" if played.is_control else "")
            facts = {
                "finding": played.finding,
                "is_control": played.is_control,
                "outcome": str(played.outcome),
                "done": [*played.said, played.why] if played.why else played.said,
                "question": played.question,
                "found": played.found,
                "in_the_end": str(played.seen or ""),
            }
            of_run = folder / release / f"{played.finding}{suffix}"
            yield keep(of_run, release, scenario, facts)


def play_clean(release: str, folder: Path) -> dict[str, object]:
    """A topic whose segments are copied, and of which a user deletes the older half."""
    jars = class_path(Release(release), confirming.jars())
    with Jvm(jars) as jvm, started(Release(release), jars, jvm, folder) as cluster:
        cluster.client.create_topic("tiered", [0], TIERED)
        cluster.client.produce("tiered", [b"record %04d" % number for number in range(9)])
        awaited("four segments are copied", lambda: copied(cluster) == 4, PATIENCE_S)
        cluster.client.delete_records("tiered", 4)
        awaited("two segments are left", lambda: copied(cluster) == 2, PATIENCE_S)
        time.sleep(3)  # the last update is written behind the deletion of the object
    return {
        "outcome": "CLEAN",
        "done": ["9 records, 2 a segment", "4 segments copied", "records before 4 deleted"],
        "found": "",
    }


def copied(cluster: Cluster) -> int:
    """How many segments the store has."""
    return len(list(cluster.store.rglob("*.log")))


def keep(played: Path, release: str, scenario: str, facts: dict[str, object]) -> Path:
    """Write what a cluster left in its folder."""
    into = RECORDED / release / scenario
    shutil.rmtree(into, ignore_errors=True)
    log_dirs = [path for path in played.glob("broker-*") if path.is_dir()]
    folders = [one for path in log_dirs for one in partition_folders(path, METADATA_TOPIC)]
    records = 0
    for folder in one_replica_each(folders)[0]:
        place = into / folder.path.name
        place.mkdir(parents=True)
        for file in folder.files:
            shutil.copyfile(file, place / file.name)
            records += file.stat().st_size
    (into / "listing.txt").write_text(listing_of(played / "remote"), encoding="utf-8")
    told = {
        "release": release,
        "scenario": scenario,
        "recorded_ms": int(time.time() * 1000),
        "metadata_bytes": records,
        **facts,
    }
    (into / "played.json").write_text(f"{json.dumps(told, indent=1)}\n", encoding="utf-8")
    return into


def listing_of(store: Path) -> str:
    """The files of a store as lines of `aws s3 ls --recursive`, times in UTC."""
    lines = []
    for raw in read_directory(store) if store.is_dir() else ():
        columns = (raw.keys.to_pylist(), raw.bytes.to_pylist(), raw.modified_ms.to_pylist())
        for key, size, modified in zip(*columns, strict=True):
            when = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(modified / 1000))
            lines.append(f"{when} {size:10d} {key}\n")
    return "".join(lines)


if __name__ == "__main__":
    asked = sys.argv[2:] or [CLEAN, *SCENARIOS]
    for written in record(sys.argv[1], asked):
        sys.stdout.write(f"{written}\n")
