"""An iterator that several threads take from: each item goes to one of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from threading import Lock
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Divided(Generic[Item]):
    """Items that are divided among the threads that iterate over it."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._items, self._taking = iter(items), Lock()

    def __iter__(self) -> Iterator[Item]:
        return self

    def __next__(self) -> Item:
        with self._taking:
            return next(self._items)
