"""The offsets as a table of text: it says what the drawing says, in the columns of a mail."""

import pytest

from tests.designs.stored_traces import STORED, trace_of
from tests.diagrams.test_offsets import LONG, PICTURE, box, mark
from tierproof.diagrams.offsets_text import WIDTH, offsets_as_text
from tierproof.model.language.offset_picture import Look, OffsetPicture, Row, pictures_of


def table(*pictures):
    captions = ("At first", "After step 3", "In the end")
    return offsets_as_text(list(zip(captions, pictures, strict=False)))


def row(lines, name):
    """The words of the lines that begin with a name, column by column."""
    (found,) = [line for line in lines if line.strip().startswith(f"{name}  ")]
    return [part.strip() for part in found.strip().removeprefix(name).split("  ") if part]


def of(*rows):
    return OffsetPicture(end=9, rows=rows)


def test_every_value_of_a_broker_has_a_line():
    lines = table(PICTURE)
    assert row(lines, "broker 0") == ["leader, epoch 1"]
    assert row(lines, "log start") == ["0"]
    assert row(lines, "highest remote") == ["0"]
    assert row(lines, "high watermark") == ["1"]
    assert row(lines, "log end") == ["2"]


def test_it_says_what_is_local_and_what_is_remote():
    lines = table(PICTURE)
    assert row(lines, "local segments") == ["0 epoch 0; 1 epoch 1"]
    at = lines.index(next(line for line in lines if "local segments" in line))
    assert lines[at + 1].split() == ["2", "empty,", "active"]
    assert row(lines, "remote tier") == ["id 0 finished: 0"]
    assert "id 1 orphan: 0-1" in "\n".join(lines)


def test_an_alarm_comes_first():
    assert row(table(of(Row(name="broker 0", alarm="zombie", notes=("old",)))), "broker 0") == [
        "zombie"
    ]


def test_each_state_has_a_column():
    before, after = (
        of(Row(name="broker 0", marks=(mark("log start", n),), boxes=(box(n, 2),))) for n in (0, 1)
    )
    lines = table(before, after)
    assert lines[0].split() == ["At", "first", "After", "step", "3"]
    assert row(lines, "log start") == ["0", "1"]
    assert row(lines, "local segments") == ["0-1", "1"]


def test_states_that_are_equal_share_a_column():
    assert "At first, after step 3, in the end" in table(LONG, LONG, LONG)[0]


def test_neighbours_with_the_same_label_are_told_together_and_segments_are_not():
    served = [box(n, n + 1, "served", Look.FAINT, label="local") for n in range(3)]
    hole = box(3, 4, "hole", Look.MISSING, label="hole")
    lines = table(
        of(Row(name="committed", boxes=(*served, hole)), Row(name="r", boxes=(box(4, 5),)))
    )
    assert row(lines, "committed") == ["0-2 local"]
    assert "3 hole" in "\n".join(lines)
    apart = of(Row(name="log", marks=(mark("log end", 2),), boxes=(box(0, 1), box(1, 2))))
    assert "0-1" not in "\n".join(table(apart))


def test_batches_that_look_alike_are_not_told_together():
    twice = of(Row(name="log", boxes=(box(0, 3, records=("P0 #0", "", "P0 #0")),)))
    assert "0-1 P0 #0; 2 P0 #0" in "\n".join(table(twice))


def test_what_repeats_the_metadata_topic_is_left_out_unless_it_changes():
    knows = Row(name="cache of broker 0", text="knows what the metadata topic says", is_detail=True)
    lags = Row(name="cache of broker 0", text="knows no segment", is_detail=True)
    broker = Row(name="broker 0", notes=("leader",))
    assert "cache" not in "\n".join(table(of(broker, knows)))
    assert row(table(of(broker, knows), of(broker, lags)), "cache") == [
        "up to date",
        "knows no segment",
    ]


def test_what_is_too_wide_for_a_column_stands_below_the_table():
    records = "key (end 0, epoch 0): id 0 COPY_SEGMENT_STARTED\nkey (end 0, epoch 0): tombstone"
    log, topic = Row(name="log", notes=("one",)), Row(name="metadata topic", text=records)
    lines = table(of(log, topic), of(Row(name="log", notes=("two",)), topic))
    at = lines.index("metadata topic")
    assert lines[at + 1 : at + 3] == ("  At first:", f"    {records.splitlines()[0]}")
    assert lines[-1] == "  After step 3: as before"


def test_the_words_in_it_are_explained_once():
    assert table(PICTURE, LONG, PICTURE).count("how to read") == 1


@pytest.mark.parametrize("name", ["kip405/zombie_acts_on_remote_tier"])
def test_values_are_those_of_the_states(name):
    trace = trace_of(STORED[name])
    numbers = (0, 17, len(trace))
    states = [trace.states[number] for number in numbers]
    lines = table(*pictures_of(trace, numbers))
    (first, *_) = [n for n, line in enumerate(lines) if line.startswith("broker 0")]
    (second, *_) = [n for n, line in enumerate(lines) if line.startswith("broker 1")]
    for broker, own in enumerate((lines[first:second], lines[second:])):
        replicas = [state.broker[broker] for state in states]
        for field in ("log_start_offset", "local_log_start_offset", "high_watermark"):
            label = field.removesuffix("_offset").replace("_", " ")
            assert row(own, label) == [str(getattr(replica, field)) for replica in replicas]
        assert row(own, "highest remote") == [str(one.highest_remote_offset) for one in replicas]
    assert max(map(len, lines)) <= WIDTH
