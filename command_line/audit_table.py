"""The answer of an audit in the terminal: a line, then each class, then what is foreseen."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from tierproof.command_line.console import terminal
from tierproof.conformance.audit import counted
from tierproof.diagrams import bytes_in_words, moment

STYLES = {"loss": "bold red", "stall": "bold yellow", "cost": "yellow", "note": "dim"}
MOST_PARTITIONS = 10
VERDICTS = {"CLEAN": "bold green", "SEE TO": "bold red", "INCOMPLETE": "bold yellow"}


def show(answer: Mapping[str, Any], out: Path | None, page: Path | None) -> None:
    """Print the answer."""
    console = terminal()
    style = VERDICTS[answer["verdict"]]
    console.print(f"[{style}]{escape(answer['answer'])}[/]", highlight=False, soft_wrap=True)
    if answer["classes"]:
        console.print()
        _show_classes(console, answer)
        for one in answer["classes"]:
            _show_class(console, one)
        _show_partitions(console, answer)
    _show_unread(console, answer)
    if answer["verdict"] == "CLEAN":
        _show_worst_foreseen(console, answer["foresight"]["kip1266"]["as_written"])
    else:
        _show_foresight(console, answer["foresight"])
    if "trace" in answer:
        _show_trace(console, answer["trace"])
    if out is not None:
        words = escape(f"All rows: {out}; tierproof query {out}")
        console.print(f"\n{words}", highlight=False, soft_wrap=True)
    if page is not None:
        console.print(escape(f"Pictures: {page}"), highlight=False, soft_wrap=True)


def _show_classes(console: Console, answer: Mapping[str, Any]) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("", "count", "bytes", "partitions", "oldest", "newest"):
        table.add_column(column, justify="right" if column else "left")
    table.add_column("class")
    for one in answer["classes"]:
        table.add_row(
            Text(one["severity"], style=STYLES[one["severity"]]),
            f"{one['count']:,}",
            bytes_in_words(one["bytes"]) if one["bytes"] else "",
            f"{one['topic_partitions']:,}",
            moment(one["oldest_ms"]),
            moment(one["newest_ms"]),
            one["name"],
        )
    console.print(table)


def _show_class(console: Console, one: Mapping[str, Any]) -> None:
    style = STYLES[one["severity"]]
    console.print(f"\n[{style}]{one['name']}[/]: {escape(one['title'])}", highlight=False)
    for row in one["shown_by"]:
        console.print(f"  {escape(shown_row(row))}", highlight=False, soft_wrap=True)
    if one["count"] > len(one["shown_by"]):
        console.print(f"  ... and {one['count'] - len(one['shown_by']):,} more", highlight=False)
    known = ", ".join([*one["findings"], *one["issues"]])
    for what, words in (
        ("cause", one["cause"]),
        ("known as", known),
        ("do", one["do"]),
        ("do not", one["do_not"]),
    ):
        if words:
            console.print(f"  [dim]{what:8}[/dim] {escape(words)}", highlight=False)
    for command in one["commands"]:
        console.print(f"  [dim]command [/dim] {escape(command)}", highlight=False, soft_wrap=True)


def shown_row(row: Mapping[str, Any]) -> str:
    """An accusation in a line: where, which offsets, what, and the record that shows it."""
    where = f"{row['topic']}-{row['partition']}" if row["topic"] else "?"
    words = [where]
    if row["start_offset"] is not None:
        end = row["end_offset"]
        words.append(f"{row['start_offset']}" + (f"..{end}" if end is not None else ".."))
    words += [row["segment_id"]] * (row["segment_id"] is not None)
    words.append(row["detail"])
    if row["record_offset"] is not None:
        words.append(f"(record {row['metadata_partition']}:{row['record_offset']}")
        words[-1] += f" of broker {row['broker_id']})" if row["broker_id"] is not None else ")"
    if row["object_key"] is not None:
        words.append(row["object_key"])
    return "  ".join(words)


def _show_partitions(console: Console, answer: Mapping[str, Any]) -> None:
    found = [one for one in answer["partitions"] if one["topic"] is not None]
    if len(found) < 2:
        return
    console.print("\n[bold]by topic-partition[/bold]")
    for one in found[:MOST_PARTITIONS]:
        classes = ", ".join(f"{name} {of['count']:,}" for name, of in one["classes"].items())
        console.print(f"  {one['topic']}-{one['partition']}: {classes}", highlight=False)
    if len(found) > MOST_PARTITIONS:
        console.print("  ... and more: --json, or --out and tierproof query", highlight=False)


def _show_unread(console: Console, answer: Mapping[str, Any]) -> None:
    for words in answer["not_read"]:
        console.print(f"\n[yellow]not read: {escape(words)}[/yellow]", highlight=False)
    if answer["set_aside"]:
        console.print("\n[bold]set aside[/bold]")
    for one in answer["set_aside"]:
        first = one["first"]
        at = "" if first["position"] is None else f" at {first['position']}"
        console.print(
            f"  {one['count']:,} {one['reason'].replace('_', ' ')}"
            f"{' (loses nothing)' if one['is_harmless'] else ''}: "
            f"{escape(first['source'])}{at}: {escape(first['detail'])}",
            highlight=False,
            soft_wrap=True,
        )
    for why, count in answer["not_judged"].items():
        was = "was" if count == 1 else "were"
        words = f"{counted(count, 'object')} {was} not judged: {why.replace('_', ' ')}"
        console.print(f"  {words}", highlight=False)

    for name, count in answer["withheld"].items():
        words = f"{count:,} {name} not judged: what would refute it may be in what was not read"
        console.print(f"  {words}", highlight=False)


def _show_worst_foreseen(console: Console, as_written: Mapping[str, Any]) -> None:
    lost = counted(as_written["segments_lost"], "live segment")
    console.print(
        f"foreseen: compacted by KIP-1266 as written, a new broker would lack {lost}; "
        "--json and --page have the rest",
        highlight=False,
        soft_wrap=True,
    )


def _show_foresight(console: Console, foresight: Mapping[str, Any]) -> None:
    console.print("\n[bold]foreseen[/bold]")
    kip = foresight["kip1266"]
    for name, words in (
        ("as_written", "KIP-1266 as written"),
        ("uuid_and_state", "keys of UUID and state (pull request 22774)"),
        ("self_contained", "self-contained values (our repair)"),
    ):
        one = kip[name]
        lost = (
            f"{counted(one['segments_lost'], 'live segment')} ({bytes_in_words(one['lost_bytes'])})"
        )
        console.print(
            f"  {words} would keep {one['records']:,} of {kip['today']['records']:,} records; "
            f"a broker that bootstraps loses {lost if one['segments_lost'] else 'none'}",
            highlight=False,
        )
    growth = foresight["growth"]
    if growth is not None:
        console.print(
            f"  in a year, at the rate of {growth['days']:,} days: "
            f"{growth['records_in_a_year']:,.0f} records, "
            f"{bytes_in_words(growth['bytes_in_a_year'])}; "
            f"read in {growth['seconds_to_read_in_a_year']:,.0f} s at an assumed 50,000 records/s",
            highlight=False,
        )
    other = foresight["kip1272"]
    segments = f"{counted(other['segments'], 'segment')} ({bytes_in_words(other['bytes'])})"
    console.print(
        f"  KIP-1272 would have {segments} to compact, "
        f"{other['with_aborted_transactions']:,} of them with aborted transactions",
        highlight=False,
    )


def _show_trace(console: Console, trace: Mapping[str, Any]) -> None:
    console.print(f"\n[bold]{escape(trace['name'])} through the model[/bold]")
    if trace["left_out"]:
        console.print(f"  {trace['left_out']:,} segments without accusation are left out")
    for step in trace["steps"]:
        style = "" if step["is_legal"] else "bold red"
        words = Text(
            f"  {step['number']:>4}  {moment(step['at_ms'])}  {step['words']}", style=style
        )
        console.print(words, soft_wrap=True)
