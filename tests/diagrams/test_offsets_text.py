"""The offsets as a table of text: it says what the drawing says, in the columns of a mail."""

from dataclasses import replace

import pytest

from tests.designs.stored_traces import STORED, trace_of
from tests.diagrams.test_offsets import LONG, PICTURE, box, mark
from tierproof.diagrams.offsets_text import WIDTH, offsets_as_text
from tierproof.model.language.offset_picture import Look, Mark, OffsetPicture, Row, pictures_of

ALL = "log start, local log start, highest remote offset, high watermark, log end, local segments."
"""A sentence that names every line of a broker."""


def table(*pictures, said=(ALL,)):
    captions = ("At first", "After step 3", "In the end")
    return offsets_as_text(list(zip(captions, pictures, strict=False)), said)


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
    assert row(lines, "remote tier") == ["id 0 (0)"]
    assert "id 1 (0-1) object without metadata" in "\n".join(lines)


def test_an_empty_active_segment_is_not_told():
    assert "empty" not in "\n".join(table(PICTURE))


def test_an_epoch_that_all_records_have_is_not_told_and_others_are_told_once():
    def log(*epochs):
        return of(Row(name="log", marks=(mark("log end", 3),), boxes=(box(0, 3, records=epochs),)))

    assert row(table(log("epoch 0", "epoch 0", "epoch 0")), "local segments") == ["0-2"]
    lines = table(log("epoch 0", "epoch 0", "epoch 1"))
    assert row(lines, "local segments") == ["0-1 epoch 0; 2 epoch 1"]


def test_no_remote_offset_is_told_as_none():
    nothing = Mark(offset=-1, label="highest remote none", is_on=True)
    one = mark("highest remote", 0, is_on=True)
    lines = table(
        *(of(Row(name="broker 0", notes=("leader",), marks=(it,))) for it in (nothing, one))
    )
    assert row(lines, "highest remote") == ["none", "0"]


def leading(name, log_start, high_watermark, role="leader"):
    marks = (mark("log start", log_start), mark("high watermark", high_watermark))
    return Row(name=name, notes=(role,), marks=marks, boxes=(box(log_start, 3),))


def test_what_changes_is_told_and_what_stays_is_not():
    lines = table(of(leading("broker 0", 0, 3)), of(leading("broker 0", 1, 3)), said=())
    assert row(lines, "log start") == ["0", "1"]
    assert row(lines, "local segments") == ["0-2", "1-2"]
    assert "high watermark" not in "\n".join(lines)


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("The log start stays 0.", True),
        ("The log start of broker 0 stays 0.", True),
        ("The log start of broker 1 stays 0.", False),
        ("The log start of the follower stays 0.", False),
        ("The local log start stays 0.", False),
        ("Nothing is said. Of broker 1 nothing: the log start stays.", True),
    ],
)
def test_what_stays_is_told_where_a_sentence_speaks_of_it_and_of_its_broker(sentence, shown):
    lines = table(*(of(leading("broker 0", 0, n)) for n in (2, 3)), said=(sentence,))
    assert any("log start" in line for line in lines) == shown


def test_a_broker_that_takes_no_part_is_not_told():
    other = leading("broker 1", 0, 3, "follower")
    lines = table(*(of(leading("broker 0", n, 3), other) for n in (0, 1)), said=())
    assert "broker 1" not in "\n".join(lines)


def test_a_local_log_start_that_is_the_log_start_is_not_told_again():
    def both(start, local):
        marks = (mark("log start", start), mark("local log start", local))
        return of(Row(name="broker 0", notes=("leader",), marks=marks))

    assert "local log start" not in "\n".join(table(both(0, 0), both(1, 1), said=()))
    assert row(table(both(0, 0), both(0, 1), said=()), "local log start") == ["0", "1"]


def test_the_id_that_serves_an_offset_is_told_where_it_changes():
    def served(first, second):
        labels = (f"remote, id {first}", f"remote, id {second}")
        boxes = [box(n, n + 1, "served", Look.FAINT, label=it) for n, it in enumerate(labels)]
        return of(Row(name="readable", boxes=tuple(boxes)))

    lines = "\n".join(table(served(0, 1), served(2, 1)))
    assert row(lines.splitlines(), "readable") == ["0 remote, id 0", "0 remote, id 2"]
    assert "1 remote, id" not in lines


def test_a_cell_of_several_lines_is_not_told_twice():
    log = Row(name="readable", text="one line\nanother line")
    other = Row(name="broker 0", notes=("leader",))
    lines = table(of(log), of(log, other))
    assert row(lines, "readable") == ["one line", "same"]


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


def test_what_a_broker_has_read_is_told_where_it_is_not_all_and_a_sentence_speaks_of_it():
    knows = Row(name="remote metadata of broker 0", text="all read", is_detail=True)
    lags = Row(name="remote metadata of broker 0", text="no segment listed", is_detail=True)
    broker = Row(name="broker 0", notes=("leader",))
    said = ("Broker 0 has not read COPY_SEGMENT_STARTED.",)
    assert "metadata" not in "\n".join(table(of(broker, knows), said=said))
    lines = table(of(broker, knows), of(broker, lags), said=said)
    assert row(lines, "remote metadata") == ["all read", "no segment listed"]
    assert "metadata" not in "\n".join(table(of(broker, knows), of(broker, lags)))


def test_what_is_too_wide_for_a_column_stands_below_the_table():
    first, second = "key (end 0, epoch 0): COPY_SEGMENT_STARTED", "key (end 0, epoch 0): tombstone"

    def state(broker, *records):
        topic = Row(name="topic", notes=("cleanup.policy=compact",), text="\n".join(records))
        return of(Row(name="log", notes=(broker,)), topic)

    lines = table(state("one", "empty"), state("two", first), state("three", first, second))
    assert lines[lines.index("topic, cleanup.policy=compact") :] == (
        "topic, cleanup.policy=compact",
        "  At first: empty",
        f"  After step 3: {first}",
        "  In the end, in addition:",
        f"    {second}",
    )
    lines = table(state("one", first, second), state("two", first, second))
    assert lines[-1] == "  After step 3: as before"


def test_the_names_in_it_are_explained_once_and_only_if_it_has_them():
    lines = table(PICTURE, LONG, PICTURE)
    assert sum(": the remote segment with id" in line for line in lines) == 1
    assert "how to read" not in lines
    batch = replace(of(Row(name="log", boxes=(box(0, 1, records=("P0 #0",)),))), reading="P0 is")
    assert table(batch, PICTURE).count("P0 is") == 1


@pytest.mark.parametrize("name", ["kip405/zombie_acts_on_remote_tier"])
def test_values_are_those_of_the_states(name):
    trace = trace_of(STORED[name])
    numbers = (0, 17, len(trace))
    states = [trace.states[number] for number in numbers]
    lines = table(*pictures_of(trace, numbers), said=(f"Of broker 0 and broker 1 {ALL}",))
    (first, *_) = [n for n, line in enumerate(lines) if line.startswith("broker 0")]
    (second, *_) = [n for n, line in enumerate(lines) if line.startswith("broker 1")]
    for broker, own in enumerate((lines[first:second], lines[second:])):
        replicas = [state.broker[broker] for state in states]
        for field in ("log_start_offset", "local_log_start_offset"):
            label = field.removesuffix("_offset").replace("_", " ")
            assert row(own, label) == [str(getattr(replica, field)) for replica in replicas]
        highest = [one.highest_remote_offset for one in replicas]
        if max(highest) >= 0:
            told = ["none" if offset < 0 else str(offset) for offset in highest]
            assert row(own, "highest remote") == told
    assert max(map(len, lines)) <= WIDTH
