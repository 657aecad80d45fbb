"""The answer of an audit as plain data: what `tierproof audit --json` prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tierproof.conformance.audit.asked import Asked
from tierproof.conformance.audit.classes import CLASSES, AccusationClass, Severity
from tierproof.conformance.audit.foresight import Facts, growth
from tierproof.conformance.audit.objects import TOO_YOUNG
from tierproof.conformance.audit.withholding import HARMLESS

SHOWN = 5
"""Accusations of a class that a summary shows."""
MOST_PARTITIONS = 1_000
"""Topic-partitions that a summary has; the tables have all."""

TOPICS = {"deletion_unfinished": " If its topic may be deleted: --topics tells."}
"""Class -> what is said beside what to do while nobody has said which topics exist."""

CLEAN, SEE_TO, INCOMPLETE = "CLEAN", "SEE TO", "INCOMPLETE"


@dataclass(frozen=True)
class Audit:
    """What an audit has found. `lost` says in words what was not read, beside `set_aside`.

    `object_root` is where the bucket's keys begin, as `s3://bucket`, or a folder; "" if a listing
    was read.
    """

    asked: Asked
    accusations: pa.Table
    facts: Facts
    set_aside: pa.Table
    not_judged: Mapping[str, int] = field(default_factory=dict)
    withheld: Mapping[str, int] = field(default_factory=dict)
    lost: Sequence[str] = ()
    object_root: str = ""
    has_objects: bool = False
    knows_topics: bool = False
    pictures: Sequence[Mapping[str, Any]] = ()

    @property
    def is_complete(self) -> bool:
        """Everything that was named was read and understood."""
        reasons = self.set_aside["reason"]
        harmful = pc.invert(pc.is_in(reasons, value_set=pa.array(HARMLESS)))
        is_lost = bool(self.lost or self.withheld) or not self.facts.records
        return not is_lost and not pc.any(harmful).as_py()

    @property
    def verdict(self) -> str:
        """CLEAN, SEE TO or INCOMPLETE. What is found is found, also if not all was read."""
        if any(one["severity"] != Severity.NOTE for one in self.classes()):
            return SEE_TO
        return CLEAN if self.is_complete and not self._nothing_is_old else INCOMPLETE

    @property
    def _nothing_is_old(self) -> bool:
        """There are segments, and each of them is too young to be judged."""
        return 0 < self.facts.standing_segments == self.facts.young_segments

    def classes(self) -> list[dict[str, Any]]:
        """Each class that has an accusation, the worst first."""
        return self._classes

    @cached_property
    def _classes(self) -> list[dict[str, Any]]:
        found = []
        for one in CLASSES:
            rows = self.accusations.filter(pc.equal(self.accusations["class"], one.name))
            if len(rows):
                found.append(self._class(one, rows))
        ranks = list(Severity)
        return sorted(found, key=lambda one: ranks.index(one["severity"]))

    def _class(self, one: AccusationClass, rows: pa.Table) -> dict[str, Any]:
        times = pc.min_max(rows["at_ms"]).as_py()
        places = rows.select(["topic", "topic_id", "partition"])
        return {
            "name": one.name,
            "title": one.title,
            "severity": str(one.severity),
            "count": len(rows),
            "bytes": int(pc.sum(rows["bytes"]).as_py() or 0),
            "oldest_ms": times["min"],
            "newest_ms": times["max"],
            "topic_partitions": len(places.group_by(places.column_names).aggregate([])),
            "cause": one.cause,
            "findings": list(one.findings),
            "issues": list(one.issues),
            "do": one.do + ("" if self.knows_topics else TOPICS.get(one.name, "")),
            "do_not": one.do_not,
            "commands": self._commands(one.name, rows),
            "shown_by": rows.slice(0, SHOWN).to_pylist(),
        }

    def _commands(self, name: str, rows: pa.Table) -> list[str]:
        """What a person may run; only for objects whose deletion is written and that stay."""
        if name != "object_after_deletion" or not self.object_root or not self.is_complete:
            return []
        keys = rows["object_key"].slice(0, SHOWN).to_pylist()
        root = self.object_root.rstrip("/")
        if "://" not in root:
            return [f"rm -- {_quoted(f'{root}/{key}')}" for key in keys]
        tool = {"s3": "aws s3 rm", "gs": "gsutil rm"}.get(root.partition(":")[0])
        return [f"{tool} {_quoted(f'{root}/{key}')}" for key in keys] if tool else []

    def partitions(self) -> list[dict[str, Any]]:
        """The topic-partitions with accusations, those with most of them first, up to a limit."""
        return self._partitions[:MOST_PARTITIONS]

    @cached_property
    def _partitions(self) -> list[dict[str, Any]]:
        keys = ["topic", "topic_id", "partition"]
        counted = self.accusations.group_by([*keys, "class"]).aggregate(
            [([], "count_all"), ("bytes", "sum"), ("at_ms", "min"), ("at_ms", "max")]
        )
        found: dict[tuple[Any, ...], dict[str, Any]] = {}
        for row in counted.to_pylist():
            place = tuple(row[key] for key in keys)
            entry = found.setdefault(
                place, {**{key: row[key] for key in keys}, "count": 0, "classes": {}}
            )
            entry["count"] += row["count_all"]
            entry["classes"][row["class"]] = {
                "count": row["count_all"],
                "bytes": row["bytes_sum"] or 0,
                "oldest_ms": row["at_ms_min"],
                "newest_ms": row["at_ms_max"],
            }
        return sorted(found.values(), key=lambda one: (-one["count"], str(one["topic"])))

    def set_aside_by_reason(self) -> list[dict[str, Any]]:
        """What was set aside, by reason, with the first place of each."""
        return self._set_aside_by_reason

    @cached_property
    def _set_aside_by_reason(self) -> list[dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        for row in self.set_aside.to_pylist():
            entry = found.setdefault(
                row["reason"],
                {
                    "reason": row["reason"],
                    "is_harmless": row["reason"] in HARMLESS,
                    "count": 0,
                    "records": 0,
                    "bytes": 0,
                    "first": {name: row[name] for name in ("source", "position", "detail")},
                },
            )
            entry["count"] += 1
            entry["records"] += row["records"] or 0
            entry["bytes"] += row["bytes"] or 0
        return sorted(found.values(), key=lambda one: (one["is_harmless"], one["reason"]))

    def answer(self) -> str:
        """The answer in a line."""
        facts, verdict = self.facts, self.verdict
        seen = (
            f"{facts.records:,} records of {counted(facts.places, 'topic-partition')}, "
            f"{counted(facts.live_segments, 'live segment')}"
        )
        rest = "".join(f"; {words}" for words in self._reservations())
        if verdict == CLEAN:
            return f"CLEAN: nothing to see to in {seen}{self._of_the_bucket()}{rest}"
        if verdict == INCOMPLETE and not facts.records:
            return f"INCOMPLETE: no record was read{rest}"
        if verdict == INCOMPLETE:
            judged = "judged" if self.is_complete else "read"
            return f"INCOMPLETE: nothing to see to in what was {judged} ({seen}){rest}"
        by_severity = dict.fromkeys(map(str, Severity), 0)
        for one in self.classes():
            by_severity[one["severity"]] += one["count"]
        count = sum(by_severity.values()) - by_severity[Severity.NOTE]
        words = ", ".join(
            f"{name} {number:,}"
            for name, number in by_severity.items()
            if number and name != "note"
        )
        places = len({(one["topic_id"], one["partition"]) for one in self._partitions})
        if not facts.records:
            return f"SEE TO {count:,}: {words}; no record was read{rest}"
        of = counted(facts.places, "topic-partition")
        return f"SEE TO {count:,} in {places:,} of {of}: {words}{rest}"

    def _of_the_bucket(self) -> str:
        if not self.has_objects:
            return ""
        if self.facts.young_segments or any(self.not_judged.values()):
            return ", and nothing in what was compared with the bucket"
        return ", and the bucket agrees"

    def _reservations(self) -> Iterator[str]:
        """What was not read, and what was not judged for its age."""
        unread = self._unread()
        if unread:
            yield f"not all was read: {', '.join(unread)}"
        young, objects = self.facts.young_segments, self.not_judged.get(TOO_YOUNG, 0)
        if young:
            verb = "is" if young == 1 else "are"
            of = counted(self.facts.standing_segments, "segment")
            yield f"{young:,} of {of} {verb} too young to judge, see --younger-than"
        if objects:
            verb = "is" if objects == 1 else "are"
            yield f"{counted(objects, 'object')} {verb} too young to judge, see --younger-than"

    def _unread(self) -> list[str]:
        harmful = [one for one in self.set_aside_by_reason() if not one["is_harmless"]]
        words = [f"{one['count']:,} {one['reason'].replace('_', ' ')}" for one in harmful]
        count = sum(self.withheld.values())
        not_made = [f"{counted(count, 'accusation')} not made for it"] if count else []
        return [*words, *self.lost, *not_made]

    def as_dict(self) -> dict[str, Any]:
        """The whole answer, for JSON."""
        return {
            "answer": self.answer(),
            "verdict": self.verdict,
            "is_complete": self.is_complete,
            "now_ms": self.asked.now_ms,
            "younger_ms": self.asked.younger_ms,
            "has_objects": self.has_objects,
            "too_young": {
                "segments": self.facts.young_segments,
                "of_segments": self.facts.standing_segments,
                "objects": self.not_judged.get(TOO_YOUNG, 0),
            },
            "topic": _topic(self.facts),
            "classes": self.classes(),
            "partitions": self.partitions(),
            "set_aside": self.set_aside_by_reason(),
            "not_read": list(self.lost),
            "not_judged": dict(self.not_judged),
            "withheld": dict(self.withheld),
            "foresight": foresight(self.facts),
            "pictures": list(self.pictures),
        }


def _quoted(path: str) -> str:
    """A path as one word of a shell, in quotes whatever it has."""
    return "'" + path.replace("'", "'\"'\"'") + "'"


def counted(count: int, noun: str) -> str:
    """A count with its noun."""
    return f"{count:,} {noun}" + "s" * (count != 1)


def _topic(facts: Facts) -> dict[str, Any]:
    return {
        "records": facts.records,
        "bytes": facts.bytes,
        "topic_partitions": facts.places,
        "segments": facts.segments,
        "live_segments": facts.live_segments,
        "live_bytes": facts.live_bytes,
    }


def foresight(facts: Facts) -> dict[str, Any]:
    """What compaction would keep and lose, the topic in a year, what KIP-1272 would compact."""
    return {
        "kip1266": {
            "today": {"records": facts.records, "bytes": facts.bytes},
            "as_written": asdict(facts.as_written),
            "uuid_and_state": asdict(facts.uuid_and_state),
            "self_contained": asdict(facts.self_contained),
        },
        "growth": growth(facts),
        "kip1272": {
            "segments": facts.live_segments,
            "bytes": facts.live_bytes,
            "with_aborted_transactions": facts.transactional_segments,
        },
    }
