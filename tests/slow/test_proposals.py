"""What a mail proposes keeps what its finding claims: alone, where the finding says so."""

from collections.abc import Sequence

import pytest

from tierproof.model.language import Design
from tierproof.register import Finding, register_of
from tierproof.register.isolation import isolated, proposed
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.registry import DESIGNS
from tierproof.spark_explorer.search import explore

RESOLVED = [Question(design=name).resolve()[0] for name in DESIGNS]


def told(name: str, finding: str) -> tuple[Design, Finding]:
    design = next(one for one in RESOLVED if one.name == name)
    return design, next(one for one in register_of(design).findings if one.name == finding)


def verdicts(changed: Design, one: Finding, claims: Sequence[str], **bounds: int) -> dict[str, str]:
    """What becomes of claims of a finding, in its scope with other bounds, in a changed design."""
    scope = changed.scope(one.scope or "").replace(**bounds)
    found = explore(changed, scope, MemoryExecution, only=claims)
    return {entry.name: str(entry.verdict) for entry in found.properties}


PROPOSED = [
    pytest.param(design, one, id=f"{design.name} {one.name}")
    for design in RESOLVED
    for one in register_of(design).findings
    if one.stands_alone or one.together_with or one.proposal
]


@pytest.mark.slow
@pytest.mark.parametrize(("design", "one"), PROPOSED)
def test_what_a_mail_proposes_keeps_what_its_finding_claims(design: Design, one: Finding) -> None:
    found = verdicts(design.with_variants(*proposed(design, one)), one, one.claims)
    assert set(found) == set(one.claims)
    assert set(found.values()) == {"HOLDS"}


COMPANY = [
    pytest.param(design, one, fix, id=f"{design.name} {one.name} without {fix}")
    for design in RESOLVED
    for one in register_of(design).findings
    for fix in one.together_with
]


@pytest.mark.slow
@pytest.mark.parametrize(("design", "one", "fix"), COMPANY)
def test_none_of_the_fixes_that_a_mail_names_can_be_left_out(
    design: Design, one: Finding, fix: str
) -> None:
    changed = design.with_variants(*(name for name in proposed(design, one) if name != fix))
    assert "VIOLATED" in verdicts(changed, one, one.claims).values()


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
            "follower_misses_the_log_start",
            "proposal_new_leader_starts_at_its_first_local_offset",
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
    design, one = told(name, finding)
    changed = design.with_variants(*isolated(design, one), change)
    first = one.claims[0]
    assert verdicts(changed, one, [first], **bounds) == {first: "VIOLATED"}


@pytest.mark.slow
def test_an_epoch_in_the_topic_keeps_what_readers_see_but_counts_the_old_leader_until_then() -> (
    None
):
    design, one = told("kip1272", "comparison_of_offsets_fences_nobody")
    change = "proposal_new_leader_publishes_its_epoch"
    found = verdicts(design.with_variants(*isolated(design, one), change), one, one.claims)
    assert {name for name, verdict in found.items() if verdict == "HOLDS"} == {
        "committed_records_stay_readable",
        "leaders_claims_are_never_rejected",
        "no_committed_record_lost",
    }
    assert {name for name, verdict in found.items() if verdict == "VIOLATED"} == {
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
    design, one = told(name, finding)
    found = verdicts(design.with_variants(*isolated(design, one), change), one, one.claims)
    assert {claim for claim, verdict in found.items() if verdict == "VIOLATED"} == broken
    assert {verdict for claim, verdict in found.items() if claim not in broken} == {"HOLDS"}
