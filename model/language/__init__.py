"""The modelling language: a design is written once, in plain Python, with these nouns.

class Cluster(Scope):                     the bounds of an exploration
    brokers: int = bound(1, 5, default=2)

Broker = Annotated[int, Index(Cluster.brokers)]      a finite domain
Brokers = Annotated[set[int], Set(Cluster.brokers)]  and sets, sequences and bags

class Log(State):                         one valuation of the system
    leader: Broker

@guard / @fence(protects=...) / @limit    a named condition, and what it is for
COPIER = Actor("copier", at=..., life=...)  who acts, and the step the thread is at
@COPIER.action(STORED, FINISHED) / @action(guards=...)     an edge, or a step without one
@invariant() / @step_property() / @witness() / @liveness(premise=...)
Design(...)                               the whole system, with named scopes
Variant(...) / DESIGN.derive(change=Edit(...)) / history(...)    what changes a design
"""

from tierproof.model.language.actions import (
    Action,
    Guard,
    GuardKind,
    Move,
    Predicate,
    Step,
    action,
    fence,
    guard,
    limit,
)
from tierproof.model.language.actors import Actor
from tierproof.model.language.comparisons import Comparison
from tierproof.model.language.design import Design, within_bounds
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
from tierproof.model.language.edits import Edit, History, Variant, history, history_before
from tierproof.model.language.errors import (
    DesignError,
    Misused,
    ScopeError,
    TierproofError,
    UnknownName,
)
from tierproof.model.language.initial import Initial, initial
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
    "Actor",
    "Array",
    "Bag",
    "Budget",
    "Comparison",
    "Design",
    "DesignError",
    "Edit",
    "Fairness",
    "Guard",
    "GuardKind",
    "History",
    "Index",
    "Initial",
    "Interpreter",
    "Kind",
    "Lifecycle",
    "Misused",
    "Move",
    "Predicate",
    "Property",
    "PropertyKind",
    "Range",
    "Record",
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
    "fence",
    "guard",
    "history",
    "history_before",
    "in_no_release",
    "initial",
    "invariant",
    "limit",
    "liveness",
    "step_property",
    "within_bounds",
    "witness",
]
