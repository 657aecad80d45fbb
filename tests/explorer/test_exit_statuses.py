"""An exit status has one meaning: 1 is a verdict, 2 bad usage, 3 INCOMPLETE, 4 a fault."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.explorer.commands import as_a_process, tierproof
from tests.explorer.test_command_line import JUGS, TWO_PHASE
from tierproof.command_line import exits, writing

PAGE = Path(__file__).parents[2] / "docs" / "verdicts.md"
FAULTY = """
from typing import Annotated
from tierproof import Design, Range, Scope, State, action, initial

class Cell(State):
    value: Annotated[int, Range(0, 3)]

@initial
def empty(state: Cell) -> None: ...

@action()
def cell_outgrows(state: Cell) -> None:
    state.value += 1

DESIGN = Design(name="cell", title="A cell", state=Cell, initial=(empty,),
                system=(cell_outgrows,), scopes={"only": Scope()})
"""


def test_a_fault_of_a_design_exits_with_4(tmp_path):
    (tmp_path / "faulty.py").write_text(FAULTY)
    done = tierproof("explore", "faulty:DESIGN", folder=tmp_path)
    assert done.returncode == 4
    assert "'cell_outgrows' assigned 4 to value, whose domain is 0..3" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("source", "said"),
    [("1 / 0", "ZeroDivisionError"), (FAULTY.replace("(empty,)", "()"), "no initial state")],
)
def test_a_design_that_cannot_be_imported_exits_with_4(tmp_path, source, said):
    (tmp_path / "faulty.py").write_text(source)
    done = tierproof("explore", "faulty:DESIGN", folder=tmp_path)
    assert (done.returncode, done.stdout) == (4, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_fault_of_tierproof_exits_with_4_and_says_whose_it_is(monkeypatch):
    monkeypatch.setattr("tierproof.register.inventory.of_all", lambda: 1 / 0)
    done = tierproof("list")
    assert done.returncode == exits.FAULT
    assert "this is a fault of tierproof itself" in done.stderr
    assert "ZeroDivisionError" in done.stderr


def test_an_output_that_nobody_reads_is_no_violation():
    reading, writing = os.pipe()
    os.close(reading)
    listing = [sys.executable, "-m", "tierproof", "list", TWO_PHASE]
    done = subprocess.run(listing, stdout=writing, stderr=subprocess.PIPE, text=True)
    os.close(writing)
    assert done.returncode == exits.FAULT
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_command_that_is_interrupted_while_it_imports_exits_with_3(number):
    # The first import that is heavy is where the signal arrives.
    program = f"""
import signal, sys
signal.signal({int(number)}, signal.SIG_DFL)  # a test run in the background ignores it
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "tierproof.command_line.cli":
            import os
            os.kill(os.getpid(), {int(number)})
sys.meta_path.insert(0, Interrupting())
sys.argv = ["tierproof", "explore", "{TWO_PHASE}"]
from tierproof.command_line.entry import main
main()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == exits.INCOMPLETE
    assert done.stderr == "tierproof: interrupted before the search began: INCOMPLETE\n"


def test_an_interrupt_amid_the_output_keeps_the_verdict_and_its_status(monkeypatch):
    def interrupted(*given: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tierproof.command_line.result_table.show_result", interrupted)
    done = tierproof("explore", JUGS)
    assert done.returncode == exits.VIOLATED
    assert done.stderr.endswith("tierproof: interrupted amid the output; the verdict is VIOLATED\n")


def test_an_import_that_makes_another_error_of_an_interrupt_is_interrupted_all_the_same():
    program = """
import signal, sys, types
signal.signal(signal.SIGINT, signal.default_int_handler)
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "tierproof.command_line.cli":
            import os
            try:
                os.kill(os.getpid(), signal.SIGINT)
            except KeyboardInterrupt:
                raise ImportError("numpy.core.multiarray failed to import") from None
sys.meta_path.insert(0, Interrupting())
from tierproof.command_line.entry import main
main()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == exits.INCOMPLETE
    assert "Traceback" not in done.stderr


@pytest.mark.spark
def test_a_master_that_does_not_answer_is_one_sentence():
    done = as_a_process("explore", TWO_PHASE, "--master", "spark://127.0.0.1:1")
    assert done.returncode == 4
    assert done.stderr.strip().count("\n") == 0
    assert "does not answer" in done.stderr


def test_no_java_is_one_sentence(tmp_path):
    done = as_a_process(
        "explore", TWO_PHASE, "--engine", "spark", JAVA_HOME=str(tmp_path), PATH=str(tmp_path)
    )
    assert done.returncode == 4
    assert done.stderr.strip().count("\n") == 0
    assert "Java 17" in done.stderr
    assert "--engine memory" in done.stderr


def test_a_folder_that_cannot_be_written_is_named_before_the_search(tmp_path):
    (tmp_path / "file").write_text("")
    below = tmp_path / "file" / "below"
    for command in (("explore", TWO_PHASE), ("review", "--scope", "smoke")):
        done = tierproof(*command, "--out", str(below))
        assert (done.returncode, done.stdout) == (exits.FAULT, "")
        assert done.stderr == f"tierproof: cannot write to {below}: Not a directory\n"


def test_trying_a_folder_leaves_nothing_of_it(tmp_path):
    writing.check(tmp_path / "not" / "yet")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_the_verdict_comes_first_if_the_disk_is_full_only_after_the_search(
    form, monkeypatch, tmp_path
):
    def fails(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", fails)
    done = tierproof("explore", JUGS, "--out", str(tmp_path), *form)
    assert done.returncode == exits.FAULT
    assert "VIOLATED" in done.stdout
    assert "16" in done.stdout
    assert f"tierproof: cannot write to {tmp_path}: No space left on device\n" in done.stderr


def test_help_and_the_page_of_verdicts_say_what_each_status_means():
    told = " ".join(tierproof("--help").stdout.split())
    assert exits.STATUSES in told
    assert "4 a fault of the design, of tierproof or of the machine" in told
    assert "| 4 | a fault of the design" in PAGE.read_text("utf-8")


def test_a_violation_alone_exits_with_1():
    assert as_a_process("explore", JUGS).returncode == exits.VIOLATED
    assert tierproof("explore", TWO_PHASE, "--scope", "three").returncode == exits.HOLDS
