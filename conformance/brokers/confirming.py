"""Findings confirmed on released brokers: played, looked at, and a verdict with the facts."""

from __future__ import annotations

import time
from collections.abc import Callable, Sized
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from tierproof.conformance.brokers.cluster import PATIENT_MS, SESSION_MS, started
from tierproof.conformance.brokers.errors import NotSeen, Refused
from tierproof.conformance.brokers.jvm import Jvm
from tierproof.conformance.brokers.looking import Seen, look
from tierproof.conformance.brokers.playing import HOUR_MS, TOPIC, Play
from tierproof.conformance.brokers.releases import Release
from tierproof.conformance.brokers.scenarios import Scenario
from tierproof.conformance.brokers.stages import STAGES, play
from tierproof.conformance.brokers.symptoms import judged
from tierproof.model.language.trace import Trace

KILLED = ("restarts", "loses_disk")
"""How the names of faults end that kill a broker."""


class Outcome(StrEnum):
    """What brokers of a release say of a finding."""

    CONFIRMED = "CONFIRMED"
    NOT_REPRODUCED = "NOT REPRODUCED"
    FIXED = "FIXED"
    CLEAN = "CLEAN"
    NOT_CLEAN = "NOT CLEAN"
    INCOMPLETE = "INCOMPLETE"


@dataclass
class Confirmation:
    """A finding, or its control, on a release: what was asked, found, done and seen.

    `tries`: how often it was played until then; some steps brokers take in an order of their own.
    `missed` has for each try that showed nothing where it ended.
    """

    design: str
    finding: str
    release: str
    outcome: Outcome
    is_control: bool = False
    is_at_end: bool = False
    why: str = ""
    question: str = ""
    found: str = ""
    said: list[str] = field(default_factory=list)
    seen: Seen | None = None
    seconds: float = 0.0
    tries: int = 1
    missed: list[str] = field(default_factory=list)

    @property
    def is_as_expected(self) -> bool:
        """Whether brokers show the finding, or do not any more, and the control shows nothing."""
        return self.outcome in (Outcome.CLEAN if self.is_control else Outcome.CONFIRMED,) or (
            self.outcome == Outcome.FIXED
        )

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        seen = self.seen.as_dict() if self.seen else None
        told = {"outcome": str(self.outcome), "seen": seen, "in_the_end": str(self.seen or "")}
        return {**vars(self), **told}


@dataclass(frozen=True)
class Bench:
    """A release that brokers are started of: its class path, a machine for clients, a folder."""

    release: Release
    class_path: str
    jvm: Jvm
    folder: Path


def confirm(
    scenario: Scenario,
    trace: Trace,
    claim: str,
    bench: Bench,
    *,
    is_control: bool = False,
    tell: Callable[[str], None] = lambda line: None,
) -> Confirmation:
    """Play a scenario on new brokers and judge what they show. Raises CannotRun."""
    begun = time.monotonic()
    name = f"{scenario.finding}{'-control' if is_control else ''}"
    folder = bench.folder / bench.release.version / name
    result = Confirmation(
        scenario.design,
        scenario.finding,
        bench.release.version,
        Outcome.NOT_REPRODUCED,
        is_control,
    )
    title = f"{bench.release.version} {name}"
    tell(f"{title}: starting brokers")
    try:
        with started(
            bench.release,
            bench.class_path,
            bench.jvm,
            folder,
            brokers=replicas(scenario, trace),
            settings=_settings(scenario, trace),
            silence_ms=PATIENT_MS if scenario.still else SESSION_MS,
        ) as cluster:
            one = Play(trace, scenario, cluster, lambda line: tell(f"{title}: {line}"))
            _play_and_look(one, claim, result)
    except (NotSeen, Refused) as error:  # no cluster, or one that nobody can look at any more
        result.why = str(error)
    result.outcome = _outcome(scenario, bench.release, result)
    result.seconds = round(time.monotonic() - begun, 1)
    return result


def _play_and_look(one: Play, claim: str, result: Confirmation) -> None:
    """Play to the end, or to where brokers do otherwise, and note what is seen then."""
    result.said = one.said
    try:
        if steady := _steady(one.scenario, one.trace):
            one.cluster.keep_metadata_at(steady[0])
        play(one, is_control=result.is_control)
    except (NotSeen, Refused) as error:
        result.why = str(error)
    result.is_at_end = one.number == len(one.trace)
    if result.why:
        result.seen = look(one.cluster, TOPIC)
    else:
        symptom, result.seen = judged(one, claim)
        result.question, result.found = symptom.question, symptom.found


def _outcome(scenario: Scenario, release: Release, result: Confirmation) -> Outcome:
    if result.seen is None:
        return Outcome.INCOMPLETE
    if result.is_control:
        clean = Outcome.INCOMPLETE if result.why else Outcome.CLEAN
        return Outcome.NOT_CLEAN if result.found else clean
    if result.found:
        return Outcome.CONFIRMED
    fixed_in = scenario.fixed_in
    is_fixed = fixed_in and release.number >= Release(fixed_in).number
    return Outcome.FIXED if is_fixed and result.is_at_end else Outcome.NOT_REPRODUCED


def _steady(scenario: Scenario, trace: Trace) -> list[int]:
    """The brokers that neither stand still nor are killed, if others do."""
    killed = {step.broker for step in trace.steps if step.action.endswith(KILLED)}
    brokers = set(range(replicas(scenario, trace)))
    return sorted(brokers - killed - set(scenario.still)) if len(brokers) > 1 else []


def replicas(scenario: Scenario, trace: Trace) -> int:
    """How many replicas the topic has: as many as the trace, or as the scenario says."""
    brokers = getattr(trace.states[0], "broker", None)
    return scenario.replicas or (len(brokers) if isinstance(brokers, Sized) else 1)


def _settings(scenario: Scenario, trace: Trace) -> dict[int, dict[str, object]]:
    """Local retention runs at those brokers only where the trace has it run."""
    runs = {step.broker for step in trace.steps if step.action == "broker_raises_start_to_delete"}
    common = {**STAGES[scenario.design].settings, **scenario.settings}
    idle = {"log.retention.check.interval.ms": HOUR_MS}
    return {
        b: {**common, **(idle if runs and b not in runs else {})}
        for b in range(replicas(scenario, trace))
    }
