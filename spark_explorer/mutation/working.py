"""The processes that judge mutants: a mutant that runs away, or kills its process, ends no run."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any

from tierproof.model.language.errors import TierproofError
from tierproof.spark_explorer.mutation.fates import Fate, Outcome
from tierproof.spark_explorer.mutation.judging import Faulty
from tierproof.spark_explorer.mutation.request import Request
from tierproof.spark_explorer.user_modules import without_folders

MOST_MUTANTS = 150
"""Mutants after which a process is replaced by a new one: what it has read, it holds."""
SECONDS_BESIDE, BUSY = 120.0, 10.0
"""A mutant may keep its process so much longer than its searches may take, on a machine so busy."""
SECONDS_BETWEEN_LOOKS = 1.0

_CONTEXT = get_context("spawn")


class Worker:
    """A process that judges one mutant after the other."""

    def __init__(self, request: Request) -> None:
        self.most = SECONDS_BESIDE + BUSY * request.seconds * max(1, len(request.scopes))
        self.connection, theirs = _CONTEXT.Pipe()
        self.process = _CONTEXT.Process(target=_work, args=(request, theirs), daemon=True)
        with without_folders():
            self.process.start()
        theirs.close()
        self.number: int | None = None
        self.is_ready = False
        self.given = 0
        self.since = time.monotonic()

    def judge(self, number: int) -> None:
        """Begin with the mutant of this number."""
        self.number, self.since = number, time.monotonic()
        self.given += 1
        self.connection.send(number)

    @property
    def is_late(self) -> bool:
        """Whether its mutant has taken far longer than it may."""
        return self.number is not None and time.monotonic() - self.since > self.most

    @property
    def is_worn(self) -> bool:
        """Whether it has judged as many mutants as it may."""
        return self.given >= MOST_MUTANTS

    def end(self) -> None:
        """End the process."""
        self.connection.close()
        self.process.terminate()
        self.process.join(5)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def judged(request: Request, numbers: Sequence[int], processes: int) -> Iterator[tuple[int, Fate]]:
    """The fate of each mutant, by its number among those of the request, as they are found.

    Raises Faulty, or what else keeps a process from judging any mutant.
    """
    pending, workers = list(numbers)[::-1], list[Worker]()
    try:
        while pending or any(one.number is not None for one in workers):
            while len(workers) < min(processes, len(pending) + _busy(workers)):
                workers.append(Worker(request))
            for one in workers:
                if one.is_ready and one.number is None and pending:
                    one.judge(pending.pop())
            by_connection: dict[Any, Worker] = {one.connection: one for one in workers}
            for connection in wait(list(by_connection), SECONDS_BETWEEN_LOOKS):
                worker = by_connection[connection]
                yield from _heard(worker, workers)
            for one in [late for late in workers if late.is_late]:
                assert one.number is not None
                yield one.number, _lost(f"it kept its process for more than {one.most:g} seconds")
                _replace(one, workers)
    finally:
        for one in workers:
            one.end()


def _busy(workers: Sequence[Worker]) -> int:
    return sum(one.number is not None for one in workers)


def _heard(worker: Worker, workers: list[Worker]) -> Iterator[tuple[int, Fate]]:
    """What a worker says: that it is ready, a fate, an error, or nothing, as it has died."""
    try:
        said = worker.connection.recv()
    except (EOFError, OSError):
        number, code = worker.number, _exit_code(worker)
        _replace(worker, workers)
        if number is None:
            raise Faulty(f"a process that judges mutants has ended ({code})") from None
        yield number, _lost(f"its process has ended ({code})")
        return
    if isinstance(said, TierproofError):
        raise said
    if said is None:
        worker.is_ready = True
        return
    assert worker.number is not None
    number, worker.number = worker.number, None
    if worker.is_worn:
        _replace(worker, workers)
    yield number, said


def _replace(worker: Worker, workers: list[Worker]) -> None:
    workers.remove(worker)
    worker.end()


def _exit_code(worker: Worker) -> str:
    worker.process.join(5)
    return f"exit status {worker.process.exitcode}"


def _lost(why: str) -> Fate:
    return Fate(outcome=Outcome.INCOMPLETE, why=why)


def _work(request: Request, connection: Connection) -> None:
    """Judge mutants until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started this process ends it
    try:
        design = request.design()
        mutants, judge = request.mutants(design), request.judge(design)
    except TierproofError as error:
        connection.send(_plain(error))
        return
    try:
        connection.send(None)
        while True:
            connection.send(judge.fate(mutants[connection.recv()]))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass
    finally:
        judge.close()


def _plain(error: TierproofError) -> Faulty:
    """An error that can be sent."""
    return error if type(error) is Faulty else Faulty(str(error))
