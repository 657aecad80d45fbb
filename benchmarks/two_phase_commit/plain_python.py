"""The honest floor: two-phase commit explored by a set and a list, no checker at all.

python benchmarks/two_phase_commit/plain_python.py 7
"""

import json
import sys
import time

WORKING, PREPARED, COMMITTED, ABORTED = range(4)


def successors(state):
    rms, tm, heard, sent, commit, abort = state
    if tm == WORKING:
        if heard == full:
            yield rms, COMMITTED, heard, sent, True, abort
        yield rms, ABORTED, heard, sent, commit, True
    for i, rm in enumerate(rms):
        before, after, bit = rms[:i], rms[i + 1 :], 1 << i
        if tm == WORKING and sent & bit:
            yield rms, tm, heard | bit, sent, commit, abort
        if rm == WORKING:
            yield (*before, PREPARED, *after), tm, heard, sent | bit, commit, abort
            yield (*before, ABORTED, *after), tm, heard, sent, commit, abort
        if commit:
            yield (*before, COMMITTED, *after), tm, heard, sent, commit, abort
        if abort:
            yield (*before, ABORTED, *after), tm, heard, sent, commit, abort


def is_consistent(state):
    return not (COMMITTED in state[0] and ABORTED in state[0])


managers = int(sys.argv[1])
full = (1 << managers) - 1
began = time.perf_counter()
start = ((WORKING,) * managers, WORKING, 0, 0, False, False)
visited, frontier, generated, depth = {start}, [start], 1, -1
while frontier:
    following = []
    for state in frontier:
        assert is_consistent(state), state
        for successor in successors(state):
            generated += 1
            if successor not in visited:
                visited.add(successor)
                following.append(successor)
    frontier, depth = following, depth + 1
seconds = time.perf_counter() - began
print(
    json.dumps(
        {
            "distinct_states": len(visited),
            "generated_states": generated,
            "depth": depth,
            "seconds": round(seconds, 3),
            "states_per_second": round(len(visited) / seconds),
        }
    )
)
