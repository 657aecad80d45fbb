"""Terminal output of a result: a table of verdicts, traces in words, and what was covered."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tierproof.command_line.console import STYLES, bounds_as_text, terminal
from tierproof.command_line.grounds import Grounds, grounds_lines
from tierproof.spark_explorer.results import (
    Fault,
    PropertyResult,
    Result,
    Sample,
    WitnessResult,
    trace_as_dict,
)
from tierproof.spark_explorer.sketch import STANDARD_ERROR

FEW = 3
"""How many actions, or lifecycle edges, that were never taken are named without being asked."""

RAREST = 5
"""How many of the actions taken least are named."""


def show_result(
    result: Result,
    *,
    chosen_for: str | None,
    names_untaken: bool = False,
    kept_in: str | None = None,
    is_why_full: bool = False,
    grounds: Grounds = (),
    called: str = "",
) -> None:
    """The verdict on every property, then each counterexample and why it is one, then the counts.

    What was never taken is counted, and named with `names_untaken` or if it is little. The run is
    `kept_in` this folder. With `is_why_full` an explanation has all of its lines. The verdicts rest
    on the `grounds`; `called` is the design in a command.
    """
    console = terminal()
    console.print(f"[bold]{result.design}[/bold]  {result.title}")
    console.print(f"scope {result.scope}: {bounds_as_text(result.bounds)}", highlight=False)
    for words, names in (("variant", result.variants), ("without", result.dropped_guards)):
        if names:
            console.print(f"{words} {', '.join(names)}")
    for name, reason in result.redefines.items():
        console.print(f"properties ask {name} as redefined: {reason}", highlight=False)
    if chosen_for:
        console.print(f"engine {chosen_for}", highlight=False)
    console.print()
    console.print(_verdicts(result))
    for entry in result.properties:
        if entry.trace is not None:
            _show_trace(console, entry, is_why_full)
    if result.fault is not None:
        _show_fault(console, result.fault)
    console.print()
    _show_counts(console, result, names_untaken)
    for line in grounds_lines(called, grounds, result.zero_budgets):
        console.print(line, highlight=False, soft_wrap=True)
    if kept_in is not None:
        command = "resume" if result.cut else "show"
        console.print(f"kept: tierproof {command} {kept_in}", highlight=False, soft_wrap=True)


def _verdicts(result: Result) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("verdict", "property", "kind"):
        table.add_column(column, no_wrap=True)
    table.add_column("what it says", ratio=1)
    for entry in result.properties:
        table.add_row(
            Text(str(entry.verdict), style=STYLES[entry.verdict]),
            entry.name,
            entry.kind,
            entry.statement + _remark(entry),
        )
    for witness in result.witnesses:
        word, style = _witness_word(witness)
        times = f" ({witness.occurrences:,} times)" if witness.is_walked and witness.reached else ""
        table.add_row(Text(word, style=style), witness.name, "witness", witness.statement + times)
    return table


def _remark(entry: PropertyResult) -> str:
    if entry.is_vacuous:
        return " (vacuous: its premise held in no state)"
    times = "times" if entry.limited_states is None else "states to wait in for ever"
    told = [f"{entry.occurrences:,} {times}" if entry.occurrences else "", entry.fairness]
    if entry.limited_states:
        told.append(f"{entry.limited_states:,} states not judged: the scope hides their successors")
    told.append(entry.reason)
    return f" ({'; '.join(filter(None, told))})" if any(told) else ""


def _witness_word(witness: WitnessResult) -> tuple[str, str]:
    if witness.reached is None:
        return "INCOMPLETE", "yellow"
    return ("reached", "green") if witness.reached else ("NOT REACHED", "yellow")


def _show_trace(console: Console, entry: PropertyResult, is_why_full: bool) -> None:
    from tierproof import diagrams

    if entry.trace is None:
        return
    words = {
        "name": entry.name,
        "statement": entry.statement,
        "kind": entry.kind,
        "is_shortest": entry.is_shortest,
        "why": None if entry.why is None else entry.why.as_dict(),
        "is_why_full": is_why_full,
    }
    first, _, rest = diagrams.trace_as_text(trace_as_dict(entry.trace), words).partition("\n")
    console.print()
    console.print(Text(first, style="bold red"), soft_wrap=True)
    console.print(Text(rest), soft_wrap=True)


def _show_fault(console: Console, fault: Fault) -> None:
    from tierproof import diagrams

    fewest = "the fewest" if fault.is_shortest else "perhaps not the fewest"
    console.print()
    console.print(
        Text(
            f"FAULT of the design after {diagrams.counted(len(fault.trace), 'step')}, {fewest}",
            "bold red",
        ),
        soft_wrap=True,
    )
    told = diagrams.trace_as_text(trace_as_dict(fault.trace))
    console.print(Text(f"\n{told}\n\nA function fails {fault.where}."), soft_wrap=True)


def _show_sample(console: Console, result: Result, sample: Sample) -> None:
    """The counts of random walks, and how to take the same walks again."""
    from tierproof.diagrams import counted

    style = STYLES[result.verdict]
    rate = sample.steps / result.seconds if result.seconds else 0
    options = f"--seed {sample.seed} --walks {sample.walks} --depth {sample.depth_limit}"
    again = f"The same walks again: {options}\n" * bool(sample.walks)
    rarest = sorted((times, name) for name, times in result.actions.items() if times)[:RAREST]
    console.print(
        f"[{style}]{result.verdict}[/{style}]  {sample.walks:,} random walks, {sample.steps:,} "
        f"steps, about {result.distinct_states:,} distinct states (an estimate, standard error "
        f"{STANDARD_ERROR:.1%}), {result.seconds:.2f} s ({rate:,.0f} steps/s; "
        f"{result.set_up_seconds:.1f} s of set-up)\n"
        f"The walks ended by {sample.ended_by}; the longest has {counted(result.depth, 'step')}. "
        f"{sample.at_depth:,} ended at the greatest depth, {sample.at_rest:,} in a state without "
        f"a successor, {sample.outside_bounds:,} outside the bounds.\n"
        f"{again}"
        "[yellow]Random walks are a sample: nothing HOLDS on that ground.[/yellow]\n"
        f"actions taken least: {', '.join(f'{name} {times:,}' for times, name in rarest)}",
        highlight=False,
    )


def _show_counts(console: Console, result: Result, names_untaken: bool) -> None:
    if result.sample is None:
        _show_states(console, result)
    else:
        _show_sample(console, result, result.sample)
        _show_symmetry(console, result)
    _show_untaken(console, result, names_untaken)


def _show_untaken(console: Console, result: Result, names_them: bool) -> None:
    """What was never taken; of a search that was cut, most is only not taken yet."""
    is_cut = bool(result.cut) and result.sample is None
    if is_cut and not names_them:
        _count_untaken(console, result)
        return
    word = "never enabled" if result.sample is None else "never taken"
    actions = "not taken until then" if is_cut else word
    edges = f"lifecycle edges {'not taken until then' if is_cut else 'never taken'}"
    counts = (("action", actions, result.never_taken), ("edge", edges, result.untaken_edges))
    for noun, what, names in counts:
        if names:
            _show_names(console, noun, what, names, names_them or len(names) <= FEW)


def _count_untaken(console: Console, result: Result) -> None:
    from tierproof.diagrams import counted

    found = ((result.never_taken, "action"), (result.untaken_edges, "lifecycle edge"))
    if left := [counted(len(names), one) for names, one in found if names]:
        console.print(f"not taken until then: {' and '.join(left)}", highlight=False)


def _show_names(
    console: Console, noun: str, what: str, names: Sequence[str], names_them: bool
) -> None:
    """A line with the names, or with their number and how to see them."""
    told = Text(f"{what}: ", "yellow")
    if names_them:
        told.append("; ".join(names) if noun == "edge" else ", ".join(names), "default")
    else:
        told.append(f"{len(names)} {noun}s; --untaken names them", "default")
    console.print(told)


def _show_states(console: Console, result: Result) -> None:
    style = STYLES[result.verdict]
    rate = result.distinct_states / result.seconds if result.seconds else 0
    console.print(
        f"[{style}]{result.verdict}[/{style}]  {result.distinct_states:,} distinct states, "
        f"{result.generated_states:,} generated, depth {result.depth}, {result.seconds:.2f} s "
        f"on {result.engine} ({rate:,.0f} states/s; {result.set_up_seconds:.1f} s of set-up"
        + (f", {result.liveness_seconds:.1f} s of liveness)" if result.liveness_seconds else ")"),
        highlight=False,
    )
    if result.initial_states > 1:
        console.print(_initial_states(result), highlight=False, soft_wrap=True)
    _show_symmetry(console, result)
    console.print(_compilation(result), highlight=False)
    console.print(
        "chance that a fingerprint collision hid a state: "
        + (f"{result.collision_probability:.1e}" if result.collision_probability else "none"),
        highlight=False,
    )
    for told in filter(None, (result.on_spark, result.resumed)):
        console.print(str(told), highlight=False)
    if result.cut:
        console.print(
            f"[yellow]The search was cut: {result.cut}. Nothing HOLDS on that ground.[/yellow]"
        )


def _show_symmetry(console: Console, result: Result) -> None:
    for told in result.symmetry.statements if result.symmetry else ():
        console.print(told, highlight=False, soft_wrap=True)


def _initial_states(result: Result) -> Text:
    """How many initial states there are, and why compiled code did not make them, if so."""
    told = Text(f"{result.initial_states:,} initial states")
    if result.initial_refusal:
        told.append(f", made by CPython, which takes longer: {result.initial_refusal}", "yellow")
    return told


def _compilation(result: Result) -> str:
    """The time to compile the design, or to load code that was compiled before."""
    if result.compile_seconds:
        told = f"the design was compiled in {result.compile_seconds:.2f} s"
    else:
        told = f"the design was compiled before, and loaded in {result.load_seconds:.2f} s"
    if result.optimise_seconds:
        told += f"; better code took {result.optimise_seconds:.1f} s, beside the search"
    return told
