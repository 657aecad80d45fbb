"""The progress of searches is shown on the display that there is, or as lines."""

from __future__ import annotations

import io
import time
from dataclasses import dataclass, field

import pytest
from rich.console import Console

from tests.toys import two_phase_commit
from tierproof.command_line import progress_bars
from tierproof.command_line.progress_bars import ProgressBars, bars_in_a_terminal
from tierproof.spark_explorer import watching
from tierproof.spark_explorer.display import DISPLAYS, Point
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.search import explore
from tierproof.spark_explorer.watching import BEGINNING, Watching


@dataclass
class Notebook:
    """A display that notes what it is asked to show."""

    notes: list[str] = field(default_factory=list)

    def start(self) -> None:
        self.notes.append("start")

    def stop(self) -> None:
        self.notes.append("stop")

    def add(self, title: str, words: str) -> int:
        self.notes.append(f"{title}: {words}")
        return 7

    def update(self, number: int, title: str, point: Point) -> None:
        self.notes.append(f"{number} {title} {point.where}")

    def remove(self, number: int) -> None:
        self.notes.append(f"remove {number}")


@pytest.fixture
def notebook():
    """The display of every search in a test."""
    made = Notebook()
    token = DISPLAYS.set(lambda: made)
    yield made
    DISPLAYS.reset(token)


def searched(*, visible: bool) -> None:
    toy = two_phase_commit.DESIGN
    with Watching(visible) as shown, shown.search("toy") as watch:
        explore(toy, toy.scope("three"), MemoryExecution, watch=watch)


def test_a_search_is_shown_from_its_beginning_to_its_end(notebook):
    searched(visible=True)
    begun, *levels, removed, stopped = notebook.notes[1:]
    assert (notebook.notes[0], begun) == ("start", f"toy: {BEGINNING}")
    assert {"7 toy level 0", "7 toy level 1"} <= set(levels)
    assert (removed, stopped) == ("remove 7", "stop")


def test_a_search_that_is_not_to_be_seen_has_no_display(notebook):
    searched(visible=False)
    assert notebook.notes == []


def test_without_a_display_progress_is_a_line_now_and_then(monkeypatch, capsys):
    monkeypatch.setattr(watching, "SECONDS_BETWEEN_LINES", 0.01)
    with Watching(visible=True) as shown, shown.search("[toy]"):
        for _ in range(200):
            if lines := capsys.readouterr().err.splitlines():
                break
            time.sleep(0.01)
    assert lines[0] == f"[toy]: {BEGINNING}"


def test_bars_show_the_title_the_phase_and_the_numbers():
    text = io.StringIO()
    console = Console(file=text, force_terminal=True, width=120)
    bars = ProgressBars(console)
    bars.start()
    number = bars.add("toy three", BEGINNING)
    bars.update(number, "toy three", Halfway())
    bars.bars.refresh()
    bars.stop()
    assert "toy three  level 4" in text.getvalue()
    assert "12 of 24" in text.getvalue()


@dataclass(frozen=True)
class Halfway:
    where: str = "level 4"
    numbers: str = "12 of 24"
    share: float = 0.5


@pytest.mark.parametrize("is_terminal", [True, False])
def test_there_are_bars_in_a_terminal_only(is_terminal, monkeypatch):
    console = Console(file=io.StringIO(), force_terminal=is_terminal)
    monkeypatch.setattr(progress_bars, "Console", lambda stderr: console)
    assert (bars_in_a_terminal() is not None) == is_terminal
