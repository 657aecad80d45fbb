"""Findings quote the documents to the letter."""

import pytest

from tests.designs.stored_traces import DESIGNS
from tierproof.model.language import UnknownName
from tierproof.register import documents, register_of
from tierproof.register.entries import Passage
from tierproof.register.passages import LENGTH_OF_A_DIGEST, WrongQuote

QUOTED = [
    (f"{design.name}-{entry.name}", passage)
    for design in DESIGNS.values()
    for entry in register_of(design).findings
    if entry.text
    for passage in entry.text.passages
]

SAMPLES = {
    "KIP-950": (
        "Disablement - KRaft Backed Cluster",
        "The broker ConfigHandler calls RemoteLogManager#stopPartitions().",
    ),
    "KIP-950, Under Discussion": (
        "Disablement - Zookeeper Based Cluster",
        "The `tiered_epoch` is incremented, and the `tiered_state` is set to `DISABLING`"
        " under the topics ZNode.",
    ),
    "KIP-952": (
        "Proposed Changes",
        "The rest of Tiered Storage's logic should pick it up for upload from then on.",
    ),
    "KIP-1266": (
        "Broker Write Path",
        "A series of tombstone messages will be published for all the keys that share the same"
        " prefix topicIdPartition:endOffset and keys that have no bigger brokerLeaderEpoch than"
        " the current one.",
    ),
    "KIP-1272": (
        "Persisting cleaner-offset-checkpoint to remote storage and Fencing off zombie broker",
        "The cache tracks the max valid cleaner offset for each leader epoch.",
    ),
}


def misquoted(passage: Passage) -> str:
    """What is wrong with a quote; empty if nothing is."""
    try:
        documents.verify(passage)
    except WrongQuote as error:
        return str(error)
    return ""


def test_findings_quote_to_the_letter():
    assert len(QUOTED) > 50
    assert [f"{name}: {why}" for name, one in QUOTED if (why := misquoted(one))] == []


@pytest.mark.parametrize("document", documents.DOCUMENTS)
def test_a_sentence_of_each_document_verifies_and_with_a_word_changed_does_not(document):
    section, words = SAMPLES[document]
    documents.verify(Passage(document, section, words))
    with pytest.raises(WrongQuote, match="no sentence, line or cell"):
        documents.verify(Passage(document, section, "Any " + words.partition(" ")[2]))


def test_a_sentence_of_one_document_is_no_quote_from_another():
    section, words = SAMPLES["KIP-1272"]
    with pytest.raises(WrongQuote, match="KIP-1266: it has no"):
        documents.verify(Passage("KIP-1266", section, words))
    with pytest.raises(WrongQuote, match="KIP-950: it has no sentence"):
        documents.verify(Passage("KIP-950", "Motivation", words))


def test_an_unknown_document_is_named_with_those_that_are_like_it():
    with pytest.raises(UnknownName, match="unknown document 'KIP-951': did you mean KIP-95"):
        documents.verify(Passage("KIP-951", "Motivation", "Anything."))


def test_each_document_has_its_file_of_digests_and_nothing_else():
    files = {path.stem for path in documents.FOLDER.glob("*.txt")}
    assert files == set(documents.DOCUMENTS.values())
    for document in documents.DOCUMENTS:
        digests = documents.digests(document)
        assert len(digests) > 50
        assert {len(one) for one in digests} == {LENGTH_OF_A_DIGEST}
