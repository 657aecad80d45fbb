"""Different executions of one design must give the same results."""
