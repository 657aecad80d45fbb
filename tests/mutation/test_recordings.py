"""A mechanism's mutant that Kafka's recorded behaviour contradicts is noticed, and nothing else."""

import pytest

from tierproof.conformance import REPLAYERS
from tierproof.model.designs.producer_state import DESIGN
from tierproof.model.kafka.producer_validation import validate_marker
from tierproof.model.language.mutation import mutants_of, places_of
from tierproof.register.mutation import recordings


@pytest.fixture
def few_rows(monkeypatch):
    """Only the histories of producers, and few of them."""
    monkeypatch.setattr(recordings, "ROWS", 12)
    only = {"producer_state.jsonl.gz": REPLAYERS["producer_state.jsonl.gz"]}
    monkeypatch.setattr(recordings, "REPLAYERS", only)
    for cached in (recordings._sample, recordings._codes):
        cached.cache_clear()
    yield
    for cached in (recordings._sample, recordings._codes):
        cached.cache_clear()


def mutants_in(name):
    return [
        mutant
        for place in places_of(DESIGN)
        if place.name == name and not place.guard
        for mutant in mutants_of(place)
    ]


@pytest.mark.slow
def test_a_rule_that_kafka_s_classes_have_is_noticed(few_rows):
    before = validate_marker.__code__
    told = [recordings.noticed(one) for one in mutants_in("validate_marker")]
    assert any(one.startswith("producer_state.jsonl.gz: ") for one in told)
    assert validate_marker.__code__ is before


def test_the_code_as_it_is_written_is_not_noticed(few_rows):
    (first, *_) = mutants_in("validate_marker")
    first.__dict__["code"] = first.place.function.__code__.replace()
    assert recordings.noticed(first) == ""


def test_a_dropped_guard_is_no_matter_of_recordings():
    (place, *_) = [one for one in places_of(DESIGN) if one.guard]
    assert recordings.noticed(next(mutants_of(place))) == ""
