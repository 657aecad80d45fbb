"""Another project with a pytest of its own, and modules that are called as rooms of tierproof."""

from tests.pytest_plugin.projects import MODEL

TESTS = '''
"""What the project tests of its room."""

import diagrams
import model
import pytest


def test_the_repaired_room_is_safe(explore):
    assert diagrams.TITLE == "ours"
    explore(model.DESIGN, variants=model.REPAIR)


def test_the_room_is_not(explore):
    explore(model.DESIGN)


@pytest.mark.tierproof(designs=[model.DESIGN], scopes=["one", "four"], variants=[model.REPAIR])
def test_each_scope(explore):
    explore()


def test_at_large(drive):
    drive(model.DESIGN, scope="four", variants=model.REPAIR)
'''

FILES = {
    "model.py": MODEL,
    "diagrams.py": 'TITLE = "ours"\n',
    "tests/test_room.py": TESTS,
    "pytest.ini": "[pytest]\npythonpath = .\n",
}
