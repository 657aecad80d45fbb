"""The fixes that a mail says are in force in its steps: they suffice, and all are needed."""

import pytest

from tests.designs.stored_traces import STORED, shown, trace_of
from tierproof.register import register_of
from tierproof.register.evidence import repairs_in_force

TOLD = {name: kept for name, kept in STORED.items() if "in_force" in kept}


@pytest.mark.slow
@pytest.mark.parametrize("name", TOLD)
def test_the_steps_need_the_fixes_that_the_mail_names(name):
    kept = TOLD[name]
    design = shown(kept["design"])
    (finding,) = (one for one in register_of(design).findings if one.name == name.split("/")[1])
    assert repairs_in_force(design, finding, trace_of(kept)) == kept["in_force"]


def test_most_findings_need_no_fix_to_be_shown():
    alone = [name for name, kept in TOLD.items() if not kept["in_force"]]
    assert len(alone) > len(TOLD) / 2
