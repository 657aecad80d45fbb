"""A worker that would run anything else than the driver ends the run, and says what differs."""

import importlib
import sys
import traceback
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tierproof.spark_explorer import identity as identities
from tierproof.spark_explorer.execution import Unlike
from tierproof.spark_explorer.identity import Identity, kernel_of
from tierproof.spark_explorer.kept.run import Run
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.results import Result, Verdict
from tierproof.spark_explorer.search import explore
from tierproof.spark_explorer.spark.session import plain_errors

COUNTERS = """
from typing import Annotated
from tierproof import (
    Array, Design, Index, Range, Scope, State, action, bound, guard, initial, invariant
)

class Size(Scope):
    top: int = bound(1, 9, default=3)

Counter = Annotated[int, Index(4)]
STRIDES = (1, 2)
LIMIT = 9

class Counters(State):
    value: Annotated[list[Annotated[int, Range(0, 9)]], Array(4)]

@initial
def zero(state: Counters) -> None:
    pass

def stride(value: int) -> int:
    return STRIDES[value % 2]

@guard
def is_below(state: Counters, counter: Counter) -> bool:
    return state.value[counter] + stride(state.value[counter]) <= LIMIT

@action(guards=[is_below])
def counter_rises(state: Counters, counter: Counter) -> None:
    state.value[counter] += stride(state.value[counter])

@invariant()
def stays_below(state: Counters) -> bool:
    return all(value < 10 for value in state.value)

DESIGN = Design(name="counters", title="Counters", state=Counters, initial=(zero,),
                system=(counter_rises,), properties=(stays_below,), scopes={"only": Size()})
"""


class Saved:
    """A design's file, as a driver has read it, that is saved once more."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / f"counters_{folder.name}.py"
        self.path.write_text(COUNTERS)
        self.question = Question(design=str(self.path))
        self.kernel = Kernel(*self.question.resolve())
        self.identity = Identity.of(self.kernel)

    def again(self, old: str, new: str) -> None:
        """Save another text, which a worker imports."""
        assert old in COUNTERS
        self.path.write_text(COUNTERS.replace(old, new))
        sys.modules.pop(self.path.stem, None)
        importlib.invalidate_caches()


@pytest.fixture
def saved(tmp_path, monkeypatch) -> Saved:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return Saved(tmp_path)


def test_a_worker_that_reads_the_same_text_runs_it(saved):
    saved.again("pass", "pass  # a comment changes nothing")
    assert Identity.of(kernel_of(saved.question, saved.identity)) == saved.identity


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("<= LIMIT", "< LIMIT", "the function 'is_below'"),
        ("+= stride", "+= 1 * stride", "the function 'counter_rises'"),
        ("value < 10", "value < 9", "the function 'stays_below'"),
        ("LIMIT = 9", "LIMIT = 8", "the function 'is_below'"),
        ("STRIDES = (1, 2)", "STRIDES = (1, 3)", "a tuple of numbers"),
        ("Range(0, 9)", "Range(0, 10)", "the state, or a domain,"),
        ("default=3", "default=4", "the scope"),
        ("@action(", "@action(stutters=True, ", "the table of guards"),
        ("counter_rises", "counter_climbs", "the list of actions"),
        ("properties=(stays_below,), ", "", "the list of properties"),
        ("    pass", "    half a line of", "cannot read the design"),
        ("DESIGN = Design(", "DESIGN = dict(", "cannot read the design"),
    ],
)
def test_a_worker_that_reads_another_text_says_what_differs(saved, old, new, told):
    saved.again(old, new)
    with pytest.raises(Unlike, match=r"start again, and leave the files as they are") as raised:
        kernel_of(saved.question, saved.identity)
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_worker_whose_constant_was_changed_after_its_import_says_so(saved, monkeypatch):
    monkeypatch.setattr(sys.modules[saved.path.stem], "LIMIT", 7)
    with pytest.raises(Unlike, match="the function 'is_below'"):
        kernel_of(saved.question, saved.identity)


@pytest.mark.parametrize("name", ["Python", "numpy", "numba", "llvmlite", "pyarrow", "tierproof"])
def test_a_worker_with_another_version_says_which_and_what_to_do(saved, name):
    software = tuple((one, "0.0" if one == name else had) for one, had in identities.software())
    driver = replace(saved.identity, software=software)
    with pytest.raises(Unlike, match=rf"has {name} .*, and the driver 0\.0: install the same"):
        kernel_of(saved.question, driver)


def test_a_checkout_of_tierproof_that_was_changed_has_another_version(monkeypatch, tmp_path):
    module = tmp_path / "changed_checkout" / "__init__.py"
    module.parent.mkdir()
    module.write_text("ONE = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(identities, "OURS", (importlib.import_module("changed_checkout"),))
    before = identities._own_version()
    module.write_text("ONE = 2\n")
    assert identities._own_version() != before


def test_the_text_of_tierproof_is_read_from_a_wheel_too(monkeypatch, tmp_path):
    """Else another text of the same version would pass for the driver's."""
    versions = []
    for number in (1, 2):
        with zipfile.ZipFile(tmp_path / f"{number}.zip", "w") as wheel:
            wheel.writestr("in_a_wheel/__init__.py", "")
            wheel.writestr("in_a_wheel/room/__init__.py", f"ONE = {number}\n")
        with monkeypatch.context() as patched:
            patched.syspath_prepend(tmp_path / f"{number}.zip")
            patched.delitem(sys.modules, "in_a_wheel", raising=False)
            patched.setattr(identities, "OURS", (importlib.import_module("in_a_wheel"),))
            versions.append(identities._own_version())
    assert versions[0] != versions[1]


def test_a_file_that_another_run_wrote_is_refused(tmp_path):
    run = Run(str(tmp_path), 1, "of one design")
    run.commit(0, [run.write(0, [np.zeros((0, 1), np.uint64)])])
    assert len(run.states(0)) == 0
    other = replace(run, identity="of another")
    with pytest.raises(Unlike, match="written for another design, or by another version"):
        other.states(0)


def test_the_driver_says_what_the_worker_said():
    lines = "".join(traceback.format_exception(Unlike("a worker has numpy 1, the driver 2")))
    with pytest.raises(Unlike, match=r"^a worker has numpy 1, the driver 2$"), plain_errors():
        raise RuntimeError(f"Job aborted:\n{lines}\n\tat org.apache.spark.api.Runner.run()\n")


def explored_on_spark(saved: Saved) -> Result:
    """An exploration that hands over to the workers at its first large level."""
    from tierproof.spark_explorer.spark.execution import SparkExecution

    design, scope = saved.kernel.design, saved.kernel.scope
    return explore(
        design, scope, lambda kernel: SparkExecution(kernel, saved.question, on_driver=20)
    )


@pytest.mark.spark
def test_a_file_that_is_saved_while_spark_explores_it_ends_the_run(saved):
    saved.again("<= LIMIT", "<= 4")
    result = explored_on_spark(saved)
    assert "the function 'is_below' of 'counters' is not what the driver has read" in str(
        result.cut
    )
    assert [entry.verdict for entry in result.properties] == [Verdict.INCOMPLETE]
