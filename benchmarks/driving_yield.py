"""What plain driving finds: Hypothesis walks a design as written, for some minutes.

Each violation that it finds is shrunk by Hypothesis and attributed to the findings whose
repair, alone, refuses the trace or makes it harmless; then that property is masked, and the walks
go on. The exhaustive list is that of the register. Run it as

    python benchmarks/driving_yield.py kip950 --minutes 5
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

from hypothesis import settings

from tierproof.model.language import Design, DesignError, Interpreter, Scope, Trace
from tierproof.properties import DRIVING, Violation, check
from tierproof.register.isolation import causes
from tierproof.spark_explorer.question import Question

RESULTS = Path(__file__).resolve().parent / "results" / "driving_yield.json"


def found_within(design: Design, scope: Scope, seconds: float) -> Iterator[tuple[float, Violation]]:
    """Violations in the order in which they are found, each with the seconds until then."""
    began, masked = time.monotonic(), set[str]()
    rounds = settings(DRIVING, max_examples=25, stateful_step_count=60, database=None)
    while (passed := time.monotonic() - began) < seconds:
        try:
            check(design, scope, expected_violations=sorted(masked), settings=rounds)
        except Violation as violation:
            masked.add(violation.name)
            passed = time.monotonic() - began
            yield passed, violation


def stopped_by(design: Design, trace: Trace, name: str) -> list[str]:
    """The findings whose repair alone refuses the trace, or makes it break nothing."""
    found = []
    for finding in causes(design):
        if finding.repair and not finding.beside:
            repaired = design.with_variants(finding.repair)
            with suppress(DesignError):
                if not breaks(repaired, trace, name):
                    found.append(finding.name)
    return found


def breaks(design: Design, trace: Trace, name: str) -> bool:
    """Whether a design takes all steps of the trace and violates the property at its end."""
    states, stop = trace.follow_in(design)
    if stop is not None:
        return False
    interpreter = Interpreter(design, trace.scope)
    broken = {one.name for one in interpreter.violated_in(states[-1])}
    if len(states) > 1:
        step = trace.steps[-1]
        broken |= {one.name for one in interpreter.violated_by(states[-2], step, states[-1])}
        broken |= {
            law.law_name
            for offset, law in interpreter.lifecycle_leaves
            if not law.allows(states[-2].leaves[offset], states[-1].leaves[offset])
        }
    return name in broken


def measured(name: str, scope: str, minutes: float) -> dict[str, Any]:
    """What driving found of a design in a scope, against its register."""
    design, chosen = Question(design=name, scope=scope).resolve()
    told = []
    for seconds, violation in found_within(design, chosen, minutes * 60):
        by = stopped_by(design, violation.trace, violation.name)
        told.append(
            {
                "property": violation.name,
                "steps": len(violation.trace),
                "seconds": round(seconds, 1),
                "stopped_by": by,
            }
        )
        print(f"{seconds:6.1f} s  {violation.name}, {len(violation.trace)} steps: {by}", flush=True)
    known = [one.name for one in causes(design) if not one.beside]
    certain = {one["stopped_by"][0] for one in told if len(one["stopped_by"]) == 1}
    return {
        "design": name,
        "scope": scope,
        "minutes": minutes,
        "date": date.today().isoformat(),
        "violations": told,
        "causes_found": sorted(certain),
        "causes_known": len(known),
    }


def main() -> None:
    """Measure one design and keep the result beside those of other designs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("design")
    parser.add_argument("--scope", default="deep")
    parser.add_argument("--minutes", type=float, default=5.0)
    given = parser.parse_args()
    found = measured(given.design, given.scope, given.minutes)
    kept = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    RESULTS.write_text(json.dumps({**kept, given.design: found}, indent=1) + "\n", "utf-8")
    count = f"{len(found['causes_found'])} of {found['causes_known']} causes"
    print(f"{given.design} in {given.scope}: {count} within {given.minutes:g} minutes")


if __name__ == "__main__":
    main()
