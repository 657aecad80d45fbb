"""A history on its way: what brokers show after each action, beside what the model lets be seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tierproof.conformance.brokers.fitting import History
from tierproof.conformance.brokers.histories import STOPS, Answer, Done, Model
from tierproof.conformance.brokers.observations import Observation
from tierproof.conformance.brokers.quiescence import OutOfScope
from tierproof.model.designs.kip950.state import Topic


@dataclass
class Turn:
    """An action, what the model lets be seen after it, and what the brokers show."""

    done: Done
    model: list[Observation]
    broker: Observation

    @property
    def agrees(self) -> bool:
        """Whether the model lets that be seen."""
        return self.broker in self.model

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON; what the model lets be seen is told of a difference."""
        told = {"deed": [self.done.name, self.done.number], "broker": self.broker.as_dict()}
        return told if self.agrees else told | {"model": [one.as_dict() for one in self.model]}


@dataclass
class DrivenRun:
    """A history as it goes, up to the first difference. `cut`: the scope ended it, and why."""

    topic: str
    history: History
    model: Model
    answer: Answer
    states: tuple[Topic, ...]
    turns: list[Turn] = field(default_factory=list)
    cut: str = ""
    end: int = 0
    is_refused: bool = False

    @property
    def next(self) -> Done | None:
        """The action that comes next, None if the run is over."""
        is_over = self.cut or self.difference or len(self.turns) == len(self.history)
        return None if is_over else self.history[len(self.turns)]

    @property
    def difference(self) -> Turn | None:
        """The last turn, if the model does not let be seen what the brokers show."""
        return self.turns[-1] if self.turns and not self.turns[-1].agrees else None

    @property
    def done(self) -> History:
        """The actions so far."""
        return tuple(turn.done for turn in self.turns)

    def as_dict(self, release: str, date: str) -> dict[str, Any]:
        """Plain values, for JSON: the run as it is kept."""
        return {
            "release": release,
            "recorded": date,
            "outcome": "differs" if self.difference else "agrees",
            "bounds": self.model.bounds,
            "variants": list(self.model.variants),
            "turns": [turn.as_dict() for turn in self.turns],
        }

    def ask(self, done: Done) -> bool:
        """Ask the model what may be seen after an action; False if its scope is too small."""
        try:
            self.answer = self.model.after(self.states, done)
        except OutOfScope as error:
            self.cut = str(error)
        return not self.cut

    def show(self, done: Done, broker: Observation) -> None:
        """Go on from what the brokers show."""
        self.turns.append(Turn(done, self.answer.observations, broker))
        self.states = self.answer.seen(broker)


def together(runs: Sequence[DrivenRun]) -> list[tuple[DrivenRun, Done]]:
    """The runs that go on now, each with its next action; those that stop a broker come last."""
    coming = [(run, done) for run in runs if (done := run.next) is not None]
    now = [one for one in coming if one[1].name not in STOPS]
    return now or [one for one in coming if one[1] == coming[0][1]]
