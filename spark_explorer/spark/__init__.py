"""The Spark execution: the same loop, each level one job over partitions of the visited set."""
