"""What a generated state costs, part by part, and how many bytes a visited one takes.

    python benchmarks/parts.py kip405:default kip950:default
    python benchmarks/parts.py tests/toys/two_phase_commit.py:DESIGN:eight

A scope is searched on one thread, with the code that a long search uses. Then states drawn from it
are expanded again and again, each time with one part more; a part takes what is added, in
nanoseconds of CPU for each generated state, the least of several runs. On a busy machine compare
the parts of one run, not those of two.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native.calling import call
from tierproof.spark_explorer.native.expansion import (
    check_law,
    check_state,
    check_step,
    enabled_steps,
    is_lifecycle_changed,
)
from tierproof.spark_explorer.native.keeping import njit
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.packing import FAST, fingerprint
from tierproof.spark_explorer.native.taking import copy_row, stand, take, undo
from tierproof.spark_explorer.native.worker import Worker, prepare
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.search import Search

PARTS = (
    "unpack the state",
    "check the state",
    "guards",
    "effects",
    "pack what changed",
    "lifecycle laws",
    "step properties",
    "fingerprint",
)
DRAWN, RUNS = 8_000, 25


@njit(**FAST)
def expand_up_to(part, block, code, tables, packing, work, checks, after):
    """Expand states with the parts up to one; returns how many states were generated."""
    generated, found = 0, np.uint64(0)
    for row in range(len(block)):
        words = block[row]
        stand(words, packing, work.flat)
        if part >= 1:
            check_state(code, work.flat[0], work, checks, np.uint64(0), -1)
        if part < 2:
            continue
        n = enabled_steps(code.enabled_here, work, tables.dropped, tables, work.steps)
        generated += n
        for j in range(n if part >= 3 else 0):
            step = work.steps[j]
            if part == 3:
                work.context[work.noted[1]] = 0
                call(code.apply, (work.context, work.flat[1], step))
                copy_row(work.flat, 0, 1)
                continue
            changed, _ = take(code, words, step, tables, packing, work, after)
            if part >= 5 and is_lifecycle_changed(words, after, tables.law_bits):
                check_law(work.flat, work.changed, changed, tables, checks, np.uint64(0), step[0])
            if part >= 6 and tables.has_step_properties:
                check_step(code, work, step, checks, np.uint64(0), step[0])
            if part >= 7:
                found ^= fingerprint(after)
            undo(work, changed)
    return generated + np.int64(found & np.uint64(0))


def least_seconds(works: Sequence[Callable[[], Any]]) -> list[float]:
    """CPU seconds of the quickest of several runs of each; they take turns on a busy machine."""
    best = [float("inf")] * len(works)
    for _ in range(RUNS):
        for number, work in enumerate(works):
            began = time.process_time()
            work()
            best[number] = min(best[number], time.process_time() - began)
    return best


def measured(design: str, scope: str) -> dict[str, Any]:
    """The parts of a generated state of a design in a scope, and the bytes of a visited one."""
    asked = Question(design=design, scope=scope)
    kernel = Kernel(*asked.resolve())
    prepare(kernel)
    kernel.optimise()
    kernel.close()
    execution = MemoryExecution(kernel, threads=1)
    search = Search(kernel, execution)
    began = time.process_time()
    search.run()
    whole = (time.process_time() - began) / search.generated * 1e9
    states = np.concatenate(execution.states())
    block = states[np.random.default_rng(1).integers(0, len(states), DRAWN)]
    worker, after = Worker(kernel), np.zeros(kernel.words, np.uint64)
    engine = (kernel.code, kernel.tables, kernel.packing, worker.work, worker.checks, after)
    generated = int(expand_up_to(2, block, *engine))
    works = [partial(expand_up_to, part, block, *engine) for part in range(len(PARTS))]
    sums = [1e9 * seconds / generated for seconds in least_seconds(works)]
    parts = dict(zip(PARTS, np.diff([0.0, *sums]).round(1).tolist(), strict=True))
    rest = round(whole - sums[-1], 1)
    found = {
        "design": design,
        "scope": scope,
        "states": execution.distinct,
        "generated": search.generated,
        "leaves": len(kernel.layout.leaves),
        "words": kernel.words,
        "nanoseconds": {
            **parts,
            "visited table and the rest": rest,
            "whole search": round(whole, 1),
        },
        "bytes_visited": round(execution.visited.nbytes / execution.distinct, 1),
        "bytes_on_levels": 8 * kernel.words,
    }
    execution.close()
    return found


def main() -> None:
    """Measure what is named, print it, and write it down."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "systems", nargs="+", help="DESIGN:SCOPE, as `tierproof explore` takes them"
    )
    parser.add_argument("--json", type=Path, help="a file to write every figure to")
    given = parser.parse_args()
    found = []
    for system in given.systems:
        found.append(one := measured(*system.rsplit(":", 1)))
        print(f"{one['design']} {one['scope']}: {one['states']:,} states, {one['leaves']} leaves")
        for part, cost in one["nanoseconds"].items():
            print(f"  {part:28} {cost:8.1f} ns")
        print(f"  {'visited table, a state':28} {one['bytes_visited']:8.1f} bytes")
        print(f"  {'level, a state':28} {one['bytes_on_levels']:8} bytes")
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
