"""A history after which brokers differ from the model, made shorter as long as they still do.

Asking brokers takes seconds, so that shorter histories are tried side by side, and the number of
those that are tried is bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, islice

from tierproof.conformance.brokers.fitting import History, stops_of, within
from tierproof.conformance.brokers.histories import Done
from tierproof.model.designs.kip950.state import TieredTopic

Differ = Callable[[Sequence[History]], Sequence[History]]
"""Does histories side by side: the beginnings, up to their differences, of those that differ."""


def shrunk(
    history: History, differ: Differ, scope: TieredTopic, *, most: int = 60, at_once: int = 6
) -> History:
    """A shortest history by dropping actions and lowering numbers, within `most` tries.

    It begins like one that differs, so nothing of `history` may come after the difference.
    """
    tried = {history}
    while len(tried) < most:
        for several in _side_by_side(_shorter(history, scope), at_once):
            new = [one for one in several if one not in tried][: most - len(tried)]
            tried |= {*new}
            found = differ(new) if new else ()
            if found:
                history = min(found, key=size)
                break
        else:
            return history
    return history


def size(history: History) -> tuple[int, int]:
    """How long a history is: the number of actions, then their numbers."""
    return len(history), sum(done.number for done in history)


def _shorter(history: History, scope: TieredTopic) -> Iterator[History]:
    """Shorter histories: without half of the actions, a quarter, one; then with a lower number."""
    width = (len(history) + 1) // 2
    while width:
        for first in range(0, len(history) - width + 1, max(1, width // 2)):
            yield within(scope, history[:first] + history[first + width :])
        width //= 2
    for i, done in enumerate(history):
        if done.number > 0:
            lower = Done(done.name, done.number - 1)
            yield within(scope, (*history[:i], lower, *history[i + 1 :]))


def _side_by_side(histories: Iterator[History], at_once: int) -> Iterator[list[History]]:
    """Neighbours that stop the same brokers, so many at once."""
    for _, several in groupby(histories, key=stops_of):
        distinct = iter(dict.fromkeys(several))
        while some := list(islice(distinct, at_once)):
            yield some
