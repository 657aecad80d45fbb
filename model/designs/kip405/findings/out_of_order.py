"""Retention by size deletes newer records for a surplus of older ones."""

from tierproof.model.language import Finding, Severity, Story

OUT_OF_ORDER = (
    Finding(
        name="unfinished_copy_expires_before_older_records",
        title=(
            "After an election, retention by size can delete an unfinished copy's records together "
            "with older, local ones"
        ),
        severity=Severity.LOSS,
        symptom=(
            "Records within retention.bytes become unreadable: fetches of them are answered with "
            "OFFSET_OUT_OF_RANGE. The topic is above retention.bytes by records that are only "
            "local; the expiration task of a new leader takes the surplus from a copy that the "
            "old leader has begun behind them, and moves the log start past both. What remains "
            "is smaller than retention.bytes by the size of that copy. Nothing brings the "
            "records back."
        ),
        needs=(
            "Two replicas; retention.bytes; a topic above it of which the oldest records are not "
            "copied, as after a time in which the store took no copies; a copy that is under way "
            "in an election; and an election in the moment after the old leader has moved its log "
            "start and before the new one learned of it with a fetch, usually less than a second. "
            "By the code a crash does the same if it takes the log start back to its checkpoint, "
            "which is written every log.flush.start.offset.checkpoint.interval.ms (a minute). The "
            "steps need a copy that stays in COPY_SEGMENT_STARTED: in 3.9 any failed one, later "
            "one that a crash or an election cut off, and from 4.3 on one that failed with "
            "RetriableRemoteStorageException (from 4.0 on others are cleaned up). "
            "Kafka 3.9 to trunk, by the code (3.6 to 3.8 not read): 3.9.2 counts a segment in "
            "DELETE_SEGMENT_STARTED, too, deletes it first, and comes to the same."
        ),
        tracker=(
            "no issue is known to us; KAFKA-17062 has left unfinished copies out of the total, "
            "and not out of what retention by size deletes"
        ),
        claims=(
            "no_committed_record_lost",
            "log_start_passes_only_what_may_go",
        ),
        permitted_by=(
            "RLMExpirationTask#buildRetentionSizeData counts finished segments alone "
            "(KAFKA-17062), and adds the local segments above the highest remote offset; "
            "RemoteLogRetentionHandler#isSegmentBreachedByRetentionSize takes the first remote "
            "segment that the metadata list, in whatever state, and lowers "
            "remainingBreachedSize by its size. Neither asks where the bytes of the surplus lie. A "
            "segment in DELETE_SEGMENT_STARTED is passed over"
        ),
        story=Story(
            "2140a6",
            (
                (
                    "start",
                    "The topic has two replicas, both in sync, and three records of one byte each: "
                    "offsets 0 and 1 in rolled segments of their own, offset 2 in the active one. "
                    "retention.bytes is 2. Nothing is copied yet. (The sizes are those of the "
                    "model.)",
                ),
                (
                    "1-6",
                    "The leader begins to copy offset 0 as segment A, and publishes "
                    "COPY_SEGMENT_STARTED. The store asks it to try later "
                    "(RetriableRemoteStorageException): A stays as it is.",
                ),
                (
                    "7-9",
                    "Before the copy is tried again (every 30 s by default), the expiration task "
                    "of the leader counts 3 bytes, 1 more than "
                    "retention.bytes. It takes A, moves the log start to 1, and publishes "
                    "DELETE_SEGMENT_STARTED of A. Offset 0 may go.",
                ),
                (
                    "10-11",
                    "The copy task of the leader goes on at the log start: it begins to copy "
                    "offset 1 as segment B, and publishes COPY_SEGMENT_STARTED.",
                ),
                (
                    "12-13",
                    "The follower is elected. No fetch has told it of the new log start: its own "
                    "is 0, and offset 0 is in its log.",
                ),
                ("14-16", "The new leader reads the three metadata records."),
                (
                    "17-18",
                    "Its expiration task counts its local log alone, as neither copy is finished: "
                    "3 bytes, 1 more than retention.bytes. The surplus is offset 0. A is being "
                    "deleted and lowers no surplus, so the run takes B for it, and moves the log "
                    "start to 2.",
                ),
                (
                    "end",
                    "Fetches of offset 1 are answered with OFFSET_OUT_OF_RANGE: one byte is left, "
                    "of 2 that may stay.",
                ),
                (
                    "beyond",
                    "The new leader's local log is deleted up to its log start, and its followers "
                    "do the same.",
                ),
            ),
        ),
        turning=18,
        fix=(
            "RemoteLogRetentionHandler does not take a segment in COPY_SEGMENT_STARTED for its "
            "size, and goes on with the next one: the sum does not count such a segment, so that "
            "its deletion frees nothing of the surplus. It is deleted once it is below the log "
            "start or past retention.ms. The model was tried with that, and with another change: "
            "the bytes of local records before the first remote segment lower the surplus before "
            "the loop, so that retention by size still frees unfinished copies behind them."
        ),
        costs=(
            "One condition. While uploads fail, records that were never copied stay above "
            "retention.bytes where today a copy left in COPY_SEGMENT_STARTED lets them expire, "
            "also one that fails for want of a producer snapshot; from 4.0 on most failed copies "
            "are cleaned up, and then nothing does so today either. retention.ms deletes an "
            "unfinished copy as before."
        ),
        repair="repair_expire_oldest_first",
        together_with=(
            "repair_count_local_above_the_highest_remote_offset",
            "repair_count_remote_up_to_the_highest_remote_offset",
            "repair_count_from_the_log_start",
        ),
        proposal="proposal_size_takes_finished_segments_only",
        shows="segment_is_read_from_remote",
        scope="size_elected",
    ),
)
