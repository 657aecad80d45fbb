"""A position is a link: it leads there again, and what it cannot say is refused by name."""

import pytest

from tests.toys import counter, mutex
from tierproof.model.language import Misused, Step, Steps, UnknownName
from tierproof.serve.positions import Position
from tierproof.serve.step_words import read, written

WHOLE = Position(
    design="a.b:DESIGN",
    scope="deep",
    bounds=(("brokers", 3),),
    variants=("repair one", "two"),
    without=("is_free",),
    start=2,
    path=("takes.0.-1", "frees"),
    cycle=1,
    beside=(("takes.1.2",), ("frees",)),
)


@pytest.mark.parametrize("position", [WHOLE, Position(design="kip950")])
def test_a_link_has_all_of_a_position(position):
    assert Position.of(position.pairs) == position


def test_a_link_is_plain_text_that_a_browser_keeps_as_it_is():
    assert Position(design="a.b:D", path=("takes.0.-1", "frees")).link == (
        "walk?design=a.b:D&path=takes.0.-1~frees"
    )
    assert "variant=repair%20one" in WHOLE.link


def test_another_path_is_no_cycle():
    assert WHOLE.at(["frees"]).cycle is None


@pytest.mark.parametrize(
    ("pairs", "says"),
    [
        ([("path", "a")], "names no design"),
        ([("design", "a"), ("design", "b")], "design is given 2 times"),
        ([("design", "a"), ("start", "-1")], "start is -1: it counts from 0"),
        ([("design", "a"), ("start", "1_0")], "no whole number"),
        ([("design", "a"), ("set", "brokers")], "set takes bound=value"),
        ([("design", "a"), ("set", "b=1"), ("set", "b=2")], "a bound twice"),
        ([("design", "a"), ("path", "~".join(["b"] * 501))], "501 steps, 500 at most"),
        ([("design", "a"), *[("beside", "b")] * 5], "5 branches are kept beside, 4 at most"),
    ],
)
def test_a_link_that_says_nothing_is_refused(pairs, says):
    with pytest.raises(Misused, match=says):
        Position.of(pairs)


def test_a_parameter_that_would_do_nothing_is_refused_by_name():
    with pytest.raises(UnknownName, match="did you mean path"):
        Position.of([("design", "a"), ("paht", "b")])


# -- steps

STEPS = Steps(mutex.DESIGN, mutex.DESIGN.scope("three"))


@pytest.mark.parametrize("label", range(STEPS.count))
def test_a_step_is_read_as_it_is_written_for_links_and_for_people(label):
    step = STEPS.step(label)
    assert read(STEPS, written(STEPS, step)) == read(STEPS, str(step)) == step


def test_a_step_is_its_action_and_the_integers_of_its_parameters():
    assert written(STEPS, Step("worker_takes_lock", (("worker", 2),))) == "worker_takes_lock.2"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("worker_takes_lock", "takes worker"),
        ("worker_takes_lock.1.2", "takes worker"),
        ("worker_takes_lock.3", "worker is 3, outside 0..2"),
        ("worker_takes_lock.x", "'x' is no whole number"),
        ("worker_takes_lock(job=1)", "unknown parameter of worker_takes_lock 'job'"),
        ("worker_takes_lock(1)", "is no step: write ACTION"),
        ("worker_takes_lock(worker=open('a'))", "which is none of 0..2"),
        ("worker_takes_lock(worker=", "is no step: write ACTION"),
        ("__import__('os')", "is no step: write ACTION"),
    ],
)
def test_what_is_no_step_is_refused_and_never_run(words, says):
    with pytest.raises(Misused, match=says.replace("(", r"\(").replace(")", r"\)")):
        read(STEPS, words)


def test_an_unknown_action_is_offered_the_closest():
    with pytest.raises(UnknownName, match="did you mean counter_counts"):
        read(Steps(counter.DESIGN, counter.DESIGN.scope("ten")), "counter_count")
