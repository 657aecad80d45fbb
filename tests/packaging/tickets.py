"""Another project: three files, two of them named as packages of tierproof.

20,000 initial states are more than Spark's driver expands alone, so that the workers import
the project's module, too. Each ticket is drawn, stamped and filed: three states.
"""

MODEL = '''
"""Tickets are drawn, stamped and filed."""

from typing import Annotated

import diagrams
from properties import filed_tickets_have_no_sevens, stamped_tickets_exist
from tierproof import Design, Range, Scope, State, action, bound, guard, initial


class Office(Scope):
    tickets: int = bound(1, 50_000, default=20_000)


class Ticket(State):
    number: Annotated[int, Range(0, Office.tickets - 1)]
    stamps: Annotated[int, Range(0, 2)]


@initial
def any_ticket(state: Ticket, number: Annotated[int, Range(0, Office.tickets - 1)]) -> None:
    """A ticket is drawn."""
    state.number = number


@guard
def is_not_filed(state: Ticket) -> bool:
    """The ticket is not filed."""
    return state.stamps < 2


@action(guards=[is_not_filed], actor="clerk")
def clerk_stamps_ticket(state: Ticket) -> None:
    """Stamp the ticket; with two stamps it is filed."""
    state.stamps += 1


DESIGN = Design(
    name="tickets",
    title=diagrams.TITLE,
    document="none",
    state=Ticket,
    initial=(any_ticket,),
    system=(clerk_stamps_ticket,),
    properties=(filed_tickets_have_no_sevens,),
    witnesses=(stamped_tickets_exist,),
    scopes={"default": Office()},
)
'''

PROPERTIES = '''
"""What is true of tickets."""

from typing import Any

from tierproof import invariant, witness


@invariant()
def filed_tickets_have_no_sevens(state: Any) -> bool:
    """No ticket that ends in 7777 is filed."""
    return state.stamps < 2 or state.number != 17_777


@witness()
def stamped_tickets_exist(state: Any) -> bool:
    """Some ticket is stamped."""
    return state.stamps > 0
'''

DIAGRAMS = '''
"""Names for drawings, and a list of the processes that import them."""

import os
from pathlib import Path

TITLE = "An office"

with Path(__file__).with_name("imported_by").open("a") as file:
    print(os.getpid(), file=file)
'''

FILES = {
    "model.py": MODEL,
    "properties/__init__.py": PROPERTIES,
    "diagrams.py": DIAGRAMS,
}
