"""KIP-1266's migration: four steps from a topic without keys to one that is compacted.

Step 1 gives the topic a finite retention, step 2 upgrades the brokers one by one, each of
which then writes keys and tombstones beside brokers that do not know them, step 3 waits one
retention window, step 4 turns compaction on. Everything else is `kip1266`.
The text promises a "backfill strategy [...] in the migration plan part", where there is none:
here it is a repair.
"""

from tierproof.invariants import metadata_compaction
from tierproof.model.designs import kip1266
from tierproof.model.designs.kip1266.ghosts import note_removed
from tierproof.model.designs.kip1266.start import new_cluster
from tierproof.model.designs.kip1266.state import Kip1266
from tierproof.model.designs.kip1266_migration import steps
from tierproof.model.designs.kip1266_migration.proposals import PROPOSALS
from tierproof.model.designs.kip1266_migration.readings import READINGS
from tierproof.model.designs.kip1266_migration.repairs import REPAIRS
from tierproof.model.language import Edit

DESIGN = kip1266.DESIGN.derive(
    name="kip1266_migration",
    title="KIP-1266: the migration of an existing cluster",
    document="KIP-1266, Under Discussion",
    change=Edit(
        drop=(
            new_cluster,
            metadata_compaction.topic_is_compacted,
            metadata_compaction.segment_is_copied_by_two_leaders,
            metadata_compaction.segment_is_forgotten,
        ),
        add_initial=(steps.existing_cluster,),
        add_environment=steps.ENVIRONMENT,
        add_witnesses=(
            metadata_compaction.plan_is_carried_out,
            metadata_compaction.topic_was_migrated,
        ),
        also={
            steps.existing_cluster: steps.note_existing,
            steps.retention_removes_metadata: note_removed,
            steps.retention_window_passes: note_removed,
        },
    ),
    variants=READINGS + REPAIRS + PROPOSALS,
    scopes={
        # One segment that was copied before; a rolling upgrade of two brokers.
        "smoke": Kip1266(
            offsets=1,
            leader_epochs=1,
            segment_ids=1,
            history=1,
            expirations=0,
            windows=1,
            topic_records=4,
        ),
        # The new version copies another segment, so that there is something to migrate.
        "new_segment": Kip1266(
            offsets=2,
            leader_epochs=1,
            segment_ids=2,
            history=1,
            expirations=0,
            windows=1,
            topic_records=5,
        ),
        # The same, and both expire on the way.
        "deep": Kip1266(
            offsets=2,
            leader_epochs=1,
            segment_ids=2,
            history=1,
            expirations=2,
            windows=1,
            topic_records=5,
        ),
        # One segment, which expires on the way.
        "default": Kip1266(
            offsets=1,
            leader_epochs=1,
            segment_ids=1,
            history=1,
            windows=1,
            topic_records=6,
        ),
    },
)
