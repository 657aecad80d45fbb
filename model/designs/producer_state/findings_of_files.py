"""What Kafka's producer state permits that it should not: snapshot files that are not right."""

from tierproof.model.language import Finding, Passage, Severity, Story

UNKNOWN = (
    "ProducerAppendInfo#checkSequence, which accepts sequence 0 of a producer without state on the "
    "partition and, since KIP-360 (2.5), any other (of a transactional one with transactions "
    "version 2 only sequence 0)"
)
NEW_LOG = (
    "The partition has one replica, with an empty log. The broker that has it acts as the leader."
)
TWO_LOGS = (
    "The partition has two replicas with empty logs. The broker that is shown leads; the other "
    "one has the same records, less what this broker truncates later."
)
SENT_TWICE = "An idempotent producer sends a batch, gets no answer in time, and sends it again."
APPENDED = "The leader appends the first request at offset 0. The second request is late."
AGAIN = (
    "The second request arrives. The leader does not know the producer and appends the batch at "
    "offset 1."
)
TWICE = "The batch is in the log twice, at offsets 0 and 1."
READ_TWICE = (
    "Consumers read one batch of an idempotent producer twice, and nothing reports it; the second "
    "one stays. A producer that retries across the restart may have up to "
    "max.in.flight.requests.per.connection batches twice."
)

EMPTY_SNAPSHOT = Finding(
    name="empty_snapshot_hides_producers",
    title=(
        "KIP-952: recovery from an empty producer snapshot returns aborted records, or appends a "
        "retried batch twice"
    ),
    severity=Severity.WRONG,
    symptom=(
        "This is a comment on KIP-952, which no release has: no released Kafka makes the file that "
        "it takes, but the copy task of KIP-952 would, as we read it. Consumers read one batch of "
        "an idempotent producer twice, and nothing reports it; the second one stays. Recovery "
        "takes the newest producer snapshot for all that was written before it. Without the file "
        "it reads the log and knows the producer; with a snapshot that has no producers it does "
        "not. For the same reason, and without any limit of time, read_committed consumers get the "
        "records of a transaction that began before the file and was aborted in the segment after "
        "it: these steps do not show that, but a broker of 4.4.0 did."
    ),
    needs=(
        "One replica is enough (with more, the broker must lead again in time); one crash; a retry "
        "that arrives after the restart, within delivery.timeout.ms, two minutes by default. The "
        "newest producer snapshot at or below the base of the segment that is recovered has no "
        "producers, though there were some. KIP-952 makes such a file for a segment from before "
        "Kafka 2.8; we read it so that the file lies in the log directory. The last two segments "
        "have a snapshot, so that it takes a lost file, too, as here, and then a batch and a clean "
        "restart, without which the broker does not notice the loss (without the batch the restart "
        "itself writes an empty snapshot); or an index so damaged that recovery begins at an older "
        "segment. For the aborted records: a transaction that spans the offset of the file, and a "
        "recovery of the segment after it, as without its offset index, or by the code after a "
        "crash before it is flushed: it rebuilds the transaction index, to which the marker of an "
        "unknown transaction adds nothing. Recovery reads such a file in Kafka 3.0 to 4.4."
    ),
    tracker=(
        "KIP-952, under discussion; KAFKA-15195 and KAFKA-16209 (snapshots without producers)"
    ),
    claims=(
        "no_sequence_is_accepted_twice",
        "accepted_sequences_follow_each_other",
        "recovery_restores_producers",
    ),
    passages=(
        Passage(
            "KIP-952",
            "Proposed Changes",
            "We propose to create a segment-aligned empty producer snapshot whenever we detect "
            "that the value here https://github.com/apache/kafka/blob/trunk/core/src/main/java/"
            "kafka/log/remote/RemoteLogManager.java#L581 is null.",
        ),
        Passage(
            "KIP-952",
            "Rejected Alternatives",
            "- Generate a correct producer snapshot prior to upload - this will be expensive "
            "because we either have to reply the log from the beginning or choose an arbitrary "
            "earlier segment as the starting point to start calculating said snapshot from.",
        ),
    ),
    permitted_by=(
        "ProducerStateManager#loadFromSnapshot, which takes the newest snapshot for all that was "
        f"written before it; {UNKNOWN}"
    ),
    assumptions=("H3",),
    story=Story(
        "a7ea74",
        (
            ("start", NEW_LOG),
            ("1-2", SENT_TWICE),
            ("3", APPENDED),
            ("4", "The broker rolls the segment, and takes a producer snapshot of offset 1."),
            ("5", "The file of that snapshot is lost."),
            (
                "6",
                "An operator puts an empty snapshot of offset 1 in its place, so that the segment "
                "can be copied, as the copy task of KIP-952 would.",
            ),
            (
                "7-8",
                "The broker crashes, and recovers the log. It loads the empty snapshot of offset "
                "1, reads only what comes after it, and knows no producer.",
            ),
            ("9", AGAIN),
            ("end", TWICE),
            (
                "beyond",
                "Without any snapshot file the broker would have read the log from offset 0, and "
                "would have known the producer. A later snapshot, of a roll or a clean shutdown "
                "after step 6, is right: it is taken from memory, which still has the producer.",
            ),
            (
                "note",
                "KIP-952 as the writer of such a file: "
                "[its page](../kip952/empty_snapshot_denies_producers.md).",
            ),
        ),
    ),
    turning=8,
    fix=(
        "The writer is to be changed, not the reader: KIP-952 should not make an empty snapshot, "
        "but a right one, by its first rejected alternative. That one need not read the log from "
        "the beginning each time: segments are copied in order, and each replay begins with the "
        "snapshot that the one before has made. A "
        "reader cannot tell an empty snapshot that is right from one that is not. If the empty "
        "file is only uploaded, recovery does not meet it, but a follower that begins on the "
        "remote tier knows no producer from it (today it knows none whatever the file says, as "
        "ProducerStateManager#truncateFullyAndReloadSnapshots deletes it unread). "
        "ProducerStateManager#loadFromSnapshot could only distrust every snapshot without "
        "producers, and go on to an older one, or read the log. Only that was tried in this "
        "model, and we would not merge it."
    ),
    costs=(
        "Of the replay: one read of each old segment. Of the distrust: after a crash a log that "
        "no idempotent producer writes is read from its start."
    ),
    repair="repair_skip_empty_snapshots",
    proposal="proposal_copy_task_builds_the_snapshot",
    stands_alone=True,
    shows="retry_is_a_duplicate",
    scope="empty",
)
CLEAN_RESTART = Finding(
    name="clean_restart_without_snapshots",
    title=(
        "After a clean shutdown a log without producer snapshots is not read, and a retried batch "
        "is appended twice"
    ),
    severity=Severity.WRONG,
    symptom=(
        f"{READ_TWICE} It happens only if all snapshot files of the partition are lost, as by a "
        "copy of the log directory without them. A broker that finds none after a clean shutdown "
        "takes the log for one from before Kafka 0.11, which never had such producers, and reads "
        "none of it."
    ),
    needs=(
        "One replica is enough (with more, the broker must lead again in time); one clean "
        "restart; a retry that arrives after it, within delivery.timeout.ms, two minutes by "
        "default. A clean shutdown writes a snapshot file; somebody or something has deleted it, "
        "and every earlier one, before the start. Kafka 0.11 to 4.4, by the code, before 2.5 "
        "(KIP-360) only for a producer's first batch (sequence 0)."
    ),
    tracker="no issue notes it; the shortcut is of KAFKA-5186 (pull requests 3113 and 3306)",
    claims=(
        "no_sequence_is_accepted_twice",
        "accepted_sequences_follow_each_other",
        "load_restores_producers",
    ),
    permitted_by=(
        "UnifiedLog#rebuildProducerState, which reads no segment where there is no snapshot and "
        f"the shutdown was clean (reloadFromCleanShutdown); {UNKNOWN}"
    ),
    story=Story(
        "a58919",
        (
            ("start", NEW_LOG),
            ("1-2", SENT_TWICE),
            ("3", APPENDED),
            ("4", "The broker shuts down cleanly, with a producer snapshot of offset 1."),
            ("5", "The file of that snapshot is lost."),
            (
                "6",
                "The broker starts. It finds no snapshot, writes an empty one of offset 1, and "
                "reads nothing of the log: it knows no producer.",
            ),
            ("7", AGAIN),
            ("end", TWICE),
        ),
    ),
    turning=6,
    fix=(
        "UnifiedLog#rebuildProducerState loses its parameter reloadFromCleanShutdown, and reads "
        "the log where there is no snapshot, after a clean shutdown as after a crash. An ordinary "
        "start is as quick as before: a log with records above its log start has a snapshot after "
        "a clean shutdown, also if no producer ever was idempotent. Where all records are deleted "
        "there may be none, and nothing to read either."
    ),
    costs=(
        "A clean start that finds no snapshot reads the log from its start, as a start after a "
        "crash does. The shortcut was made for the first start after an upgrade from a "
        "version before 0.11, which Kafka 4 no longer allows in one step. Records that are in "
        "the remote tier only are not read. "
        "LogLoaderTest#testSkipTruncateAndReloadIfNewMessageFormatAndCleanShutdown goes."
    ),
    repair="repair_read_log_without_snapshots",
    stands_alone=True,
    shows="retry_is_a_duplicate",
    scope="clean",
)
LOST_SNAPSHOT = Finding(
    name="lost_snapshot_takes_the_log_directory_offline",
    title=(
        "A missing producer snapshot file takes the whole log directory offline at the next "
        "truncation"
    ),
    severity=Severity.UNAVAILABLE,
    symptom=(
        "The broker takes a whole log directory offline: every partition in it loses this "
        "replica, and leaders move away, until an operator restarts the broker. If it was the "
        "broker's only log directory, the broker halts. A partition without another in-sync "
        "replica cannot be read meanwhile. A truncation loads the newest snapshot in the broker's "
        "list (ProducerStateManager#snapshots). If its content is corrupt, the broker goes on to "
        "an older one; if the file is gone, it counts the IOException as a failed disk."
    ),
    needs=(
        "Two replicas; one election after which the old leader has a batch to truncate. The "
        "newest producer snapshot not above the offset of the truncation lies above the log start, "
        "and its file was deleted while the broker runs. Kafka itself does not do that: it takes a "
        "person or a script, or a file system that loses files. Kafka 2.8 to 4.4, by the code."
    ),
    tracker="no issue notes it; KAFKA-5747 (pull request 3688) is about a file that cannot be read",
    claims=("log_directory_stays_online",),
    permitted_by=(
        "ProducerStateManager#loadFromSnapshot, which goes on to an older snapshot after a "
        "CorruptSnapshotException and not after the NoSuchFileException of #readSnapshot; "
        "UnifiedLog#truncateTo, during which any IOException takes the log directory offline "
        "(LocalLog#maybeHandleIOException)"
    ),
    story=Story(
        "f62685",
        (
            ("start", TWO_LOGS),
            (
                "1-3",
                "An idempotent producer sends a batch, which is appended at offset 0. The broker "
                "rolls the segment, and takes a producer snapshot of offset 1.",
            ),
            ("4", "The file of that snapshot is lost. The running broker does not notice it."),
            ("5-6", "The producer sends its next batch, which is appended at offset 1."),
            (
                "7",
                "The broker follows another leader and truncates its log to offset 1. It loads "
                "the snapshot of offset 1, which it still has in its list, and gets a "
                "NoSuchFileException.",
            ),
            ("end", "The log directory is offline, with every partition in it."),
            (
                "beyond",
                "A snapshot file with corrupt content would have been skipped for an older one. A "
                "restart heals: the broker then lists the files that are there.",
            ),
        ),
    ),
    turning=7,
    fix=(
        "ProducerStateManager#loadFromSnapshot treats a NoSuchFileException as a "
        "CorruptSnapshotException: it logs a warning, drops the snapshot from its list "
        "(#removeAndDeleteSnapshot, which tolerates that the file is gone) and goes on to an "
        "older one. UnifiedLog#rebuildProducerState then reads the log from there, or from the "
        "log start. "
        "Every other IOException takes the log directory offline, as today."
    ),
    costs=(
        "A disk that loses files is noticed later: one warning in place of an offline directory. "
        "Producers whose records are deleted, or only remote, are lost unless an older snapshot "
        "has them, as with a corrupt one. If a producer was known before, one truncation reads "
        "more of the local log, without an older snapshot all of it, under the lock of the log."
    ),
    repair="repair_skip_lost_snapshots",
    stands_alone=True,
    shows="retry_is_a_duplicate",
    scope="gone",
)
LAST_SNAPSHOT = Finding(
    name="empty_log_has_one_snapshot",
    title=(
        "If a follower fetches producers as one snapshot file, the loss of that file lets a retry "
        "be appended twice"
    ),
    severity=Severity.TEXT,
    symptom=(
        "No released Kafka does this: it is what the fixes of two other reports of ours leave "
        "open, and who reviews them should know it. Consumers that have read a batch before its "
        "deletion read it again at a later offset, and nothing reports it; the second one stays. "
        "Where every record of a partition is deleted, one snapshot file is all that tells a "
        "broker which producers there were; if it is lost, no log is there to read instead."
    ),
    needs=(
        "Two replicas; one election; DeleteRecords or retention deletes every record; one "
        "snapshot file vanishes; the broker restarts once, cleanly or not, and leads again; a "
        "retry arrives after that, within delivery.timeout.ms, two minutes by default. And the "
        "two fixes, without which the producers are forgotten earlier. The first: a follower that "
        "begins at its leader's log start fetches the producer state, too (step 4; our report \"A "
        "follower that starts at the leader's log start lacks producers of deleted records, and a "
        'retried batch is appended twice"). The second: a clean restart that finds no snapshot '
        'reads the log (step 7; our report "After a clean shutdown a log without producer '
        'snapshots is not read, and a retried batch is appended twice").'
    ),
    claims=(
        "no_sequence_is_accepted_twice",
        "accepted_sequences_follow_each_other",
        "load_restores_producers",
    ),
    permitted_by=(
        "ProducerStateManager#takeSnapshot, which takes none at a shutdown if it has taken one of "
        "that offset (lastSnapOffset), be the file there or not; UnifiedLog#rebuildProducerState, "
        f"which has snapshots and the log to build from, and here neither; {UNKNOWN}"
    ),
    story=Story(
        "cbf6d1",
        (
            (
                "start",
                "The partition has two replicas with empty logs. The broker that is shown leads; "
                "the other one holds the same records and knows the same producers.",
            ),
            ("1-2", SENT_TWICE),
            ("3", APPENDED),
            (
                "4",
                "The other broker leads by now, and its records below offset 1 are deleted. "
                "This broker, a follower, empties its log and begins at offset 1, the "
                "leader's log start. With the first fix it fetches the leader's "
                "producers, too, and writes them to a producer snapshot of offset 1.",
            ),
            (
                "5-6",
                "The file of that snapshot is lost, which the running broker does not notice. The "
                "broker shuts down cleanly. It takes no snapshot, as it has taken one of offset 1 "
                "already.",
            ),
            (
                "7",
                "The broker starts. It finds no snapshot, and with the second fix "
                "reads its log, which is empty. It knows no producer, and writes an empty "
                "snapshot of offset 1.",
            ),
            (
                "8",
                "The broker leads again. The second request arrives. The broker does not know the "
                "producer and appends the batch at offset 1.",
            ),
            (
                "end",
                "The batch was accepted twice: at offset 0, which is deleted, and at offset 1.",
            ),
            (
                "beyond",
                "The end is the same where the file is lost after the shutdown, where it is "
                "corrupt instead of lost, where the broker crashes instead, and where the "
                "broker leads throughout and deletes all segments with records: we replayed each. "
                "A consumer that read offset 0 before its deletion reads the batch again.",
            ),
            (
                "note",
                "The two changes: [a follower that begins at its leader's log start]"
                "(../kip405_producers/follower_begins_at_the_log_start_without_producers.md), and "
                "[a clean restart without snapshots](clean_restart_without_snapshots.md).",
            ),
        ),
    ),
    turning=7,
    unrepaired=(
        "one broker is all that was explored here, and nothing on it but the file says which "
        "producers there were. Their records are deleted."
    ),
    fix=(
        "We propose none: a file has to vanish, the broker to restart, and all records to be "
        "deleted, within two minutes of a batch. If it is to be closed, a broker that starts and "
        "finds no producer snapshot of its log end fetches the producers from the leader before "
        "it joins the ISR, by the request that the first of the two fixes adds. It cannot do so "
        "if it is the only replica, or leads at once."
    ),
    shows="retry_is_a_duplicate",
    scope="emptied_restart",
)
