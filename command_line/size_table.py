"""What makes a state space big, as tables in the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tierproof.command_line.console import bounds_as_text, terminal
from tierproof.spark_explorer.quantities import in_bytes, in_states, in_time
from tierproof.spark_explorer.sizing.larger import Larger
from tierproof.spark_explorer.sizing.projection import PartSize
from tierproof.spark_explorer.sizing.size import Size

MOST_ROWS = 15
"""Rows of a table; --json has all."""
LEAST_FACTOR = 1.005
"""The least factor that is shown: a smaller one rounds to 1.00."""
BARS = "▁▂▃▄▅▆▇█"
MOST_BARS = 60


def show(it: Size) -> None:
    """The factors of fields and groups, the actions, the levels and the cycles."""
    console = terminal()
    console.print(f"[bold]{it.design}[/bold]  scope {it.scope}", highlight=False)
    console.print(bounds_as_text(it.bounds), highlight=False)
    rate = it.distinct_states / it.seconds if it.seconds else 0
    console.print(
        f"{it.distinct_states:,} distinct states of {it.bits} bits, {it.generated_states:,} "
        f"generated, {it.seconds:.2f} s ({rate:,.0f} states/s), {in_bytes(it.bytes_held)} held; "
        f"measured in {it.measure_seconds:.2f} s",
        highlight=False,
    )
    for told in it.symmetry.statements if it.symmetry else ():
        console.print(told, highlight=False, soft_wrap=True)
    if it.cut:
        console.print(f"[yellow]The search was cut: {it.cut}.[/yellow]", highlight=False)
    if it.not_measured:
        console.print(f"[yellow]No field is measured: {it.not_measured}.[/yellow]")
    elif it.measured < it.distinct_states:
        console.print(
            f"Measured on the {it.measured:,} states of the levels that were reached as a whole.",
            highlight=False,
        )
    for what, parts in (("field", it.fields), ("group", it.groups)):
        _show_parts(console, what, parts, has_stale=it.staleness is not None)
    _show_staleness(console, it)
    _show_actions(console, it)
    _show_levels(console, it.frontier_sizes)
    _show_cycles(console, it)


def _show_parts(console: Console, what: str, parts: Sequence[PartSize], *, has_stale: bool) -> None:
    shown = [one for one in parts if one.factor >= LEAST_FACTOR][:MOST_ROWS]
    if not shown:
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(f"{what} left out", no_wrap=True)
    if what == "group":
        table.add_column("what it is", no_wrap=True)
    for column in ("factor", *["stale"] * has_stale, "states without it", "values", "bits"):
        table.add_column(column, justify="right", no_wrap=True)
    for one in shown:
        kind = [str(one.part.kind)] if what == "group" else []
        about = "" if one.is_exact else "about "
        factors = [f"{it:.2f}" for it in (one.factor, one.stale) if it is not None]
        counts = (f"{about}{one.left:,}", f"{one.values:,}", str(one.bits))
        table.add_row(one.part.name, *kind, *factors, *counts)
    console.print()
    console.print(table)
    if left := len(parts) - len(shown):
        console.print(
            f"{left} more with smaller factors; --json has them", style="dim", highlight=False
        )


def _show_staleness(console: Console, it: Size) -> None:
    """How far states can be merged, or why that is not known; nothing if nobody asked."""
    found = it.staleness
    if found is not None:
        console.print(
            f"\nstale: {found.factor:.2f} at most, by bisimulation: {found.blocks:,} blocks of "
            "states that differ in no property and in no step, an action with its parameters",
            highlight=False,
            soft_wrap=True,
        )
    elif it.no_staleness:
        console.print(
            f"\n[yellow]No stale fields: {it.no_staleness}.[/yellow]",
            highlight=False,
            soft_wrap=True,
        )


def _show_actions(console: Console, it: Size) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("action", no_wrap=True)
    for column in ("generated", "first reached", "enabled in", "steps on cycles"):
        table.add_column(column, justify="right", no_wrap=True)
    for one in it.actions[:MOST_ROWS]:
        share = f"{one.enabled / it.surveyed:.0%} of states" if it.surveyed else "–"
        first, cycles = (
            "–" if count is None else f"{count:,}" for count in (one.first_reached, one.on_cycles)
        )
        table.add_row(one.name, f"{one.generated:,}", first, share, cycles)
    console.print()
    console.print(table)
    left = len(it.actions) - MOST_ROWS
    if left > 0:
        console.print(f"{left} more; --json has them", style="dim", highlight=False)


def _show_levels(console: Console, sizes: Sequence[int]) -> None:
    """The sizes of the levels as bars: of many levels, each bar stands for several."""
    if not sizes:
        return
    width = -(-len(sizes) // MOST_BARS)
    sums = [sum(sizes[at : at + width]) for at in range(0, len(sizes), width)]
    bars = "".join(BARS[one * (len(BARS) - 1) // max(sums)] for one in sums)
    widest = max(range(len(sizes)), key=sizes.__getitem__)
    console.print(
        Text(
            f"\nlevels 0 to {len(sizes) - 1}  {bars}  "
            f"the largest is level {widest} with {sizes[widest]:,} states"
        ),
        soft_wrap=True,
    )


def _show_cycles(console: Console, it: Size) -> None:
    """What is on cycles, or why that is not known; of a cut search, more may be."""
    found = it.cycles
    if found is None:
        told = f"cycles: not sought, as {it.no_cycles}"
    elif not found.components:
        told = "cycles: none" + (" among the states visited" if it.cut else "")
    else:
        names = sorted(found.steps, key=lambda name: (-found.steps[name], name))
        more = f" and {len(names) - MOST_ROWS} more" if len(names) > MOST_ROWS else ""
        told = (
            f"cycles: {found.states:,} states in {found.components:,} strongly connected "
            f"components, {found.largest:,} in the largest, by {', '.join(names[:MOST_ROWS])}{more}"
        )
    console.print(told, highlight=False, soft_wrap=True)


def show_estimate(it: Larger) -> None:
    """The smaller scopes that were explored, and what they say of the larger one."""
    console = terminal()
    console.print(f"[bold]{it.design}[/bold]  scope {it.scope}", highlight=False)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in (it.bound, "distinct", "generated", "largest level", "seconds"):
        table.add_column(column, justify="right", no_wrap=True)
    for one in it.known:
        counts = (one.value, one.distinct_states, one.generated_states, one.largest_level)
        table.add_row(*(f"{count:,}" for count in counts), f"{one.seconds:.2f}")
    console.print(table)
    for told in it.symmetry.statements if it.symmetry else ():
        console.print(told, highlight=False, soft_wrap=True)
    console.print()
    if it.states is None:
        console.print(f"[yellow]No estimate: {it.why_not}.[/yellow]", highlight=False)
        return
    lines = [
        ("states", it.states, in_states),
        ("time, on this machine", it.seconds, in_time),
        ("memory", it.bytes, in_bytes),
    ]
    for what, found, shown in lines:
        told = "not known" if found is None else f"about {shown(found.value)}"
        if found is not None:
            told += f" (between {shown(found.low)} and {shown(found.high)})"
        console.print(f"{what}: {told}", highlight=False)
    console.print(
        "The error is what the same rule missed when it predicted the last of these scopes.",
        style="dim",
    )
