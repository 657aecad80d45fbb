"""The ablation matrix as a table and as a picture: every cell says what was seen."""

from dataclasses import replace
from xml.etree import ElementTree

from tests.diagrams.samples import step, trace
from tierproof.diagrams import (
    AblationCell,
    AblationMatrix,
    AblationRow,
    ablation_as_markdown,
    ablation_as_svg,
)

BROKEN = AblationCell(
    name="committed_records_stay_readable",
    verdict="VIOLATED",
    before="HOLDS",
    steps=2,
    is_protected=True,
    trace=trace(step(), step(action="leader_deletes_segment")),
)
HELD = AblationCell(
    name="every_object_is_tracked", verdict="HOLDS", before="HOLDS", steps=None, is_protected=False
)
ANYWAY = replace(HELD, verdict="VIOLATED", before="VIOLATED", steps=7)
UNKNOWN = replace(HELD, verdict="INCOMPLETE")
ROW = AblationRow(
    name="is_copied",
    kind="fence",
    statement="The copy is <whole>.",
    variants=(),
    setting="",
    scope="smoke",
    protects=("committed_records_stay_readable",),
    stays="",
    cells=(BROKEN, HELD),
)
STATEMENTS = {
    "every_object_is_tracked": "The topic knows of every object.",
    "committed_records_stay_readable": "Committed records stay readable.",
    "nobody_waits": "Never in the matrix.",
}


def matrix(*rows: AblationRow) -> AblationMatrix:
    return AblationMatrix(
        design="kip405", title="Ablation of kip405", rows=rows, statements=STATEMENTS
    )


def test_columns_are_what_breaks_and_what_is_named_in_the_order_of_the_design():
    assert matrix(ROW).columns == ("committed_records_stay_readable",)
    named = replace(ROW, protects=("every_object_is_tracked",), cells=(BROKEN,))
    assert matrix(named).columns == ("every_object_is_tracked", "committed_records_stay_readable")


def test_markdown_has_the_table_the_properties_and_the_steps():
    text = ablation_as_markdown(matrix(ROW))
    assert "| `is_copied` | smoke | needed | **✗ 2** |" in text
    assert "1. `committed_records_stay_readable`: Committed records stay readable." in text
    assert " 2. broker 1: leader_deletes_segment(broker=1, segment=0)" in text


def test_a_violation_that_needs_no_part_is_in_brackets_and_has_no_trace():
    text = ablation_as_markdown(matrix(ROW, replace(ROW, name="is_late", cells=(BROKEN, ANYWAY))))
    assert "(✗ 7)" not in text.split("✗ n:")[0]
    named = replace(ROW, protects=(ANYWAY.name,), cells=(replace(ANYWAY, is_protected=True),))
    assert named.word == "violated with it, too"
    assert "(✗ 7)" in ablation_as_markdown(matrix(named)).split("✗ n:")[0]


def test_what_is_not_known_is_no_answer():
    assert replace(ROW, cells=(replace(UNKNOWN, is_protected=True),)).word == "INCOMPLETE"
    assert replace(ROW, cells=()).word == "INCOMPLETE"
    assert replace(ROW, protects=(), cells=(UNKNOWN,)).word == "INCOMPLETE"
    assert replace(ROW, cells=(replace(BROKEN, before="INCOMPLETE"),)).word == "INCOMPLETE"


def test_the_picture_is_well_formed_and_names_every_part_property_and_cell():
    svg = ablation_as_svg(matrix(ROW, replace(ROW, name="is_late", setting="all repairs")))
    root = ElementTree.fromstring(svg)
    texts = [text for text in root.itertext() if text.strip()]
    assert {"is_copied", "is_late", "smoke, with all repairs", "needed"} <= set(texts)
    assert texts.count("✗ 2") == 2
    assert "is_copied, committed_records_stay_readable: violated without it, after 2 steps" in texts
    assert "The copy is <whole>." in texts


def test_the_picture_is_wide_enough_for_its_names_and_carries_its_style_only_alone():
    wide = replace(ROW, name="is_" + "very_" * 30 + "long")
    narrow, large = (ElementTree.fromstring(ablation_as_svg(matrix(one))) for one in (ROW, wide))
    assert float(large.attrib["width"]) > float(narrow.attrib["width"]) + 600
    assert "prefers-color-scheme: dark" in ablation_as_svg(matrix(ROW))
    assert "<style>" not in ablation_as_svg(matrix(ROW), is_standalone=False)


def test_the_same_matrix_gives_the_same_bytes():
    assert ablation_as_svg(matrix(ROW)) == ablation_as_svg(matrix(ROW))
