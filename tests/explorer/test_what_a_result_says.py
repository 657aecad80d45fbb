"""A result is honest about what was checked, what was cut and what never happened."""

from dataclasses import replace
from typing import Any

import pytest

from tests.toys import counter, courier, two_phase_commit
from tierproof.command_line.result_table import show_result
from tierproof.model.language import Design, Step, Trace
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native import memory_left
from tierproof.spark_explorer.progress import Progress
from tierproof.spark_explorer.results import Result, Verdict, trace_as_dict
from tierproof.spark_explorer.search import explore
from tierproof.spark_explorer.simulation import simulate


def in_memory(design: Design, scope: str, **options) -> Result:
    return explore(design, design.scope(scope), MemoryExecution, scope_name=scope, **options)


@pytest.fixture(scope="module")
def counted() -> Result:
    return in_memory(counter.DESIGN, "ten")


def verdict(result: Result, name: str) -> Verdict:
    return next(entry.verdict for entry in result.properties if entry.name == name)


def test_a_violated_step_property_comes_with_the_step_that_violates_it(counted):
    entry = next(entry for entry in counted.properties if entry.name == "counts_by_one")
    assert entry.verdict is Verdict.VIOLATED
    assert entry.trace is not None
    assert [step.action for step in entry.trace.steps] == ["counter_jumps"]


def test_a_lifecycle_is_a_law_even_if_nobody_claims_it(counted):
    entry = next(entry for entry in counted.properties if entry.name == "Phase_lifecycle")
    assert entry.verdict is Verdict.VIOLATED
    assert entry.trace is not None
    assert entry.trace.steps[-1].action == "counter_falls"


def test_a_property_whose_premise_never_held_is_vacuous(counted):
    vacuous = [entry.name for entry in counted.properties if entry.is_vacuous]
    assert vacuous == ["nothing_above_a_thousand"]
    assert verdict(counted, "nothing_above_a_thousand") is Verdict.HOLDS


def test_an_action_that_was_never_enabled_is_named(counted):
    assert counted.never_taken == ("counter_overflows",)


def test_declared_edges_that_no_step_took_are_named(counted):
    assert counted.untaken_edges == ("Phase: HIGH -> BROKEN",)


def test_witnesses_are_reached_or_not_with_a_shortest_trace(counted):
    reached, missed = counted.witnesses
    assert (reached.reached, missed.reached) == (True, False)
    assert reached.trace is not None
    assert len(reached.trace) == 9  # eight single steps and the jump
    assert missed.trace is None


def test_a_budget_limits_how_often_an_action_happens():
    result = in_memory(counter.DESIGN, "no_jumps")
    assert result.actions["counter_jumps"] == 0
    assert verdict(result, "counts_by_one") is Verdict.HOLDS


def test_nothing_holds_after_a_search_that_was_cut():
    result = in_memory(two_phase_commit.DESIGN, "eight", max_states=5_000)
    assert result.cut == "the limit of 5,000 states"
    assert {entry.verdict for entry in result.properties} == {Verdict.INCOMPLETE}
    assert result.witnesses[0].reached is None
    assert result.verdict is Verdict.INCOMPLETE


def test_a_violation_found_before_the_cut_is_one():
    result = in_memory(counter.DESIGN, "ten", max_states=4)
    assert result.cut
    assert verdict(result, "counts_by_one") is Verdict.VIOLATED
    assert verdict(result, "value_is_counted") is Verdict.INCOMPLETE


def test_a_limit_that_the_last_state_meets_cuts_nothing():
    whole = in_memory(two_phase_commit.DESIGN, "three")
    limited = in_memory(two_phase_commit.DESIGN, "three", max_states=whole.distinct_states)
    assert limited.cut is None
    assert limited.verdict is Verdict.HOLDS


def test_an_interrupt_ends_in_a_result():
    def interrupt(progress: Progress) -> None:
        if progress.level == 3:
            raise KeyboardInterrupt

    result = in_memory(two_phase_commit.DESIGN, "eight", watch=interrupt)
    assert result.cut == "interrupted"
    assert result.verdict is Verdict.INCOMPLETE
    assert 0 < result.distinct_states < 1_745_408


def test_progress_is_told_level_by_level():
    seen: list[Progress] = []
    result = in_memory(two_phase_commit.DESIGN, "five", watch=seen.append)
    assert sorted({point.level for point in seen}) == list(range(result.depth + 1))
    assert seen[-1].distinct == result.distinct_states
    assert seen[-1].generated == result.generated_states
    assert seen[-1].left == 0


def test_states_that_fit_a_word_cannot_collide(counted):
    assert counted.collision_probability == 0.0


def test_a_machine_without_memory_ends_in_a_result(monkeypatch):
    monkeypatch.setattr(memory_left, "free_memory", lambda: 1 << 20)
    result = in_memory(two_phase_commit.DESIGN, "eight")
    assert result.cut == "the machine, or its container, has no more memory for visited states"
    assert result.verdict is Verdict.INCOMPLETE
    assert result.distinct_states > 500


# -- the record of a trace


DELIVERY = tuple(Step(name, (("courier", 0),)) for name in ("courier_leaves", "courier_delivers"))


def delivery(design: Design) -> dict[str, Any]:
    """The record of a trace in which a courier puts a parcel on the shelf."""
    return trace_as_dict(Trace(design, design.scope("one"), 0, DELIVERY))


def test_budgets_and_ghosts_are_told_apart_from_what_an_actor_has():
    assert delivery(courier.DESIGN)["bookkeeping"] == ["falls", "delivered"]


def test_numbers_are_told_in_the_words_of_the_design():
    spoken = replace(
        courier.DESIGN, words={"shelf": lambda design, scope, it: f"{it} of {design.name}"}
    )
    assert delivery(courier.DESIGN)["steps"][1]["changes"]["shelf"] == [0, 1]
    assert delivery(spoken)["steps"][1]["changes"]["shelf"] == ["0 of courier", "1 of courier"]
    assert delivery(spoken)["initial"]["shelf"] == "0 of courier"


def printed(result: Result, capsys: pytest.CaptureFixture[str], **options: Any) -> str:
    show_result(result, chosen_for=None, **options)
    return capsys.readouterr().out


@pytest.fixture
def idle(counted: Result) -> Result:
    """A result with more actions and edges that were never taken than are named unasked."""
    actions = {"counter_jumps": 3, **{f"idle_{number}": 0 for number in range(25)}}
    edges = tuple(f"Phase: LOW -> P{number}" for number in range(4))
    return replace(counted, actions=actions, untaken_edges=edges)


def test_what_was_never_enabled_is_counted_with_the_option_that_names_it(idle, capsys):
    told = printed(idle, capsys)
    assert "never enabled: 25 actions; --untaken names them\n" in told
    assert "lifecycle edges never taken: 4 edges; --untaken names them\n" in told
    assert "idle_0" not in told


def test_what_was_never_enabled_is_named_on_request(idle, capsys):
    told = printed(idle, capsys, names_untaken=True)
    assert "never enabled: idle_0, idle_1, idle_2" in told
    assert "idle_24" in told.replace("\n", " ")
    assert "never taken: Phase: LOW -> P0; Phase: LOW -> P1" in told


def test_a_few_are_named_without_being_asked(counted, capsys):
    told = printed(counted, capsys)
    assert "never enabled: counter_overflows\n" in told
    assert "lifecycle edges never taken: Phase: HIGH -> BROKEN\n" in told


def test_a_cut_search_names_what_was_not_taken_until_then_on_request(idle, capsys):
    cut = replace(idle, cut="the limit of 9 states")
    assert "not taken until then: 25 actions and 4 lifecycle edges\n" in printed(cut, capsys)
    told = printed(cut, capsys, names_untaken=True)
    assert "never enabled" not in told
    assert "never taken" not in told
    assert "not taken until then: idle_0, idle_1" in told


def test_walks_say_the_same_as_a_search_of_what_they_explored(counted):
    walked = simulate(
        counter.DESIGN, counter.DESIGN.scope("ten"), seed=1, walks=10, scope_name="ten"
    )
    said = ("design", "title", "document", "scope", "bounds", "variants", "initial_states")
    assert [getattr(walked, name) for name in said] == [getattr(counted, name) for name in said]
    assert [e.name for e in walked.properties] == [e.name for e in counted.properties]
    assert list(walked.actions) == list(counted.actions)
    assert (walked.sample is None, counted.sample is None) == (False, True)
