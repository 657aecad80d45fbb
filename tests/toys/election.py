"""An election: voters vote once, and a candidate wins with a majority, which is a parameter."""

from typing import Annotated

from tests.toys.alike import alike
from tierproof.model.language import (
    Array,
    Design,
    Index,
    Scope,
    Set,
    State,
    action,
    bound,
    guard,
    initial,
    invariant,
    witness,
)


class Town(Scope):
    voters: int = bound(1, 7, default=3)
    candidates: int = bound(1, 5, default=2)


Voter = Annotated[int, Index(Town.voters)]
Voters = Annotated[set[int], Set(Town.voters)]
Candidate = Annotated[int, Index(Town.candidates)]


class Ballot(State):
    votes: Annotated[list[Voters], Array(Town.candidates)]
    elected: Annotated[set[int], Set(Town.candidates)]


@initial
def nobody_has_voted(state: Ballot) -> None:
    """The ballot is empty."""


@guard
def has_not_voted(state: Ballot, voter: Voter) -> bool:
    """The voter has a vote left."""
    return all(voter not in votes for votes in state.votes)


@guard
def is_not_elected(state: Ballot, candidate: Candidate) -> bool:
    """The candidate is not elected already."""
    return candidate not in state.elected


@guard
def is_majority(state: Ballot, quorum: Voters, scope: Town) -> bool:
    """More than half of the voters."""
    return len(quorum) * 2 > scope.voters


@guard
def voted_for(state: Ballot, candidate: Candidate, quorum: Voters) -> bool:
    """The whole quorum voted for the candidate."""
    return quorum <= state.votes[candidate]


@action(guards=[has_not_voted], actor="voter {voter}")
def voter_votes(state: Ballot, voter: Voter, candidate: Candidate) -> None:
    """Vote for a candidate."""
    state.votes[candidate].add(voter)


@action(guards=[is_not_elected, is_majority, voted_for], actor="candidate {candidate}")
def candidate_wins(state: Ballot, candidate: Candidate, quorum: Voters) -> None:
    """Be elected by a quorum."""
    state.elected.add(candidate)


@invariant()
def at_most_one_is_elected(state: Ballot) -> bool:
    """Any two majorities have a voter in common, who votes once."""
    return len(state.elected) <= 1


@witness()
def somebody_is_elected(state: Ballot) -> bool:
    """A candidate wins."""
    return bool(state.elected)


DESIGN = Design(
    name="election",
    title="An election",
    state=Ballot,
    initial=(nobody_has_voted,),
    system=(voter_votes, candidate_wins),
    properties=(at_most_one_is_elected,),
    witnesses=(somebody_is_elected,),
    scopes={"three": Town(), "four": Town(voters=4, candidates=3)},
)

ALIKE = alike(DESIGN, Town.voters, Town.candidates)
"""The same, in which voters are alike, and candidates."""
