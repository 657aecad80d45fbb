"""How far Kafka's designs are driven: a few walks by default, and many in the slow tests.

Walks of a seed are always the same ones, so that what a few of them find is found by everybody.
"""

import pytest
from hypothesis import settings

from tierproof.properties import DRIVING


def of_walks(few: int, many: int) -> pytest.MarkDecorator:
    """The `walks` of a test: a few, and in the slow tests many."""
    return pytest.mark.parametrize("walks", [few, pytest.param(many, marks=pytest.mark.slow)])


def steady(walks: int, steps: int = 50) -> settings:
    """So many walks of so many steps, the same ones each time."""
    return settings(
        DRIVING, max_examples=walks, stateful_step_count=steps, derandomize=True, database=None
    )


def in_proportion(known: int, walks: int, of: int) -> int:
    """What `of` walks, or more, exceed; of fewer half their part, as the first ones are short."""
    return known if walks >= of else known * walks // (2 * of)


def idle_share(walks: int, of: int) -> float:
    """The share of actions that may never be taken: half by `of` walks, two thirds by fewer."""
    return 1 / 2 if walks >= of else 2 / 3
