"""Footprints: which fields a function can read, by name or as part of a whole."""

from tests.language.shelves import DESIGN, Room
from tierproof.model.language import guard
from tierproof.model.language.reading import Reader
from tierproof.model.language.reading.footprints import fields_read


@guard
def first_two_boards_are_alike(state: Room) -> bool:
    """The first two boards are alike."""
    return state.board[0] == state.board[1]


@guard
def first_board_is_low(state: Room) -> bool:
    """The first board is low."""
    first, _ = state.board[0], state.board[1]
    return is_low(first.low)


def is_low(number: int) -> bool:
    """A helper to which a number is handed."""
    return number < 2


def read(entry):
    return fields_read(Reader(DESIGN).predicate(entry))


def test_two_records_that_are_compared_are_read_with_all_their_fields():
    assert read(first_two_boards_are_alike) == {"board", "low", "high", "colour", "is_full"}


def test_a_record_that_is_handed_on_is_read_by_the_fields_that_are_named():
    assert read(first_board_is_low) == {"board", "low"}
