"""An exploration that is bounded in states and seconds, as plain values without long traces."""

from __future__ import annotations

from threading import Event, Thread
from typing import Any

from tierproof.model.language.errors import DesignError
from tierproof.serve import jumps
from tierproof.spark_explorer import runs
from tierproof.spark_explorer.native.stopping import stop_all
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.results import Result

LOOK_SECONDS = 0.2


def explored(question: Question, states: int, seconds: float) -> dict[str, Any]:
    """The result of a search that ends after so many states or seconds, then INCOMPLETE.

    Each trace is a path, which other tools take. Raises as `runs.run` does, KeyboardInterrupt
    if the time was over before the search began.
    """
    over, ended = Event(), Event()

    def watch() -> None:
        if not ended.wait(seconds):
            over.set()
            while not ended.wait(LOOK_SECONDS):  # a search that compiles hears of it when it runs
                stop_all()

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        result = runs.run(question, engine="memory", max_states=states, watched=False)
    except DesignError as error:  # what was found until the fault is told with it
        if not isinstance(error.found, Result):
            raise
        result = error.found
    finally:
        ended.set()
        watcher.join()
    return _told(question, result, f"the limit of {seconds:g} seconds" if over.is_set() else "")


def _told(question: Question, result: Result, cut: str) -> dict[str, Any]:
    found = result.as_dict()
    for one in (*found["properties"], *found["witnesses"]):
        trace = result.traces[one["name"]]
        one["path"] = None
        if trace is not None:
            one["path"] = list(jumps.position_of(question.design, trace).path)
        del one["trace"]
    if found["cut"] and cut:
        found["cut"] = cut
    kept = ("frontier_sizes", "actions", "collision_probability")
    return {name: value for name, value in found.items() if name not in kept}
