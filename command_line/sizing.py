"""The command that measures a state space: `size`."""

from __future__ import annotations

import typer

from tierproof.command_line.exits import HOLDS, INCOMPLETE, complain, print_json
from tierproof.command_line.options import (
    AsJson,
    Bounds,
    DesignName,
    MaxStates,
    ScopeName,
    Variants,
    Without,
    question_of,
)


def size(
    design: DesignName,
    scope: ScopeName = None,
    bounds: Bounds = None,
    variant: Variants = None,
    without: Without = None,
    max_states: MaxStates = None,
    as_json: AsJson = False,
) -> None:
    """Show what makes the state space of a scope big: fields, actors, budgets, actions, cycles.

    The scope is explored in memory, and no property is judged. A factor says how many times fewer
    the states are if the field, or the group, is left out.

    Exit status: 0 the search came to its end, 2 bad usage, 3 INCOMPLETE: the search was cut, and
    the states until then are measured.

    Examples: tierproof size kip950 --scope smoke; tierproof size my.py:DESIGN --max-states 100000
    """
    from tierproof.command_line import size_table
    from tierproof.spark_explorer.sizing import size as sizes
    from tierproof.spark_explorer.watching import Watching

    question = question_of(design, scope, bounds, variant, without, None)
    found, resolved = question.resolve()
    title = question.scope_title(found)
    try:
        with Watching(not as_json) as watching, watching.search(f"{found.name} {title}") as watch:
            measured = sizes.size(
                found, resolved, scope_name=title, max_states=max_states, watch=watch
            )
    except KeyboardInterrupt:
        complain("interrupted before anything was measured: INCOMPLETE")
        raise typer.Exit(INCOMPLETE) from None
    print_json(measured.as_dict()) if as_json else size_table.show(measured)
    raise typer.Exit(INCOMPLETE if measured.cut else HOLDS)
