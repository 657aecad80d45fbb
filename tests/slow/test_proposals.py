"""What a mail proposes keeps what its finding claims: alone, where the finding says so."""

import pytest

from tierproof.model.designs import DESIGNS
from tierproof.model.language import Design, Finding
from tierproof.model.language.isolation import isolated, proposed
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.search import explore

RESOLVED = [Question(design=name).resolve()[0] for name in DESIGNS]
PROPOSED = [
    pytest.param(design, one, id=f"{design.name} {one.name}")
    for design in RESOLVED
    for one in design.findings
    if one.stands_alone or one.proposal
]


@pytest.mark.slow
@pytest.mark.parametrize(("design", "one"), PROPOSED)
def test_what_a_mail_proposes_keeps_what_its_finding_claims(design: Design, one: Finding) -> None:
    changed = design.with_variants(*proposed(design, one))
    result = explore(changed, changed.scope(one.scope or ""), MemoryExecution, only=one.claims)
    assert {entry.name for entry in result.properties} == set(one.claims)
    assert {str(entry.verdict) for entry in result.properties} == {"HOLDS"}


NOT_ENOUGH = [
    pytest.param(*row, id=f"{row[2]} {row[1]}")
    for row in (
        (
            "kip405",
            "new_leader_misses_the_log_start",
            "proposal_copy_task_looks_for_log_start_in_each_run",
            {},
        ),
        (
            "kip405",
            "deleted_offsets_count_as_copied",
            "proposal_copy_task_looks_for_log_start_in_each_run",
            {},
        ),
        (
            "kip405_producers",
            "old_segment_is_never_copied",
            "proposal_look_for_the_snapshot_first",
            {},
        ),
        ("kip950", "follower_misses_the_log_start", "proposal_late_followers_leave_in_sync", {}),
        (
            "kip950",
            "follower_misses_the_log_start",
            "proposal_each_replica_starts_at_its_first_local_offset",
            {},
        ),
        (
            "kip950",
            "follower_trusts_a_stale_cache",
            "proposal_keep_locally_before_a_disable",
            {"config_changes": 2},
        ),
        (
            "kip950",
            "follower_trusts_a_stale_cache",
            "proposal_keep_locally_everywhere_before_a_disable",
            {"config_changes": 2},
        ),
        (
            "kip950",
            "cancelling_is_no_barrier",
            "proposal_cancelled_copies_delete_their_objects",
            {},
        ),
    )
]
"""Changes that a page or a docstring says are not enough: the harm of the finding stays."""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "finding", "change", "bounds"), NOT_ENOUGH)
def test_a_smaller_change_does_not_keep_what_the_finding_shows(
    name: str, finding: str, change: str, bounds: dict[str, int]
) -> None:
    design = next(one for one in RESOLVED if one.name == name)
    one = next(one for one in design.findings if one.name == finding)
    changed = design.with_variants(*isolated(design, one), change)
    scope = changed.scope(one.scope or "").replace(**bounds)
    (first,) = explore(changed, scope, MemoryExecution, only=one.claims[:1]).properties
    assert str(first.verdict) == "VIOLATED"


@pytest.mark.slow
def test_an_epoch_in_the_topic_keeps_what_readers_see_but_counts_the_old_leader_until_then() -> (
    None
):
    design = next(one for one in RESOLVED if one.name == "kip1272")
    one = next(it for it in design.findings if it.name == "comparison_of_offsets_fences_nobody")
    changed = design.with_variants(
        *isolated(design, one), "proposal_new_leader_publishes_its_epoch"
    )
    found = explore(changed, changed.scope(one.scope or ""), MemoryExecution, only=one.claims)
    verdicts = {entry.name: str(entry.verdict) for entry in found.properties}
    assert {name for name, verdict in verdicts.items() if verdict == "HOLDS"} == {
        "committed_records_stay_readable",
        "leaders_claims_are_never_rejected",
        "no_committed_record_lost",
    }
    assert {name for name, verdict in verdicts.items() if verdict == "VIOLATED"} == {
        "only_the_leader_publishes_copies",
        "only_the_leader_deletes",
        "accepted_claims_are_of_leaders",
    }


KEPT_BUT_FOR = [
    pytest.param(*row, id=f"{row[2]} {row[1]}")
    for row in (
        (
            "kip405",
            "new_leader_misses_the_log_start",
            "proposal_delete_below_in_sync_log_starts",
            set[str](),
        ),
        (
            "kip405",
            "deleted_offsets_count_as_copied",
            "proposal_delete_below_in_sync_log_starts",
            set[str](),
        ),
        (
            "kip950",
            "follower_misses_the_log_start",
            "proposal_late_followers_leave_before_they_disable",
            set[str](),
        ),
        (
            "kip405",
            "zombie_acts_on_remote_tier",
            "proposal_expiration_stops_behind_a_newer_leader",
            {"only_the_leader_publishes_copies"},
        ),
        (
            "kip405",
            "two_copies_of_a_segment_both_count",
            "proposal_count_no_segment_within_another",
            {"only_the_leader_publishes_copies"},
        ),
    )
]
"""Changes of which a page says that they keep what the finding claims, but for the last."""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "finding", "change", "broken"), KEPT_BUT_FOR)
def test_another_change_keeps_what_the_finding_claims_but_for(
    name: str, finding: str, change: str, broken: set[str]
) -> None:
    design = next(one for one in RESOLVED if one.name == name)
    one = next(it for it in design.findings if it.name == finding)
    changed = design.with_variants(*isolated(design, one), change)
    found = explore(changed, changed.scope(one.scope or ""), MemoryExecution, only=one.claims)
    verdicts = {entry.name: str(entry.verdict) for entry in found.properties}
    assert {claim for claim, verdict in verdicts.items() if verdict == "VIOLATED"} == broken
    assert {verdict for claim, verdict in verdicts.items() if claim not in broken} == {"HOLDS"}
