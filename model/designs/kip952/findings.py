"""What KIP-952 and its alternatives permit and should not: the register's written half.

`PROPOSAL` belongs to the text; the others to the alternatives that it rejects.
"""

from dataclasses import replace

from tierproof.model.designs.kip405_producers.findings import (
    DELETED_RECORDS,
    FOLLOWER_CLAIMS,
    FOLLOWER_PERMITTED_BY,
    FOLLOWER_PREVENTED_BY,
    LATE_RETRY,
)
from tierproof.model.language import Finding

DUPLICATE = ("each_batch_is_committed_once", "leader_knows_every_producer")
PROPOSED = (
    'KIP-952, Proposed Changes: "create a segment-aligned empty producer snapshot whenever we '
    'detect that the value ... is null"'
)
PREVENTED_BY = "a snapshot with the producers of the log before it"
REGENERATE = "repair_regenerate_the_snapshot"
FOLLOWERS_KEEP = "repair_followers_keep_the_snapshot"
BEGIN_FOLLOWING = (
    "A follower comes back with an empty disk, when the old segment is only in the remote tier. "
)
ELECTED_AND_RETRIED = (
    "The follower gets in sync and is elected. A client whose answer was lost retries, and its "
    "batch is committed twice."
)

# -- the proposal

EMPTY_IS_STORED = Finding(
    name="empty_snapshot_is_stored",
    title="The remote tier gets a producer snapshot that denies every producer",
    claims=("copied_snapshots_are_right",),
    permitted_by=PROPOSED,
    explanation=(
        "A segment from before Kafka 2.8 holds batches of an idempotent producer that is still "
        "at work. The leader stores an empty producer snapshot with it. To whoever reads it, the "
        "file says that nobody had written up to there. It cannot be told from a right snapshot "
        "of a log without producers."
    ),
    repair=REGENERATE,
    prevented_by=PREVENTED_BY,
    scope="smoke",
)
CRASH_RECOVERS_EMPTY = Finding(
    name="crash_recovers_from_the_empty_snapshot",
    title="The leader crashes, recovers from the empty snapshot, and appends a retry",
    claims=(
        *DUPLICATE,
        "making_a_snapshot_changes_no_recovery",
        "local_snapshots_are_right",
    ),
    permitted_by=f"{PROPOSED}; LogLoader and ProducerStateManager#truncateAndReload, which begin "
    "a recovery at the newest snapshot",
    explanation=(
        "The leader makes an empty producer snapshot for an old segment, in its log directory. "
        "It crashes. Without the file it would have replayed the log from its beginning. With "
        "it, it loads the empty snapshot and replays only what comes after: the producers of "
        "the old segment are forgotten, though their batches are all in its log. A client whose "
        "answer was lost retries, and the batch is committed twice. No follower and no election "
        "is needed, and nothing need have been copied. A crash without the proposal loses "
        "nothing here."
    ),
    repair=REGENERATE,
    prevented_by=PREVENTED_BY,
    scope="restart",
)
CRASH_ADMITS_ZOMBIE = Finding(
    name="crash_admits_a_zombie",
    title="After such a crash the leader accepts an older instance, and refuses the newer one",
    claims=("committed_producer_epochs_never_decrease", "leader_accepts_the_next_batch"),
    permitted_by=CRASH_RECOVERS_EMPTY.permitted_by,
    explanation=(
        "A client was restarted and has written in a new epoch, in a segment from before 2.8; a "
        "request of its old instance is still on its way. The leader crashes and recovers from "
        "the empty snapshot. It accepts the old epoch, which it would have fenced. The client "
        "then sends its next sequence in the new epoch: the leader, which now knows the old "
        "epoch only, expects sequence 0 and answers OutOfOrderSequenceException."
    ),
    repair=REGENERATE,
    prevented_by=PREVENTED_BY,
    scope="zombies",
)
FOLLOWER_BEGINS_EMPTY = Finding(
    name="follower_begins_with_the_empty_snapshot",
    title="A follower begins with the empty snapshot, is elected, and appends a retry",
    claims=(*DUPLICATE, "replicas_of_equal_logs_know_the_same_producers"),
    permitted_by=PROPOSED,
    explanation=(
        "Shown with the repair of Kafka's own fault, after which a follower keeps the snapshot "
        f"that it fetches. {BEGIN_FOLLOWING}It fetches the empty snapshot and knows none of the "
        f"producers. {ELECTED_AND_RETRIED}"
    ),
    repair=REGENERATE,
    prevented_by=PREVENTED_BY,
    scope="followers",
    beside=(FOLLOWERS_KEEP,),
)
RIGHT_IS_OF_NO_USE = Finding(
    name="right_snapshot_is_of_no_use_yet",
    title="As Kafka is, a follower forgets the producers even if the snapshot is right",
    claims=FOLLOWER_CLAIMS,
    permitted_by=FOLLOWER_PERMITTED_BY,
    explanation=(
        f"The snapshot that is stored with the old segment is right. {BEGIN_FOLLOWING}It fetches "
        "the snapshot, puts it in place, and deletes it in the next call, as released Kafka "
        f"does. {ELECTED_AND_RETRIED} Whatever is done about old segments needs this repair, "
        "too."
    ),
    repair=FOLLOWERS_KEEP,
    prevented_by=FOLLOWER_PREVENTED_BY,
    scope="followers",
)
RETENTION_FORGETS = replace(
    DELETED_RECORDS,
    claims=(*DELETED_RECORDS.claims, "copied_snapshots_are_right"),
)
LOCAL_RETENTION = Finding(
    name="local_retention_takes_the_last_knowledge",
    title="Local retention removes an old segment, and a crash then forgets its producers",
    claims=(*DUPLICATE, "local_snapshots_are_right"),
    permitted_by="UnifiedLog#deleteOldSegments, which asks for no producer snapshot; "
    "ProducerStateManager#truncateAndReload",
    explanation=(
        "The old segment is copied, and local retention removes it: the first local segment has "
        "no producer snapshot at its base. The leader crashes. It has no snapshot to begin "
        "with, replays its local log, and does not know the producers whose batches are only "
        "in the remote tier. A client whose answer was lost retries, and its batch is committed "
        "twice. The log directory needs a snapshot before local retention may remove what "
        "lies before it."
    ),
    repair="repair_snapshot_before_the_start_moves",
    prevented_by="a right snapshot at the base of the first segment that stays",
    scope="restart",
)
FOLLOWER_HAS_NO_SNAPSHOT = Finding(
    name="follower_has_no_snapshot_of_its_own",
    title="Only the leader makes the snapshot: a follower crashes, forgets, and is elected",
    claims=(
        *DUPLICATE,
        "replicas_of_equal_logs_know_the_same_producers",
        "local_snapshots_are_right",
    ),
    permitted_by=f"{LOCAL_RETENTION.permitted_by}; KIP-952 speaks of the broker that copies",
    explanation=(
        "The leader makes a right snapshot for the old segment, in its own log directory, and "
        "copies both. A follower learns that the segment is in the remote tier, and its local "
        "retention removes it. The follower has no snapshot at the base of what is left. It "
        "crashes, replays its log, and does not know the producers of the old segment, though "
        "it never fetched anything from the remote tier. It gets in sync again and is elected. "
        "A client whose answer was lost retries, and its batch is committed twice. Each replica "
        "needs a snapshot before its local retention removes the segment."
    ),
    repair="repair_snapshot_before_the_start_moves",
    prevented_by=LOCAL_RETENTION.prevented_by,
    scope="default",
)
PROPOSAL = (
    CRASH_RECOVERS_EMPTY,
    EMPTY_IS_STORED,
    CRASH_ADMITS_ZOMBIE,
    FOLLOWER_BEGINS_EMPTY,
    replace(RIGHT_IS_OF_NO_USE, beside=(REGENERATE,)),
    replace(FOLLOWER_HAS_NO_SNAPSHOT, beside=(REGENERATE,)),
    replace(
        LOCAL_RETENTION,
        title="The empty snapshot is only copied: local retention and a crash lose producers",
        beside=("text_snapshot_is_only_copied",),
    ),
    replace(
        CRASH_RECOVERS_EMPTY,
        name="file_is_found_at_the_next_start",
        title="The manager is not told of the empty snapshot, and finds it after a crash",
        explanation=(
            "The empty snapshot is put into the log directory behind the back of the running "
            "ProducerStateManager. After a crash the broker reads the directory, finds the file, "
            "and recovers from it, as in `crash_recovers_from_the_empty_snapshot`."
        ),
        beside=("text_snapshot_is_found_at_restart",),
    ),
    LATE_RETRY,
    replace(RETENTION_FORGETS, beside=(REGENERATE,)),
)

# -- the alternatives

SECOND_LACKS_THE_FIRST = Finding(
    name="second_snapshot_lacks_the_first_segment",
    title="The replay for the second old segment no longer finds the first, and a crash forgets",
    claims=(
        *DUPLICATE,
        "copied_snapshots_are_right",
        "local_snapshots_are_right",
        "making_a_snapshot_changes_no_recovery",
    ),
    permitted_by='KIP-952, Rejected Alternatives: "reply the log from the beginning or choose an '
    'arbitrary earlier segment as the starting point"',
    explanation=(
        "Two segments are from before 2.8. The leader makes a right snapshot for the first, "
        "copies it, and local retention removes the segment. For the second it replays its "
        "local log from the beginning, which is now the second segment itself: the snapshot "
        "lacks the producers of the first, which the one before it has. The leader crashes, "
        "loads the newer snapshot, and appends a retry a second time. The replay has to begin "
        "as a recovery does, with the newest snapshot."
    ),
    repair="repair_replay_from_the_newest_snapshot",
    prevented_by="a replay that begins with the newest snapshot",
    scope="two_old",
)
REGENERATED = (
    RIGHT_IS_OF_NO_USE,
    SECOND_LACKS_THE_FIRST,
    FOLLOWER_HAS_NO_SNAPSHOT,
    LATE_RETRY,
    RETENTION_FORGETS,
)
REGENERATED_YOUNG = (
    *REGENERATED,
    Finding(
        name="regenerated_snapshot_lacks_the_expired",
        title="The regenerated snapshot lacks producers that a replay of the log brings back",
        claims=("making_a_snapshot_changes_no_recovery",),
        permitted_by="ours: regenerate from the segments younger than producer.id.expiration.ms",
        explanation=(
            "The old segment is older than producer.id.expiration.ms, and its producers have "
            "expired. The snapshot that is made lacks them. A recovery that replays the whole "
            "log would bring them back until the next expiry. So the file changes what a crash "
            "recovers, though nobody is owed what it lacks."
        ),
        repair="repair_read_the_whole_log",
        prevented_by="a replay of the whole log",
        scope="expiry",
    ),
)
WAITING = (
    Finding(
        name="waiting_never_ends",
        title="Old segments never expire, since what is not copied is never deleted",
        claims=("rolled_segments_are_copied", "expired_local_segments_are_removed"),
        permitted_by=(
            'KIP-952, Rejected Alternatives: "wait to upload segments until it has expired all '
            'segments lacking a producer snapshot"; UnifiedLog#isSegmentEligibleForDeletion'
        ),
        explanation=(
            "The topic is tiered, and its first segment has no producer snapshot. The copy task "
            "waits until retention has deleted it. Retention waits for the copy task: with "
            "remote storage enabled, a segment that is not copied is never deleted, however old "
            "it is. Nothing is copied and nothing is deleted, for ever. The wait has to come "
            "before tiering is enabled."
        ),
        prevented_by="retention.ms for segments that will never be copied",
        scope="retention",
    ),
    LATE_RETRY,
)
REFUSING = (
    Finding(
        name="another_replica_still_has_an_old_segment",
        title="The leader has no old segment left, and a replica that has one is elected",
        claims=("inputs_exist_before_copy_is_published",),
        permitted_by=(
            'KIP-952, Rejected Alternatives: "this condition needs to hold true across all '
            'brokers and additional synchronisation will be required"'
        ),
        explanation=(
            "Only the leader is asked whether it has a segment without snapshot. Its retention "
            "has deleted the old segment, and tiering is enabled. A follower has not deleted it "
            "yet, and is elected: the copy task meets a segment without a snapshot, publishes "
            "COPY_SEGMENT_STARTED and fails."
        ),
        prevented_by="asking every replica, in the same moment",
        scope="followers",
        beside=("text_only_the_leader_is_asked",),
    ),
    Finding(
        name="crash_amid_a_deletion_blocks_the_copy",
        title="A crash between raising the log start and deleting leaves a segment without epochs",
        claims=("rolled_segments_are_copied", "expired_local_segments_are_removed"),
        permitted_by=(
            "UnifiedLog#maybeIncrementLogStartOffset, which cuts the leader epoch checkpoint at "
            "once; LogManager#checkpointLogStartOffsets, which writes the log start once a minute"
        ),
        explanation=(
            "Before the topic is tiered, retention raises the log start over its first segment, "
            "and the leader-epoch checkpoint is cut there. The broker crashes before it deletes "
            "the segment and writes the log start. It comes back with the old log start, the "
            "segment, and no leader epoch for it. Tiering is enabled. The copy task cannot "
            "describe the segment (RemoteLogSegmentMetadata throws without epochs), and "
            "retention deletes nothing that is not copied. Neither needs a producer snapshot."
        ),
        prevented_by="a log start that is not below the first leader epoch",
        scope="retention",
    ),
    replace(
        RETENTION_FORGETS,
        name="deleted_old_segment_takes_its_producers_along",
        title="Retention deletes an old segment, and a crash forgets its producers",
        explanation=(
            "Retention deletes the old segment of a topic that is not tiered yet, as the "
            "alternative wants it. No snapshot stands at the base of the next segment. The "
            "leader crashes, replays what is left, and does not know a producer whose client "
            "still waits for an answer. The retry is appended a second time. Tiering has no "
            "part in it."
        ),
        repair=None,
        prevented_by="a right snapshot at the base of the first segment that stays",
    ),
)
OBJECT_WITHOUT_SNAPSHOT = Finding(
    name="object_without_snapshot",
    title="An object without a producer snapshot may be old, or damaged: nobody can tell",
    claims=("every_object_has_its_snapshot",),
    permitted_by=(
        'KIP-952, Rejected Alternatives: "whether a snapshot is not presented because of an '
        "upgrade of Kafka version, because there is a bug in the plugin implementation or because "
        'the remote storage itself has been tampered with"'
    ),
    explanation=(
        "Segments are stored without a producer snapshot. A broker that finds none cannot tell "
        "an old segment from a fault of the store or of its plugin, as the text says. The empty "
        "file of the proposal only moves the question: it cannot be told from a right snapshot."
    ),
    prevented_by="a snapshot, or a mark that there is none",
    scope="smoke",
)
CRASH_FORGETS_ZOMBIE = replace(
    CRASH_ADMITS_ZOMBIE,
    permitted_by=LOCAL_RETENTION.permitted_by,
    explanation=(
        "A client was restarted and has written in a new epoch, in a segment from before 2.8; a "
        "request of its old instance is still on its way. Local retention removes the segment, "
        "the leader crashes and knows the producer no more "
        "(`local_retention_takes_the_last_knowledge`). It accepts the old epoch, and then "
        "refuses the next sequence of the new one."
    ),
    repair="repair_snapshot_before_the_start_moves",
    prevented_by=LOCAL_RETENTION.prevented_by,
)
NOT_COPIED = (
    OBJECT_WITHOUT_SNAPSHOT,
    LOCAL_RETENTION,
    CRASH_FORGETS_ZOMBIE,
    replace(
        FOLLOWER_HAS_NO_SNAPSHOT,
        title="A follower loses the old segment to local retention, crashes, and is elected",
        permitted_by=LOCAL_RETENTION.permitted_by,
        explanation=(
            "The leader copies the old segment without a snapshot. A follower learns that the "
            "segment is in the remote tier, and its local retention removes it. The follower has "
            "no snapshot at the base of what is left. It crashes, replays its log, and does not "
            "know the producers of the old segment, though it never fetched anything from the "
            "remote tier. It gets in sync again and is elected. A client whose answer was lost "
            "retries, and its batch is committed twice."
        ),
    ),
    LATE_RETRY,
)
CREATED_ON_READ = (
    *NOT_COPIED,
    replace(
        FOLLOWER_BEGINS_EMPTY,
        permitted_by=(
            'KIP-952, Rejected Alternatives: "Create empty snapshot files on read if a snapshot '
            'file is not found"'
        ),
        explanation=(
            "Shown with the repair of Kafka's own fault, after which a follower keeps the "
            f"snapshot that it fetches. {BEGIN_FOLLOWING}There is no snapshot with it, so that "
            f"it takes an empty one and knows none of the producers. {ELECTED_AND_RETRIED}"
        ),
        repair=None,
    ),
    replace(
        EMPTY_IS_STORED,
        name="forgotten_producers_are_copied",
        title="What a restarted leader has forgotten is missing in the snapshots it copies",
        permitted_by=LOCAL_RETENTION.permitted_by,
        explanation=(
            "After local retention and a crash the leader does not know the producers of the "
            "old segment (`local_retention_takes_the_last_knowledge`). The snapshot of the next "
            "segment that it rolls lacks them, and is stored with the copy."
        ),
        repair="repair_snapshot_before_the_start_moves",
        prevented_by=LOCAL_RETENTION.prevented_by,
        scope="restart",
    ),
)
