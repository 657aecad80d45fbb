"""What a function assigns and reads is known from its byte code, through every helper it calls."""

import os
import re
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.language import byte_code_samples
from tierproof.model.language import guard, invariant, purity

PURITY = Path(str(purity.__file__))
SAMPLES = Path(byte_code_samples.__file__)


def reads(state: Any) -> bool:
    """Reads one field."""
    return state.offset > 0


def writes(state: Any) -> bool:
    """Assigns to one field."""
    state.offset = 1
    return True


def names_of(function: Callable[..., Any]) -> list[str]:
    """Names of the functions reached, the function itself first."""
    return [part.__name__ for part in purity.reachable(function)]


# -- helpers


def test_a_function_reaches_itself_and_its_helpers_each_once():
    def twice(state: Any) -> bool:
        return reads(state) and reads(state)

    assert names_of(twice) == ["twice", "reads"]


def test_a_helper_of_a_helper_is_reached():
    def middle(state: Any) -> bool:
        return writes(state)

    def outer(state: Any) -> bool:
        return middle(state)

    assert names_of(outer) == ["outer", "middle", "writes"]
    assert purity.assignment_in(outer) == purity.assignment_in(writes)


def test_functions_that_call_each_other_come_to_an_end():
    assert sorted(names_of(ping)) == ["ping", "pong"]
    assert purity.assignment_in(ping) is None


def ping(state: Any) -> bool:
    """Calls `pong`."""
    return bool(pong(state))


def pong(state: Any) -> bool:
    """Calls `ping`."""
    return ping(state)


def test_a_helper_in_a_closure_is_reached():
    def through(helper: Callable[..., Any]) -> Callable[..., Any]:
        return lambda state: helper(state)

    assert purity.assignment_in(through(reads)) is None
    assert "assigns to the attribute offset" in str(purity.assignment_in(through(writes)))


def test_a_local_function_that_calls_itself_is_looked_into():
    def made() -> Any:
        @guard
        def counts_down(state: Any) -> bool:
            return bool(state.offset == 0 or counts_down(state))

        return counts_down

    assert purity.attributes_of(made().function) == {"offset"}


house = types.ModuleType("house")
house.room = types.ModuleType("house.room")  # type: ignore[attr-defined]
house.reads = reads  # type: ignore[attr-defined]
house.unused = writes  # type: ignore[attr-defined]
house.room.writes = writes
house.room.house = house


def test_a_helper_in_a_module_is_reached_and_its_neighbours_are_not():
    def calls(state: Any) -> bool:
        return bool(house.reads(state))

    assert names_of(calls) == ["calls", "reads"]


def test_a_helper_in_a_module_of_a_module_is_reached():
    def calls(state: Any) -> bool:
        return bool(house.room.writes(state))

    assert names_of(calls) == ["calls", "writes"]
    assert purity.assignment_in(calls) is not None


def test_a_field_may_be_called_like_a_function_of_the_module():
    def looks(state: Any) -> bool:
        return bool(state.writes)

    assert names_of(looks) == ["looks"]


# -- predicates


is_read = guard(reads)


@invariant()
def calls_a_guard(state: Any) -> bool:
    """Calls a Guard, which is no function but has one."""
    return is_read(state)


@guard
def calls_an_invariant(state: Any) -> bool:
    """Calls a Property that calls a Guard."""
    return not calls_a_guard(state)


def test_a_predicate_that_another_calls_is_looked_into():
    assert names_of(calls_a_guard.function) == ["calls_a_guard", "reads"]
    assert names_of(calls_an_invariant.function) == ["calls_an_invariant", "calls_a_guard", "reads"]
    assert purity.attributes_of(calls_an_invariant.function) == {"offset"}


def test_a_predicate_in_a_closure_is_looked_into():
    def negated(predicate: Callable[..., bool]) -> Any:
        @guard
        def holds_not(state: Any) -> bool:
            return not predicate(state)

        return holds_not

    assert names_of(negated(is_read).function) == ["holds_not", "reads"]


def test_what_is_no_function_has_nothing_to_say():
    assert names_of(len) == []
    assert purity.assignment_in(len) is None
    assert purity.referenced(len) == {}


def test_the_order_in_which_helpers_are_reached_does_not_change_from_process_to_process():
    """The cache of compiled code is named by what is reached, in this order."""
    text = (
        "import runpy, sys; purity = runpy.run_path(sys.argv[1])\n"
        "def a(): pass\ndef b(): pass\ndef c(): pass\ndef d(): pass\n"
        "def top(): a(); b(); c(); d()\n"
        "sys.stdout.write(' '.join(f.__name__ for f in purity['reachable'](top)))"
    )
    orders = {output_of(sys.executable, "-c", text, str(PURITY), seed=seed) for seed in "1234"}
    assert len(orders) == 1
    assert sorted(orders.pop().split()) == ["a", "b", "c", "d", "top"]


# -- byte code


def test_every_way_to_assign_is_known():
    assert byte_code_samples.mistakes(purity) == []


def other_interpreters() -> list[str]:
    """Python 3.11 and later, as pyenv keeps them, but for the one that runs the tests."""
    found = {}
    for path in sorted(Path.home().glob(".pyenv/versions/*/bin/python")):
        version = re.match(r"3\.(\d+)\.", path.parent.parent.name)
        if version and int(version[1]) >= 11 and int(version[1]) != sys.version_info.minor:
            found[version[1]] = str(path)
    return list(found.values())


@pytest.mark.skipif(not other_interpreters(), reason="no other Python 3.11 or later at hand")
def test_it_is_known_in_the_byte_code_of_other_python_versions():
    for interpreter in other_interpreters():
        assert output_of(interpreter, str(SAMPLES), str(PURITY)) == "", interpreter


def output_of(*command: str, seed: str = "0") -> str:
    """What a command writes; it must succeed."""
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
