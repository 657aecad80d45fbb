"""The suite does nothing twice: one way to run a command, and one search of a question."""

import re
from pathlib import Path

import pytest

from tests.conftest import pytest_collection_modifyitems

TESTS = Path(__file__).parents[1]
EXPLORER = TESTS / "explorer"
IN_PLACE = {
    EXPLORER / "commands.py",
    EXPLORER / "dying.py",  # its process dies
    EXPLORER / "test_first_design.py",  # answers are typed
}
ANOTHER_WAY = re.compile(r"^(?!from).*\bentry\.main\(|\bCliRunner\b|setattr\(sys, \"argv\"", re.M)


def test_a_command_is_run_within_the_tests_in_one_way():
    found = {path for path in TESTS.rglob("*.py") if ANOTHER_WAY.search(path.read_text("utf-8"))}
    assert found - {Path(__file__)} == IN_PLACE


@pytest.mark.parametrize(
    ("line", "is_found"),
    [
        ("        entry.main()", True),
        ("done = CliRunner().invoke(app)", True),
        ('monkeypatch.setattr(sys, "argv", ["tierproof"])', True),
        ("from tierproof.command_line.entry import main", False),
        ('done = tierproof("list")', False),
    ],
)
def test_another_way_is_found(line, is_found):
    assert bool(ANOTHER_WAY.search(line)) == is_found


def test_a_slow_test_has_no_limit_of_wall_time_and_another_has(request):
    marked = pytest.Function.from_parent(request.node.parent, name=request.node.name)
    marked.add_marker(pytest.mark.slow)
    pytest_collection_modifyitems([marked, request.node])
    assert [one.args for one in marked.iter_markers("timeout")] == [(0,)]
    assert request.node.get_closest_marker("timeout") is None
