"""Walk: the states along a path, and where and why the path stops being possible."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from tierproof.model.language.actions import Guard, Step
from tierproof.model.language.errors import DesignError, Misused
from tierproof.model.language.offset_picture import OffsetPicture, pictures_of
from tierproof.model.language.state import State
from tierproof.model.language.trace import Trace
from tierproof.serve.positions import BadLink, Path
from tierproof.serve.settings import Setting
from tierproof.serve.step_words import read, written
from tierproof.spark_explorer.results import step_as_dict, trace_as_dict


@dataclass(frozen=True)
class Halt:
    """A step of a path that is not possible, counted from 1, and why, in a sentence.

    `guard` is the one that is false, if one is.
    """

    number: int
    word: str
    why: str
    step: Step | None = None
    guard: Guard | None = None


@dataclass(frozen=True)
class Walk:
    """The steps of a path that are possible: `path` has them as links do, `rest` the others.

    `told` is the record of the trace, as `trace_as_dict` makes it, without its Python.
    """

    setting: Setting
    path: Path
    trace: Trace
    told: dict[str, Any]
    halt: Halt | None = None
    rest: Path = ()

    @property
    def state(self) -> State:
        """Where the path has come to."""
        return self.trace.states[-1]

    @cached_property
    def enabled(self) -> tuple[Step, ...]:
        """The steps that can be taken here."""
        return tuple(self.setting.interpreter.enabled(self.state))

    @cached_property
    def picture(self) -> OffsetPicture | None:
        """The state as its design draws it, if it does."""
        found = pictures_of(self.trace, [len(self.path)])
        return found[0] if found else None

    def word(self, step: Step) -> str:
        """A step as links have it."""
        known = self.setting.words.get(step)
        return known or written(self.setting.interpreter.steps, step)


def walk(setting: Setting, start: int, path: Path) -> Walk:
    """Take the steps of a path as far as they are possible.

    Raises DesignError for an initial state that the design does not have.
    """
    here = _longest(setting, start, path)
    for word in path[len(here.path) :]:
        after = _taken(here, word)
        if isinstance(after, Halt):
            return replace(here, halt=after, rest=path[len(here.path) :])
        setting.keep(start, after.path, after)
        here = after
    return here


def _longest(setting: Setting, start: int, path: Path) -> Walk:
    """The longest beginning of the path that is known."""
    for length in range(len(path), -1, -1):
        known: Walk | None = setting.known(start, path[:length])
        if known is not None:
            return known
    first = setting.interpreter.initial_state(start)
    trace = Trace(setting.design, setting.scope, start, ()).begun_in(first)
    told = {name: value for name, value in trace_as_dict(trace).items() if name != "python"}
    made = Walk(setting, (), trace, told)
    setting.keep(start, (), made)
    return made


def _taken(here: Walk, word: str) -> Walk | Halt:
    """The walk with one more step, or why the step is not possible."""
    interpreter, number = here.setting.interpreter, len(here.path) + 1
    try:
        step = read(interpreter.steps, word)
    except Misused as error:
        name = word.partition(".")[0].partition("(")[0]
        design = here.setting.design
        is_edited = bool(design.chosen_variants or design.dropped_guards)
        if is_edited and name in {act.name for act in here.setting.plain.actions}:
            return Halt(number, word, f"the design with these edits has no such step: {error}")
        return Halt(number, word, str(error))
    try:
        if (halt := refused(here, step)) is not None:
            return halt
        after = interpreter.take(here.state, step)
    except DesignError as error:
        return Halt(number, word, f"it ends in a fault of the design: {error}", step)
    return _longer(here, step, after)


def _longer(here: Walk, step: Step, after: State) -> Walk:
    trace = here.trace.followed_by(step, after)
    told = step_as_dict(trace, step, here.state, after)
    steps = [*here.told["steps"], told]
    path = (*here.path, here.word(step))
    return Walk(here.setting, path, trace, {**here.told, "steps": steps})


def refused(here: Walk, step: Step) -> Halt | None:
    """Why a step is not possible here; None if it is. Raises DesignError for a guard that fails."""
    interpreter, number, word = here.setting.interpreter, len(here.path) + 1, here.word(step)
    act = here.setting.design.action(step.action)
    if act.name in interpreter.budgets and not here.state.leaves[interpreter.budgets[act.name]]:
        return Halt(number, word, f"the budget {act.budget} is spent", step)
    guard = interpreter.refusing(here.state, step)
    if guard is None:
        return None
    says = f": {guard.statement}" if guard.statement else ""
    return Halt(number, word, f"{guard.name} is false{says}", step, guard)


def repeated(here: Walk, cycle: int) -> Trace:
    """The trace whose steps repeat from a state on. Raises BadLink if they do not lead back."""
    states = here.trace.states
    if cycle >= len(states) or states[cycle] != states[-1]:
        raise BadLink(f"cycle={cycle}: the path does not lead back to its state {cycle}")
    return here.trace.repeating_from(cycle)
