"""Published bugs of Kafka, and where the model finds them again once the fix is off.

`fixes_switched_off` has the variants; the pages in docs/findings/kip405 are generated.
"""

from tierproof.model.language import PublishedBug

PUBLISHED_BUGS = (
    PublishedBug(
        name="kafka_15181_answers_before_initialized",
        title="KAFKA-15181, KAFKA-15260: a cache answers that has not read the topic",
        claims=("log_start_passes_only_what_may_go", "no_committed_record_lost"),
        published="KAFKA-15181 and KAFKA-15260",
        explanation=(
            "A broker comes back and leads. Its consumer has not read the metadata topic yet, so "
            "that the copy task finds no remote segment and moves the log start to the local log: "
            "everything that is only remote is gone for readers, and is deleted next."
        ),
        variant="kafka_15181_answers_before_initialized",
        scope="alone_restart",
    ),
    PublishedBug(
        name="kafka_15241_highest_offset_not_clipped",
        title="KAFKA-15241: the copied offset ignores where an epoch ends in the lineage",
        claims=("no_committed_record_lost",),
        published="KAFKA-15241",
        explanation=(
            "After an unclean election the new leader asks how far the old epoch was copied. The "
            "answer goes past the end that this epoch has in its own lineage: records of the new "
            "epoch count as copied, are never copied, and local retention removes them."
        ),
        variant="kafka_15241_highest_offset_not_clipped",
        scope="unclean",
        beside=("unclean_elections",),
    ),
    PublishedBug(
        name="kafka_15351_restart_forgets_remote_part",
        title="KAFKA-15351, part 1: a restart moves the log start to the local log",
        claims=("log_start_passes_only_what_may_go", "no_committed_record_lost"),
        published="KAFKA-15351",
        explanation=(
            "The loader takes the first local segment for the beginning of the log. What is only "
            "in the remote tier lies below the log start, and the expiration task deletes it."
        ),
        variant="kafka_15351_restart_forgets_remote_part",
        scope="alone_restart",
    ),
    PublishedBug(
        name="kafka_15351_new_leader_keeps_log_start",
        title="KAFKA-15351, part 2: a new leader keeps a log start that is stale",
        claims=("records_become_readable",),
        published="KAFKA-15351",
        explanation=(
            "The old leader expired a segment and crashed. The new one advertises "
            "the offsets for ever: a reader that starts there never proceeds. Kafka's fix alone "
            "leaves a case, a segment whose deletion is under way at the election (see "
            "`zombie_deletes_what_the_leader_promises`); beside our repair of that it is enough."
        ),
        variant="kafka_15351_new_leader_keeps_log_start",
        scope="smoke",
        beside=("repair_fence_remote_metadata", "repair_leader_asks_anew"),
    ),
    PublishedBug(
        name="kafka_15352_deletes_before_log_start",
        title="KAFKA-15352: segments are deleted before the log start moves",
        claims=("committed_records_stay_readable",),
        published="KAFKA-15352",
        explanation=(
            "A reader between the two finds that the log start promises an offset whose object "
            "is gone."
        ),
        variant="kafka_15352_deletes_before_log_start",
        scope="alone",
    ),
    PublishedBug(
        name="kafka_15802_index_of_unfinished_segment",
        title="KAFKA-15802: a lookup by time fetches the index of a segment that is not finished",
        claims=("time_lookup_finds_its_index",),
        published="KAFKA-15802",
        explanation=(
            "The lookup walks over all listed segments. One whose copy is under way, or failed, "
            "has no index in the store."
        ),
        variant="kafka_15802_index_of_unfinished_segment",
        scope="alone",
    ),
    PublishedBug(
        name="kafka_16073_removes_before_local_log_start",
        title="KAFKA-16073: local segments are removed before the local log start moves",
        claims=("no_committed_record_lost",),
        published="KAFKA-16073",
        explanation=(
            "A reader between the two is sent to the local log, which does not have the offset "
            "any more, and gets OFFSET_OUT_OF_RANGE for a record that is in the remote tier."
        ),
        variant="kafka_16073_removes_before_local_log_start",
        scope="smoke",
    ),
    PublishedBug(
        name="kafka_17062_failed_copies_counted",
        title="KAFKA-17062: copies that failed count in retention by size",
        claims=("log_start_passes_only_what_may_go", "no_committed_record_lost"),
        published="KAFKA-17062",
        explanation=(
            "Each failed attempt leaves an entry with its size. The total grows with every "
            "attempt, and the oldest segments are deleted though the topic is within its limit."
        ),
        variant="kafka_17062_failed_copies_counted",
        scope="alone_size",
    ),
    PublishedBug(
        name="kafka_20732_highest_offset_not_seeded",
        title="KAFKA-20732: at a fresh leader retention by size counts the local log twice",
        claims=("log_start_passes_only_what_may_go",),
        published="KAFKA-20732",
        explanation=(
            "The copy task and the expiration task begin at once, on threads of their own. While "
            "the highest remote offset is not known the whole local log counts as only local, "
            "and the remote segments count besides: a limit that holds seems to be exceeded."
        ),
        variant="kafka_20732_highest_offset_not_seeded",
        scope="size",
    ),
)
