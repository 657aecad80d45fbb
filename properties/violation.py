"""Violation: what a driven design raises, with a trace that can be pasted into a test."""

from __future__ import annotations

from typing import Any

from tierproof.model.language import State, Trace


class Violation(AssertionError):
    """A property that does not hold, and the `trace` whose last state or step shows it."""

    def __init__(self, name: str, kind: str, statement: str, trace: Trace) -> None:
        super().__init__(name, kind, statement, trace)
        self.name, self.kind, self.statement, self.trace = name, kind, statement, trace

    def __str__(self) -> str:
        """Property, numbered steps with what each changed, and the trace as source text."""
        return (
            f"{self.name} ({self.kind}) is violated in {self.trace.design.name!r}, "
            f"{self.trace.scope}, after {_count(len(self.trace), 'step')}\n"
            f"  {self.statement}\n\n{numbered_steps(self.trace)}\n\n{pasted(self.trace)}"
        )


def numbered_steps(trace: Trace) -> str:
    """The trace as numbered steps, each with the fields that it changed."""
    lines = [f"   0. initial state {trace.initial}"]
    for number, (step, before, after) in enumerate(trace.moves(), start=1):
        lines.append(f"{number:4}. {step}")
        lines += [f"        {change}" for change in _changes(before, after)]
    return "\n".join(lines)


def pasted(trace: Trace) -> str:
    """The trace as source text: names to import are DESIGN, the Scope, Step and Trace."""
    return f"trace = Trace(DESIGN, {trace.scope!r}, {trace.initial}, {trace.as_python()})"


def _changes(before: State, after: State) -> list[str]:
    return [
        f"{path}: {_plain(old)} -> {_plain(new)}" for path, old, new in before.changes_to(after)
    ]


def _plain(value: Any) -> str:
    return str(getattr(value, "name", value))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
