"""Sentences of the text that are wrong as they stand, and what they would have to say."""

from tierproof.invariants.disablement import (
    remote_log_ends_one_past_the_local_start,
    remote_log_reaches_the_local_log,
)
from tierproof.model.language import Variant

CONTINUITY = Variant(
    name="repair_scenario_3_asks_for_continuity",
    because="The equation of scenario 3 is no property of any log: continuity is R_y >= L_x.",
    drop=(remote_log_ends_one_past_the_local_start,),
    add_properties=(remote_log_reaches_the_local_log,),
)
