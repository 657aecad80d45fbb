"""A cluster that would make its topic of offsets: refused, unless the option says that it may."""

import sys
from types import SimpleNamespace

import pytest

from tierproof.command_line.audit import audit as command
from tierproof.conformance.audit.auditing import Sources, _read
from tierproof.conformance.audit.reading import METADATA_TOPIC, NotReadable, live


class Asking:
    """A cluster whose only topic is the metadata topic, without partitions."""

    def __init__(self, *_):
        self.said = []

    def topics(self):
        return {METADATA_TOPIC: SimpleNamespace(partitions={})}

    def client(self, *_):
        return SimpleNamespace(close=lambda: None, assign=lambda _: None)


@pytest.fixture(autouse=True)
def cluster(monkeypatch):
    monkeypatch.setitem(sys.modules, "confluent_kafka", SimpleNamespace(Consumer=None))
    monkeypatch.setattr(live, "Asking", Asking)


def test_the_refusal_names_an_option_that_there_is(tmp_path):
    with pytest.raises(NotReadable, match="--may-create-offsets-topic"):
        _read(Sources(bootstrap="h:9092"), tmp_path, None)
    assert "may_create_offsets_topic" in command.__annotations__


def test_with_the_option_it_is_read(tmp_path):
    sources = Sources(bootstrap="h:9092", may_create_offsets_topic=True)
    assert not _read(sources, tmp_path, None).record_files
