"""An edit in a user's file is a variant of any design, and belongs to the identity of what it asks.

A result that was kept with one text of the file is none of another text.
"""

import json

import pytest

from tests.explorer.commands import tierproof
from tierproof.model.language.errors import DesignError, UnknownName
from tierproof.spark_explorer.execution import Unlike
from tierproof.spark_explorer.identity import Identity, compiled, kernel_of
from tierproof.spark_explorer.own_variants import NoSuchVariant
from tierproof.spark_explorer.question import Question

LAMP = "tests.toys.lamp:DESIGN"
BEGINNING = '''"""Edits of a lamp."""
from tests.toys.lamp import dim, lamp_flickers, lamp_is_turned, light_is_no_debt
from tests.toys.lamp import is_night
from tierproof.model.language import Edit, Variant, invariant
'''
STEADY = BEGINNING + "STEADY = Edit(drop=(lamp_flickers,))\n"
"""A file with one edit: nothing flickers."""
SEVERAL = BEGINNING + (
    "FIRST = Variant(name='first', because='It dims.', also={lamp_is_turned: dim})\n"
    "SECOND = Edit(drop=(lamp_flickers,))\n"
)


def asked(folder, *variants, **given):
    return Question(design=LAMP, variants=variants, folder=str(folder), **given)


def file_of(folder, text, name):
    (folder / name).write_text(text)
    return name


# -- which edit is meant


def test_an_edit_in_a_file_changes_the_design_and_is_named_by_its_words(tmp_path):
    file_of(tmp_path, STEADY, "steady.py")
    design, _ = asked(tmp_path, "steady.py:STEADY").resolve()
    assert "lamp_flickers" not in {act.name for act in design.actions}
    assert design.chosen_variants == ("steady.py:STEADY",)


def test_an_edit_in_a_module_is_named_as_python_imports_it(tmp_path):
    file_of(tmp_path, STEADY, "steady_module.py")
    design, _ = asked(tmp_path, "steady_module:STEADY").resolve()
    assert design.chosen_variants == ("steady_module:STEADY",)


def test_a_file_with_one_edit_needs_no_name(tmp_path):
    file_of(tmp_path, STEADY, "steady_alone.py")
    assert asked(tmp_path, "steady_alone.py").resolve()[0].chosen_variants == ("steady_alone.py",)


def test_of_several_edits_in_a_file_the_one_called_variant_is_taken(tmp_path):
    file_of(tmp_path, SEVERAL.replace("SECOND", "VARIANT"), "one_is_called_so.py")
    design, _ = asked(tmp_path, "one_is_called_so.py").resolve()
    assert "lamp_flickers" not in {act.name for act in design.actions}


def test_of_several_edits_one_has_to_be_named(tmp_path):
    file_of(tmp_path, SEVERAL, "two_edits.py")
    with pytest.raises(NoSuchVariant, match=r"say which, two_edits\.py:FIRST, two_edits\.py:SECO"):
        asked(tmp_path, "two_edits.py").resolve()


def test_several_are_taken_together_also_where_one_comes_after_another(tmp_path):
    text = SEVERAL + (
        "FENCE = Variant(name='f', because='Night.', fence={lamp_is_turned: is_night})\n"
        "GONE = {lamp_is_turned: is_night}\n"
        "OFF = Variant(name='o', because='Day.', after=(FENCE,), unfence=GONE)\n"
    )
    file_of(tmp_path, text, "one_after_another.py")
    words = ("one_after_another.py:OFF", "one_after_another.py:FENCE")
    design, _ = asked(tmp_path, *words).resolve()
    assert (
        design.action("lamp_is_turned").guards
        == asked(tmp_path).resolve()[0].action("lamp_is_turned").guards
    )
    assert design.chosen_variants == words


def test_it_is_taken_beside_variants_that_were_chosen_before(tmp_path):
    file_of(tmp_path, SEVERAL, "beside_others.py")
    first, second = (f"beside_others.py:{name}" for name in ("FIRST", "SECOND"))
    changed, _ = asked(tmp_path, first).resolve()
    both, _ = asked(tmp_path, second).put_to(changed)
    assert both.chosen_variants == (first, second)


# -- what is refused


@pytest.mark.parametrize(
    ("text", "words", "error", "told"),
    [
        ("X = 1\n", "{}.py:X", NoSuchVariant, "has no edit: assign one, X = Edit"),
        ("X = 1\n", "{}.py", NoSuchVariant, "has no edit: assign one, VARIANT = Edit"),
        (STEADY, "{}.py:STEDY", UnknownName, "unknown edit in .*: did you mean STEADY"),
        (STEADY, "{}.py:dim", NoSuchVariant, "is a function, not an Edit or a Variant"),
        (STEADY, "no_{}.py:STEADY", DesignError, r"there is no file .*no_refused_\d\.py"),
        (STEADY, "no_{}:STEADY", DesignError, r"there is no module 'no_refused_\d'"),
        ("half = 1 / 0\n", "{}.py", DesignError, r"ZeroDivisionError.*refused_\d\.py, line 1"),
        (BEGINNING + "X = Edit()\n", "{}.py:X", NoSuchVariant, "asks for nothing"),
    ],
)
def test_what_is_no_edit_is_refused_by_name(text, words, error, told, tmp_path, request):
    name = f"refused_{request.node.callspec.indices['text']}"
    (tmp_path / f"{name}.py").write_text(text)
    with pytest.raises(error, match=told):
        asked(tmp_path, words.format(name)).resolve()


def test_an_edit_of_another_design_names_what_this_one_does_not_have(tmp_path):
    file_of(tmp_path, STEADY, "of_another.py")
    question = Question(
        design="tests.toys.clock:DESIGN", variants=("of_another.py:STEADY",), folder=str(tmp_path)
    )
    with pytest.raises(UnknownName, match="'lamp_flickers'"):
        question.resolve()


# -- the identity


def test_another_text_of_the_file_is_another_identity_though_the_code_is_the_same(tmp_path):
    file = tmp_path / "commented.py"
    file.write_text(STEADY)
    question = asked(tmp_path, "commented.py")
    kernel = compiled(question)
    before = Identity.of(kernel, question)
    file.write_text(STEADY + "# a word\n")
    after = Identity.of(kernel, question)
    assert before.digest != after.digest
    assert set(after.design) ^ set(before.design) == {before.design[0], after.design[0]}
    assert before.design[0][0] == "the file of variant 'commented.py'"


def test_a_kept_run_of_another_text_is_not_gone_on_with(tmp_path):
    file = tmp_path / "saved_since.py"
    file.write_text(STEADY)
    run = str(tmp_path / "run")
    options = ("--run", run, "--variant", "saved_since.py")
    assert tierproof("explore", LAMP, *options, folder=tmp_path).returncode == 0
    assert tierproof("show", run, folder=tmp_path).returncode == 0
    file.write_text(STEADY.replace("drop=(lamp_flickers,)", "also={lamp_is_turned: dim}"))
    done = tierproof("show", run, folder=tmp_path)
    assert done.returncode == 4
    assert "the file of variant 'saved_since.py'" in done.stderr
    assert "begin another run" in done.stderr


def test_a_worker_with_another_text_of_the_file_is_refused(tmp_path):
    (tmp_path / "on_a_worker.py").write_text(STEADY)
    question = asked(tmp_path, "on_a_worker.py")
    identity = Identity.of(compiled(question), question)
    assert kernel_of(question, identity).design.chosen_variants == ("on_a_worker.py",)
    (tmp_path / "on_a_worker.py").write_text(STEADY + "# another\n")
    with pytest.raises(Unlike, match=r"the file of variant 'on_a_worker\.py'.* is not what the"):
        kernel_of(question, identity)


def test_a_worker_that_does_not_have_the_file_says_which(tmp_path):
    (tmp_path / "only_here.py").write_text(STEADY)
    question = asked(tmp_path, "only_here.py")
    identity = Identity.of(compiled(question), question)
    (tmp_path / "only_here.py").unlink()
    with pytest.raises(Unlike, match=r"there is no file .*only_here\.py"):
        kernel_of(question, identity)


# -- the commands


def test_a_result_names_it_and_so_does_its_trace(tmp_path):
    text = BEGINNING + (
        "@invariant()\ndef stays_dark(state) -> bool:\n"
        '    """It stays dark."""\n    return state.light == 0\n\n\n'
        "DARK = Edit(add_properties=(stays_dark,))\n"
    )
    file_of(tmp_path, text, "dark.py")
    options = ("--variant", "dark.py:DARK")
    done = tierproof(
        "explore", LAMP, *options, "--out", "o", "--trace-format", "itf", folder=tmp_path
    )
    assert done.returncode == 1
    assert "variant dark.py:DARK" in done.stdout
    assert json.loads((tmp_path / "o" / "result.json").read_text())["variants"] == ["dark.py:DARK"]
    trace = "o/stays_dark.itf.json"
    assert "--variant dark.py:DARK" in tierproof("trace", LAMP, trace, folder=tmp_path).stderr
    again = tierproof("trace", LAMP, trace, *options, folder=tmp_path)
    assert again.returncode == 0
    assert "stays_dark" in again.stdout
    step = "lamp_is_switched_off()"
    why = tierproof("why", LAMP, trace, step, *options, "--json", folder=tmp_path)
    assert json.loads(why.stdout)["variants"] == ["dark.py:DARK"]
    other = tierproof("what-if", LAMP, trace, step, "--at", "1", *options, folder=tmp_path)
    assert other.returncode == 0


@pytest.mark.parametrize(
    "command",
    [
        ("explore", "--engine", "simulate", "--walks", "2"),
        ("size",),
        ("ablate", "--guards", "--scope", "house"),
        ("draw",),
        ("diff",),
    ],
)
def test_every_command_with_variants_takes_it(command, tmp_path):
    file_of(tmp_path, STEADY, "everywhere.py")
    name, *rest = command
    done = tierproof(name, LAMP, *rest, "--variant", "everywhere.py:STEADY", folder=tmp_path)
    assert done.returncode in (0, 1, 3), done.stderr
    unknown = tierproof(name, LAMP, *rest, "--variant", "nowhere.py:STEADY", folder=tmp_path)
    assert unknown.returncode == 2
    assert "there is no file" in unknown.stderr


def test_what_an_edit_needs_of_a_design_is_listed_line_by_line():
    done = tierproof("list", LAMP, "--source")
    assert (
        "next_light(state)  from tests.toys.lamp import next_light  by action lamp_is_turned"
        in (line.strip() for line in done.stdout.splitlines())
    )
    told = json.loads(tierproof("list", LAMP, "--source", "--json").stdout)
    assert told["import"] == LAMP
    assert tierproof("list", "--source").returncode == 2
