"""The fields that an effect assigns to, as shown in the overview."""

from typing import Any

from tierproof.diagrams.access import assigned_fields


def test_an_assignment_to_a_part_counts_for_its_top_level_field():
    def effect(state, broker):
        state.broker[broker].log_start_offset = 2
        state.epoch += 1

    assert assigned_fields(effect) == {"broker", "epoch"}


def test_a_local_name_stands_for_the_field_it_was_taken_from():
    def effect(state, broker):
        me = state.broker[broker]
        settings = me.settings
        settings.is_enabled = True
        for segment in state.segment:
            segment.state = 0

    assert assigned_fields(effect) == {"broker", "segment"}


def test_a_method_that_changes_a_set_a_sequence_or_a_bag_assigns_to_it():
    def effect(state, broker):
        state.in_sync.add(broker)
        first = state.broker[broker]
        first.requests.append(state.epoch)
        if state.responses.pop(0) == state.waiting.total():
            state.lost.clear()

    assert assigned_fields(effect) == {"in_sync", "broker", "responses", "lost"}


def raise_log_start(log, offset):
    log.log_start_offset = offset


def recurse(state):
    state.depth -= 1
    recurse(state)


def test_a_helper_assigns_to_what_it_is_handed():
    def effect(state, broker):
        raise_log_start(state.broker[broker], offset=state.epoch)
        raise_log_start(log=state.remote_log, offset=1)

    assert assigned_fields(effect) == {"broker", "remote_log"}


def test_a_helper_that_calls_itself_is_read_once():
    assert assigned_fields(recurse) == {"depth"}


def test_a_local_variable_is_no_field():
    def effect(state):
        count = 0
        count += state.epoch
        left, right = 1, 2
        state.epoch = count + left + right

    assert assigned_fields(effect) == {"epoch"}


def test_without_source_text_nothing_is_claimed():
    made: dict[str, Any] = {}
    exec("def effect(state):\n    state.epoch = 1\n", made)
    assert assigned_fields(made["effect"]) == set()
