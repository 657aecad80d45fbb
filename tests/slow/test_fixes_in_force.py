"""The fixes that a page says are in force in its steps: they suffice, and all are needed."""

import pytest

from tests.designs.stored_traces import ENTRIES, STORED, trace_of
from tierproof.register import Finding
from tierproof.register.searches import repairs_in_force

TOLD = {key: STORED[key] for key, (_, one) in ENTRIES.items() if isinstance(one, Finding)}


@pytest.mark.slow
@pytest.mark.parametrize("name", TOLD)
def test_the_steps_need_the_fixes_that_the_mail_names(name):
    kept = TOLD[name]
    design, finding = ENTRIES[name]
    assert isinstance(finding, Finding)
    assert tuple(repairs_in_force(design, finding, trace_of(kept))) == kept.in_force


def test_most_findings_need_no_fix_to_be_shown():
    alone = [name for name, kept in TOLD.items() if not kept.in_force]
    assert len(alone) > len(TOLD) / 2
