"""Molecules in a vessel, which is a Bag: hydrogen burns, water is split, some molecules leak."""

from collections import Counter
from enum import IntEnum
from typing import Annotated

from tierproof.model.language import (
    Bag,
    Budget,
    Design,
    Scope,
    State,
    action,
    bound,
    guard,
    initial,
    invariant,
    witness,
)


class Vessel(Scope):
    molecules: int = bound(1, 50, default=4)
    leaks: int = bound(0, 9, default=1)


class Species(IntEnum):
    HYDROGEN = 0
    OXYGEN = 1
    WATER = 2


class Content(State):
    vessel: Annotated[Counter[Species], Bag(Species, at_most=Vessel.molecules)]
    leaks: Annotated[int, Budget(Vessel.leaks)]


@initial
def two_parts_and_one(state: Content, scope: Vessel) -> None:
    """Twice as much hydrogen as there is oxygen."""
    state.vessel[Species.HYDROGEN] = scope.molecules
    state.vessel[Species.OXYGEN] = scope.molecules // 2


@guard
def can_burn(state: Content) -> bool:
    """Two of hydrogen and one of oxygen."""
    return state.vessel[Species.HYDROGEN] >= 2 and Species.OXYGEN in state.vessel


@guard
def can_split(state: Content) -> bool:
    """Two of water."""
    return state.vessel[Species.WATER] >= 2


@guard
def is_there(state: Content, species: Species) -> bool:
    """There is one to leak."""
    return species in state.vessel


@action(guards=[can_burn])
def hydrogen_burns(state: Content) -> None:
    """Two of hydrogen and one of oxygen become two of water."""
    state.vessel[Species.HYDROGEN] -= 2
    state.vessel[Species.OXYGEN] -= 1
    state.vessel[Species.WATER] += 2


@action(guards=[can_split])
def water_splits(state: Content) -> None:
    """Two of water become two of hydrogen and one of oxygen."""
    state.vessel[Species.WATER] -= 2
    state.vessel[Species.HYDROGEN] += 2
    state.vessel[Species.OXYGEN] += 1


@action(guards=[is_there], budget="leaks")
def one_leaks(state: Content, species: Species) -> None:
    """Lose one molecule."""
    state.vessel[species] -= 1


@invariant()
def no_atom_is_made(state: Content, scope: Vessel) -> bool:
    """There are at most as many molecules as there were, and never less water than none."""
    return state.vessel.total() <= scope.molecules + scope.molecules // 2


@witness()
def all_is_water(state: Content) -> bool:
    """Nothing but water is left."""
    return bool(state.vessel) and all(species is Species.WATER for species in state.vessel)


DESIGN = Design(
    name="reactions",
    title="Molecules in a vessel",
    state=Content,
    initial=(two_parts_and_one,),
    system=(hydrogen_burns, water_splits),
    environment=(one_leaks,),
    properties=(no_atom_is_made,),
    witnesses=(all_is_water,),
    scopes={"small": Vessel(), "large": Vessel(molecules=20, leaks=3)},
)
