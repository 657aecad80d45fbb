"""A design is found by the path of its file, as Python would import it."""

import pytest

from tests.explorer.commands import tierproof
from tests.explorer.test_exit_statuses import FAULTY
from tierproof.model.language.errors import DesignError, NoSuchDesign, UnknownName
from tierproof.spark_explorer.question import Question

ENDS = """def empty(state: Cell) -> None:
    sys.exit(0)"""


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


def test_a_file_with_one_design_needs_no_name(tmp_path):
    (tmp_path / "cell_alone.py").write_text(FAULTY)
    assert resolved("cell_alone.py", tmp_path).name == "cell"


def test_of_several_designs_in_a_file_the_one_called_design_is_taken(tmp_path):
    (tmp_path / "cell_of_others.py").write_text(FAULTY.replace('name="cell"', 'name="other"'))
    own = "from cell_of_others import DESIGN as OTHER\n" + FAULTY
    (tmp_path / "cell_beside_another.py").write_text(own)
    assert resolved("cell_beside_another.py", tmp_path).name == "cell"


def test_of_a_file_with_several_designs_one_has_to_be_named(tmp_path):
    text = FAULTY.replace("DESIGN =", "ONE =") + "\nOTHER = ONE\n"
    (tmp_path / "two_cells.py").write_text(text)
    with pytest.raises(NoSuchDesign, match=r"say which, two_cells\.py:ONE, two_cells\.py:OTHER"):
        resolved("two_cells.py", tmp_path)


def test_an_imported_design_is_not_taken_for_the_one_that_builds_on_it(tmp_path):
    (tmp_path / "cell_below.py").write_text(FAULTY)
    (tmp_path / "cell_above.py").write_text("from cell_below import DESIGN\nMINE = DESIGN\n")
    with pytest.raises(NoSuchDesign, match=r"say which, .*:DESIGN, .*:MINE"):
        resolved("cell_above.py", tmp_path)


def test_a_wrong_name_in_a_file_brings_the_names_of_its_designs_only(tmp_path):
    (tmp_path / "cell_named.py").write_text(FAULTY)
    with pytest.raises(UnknownName, match=r"unknown design in .* 'DESING': did you mean DESIGN\?"):
        resolved("cell_named.py:DESING", tmp_path)


def test_a_file_without_a_design_says_so(tmp_path):
    (tmp_path / "no_cell.py").write_text("from tierproof import Design\n")
    with pytest.raises(NoSuchDesign, match=r"no_cell\.py has no design: assign one"):
        resolved("no_cell.py:DESIGN", tmp_path)


def test_an_error_of_an_import_names_the_line_of_the_users_file(tmp_path):
    (tmp_path / "breaks_in_it.py").write_text("def half(n):\n    return n / 0\n\nhalf(1)\n")
    with pytest.raises(DesignError, match=r"ZeroDivisionError: .*breaks_in_it\.py, line 2\)"):
        resolved("breaks_in_it.py:DESIGN", tmp_path)


def test_the_command_takes_a_path(tmp_path):
    (tmp_path / "cell_in_a_file.py").write_text(FAULTY)
    done = tierproof("explore", "./cell_in_a_file.py:DESIGN", folder=tmp_path)
    assert "FAULT of the design after 3 steps" in done.stdout
    assert tierproof("explore", "cell_in_a_fil.py:DESIGN", folder=tmp_path).returncode == 2


@pytest.mark.parametrize(
    "source",
    [
        "import sys\nsys.exit(0)\n",
        "raise SystemExit\n",
        "class Odd(BaseException): ...\nraise Odd\n",
    ],
)
def test_a_file_that_ends_python_ends_its_import_with_a_word(source, tmp_path):
    name = f"ends_python_{len(source)}"
    (tmp_path / f"{name}.py").write_text(source)
    with pytest.raises(DesignError, match=rf"importing {name} raised (SystemExit|Odd)"):
        resolved(f"{name}.py:DESIGN", tmp_path)


def test_an_initial_function_that_ends_python_is_named(tmp_path):
    source = FAULTY.replace("def empty(state: Cell) -> None: ...", ENDS)
    (tmp_path / "ends_at_first.py").write_text(f"import sys\n{source}")
    done = tierproof("explore", "ends_at_first.py", folder=tmp_path)
    assert done.returncode == 4
    assert "'empty' raised SystemExit: 0" in done.stderr


def test_words_of_a_design_that_end_python_end_with_a_word(tmp_path):
    source = FAULTY.replace(
        'title="A cell"', 'title="A cell", words={"value": lambda *_: sys.exit(3)}'
    )
    (tmp_path / "ends_in_words.py").write_text(f"import sys\n{source}")
    done = tierproof("explore", "ends_in_words.py", folder=tmp_path)
    assert done.returncode == 4
    assert "a function of the design has called sys.exit(3)" in done.stderr
