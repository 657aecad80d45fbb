"""Reading of `__remote_log_metadata`: files of brokers, output of their tool, or a live cluster.

    reading = read_metadata([Path("broker-1/data")], into=Path("audit"))
    reading.records.to_table(), reading.set_aside

    read_live("host:9092", into=Path("audit"), properties=Path("client.properties"))

Both write Parquet below `into`, with the columns of `tables`, so that memory is bounded whatever
the size of the topic. The same functions run in threads of this process, or by Spark:
`read_metadata(sources, into=into, spark=session)`.
"""

from tierproof.conformance.audit.reading.kept import Listing, Reading
from tierproof.conformance.audit.reading.live import read_live
from tierproof.conformance.audit.reading.metadata import read_metadata
from tierproof.conformance.audit.reading.splits import METADATA_TOPIC, NotReadable

__all__ = ["METADATA_TOPIC", "Listing", "NotReadable", "Reading", "read_live", "read_metadata"]
