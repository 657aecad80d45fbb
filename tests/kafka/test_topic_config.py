"""KIP-950's combination table, its two errors, and the reaction of a broker, row by row."""

import itertools

import pytest

from tierproof.model.kafka.topic_config import (
    TIERING,
    ConfigError,
    RemoteData,
    TieringState,
    deletes_remote_log,
    rejection,
    remote_data,
    starts_tasks,
    stops_copying,
    tiering_state,
)

TABLE = [
    # remote.storage.enable, remote.log.copy.disable, remote.log.delete.on.disable, effect
    (True, False, False, RemoteData.UPLOADABLE_AND_READABLE),
    (True, False, True, RemoteData.UPLOADABLE_AND_READABLE),
    (True, True, False, RemoteData.READABLE),
    (True, True, True, RemoteData.READABLE),
    (False, False, False, RemoteData.INVALID),
    (False, True, False, RemoteData.INVALID),
    (False, False, True, RemoteData.DELETED),
    (False, True, True, RemoteData.DELETED),
]


@pytest.mark.parametrize(("enable", "copy_disable", "delete_on_disable", "effect"), TABLE)
def test_the_combination_table(enable, copy_disable, delete_on_disable, effect):
    assert remote_data(enable, copy_disable, delete_on_disable) == effect


@pytest.mark.parametrize(("enable", "copy_disable", "delete_on_disable", "effect"), TABLE)
def test_an_enabled_topic_may_change_to_every_row_but_the_invalid_ones(
    enable, copy_disable, delete_on_disable, effect
):
    answer = rejection(True, enable, copy_disable, delete_on_disable, True)
    assert (answer == ConfigError.DISABLE_WITHOUT_DELETE) == (effect == RemoteData.INVALID)


@pytest.mark.parametrize(("enable", "copy_disable", "delete_on_disable", "_effect"), TABLE)
def test_a_topic_that_is_not_tiered_may_have_any_settings(
    enable, copy_disable, delete_on_disable, _effect
):
    assert rejection(False, enable, copy_disable, delete_on_disable, True) == ConfigError.NONE


@pytest.mark.parametrize("was_enable", [False, True])
@pytest.mark.parametrize("delete_on_disable", [False, True])
def test_read_only_needs_local_retention_to_equal_retention(was_enable, delete_on_disable):
    answer = rejection(was_enable, True, True, delete_on_disable, False)
    assert answer == ConfigError.LOCAL_RETENTION_DIFFERS


@pytest.mark.parametrize(("enable", "copy_disable"), [(True, False), (False, False), (False, True)])
def test_a_different_local_retention_is_no_error_unless_read_only(enable, copy_disable):
    assert rejection(True, enable, copy_disable, True, False) == ConfigError.NONE


@pytest.mark.parametrize(
    ("enable", "copy_disable", "tiering"),
    [
        (True, False, TieringState.ENABLED),
        (True, True, TieringState.READ_ONLY),
        (False, False, TieringState.DISABLED),
        (False, True, TieringState.DISABLED),
    ],
)
def test_tiering_follows_from_the_settings(enable, copy_disable, tiering):
    assert tiering_state(enable, copy_disable) == tiering


def test_the_kip_names_no_way_from_disabled_to_read_only():
    assert not TIERING.allows(TieringState.DISABLED, TieringState.READ_ONLY)
    assert TIERING.allows(TieringState.DISABLED, TieringState.ENABLED)


def reaction(row):
    """What TopicConfigHandler does: starts tasks, stops copying, deletes the remote log."""
    was_enable, enable, was_copy_disable, copy_disable, delete_on_disable = row
    return (
        starts_tasks(was_enable, was_copy_disable, enable, copy_disable),
        stops_copying(was_copy_disable, enable, copy_disable),
        deletes_remote_log(was_enable, enable, delete_on_disable),
    )


RECORDED = {
    # was enabled, is enabled, was copy-disabled, is copy-disabled: starts, stops copying
    (False, True, False, False): (True, False),
    (False, True, False, True): (True, True),
    (False, True, True, False): (True, False),
    (False, True, True, True): (True, False),
    (True, True, False, False): (False, False),
    (True, True, False, True): (False, True),
    (True, True, True, False): (True, False),
    (True, True, True, True): (False, False),
}
"""The rows of the recorded handler table in which the topic ends up enabled."""


@pytest.mark.parametrize("row", list(itertools.product([False, True], repeat=5)))
def test_the_reaction_of_a_broker_is_the_recorded_one(row):
    was_enable, enable, was_copy_disable, copy_disable, delete_on_disable = row
    if enable:
        starts, stops = RECORDED[was_enable, enable, was_copy_disable, copy_disable]
        assert reaction(row) == (starts, stops, False)
    else:
        assert reaction(row) == (False, False, was_enable and delete_on_disable)
