"""The modelling language: a design is written once, in plain Python, with these nouns.

class Cluster(Scope):                     the bounds of an exploration
    brokers: int = bound(1, 5, default=2)

Broker = Annotated[int, Index(Cluster.brokers)]      a finite domain
Brokers = Annotated[set[int], Set(Cluster.brokers)]  and sets, sequences and bags

class Log(State):                         one valuation of the system
    leader: Broker

@guard / @limit                           a named condition
@action(guards=(...,))                    who acts, and the effect
@invariant() / @step_property() / @witness() / @liveness(premise=...)
Design(...)                               all of it, with named scopes and variants
"""

from tierproof.model.language.actions import Action, Guard, Predicate, Step, action, guard, limit
from tierproof.model.language.comparisons import Comparison
from tierproof.model.language.design import Design, Initial, Variant, initial, within_bounds
from tierproof.model.language.domains import (
    GHOST,
    NONE,
    Array,
    Bag,
    Budget,
    Index,
    Kind,
    Range,
    Sequence,
    Set,
    Subset,
)
from tierproof.model.language.errors import DesignError, ScopeError, TierproofError, UnknownName
from tierproof.model.language.findings import Finding, Regression
from tierproof.model.language.interpreter import Interpreter, Steps
from tierproof.model.language.lifecycle import Lifecycle
from tierproof.model.language.properties import (
    Fairness,
    Property,
    PropertyKind,
    deadlock_free,
    invariant,
    liveness,
    step_property,
    witness,
)
from tierproof.model.language.scope import Scope, bound
from tierproof.model.language.state import Record, State
from tierproof.model.language.trace import Trace

__all__ = [
    "GHOST",
    "NONE",
    "Action",
    "Array",
    "Bag",
    "Budget",
    "Comparison",
    "Design",
    "DesignError",
    "Fairness",
    "Finding",
    "Guard",
    "Index",
    "Initial",
    "Interpreter",
    "Kind",
    "Lifecycle",
    "Predicate",
    "Property",
    "PropertyKind",
    "Range",
    "Record",
    "Regression",
    "Scope",
    "ScopeError",
    "Sequence",
    "Set",
    "State",
    "Step",
    "Steps",
    "Subset",
    "TierproofError",
    "Trace",
    "UnknownName",
    "Variant",
    "action",
    "bound",
    "deadlock_free",
    "guard",
    "initial",
    "invariant",
    "limit",
    "liveness",
    "step_property",
    "within_bounds",
    "witness",
]
