"""A link imports no file: of the edits in files it may name those of the start of the server."""

import pytest

from tierproof.serve.settings import Offered
from tierproof.spark_explorer.own_variants import NoSuchVariant
from tierproof.spark_explorer.question import Question

LAMP = "tests.toys.lamp:DESIGN"
EDIT = """from tests.toys.lamp import lamp_flickers
from tierproof import Edit
STEADY = Edit(drop=(lamp_flickers,))
"""
WORDS = "steady_lamp.py:STEADY"


@pytest.fixture
def asked(tmp_path):
    (tmp_path / "steady_lamp.py").write_text(EDIT)
    return Question(design=LAMP, variants=(WORDS,), folder=str(tmp_path))


def test_a_link_imports_no_edit_that_was_not_named_at_the_start(asked):
    with pytest.raises(NoSuchVariant, match="a link imports none: name it at the start"):
        Offered(LAMP, folder=asked.folder).setting(asked)


def test_an_assistant_imports_no_edit_in_a_file(asked):
    with pytest.raises(NoSuchVariant, match="a link imports none"):
        Offered(folder=asked.folder, has_files=True).setting(
            Question(design="kip405", variants=asked.variants)
        )


def test_an_edit_that_was_named_at_the_start_can_be_ticked(asked):
    setting = Offered(LAMP, folder=asked.folder, variants=asked.variants).setting(asked)
    assert setting.design.chosen_variants == (WORDS,)
    assert WORDS in {one.name for one in setting.plain.variants}
