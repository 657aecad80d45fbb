"""Why what a property asks may move with what a variant does: reasons that variants share."""

TASK_DECIDES = (
    "a store is quiet once no run of the expiration task would delete more, so the premise asks "
    "what this task would do; what has to be true of a quiet store does not move"
)
SUM_IS_THE_TASKS = (
    "the property compares the task's own sum with the bytes that the broker serves: the sum is "
    "what the variant changes, and the bytes do not move"
)
DECIDED_BY_MARKERS = (
    "what is decided follows from the markers in the log, and above the last stable offset no copy "
    "is due"
)
