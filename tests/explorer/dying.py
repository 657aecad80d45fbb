"""A command that kills its process at a chosen moment: the nth call of a function of ours.

python -m tests.explorer.dying MOMENT N COMMAND ...
"""

import os
import signal
import sys
from functools import wraps

from tierproof.command_line import entry
from tierproof.spark_explorer import liveness, search
from tierproof.spark_explorer.kept.attempt import Attempt
from tierproof.spark_explorer.kept.keeping import Keeping
from tierproof.spark_explorer.kept.run import Run
from tierproof.spark_explorer.kept.store import Store
from tierproof.spark_explorer.native.worker import Worker

MOMENTS = {
    "amid a level": (Worker, "survey", True),
    "as a piece is opened": (Store, "opened", False),
    "after a piece": (Run, "write", True),
    "amid a commit": (Store, "_write", True),
    "after a commit": (Run, "commit", True),
    "as an attempt begins": (Attempt, "__init__", True),
    "amid what no commit names": (Store, "remove", True),
    "as liveness is judged": (liveness, "judge", False),
    "as traces are rebuilt": (search.Search, "rebuild", False),
    "as the result is kept": (Keeping, "keep", False),
}
"""Moment -> the function, and whether the process dies after the call."""


def die(moment: str, number: int) -> None:
    """From now on, die at this call of the function."""
    place, name, is_after = MOMENTS[moment]
    called, calls = getattr(place, name), [0]

    @wraps(called)
    def counted(*given, **named):
        calls[0] += 1
        is_now = calls[0] == number
        if is_now and not is_after:
            os.kill(os.getpid(), signal.SIGKILL)
        result = called(*given, **named)
        if is_now:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    setattr(place, name, counted)


if __name__ == "__main__":
    die(sys.argv[1], int(sys.argv[2]))
    sys.argv = ["tierproof", *sys.argv[3:]]
    entry.main()
