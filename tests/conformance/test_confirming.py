"""What `tierproof confirm` says when a run does not come to its end: nothing seen is lost."""

import contextlib
import json
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from tests.explorer.commands import tierproof
from tierproof.command_line import confirming as chosen
from tierproof.command_line.exits import FAULT, INCOMPLETE
from tierproof.conformance.brokers import confirming, side_by_side
from tierproof.conformance.brokers.confirming import Bench, Confirmation, Outcome, confirm
from tierproof.conformance.brokers.errors import CannotRun, NotSeen
from tierproof.conformance.brokers.jvm import Jvm
from tierproof.conformance.brokers.looking import Seen
from tierproof.conformance.brokers.releases import Release
from tierproof.conformance.brokers.symptoms import lost
from tierproof.register import evidence

PLAYED = chosen.chosen(["deleted_copies_still_count"])[0]


def confirmation(release="4.4.0", **known):
    """A finding that brokers of a release showed."""
    seen = Seen(0, {"earliest": 0}, {}, [], [])
    known = {"outcome": Outcome.CONFIRMED, "seen": seen, "found": "0 of 2 unreadable", **known}
    return Confirmation(PLAYED.design, PLAYED.finding, release, **known)


@pytest.fixture
def no_brokers(monkeypatch):
    """Confirmations made up, and then what ends the run."""

    def having(*results):
        def made(*words, **options):
            for one in results:
                if not isinstance(one, Confirmation):
                    raise one
                yield one

        monkeypatch.setattr(chosen, "confirmed", made)

    return having


@pytest.mark.parametrize("kind", [False, True], ids=["finding", "control"])
def test_a_cluster_that_does_not_start_leaves_one_finding_incomplete(monkeypatch, tmp_path, kind):
    @contextlib.contextmanager
    def started(*words, **options):
        raise NotSeen("the cluster does not start: not seen in 60 s: broker-0 answers")
        yield

    monkeypatch.setattr(confirming, "started", started)
    bench = Bench(Release("4.4.0"), "", Mock(spec=Jvm), tmp_path)
    trace, claim = chosen._stored(PLAYED)
    result = confirm(PLAYED, trace, claim, bench, is_control=kind)
    assert result.outcome == Outcome.INCOMPLETE
    assert "broker-0 answers" in result.why
    assert not result.is_as_expected


def test_what_was_seen_before_ctrl_c_is_printed(no_brokers):
    no_brokers(confirmation(), KeyboardInterrupt())
    run = tierproof("confirm", "--json")
    assert run.returncode == INCOMPLETE
    assert [one["outcome"] for one in json.loads(run.stdout)["results"]] == ["CONFIRMED"]
    assert "interrupted; all brokers are ended: INCOMPLETE" in run.stderr


def test_what_was_seen_before_an_error_is_printed(no_brokers):
    no_brokers(confirmation(), CannotRun("mvn failed"))
    run = tierproof("confirm", "--json")
    assert run.returncode == FAULT
    assert len(json.loads(run.stdout)["results"]) == 1
    assert run.stderr == "tierproof: mvn failed\n"


def test_a_release_without_jars_does_not_end_the_others(monkeypatch, tmp_path):
    def class_path(release, jars):
        if release.version == "4.3.1":
            raise CannotRun("mvn failed")
        return ""

    monkeypatch.setattr(side_by_side, "class_path", class_path)
    monkeypatch.setattr(side_by_side, "Jvm", contextlib.nullcontext)
    monkeypatch.setattr(
        side_by_side, "confirm", lambda *words, **options: confirmation(words[3].release.version)
    )
    plays = [(PLAYED, *chosen._stored(PLAYED))]
    run = side_by_side.confirm_all(
        plays, ["4.3.1", "3.9.2", "4.4.0"], tmp_path, tmp_path, controls=False
    )
    seen: list[str] = []
    with pytest.raises(CannotRun, match="mvn failed"):
        seen.extend(one.release for one in run)
    assert sorted(seen) == ["3.9.2", "4.4.0"]


def test_a_finding_that_is_not_seen_is_played_again_and_says_so(monkeypatch, tmp_path):
    outcomes = iter([Outcome.NOT_REPRODUCED, Outcome.INCOMPLETE, Outcome.CONFIRMED])
    monkeypatch.setattr(side_by_side, "class_path", lambda release, jars: "")
    monkeypatch.setattr(side_by_side, "Jvm", contextlib.nullcontext)
    monkeypatch.setattr(
        side_by_side, "confirm", lambda *words, **options: confirmation(outcome=next(outcomes))
    )
    plays = [(PLAYED, *chosen._stored(PLAYED))]
    (found,) = side_by_side.confirm_all(plays, ["4.4.0"], tmp_path, tmp_path, controls=False)
    assert (found.outcome, found.tries, len(found.missed)) == (Outcome.CONFIRMED, 3, 2)


def test_a_row_that_could_not_be_seen_again_is_kept(monkeypatch, tmp_path):
    monkeypatch.setattr(evidence, "BROKERS", tmp_path / "brokers.json")
    chosen.update([confirmation()])
    chosen.update([confirmation(outcome=Outcome.INCOMPLETE, seen=None, found="", why="no start")])
    assert '"CONFIRMED"' in (tmp_path / "brokers.json").read_text()


def unread(answers):
    """What is said of offsets 0 and 1, by what a consumer gets there."""

    def read(topic, offset):
        if isinstance(answers[offset], Exception):
            raise answers[offset]
        return answers[offset]

    trace = SimpleNamespace(states=[None])
    return SimpleNamespace(trace=trace, values=[b"a", b"b"], client=SimpleNamespace(read=read))


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ([b"a", b"b"], ""),
        ([None, b"b"], "0 of 2 unreadable (out of range)"),
        ([NotSeen("silence"), None], "0..1 of 2 unreadable (no answer in 15 s, out of range)"),
        ([b"b", b"b"], "0 of 2 unreadable (another record)"),
    ],
)
def test_an_unreadable_offset_is_told_with_the_answer(monkeypatch, answers, why):
    monkeypatch.setattr("tierproof.conformance.brokers.symptoms.removable_end", lambda state: 0)
    seen = Seen(0, {"earliest": 0}, {}, [], [])
    found = lost(unread(answers), seen).found
    assert found == (f"{why} while the log start offset is 0" if why else "")
