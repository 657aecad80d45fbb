"""What a search would cost that nobody has run: fitted to kept searches, held against a larger one.

    python benchmarks/projection.py

Reads `results/scale.json`, which `scale.py` has written. The largest search there is not fitted to:
it is predicted, and the prediction is printed beside what was measured. Then come searches that are
not to be had here. The words are in `docs/scale.md`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

RESULTS = Path(__file__).resolve().parent / "results" / "scale.json"
CLUSTER = 6.0
"""Times the seconds in memory: levels of two-phase commit 8 on two workers, the same two cores."""
SHUFFLED = 15.4
"""Bytes sent for each 64 bits of a distinct state there; compressed, 9.1."""
ROUND = 0.15
"""Seconds of a level as a job of Spark, whatever is in it."""
SESSION = 60.0
"""Seconds until the first job of Spark on a cluster."""
BYTES_A_SLOT, FULLEST, LEAST_FULL = 8, 0.8, 0.8 / 1.375
GENERATED, DEGREE, WORDS, DEPTH = 526e-9, 5.7, 5, 60
"""Of kip950 `default`: seconds of a core for a generated state, generated and words of a state."""
CORES = 16
"""Of each host of a projection."""


@dataclass(frozen=True)
class Cost:
    """What the fitted searches cost; times are those of one core."""

    generated: float  # seconds for each generated state
    started: float  # seconds before the first
    stored: float  # bytes for each distinct state

    @classmethod
    def fitted(cls, rows: list[dict[str, Any]]) -> Cost:
        """The least squares, each search weighted by its own time."""
        seconds = np.array([sum(row["processor_seconds"]) for row in rows])
        factors = np.array([[row["generated"], 1.0] for row in rows]) / seconds[:, None]
        (generated, started), *_ = np.linalg.lstsq(factors, np.ones(len(rows)), rcond=None)
        stored = max(row["bytes_stored"] / row["states"] for row in rows)
        return cls(generated, started, stored)

    def seconds(self, generated: float, cores: int) -> float:
        """Of a search of so many generated states."""
        return self.started + generated * self.generated / cores

    def memory(self, states: float, hosts: int = 1) -> tuple[float, float]:
        """The least and the most bytes of a host's table."""
        share = states / hosts
        return share * BYTES_A_SLOT / FULLEST, share * BYTES_A_SLOT / LEAST_FULL


def collisions(states: float, bits: int) -> float:
    """How many pairs of states share a fingerprint, as expected."""
    return states * states / 2.0 ** (bits + 1)


def main() -> None:
    """Print the fit, what it says of the largest search, and the projections."""
    rows = sorted(json.loads(RESULTS.read_text())["rows"], key=lambda row: row["states"])
    *known, largest = rows
    cost = Cost.fitted(known)
    print(f"{1e9 * cost.generated:.1f} ns of a core for each generated state, fitted to")
    print(", ".join(f"{row['states']:,}" for row in known), "states")
    used = sum(largest["processor_seconds"])
    low, high = (one / 1e9 for one in cost.memory(largest["states"]))
    print(f"\n{largest['states']:,} states, not fitted to: predicted, measured")
    print(f"processor {cost.seconds(largest['generated'], 1):,.0f} s, {used:,.0f} s")
    stored = cost.stored * largest["states"] / 1e9
    print(f"stored {stored:.1f} GB, {largest['bytes_stored'] / 1e9:.1f} GB")
    print(
        f"table {low:.1f} to {high:.1f} GB, process {largest['most_bytes_of_memory'] / 1e9:.1f} GB"
    )
    print("\n| states | hosts | hours | table a host, GB | run, TB | shuffled, TB | collisions |")
    print("|--:|--:|--:|--:|--:|--:|--:|")
    for states in (1e10, 1e11):
        for hosts in (4, 16, 64):
            print(_row(cost, states, hosts))


def _row(cost: Cost, states: float, hosts: int) -> str:
    """A search of a design such as kip950 on so many hosts."""
    expanding = CLUSTER * states * DEGREE * GENERATED / (hosts * CORES)
    hours = (SESSION + ROUND * DEPTH + expanding) / 3600
    low, high = (one / 1e9 for one in cost.memory(states, hosts))
    run = states * WORDS * 8 / 1e12
    sent = states * WORDS * SHUFFLED / 1e12
    found = collisions(states, 64)
    return (
        f"| {states:.0e} | {hosts} | {hours:.1f} | {low:.0f} to {high:.0f} | {run:.1f} | "
        f"{sent:.1f} | {found:.1f} |"
    )


if __name__ == "__main__":
    main()
