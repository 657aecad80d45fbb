"""Files of other tools that an audit may be given: offsets of partitions, topics that exist."""

from __future__ import annotations

import re
from pathlib import Path

from tierproof.conformance.audit.asked import Offsets
from tierproof.conformance.audit.reading import NotReadable

_TOPIC_ID = re.compile(r"TopicId:\s*([A-Za-z0-9_-]{22})")


def offsets_in(path: Path) -> Offsets:
    """Lines `topic:partition:offset`, as kafka-get-offsets.sh prints them. Raises NotReadable."""
    found: dict[tuple[str, int], int] = {}
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        words = line.strip().rsplit(":", 2)
        if words == [""]:
            continue
        try:
            topic, partition, offset = words
            found[topic, int(partition)] = int(offset)
        except ValueError:
            raise NotReadable(
                f"{path}, line {number} is not topic:partition:offset, as kafka-get-offsets.sh "
                f"prints it: {line!r}"
            ) from None
    if not found:
        raise NotReadable(f"{path} has no line topic:partition:offset")
    return found


def topic_ids_in(path: Path) -> frozenset[str]:
    """The topic ids that kafka-topics.sh --describe prints. Raises NotReadable if it has none."""
    found = frozenset(_TOPIC_ID.findall(path.read_text("utf-8")))
    if not found:
        raise NotReadable(
            f"{path} has no `TopicId: ...`: give what kafka-topics.sh --describe prints"
        )
    return found
