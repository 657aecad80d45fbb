"""A design is found by the path of its file, as Python would import it."""

import pytest

from tests.explorer.test_exit_statuses import FAULTY, in_folder
from tierproof.model.language.errors import NoSuchDesign
from tierproof.spark_explorer.question import Question


def resolved(words, folder):
    return Question(design=words, folder=str(folder)).resolve()[0]


def test_a_file_in_another_folder_imports_its_neighbours(tmp_path):
    below = tmp_path / "designs"
    below.mkdir()
    (below / "a_cell_of_ours.py").write_text(FAULTY)
    (below / "neighbour_of_it.py").write_text("from a_cell_of_ours import DESIGN")
    assert resolved("designs/neighbour_of_it.py:DESIGN", tmp_path).name == "cell"
    assert resolved(f"{below}/a_cell_of_ours.py:DESIGN", tmp_path.parent).name == "cell"


def test_a_file_of_a_package_has_its_name_there(tmp_path):
    package = tmp_path / "package_of_ours"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "base.py").write_text(FAULTY)
    (package / "design.py").write_text("from .base import DESIGN")
    assert resolved("package_of_ours/design.py:DESIGN", tmp_path).name == "cell"


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(NoSuchDesign, match=r"there is no file .*nowhere\.py"):
        resolved("nowhere.py:DESIGN", tmp_path)


def test_a_file_with_the_name_of_another_module_is_refused_and_both_are_named(tmp_path):
    (tmp_path / "json.py").write_text(FAULTY)
    with pytest.raises(NoSuchDesign, match=r"another module json \(.*json/__init__\.py\)"):
        resolved("json.py:DESIGN", tmp_path)


def test_the_command_takes_a_path(tmp_path):
    (tmp_path / "cell_in_a_file.py").write_text(FAULTY)
    done = in_folder(tmp_path, "explore", "./cell_in_a_file.py:DESIGN")
    assert "FAULT of the design after 3 steps" in done.stdout
    assert in_folder(tmp_path, "explore", "cell_in_a_fil.py:DESIGN").returncode == 2
