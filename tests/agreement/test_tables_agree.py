"""The tables of a run say what the interpreter says of its states, and what the search counted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.toys import digraph
from tierproof.model.language import Interpreter, State
from tierproof.model.language.collected import Counts, Queue
from tierproof.model.language.members import Members
from tierproof.model.language.state import Record, field_names
from tierproof.spark_explorer import runs
from tierproof.spark_explorer.kept.keeping import Keeping
from tierproof.spark_explorer.kept.opening import KeptRun
from tierproof.spark_explorer.kept.store import store_at
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.results import Result
from tierproof.spark_explorer.tables.database import Database
from tierproof.spark_explorer.tables.opening import opened

NEAR = digraph.digraph(6, {(0, 1), (1, 5), (5, 2), (1, 2), (2, 2), (2, 0)}, farthest=4)
"""A node is outside the bounds, and a step changes nothing."""

DESIGNS = {
    "bounds": ("tests.agreement.test_tables_agree:NEAR", "graph"),
    "enums": ("tests.toys.two_phase_commit:DESIGN", "three"),
    "symmetry": ("tests.toys.two_phase_commit:ALIKE", "five"),
    "collections_and_symmetry": ("tests.toys.pack:PACK", "three"),
    "deadlocks": ("tests.toys.pack:TIRED", "three"),
    "bag_of_enum": ("tests.toys.reactions:DESIGN", None),
    "sequence_of_records": ("tests.toys.alternating_bit:DESIGN", None),
    "laws": ("tests.toys.lamp:DESIGN", None),
    "kafka": ("kip950", "smoke"),
}
SAMPLED = 60


class Asked:
    """A design explored into a run, and the run's tables."""

    def __init__(self, name: str, folder: Path) -> None:
        words, scope = DESIGNS[name]
        question = Question(design=words, scope=scope)
        keeping = Keeping(store_at(str(folder)), question, "memory")
        self.result: Result = runs.run(question, engine="memory", watched=False, keeping=keeping)
        self.run = KeptRun.open(str(folder))
        self.kernel: Kernel = self.run.kernel()

    def sample(self, count: int = SAMPLED) -> Iterator[tuple[int, State]]:
        """Ids and states, from every depth."""
        dice = Random(7)
        states = [
            words for level in range(self.run.levels) for b in self.run.blocks(level) for words in b
        ]
        for words in dice.sample(states, min(count, len(states))):
            state = self.kernel.unpack(words)
            yield self.kernel.fingerprint(state), state


@pytest.fixture(scope="module", params=DESIGNS)
def asked(request, tmp_path_factory) -> Asked:
    return Asked(request.param, tmp_path_factory.mktemp("run") / "kept")


@pytest.fixture(scope="module")
def database(asked) -> Iterator[Database]:
    with opened(asked.run, steps=True) as found:
        yield found


def plain(value: Any) -> Any:
    """A value of the interpreter as SQL has it."""
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, (Members, Queue)):
        return [plain(one) for one in value]
    if isinstance(value, Counts):
        enum = value._node.enum or int
        return {plain(enum(one)): value[one] for one in range(value._node.length)}
    if isinstance(value, Record):
        return {name: plain(getattr(value, name)) for name in field_names(type(value))}
    return value


def at(row: dict[str, Any], path: str) -> Any:
    """What a row has at a path such as `broker[0].in_sync`."""
    found: Any = row
    for part in re.findall(r"\w+", path):
        found = found[int(part)] if part.isdigit() else found[part]
    return found


def listed(sample: dict[int, State]) -> str:
    return ", ".join(map(str, sample))


def test_every_field_of_a_state_is_decoded(asked, database):
    columns = [name for name, _ in database.columns("FROM states")]
    sample = dict(asked.sample())
    for row in database.rows(f"FROM states WHERE id IN ({listed(sample)})"):
        found = dict(zip(columns, row, strict=True))
        for path, value in sample.pop(found["id"]).fields().items():
            assert at(found, path) == plain(value), path
    assert not sample


def test_a_state_violates_and_reaches_what_the_interpreter_says(asked, database):
    interpreter, design = asked.kernel.interpreter, asked.kernel.design
    invariants = {one.name for one in design.properties if one.kind == "invariant"}
    sample = dict(asked.sample())
    asking = f"SELECT id, violates, reaches FROM states WHERE id IN ({listed(sample)})"
    for known_by, violates, reaches in database.rows(asking):
        state = sample[known_by]
        found = {one.name for one in interpreter.violated_in(state)}
        assert {one for one in violates if one in invariants} == found
        witnesses = {w.name for w in design.witnesses if interpreter.holds("witness", w, state)}
        assert set(reaches) == witnesses
        if "no_deadlock" in violates or "deadlock_free" in violates:
            assert interpreter.enabled(state) == []


def test_the_steps_out_of_a_state_are_those_of_the_interpreter(asked, database):
    interpreter = asked.kernel.interpreter
    for known_by, state in asked.sample(20):
        rows = database.rows(
            f"SELECT step, target, is_inside, violates FROM steps WHERE source = {known_by}"
        )
        found = {step: rest for step, *rest in rows}
        assert set(found) == set(map(str, interpreter.enabled(state)))
        for step, after in interpreter.successors(state):
            target, is_inside, violates = found[str(step)]
            assert is_inside == interpreter.within_bounds(after)
            if is_inside:
                assert target == asked.kernel.fingerprint(after)
            broken = {one.name for one in interpreter.violated_by(state, step, after)}
            assert broken <= set(violates)


def test_parameters_are_those_of_the_step(asked, database):
    columns = dict(database.columns("SELECT parameters FROM steps"))
    assert columns["parameters"].startswith("STRUCT")
    for step, given in database.rows("SELECT step, any_value(parameters) FROM steps GROUP BY step"):
        shown = ", ".join(
            f"{name}={shown_as(value)}"
            for name, value in (given or {}).items()
            if value is not None
        )
        said = step.partition("(")[2].rstrip(")")
        assert Counter(shown.split(", ")) == Counter(said.split(", "))


def shown_as(value: Any) -> str:
    return f"{{{', '.join(map(str, value))}}}" if isinstance(value, list) else str(value)


def test_counts_are_those_of_the_search(asked, database):
    result = asked.result
    levels = list(database.rows("SELECT level, states, steps FROM levels ORDER BY level"))
    assert [states for _, states, _ in levels] == list(result.frontier_sizes)
    assert database.count("FROM states") == result.distinct_states
    assert database.count("SELECT DISTINCT id FROM states") == result.distinct_states
    steps = sum(one or 0 for _, _, one in levels)
    assert steps == database.count("FROM steps") == sum(result.actions.values())
    out_of = dict(database.rows("SELECT level, count(*) FROM steps GROUP BY level"))
    assert out_of == {level: steps for level, _, steps in levels if steps}
    taken = dict(database.rows("SELECT action, count(*) FROM steps GROUP BY action"))
    assert taken == {name: count for name, count in result.actions.items() if count}


def test_occurrences_are_those_of_the_search(asked, database):
    found = {
        column: dict(
            database.rows(
                f"SELECT name, count(*) FROM (SELECT unnest({column}) AS name FROM states "
                f"UNION ALL SELECT unnest({column}) FROM steps) GROUP BY name"
            )
        )
        for column in ("violates", "reaches")
    }
    for one in asked.result.properties:
        if one.kind != "liveness":
            assert found["violates"].get(one.name, 0) == one.occurrences, one.name
    for one in asked.result.witnesses:
        assert found["reaches"].get(one.name, 0) == one.occurrences, one.name


def test_verdicts_are_those_of_the_result(asked, database):
    rows = list(database.rows("SELECT property, verdict, trace_length FROM verdicts"))
    found = {name: (verdict, length) for name, verdict, length in rows}
    for one in asked.result.properties:
        length = None if one.trace is None else len(one.trace)
        assert found[one.name] == (str(one.verdict), length)
    for one in asked.result.witnesses:
        assert found[one.name][0] == ("REACHED" if one.reached else "NOT REACHED")
    assert len(rows) == len(asked.result.properties) + len(asked.result.witnesses)


def test_the_target_of_every_step_is_a_state_or_outside(asked, database):
    lost = database.count("FROM steps ANTI JOIN states ON target = id WHERE is_inside")
    outside = database.count("FROM steps WHERE NOT is_inside")
    assert lost == 0
    assert (outside > 0) == (asked.kernel.design.bounds is not None)


def test_the_interpreter_starts_where_level_0_is(asked, database):
    interpreter = Interpreter(asked.kernel.design, asked.kernel.scope)
    initial = {asked.kernel.fingerprint(state) for state in interpreter.initial_states()}
    assert {one for (one,) in database.rows("SELECT id FROM states WHERE level = 0")} == initial
