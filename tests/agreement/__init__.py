"""Different executions of one design must say the same."""
