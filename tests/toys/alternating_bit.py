"""The alternating bit protocol over two channels that lose: words arrive in order, each once."""

from typing import Annotated

from tierproof.model.language import (
    Design,
    Index,
    Range,
    Record,
    Scope,
    Sequence,
    State,
    action,
    bound,
    guard,
    initial,
    invariant,
    limit,
    witness,
)


class Line(Scope):
    words: int = bound(1, 9, default=2)
    frames: int = bound(1, 5, default=2)


class Frame(Record):
    word: Annotated[int, Index(Line.words)]
    bit: bool


class Channel(State):
    acknowledged: Annotated[int, Range(0, Line.words)]
    accepted: Annotated[int, Range(0, Line.words)]
    frames: Annotated[list[Frame], Sequence(Line.frames)]
    answers: Annotated[list[bool], Sequence(Line.frames)]


Place = Annotated[int, Index(Line.frames)]


@initial
def nothing_is_sent(state: Channel) -> None:
    """The channels are empty."""


@guard
def has_a_word(state: Channel, scope: Line) -> bool:
    """There is a word that is not acknowledged."""
    return state.acknowledged < scope.words


@limit
def frames_have_room(state: Channel, scope: Line) -> bool:
    """The channel takes another frame."""
    return len(state.frames) < scope.frames


@limit
def answers_have_room(state: Channel, scope: Line) -> bool:
    """The channel takes another answer."""
    return len(state.answers) < scope.frames


@guard
def has_frames(state: Channel) -> bool:
    """A frame is on its way."""
    return bool(state.frames)


@guard
def has_answers(state: Channel) -> bool:
    """An answer is on its way."""
    return bool(state.answers)


@guard
def is_a_frame(state: Channel, place: Place) -> bool:
    """There is a frame at that place."""
    return place < len(state.frames)


@action(guards=[has_a_word, frames_have_room], actor="sender", to="receiver")
def sender_sends(state: Channel) -> None:
    """Send the next word, or send it again."""
    word = state.acknowledged
    state.frames.append(Frame(word=word, bit=word % 2 == 1))


@action(guards=[has_frames, answers_have_room], actor="receiver", to="sender")
def receiver_takes(state: Channel) -> None:
    """Take the first frame, accept the word if the bit is the expected one, and answer."""
    frame = state.frames.pop(0)
    if frame.bit == (state.accepted % 2 == 1):
        state.accepted += frame.word == state.accepted
    state.answers.append(frame.bit)


@action(guards=[has_answers], actor="sender")
def sender_takes_answer(state: Channel) -> None:
    """Go on to the next word if the answer has the bit of this one."""
    bit = state.answers.pop(0)
    if state.acknowledged < state.accepted and bit == (state.acknowledged % 2 == 1):
        state.acknowledged += 1


@action(guards=[is_a_frame], actor="network")
def network_loses(state: Channel, place: Place) -> None:
    """Lose any frame."""
    state.frames.pop(place)


@invariant()
def every_word_is_accepted_once(state: Channel) -> bool:
    """The receiver is at most one word ahead of the sender."""
    return state.acknowledged <= state.accepted <= state.acknowledged + 1


@invariant()
def frames_in_the_channel_are_in_order(state: Channel) -> bool:
    """No frame stands behind one of a later word."""
    return all(
        state.frames[at - 1].word <= state.frames[at].word for at in range(1, len(state.frames))
    )


@witness()
def all_words_arrive(state: Channel, scope: Line) -> bool:
    """Every word is acknowledged."""
    return state.acknowledged == scope.words


DESIGN = Design(
    name="alternating_bit",
    title="The alternating bit protocol",
    state=Channel,
    initial=(nothing_is_sent,),
    system=(sender_sends, receiver_takes, sender_takes_answer),
    environment=(network_loses,),
    properties=(every_word_is_accepted_once, frames_in_the_channel_are_in_order),
    witnesses=(all_words_arrive,),
    scopes={"two": Line(), "three": Line(words=3, frames=3)},
)
