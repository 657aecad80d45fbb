"""Initial states: all candidates of a design, counted, as packed states in the design's order.

The interpreter makes few candidates; compiled code makes many, in a module of its own. Where it
sets a fault, the interpreter makes that candidate: it raises its error, or gives the state that
compiled code has no numbers for. Where the functions are outside of the language, the interpreter
makes all of them, and `refusal` says why.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tierproof.model.language.errors import DesignError, NoInitialState
from tierproof.model.language.interpreter import Interpreter
from tierproof.model.language.state import State
from tierproof.spark_explorer.compiler.entries import BEGIN, Entries
from tierproof.spark_explorer.compiler.loading import QUICK, Loaded, Source, load
from tierproof.spark_explorer.native.arrays import Array
from tierproof.spark_explorer.native.calling import Code, call
from tierproof.spark_explorer.native.expansion import Work, is_inside
from tierproof.spark_explorer.native.keeping import njit
from tierproof.spark_explorer.native.packing import FAST, Packing, pack, packed, unpack
from tierproof.spark_explorer.native.taking import OUTSIDE

WORTH_COMPILING = 1_000
"""Candidates from which on compiled code makes them.

A thousand take CPython 0.03 to 0.1 s; to compile and load their code takes 0.01 to 0.03 s.
"""
BLOCK = 1 << 15
"""Candidates that compiled code makes between two reports."""
INTERPRETED = 1 << 10
"""Candidates that the interpreter makes between two reports."""


@njit(**FAST)
def begin_candidates(
    address: int,
    start: Array,
    candidate: Array,
    low: Array,
    high: Array,
    packing: Packing,
    work: Work,
    states: Array,
) -> int:
    """Pack the states of `candidate` and of those behind it, until `states` is full or a fault.

    Returns how many were made; a fault is left in `work.context`. `start` are the leaves of a state
    of start values, `low` and `high` the limits of the columns of `candidate`.
    """
    after, made = work.flat[1], 0
    while made < len(states):
        for leaf in range(np.uint64(len(start))):
            after[leaf] = start[leaf]
        call(address, (work.context, after, candidate))
        if work.context[0] == 0 and not pack(after, packing, states[made]):
            work.context[0] = OUTSIDE
        if work.context[0] != 0:
            break
        made += 1
        column = len(candidate) - 1
        while column >= 2 and candidate[column] == high[column]:
            candidate[column] = low[column]
            column -= 1
        if column >= 2:
            candidate[column] += 1
    return made


@njit(**FAST)
def first_outside(states: Array, row: int, code: Code, packing: Packing, work: Work) -> int:
    """The first row, from `row` on, of a state that is outside the bounds, or the number of rows.

    A fault of the bounds counts as outside.
    """
    while row < len(states):
        unpack(states[row], packing, work.flat[1])
        work.context[0] = 0
        if not is_inside(code, work) or work.context[0] != 0:
            return row
        row += 1
    return row


class Beginnings:
    """The initial states of a design in a scope, while they are enumerated and afterwards.

    `tried` of the `count` candidates gave the states `words`, each kept once: the number of the
    first candidate that gives it stands in `numbers`.
    """

    def __init__(self, interpreter: Interpreter, packing: Packing) -> None:
        self.interpreter, self.packing = interpreter, packing
        self.count = interpreter.candidates.count
        self.tried = 0
        self.words = np.empty((0, packing.words), np.uint64)
        self.numbers = np.empty(0, np.int64)
        self.refusal = ""
        self._fresh: list[tuple[Array, Array]] = []
        self._loaded: Loaded | None = None

    @property
    def is_whole(self) -> bool:
        """Whether every candidate was tried."""
        return self.tried == self.count

    def prepare(self) -> Loaded | None:
        """Compile or load the code that makes candidates, if they are many; None: CPython does."""
        if self.count >= WORTH_COMPILING and not self._loaded and not self.refusal:
            design, scope = self.interpreter.design, self.interpreter.scope
            try:
                text = Entries(design, scope).write_begin().text
            except DesignError as error:
                self.refusal = str(error)
            else:
                self._loaded = load(Source.of(text, BEGIN), QUICK)
        return self._loaded

    def enumerate(self, work: Work, most: int | None, report: Callable[[], None]) -> None:
        """Make the states of the candidates not tried yet; `report` is called now and then.

        Ends early once there are more than `most` states. Raises NoInitialState, and the error of
        the first candidate that fails.
        """
        code = self.prepare()
        while not self.is_whole and (most is None or len(self.words) <= most):
            if code is None:
                self._interpret(INTERPRETED)
            else:
                self._run(code.addresses["begin"], work)
            if self.is_whole or sum(map(_rows, self._fresh)) >= max(len(self.words), BLOCK):
                self._keep_once()
            if not self.is_whole:
                report()
        if self.is_whole and not len(self.words):
            raise NoInitialState(
                f"design {self.interpreter.design.name!r} has no initial state in "
                f"{self.interpreter.scope}"
            )

    def first(self, number: int) -> State:
        """The initial state of that number, made by the interpreter."""
        return self.interpreter.begin(int(self.numbers[number]))

    def _interpret(self, most: int) -> None:
        """Let the interpreter make up to so many candidates."""
        end = min(self.count, self.tried + most)
        states = [self.interpreter.begin(number) for number in range(self.tried, end)]
        rows = [packed(state.leaves, self.packing) for state in states]
        self._add(np.array(rows, np.uint64).reshape(-1, self.packing.words))

    def _run(self, address: int, work: Work) -> None:
        """Let compiled code make candidates of one function, up to a fault."""
        index, raws, left = self.interpreter.candidates.place(self.tried)
        sizes = self.interpreter.candidates.sized[index]
        states = np.empty((min(BLOCK, left), self.packing.words), np.uint64)
        work.context[0] = 0
        made = begin_candidates(
            address,
            np.array(self.interpreter.layout.start, np.int64),
            np.array([0, index, *raws], np.int64),
            np.array([0, 0, *(sized.low for sized in sizes)], np.int64),
            np.array([0, 0, *(sized.high for sized in sizes)], np.int64),
            self.packing,
            work,
            states,
        )
        self._add(states[:made])
        if work.context[0]:
            work.context[0] = 0
            self._interpret(1)

    def _add(self, states: Array) -> None:
        """Add what the next candidates gave."""
        numbers = np.arange(self.tried, self.tried + len(states))
        self._fresh.append((states, numbers))
        self.tried += len(states)

    def _keep_once(self) -> None:
        """Keep each state once, as its first candidate gave it, and in that order."""
        words = np.concatenate([self.words, *(words for words, _ in self._fresh)])
        numbers = np.concatenate([self.numbers, *(numbers for _, numbers in self._fresh)])
        order = np.lexsort((numbers, *words.T))
        is_new = np.ones(len(order), np.bool_)
        is_new[1:] = (words[order[1:]] != words[order[:-1]]).any(axis=1)
        chosen = np.sort(order[is_new])
        self.words, self.numbers, self._fresh = words[chosen], numbers[chosen], []


def _rows(fresh: tuple[Array, Array]) -> int:
    return len(fresh[1])
