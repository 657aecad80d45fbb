"""The scopes of the design: in the first ones the state is never lost, in the others it is."""

from tierproof.model.designs.producer_state.state import ProducerStateScope as Scope

SCOPES = {
    # One producer with a zombie, two retries, and nothing is lost.
    "smoke": Scope(offsets=4, sequences=3, producer_epochs=2, epoch_bumps=1, retries=2),
    # Two producers, a crash and a shutdown; batches without a producer besides.
    "default": Scope(
        offsets=4, sequences=2, producers=2, requests=2, crashes=1, shutdowns=1, plain=1
    ),
    # A zombie's requests, and a crash.
    "zombies": Scope(offsets=4, sequences=2, producer_epochs=2, epoch_bumps=1, crashes=1),
    # Transactions, and a crash within one.
    "transactions": Scope(offsets=4, sequences=2, transactions=1, crashes=1),
    # The coordinator bumps the epoch before each marker.
    "bumped_markers": Scope(
        offsets=4, sequences=2, transactions=2, producer_epochs=2, epoch_bumps=1, crashes=1
    ),
    # A crash, with a snapshot that is lost and one that is corrupt.
    "lost": Scope(
        offsets=4,
        sequences=2,
        producers=2,
        requests=2,
        crashes=1,
        lost_snapshots=1,
        corrupt_snapshots=1,
    ),
    # As before, with an empty snapshot in place of a lost one.
    "empty": Scope(offsets=3, sequences=2, crashes=1, lost_snapshots=1, empty_snapshots=1),
    # A clean shutdown, whose snapshot is lost.
    "clean": Scope(offsets=3, sequences=2, shutdowns=1, lost_snapshots=1),
    # As before, with an empty snapshot, which is better than none.
    "clean_empty": Scope(offsets=3, sequences=2, shutdowns=1, lost_snapshots=2, empty_snapshots=1),
    # DeleteRecords, and a restart of either kind.
    "deleted": Scope(offsets=3, sequences=2, crashes=1, shutdowns=1, record_deletions=1),
    # Producers expire, in two epochs.
    "expired": Scope(
        offsets=3,
        sequences=2,
        producer_epochs=2,
        epoch_bumps=1,
        producer_ms=1,
        expiration_ms=1,
    ),
    # Two requests of a producer at a time.
    "in_flight": Scope(offsets=3, sequences=2, unanswered=2),
    # A follower truncates, after which it leads.
    "truncated": Scope(offsets=3, sequences=2, truncations=1),
    # A follower truncates, after records before the cut were deleted.
    "deleted_truncated": Scope(offsets=3, sequences=2, record_deletions=1, truncations=1),
    # A follower truncates, after its producers have expired.
    "expired_truncated": Scope(
        offsets=3,
        sequences=2,
        requests=1,
        transactions=1,
        producer_ms=1,
        expiration_ms=1,
        plain=1,
        truncations=1,
    ),
    # A follower truncates, and a snapshot is lost while it runs.
    "gone": Scope(offsets=3, sequences=2, truncations=1, lost_snapshots=1),
    # A follower empties its log, as all of it was deleted.
    "emptied": Scope(offsets=3, sequences=2, emptied_logs=1),
    # As before, and the one snapshot that an empty log has is lost around a clean restart.
    "emptied_restart": Scope(offsets=3, sequences=2, emptied_logs=1, shutdowns=1, lost_snapshots=1),
    # A follower begins on the remote tier.
    "rebuilt": Scope(offsets=3, sequences=2, tiered=1, rebuilds=1),
    # A longer log, two producers, a zombie, a crash and a shutdown.
    "deep": Scope(
        offsets=5,
        sequences=3,
        producers=2,
        requests=2,
        producer_epochs=2,
        epoch_bumps=1,
        crashes=1,
        shutdowns=1,
    ),
}
