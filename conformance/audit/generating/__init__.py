"""Topics of metadata that no broker wrote: for tests and the benchmark of reading.

write_topic(folder, GeneratedTopic(records=10_000, partitions=2, seed=1))
"""

from tierproof.conformance.audit.generating.topic import GeneratedTopic, write_topic

__all__ = ["GeneratedTopic", "write_topic"]
