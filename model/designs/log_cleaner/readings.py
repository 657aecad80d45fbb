"""A reading of how a pass may end early, narrower than a crash."""

from tierproof.model.designs.log_cleaner.cleaning import broker_crashes, has_group
from tierproof.model.language import Variant

ONLY_ABORTED_PASSES = Variant(
    name="only_aborted_passes",
    because=(
        "LogCleanerManager#abortAndPauseCleaning and a shutdown end a pass before its next group, "
        "and LogCleaner#cleanLog keeps the old checkpoint"
    ),
    fence={broker_crashes: has_group},
)

READINGS = (ONLY_ABORTED_PASSES,)
